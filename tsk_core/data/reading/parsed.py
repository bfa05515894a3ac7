"""Parsed: a file's table as the process that reads it hands it over."""

from dataclasses import dataclass, field, replace

import pyarrow as pa

from tsk_core.data.finding import Finding
from tsk_core.data.reading.wish import Reading

__all__ = ["Parsed"]


@dataclass(frozen=True)
class Parsed:
    """A raw table. table: columns called "0", "1" and so on; names: what the file calls them, repeats and "" allowed.

    reading: as done. kind: "CSV", "Excel", "OpenDocument", "ARFF" or "Parquet". sheets: names of a workbook's.
    """

    table: pa.Table
    names: list[str]
    reading: Reading
    kind: str
    sheets: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    def without_empty_edge(self) -> "Parsed":
        """Without columns that have neither a name nor a cell, such as a separator at the end of each row makes."""
        table = self.table
        empty = [k for k, column in enumerate(table.columns) if column.null_count == len(table)]
        numbered = self.reading.header is False
        gone = {len(self.names) - 1} & set(empty) if numbered else {k for k in empty if not self.names[k].strip()}
        if not gone or len(gone) == table.num_columns:
            return self
        columns = "a column" if len(gone) == 1 else f"{len(gone)} columns"
        said = Finding(f"Left out {columns} without a name and without cells.", kind="read")
        kept = [k for k in range(table.num_columns) if k not in gone]
        return replace(self, table=table.select(kept), names=[self.names[k] for k in kept], findings=(*self.findings, said))
