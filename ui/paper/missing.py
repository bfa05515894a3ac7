"""Computing what a cell lacks: a task in the queue, its progress, Stop; what it found is then in the tables."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.data import load_dataset
from tsk_core.data.gallery import is_available_offline
from tsk_core.errors import TSKError
from tsk_core.jobs import Status
from tsk_core.numbers import counted
from tsk_core.runs import Record
from tsk_core.study import DATASETS, Result, availability
from tsk_core.tasks import MOST_SPLITS, STUDY_CELLS, StudyCells, cell_of
from ui.experiments.progress import duration
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs.side_tasks import follow, found, newest_of, progress_row, start_for
from ui.text import in_markdown

_KEY = "paper_missing"
FEW = 5  # splits of the smaller button
_HELP = (
    "Runs the same code as the command study, on this server. A finished split is kept for everybody on this server and"
    " is not computed again."
)


def missing_section(dataset: str, algorithm: str, results: Sequence[Result]) -> None:
    """Buttons that compute the cell's missing splits; while that goes on, its progress."""
    status = _status(dataset, algorithm)
    if status is not None and not status.ended:
        follow(status.run, lambda now: progress_row(now, _KEY, "Computing", _done, "Stop"))
        return
    if status is not None and status.message:
        st.caption(in_markdown(status.message))
    splits = missing_splits(results)
    if not splits:
        return
    lacking = availability(algorithm)
    with st.container(horizontal=True, vertical_alignment="center", key=_KEY):
        counts = [len(splits)] if len(splits) <= FEW else [FEW, len(splits)]
        for count in counts:
            label = f"Compute {counted(count, 'split')}" + (" more" if results else "")
            chosen = splits[:count]
            st.button(
                label,
                disabled=bool(lacking),
                on_click=_begin,
                args=(dataset, algorithm, chosen),
                help=_HELP,
                key=f"compute{count}",
            )
        note = session.NOTE(_KEY).pop()
        st.caption(in_markdown(note or lacking or _expectation(dataset, results, len(splits))))


def missing_splits(results: Sequence[Result]) -> tuple[int, ...]:
    """The splits of 30 that have no result, in their order."""
    known = {result.split for result in results}
    return tuple(split for split in range(MOST_SPLITS) if split not in known)


def _expectation(dataset: str, results: Sequence[Result], missing: int) -> str:
    text = f"{len(results)} of {MOST_SPLITS} splits have been computed."
    if results:
        seconds = missing * sum(result.seconds for result in results) / len(results)
        text += f" The other {missing} probably take{'s' * (missing == 1)} {duration(seconds)}."
    if not is_available_offline(dataset):
        text += f" {DATASETS[dataset]} is fetched from OpenML first."
    return text


def _begin(dataset: str, algorithm: str, splits: tuple[int, ...]) -> None:
    """Queue it; a refusal is a note below the button."""
    try:
        start_for(
            STUDY_CELLS, (dataset, algorithm), lambda: StudyCells(load_dataset(dataset), algorithm, splits), background=True
        )
    except TSKError as error:
        session.NOTE(_KEY).set(str(error))


def _status(dataset: str, algorithm: str) -> Status | None:
    """Of this browser's task for this cell: after a reload, of the one that goes on; None without one."""

    def fits(record: Record) -> bool:
        cell = {} if record.ended else cell_of(get_engine().store.open(record.id).path)
        return (cell.get("dataset"), cell.get("algorithm")) == (dataset, algorithm)

    return found(STUDY_CELLS, (dataset, algorithm), lambda: newest_of(STUDY_CELLS, fits))


def _done(status: Status) -> str:
    return f"{status.epoch} of {status.max_epochs} splits done"
