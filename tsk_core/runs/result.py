"""Result: what a run left, as pages, scripts and the command line get it."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.runs.files import read_bytes, read_json, reading

if TYPE_CHECKING:
    from tsk_core.explain import RuleBaseSummary

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """What a run left: the fitted classifier, its numbers, and everything needed to repeat it.

    split: row numbers ``.train`` and ``.test`` of the dataset's frame.
    dataset: the dataset's identity (``jobs.identity``): name, sha256, target, rows, columns, classes, roles, notes, …
    versions: of what computed it. folder: where it is kept.
    """

    run: str
    state: str
    message: str
    classifier: Any
    metrics: dict[str, Any]
    config: TrainConfig
    history: list[Epoch] = field(repr=False)
    split: Any = field(repr=False)
    dataset: dict[str, Any] = field(default_factory=dict, repr=False)
    test_size: float = 0.3
    versions: dict[str, str] = field(default_factory=dict, repr=False)
    folder: Path | None = field(default=None, repr=False)

    def rules(self, max_antecedents: int = 5) -> "RuleBaseSummary":
        """The readable rules with 1 to 12 antecedents each, from what the run kept: no data and no training.

        SettingError for other lengths; RunError where the run kept none, or where the file is damaged.
        """
        from tsk_core.runs.rule_texts import book_of

        values = self._kept_rules  # checked apart, so that a wrong length is not taken for a damaged file
        with reading("book.json.gz"):
            return book_of(
                values,
                self.classifier.to_dict(),
                max_antecedents,
                classes=self.classifier.classes_,
                encode=self.classifier.encoder_.transform,
            )

    @cached_property
    def _kept_rules(self) -> dict[str, Any]:
        from tsk_core.runs.rule_texts import unpack

        path = self.folder / "book.json.gz" if self.folder else None
        if path is None or not path.exists():
            raise RunError("This run kept no rules as text; choose its dataset again, or train it again, to read them.")
        packed = read_bytes(path)
        with reading(path.name):
            return read_json(path, unpack(packed))
