"""What the settings do to each other, in sentences. Plain text."""

from tsk_core.config import TrainConfig


def remarks(config: TrainConfig | None) -> list[str]:
    """One sentence for each setting that the others leave without effect, and for sharpness without UR; none of invalid ones."""
    sentences = []
    if config is None:
        return sentences
    if config.batch_norm != config.normalisation:
        sentences.append("BN before the consequents has no effect: constant consequents have no input that it could normalise.")
    if config.layer_norm != "none" and not config.layer_normalised:
        why = "there is one rule" if config.has_slopes else "constant scores are weighted by the firing levels themselves"
        sentences.append(f"Layer normalisation has no effect: {why}.")
    if config.n_trainings != config.n_parts:
        sentences.append(f"Separate trainings have no effect: there is a single one, since {_why_one(config)}.")
    if config.shrinkage and not config.has_slopes:
        sentences.append("Shrinkage κ has no effect: constant consequents have no slopes.")
    if config.selection_epoch and not config.max_conditions:
        sentences.append(
            "“Conditions chosen after” has no effect: rules keep all conditions. Set the conditions of a rule k above 0."
        )
    elif config.selection_epoch > config.max_epochs:
        sentences.append(f"Training ends before epoch {config.selection_epoch}, so conditions are chosen after the last epoch.")
    if config.sharpness and not config.ur_weight:  # measured: docs/claims.md, "One rule decides"
        sentences.append("Sharpness without UR: few rules may win all rows. UR keeps the others in use.")
    return sentences


def _why_one(config: TrainConfig) -> str:
    """Why settings have one training although they ask for several."""
    if config.rule_base is not None:
        return "a training from a rule base starts with all of its rules"
    if config.layer_normalised:
        return "layer normalisation needs all rules in one training"
    return "k-means within each class would give each nearly the same initial rules"
