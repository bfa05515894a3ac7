"""Tasks beside the run that the page shows: started, followed and found again; its rules, and what repeats it.

Each is a run of its own in the queue, which stops without viewers as a training does.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.errors import RunError, TSKError
from tsk_core.evaluate import Peer
from tsk_core.explain import Rule, RuleBaseSummary, RuleStability
from tsk_core.jobs import Status
from tsk_core.runs import Record, has_dataset, same_dataset, same_table
from tsk_core.tasks import SameSize, StabilityCheck, Task
from ui.platform.engine import get_engine
from ui.platform.session import Key, Keys
from ui.platform.visitor import address, owner
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.text import about_seconds, in_markdown

NOTE = Keys[str]("{}_note", "")  # why a press on a row did nothing; shown once
RULE_LENGTH = Key[int]("rule_length", 4)  # conditions of a rule, at most
SIDE_TASKS = Key[dict[tuple[str, Hashable], "str | None"]]("side_tasks", make=dict)  # kind and key of a task -> its run


if TYPE_CHECKING:
    from ui.runs.run_view import RunView

NO_DATA = "The data of this run are not available here. Choose the same file, with the same roles of columns, in the sidebar."
LATEST = 100  # of this browser's tasks of a kind, among which ``newest`` searches


def has_table(run: RunView) -> bool:
    """Whether the table of a run with a model is here: in the gallery, kept with it, or chosen on the page. Reads no table."""
    return has_dataset(run.trained) or run.is_chosen


def dataset_of(run: RunView) -> Dataset:
    """The table of a run that has a model, with its roles of columns; RunError where it is not ``has_table``."""
    if (dataset := run.dataset) is None:
        raise RunError(NO_DATA)
    return dataset


def start_row(
    run: RunView, key: str, label: str, explanation: str, begin: Callable[[RunView], None], before: Status | None
) -> None:
    """The button of a task that needs the run's table, and why the last press or task left nothing.

    key: of the row, and of the reason. begin: called before the script runs. before: the task that ended
    without figures, such as by a stop.
    """

    def press() -> None:
        try:
            begin(run)
        except TSKError as error:
            NOTE(key).set(str(error))

    with st.container(horizontal=True, vertical_alignment="center", key=key):
        here = has_table(run)
        st.button(label, disabled=not here, on_click=press, help=explanation if here else NO_DATA)
        if note := NOTE(key).pop() or (before.message if before else ""):
            st.caption(in_markdown(note))


def start(task: Task, *, background: bool = False) -> str:
    """Queue a task of this browser and return the id of its run. Raises TSKError if it is refused."""
    return get_engine().submit_task(task, owner(), address=address(), lease=current_run.LEASE, background=background)


def stop(run: str) -> None:
    """Stop a task of this browser; a callback, so a refusal is a note that passes."""
    try:
        get_engine().stop(run, owner())
    except TSKError as error:
        st.toast(in_markdown(error))


def start_for(kind: str, key: Hashable, make: Callable[[], Task], *, background: bool = False) -> None:
    """Queue the task of this kind for ``key``, such as the id of a run, unless it is under way: two clicks may both come before
    its button is drawn disabled. Raises TSKError if it is refused.
    """
    known = SIDE_TASKS.get()
    status = status_of(known.get((kind, key)))
    if status is None or status.ended:
        known[kind, key] = start(make(), background=background)


def find_task(kind: str, key: Hashable, search: Callable[[], str | None]) -> Status | None:
    """Where the task of this kind for ``key`` stands: the one remembered, else, after a reload, what ``search`` finds, once."""
    known = SIDE_TASKS.get()
    if (kind, key) not in known:
        known[kind, key] = search()
    return status_of(known[kind, key])


def status_of(run: str | None) -> Status | None:
    """Where a task stands; None without one, and for one that was deleted to free disk space."""
    try:
        return get_engine().status(run) if run else None
    except RunError:
        return None


def newest(kind: str, dataset: Dataset | Mapping[str, Any], fits: Callable[[Record], bool]) -> str | None:
    """The newest task of this browser that is of this kind, on this dataset (or one of this identity), and that ``fits``."""

    def is_on(record: Record) -> bool:
        return same_dataset(dataset, get_engine().store.open(record.id).about()["dataset"])

    return newest_of(kind, lambda record: same_table(dataset, record) and fits(record) and is_on(record))


def metrics_of(record: Record) -> Mapping[str, Any]:
    """What a task that finished left; {} of others."""
    return get_engine().store.open(record.id).metrics() if record.state == "finished" else {}


def newest_of(kind: str, fits: Callable[[Record], bool]) -> str | None:
    """The same on any dataset; a task whose files were deleted or are damaged is passed over."""
    for record in get_engine().store.ledger.records(owner(), LATEST, task=kind):
        with suppress(RunError, KeyError):
            if fits(record):
                return record.id
    return None


def queued(status: Status) -> str:
    """Its place in the queue, and the wait if it is known."""
    return f"number {status.position} in the queue{about_seconds(status.wait)}"


# A tree and a rule list with as many conditions as a readable run: measured by a task, found by the run, after a reload too.


SAME_SIZE = SameSize.kind


def peers_status(run: "RunView", *, ebm: bool = False) -> Status | None:
    """Where the task stands that measures them, or the EBM; None without one. run: one that has a model."""

    def measures(record: Record) -> bool:
        metrics = metrics_of(record)
        return metrics.get("of_run") == run.id and metrics.get("ebm") is ebm

    return find_task(SAME_SIZE, (run.id, ebm), lambda: newest(SAME_SIZE, run.trained.dataset, measures))


def start_peers(run: "RunView", conditions: int, *, ebm: bool = False) -> None:
    """Queue the task. conditions: of all rules together, from 1. Raises TSKError if it is refused."""

    def make() -> SameSize:
        return SameSize(run.config, dataset_of(run), run.id, conditions, run.test_size, ebm)

    start_for(SAME_SIZE, (run.id, ebm), make, background=True)


def peers(status: Status | None) -> list[Peer]:
    """What a task measured; [] before it finished, and where it was deleted meanwhile or is damaged."""
    if status is None or status.state != "finished":
        return []
    try:
        return [Peer(*values) for values in get_engine().store.open(status.run).metrics()["peers"]]
    except (TSKError, KeyError, TypeError):
        return []


# What repeats a run: link, seed, data, versions, Python.


def reproduction_panel(run: RunView) -> None:
    """The reproduction recipe of a run that ended."""
    recipe = get_engine().store.reproduction(run.id)
    versions = " · ".join(f"{name} {version}" for name, version in recipe.versions.items())
    st.markdown(f"**Link** <{full_address(recipe.link)}>")  # percent-encoded: nothing in it has a meaning in Markdown
    facts = f"Seed {recipe.seed} · SHA-256 of the names and cells of the table, as read, {recipe.sha256[:16]}… · {versions}"
    st.caption(in_markdown(facts))
    if recipe.caveat:
        st.caption(in_markdown(recipe.caveat))
    st.code(recipe.python, language="python", wrap_lines=True)


def full_address(link: str) -> str:
    """A link with the address of this server before it, whichever page it is asked for on."""
    page = (st.context.url or "").partition("?")[0]
    return urljoin(page, f".{link}") if page else link


# The readable rules of a run on the page.


def conditions() -> int:
    """How many conditions the rules on this page have at most: as chosen on the tab Rules."""
    return RULE_LENGTH.get()


def is_readable(run: RunView) -> bool:
    """Whether the run's rules have a fixed score for each class, so that their text is the model and is never shortened."""
    return not run.config.has_slopes


def rule_base_summary(run: RunView, max_antecedents: int) -> RuleBaseSummary:
    """The run's readable rules, summarised on its training rows and measured on its test rows; made once."""
    summaries = run.shared.summaries
    if max_antecedents not in summaries:
        summaries[max_antecedents] = run.trained.rules(max_antecedents)
    return summaries[max_antecedents]


def sentence(rule: Rule, row: Sequence[tuple[float, bool]] | None = None) -> str:
    """A rule's IF and THEN as Markdown. row: its membership in each condition, and whether it holds, which is then said."""
    texts = [in_markdown(antecedent.text) for antecedent in rule.antecedents]
    if row is not None:
        texts = [f"{text} {'✓' if holds else '✗'} {level:.2f}" for text, (level, holds) in zip(texts, row, strict=True)]
    return f"**IF** {' **AND** '.join(texts) or 'anything'} **THEN** **{in_markdown(rule.then)}**"


# How often the rules of a run came back when it was trained again: found by the run, after a reload too.


STABILITY = StabilityCheck.kind


def stability_status(run: "RunView") -> Status | None:
    """Where the check of this run stands; None without one."""
    if run.result is None:
        return None

    def checks(record: Record) -> bool:
        return metrics_of(record).get("of_run") == run.id

    return find_task(STABILITY, run.id, lambda: newest(STABILITY, run.trained.dataset, checks))


def stability(run: "RunView", conditions: int) -> RuleStability | None:
    """What the check found for rules of at most 1 to 12 conditions; None while there is none.

    Rules of a readable rule base are never shortened, so there it is what was found for the longest.
    """
    if run.result is not None and run.shared.stability is None:
        status = stability_status(run)
        if status is None or status.state != "finished":
            return None
        try:
            lengths = get_engine().store.open(status.run).metrics()["lengths"]
            run.shared.stability = [RuleStability.from_dict(length) for length in lengths]
        except (TSKError, KeyError, TypeError, ValueError, AttributeError):  # deleted meanwhile, or damaged
            return None
    return known_stability(run, conditions)


def known_stability(run: "RunView", conditions: int) -> RuleStability | None:
    """The same where a session that shows the run has found it; for those who have no session."""
    known = run.shared.stability
    return None if known is None else known[-1 if is_readable(run) else conditions - 1]
