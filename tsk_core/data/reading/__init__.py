"""Reading an untrusted file into a table. The content of a file decides how it is read, never its name.

Names load on first use, so that the process that reads files does not load pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsk_core.data.reading.pool import warm
    from tsk_core.data.reading.read_options import ReadOptions
    from tsk_core.data.reading.table import RawTable, read_csv, read_table

__all__ = ["RawTable", "ReadOptions", "read_csv", "read_table", "warm"]

_MODULES = {
    "RawTable": "table",  # the table of a file, before any choices
    "ReadOptions": "read_options",  # how a file is read
    "read_csv": "table",  # bytes or a path -> Dataset
    "read_table": "table",  # bytes or a path -> RawTable
    "warm": "pool",  # start a reading process ahead of need
}


def __getattr__(name: str) -> Any:
    """Load a public name's module when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
