"""One new row: what may be entered in each of its columns, and why it gets its class."""

import datetime
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tsk_core.data.clean.pipeline import MISSING, CleaningStep
from tsk_core.data.encoded_columns import Column
from tsk_core.data.naming import printed
from tsk_core.explain import Rule, RuleBaseSummary, contributions
from tsk_core.explain.row import FiringRule, firing_rules
from tsk_core.predict.prediction import as_features, predict_checked

if TYPE_CHECKING:
    from tsk_core.estimators.classifier import TSKClassifier

KNOWN = "known"  # a cell of which only matters whether it is there


@dataclass(frozen=True)
class Field:
    """One column of a new row.

    column: its name in the raw table. features: what it becomes. kind: "number", "category", "date" (a day), "moment" (a day and
    a time), "clock" (a time of day), or "presence" (only whether the cell is filled counts).
    typical: the value that replaces a missing one: the training median (moments to the minute), or the most frequent
    category. categories: those of training, ordered ones in their order. unit: of a number, or "". step: of a number, about a
    tenth of its standard deviation.
    """

    column: str
    features: tuple[str, ...]
    kind: str
    typical: object = None
    categories: tuple[str, ...] = ()
    unit: str = ""
    step: float = 1.0


def fields_of(classifier: "TSKClassifier") -> list[Field]:
    """The columns that training used, in the table's order."""
    encoder, cleaning = classifier.encoder_, classifier.cleaning_
    columns: dict[str, list[Column]] = {}
    for column in encoder.columns:
        columns.setdefault(column.feature, []).append(column)
    scale = {column.feature: float(s) for column, s in zip(encoder.columns, encoder.scale_, strict=True)}
    steps = cleaning.steps if cleaning else [CleaningStep(name, encoded[0].kind, name) for name, encoded in columns.items()]
    fields = []
    for step in steps:
        if step.feature in columns:
            fields.append(_field(step, columns[step.feature], scale[step.feature]))
        else:
            typical = None if columns[step.flag][0].impute == MISSING else KNOWN
            fields.append(Field(step.column, (step.flag,), "presence", typical, (KNOWN,)))
    return fields


def _field(step: CleaningStep, columns: list[Column], scale: float) -> Field:
    features = tuple(name for name in (step.feature, step.flag) if name)
    if levels := columns[0].levels:
        return Field(step.column, features, "category", levels[int(columns[0].impute)], levels)
    if columns[0].kind == "category":
        return Field(step.column, features, "category", columns[0].impute, tuple(str(column.category) for column in columns))
    typical = float(columns[0].impute)
    if step.date is None:
        step_size = 10.0 ** (math.floor(math.log10(scale)) - 1)
        unit = step.number.unit if step.number else ""
        return Field(step.column, features, "number", float(f"{typical:.12g}"), unit=unit, step=step_size)
    moment = step.date.moment(typical)
    if isinstance(moment, np.timedelta64):
        return Field(step.column, features, "clock", _time(moment))
    # A median between two days is noon: it does not mean that the column has times.
    hours = step.date.scale == "hours" or (step.date.scale == "days" and typical % 0.5 != 0)
    whole = None if np.isnat(moment) else moment.astype("datetime64[m]").item()
    return Field(step.column, features, "moment" if hours else "date", whole if hours or whole is None else whole.date())


def _time(span: np.timedelta64) -> datetime.time | None:
    if np.isnat(span):
        return None
    hours, minutes = divmod(int(span.astype("timedelta64[m]").astype(int)) % 1440, 60)
    return datetime.time(hours, minutes)


def by_importance(fields: Iterable[Field], summary: RuleBaseSummary) -> list[Field]:
    """The same fields, first those that the rules of a RuleBaseSummary use most, weighted by how much each rule fires."""
    weight: dict[str, float] = {}
    for rule in summary.rules:
        for antecedent in rule.antecedents:
            weight[antecedent.feature] = weight.get(antecedent.feature, 0.0) + rule.support * (1 - antecedent.flatness)
    return sorted(fields, key=lambda field: -sum(weight.get(feature, 0.0) for feature in field.features))


def row_of(fields: Iterable[Field], values: Mapping[str, Any]) -> pd.DataFrame:
    """A raw table of one row. values: column -> number, text, date, datetime or time; None, or no entry, is a missing value."""
    return pd.DataFrame({field.column: _cell(field, values.get(field.column)) for field in fields})


def _cell(field: Field, value: Any) -> pd.Series:
    if field.kind == "number":
        return pd.Series([np.nan if value is None else float(value)])
    if field.kind in ("date", "moment"):
        return pd.Series([np.datetime64("NaT") if value is None else value], dtype="datetime64[us]")
    if field.kind == "clock":
        span = None if value is None else datetime.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
        return pd.Series([span], dtype="timedelta64[us]")
    return pd.Series([value], dtype="str")


@dataclass(frozen=True)
class RowPrediction:
    """The prediction of one row. probabilities: class -> p, largest first. effective: the effective number of rules, 1 to R.

    rules: all of them, those that fire most first. leading: the one that contributes most to the predicted class.
    warning: unusual values of its cells, "" for nothing. unlike: whether that makes it unlike the training rows.
    """

    predicted: str
    probabilities: dict[str, float]
    effective: float
    rules: tuple[FiringRule, ...]
    leading: FiringRule
    warning: str = ""
    unlike: bool = False


def predict_row(classifier: "TSKClassifier", row: pd.DataFrame, sentences: tuple[Rule, ...] = ()) -> RowPrediction:
    """The first row of a raw table, and why it gets its class. sentences: the rules in words, as ``firing_rules`` takes them.

    Class, probabilities, leading rule and warning are those of ``predict_table``.
    """
    row = row.iloc[:1]
    table, cells = predict_checked(classifier, row)
    new = table.iloc[0, row.shape[1] :]
    names = [printed(name) for name in classifier.classes_.tolist()]
    c = names.index(printed(new.iloc[0]))
    exported, Z = classifier.to_dict(), classifier.encoder_.transform(as_features(classifier, row))
    why = contributions(exported, Z)
    rules = firing_rules(exported, Z[0], why.firing[0], why.contribution[0], c, sentences)
    leading = next(rule for rule in rules if rule.index == new.iloc[-2])
    probabilities = dict(sorted(zip(names, map(float, new.iloc[1:-2]), strict=True), key=lambda item: -item[1]))
    odd = str(new.iloc[-1]), bool(cells.unlike[0])
    return RowPrediction(names[c], probabilities, float(why.effective[0]), rules, leading, *odd)
