"""Whether a run's test scores jitter from epoch to epoch, so that those of its last epoch are partly luck."""

from collections.abc import Sequence

from tsk_core.epoch import Epoch
from tsk_core.evaluate import LastEpochs, last_epochs


def last_scores(history: Sequence[Epoch], score: str) -> LastEpochs | None:
    """The last epochs of a training by this field of them, such as "rca_test"; None without test rows."""
    return last_epochs([getattr(e, score) for e in history if e.stage == "training" and getattr(e, score) is not None])


def jitters(history: Sequence[Epoch]) -> bool:
    """Whether one of the two test scores does."""
    both = (last_scores(history, score) for score in ("rca_test", "bca_test"))
    return any(last is not None and last.jitters for last in both)


def jitter_text(last: LastEpochs) -> str:
    """What the chart says below a test RCA that jitters."""
    return (
        f"Test RCA jitters from epoch to epoch: in the last {last.epochs} it was {last.low:.3f} to {last.high:.3f},"
        f" {last.mean:.3f} on average. Bold: the mean of {last.epochs} epochs around each."
    )
