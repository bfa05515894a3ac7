"""Dataset: a named table with one target column, cleaned and ready for training."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.check import Checked, check_table
from tsk_core.data.choices import EVERY, SPLITS, Choices
from tsk_core.data.clean import CleaningPipeline, ColumnReport
from tsk_core.data.clean.codes import NA, code_findings
from tsk_core.data.clean.learn import Learner, informative_missing
from tsk_core.data.clean.pipeline import fresh_name, tidy_names
from tsk_core.data.clean.target import Target, decide_target, likely_target
from tsk_core.data.encoding import to_pandas
from tsk_core.data.findings import DataCheck, Finding, Remedy, changes_of
from tsk_core.data.folds import settle_repeated
from tsk_core.data.naming import cut, listed, printed_column, quoted, sorted_names, with_counts
from tsk_core.data.splitting import Split, SplitColumn, split_by_column, split_rows
from tsk_core.errors import DataError, NoFeature, SettingError
from tsk_core.numbers import counted, whole_percent

MUCH = 0.2  # largest share of missing values in a column of which nothing is offered


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table ready for training; build one with ``make_dataset``, ``read_csv`` or ``load_dataset``.

    frame: N rows, the target column included; features are numbers, text or ordered categories, missing values allowed.
    target: the target column's name.
    findings: what was read, repaired, left out, or may be improved; ``notes`` has the same as sentences.
    raw: the table and findings before cleaning, from which ``with_choices`` starts. choices: what a person decided.
    cleaning: how the features were made; ``cleaning.apply(table)`` makes those of a raw table with new rows.
    columns: how each column of the raw table is used. split_column: the column that decides the split, or None.
    positions: where each row stands in the raw table, rising int64 (N,); None where no row was left out.
    """

    frame: pd.DataFrame = field(repr=False)
    target: str
    name: str
    source: str = ""
    licence: str = ""
    findings: tuple[Finding, ...] = ()
    raw: tuple[pd.DataFrame, tuple[Finding, ...]] | None = field(default=None, repr=False)
    choices: Choices = field(default_factory=Choices)
    cleaning: CleaningPipeline | None = field(default=None, repr=False)
    columns: tuple[ColumnReport, ...] = field(default=(), repr=False)
    split_column: SplitColumn | None = field(default=None, repr=False)
    positions: np.ndarray | None = field(default=None, repr=False)

    @property
    def cleaned(self) -> "Dataset":
        """The same without the table before cleaning: what a worker needs."""
        return replace(self, raw=None)

    @property
    def notes(self) -> tuple[str, ...]:
        """The findings as sentences."""
        return tuple(map(str, self.findings))

    @property
    def X(self) -> pd.DataFrame:  # noqa: N802 - the field's name for it
        """The features, shape (N, number of features)."""
        return self.frame.drop(columns=self.target)

    @cached_property
    def y(self) -> np.ndarray:
        """Class names as displayed ("1", never "1.0"), object array of shape (N,)."""
        return printed_column(self.frame[self.target])

    @cached_property
    def classes(self) -> list[str]:
        """The distinct class names, sorted; as numbers if all are numbers or ranges of numbers."""
        return sorted_names(self.y)

    @cached_property
    def class_sizes(self) -> pd.Series:
        """The number of rows of each class, by its name, in the order of ``classes``."""
        return pd.Series(self.y).value_counts().reindex(self.classes)

    def row_numbers(self, rows: np.ndarray) -> np.ndarray:
        """The numbers, from 1, that these rows of ``frame`` have in the raw table, of which cleaning may leave rows out."""
        return (rows if self.positions is None else self.positions[rows]) + 1

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the table's names and cells, in hexadecimal; equal tables have equal hashes on every machine."""
        return _fingerprint(self.frame)

    @cached_property
    def split_sha256(self) -> str:
        """SHA-256 of the column that decides the split, which is not in ``frame``; "" without one."""
        if self.split_column is None:
            return ""
        return _fingerprint(pd.DataFrame({self.split_column.kind: self.split_column.values.astype("<f8")}))

    def __repr__(self) -> str:
        """The table in a line, and how many findings ask for a decision."""
        count = len(self.check().open)
        decide = f" {counted(count, 'finding')} for you to decide: print(dataset.check())." if count else ""
        return f"{self._about}{decide}"

    def _repr_html_(self) -> str:
        """The same with the findings and the first rows, for notebooks."""
        return f"{self.check()._repr_html_()}{self.frame.head().to_html()}"

    @property
    def _about(self) -> str:
        rows, features = len(self.frame), self.frame.shape[1] - 1
        of = f"target {quoted(self.target)} with {len(self.classes)} classes"
        return f"Dataset {quoted(self.name)}: {rows:,} rows, {counted(features, 'feature')}, {of}."

    def check(self) -> DataCheck:
        """The findings as a text to print, those that ask for a decision first, each with what mends it."""
        return DataCheck.of(self._about, self.findings)

    def with_remedy(self, *numbers: int) -> "Dataset":
        """The same table with the remedies of these findings, numbered as in ``check``, cleaned again.

        Raises SettingError for a finding that does not exist or has no remedy, else as ``make_dataset`` does.
        """
        findings, choices = self.check().findings, self.choices
        for number in numbers:
            if not 1 <= number <= len(findings) or not changes_of(findings[number - 1]):
                raise SettingError(f"No remedy has the number {number}; print(dataset.check()) shows those of this table.")
            choices = choices.with_changes(changes_of(findings[number - 1]))
        return self.with_choices(choices)

    def with_target(self, name: str) -> "Dataset":
        """The same table with another target column, cleaned again. Raises DataError if that column cannot be a target."""
        return self.with_choices(replace(self.choices, target=name))

    def with_choices(self, choices: Choices) -> "Dataset":
        """The same table with other choices, cleaned again. Raises as ``make_dataset`` does."""
        frame, findings = self.raw or (self.frame, ())
        return make_dataset(frame, name=self.name, source=self.source, licence=self.licence, findings=findings, choices=choices)

    def split(self, test_size: float = 0.3, seed: int = 0) -> Split:
        """Training and test rows: by the split column, else stratified by class; see ``split_by_column``, ``split_rows``."""
        if self.split_column:
            return split_by_column(self.split_column, self.y, test_size, seed)
        return split_rows(self.y, test_size, seed)

    def split_column_of(self, rows: np.ndarray) -> SplitColumn | None:
        """The column that decides the split, of these rows alone; None where there is none."""
        return self.split_column and replace(self.split_column, values=self.split_column.values[rows])

    def fit_params(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """``groups`` or ``time`` of these rows for ``TSKClassifier.fit``, where the split is by one of them; else nothing.

        With them early stopping chooses its hold-outs as the split chose the test rows.
        """
        names = {"group": "groups", "time": "time"}
        if self.split_column is None or self.split_column.kind not in names:
            return {}
        return {names[self.split_column.kind]: self.split_column.values[rows]}


def make_dataset(
    frame: pd.DataFrame,
    target: str | None = None,
    *,
    name: str = "table",
    source: str = "",
    licence: str = "",
    findings: Iterable[Finding] = (),
    choices: Choices | None = None,
    check: bool = True,
) -> Dataset:
    """Clean and check a table; every source builds its ``Dataset`` here.

    frame: any table, of pandas, polars or pyarrow; target: a column name, or None to use that of ``choices`` or guess it.
    findings: those of reading the table; choices: what a person decided. check: whether to look for what misleads training, which
    means nothing in a table whose columns are known, such as painted points.
    Raises DataError (a target or features that cannot be trained on) or LimitError (too many rows, columns, classes).

    Examples
    --------
    >>> import pandas as pd
    >>> from tsk_core import make_dataset
    >>> pets = make_dataset(pd.DataFrame({"size": [1.5, 3.2, 1.1, 3.9], "kind": ["cat", "dog", "cat", "dog"]}), "kind")
    >>> pets.target, pets.classes
    ('kind', ['cat', 'dog'])
    """
    frame = cast(pd.DataFrame, to_pandas(frame))
    if not len(frame):
        raise DataError("The table has no rows.")
    limits.check("rows", len(frame), "Rows")
    limits.check("columns", frame.shape[1], "Columns")
    name = cut(name)
    choices = choices or Choices()
    target = target if target is not None else choices.target
    raw = frame, tuple(findings)
    frame, early = tidy_names(frame)
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(drop=True)
    if target is None:
        target, reason = likely_target(frame, [name for name, role in choices.roles.items() if role in SPLITS])
        early.append(Finding(f"Took column {quoted(target)} as the target, since {reason}.", kind="note"))
    if target not in frame.columns:
        raise DataError(f"There is no column {quoted(target)}; the columns are {listed(frame.columns, 12)}.")
    choices, ignored = _of_this_table(replace(choices, target=target), frame)
    decided = decide_target(frame[target], choices)
    kept, labels, positions = decided.column.notna().to_numpy(), decided.column, None
    if not kept.all():
        frame, labels = frame[kept].reset_index(drop=True), labels[kept].reset_index(drop=True)
        positions = np.flatnonzero(kept)
    dataset = Dataset(frame, target, name, source, licence, raw=raw, choices=choices, positions=positions)
    return _learned(dataset, labels, decided, [*raw[1], *early, *ignored, *decided.findings], check)


def _learned(dataset: Dataset, labels: pd.Series, target: Target, early: list[Finding], check: bool) -> Dataset:
    """The same dataset, cleaned. Its frame: the rows that have a class, not yet cleaned. early: findings so far."""
    frame, choices = dataset.frame, dataset.choices
    learner, columns, reports = Learner(frame, choices), {}, []
    for column in frame.columns:
        if column == choices.target:
            columns[column] = labels
            reports.append(target.report)
        else:
            features, report = learner.add(frame[column])
            columns |= features
            reports.append(report)
    coded = code_findings(choices.codes, {**learner.coded, dataset.target: target.coded})
    kept = [_kept_words(name, words) for name, words in choices.not_missing.items()]
    findings = [*coded, *kept, *learner.findings]
    if len(columns) < 2:
        varying = tuple(report.name for report in reports if report.role == "ignored" and report.distinct > 1)
        raise _no_feature(dataset.target, findings, varying)
    # Columns that needed no repair share memory with the raw table.
    table = pd.DataFrame(columns, index=frame.index, copy=False)
    settled, positions = settle_repeated(table, dataset.target, choices.repeated, learner.split_column), dataset.positions
    if not settled.kept.all():
        frame, table = (whole[settled.kept].reset_index(drop=True) for whole in (frame, table))
        positions = np.flatnonzero(settled.kept) if positions is None else positions[settled.kept]
    dataset = replace(dataset, frame=table, positions=positions)
    cleaned = replace(dataset, cleaning=learner.cleaning, columns=tuple(reports), split_column=settled.split_column)
    checked = Checked(
        frame, cleaned.X, cleaned.y, dataset.target, choices, learner.cleaning, cleaned.columns, cleaned.split_column, positions
    )
    missing = _missing_findings(cleaned, learner.cleaning)
    found = check_table(checked) if check else ()
    return replace(cleaned, findings=(*early, *findings, *settled.findings, *missing, *found))


def _of_this_table(choices: Choices, frame: pd.DataFrame) -> tuple[Choices, list[Finding]]:
    """The choices about existing columns, and a finding that names the others. The target has no other role."""
    known = set(frame.columns)
    named = (
        *choices.roles, *choices.flags, *choices.missing, *choices.codes, *choices.orders, *choices.spellings,
        *choices.not_missing,
    )  # fmt: skip
    unknown = tuple(dict.fromkeys(name for name in named if name not in known and name != EVERY))
    ignored = []
    if unknown:
        text = f"There is no column {listed(unknown)}."
        ignored.append(Finding(text, "Choices for it are ignored.", kind="warning", columns=unknown))
    roles = {name: role for name, role in choices.roles.items() if name in known and name != choices.target}
    flags, missing = (
        tuple(name for name in names if name in known and name != choices.target) for names in (choices.flags, choices.missing)
    )
    codes = {name: cells for name, cells in choices.codes.items() if name in known or name == EVERY}
    orders = {name: order for name, order in choices.orders.items() if name in roles}
    spellings = tuple(name for name in choices.spellings if name in known)
    words = {name: cells for name, cells in choices.not_missing.items() if name in known}
    kept = replace(
        choices, roles=roles, flags=flags, missing=missing, codes=codes, orders=orders, spellings=spellings, not_missing=words
    )
    return kept, ignored


def _kept_words(column: str, words: tuple[str, ...]) -> Finding:
    fact = f"Column {quoted(column)}: {listed(words)} is no missing value."
    return Finding(fact, "Kept, as you chose.", kind="note", columns=(column,), choice="not_missing", check=NA)


def _no_feature(target: str, findings: list[Finding], varying: tuple[str, ...]) -> NoFeature:
    reasons = " ".join(finding.fact for finding in findings if finding.kind == "left out")
    reasons = f" {reasons}" if reasons else " Is the separator a comma, semicolon, tab or |?"
    return NoFeature(f"No column besides the target {quoted(target)} can be a feature.{reasons}", varying)


def _missing_findings(dataset: Dataset, cleaning: CleaningPipeline) -> list[Finding]:
    """The number of missing values of each column, and which of them depend on the class."""
    missing = {name: where for name in dataset.X.columns if (where := dataset.frame[name].isna().to_numpy(bool)).any()}
    if not missing:
        return []
    counts = {name: int(where.sum()) for name, where in missing.items()}
    total = sum(counts.values())
    most = sorted(counts, key=lambda name: counts[name], reverse=True)
    fact = f"{counted(total, 'cell is', 'cells are')} missing: {with_counts(counts)}."
    done = "Training replaces them by the median or the most frequent category of the column."
    flags = {feature: step.column for step in cleaning.steps if not step.flag for feature in [step.feature]}
    unflagged = {flags[name]: where for name, where in missing.items() if name in flags}
    try:
        train = dataset.split().train
    except DataError:  # too few rows to split; training reports it
        train = np.arange(len(dataset.frame))
    # One offer a column: of numbers, both make a column that marks missing values; a category of its own says more than a mark.
    much = {column: where for column, where in unflagged.items() if where.sum() > MUCH * len(dataset.frame)}
    categories = {step.column for step in cleaning.steps if step.role == "category"}
    rest = {column: where for column, where in unflagged.items() if column not in much or column not in categories}
    informative = informative_missing(rest, dataset.y, train)
    offered = {column for finding in informative for column in finding.columns}
    shares = {column: where.mean() for column, where in much.items() if column not in offered}
    return [Finding(fact, done, columns=tuple(most)), *_mostly_missing(shares), *informative]


def _mostly_missing(shares: dict[str, float]) -> list[Finding]:
    """An offer for columns of which more than a fifth is missing, or none. shares: column -> share that is missing."""
    if not shares:
        return []
    names = ", ".join(f"{quoted(column)} {whole_percent(share)}" for column, share in list(shares.items())[:5])
    more = f" and {len(shares) - 5} more columns" if len(shares) > 5 else ""
    fact = f"More than a fifth of a column is missing: {names}{more}."
    done = "Conditions of rules on such a column rest partly on values that replace missing ones."
    remedy = Remedy("Make missing values a category", {"missing": tuple(shares)})
    return [Finding(fact, done, "Make missing values a category of their own.", "offer", tuple(shares), "missing", remedy=remedy)]


def _fingerprint(frame: pd.DataFrame) -> str:
    """SHA-256 over each column: its name, then its numbers as float64, or its cells as text and what order they have."""
    digest = hashlib.sha256()
    for name in frame.columns:
        column = frame[name]
        digest.update(f"{len(str(name))} {name} {len(column)} ".encode())
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            values = column.to_numpy(dtype="<f8", na_value=np.nan) + 0.0  # one zero and one NaN, of either sign
            digest.update(np.where(np.isnan(values), np.nan, values).astype("<f8").tobytes())
            continue
        codes, words = pd.factorize(printed_column(column))
        digest.update(codes.astype("<i8").tobytes())
        levels = column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered else ()
        for word in (*words, *levels):
            encoded = str(word).encode("utf-8", "surrogatepass")
            digest.update(f"{len(encoded)} ".encode() + encoded)
    return digest.hexdigest()


# Joining: a second file as the test set; both become one table with a column that tells training and test rows apart.


PART = "part (train or test)"  # name of that column


def with_test_rows(train: pd.DataFrame, test: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """One raw table of both, and the name of its column that says train or test; give this column the role "split".

    train, test: raw tables with the same columns, in any order.
    Raises DataError if a table has no rows, or naming the columns that only one table has.
    """
    train, test = tidy_names(train)[0], tidy_names(test)[0]
    for frame, what in ((train, "first"), (test, "test")):
        if not len(frame):
            raise DataError(f"The {what} table has no rows.")
    missing = [name for name in train.columns if name not in set(test.columns)]
    extra = [name for name in test.columns if name not in set(train.columns)]
    if missing or extra:
        differences = [f"{word} {listed(names)}" for word, names in (("lacks", missing), ("has in addition", extra)) if names]
        raise DataError(f"The test table needs the same columns as the first one; it {' and '.join(differences)}.")
    part = fresh_name(PART, set(train.columns))
    both = pd.concat([train, test[train.columns]], ignore_index=True)
    both[part] = pd.Series(np.repeat(["train", "test"], [len(train), len(test)]), dtype="str")
    return both, part
