"""The table of a command: the options that name it and say how its columns are used, and the way back from choices to options."""

import argparse
import csv
import io
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.errors import SettingError, TSKError
from tsk_core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset, RawTable

_ROLE_OPTIONS = {"group": "group", "time": "time", "split": "split-column", "ignored": "leave-out"}  # role -> its own option
_COLUMNS_OPTIONS = {
    "flags": "mark-missing",
    "missing": "missing-category",
    "spellings": "one-spelling",
}  # fields of ``Choices`` that are columns
TEST_SHARE = 0.3
_GIVEN = (
    "sheet", "target", "group", "time", "split_column", "test_file", "role", "leave_out", "missing", "not_missing", "order",
    "mark_missing", "missing_category", "one_spelling", "repeated", "bins", "rare",
)  # fmt: skip


def add_table(parser: argparse.ArgumentParser) -> None:
    """The options that name a table, its target and its test rows, say how its columns are used, and --json."""
    kinds = "CSV, TSV, Excel, OpenDocument, Parquet, ARFF, also zipped"
    parser.add_argument("data", metavar="FILE", help=f"a table ({kinds}), or the name of a dataset such as iris")
    parser.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook; by default the first with a table")
    parser.add_argument("--target", metavar="COL", help="the column with the class; guessed if not given")
    parser.add_argument("--test", type=float, metavar="SHARE", help=f"share of test rows (default {TEST_SHARE})")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of a report")
    group = parser.add_argument_group("how the table is used", "`check FILE` names the options that fix what it finds.")
    _add_split(group)
    _add_columns(group)
    _add_rows(group)


def _add_split(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("--group", metavar="COL", help="rows with the same value are all training rows or all test rows")
    group.add_argument("--time", metavar="COL", help="the latest rows by this column are the test rows")
    group.add_argument("--split-column", metavar="COL", help="the column whose cells say train or test")
    group.add_argument("--test-file", metavar="FILE", help="a second file with the same columns: its rows are the test rows")


def _add_columns(group: "argparse._ArgumentGroup") -> None:
    from tsk_core.data.choices import ROLES

    for name, form, text in (
        ("role", "COL=ROLE", f"one of {', '.join(ROLES)}"),
        ("leave-out", "COL", "the same as --role COL=ignored"),
        ("missing", "[COL=]CODE", "a cell that stands for a missing value, such as age=-99; without COL= in every column"),
        ("not-missing", "COL=WORD", "a cell such as NA that is a code of its own in this column, and no missing value"),
        ("order", "COL=LOW,…,HIGH", "an ordered category from lowest to highest, such as risk=low,medium,high"),
        ("mark-missing", "COL", "add a column that says where this one is missing"),
        ("missing-category", "COL", "make its missing values a category; for a column of numbers the same as --mark-missing"),
        (
            "one-spelling",
            "COL",
            "make words one that differ only in capital letters, a final dot or spaces, such as Yes and yes.",
        ),
    ):
        group.add_argument(f"--{name}", action="append", default=[], metavar=form, help=f"{text}; may be repeated")


def _add_rows(group: "argparse._ArgumentGroup") -> None:
    from tsk_core.data.choices import RARE, REPEATED

    equal = "equal rows: keep them, keep them together on one side of the split, or drop all but one"
    group.add_argument("--repeated", choices=REPEATED, help=equal)
    group.add_argument(
        "--bins", type=int, metavar="N", help="group the target's numbers into N ranges with about equally many rows"
    )
    group.add_argument("--rare", choices=RARE, help="classes with few rows: keep them, merge them into one, or drop their rows")


def load_table(options: argparse.Namespace) -> "Dataset":
    """The dataset that the options name, used as they say. Raises TSKError for a value that does not fit the table."""
    from tsk_core.data import Choices, make_dataset, with_test_rows
    from tsk_core.errors import DataError, RegressionTarget

    for decides in ("test_file", "split_column"):
        if options.test is not None and getattr(options, decides) is not None:
            raise SettingError(f"--test has no effect with --{decides.replace('_', '-')}, which says which rows are test rows.")
    options.test = TEST_SHARE if options.test is None else options.test
    if not 0 < options.test < 1:
        raise TSKError(f"--test is {options.test:g}; it must be a share between 0 and 1, such as 0.3.")
    frame, about = _raw_table(options.data, options.sheet)
    changes = _changes(options, frame)
    roles = changes["roles"]
    if options.test_file is not None:
        frame, part = with_test_rows(frame, _read(options.test_file).frame)
        changes["roles"] = {**roles, part: "split"}
    about["choices"] = about.get("choices", Choices()).with_changes(changes)
    try:
        dataset = make_dataset(frame, options.target, **about)
    except RegressionTarget as error:
        raise DataError(f"{str(error).removesuffix('.')} by --bins 4.") from None
    _check_roles(dataset, roles)
    return dataset


def notes_of(dataset: "Dataset", options: argparse.Namespace) -> list[str]:
    """The findings as sentences, and how to see more of those that ask for a decision."""
    count = len(dataset.check().open)
    ask = counted(count, "finding asks", "findings ask")
    command = shlex.join(["check", options.data, *given_options(options)])
    more = f"{ask} for a decision; for the options that fix them, run: python -m tsk_core {command}"
    return [*dataset.notes, more] if count else list(dataset.notes)


def _check_roles(dataset: "Dataset", chosen: Mapping[str, str]) -> None:
    """Raise SettingError where a column did not get the role that an option names."""
    for report in dataset.columns:
        role = chosen.get(report.name, report.role)
        if report.role == "target" != role:
            raise SettingError(
                f"Column {report.name!r} is the target and cannot have another role; name another target with --target."
            )
        if report.role != role:
            why = f": {report.reason.rstrip('.')}" if report.reason else ""
            raise SettingError(f"Column {report.name!r} cannot have the role '{role}'{why}.")


def _raw_table(data: str, sheet: str | None) -> "tuple[pd.DataFrame, dict[str, Any]]":
    """The raw table of a file or of a dataset, and what ``make_dataset`` is to know of it besides. sheet: of a workbook."""
    from tsk_core.data import dataset_names, load_dataset

    raw = _read(data, sheet) if Path(data).exists() or data.lower().endswith(".csv") else None
    if sheet is not None and not (raw and raw.sheets):
        raise SettingError(f"--sheet has no effect with {data!r}, which is not a workbook; leave it out.")
    if raw is not None:
        return raw.frame, {"name": raw.name, "findings": raw.findings}
    if data not in dataset_names():
        raise TSKError(f"There is no file {data!r}, and no dataset of that name; the datasets are {', '.join(dataset_names())}.")
    dataset = load_dataset(data)
    frame, findings = dataset.raw or (dataset.frame, ())
    about = {name: getattr(dataset, name) for name in ("name", "source", "licence", "choices")}
    return frame, {**about, "findings": findings}


def _read(path: str, sheet: str | None = None) -> "RawTable":
    from tsk_core.data import ReadOptions, read_table

    return read_table(Path(path), ReadOptions(sheet=sheet))


# From options to choices.


def _changes(options: argparse.Namespace, frame: "pd.DataFrame") -> dict[str, Any]:
    """What the options say, as ``Choices.with_changes`` takes it; SettingError for a value that does not fit the columns."""
    from tsk_core.data.clean import tidy_names

    columns = list(tidy_names(frame)[0].columns)
    orders = {column: _categories(text, column) for column, text in _parts("order", options.order, columns)}
    changes: dict[str, Any] = {
        "roles": _roles(options, columns, orders),
        "orders": orders,
        "codes": _codes(options.missing, columns),
        "not_missing": _words(options.not_missing, columns),
        "flags": tuple(_known("mark-missing", name, columns) for name in options.mark_missing),
        "missing": tuple(_known("missing-category", name, columns) for name in options.missing_category),
        "spellings": tuple(_known("one-spelling", name, columns) for name in options.one_spelling),
    }
    given = {name: getattr(options, name) for name in ("repeated", "bins", "rare")}
    return changes | {name: value for name, value in given.items() if value is not None}


def _roles(options: argparse.Namespace, columns: list[str], ordered: Iterable[str]) -> dict[str, str]:
    pairs = list(_parts("role", options.role, columns))
    for role, option in _ROLE_OPTIONS.items():
        given = getattr(options, option.replace("-", "_"))
        names = given if isinstance(given, list) else [] if given is None else [given]
        pairs += [(_known(option, name, columns), role) for name in names]
    pairs += [(column, "ordinal") for column in ordered]
    roles: dict[str, str] = {}
    for column, role in pairs:
        if roles.setdefault(column, role) != role:
            raise SettingError(f"Column {column!r} is given the roles '{roles[column]}' and '{role}'; it can have only one.")
    return roles


def _codes(given: list[str], columns: list[str]) -> dict[str, tuple[str, ...]]:
    """Column, or EVERY -> codes. A code without a column that holds "=" is written "=CODE"."""
    from tsk_core.data.choices import EVERY

    codes: dict[str, tuple[str, ...]] = {}
    for text in given:
        column, code = next(_parts("missing", [text], [*columns, EVERY])) if "=" in text else (EVERY, text)
        if not code.strip():
            raise SettingError(
                f"--missing is {text!r}; an empty cell is missing already, so give the text that stands for a missing value."
            )
        codes[column] = (*codes.get(column, ()), code.strip())
    return codes


def _words(given: list[str], columns: list[str]) -> dict[str, tuple[str, ...]]:
    """Column -> words that are no missing values in it."""
    words: dict[str, tuple[str, ...]] = {}
    for column, word in _parts("not-missing", given, columns):
        words[column] = (*words.get(column, ()), word.strip())
    return words


def _categories(text: str, column: str) -> tuple[str, ...]:
    """Categories parted by commas; one that holds a comma stands in double quotes."""
    (cells,) = csv.reader([text], skipinitialspace=True)
    categories = tuple(cell.strip() for cell in cells)
    if len(categories) < 2 or "" in categories or len(set(categories)) < len(categories):
        raise SettingError(
            f"--order of {column!r} is {text!r}; it must be two or more different categories, separated by commas."
        )
    return categories


def _parts(option: str, texts: list[str], columns: list[str]) -> Iterator[tuple[str, str]]:
    """Column and value of each COL=VALUE; the column is the longest name before an "=" that the table has."""
    for text in texts:
        places = [place for place, sign in enumerate(text) if sign == "="]
        known = [place for place in places if text[:place] in columns]
        if not places:
            raise SettingError(f"--{option} is {text!r}; it must be COL=VALUE: a column and its value.")
        if not known:
            _known(option, text[: places[0]], [name for name in columns if name])
        yield text[: known[-1]], text[known[-1] + 1 :]


def _known(option: str, name: str, columns: list[str]) -> str:
    from tsk_core.data.naming import listed, quoted

    if name not in columns:
        raise SettingError(f"--{option}: there is no column {quoted(name)}; the columns are {listed(columns, 12)}.")
    return name


# And back.


def given_options(options: argparse.Namespace) -> list[str]:
    """The options of ``add_table`` that were given, without --json, as they are written."""
    given = {name: getattr(options, name) for name in _GIVEN}
    several = {name: value if isinstance(value, list) else [value] for name, value in given.items() if value is not None}
    share = [] if options.test in (None, TEST_SHARE) else [f"--test={options.test}"]
    return [*(_option(name.replace("_", "-"), value) for name, values in several.items() for value in values), *share]


def options_of(changes: Mapping[str, Any]) -> list[str]:
    """The options that make these changes of ``Choices``, such as those of a ``Remedy``: ["--missing=-99"]."""
    return [_option(name, value) for name, value in _pairs(changes)]


def _pairs(changes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    orders = changes.get("orders", {})
    for column, role in changes.get("roles", {}).items():
        if role in _ROLE_OPTIONS:
            yield _ROLE_OPTIONS[role], column
        elif role != "ordinal" or column not in orders:
            yield "role", f"{column}={role}"
    for column, categories in orders.items():
        yield "order", f"{column}={_row(categories)}"
    for column, codes in changes.get("codes", {}).items():
        yield from (("missing", f"{column}={code}" if column or "=" in code else code) for code in codes)
    for column, words in changes.get("not_missing", {}).items():
        yield from (("not-missing", f"{column}={word}") for word in words)
    for field, option in _COLUMNS_OPTIONS.items():
        yield from ((option, column) for column in changes.get(field, ()))
    yield from ((name, str(changes[name])) for name in ("repeated", "bins", "rare") if changes.get(name) is not None)


def _row(categories: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(categories)
    return line.getvalue()


def _option(name: str, value: str) -> str:
    return f"--{name}={value}"
