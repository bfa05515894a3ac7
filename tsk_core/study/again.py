"""The settings of the study's trainings; with a result's λ and epochs, those that train its model again."""

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.study.names import ALGORITHMS
from tsk_core.study.results import Result

__all__ = ["UR_WEIGHTS", "final_config", "ur_weights_of", "protocol_config"]

UR_WEIGHTS = (0.1, 1.0, 10.0, 20.0, 50.0)  # of which validation chooses λ


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
        patience=40, firing="htsk" if algorithm == "HTSK" else "softmax", random_state=seed,
    )  # fmt: skip


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
