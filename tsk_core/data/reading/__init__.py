"""Reading a file of a stranger's into a table. The map: what is in a file decides how it is read, never its name.

Names load on first use, so that the process that reads files starts without pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsk_core.data.reading.pool import warm
    from tsk_core.data.reading.table import RawTable, read_csv, read_table
    from tsk_core.data.reading.wish import Reading

__all__ = ["RawTable", "Reading", "read_csv", "read_table", "warm"]

_HOMES = {
    "RawTable": "table",  # a file's table before anyone decided anything
    "Reading": "wish",  # how a file is read
    "read_csv": "table",  # bytes or a path -> Dataset
    "read_table": "table",  # bytes or a path -> RawTable
    "warm": "pool",  # have a process ready
}


def __getattr__(name: str) -> Any:
    """Load a public name's module when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
