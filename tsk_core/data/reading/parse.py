"""Bytes of a CSV file into a raw table; also the process in which a stranger's file is parsed.

``python -m tsk_core.data.reading.parse`` reads one JSON line (how to read) and the file from standard input, and writes
one JSON line, {"names", "notes"} or {"error", "kind"}, followed by the table as an Arrow stream. A crash, a full
memory or an endless parse then ends this process and not the app.
"""

import io
import json
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from tsk_core import limits
from tsk_core.data.reading.structure import Reading, Structure, examine
from tsk_core.errors import DataError, TSKError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["parse_bytes", "request"]

_GAP_WORDS = ["", "?", "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "#N/A"]
_COMMA_NUMBER = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*),\d+(e[+-]?\d+)?|[+-]?\d{1,3}(\.\d{3})+", re.IGNORECASE)


def parse_bytes(data: bytes, wish: Reading | None = None) -> tuple["pd.DataFrame", tuple[str, ...]]:
    """A CSV file's raw table, columns named as in its header (repeats allowed), and notes on how it was read.

    Raises DataError or LimitError, see ``examine``.
    """
    structure = examine(data, wish)
    return _table(structure), (structure.reading.sentence(),)


def request(data: bytes, wish: Reading) -> bytes:
    """What to send to the parsing process."""
    return json.dumps(asdict(wish)).encode() + b"\n" + data


def _table(structure: Structure) -> "pd.DataFrame":
    import pandas as pd  # only here: a file that is refused should not wait for it

    reading = structure.reading
    try:
        frame = pd.read_csv(
            io.StringIO(structure.text, newline=""), sep=reading.delimiter, header=0 if reading.header else None,
            names=range(len(structure.names)), index_col=False, decimal=reading.decimal, skipinitialspace=True,
            keep_default_na=False, na_values=_GAP_WORDS, low_memory=False,
        )  # fmt: skip
    except (ValueError, OverflowError) as error:  # pandas' ParserError is a ValueError
        raise DataError(f"This file cannot be read as a table ({str(error).strip().splitlines()[0][:120]}).") from None
    if not len(frame):
        raise DataError("This file has a header row and no data rows.")
    for k in frame.columns[[dtype.kind == "O" for dtype in frame.dtypes]]:
        column = frame[k].map(str, na_action="ignore").astype("str")  # one kind of cell: whole numbers beyond 64 bits are text
        frame[k] = _with_points(column) if reading.decimal == "," else column
    return frame.set_axis(structure.names, axis=1)


def _with_points(text: "pd.Series") -> "pd.Series":
    """Numbers among other text as 1234.5 where the file writes 1.234,5; cells of other kinds as they are."""

    def point(cell: str) -> str:
        return cell.replace(".", "").replace(",", ".") if _COMMA_NUMBER.fullmatch(cell.strip()) else cell

    return text.map(point, na_action="ignore").astype("str")


def _bound_memory() -> None:
    """Let this process allocate no more than its quota."""
    try:
        import resource
    except ImportError:  # Windows has no such limit; the time limit still holds
        return
    most = limits.value("parse_mb") * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _main() -> None:
    _bound_memory()
    try:
        wish = Reading(**json.loads(sys.stdin.buffer.readline()))
        frame, notes = parse_bytes(sys.stdin.buffer.read(), wish)
        answer, table = {"names": list(frame.columns), "notes": notes}, _arrow(frame)
    except TSKError as error:
        answer, table = {"error": str(error), "kind": type(error).__name__}, b""
    except MemoryError:
        message = f"Reading this file needs more than {limits.value('parse_mb'):,} MB of memory; use a smaller one."
        answer, table = {"error": message, "kind": "LimitError"}, b""
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.write(table)


def _arrow(frame: "pd.DataFrame") -> memoryview:
    import pyarrow as pa

    # Arrow wants distinct names; the true ones travel beside the table.
    table = pa.Table.from_pandas(frame.set_axis([str(k) for k in range(frame.shape[1])], axis=1), preserve_index=False)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return memoryview(sink.getvalue())


if __name__ == "__main__":
    _main()
