"""Parsed: the table of a file as the reading process returns it."""

from dataclasses import dataclass, field, replace

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.finding import Finding
from tsk_core.data.reading.read_options import ReadOptions

__all__ = ["Parsed"]


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
