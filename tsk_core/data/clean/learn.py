"""Learning a recipe: every column looked at once, and what there is to say about it."""

from typing import Any

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import ReadDates
from tsk_core.data.clean.gaps import LARGEST
from tsk_core.data.clean.names import fresh_name
from tsk_core.data.clean.recipe import MISSING, Recipe, Step
from tsk_core.data.clean.roles import DECIDES, WISHED, ColumnReport, Judged, judge
from tsk_core.data.clean.said import Said
from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed
from tsk_core.data.splitting import Partition, partition_by_group, partition_by_time, partition_by_words
from tsk_core.errors import DataError

__all__ = ["Learner"]

_TO_CATEGORY = "Set a column's role to 'category' to use it all the same."


class Learner:
    """Goes through a table's columns in order; ``add`` each but the target, then take what was learned.

    recipe, partition (None: rows are split at random), findings: over all columns added.
    """

    def __init__(self, frame: pd.DataFrame, choices: Choices) -> None:
        self._choices, self._said = choices, Said()
        # A feature may be renamed ("date (year)") and flags are added: neither may take another column's name.
        self._taken = set(frame.columns)
        self._decided = any(role in ("group", "time", "split") for role in choices.roles.values())
        self._steps: list[Step] = []
        self.partition: Partition | None = None

    @property
    def recipe(self) -> Recipe:
        """The steps of the columns that are used."""
        return Recipe(tuple(self._steps))

    @property
    def findings(self) -> list[Finding]:
        """What there is to say about the columns added."""
        return self._said.findings()

    def add(self, column: pd.Series) -> tuple[dict[str, Any], ColumnReport]:
        """Learn one column; returns its features by name, none where it is left out, and its report.

        Raises DataError for cells that are no plain values.
        """
        cells = Cells.of(column)
        wish = self._choices.roles.get(cells.name)
        judged, guessed = judge(cells, wish)
        if judged.role == "split" and wish is None and self._decided:
            judged, guessed = Judged("category"), "category"
        if judged.role in ("group", "time", "split"):
            judged = self._partitioned(cells, judged)
        step = self._named(judged.step(cells))
        features = step.features(cells, judged.values(cells)) if judged.role in ("number", "category") or step.flag else {}
        if step.flag and not (features[step.flag] == MISSING).any():
            self._said.add(cells.name, "{}: no gaps.", "No column says where they are.", kind="warning")
            del features[step.flag]
            step = step.renamed(step.feature, "")
        if features:
            self._steps.append(step)
        gaps = int(pd.isna(features[step.feature]).sum()) if step.feature in features else len(cells.missing) - cells.filled
        self._say(cells, judged, step, wish)
        report = ColumnReport(cells.name, judged.role, guessed, judged.reason, cells.distinct, gaps, cells.example[:80])
        return features, report

    def _partitioned(self, cells: Cells, judged: Judged) -> Judged:
        """Let the column decide the split; where it cannot, it is left out."""
        try:
            if judged.role == "group":
                partition = partition_by_group(cells.name, cells.as_text().codes)
            elif judged.role == "time":
                partition = partition_by_time(cells.name, judged.order(cells))
            else:
                text = cells.as_text()
                partition = partition_by_words(cells.name, text.codes, text.words, text.counts)
        except DataError as error:
            return Judged("ignored", str(error))
        self.partition, self._decided = partition, True
        return judged

    def _named(self, step: Step) -> Step:
        """The step with names that no other column has, and with a flag where one was asked for."""
        feature, flag = step.feature, ""
        if feature not in ("", step.column):
            feature = fresh_name(feature, self._taken)
            self._taken.add(feature)
        if step.column in self._choices.flags:
            flag = fresh_name(f"{step.column} is missing", self._taken)
            self._taken.add(flag)
        return step.renamed(feature, flag)

    def _say(self, cells: Cells, judged: Judged, step: Step, wish: str | None) -> None:
        name, add = cells.name, self._said.add
        if cells.wild:
            add(name, f"{{}}: {_cells(cells.wild)} infinite or beyond {LARGEST:.0e}.", "Made a gap.")
        if step.flag:
            add(name, "{} has gaps.", "Another column says where, called '… is missing'.")
        if judged.role == "ignored":
            self._say_left_out(name, judged.reason, wish)
        elif judged.dates and judged.role == "number":
            self._say_dates(name, judged.dates)
        elif judged.numbers:
            done = f": {'; '.join(judged.numbers.said)}" if judged.numbers.said else ""
            add(name, "{}: numbers written as text.", f"Read as numbers{done}.", _keep_texts(wish))
        elif judged.role == "category":
            self._say_categories(cells, step)
        if self.partition and self.partition.column == name:
            add(name, f"{{}} {DECIDES}.", self.partition.said, kind="read")

    def _say_left_out(self, name: str, reason: str, wish: str | None) -> None:
        if wish in (None, "ignored") or reason == WISHED:
            could = (
                _TO_CATEGORY
                if "category" not in (wish,) and reason.startswith(("a different", "a number for", "too many"))
                else ""
            )
            self._said.add(name, f"{{}}: {reason}.", "Left out.", could, "left out")
        else:
            self._said.add(name, f"{{}} cannot have the role '{wish}': {reason.rstrip('.')}.", "Left out.", kind="warning")

    def _say_dates(self, name: str, dates: ReadDates) -> None:
        clock = dates.format.scale == "clock"
        could = "Write the dates as 2024-03-05 if that is wrong." if dates.assumed else ""
        assumed = f" {dates.assumed}." if dates.assumed else ""
        what = "times of day" if clock else "dates"
        self._said.add(name, f"{{}}: {what}.{assumed}", f"Used as a number, in {dates.format.unit}.", could)
        if not clock and not self._decided and _rising(dates.moments):
            could = "Give it the role 'time' to test on the latest rows."
            self._said.add(name, "{}: each row is later than the one before.", "", could, "offer", "roles")

    def _say_categories(self, cells: Cells, step: Step) -> None:
        if cells.kind != "text":
            cells = cells.as_text()
        if step.truth:
            self._said.add(cells.name, "{}: true or false.", "Read as the categories True and False.")
        if cells.stripped:
            self._said.add(cells.name, "{}: spaces around words.", "Left away.")
        if step.kept is not None:
            kept = limits.value("categories") - 1
            self._said.add(
                cells.name, f"{{}} has {len(cells.words):,} categories.",
                f"The {kept} most frequent are kept, the others are counted as 'other'.",
            )  # fmt: skip
        elif not step.truth and (alike := case_variants(cells.words)):
            could = "Write them alike in the file if they mean the same."
            self._said.add(cells.name, f"{{}}: {listed(alike)} differ only in capital letters.", "", could, "warning")


def case_variants(words: pd.Series) -> list[str]:
    """Words that are some other word but for capital letters."""
    lower = words.str.casefold()
    return sorted(words[lower.duplicated(keep=False)])


def _rising(moments: np.ndarray) -> bool:
    return len(moments) > 2 and bool((np.diff(moments) > np.timedelta64(0)).all())


def _keep_texts(wish: str | None) -> str:
    return "" if wish else "Set its role to 'category' to keep the texts."


def _cells(count: int) -> str:
    return f"{count:,} cell{'s are' if count > 1 else ' is'}"
