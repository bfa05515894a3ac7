"""ReadOptions: how to read a file, and how it was read."""

from dataclasses import dataclass

from tsk_core.data.naming import quoted
from tsk_core.errors import DataError

__all__ = ["COMMENTS", "DELIMITERS", "MISSING_WORDS", "QUOTES", "ReadOptions"]

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
