"""The readings of a readable rule base with their test figures, those of a tree and a rule list of its size, and the list."""

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.evaluate import Peer
from tsk_core.explain import Inference, RuleBaseSummary
from tsk_core.numbers import counted, percent
from tsk_core.tasks import SameSize
from ui.platform import session
from ui.platform.errors import show_errors
from ui.runs.run_view import RunView
from ui.runs.same_size import peers, peers_status, start_peers
from ui.runs.side_tasks import at_hand, follow, start_row
from ui.text import in_markdown

_KEY = "same_size"
UNASKED = 100  # conditions up to which a tree of the same size is trained without a press
_READINGS = {
    "model": "The model: the scores of all rules",
    "strongest": "The strongest rule decides",
    "sentences": "The sentences alone: the first true one decides",
}
_PEERS = {
    "CART": "CART, a decision tree",
    "rule list": "A rule list: leaves of small trees, one by one",
    "EBM": "EBM without pairs: one curve per feature",
}
_HELP = (
    "A decision tree (CART) and a rule list are trained on this run's training rows with at most as many conditions as its rules"
    " have. Cross-validation on these rows chooses their settings. Each rule of a tree is the path to one leaf."
)
_EBM_HELP = (
    "The Explainable Boosting Machine of the library interpret, without pairs of features: it has one curve for each feature and"
    " no rules. It takes longer than the others."
)


def readings_section(run: RunView, summary: RuleBaseSummary) -> None:
    """Draw the section. summary: of a readable rule base."""
    alive = [rule for rule in summary.rules if not rule.dead]
    conditions = sum(len(rule.antecedents) for rule in alive)
    known = [peer for ebm in (False, True) for peer in peers(peers_status(run, ebm=ebm))]
    lines = [*_ours(summary.readings, len(alive), conditions), *map(_line, known)]
    if line := _in_one_line(summary, conditions, known):
        st.markdown(in_markdown(line))
    title = f"Three ways to predict with the final model, measured on the {summary.evaluated_on}"
    st.table(pd.DataFrame(lines).map(in_markdown), border="horizontal", hide_index=True, alt=title)
    st.caption(f"{title}. Agrees: the share of rows for which this way gives the model's class. “Otherwise” counts as a rule.")
    if conditions and len(run.result.split.test):
        _same_size(run, conditions)
    with st.expander("The rule list as text"):
        st.code(summary.rule_list.text, language=None, wrap_lines=True)


def _ours(readings: tuple[Inference, ...], rules: int, conditions: int) -> Iterator[dict[str, str]]:
    for reading in readings:
        lines = rules + (reading.name == "sentences")  # "otherwise" is one more
        own = Peer(_READINGS[reading.name], conditions, lines, reading.accuracy, reading.bca)
        yield _line(own, percent(reading.fidelity))


def _line(peer: Peer, agrees: str = "–") -> dict[str, str]:
    scores, numbers = {"RCA": peer.rca, "BCA": peer.bca}, {"Conditions": peer.conditions, "Rules": peer.rules}
    return {
        "Prediction by": _PEERS.get(peer.name, peer.name),
        **{title: "–" if score is None else f"{score:.3f}" for title, score in scores.items()},
        "Agrees": agrees,
        **{title: "–" if number is None else str(number) for title, number in numbers.items()},
    }


def _in_one_line(summary: RuleBaseSummary, conditions: int, known: list[Peer]) -> str:
    """Such as "At 36 conditions: ours 0.79, CART 0.76 (balanced accuracy on the test rows)."; "" without peers."""
    ours = next(reading.bca for reading in summary.readings if reading.name == "model")
    scores = [("ours", ours), *((peer.name, peer.bca) for peer in known)]
    said = ", ".join(f"{name} {bca:.2f}" for name, bca in scores if bca is not None)
    return f"At {counted(conditions, 'condition')}: {said} (balanced accuracy on the {summary.evaluated_on})." if known else ""


def _same_size(run: RunView, conditions: int) -> None:
    """Measure a tree and a rule list once, in the background; very large ones, and the EBM where it is installed, at a press."""
    status = peers_status(run)
    if status is None and conditions <= UNASKED and at_hand(run):
        try:
            start_peers(run, conditions)
        except TSKError as error:
            session.NOTE(_KEY).set(str(error))
        status = peers_status(run)
    with show_errors():
        if status is None or (status.ended and status.state != "finished"):
            start_row(run, _KEY, "Compare with a tree of the same size", _HELP, lambda run: start_peers(run, conditions), status)
        elif not status.ended:
            follow(status.run, lambda now: st.caption("A decision tree and a rule list of the same size are being trained…"))
        elif not SameSize.missing():
            _ebm(run, conditions)


def _ebm(run: RunView, conditions: int) -> None:
    def begin(run: RunView) -> None:
        start_peers(run, conditions, ebm=True)

    status = peers_status(run, ebm=True)
    if status is not None and not status.ended:
        follow(status.run, lambda now: st.caption("The EBM is being trained…"))
    elif status is None or status.state != "finished":
        start_row(run, f"{_KEY}_ebm", "Compare with the EBM", _EBM_HELP, begin, status)
