"""The dataset and its target, chosen in the sidebar."""

from dataclasses import dataclass

import streamlit as st

from tsk_core.data import Dataset, bin_edges, dataset_names
from tsk_core.errors import RegressionTarget, TSKError
from ui.data import gallery, second_file
from ui.data.decisions import all_choices, decide, decided, first_choices, key_of
from ui.data.read_options import reset_button
from ui.data.source import UPLOAD, Source, source_of
from ui.platform import memory, session
from ui.text import in_markdown

__all__ = ["Chosen", "choose"]


@dataclass(frozen=True)
class Chosen:
    """The dataset under all decisions (None if they leave no valid one), the dataset without them, and its source."""

    dataset: Dataset | None
    base: Dataset
    source: Source

    @property
    def key(self) -> str:
        """The key under which its decisions are stored."""
        return key_of(self.source.key, self.base.target)

    @property
    def shown(self) -> Dataset:
        """The dataset that the page shows."""
        return self.dataset or self.base


def choose() -> Chosen | None:
    """The dataset chosen in the sidebar; None, with a message on the page, if there is none yet."""
    names = [*dataset_names(), UPLOAD]
    _warn_of_unknown_name(names)
    picked = st.selectbox(
        "Data", names, key=session.DATA.name, bind="query-params", on_change=_forget_target,
        help="A dataset of the gallery, or 'upload' for your own file.",
    )  # fmt: skip
    gallery.button()
    source = None
    try:
        source = source_of(picked)
        if source is None:
            return None
        chosen = _decided(second_file.joined(source), _target(source))
    except TSKError as error:
        st.error(in_markdown(error))
        reset_button(source and source.key)
        return None
    if chosen is not None and chosen.dataset is not None:
        _check_link(picked, chosen.dataset)
    return chosen


def _decided(source: Source, target: str) -> Chosen | None:
    """The table under the decisions of this session; a numeric target needs bins first."""
    key = key_of(source.key, target)
    try:
        base = _prepared("base", source, first_choices(key, target))
    except RegressionTarget as error:
        _offer_ranges(key, source, error)
        return None
    try:
        dataset = _prepared("dataset", source, all_choices(source.key, key, base))
    except TSKError as error:  # such as every column ignored; the decisions stay on the page and can be changed
        st.error(in_markdown(error))
        dataset = None
    return Chosen(dataset, base, source)


def _prepared(slot: str, source: Source, choices) -> Dataset:
    """The cleaned dataset, recomputed only if the table or a decision changed; stored in the session, never in a shared cache."""
    key = (source.version, repr(choices))
    known, dataset = memory.kept(slot)
    if known != key:
        with memory.one_at_a_time(source.frame):
            dataset = source.make(choices)
        memory.keep(slot, key, dataset, None if source.raw is None else dataset.frame, source.frame)
    return dataset


def _offer_ranges(key: str, source: Source, error: RegressionTarget) -> None:
    """For a numeric target: show its bin edges, and offer to group it."""
    st.warning(in_markdown(error))
    ranges = st.number_input(
        "Number of ranges, about equally many rows in each", 2, 20, decided("ranges", key, 3), key=session.RANGES(key).name
    )
    edges = bin_edges(source.frame[error.column], int(ranges))
    st.caption(in_markdown(f"Bin edges: {', '.join(f'{edge:g}' for edge in edges)}."))
    if st.button("Group into ranges", type="primary"):
        decide("bins", key, int(ranges))
        st.rerun()


def _target(source: Source) -> str:
    target = st.selectbox(
        "Target column", source.columns, source.columns.index(source.guess), key=session.TARGET.name, bind="query-params",
        help="The column that holds the class to predict.",
    )  # fmt: skip
    if source.why and target == source.guess:
        st.caption(in_markdown(f"Taken as the target, since {source.why}."))
    return target


def _forget_target() -> None:
    """Another table has other columns, so its own guess applies."""
    session.TARGET.pop()


def _check_link(picked: str, dataset: Dataset) -> None:
    """Show a message if the dataset differs from the one that the link was made with."""
    link = session.LINK.get()
    same_name = (picked, dataset.target) == (link.get("data"), link.get("target"))
    if same_name and not dataset.sha256.startswith(link.get("sha", "").lower()):
        st.info("This link was made with other data of the same name, or with other column roles: the SHA-256 hashes differ.")


def _warn_of_unknown_name(names: list[str]) -> None:
    wanted = st.query_params.get("data")
    if wanted is not None and wanted not in names and not session.DATA.is_set():
        session.DATA_NOTE.set(f"The link's dataset “{in_markdown(wanted[:40])}” is not on this server; choose another.")
    if note := session.DATA_NOTE.get():
        st.info(note)
