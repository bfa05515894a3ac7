"""What the settings do to each other, in sentences. Plain text."""

from tsk_core.config import TrainConfig

__all__ = ["remarks"]


def remarks(config: TrainConfig | None) -> list[str]:
    """One sentence for each setting that the others leave without effect, and for sharpness without UR; none of invalid ones."""
    sentences = []
    if config is None:
        return sentences
    if config.batch_norm != config.normalisation:
        sentences.append("BN before the consequents does nothing: constant consequents have no input that it could normalise.")
    if config.layer_norm != "none" and not config.layer_normalised:
        why = "there is one rule" if config.has_slopes else "constant scores are weighted by the firing levels themselves"
        sentences.append(f"Layer normalisation does nothing: {why}.")
    if config.n_trainings != config.n_parts:
        sentences.append(f"Separate trainings do nothing: there is one, since {_why_one(config)}.")
    if config.shrinkage and not config.has_slopes:
        sentences.append("Shrinkage κ does nothing: constant consequents have no slopes.")
    if config.selection_epoch and not config.max_conditions:
        sentences.append("Rules keep all conditions, so none are chosen after an epoch: set the conditions of a rule k.")
    elif config.selection_epoch > config.max_epochs:
        sentences.append(f"Epoch {config.selection_epoch} is not reached: conditions are chosen after the last one.")
    if config.sharpness and not config.ur_weight:  # measured: docs/claims.md, "One rule decides"
        sentences.append("Sharpness without UR: few rules may win all rows. UR keeps the others in use.")
    return sentences


def _why_one(config: TrainConfig) -> str:
    """Why settings have one training although they ask for several."""
    if config.rule_base is not None:
        return "a rule base is where one training starts"
    if config.layer_normalised:
        return "layer normalisation is over all rules"
    return "clusters of the classes would be much the same initial rules in each"
