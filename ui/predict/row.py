"""The prediction of one row that is typed in: its class, the probabilities, and the rules that fire most."""

import datetime
import hashlib
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core.errors import RunError
from tsk_core.explain import Rule
from tsk_core.explain.row import FiringRule
from tsk_core.numbers import percent, signed
from tsk_core.predict import (
    Field,
    RowPrediction,
    by_importance,
    fields_of,
    predict_row,
    row_note,
    row_of,
)
from ui.platform import session
from ui.platform.session import Keys
from ui.predict.file import DECISION_HELP, decision_text
from ui.runs.cost_threshold import decision_of
from ui.runs.run_view import RunView
from ui.runs.side_tasks import conditions, rule_base_summary, sentence
from ui.text import in_markdown, shortened

TYPED_ROW = Keys[int]("typed:{}", 0)  # columns of a model -> how often their boxes were reset
TYPED_CELL = Keys[Any]("typed:{}:{}:{}")  # columns of a model, resets, column


MOST_AT_ONCE = 30  # columns run before the rest is folded away
RULES = 3  # that are written out
MISSING = "(missing)"
EARLIEST, LATEST = datetime.datetime(1800, 1, 1), datetime.datetime(2200, 12, 31)


def one_row(run: RunView) -> None:
    """A box for each column of training, and beside them the prediction for these values."""
    fields = fields_of(run.trained.classifier)
    summary = _summary(run)
    entry, result = st.columns([3, 2], gap="large")
    with entry:
        values = _form(fields, summary)
    with result:
        row = row_of(fields, values)
        prediction = predict_row(run.trained.classifier, row, () if summary is None else summary.rules)
        if note := row_note(prediction.warning, unlike=prediction.unlike):
            (st.warning if prediction.unlike else st.info)(in_markdown(note))
        _class(prediction)
        if (decision := decision_of(run)) is not None:
            st.markdown(decision_text(decision, prediction.probabilities), help=DECISION_HELP)
        _why(prediction, summary)


def _summary(run: RunView) -> Any:
    """The rules in words; None for a run that kept none."""
    try:
        return rule_base_summary(run, conditions())
    except RunError:
        return None


# The boxes.


def _form(fields: list[Field], summary: Any) -> dict[str, Any]:
    """Draw the boxes; returns column -> value, None for a missing value."""
    columns = hashlib.sha256(repr([(f.column, f.kind, f.categories) for f in fields]).encode()).hexdigest()[:16]
    resets = TYPED_ROW(columns)
    keys = {field.column: TYPED_CELL(columns, resets.get(), at) for at, field in enumerate(fields)}
    first, rest = fields, []
    if len(fields) > MOST_AT_ONCE:
        ordered = by_importance(fields, summary) if summary else fields
        first, rest = ordered[:MOST_AT_ONCE], ordered[MOST_AT_ONCE:]
        st.caption(f"The {len(first)} columns that matter most in the conditions of the rules.")
    values = _boxes(first, keys)
    if rest:
        with st.expander(f"{len(rest)} more columns, set to typical values"):
            values |= _boxes(rest, keys)
    note, button = st.columns([2, 1])
    note.caption(
        "The boxes start with typical values of the training rows: medians and most frequent categories. An empty box is a"
        " missing value."
    )
    button.button(
        "Typical values", on_click=resets.set, args=(resets.get() + 1,), width="stretch", help="Sets all boxes to typical values."
    )
    return values


def _boxes(fields: list[Field], keys: dict[str, session.Key[Any]]) -> dict[str, Any]:
    values = {}
    for start in range(0, len(fields), 2):
        for place, field in zip(st.columns(2), fields[start : start + 2], strict=False):
            with place:
                values[field.column] = _box(field, keys[field.column])
    return values


def _box(field: Field, key: session.Key[Any]) -> Any:
    unit = f" ({field.unit})" if field.unit else ""
    label = in_markdown(f"{shortened(field.column, 40)}{unit}")
    whole = in_markdown(field.column) if len(field.column) > 40 else None
    # Only a box whose default is None can be emptied, so the typical value is set in the session state.
    if not key.is_set():
        key.set(field.typical)
    how: dict[str, Any] = {"key": key.name, "help": whole, "persist_state": "session"}
    if field.kind == "number":
        return st.number_input(label, value=None, step=field.step, format="%g", placeholder=MISSING, **how)
    if field.kind == "clock":
        return st.time_input(label, None, step=60, **how)
    if field.kind in ("date", "moment"):
        low, high = min(EARLIEST, _moment(field.typical)), max(LATEST, _moment(field.typical))
        if field.kind == "date":
            return st.date_input(label, None, low.date(), high.date(), format="YYYY-MM-DD", **how)
        return st.datetime_input(label, None, low, high, format="YYYY-MM-DD", step=60, **how)
    return st.selectbox(label, field.categories, None, placeholder=MISSING, **how)


def _moment(value: object) -> datetime.datetime:
    """The moment of a date; the earliest of anything else, as of a missing value."""
    if not isinstance(value, datetime.date):
        return EARLIEST
    return value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)


# The prediction.


def _class(prediction: RowPrediction) -> None:
    name, share = prediction.predicted, prediction.probabilities[prediction.predicted]
    st.markdown(f"Predicted by the final model: **{in_markdown(name)}**, with a probability of **{percent(share)}**.")
    table = pd.DataFrame(prediction.probabilities.items(), columns=["class", "probability"])
    table["probability"] *= 100
    st.dataframe(
        table, hide_index=True, width="stretch", height=min(38 + 35 * len(table), 248), column_config={
            "class": st.column_config.TextColumn(width=125),  # both fit beside the form on a laptop, and on a phone
            "probability": st.column_config.ProgressColumn(format="%.1f%%", min_value=0, max_value=100, width=185),
        },
    )  # fmt: skip


def _why(prediction: RowPrediction, summary: Any) -> None:
    """The rules that fire most, as text, and what each contributes."""
    rules = {} if summary is None else {rule.index: rule for rule in summary.rules}
    if rules and not any(rule.is_true and not rules[rule.index].dead for rule in prediction.rules):
        st.info("No rule has all its conditions met by this row; the model classifies it by the firing levels and scores of all.")
    first, *others = prediction.rules[:RULES]
    with st.container(border=True):
        st.markdown(f"**Rule {first.index} fires most:** {_sentence(first, rules)}")
        st.caption(_contribution(first, prediction, rules))
    st.caption(
        f"{_effective_rules(prediction.effective)} ✓ or ✗: whether a condition holds for this row as printed, with the row's"
        f" membership.{_leading(prediction)}{' The next rules are:' if others else ''}"
    )
    for other in others:
        st.markdown(f"**Rule {other.index}** {_sentence(other, rules)}")
        st.caption(_contribution(other, prediction, rules))


def _effective_rules(effective: float) -> str:
    if effective < 1.05:
        return "Practically only one rule fires."
    return f"Effective number of rules: {effective:.1f}, by how evenly they fire."


def _leading(prediction: RowPrediction) -> str:
    """The rule that contributes most, where another one fires most."""
    lead = prediction.leading
    if lead.index == prediction.rules[0].index:
        return ""
    name = in_markdown(shortened(prediction.predicted, 40))
    return (
        f" Rule {lead.index} contributes most to {name} ({signed(lead.adds, 2)}), with a firing level of {percent(lead.firing)}."
    )


def _sentence(firing: FiringRule, rules: dict[int, Rule]) -> str:
    rule = rules.get(firing.index)
    return "" if rule is None else sentence(rule, [(level, holds) for _, level, holds in firing.conditions])


def _contribution(contribution: FiringRule, prediction: RowPrediction, rules: dict[int, Rule]) -> str:
    name = shortened(prediction.predicted, 40)
    adds = signed(contribution.adds, 2) if abs(contribution.adds) >= 0.005 else "about 0"
    text = f"Firing level {percent(contribution.firing)}. Contribution to the score of {name} over the other classes: {adds}."
    rule = rules.get(contribution.index)
    if rule is not None and rule.then != prediction.predicted and contribution.adds >= 0.005:
        linear = f"Its THEN part is a linear function of the features, which for this row favours {name}."
        text += f" {linear if rule.effects else f'Its score of {name} is above its mean over the classes.'}"
    if rule is not None and rule.dead:
        text += " It never fired on the training rows."
    return in_markdown(text)
