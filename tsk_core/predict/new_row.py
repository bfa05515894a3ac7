"""One new row: what may be entered in each of its columns, and why it gets its class."""

import datetime
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tsk_core.data.clean.pipeline import MISSING, Step
from tsk_core.data.encoding import Column
from tsk_core.data.naming import printed
from tsk_core.explain import Rule, RuleBaseSummary
from tsk_core.explain.reader import read_rules
from tsk_core.explain.truth import literally, memberships
from tsk_core.predict.prediction import as_features, predict_checked

if TYPE_CHECKING:
    from tsk_core.estimators.classifier import TSKClassifier

__all__ = [
    "Field",
    "RowPrediction",
    "RuleContribution",
    "by_importance",
    "condition_memberships",
    "conditions_hold",
    "fields_of",
    "predict_row",
    "row_of",
]

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
    steps = cleaning.steps if cleaning else [Step(name, encoded[0].kind, name) for name, encoded in columns.items()]
    fields = []
    for step in steps:
        if step.feature in columns:
            fields.append(_field(step, columns[step.feature], scale[step.feature]))
        else:
            typical = None if columns[step.flag][0].impute == MISSING else KNOWN
            fields.append(Field(step.column, (step.flag,), "presence", typical, (KNOWN,)))
    return fields


def _field(step: Step, columns: list[Column], scale: float) -> Field:
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
class RuleContribution:
    """What one rule contributes to a prediction. rule: its number, from 1. firing: f̄_r; those of all rules add up to 1.

    adds: to the score of the predicted class, less what it adds to the scores of all classes on average.
    """

    rule: int
    firing: float
    adds: float


@dataclass(frozen=True)
class RowPrediction:
    """The prediction of one row. probabilities: class -> p, largest first. effective: the effective number of rules, 1 to R.

    contributions: of the rules that fire most, largest first. leading: of the rule that contributes most to the predicted class.
    warning: unusual values of its cells, "" for nothing. unlike: whether that makes it unlike the training rows.
    """

    predicted: str
    probabilities: dict[str, float]
    effective: float
    contributions: tuple[RuleContribution, ...]
    leading: RuleContribution
    warning: str = ""
    unlike: bool = False


def predict_row(classifier: "TSKClassifier", row: pd.DataFrame, most: int = 3) -> RowPrediction:
    """The first row of a raw table, and why it gets its class.

    Class, probabilities, leading rule and warning are those of ``predict_table``.
    """
    row = row.iloc[:1]
    table, cells = predict_checked(classifier, row)
    new = table.iloc[0, row.shape[1] :]
    names = [printed(name) for name in classifier.classes_.tolist()]
    why = classifier.contributions(row)
    c = names.index(printed(new.iloc[0]))
    adds = why.contribution[0, :, c] - why.contribution[0].mean(1)
    rules = [RuleContribution(r + 1, float(why.firing[0, r]), float(adds[r])) for r in range(len(adds))]
    by_firing = tuple(rules[r] for r in np.argsort(-why.firing[0], kind="stable")[:most])
    probabilities = dict(sorted(zip(names, map(float, new.iloc[1:-2]), strict=True), key=lambda item: -item[1]))
    leading, odd = rules[int(new.iloc[-2]) - 1], (str(new.iloc[-1]), bool(cells.unlike[0]))
    return RowPrediction(names[c], probabilities, float(why.effective[0]), by_firing, leading, *odd)


def condition_memberships(classifier: "TSKClassifier", row: pd.DataFrame, rule: Rule) -> list[float]:
    """The membership of the first row of a raw table in each condition of a rule, in [0, 1]."""
    Z = classifier.encoder_.transform(as_features(classifier, row.iloc[:1]))
    levels: list[float] = memberships(read_rules(classifier.to_dict()), rule.index - 1, rule.antecedents, Z)[0].tolist()
    return levels


def conditions_hold(classifier: "TSKClassifier", row: pd.DataFrame, rule: Rule) -> list[bool]:
    """Whether each condition of a rule holds, as printed, for the first row of a raw table."""
    Z = classifier.encoder_.transform(as_features(classifier, row.iloc[:1]))
    holds: list[bool] = literally(read_rules(classifier.to_dict()), rule.index - 1, rule.antecedents, Z)[0].tolist()
    return holds
