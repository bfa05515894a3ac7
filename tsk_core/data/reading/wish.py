"""Reading: how a file is to be read, and once it was read, how that was done."""

from dataclasses import dataclass

from tsk_core.data.naming import quoted
from tsk_core.errors import DataError

__all__ = ["COMMENTS", "DELIMITERS", "QUOTES", "Reading"]

DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas", " ": "spaces"}  # comma late: may be decimal
COMMENTS = ("#", "%")
QUOTES = ('"', "'")
_ENCODINGS = {"utf-8-sig": "UTF-8", "cp1252": "Latin-1 (Windows-1252)"}


@dataclass(frozen=True)
class Reading:
    """How a file is read. As a wish, None means find out; as an answer, None means that it does not apply.

    encoding: such as "utf-8". delimiter: one of , ; tab | space. decimal: "." or ",". header: whether the first row holds
    names. quote: " or '. comment: "#" or "%", with which lines begin that are no rows, or "" for none. sheet: of a workbook.
    """

    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header: bool | None = None
    quote: str | None = None
    comment: str | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        """Raise DataError for a wish that no file can be read by."""
        if self.delimiter not in (None, *DELIMITERS):
            raise DataError(f"The separator is {str(self.delimiter)[:20]!r}; it must be a comma, semicolon, tab, | or space.")
        if self.decimal not in (None, ".", ","):
            raise DataError(f"The decimal sign is {str(self.decimal)[:20]!r}; it must be '.' or ','.")
        if self.quote not in (None, *QUOTES):
            raise DataError(f"The quotation mark is {str(self.quote)[:20]!r}; it must be \" or '.")
        if self.comment not in (None, "", *COMMENTS):
            raise DataError(f"The sign of comments is {str(self.comment)[:20]!r}; it must be #, % or nothing.")

    def sentence(self, kind: str = "CSV") -> str:
        """How the file was read, for people; ``kind`` as in ``RawTable``."""
        said = f"{kind} file" if kind in ("ARFF", "Parquet") else f"{kind} workbook"
        parts = [f"Read as {'an' if said[0] in 'AEO' else 'a'} {said}"]
        if kind == "CSV":
            parts = [f"Read as {_ENCODINGS.get(self.encoding, self.encoding.upper())}"]
        if self.delimiter:
            parts.append(f"separated by {DELIMITERS[self.delimiter]}")
        if self.decimal == ",":
            parts.append("decimal comma")
        if self.quote == "'":
            parts.append("cells quoted by '")
        if self.sheet is not None:
            parts.append(f"sheet {quoted(self.sheet)}")
        header = "; it has no header row, so columns are numbered" if self.header is False else ""
        return f"{', '.join(parts)}{header}."
