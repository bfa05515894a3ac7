"""One row typed in: its class, how sure the model is, and which rules made it so."""

import datetime
import hashlib
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core.errors import RunError
from tsk_core.explain.digits import percent
from tsk_core.predict.new_row import Decision, Field, Share, by_importance, decide, fields_of, row_of
from ui.runs.rules import rule_base_summary, sentence
from ui.runs.run_view import RunView
from ui.text import in_markdown, shortened

__all__ = ["one_row"]

MOST_AT_ONCE = 30  # columns shown before the rest is folded away
CONDITIONS = 4  # of a rule's sentence, at most
MISSING = "(missing)"
EARLIEST, LATEST = datetime.datetime(1800, 1, 1), datetime.datetime(2200, 12, 31)


def one_row(shown: RunView) -> None:
    """A box for each column of training, and beside them what the model makes of these values."""
    fields = fields_of(shown.result.classifier)
    summary = _summary(shown)
    entry, result = st.columns([3, 2], gap="large")
    with entry:
        values = _form(fields, summary)
    with result:
        decision = decide(shown.result.classifier, row_of(fields, values))
        _class(decision)
        _why(decision, summary)


def _summary(shown: RunView) -> Any:
    """The rules in words; None for a run that kept none."""
    try:
        return rule_base_summary(shown, CONDITIONS)
    except RunError:
        return None


# What is typed.


def _form(fields: list[Field], summary: Any) -> dict[str, Any]:
    """Draw the boxes; returns column -> value, None for a missing value."""
    key = f"typed:{hashlib.sha256(repr([(f.column, f.kind, f.categories) for f in fields]).encode()).hexdigest()[:16]}"
    version = st.session_state.get(key, 0)
    keys = {field.column: f"{key}:{version}:{at}" for at, field in enumerate(fields)}
    first, rest = fields, []
    if len(fields) > MOST_AT_ONCE:
        ordered = by_importance(fields, summary) if summary else fields
        first, rest = ordered[:MOST_AT_ONCE], ordered[MOST_AT_ONCE:]
        st.caption(f"First the {len(first)} columns that the rules speak of most.")
    values = _boxes(first, keys)
    if rest:
        with st.expander(f"{len(rest)} more columns, set to typical values"):
            values |= _boxes(rest, keys)
    said, button = st.columns([2, 1])
    said.caption(
        "The boxes start with typical values of the training rows: medians, most frequent categories. An empty box is missing."
    )
    button.button("Typical values", on_click=_again, args=(key, version + 1), width="stretch", help="Reset all boxes.")
    return values


def _again(key: str, version: int) -> None:
    """New boxes: their values are those they begin with."""
    st.session_state[key] = version


def _boxes(fields: list[Field], keys: dict[str, str]) -> dict[str, Any]:
    values = {}
    for start in range(0, len(fields), 2):
        for place, field in zip(st.columns(2), fields[start : start + 2], strict=False):
            with place:
                values[field.column] = _box(field, keys[field.column])
    return values


def _box(field: Field, key: str) -> Any:
    unit = f" ({field.unit})" if field.unit else ""
    label = in_markdown(f"{shortened(field.column, 40)}{unit}")
    whole = in_markdown(field.column) if len(field.column) > 40 else None
    # Only a box without a value of its own can be emptied again, so the usual one is set from outside.
    st.session_state.setdefault(key, field.usual)
    how = {"key": key, "help": whole, "persist_state": "session"}
    if field.kind == "number":
        return st.number_input(label, value=None, step=field.step, format="%g", placeholder=MISSING, **how)
    if field.kind == "clock":
        return st.time_input(label, None, step=60, **how)
    if field.kind in ("date", "moment"):
        low, high = min(EARLIEST, _moment(field.usual)), max(LATEST, _moment(field.usual))
        if field.kind == "date":
            return st.date_input(label, None, low.date(), high.date(), format="YYYY-MM-DD", **how)
        return st.datetime_input(label, None, low, high, format="YYYY-MM-DD", step=60, **how)
    return st.selectbox(label, field.categories, None, placeholder=MISSING, **how)


def _moment(usual: datetime.date | None) -> datetime.datetime:
    if usual is None:
        return EARLIEST
    return usual if isinstance(usual, datetime.datetime) else datetime.datetime(usual.year, usual.month, usual.day)


# What comes of it.


def _class(decision: Decision) -> None:
    name, share = decision.predicted, decision.probabilities[decision.predicted]
    st.markdown(f"Predicted: **{in_markdown(name)}**, with a probability of **{percent(share)}**.")
    table = pd.DataFrame(decision.probabilities.items(), columns=["class", "probability"])
    table["probability"] *= 100
    st.dataframe(
        table, hide_index=True, width="stretch", height=min(38 + 35 * len(table), 248), column_config={
            "class": st.column_config.TextColumn(width="medium"),
            "probability": st.column_config.ProgressColumn(format="%.1f%%", min_value=0, max_value=100),
        },
    )  # fmt: skip


def _why(decision: Decision, summary: Any) -> None:
    """The deciding rule in words, and those that share the decision with it."""
    rules = {} if summary is None else {rule.index: rule for rule in summary.rules}
    deciding, *others = decision.shares
    with st.container(border=True):
        st.markdown(f"**Rule {deciding.rule} decided:** {_sentence(rules.get(deciding.rule))}")
        st.caption(_adds(deciding, decision, rules))
    if others:
        st.caption(f"{_shared(decision.effective)} Next come:")
    for share in others:
        st.markdown(f"**Rule {share.rule}** {_sentence(rules.get(share.rule))}")
        st.caption(_adds(share, decision, rules))


def _shared(effective: float) -> str:
    if effective < 1.05:
        return "One rule fires practically alone."
    return f"About {effective:.1f} rules share this decision, by how evenly they fire."


def _sentence(rule: Any) -> str:
    return "" if rule is None else sentence(rule)


def _adds(share: Share, decision: Decision, rules: dict[int, Any]) -> str:
    name = shortened(decision.predicted, 40)
    adds = f"{share.adds:+.2f}" if abs(share.adds) >= 0.005 else "next to nothing"
    said = f"Has {percent(share.firing)} of the firing and adds {adds} to the score of {name}, against the other classes."
    rule = rules.get(share.rule)
    if rule is not None and str(rule.conclusion) != decision.predicted and share.adds >= 0.005:
        said += f" At its typical case it concludes {shortened(rule.conclusion, 40)}, but on this row it speaks for {name}."
    if rule is not None and rule.dead:
        said += " It never fired on the training rows."
    return in_markdown(said)
