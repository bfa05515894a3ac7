"""What tasks share that train one setting on one dataset: how large that may be, and how their run is entered."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.runs.store import RunStore

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset

__all__ = ["DatasetTask", "check_size", "encoded_columns"]


@dataclass(frozen=True)
class DatasetTask:
    """Work with ``config`` on ``dataset``. kind: of its runs, which are found again by it."""

    config: TrainConfig
    dataset: "Dataset"
    kind: ClassVar[str] = "training"

    @property
    def test_size(self) -> float:
        """Share of the rows that are held out."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise LimitError where a training is larger than this server allows."""
        check_size(self.config, self.dataset)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, Self]:
        """Enter the run; details: passed to ``RunStore.create``.

        The task returned has the run's seed, and travels without the table before cleaning.
        """
        run = store.create(self.config, self.dataset, self.test_size, owner, task=self.kind, **details)
        return run, replace(self, config=store.open(run).config(), dataset=self.dataset.cleaned)


def check_size(config: TrainConfig, dataset: "Dataset") -> None:
    """Raise LimitError where training ``config`` on ``dataset`` exceeds a limit of this server."""
    X = dataset.X
    limits.check_training(config.n_rules, config.batch_size, len(X), encoded_columns(X), len(dataset.classes), config.n_parts)


def encoded_columns(X: "pd.DataFrame") -> int:
    """How many columns ``X`` has for the model, once categories are one-hot encoded (an upper estimate)."""
    most = limits.value("categories")
    texts = [
        name
        for name in X.columns[: limits.value("columns")]
        if X[name].dtype.kind not in "iufb" and not getattr(X[name].dtype, "ordered", False)
    ]
    return X.shape[1] - len(texts) + sum(min(int(X[name].nunique()), most) for name in texts)
