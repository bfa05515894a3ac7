"""The comparison run: the previous run, a pinned one, or none; and what changed between it and the run shown."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.runs import PairedRuns, Record, same_table
from ui import presets
from ui.page.presenter import presenting
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import owner
from ui.runs import current_run
from ui.runs.differences import (
    changed_settings,
    differences,
    jitters,
    other_split_sentence,
    paired_scores,
    same_test_rows,
    side_of,
)
from ui.runs.kept import COMPARED_RUN
from ui.runs.run_view import RunView, differing, name_of, settings_of
from ui.text import in_markdown, shortened

COMPARED_WITH = Key[str]("compared_with", "before")  # what runs are compared with: the previous one, nothing, or an id
COMPARED_WITH_BOX = Key[str]("compare:with")
COMPARE_NOTE = Key[str]("compare_note")
PINNED = Key[list["Record"]]("pinned", make=list)


_MEANINGS = """
**RCA, BCA**: share of rows classified correctly; mean of that share over the classes.

**ECE**: expected calibration error, by how much confidence and accuracy differ on the test rows; 0 is best.

**Mean entropy / log R**: how evenly the rules fire for a row, averaged over the training rows. At 0 one rule alone fires, at 1
all rules fire equally. Neither is good or bad in itself: near 0 one rule explains a row, near 1 all of them do.

**Largest average firing level**: of the busiest rule; an equal share is 1/R.
"""
MOST_CHANGES = 6  # that the sentence names
PREVIOUS, NOTHING = "before", "nothing"
_OPTIONS = {PREVIOUS: "the previous run", NOTHING: "nothing"}


def fetch_pinned() -> None:
    """Fetch which runs this browser pinned; once per run of the script."""
    PINNED.set(get_engine().store.ledger.records(owner(), pinned=True, task="training"))


def comparison_run(run: RunView) -> RunView | None:
    """The run that is drawn dashed behind this one, as chosen in this session; None if there is none."""
    choice = _choice(run)
    if choice == NOTHING:
        return None
    if choice == PREVIOUS:
        return _before(run)
    loaded = COMPARED_RUN.get()
    if loaded is None or loaded.id != choice:
        try:
            loaded = RunView.load(choice)
        except TSKError as error:  # deleted meanwhile
            PINNED.set([record for record in _pinned() if record.id != choice])
            COMPARE_NOTE.set(str(error))
            return _before(run)
        COMPARED_RUN.set(loaded)
    return loaded


def _before(run: RunView) -> RunView | None:
    """The previous run; for that of a preset the run of its partner, and none of another preset, which shows another effect."""
    before, preset = current_run.previous(), _paired_preset(run)
    if preset is None or (partner := presets.partner_of(preset)) is not None:
        return before if preset is None else partner
    other = before is None or preset.beside or _paired_preset(before) is not None
    return None if other else before


def _paired_preset(run: RunView) -> presets.Preset | None:
    """The preset of a run, where it has a partner."""
    return presets.of_run(run) if _counterpart(run) is not None else None


def _counterpart(run: RunView) -> presets.Preset | None:
    """The partner of the preset of a run, where both are there."""
    preset = presets.of_run(run) if run.settled else None
    return None if preset is None else presets.counterpart(preset)


def compare_row(run: RunView, comparison: RunView | None, preset: presets.Preset | None, more: Callable[[], None]) -> None:
    """One line: what to look at in a preset, else what the run is compared with; a box about the comparison; a pin for the run.

    preset: the one that the page is at. more: draws what else the line has.
    """
    sentence = comparison_sentence(run, comparison)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="compare_row"):
        if preset is not None and not presenting():
            presets.preset_text(preset)
        else:
            st.caption(in_markdown(sentence))
        box = st.popover("Comparison", key="comparison_box", on_change="rerun")
        with box:
            if preset is not None:
                st.caption(in_markdown(sentence))
            _choice_box(run)
            if comparison is not None and run.settled and box.open:
                st.markdown("**What changed**")
                _table(comparison, run)
        _pin_button(run)
        more()
    if note := COMPARE_NOTE.get():
        st.warning(in_markdown(note))


def switch_comparison() -> None:
    """Compare with the previous run, or no longer with any."""
    before = COMPARED_WITH.get()
    COMPARED_WITH.set(PREVIOUS if before == NOTHING else NOTHING)


def comparison_sentence(run: RunView, comparison: RunView | None) -> str:
    """What the run shown is compared with, and which settings differ."""
    choice = _choice(run)
    if choice == NOTHING:
        return "No comparison."
    if not run.settled:
        return "The settings of this run are still being tuned."
    if choice == PREVIOUS and comparison is None and current_run.previous() and (other := _counterpart(run)) is not None:
        return f"Not compared: the other run of this preset, {other.label}, was not trained yet."
    other_split = other_split_sentence(run, current_run.run_before()) if choice == PREVIOUS else ""
    if comparison is None:
        return other_split or ("" if presenting() else "No previous run on this dataset since this page was opened.")
    pinned = {record.id: name_of(record) for record in _pinned()}
    name = _OPTIONS[PREVIOUS] if comparison is current_run.previous() else "the other run of this preset"
    name = name if choice == PREVIOUS else shortened(pinned[choice], 40)
    changed = [str(change) for change in changed_settings(side_of(comparison), side_of(run))]
    if len(changed) > MOST_CHANGES + 1:  # What changed has them all
        changed = [*changed[:MOST_CHANGES], f"{len(changed) - MOST_CHANGES} more"]
    changes = ", ".join(changed)
    rows = "" if same_test_rows(comparison, run) else f" {other_split or 'Other test rows: the scores cannot be compared.'}"
    return f"Compared with {name} (dashed or outlined): {changes or 'same settings'}.{_cut_short(comparison)}{rows}"


def _cut_short(comparison: RunView) -> str:
    """Says that the comparison did not train as long as its settings allow, where somebody or something ended it; else ""."""
    state, last = comparison.status.state, comparison.last
    if state not in ("stopped", "interrupted", "failed") or last is None:
        return ""
    return f" It {'failed' if state == 'failed' else f'was {state}'} after epoch {last.epoch} of {comparison.config.max_epochs}."


def _choice_box(run: RunView) -> None:
    options = {**_OPTIONS, **_pinned_names(run)}
    # The choice is not kept in the widget, whose options change with the data and with the pins.
    COMPARED_WITH_BOX.set(_choice(run))
    st.selectbox(
        "Compare with", options, format_func=options.__getitem__, key=COMPARED_WITH_BOX.name, on_change=_store_choice,
    )  # fmt: skip


def _store_choice() -> None:
    COMPARED_WITH.set(COMPARED_WITH_BOX.get())
    COMPARE_NOTE.pop()


def _choice(run: RunView) -> str:
    """The last choice, if it is possible for this dataset; else the previous run."""
    choice = COMPARED_WITH.get()
    return choice if choice in _OPTIONS or choice in _pinned_names(run) else PREVIOUS


def _pinned_names(run: RunView) -> dict[str, str]:
    """Id -> name of the pinned runs that can be compared with this one."""
    fitting = [record for record in _pinned() if _is_comparable(record, run)]
    differ = differing([run.config.to_dict(), *(record.settings for record in fitting)])
    return {record.id: f"{record.name or record.id[:4]}: {settings_of(record, differ)}" for record in fitting}


def _is_comparable(record: Record, run: RunView) -> bool:
    return record.has_scores and record.id != run.id and same_table(record, run.data)


def _pinned() -> list[Record]:
    return PINNED.get()


def _pin_button(run: RunView) -> None:
    pinned = any(record.id == run.id for record in _pinned())
    words = "Only the person who started this run can pin it."
    if run.owned:
        words = "The server never deletes a pinned run to free disk space, and later runs on this dataset are compared with it."
    st.button(
        "Unpin" if pinned else "Pin", key="pin", disabled=not run.owned, help=words, on_click=_pin, args=(run.id, not pinned)
    )


def _pin(run: str, pinned: bool) -> None:
    COMPARE_NOTE.pop()
    try:
        get_engine().store.housekeeping.pin(run, pinned, owner())
        fetch_pinned()
        if pinned:
            COMPARED_WITH.set(run)
            st.toast("Pinned. Later runs on this dataset are compared with this one.")
        elif COMPARED_WITH.get() == run:
            COMPARED_WITH.pop()
    except TSKError as error:
        COMPARE_NOTE.set(str(error))


def _table(comparison: RunView, run: RunView) -> None:
    paired = paired_scores(comparison, run)
    lines = differences(side_of(comparison), side_of(run), paired)
    rows = [
        {"": line.what, "before": line.before, "now": line.now, "difference": ", ".join(filter(None, line[3:]))} for line in lines
    ]
    st.table(pd.DataFrame(rows).map(in_markdown), border="horizontal", hide_index=True, alt="What changed between the two runs")
    st.caption(in_markdown(_how_compared(comparison, run, paired)))
    if jitters(comparison.history) or jitters(run.history):
        st.caption("Test scores fluctuate from epoch to epoch: compare the means over the last epochs, not the last epoch alone.")
    st.caption("What the numbers mean", help=_MEANINGS)


def _how_compared(comparison: RunView, run: RunView, paired: PairedRuns | None) -> str:
    if not same_test_rows(comparison, run):
        return "The runs are tested on different rows (another seed, test share or split), so their test scores are not compared."
    if not run.status.ended:
        return "The run is still training: these are the numbers of its newest epoch. The end shows whether they differ clearly."
    if paired is None:
        return "One of the runs did not keep its predictions, so the test scores are not compared."
    alone = paired.units == paired.rows
    few = f" Fewer than 6 such {'rows' if alone else 'groups'} cannot show a difference." if paired.is_few else ""
    groups = "" if alone else f", in {paired.differing_units:,} of {paired.units:,} groups that belong together"
    drawn = "rows" if alone else "groups"
    return (
        f"Test scores: both runs on the same {paired.rows:,} test rows, {paired.differing:,} of which only one of them classifies"
        f" correctly{groups}.{few} Better or worse: the 95% interval (paired bootstrap over these {drawn}) is on one side of 0."
    )
