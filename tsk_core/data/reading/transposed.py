"""Tables whose rows are features and whose columns are cases: recognised by rows of numbers beside rows of categories."""

from csv import writer
import io
from dataclasses import replace

import pyarrow as pa

from tsk_core import limits
from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed
from tsk_core.data.number_text import number_span, with_point
from tsk_core.data.reading.delimited import delimited_table
from tsk_core.data.reading.parsed import Parsed
from tsk_core.data.reading.read_options import ReadOptions
from tsk_core.data.reading.sample import is_transposed, names_classes
from tsk_core.data.reading.structure import examine
from tsk_core.numbers import counted

__all__ = ["upright"]

_LEAST_CASES = 3


def upright(parsed: Parsed) -> Parsed:
    """The table with its rows as columns, if these are features; else as it is."""
    table = parsed.table
    if table.num_columns <= _LEAST_CASES or not len(table) < limits.value("columns"):
        return parsed
    of_classes = bool(parsed.read_options.header) and names_classes(parsed.names[0])
    if not all(pa.types.is_string(column.type) for column in (table.columns[:1] if of_classes else table.columns)):
        return parsed  # a case has cells of several kinds
    names = [_with_points(parsed)] if parsed.read_options.header else []
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in table.columns]
    rows = [*names, *([cells[k] for cells in columns] for k in range(len(table)))]
    if not is_transposed(rows, bool(names), of_classes):
        return parsed
    out = io.StringIO()
    writer(out).writerows(zip(*rows, strict=True))
    options = ReadOptions("utf-8", ",", ".", True, '"', "")
    structure = examine(io.BytesIO(out.getvalue().encode()), 0, "utf-8", options)
    fact = f"The table is transposed: {counted(len(rows), 'row')}, such as {listed([row[0] for row in rows[-2:]])}, are features"
    note = Finding(f"{fact}, and the columns are cases.", "Used the rows as columns.")
    return replace(parsed, table=delimited_table(structure), names=structure.names, findings=(*parsed.findings, note))


def _with_points(parsed: Parsed) -> list[str]:
    """The first row, its numbers with a decimal point, as those of the other rows have by now."""
    if parsed.read_options.decimal != ",":
        return parsed.names
    spans = [number_span(name.strip()) for name in parsed.names]
    return [with_point(name.strip(), span) if span else name for name, span in zip(parsed.names, spans, strict=True)]
