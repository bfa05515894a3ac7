"""A reader with a spreadsheet: the rows of a table of which a printed sentence is true, from its words and numbers alone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

ENDS = r"(?:between (?P<low>.+) and (?P<high>.+)|≥ (?P<least>.+)|≤ (?P<most>.+)|(?P<about>[^<>]+))"
Orders = Mapping[str, Sequence[str]]  # of ordered categories that are no numbers, lowest first


def true_rows(rule: Any, frame: pd.DataFrame, orders: Orders | None = None) -> np.ndarray:
    """Whether the sentence of a ``Rule`` is true of each row, bool (N,), as its conditions are printed; missing values count as
    the notes say. frame: the table, dates as datetime64 or as text.
    """
    conditions = [one.text for one in rule.antecedents]
    assert rule.text == f"IF {' AND '.join(conditions) or 'anything'} THEN {rule.then}"
    parts = [(one.feature, text, one.note) for one, text in zip(rule.antecedents, conditions, strict=True)]
    return _all_of(parts, frame, orders or {})


def rows_of(
    sentence: str, said: str, raw: pd.DataFrame, orders: Orders, kept: Mapping[str, Sequence[str]] | None = None
) -> pd.Series:
    """The same of a sentence that is text alone, such as one of a report. said: what stands below it, with its notes.

    raw: cells as text, empty where a value is missing. kept: of columns that have a category "other", those that are not in it.
    """
    frame, found = pd.DataFrame({name: _typed(raw[name]) for name in raw}), []
    for name, categories in (kept or {}).items():
        frame[name] = raw[name].where(raw[name].isin(["", *categories]), "other").mask(raw[name] == "")
    for feature, text in _conditions(sentence, list(raw.columns)):
        note = next((line for line in said.split("\n") if line.startswith(f"{feature} is missing in ")), "")
        found.append((feature, text, note))
    return pd.Series(_all_of(found, frame, orders), raw.index)


def features_of(sentence: str, columns: list[str]) -> set[str]:
    """The columns that the conditions of a sentence are about."""
    return {feature for feature, _ in _conditions(sentence, columns)}


def _conditions(sentence: str, columns: list[str]) -> list[tuple[str, str]]:
    """(feature, text) of each."""
    text, names = sentence.removeprefix("IF ").rpartition(" THEN ")[0], sorted(columns, key=len, reverse=True)
    begins = "|".join(map(re.escape, names))
    parts = [] if text == "anything" else re.split(rf" AND (?=(?:{begins}) (?:is |[≥≤]))", text)
    return [(next(name for name in names if part.startswith(f"{name} ")), part) for part in parts]


def _typed(cells: pd.Series) -> pd.Series:
    """Numbers where all filled cells are some."""
    filled = cells.mask(cells == "")
    numbers = pd.to_numeric(filled, errors="coerce")
    return numbers if numbers.isna().equals(filled.isna()) else filled


def _all_of(conditions: list[tuple[str, str, str]], frame: pd.DataFrame, orders: Orders) -> np.ndarray:
    """conditions: (feature, text, note)."""
    holds = [_holds(feature, text, note, frame, orders.get(feature, ())) for feature, text, note in conditions]
    return np.logical_and.reduce(holds) if holds else np.ones(len(frame), bool)


def _holds(feature: str, text: str, note: str, frame: pd.DataFrame, order: Sequence[str]) -> np.ndarray:
    """One condition."""
    said = text.removeprefix(feature).removeprefix(" is").removeprefix(" ")
    column = frame[_column(feature, frame)]
    if said in ("missing", "not missing") and said not in set(column.dropna().astype(str)):
        return (column.isna() == (said == "missing")).to_numpy()
    if filled := re.search(r"; a missing one counts as (.*)\.$", note):
        column = column.fillna(float(filled[1]) if pd.api.types.is_numeric_dtype(column) else filled[1])
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return _between(column, said, float, float).to_numpy(bool)
    if pd.api.types.is_datetime64_any_dtype(column):
        return _between(column, said, lambda one: _period(one).start_time, lambda one: _period(one).end_time).to_numpy(bool)
    return _category(column.fillna("missing").map(str), said, order).to_numpy(bool)


def _column(feature: str, frame: pd.DataFrame) -> str:
    """The table's column of a feature; one of dates has its unit behind its name."""
    return feature if feature in frame else re.sub(r" \([^()]*\)$", "", feature)


def _between(column: pd.Series, said: str, as_low: Any, as_high: Any) -> pd.Series:
    """Whether each value is in "between 1 and 2", "≥ 1", "≤ 2", behind a word and in parentheses or alone."""
    said = said.partition(", beyond the data")[0]
    within = re.fullmatch(r"[a-z ]+ \((.*?)\)?", said)
    ends = re.fullmatch(ENDS, within[1] if within else said).groupdict()
    low, high = ends["low"] or ends["least"] or ends["about"], ends["high"] or ends["most"] or ends["about"]
    true = pd.Series(True, column.index)
    if low:
        true &= column >= as_low(low)
    if high:
        true &= column <= as_high(high)
    return true


def _period(text: str) -> pd.Period:
    """Read "2023", "March 2023", "3 March 2023" or "3 March 2023 14:30"."""
    unit = "Y" if text.isdigit() else "min" if ":" in text else "D" if text[0].isdigit() else "M"
    return pd.Period(pd.Timestamp(text if unit != "Y" else f"{text}-01-01"), unit)


def _category(column: pd.Series, said: str, order: Sequence[str]) -> pd.Series:
    """Whether each category is in "red or blue", "not red", and of ordered ones "≥ 2", "1 to 3"."""
    names = sorted(set(column), key=len, reverse=True)
    if said.startswith(("≥ ", "≤ ")):
        levels = _levels(column, order)
        return levels >= _level(said[2:], order) if said[0] == "≥" else levels <= _level(said[2:], order)
    if said.startswith("not ") and said not in names:
        return ~_category(column, said[4:], order)
    true = pd.Series(False, column.index)
    for part in _parts(said, names):
        run = re.fullmatch(r"(\S+) to (\S+)", part)
        if run and part not in names:
            levels = _levels(column, order)
            true |= (levels >= _level(run[1], order)) & (levels <= _level(run[2], order))
        true |= column == part
    return true


def _levels(column: pd.Series, order: Sequence[str]) -> pd.Series:
    """The place of each category in the order; without one the numbers that they are, and "more" is the last."""
    if order:
        return column.map({name: float(place) for place, name in enumerate(order)})
    return pd.to_numeric(column.replace("more", "inf"), errors="coerce")


def _level(text: str, order: Sequence[str]) -> float:
    return float(order.index(text)) if order else float("inf" if text == "more" else text)


def _parts(said: str, names: Sequence[str]) -> list[str]:
    """The parts between " or ", which may be in a name, too."""
    parts = []
    while said:
        known = next((name for name in names if said == name or said.startswith(f"{name} or ")), said.partition(" or ")[0])
        parts.append(known)
        said = said[len(known) :].removeprefix(" or ")
    return parts
