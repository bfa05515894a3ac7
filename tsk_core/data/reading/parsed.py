"""ReadOptions: how to read a file, and how it was read; Parsed: its table as the reading process returns it."""

from dataclasses import dataclass, field, replace

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.findings import Finding
from tsk_core.data.naming import quoted
from tsk_core.errors import DataError

# ReadOptions: how to read a file, and how it was read.


DELIMITERS = {
    "\t": "tabs",
    ";": "semicolons",
    "|": "vertical bars",
    ",": "commas",
    " ": "spaces",
}  # comma late: it may be a decimal sign
COMMENTS = ("#", "%")
QUOTES = ('"', "'")
MISSING_WORDS = ("", "?", "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "#N/A")  # for a missing value
_ENCODINGS = {"utf-8-sig": "UTF-8", "cp1252": "Latin-1 (Windows-1252)"}


@dataclass(frozen=True)
class ReadOptions:
    """How a file is read. In a request, None means detect; in a result, None means that the option does not apply.

    encoding: such as "utf-8". delimiter: one of , ; tab | space. decimal: "." or ",". header: whether the first row has
    names. quote: " or '. comment: "#" or "%", which begins comment lines, or "" for none. sheet: of a workbook.
    """

    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header: bool | None = None
    quote: str | None = None
    comment: str | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        """Raise DataError for an unsupported option."""
        if self.delimiter not in (None, *DELIMITERS):
            raise DataError(f"The separator is {str(self.delimiter)[:20]!r}; it must be a comma, semicolon, tab, | or space.")
        if self.decimal not in (None, ".", ","):
            raise DataError(f"The decimal sign is {str(self.decimal)[:20]!r}; it must be '.' or ','.")
        if self.quote not in (None, *QUOTES):
            raise DataError(f"The quotation mark is {str(self.quote)[:20]!r}; it must be \" or '.")
        if self.comment not in (None, "", *COMMENTS):
            raise DataError(f"The comment character is {str(self.comment)[:20]!r}; it must be #, % or nothing.")

    def sentence(self, kind: str = "CSV") -> str:
        """How the file was read, as a sentence; ``kind`` as in ``RawTable``."""
        name = f"{kind} file" if kind in ("ARFF", "Parquet") else f"{kind} workbook"
        phrases = [f"Read as {'an' if name[0] in 'AEO' else 'a'} {name}"]
        if kind == "CSV" and self.encoding:
            phrases = [f"Read as {_ENCODINGS.get(self.encoding, self.encoding.upper())}"]
        if self.delimiter:
            phrases.append(f"separated by {DELIMITERS[self.delimiter]}")
        if self.decimal == ",":
            phrases.append("decimal comma")
        if self.quote == "'":
            phrases.append("cells quoted by '")
        if self.sheet is not None:
            phrases.append(f"sheet {quoted(self.sheet)}")
        header = "; no header row, so the columns are numbered" if self.header is False else ""
        return f"{', '.join(phrases)}{header}."


@dataclass(frozen=True)
class Parsed:
    """A raw table. table: columns named "0", "1" and so on; names: those of the file, repeats and "" allowed.

    read_options: as used. kind: "CSV", "Excel", "OpenDocument", "ARFF" or "Parquet". sheets: names in a workbook.
    """

    table: pa.Table
    names: list[str]
    read_options: ReadOptions
    kind: str
    sheets: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    def check_size(self) -> None:
        """Raise LimitError where the table would take more memory than one may. Asked before it leaves the reading process."""
        limits.check("table_cells", len(self.table) * self.table.num_columns, "Cells of this table")
        limits.check("table_mb", sum(map(_bytes, self.table.columns)) / 1e6, "Megabytes of this table in memory")

    def without_empty_edge(self) -> "Parsed":
        """Without columns that have neither a name nor a cell; a separator at the end of each row makes such a column."""
        table = self.table
        empty = [k for k, column in enumerate(table.columns) if column.null_count == len(table)]
        numbered = self.read_options.header is False
        dropped = {len(self.names) - 1} & set(empty) if numbered else {k for k in empty if not self.names[k].strip()}
        if not dropped or len(dropped) == table.num_columns:
            return self
        columns = "a column" if len(dropped) == 1 else f"{len(dropped)} columns"
        note = Finding(f"Left out {columns} without a name and without cells.", kind="note")
        kept = [k for k in range(table.num_columns) if k not in dropped]
        return replace(self, table=table.select(kept), names=[self.names[k] for k in kept], findings=(*self.findings, note))


def _bytes(column: pa.ChunkedArray) -> int:
    """The memory of a column in pandas, which has a byte for each truth value, and 8 for the place where each text begins."""
    if pa.types.is_boolean(column.type):
        return len(column)
    return column.nbytes + (4 * len(column) if pa.types.is_string(column.type) else 0)
