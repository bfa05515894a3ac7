"""What a missing value counts as: notes on conditions, without which nobody could recount the rows of a sentence."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tsk_core.explain.antecedents import Conditions
from tsk_core.explain.dates import writer
from tsk_core.explain.exported import ExportedColumn
from tsk_core.explain.rule import Rule
from tsk_core.numbers import percent

__all__ = ["with_notes", "with_test_notes"]

NOTED = 0.2  # largest share of a rule's firing on rows without the feature's value that is not told
_OF_TEST = " of the test rows; "


def with_notes(conditions: Conditions, lacking: dict[str, tuple[float, np.ndarray]], columns: list[ExportedColumn]) -> Conditions:
    """The conditions with a note where training rows lack the feature's value.

    lacking: feature → the share of the rows that lack it, and the share of each rule's firing on such rows, (R,). columns: of the
    rules; they know what replaces the value.
    """
    counts_as = _counts_as(columns)

    def note(r: int, feature: str) -> str:
        if feature not in lacking:
            return ""
        share, of_firing = lacking[feature]
        firing = f" ({percent(of_firing[r])} of the rule's firing)" if of_firing[r] > NOTED else ""
        return f"{feature} is missing in {percent(share)} of the training rows{firing}; {counts_as[feature]}."

    return [tuple(replace(a, note=note(r, a.feature)) for a in of_rule) for r, of_rule in enumerate(conditions)]


def with_test_notes(
    rules: tuple[Rule, ...], columns: list[ExportedColumn], lacking: Mapping[str, np.ndarray]
) -> tuple[Rule, ...]:
    """The rules with a note also on conditions whose feature test rows alone lack; notes on other test rows go.

    lacking: feature → bool, which of the test rows lack it. columns: as for ``with_notes``.
    """
    counts_as = _counts_as(columns)

    def note(feature: str, known: str) -> str:
        if known and _OF_TEST not in known:
            return known
        share = float(lacking[feature].mean()) if feature in lacking else 0.0
        return f"{feature} is missing in {percent(share)}{_OF_TEST}{counts_as[feature]}." if share else ""

    return tuple(
        replace(rule, antecedents=tuple(replace(a, note=note(a.feature, a.note)) for a in rule.antecedents)) for rule in rules
    )


def _counts_as(columns: list[ExportedColumn]) -> dict[str, str]:
    """Of each feature, such as "a missing one counts as 5"."""
    dates = {column["feature"]: writer(column["date"], None) for column in columns if column.get("date")}
    texts = {}
    for column in columns:
        feature, fill = column["feature"], column["impute"]
        value = fill
        if isinstance(fill, float):
            levels = column.get("levels")
            value = dates[feature](fill) if feature in dates else levels[int(fill)] if levels else f"{fill:.10g}"
        texts[feature] = f"a missing one counts as {value}"
    return texts
