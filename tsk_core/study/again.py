"""The settings of the study's trainings; with a result's λ and epochs, those that train its model again."""

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments.variants import UR_WEIGHTS
from tsk_core.study.names import ALGORITHMS
from tsk_core.study.results import Result

__all__ = ["beside_protocol", "final_config", "protocol_config", "ur_weights_of"]

_CHOSEN = ("ur_weight", "max_epochs", "early_stopping", "batch_norm")  # by validation, or by the algorithm


def ur_weights_of(algorithm: str) -> tuple[float, ...]:
    """The values of λ that are tried: of an algorithm without uniform regularisation, 0 alone."""
    return UR_WEIGHTS if ALGORITHMS[algorithm].selects_ur else (0.0,)


def protocol_config(algorithm: str, seed: int, ur_weight: float) -> TrainConfig:
    """The paper's settings for one of the MBGD family: R = 20, α = 0.05, AdaBound at 0.01, early stopping on 20%, patience 40.

    The paper does not print the batch size; 64 is the smallest of those that it recommends. Raises SettingError for algorithms
    that are not of the family.
    """
    variant = ALGORITHMS[algorithm].batch_norm
    if variant is None:
        raise SettingError(f"{algorithm} is not trained by mini-batch gradient descent.")
    return TrainConfig.paper(
        ur_weight=ur_weight, batch_norm=variant, l2=0.05, max_epochs=2000, early_stopping=True, validation_fraction=0.2,
        patience=40, random_state=seed, **ALGORITHMS[algorithm].settings,
    )  # fmt: skip


def beside_protocol(config: TrainConfig) -> list[str]:
    """What a training with these settings does otherwise than the paper's protocol, such as "α 0.001 instead of 0.05".

    λ and the variant of batch normalisation are not compared: the paper has several.
    """
    protocol = protocol_config("TSK-MBGD", 0, 0.0)
    names = [name for name in config.differing(protocol) if name not in _CHOSEN]
    parts = [
        f"{SETTINGS[name].symbol or SETTINGS[name].label} {getattr(config, name)} instead of {getattr(protocol, name)}"
        for name in names
    ]
    if not config.early_stopping:
        parts.append(f"{config.max_epochs} epochs instead of as many as validation finds")
    return parts


def final_config(result: Result) -> TrainConfig | None:
    """The settings that train the model of a result once more, on the training rows of its split; None where it is no model of
    this app or its settings are not known.
    """
    if result.algorithm == "TSK-recommended":
        return TrainConfig(random_state=result.seed)
    if ALGORITHMS[result.algorithm].batch_norm is None or result.epochs is None:
        return None
    settings = protocol_config(result.algorithm, result.seed, result.ur_weight or 0.0).to_dict()
    return TrainConfig.from_dict(settings | {"early_stopping": False, "max_epochs": result.epochs})
