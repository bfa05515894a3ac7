"""The dataset and its target, chosen in the sidebar."""

from dataclasses import dataclass

import streamlit as st

from tsk_core.data import Choices, Dataset, bin_edges, dataset_names
from tsk_core.data.painted import NAME
from tsk_core.errors import NoFeature, RegressionTarget, TSKError
from ui.data import decided_before, painting, second_file
from ui.data.decisions import all_choices, first_choices, key_of
from ui.data.painting import PAINTED
from ui.data.ranges import DEFAULT_RANGES
from ui.data.source import Source, source_of, take_over_upload, upload_label
from ui.data.unready import Unready
from ui.data.uploading import UPLOAD, choose_data
from ui.data.ways_in import small_ways_in
from ui.platform import memory, session
from ui.platform.linked_widget import linked_widget
from ui.text import in_markdown


@dataclass(frozen=True)
class Chosen:
    """The dataset under all decisions (None if they leave no valid one), the dataset without them, its source, the decisions."""

    dataset: Dataset | None
    base: Dataset
    source: Source
    choices: Choices

    @property
    def key(self) -> str:
        """The key under which its decisions are stored."""
        return key_of(self.source.key, self.base.target)

    @property
    def shown(self) -> Dataset:
        """The dataset that the page shows."""
        return self.dataset or self.base


def choose() -> Chosen | None:
    """The dataset chosen in the sidebar; None if there is none yet: ``show_unready`` then says why."""
    session.UNREADY.pop()
    names = dataset_names()
    painting.read_link()
    _warn_of_unknown_name(names)
    picked = _picked(names)
    painting.write_link(picked)
    small_ways_in()
    source = None
    try:
        source = source_of(picked)
        if source is None:
            return None
        source = decided_before.apply(source, lambda: source_of(picked))
        if source is None:
            return None
        chosen = _decided(second_file.joined(source), _target(source))
        if chosen is not None:
            decided_before.note(source, chosen.key, chosen.choices)
    except TSKError as error:
        session.UNREADY.set(Unready(str(error), file=source and source.key))
        return None
    if chosen is not None and chosen.dataset is not None:
        _check_link(picked, chosen.dataset)
    return chosen


def _picked(names: list[str]) -> str:
    """The name chosen in the list of datasets, which says what each name is; links have the names alone."""
    with linked_widget(session.DATA, session.DATA_LIST):
        st.selectbox(
            "Name of the data", [*names, UPLOAD, PAINTED], key=session.DATA.name, bind="query-params", on_change=_follow_link
        )
    if session.DATA.get() == UPLOAD:
        take_over_upload()
    labels = {UPLOAD: upload_label(), PAINTED: NAME}
    return st.selectbox(
        "Data", [UPLOAD, PAINTED, *names], key=session.DATA_LIST.name, format_func=lambda name: labels.get(name, name),
        on_change=_follow_list, help="Your own table or points, or a dataset of the gallery.",
    )  # fmt: skip


def _follow_list() -> None:
    choose_data(session.DATA_LIST.get())


def _follow_link() -> None:
    """The reader went back to another address of this page, with other data."""
    choose_data(session.DATA.get())


def _decided(source: Source, target: str) -> Chosen | None:
    """The table under the decisions of this session; a numeric target needs bins first."""
    key = key_of(source.key, target)
    try:
        base = _prepared("base", source, first_choices(key, target))
    except RegressionTarget as error:
        edges = bin_edges(source.frame[error.column], int(session.RANGES(key).get() or DEFAULT_RANGES))
        session.UNREADY.set(Unready(str(error), "warning", grouped=(key, tuple(map(float, edges)))))
        return None
    except NoFeature as error:
        if decided_before.use_categories(key, error.columns):
            return _decided(source, target)
        session.UNREADY.set(Unready(str(error), file=source.key, left_out=(key, error.columns)))
        return None
    choices = all_choices(source.key, key, base)
    try:
        dataset = _prepared("dataset", source, choices)
    except TSKError as error:  # such as every column ignored; the decisions stay on the page and can be changed
        session.UNREADY.set(Unready(str(error)))
        dataset = None
    return Chosen(dataset, base, source, choices)


def _prepared(slot: str, source: Source, choices: Choices) -> Dataset:
    """The cleaned dataset, recomputed only if the table or a decision changed; stored in the session, never in a shared cache."""
    key = (source.version, repr(choices))
    known, dataset = memory.kept(slot)
    if known != key:
        with memory.one_at_a_time(source.frame):
            dataset = source.make(choices)
        memory.keep(slot, key, dataset, None if source.raw is None else dataset.frame, source.frame)
    return dataset


def _target(source: Source) -> str:
    if not {session.TARGET.get(), st.query_params.get(session.TARGET.name)} & set(source.columns):
        session.TARGET.set(source.guess)  # else the browser would go on showing the target of the table before
    target = st.selectbox(
        "Target column", source.columns, source.columns.index(source.guess), key=session.TARGET.name, bind="query-params",
        help="The column that holds the class to predict. It may hold the predictions of another model: the rules then describe"
        " that model, and the test scores say how often they agree with it.",
    )  # fmt: skip
    if source.why and target == source.guess:
        st.caption(in_markdown(f"Chosen as the target, since {source.why}."))
    return target


def _check_link(picked: str, dataset: Dataset) -> None:
    """Show a message if the dataset differs from the one that the link was made with."""
    link = session.LINK.get()
    if picked == PAINTED:  # the link has the points themselves, which are painted further
        return
    same_name = (picked, dataset.target) == (link.get("data"), link.get("target"))
    if same_name and not dataset.sha256.startswith(link.get("sha", "").lower()):
        st.info("This link was made with other data of the same name, or with other column roles: the SHA-256 hashes differ.")


def _warn_of_unknown_name(names: list[str]) -> None:
    wanted = st.query_params.get("data")
    if wanted is not None and wanted not in (*names, UPLOAD, PAINTED) and not session.DATA.is_set():
        session.DATA_NOTE.set(f"The link's dataset “{in_markdown(wanted[:40])}” is not on this server; choose another.")
    if note := session.DATA_NOTE.get():
        st.info(note)
