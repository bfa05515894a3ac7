"""The dataset and its target, chosen in the sidebar; a second file as test rows; and what was decided about a table before."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, final

import streamlit as st

from tsk_core import limits
from tsk_core.data import Choices, Dataset, RawTable, ReadOptions, bin_edges, dataset_names, make_dataset, with_test_rows
from tsk_core.data.painted import NAME
from tsk_core.errors import NoFeature, RegressionTarget, TSKError
from ui.data.decisions import (
    DEFAULT_RANGES,
    RANGES,
    SPLITS,
    TABLES_SEEN,
    UNREADY,
    Unready,
    all_choices,
    choose_read_options,
    chosen_read_options,
    decide,
    decided,
    first_choices,
    key_of,
    reset_choices,
    save_decisions,
    store_choices,
)
from ui.data.gallery import small_ways_in
from ui.data.source import (
    DATA,
    LINK,
    PAINTED,
    TARGET,
    UPLOAD,
    Source,
    choose_data,
    from_gallery,
    how_large,
    read_painted_link,
    read_upload,
    source_of,
    take_over_upload,
    upload_label,
    write_painted_link,
)
from ui.platform import memory
from ui.platform.drawing import linked_widget
from ui.platform.engine import get_engine
from ui.platform.session import Key, Keys
from ui.platform.visitor import owner
from ui.text import in_markdown, shortened

DATA_LIST = Key[str]("data:list")  # the list that people see; DATA is that of links
SECOND_FILE = Keys[Any]("second:{}")  # of the uploader of a table's test rows
SECOND_ERROR = Key[str]("second_error")
DATA_NOTE = Key[str]("data_note")
RUN_DECIDED = Key["tuple[str, Decided] | None"]("run_decided")  # of the run that a link opened, until its table is there


@final
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
    UNREADY.pop()
    names = dataset_names()
    read_painted_link()
    _warn_of_unknown_name(names)
    picked = _picked(names)
    write_painted_link(picked)
    small_ways_in()
    source = None
    # Of a dataset of the gallery they are known.
    about = st.expander("Table and target", expanded=picked == UPLOAD, key=f"about:{picked == UPLOAD}")
    try:
        if picked in names:
            from_gallery(picked)  # here it is seen that it is fetched
        with about:
            source = source_of(picked)
            source = source and apply_decided(source, lambda: source_of(picked))
            if source is None:
                return None
            target = _target(source)
        chosen = _decided(joined_with_second_file(source), target)
        if chosen is not None:
            note_decided(source, chosen.key, chosen.choices)
    except TSKError as error:
        UNREADY.set(Unready(str(error), file=None if source is None else source.key))
        return None
    if chosen is not None and chosen.dataset is not None:
        _check_link(picked, chosen.dataset)
    return chosen


def _picked(names: list[str]) -> str:
    """The name chosen in the list of datasets, which says what each name is; links have the names alone."""
    with linked_widget(DATA, DATA_LIST):
        st.selectbox("Name of the data", [*names, UPLOAD, PAINTED], key=DATA.name, bind="query-params", on_change=_follow_link)
    if DATA.get() == UPLOAD:
        take_over_upload()
    labels = {UPLOAD: upload_label(), PAINTED: NAME}
    return st.selectbox(
        "Data", [UPLOAD, PAINTED, *names], key=DATA_LIST.name, format_func=lambda name: labels.get(name, name),
        on_change=_follow_list, help="Your own table or points, or a dataset of the gallery.",
    )  # fmt: skip


def _follow_list() -> None:
    choose_data(DATA_LIST.get())


def _follow_link() -> None:
    """The reader went back to another address of this page, with other data."""
    choose_data(DATA.get())


def _decided(source: Source, target: str) -> Chosen | None:
    """The table under the decisions of this session; a numeric target needs bins first."""
    key = key_of(source.key, target)
    try:
        base = _prepared("base", source, first_choices(key, target))
    except RegressionTarget as error:
        edges = bin_edges(source.frame[error.column], int(RANGES(key).get() or DEFAULT_RANGES))
        UNREADY.set(Unready(str(error), "warning", grouped=(key, tuple(map(float, edges)))))
        return None
    except NoFeature as error:
        if use_categories_before(key, error.columns):
            return _decided(source, target)
        UNREADY.set(Unready(str(error), file=source.key, left_out=(key, error.columns)))
        return None
    choices = all_choices(source.key, key, base)
    try:
        dataset = _prepared("dataset", source, choices)
    except TSKError as error:  # such as every column ignored; the decisions stay on the page and can be changed
        UNREADY.set(Unready(str(error)))
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
    if not {TARGET.get(), st.query_params.get(TARGET.name)} & set(source.columns):
        TARGET.set(source.guess)  # else the browser would go on showing the target of the table before
    target = st.selectbox(
        "Target column", source.columns, source.columns.index(source.guess), key=TARGET.name, bind="query-params",
        help="The column that holds the class to predict. It may hold the predictions of another model: the rules then describe"
        " that model, and the test scores say how often they agree with it.",
    )  # fmt: skip
    if source.why and target == source.guess:
        st.caption(in_markdown(f"Chosen as the target, since {source.why}."))
    return target


def _check_link(picked: str, dataset: Dataset) -> None:
    """Show a message if the dataset differs from the one that the link was made with."""
    link = LINK.get()
    if picked == PAINTED:  # the link has the points themselves, which are painted further
        return
    same_name = (picked, dataset.target) == (link.get("data"), link.get("target"))
    if same_name and not dataset.sha256.startswith(link.get("sha", "").lower()):
        st.info("This link was made with other data of the same name, or with other column roles: the SHA-256 hashes differ.")


def _warn_of_unknown_name(names: list[str]) -> None:
    wanted = st.query_params.get("data")
    if wanted is not None and wanted not in (*names, UPLOAD, PAINTED) and not DATA.is_set():
        DATA_NOTE.set(f"The link's dataset “{in_markdown(wanted[:40])}” is not on this server; choose another.")
    if note := DATA_NOTE.get():
        st.info(note)


# A second file with the test rows.


def second_uploader(source: Source) -> None:
    """The uploader of the second file, and which one is used: that of another page of this session, or none yet."""
    st.file_uploader(
        "File with the test rows", key=SECOND_FILE(source.key).name, max_upload_size=limits.value("upload_mb"),
        on_change=memory.forget, args=("second",),
        help="The same columns as the first file. Its rows are the test rows; those of the first file are the training rows."
        f" {how_large()}",
    )  # fmt: skip
    if error := SECOND_ERROR.get():
        st.error(in_markdown(error))
    elif SECOND_FILE(source.key).get() is None:
        if (carried := _carried(source)) is None:
            st.info("Choose the file; until then, the test rows are a random share.")
        else:
            st.caption(in_markdown(f"{carried.name}, as uploaded before. Another file replaces it."))


def joined_with_second_file(source: Source) -> Source:
    """Both files as one table; only the first without a second, or with a message if the second does not fit."""
    SECOND_ERROR.pop()
    if source.raw is None or decided("split", source.key) != "file":
        return source
    file = SECOND_FILE(source.key).get()
    if file is None:
        second = _carried(source)
        if second is None:
            return source
    else:
        read = read_upload("second", f"{source.key} {file.file_id}", file.getvalue(), file.name, ReadOptions())
        if not isinstance(read, RawTable):
            SECOND_ERROR.set(read)
            return source
        second = read
    first = source.raw
    try:
        frame, part = with_test_rows(first.frame, second.frame)
    except TSKError as error:
        SECOND_ERROR.set(str(error))
        return source

    def make(choices: Choices) -> Dataset:
        roles = {**choices.roles, part: "split"}
        return make_dataset(frame, name=first.name, findings=first.findings, choices=replace(choices, roles=roles))

    return replace(source, version=f"{source.version}+{memory.kept('second')[0]}", make=make)


def _carried(source: Source) -> RawTable | None:
    """The second file that another page of this session took for this table; Streamlit drops it there with its uploader."""
    key, raw = memory.kept("second")
    return raw if isinstance(raw, RawTable) and key and key[0].startswith(f"{source.key} ") else None


# What was decided about a table before is applied when the table comes back, and one sentence says so.
#
# It comes back with the link of a run that was trained on it, after a reload of the page, and with another upload of a file that
# this visitor trained on. A file is known by the SHA-256 of its bytes, a dataset of the gallery by its name.


_LOOKED_AT = 50  # latest runs of a visitor among which one on the file is looked for
_NAMED = 2  # columns that the sentence names


@dataclass(frozen=True)
class Decided:
    """choices: of a person, with the target. read_options: of a file. run: that the page showed, or that was trained with them.

    second: whether a second file has the test rows. settled: the findings that were settled by a press, see ``remedies.Taken``.
    """

    choices: Choices
    read_options: ReadOptions
    run: str | None
    second: bool = False
    settled: tuple[Any, ...] = ()


def take_decisions_of_run(run: str, about: Mapping[str, Any]) -> None:
    """A run was opened by its link: its decisions are applied to its table, once that is there. about: the run's dataset."""
    table = f"gallery:{about['gallery']}" if about.get("gallery") else about.get("file_sha256")
    if table:
        with suppress(TSKError):  # the page shows the error where it opens the run
            RUN_DECIDED.set((table, _decided_in(run, about)))


def apply_decided(source: Source, read: Callable[[], Source | None]) -> Source | None:
    """Decide as before, where the table comes back; before the widgets of the decisions are drawn.

    Returns the source as ``read`` reads it where its file was read in another way before.
    """
    seen, table = TABLES_SEEN.get(), source.key
    before = memory.take_over(_name(table)) if not seen and owner() else None  # the first table of a page: it was loaded again
    if (of_link := RUN_DECIDED.get()) is not None and of_link[0] == table:
        RUN_DECIDED.pop()
        if before is None or before.run != of_link[1].run:  # else it was changed on the page that shows the run
            before = of_link[1]
    elif before is None and table not in seen and source.raw is not None:
        before = _of_latest_run(source.raw.name, source.key)
    if table not in seen:
        seen.append(table)
    now: Source | None = source
    if before is not None and source.raw is not None and before.read_options != chosen_read_options(table):
        choose_read_options(table, before.read_options)
        now = read()
    if before is not None and now is not None:
        _apply(now, before)
    return now


def note_decided(source: Source, key: str, choices: Choices) -> None:
    """Remember what is decided now, for as long as this session lives."""
    second, settled = decided("split", source.key) == "file", decided("taken", key, ())
    now = Decided(choices, chosen_read_options(source.key), st.query_params.get("run"), second, settled)
    if memory.kept(_name(source.key))[1] != now:
        memory.keep(_name(source.key), source.key, now)


def use_categories_before(key: str, columns: tuple[str, ...]) -> bool:
    """Use columns that were left out as categories where they were so before; returns whether any is, for the first time."""
    again = decided("again", key)
    used = tuple(name for name in columns if again is not None and again.choices.roles.get(name) == "category")
    if not used or decided("categories", key):
        return False
    decide("categories", key, used)
    return True


def say_again(key: str, now: Choices) -> None:
    """The sentence, as long as what was applied is in force."""
    again = decided("again", key)
    if again is not None and again.second:  # a column of its own that says which rows are of the second file is no decision
        now = replace(now, roles={column: role for column, role in now.roles.items() if role not in SPLITS})
    if again is not None and again.choices == now and (said := _in_words(again)):
        st.caption(in_markdown(f"What was decided about this table before is applied again: {', '.join(said)}."))


def _name(table: str) -> str:
    return f"decided:{table}"


def _decided_in(run: str, about: Mapping[str, Any]) -> Decided:
    return Decided(get_engine().store.choices(run), ReadOptions(**about.get("reading", {})), run)


def _of_latest_run(name: str, digest: str) -> Decided | None:
    """What was decided for the latest run of this visitor on a file."""
    store = get_engine().store
    for record in store.ledger.records(owner(), limit=_LOOKED_AT):
        with suppress(TSKError):  # removed meanwhile, or damaged
            if record.dataset == name and record.task == "training":
                about = store.open(record.id).about()["dataset"]
                if about.get("file_sha256") == digest:
                    return _decided_in(record.id, about)
    return None


def _apply(source: Source, before: Decided) -> None:
    table, target = source.key, before.choices.target
    linked = st.query_params.get(TARGET.name)
    if target not in source.columns or (linked in source.columns and linked != target):
        return
    TARGET.set(target)
    key = key_of(table, target)
    reset_choices(table, key)
    roles = {column: role for column, role in before.choices.roles.items() if column in source.columns}
    choices = replace(before.choices, roles=roles)
    decide("bins", key, choices.bins)
    store_choices(table, key, Choices(target), choices)
    # The run of a table with a second file has a column that says which rows are of that one.
    second = before.second or any(role in SPLITS and name not in roles for name, role in before.choices.roles.items())
    if second:
        decide("split", table, "file")
    decide("taken", key, before.settled)
    decide("again", key, replace(before, choices=choices, second=second))
    save_decisions()


def _in_words(before: Decided) -> list[str]:
    """What was decided, as "the role of lab", one for each kind."""
    choices = before.choices
    split = [column for column, role in choices.roles.items() if role in SPLITS]
    roles = [column for column, role in choices.roles.items() if role not in SPLITS]
    words = {
        "the role of": roles, "the split by": split, "codes for missing values in": list(choices.codes),
        "the order of": list(choices.orders), "missing values of": list(dict.fromkeys((*choices.missing, *choices.flags))),
    }  # fmt: skip
    said = [f"{what} {_named(columns)}" for what, columns in words.items() if columns]
    others = {"bins": "the ranges of the target", "rare": "rare classes", "repeated": "equal rows"}
    said += [text for name, text in others.items() if name in choices.decided]
    said += ["the split by a second file"] if before.second else []
    return said + (["how the file is read"] if before.read_options != ReadOptions() else [])


def _named(columns: list[str]) -> str:
    if len(columns) > _NAMED:
        return f"{len(columns)} columns"
    return " and ".join(f"“{shortened(name, 40)}”" if name else "every column" for name in columns)
