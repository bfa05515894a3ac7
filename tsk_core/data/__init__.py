"""The data layer: turns a table into a ``Dataset`` or into encoded numbers.

Names load on first use (PEP 562), so that the process that reads files does not load pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsk_core.data.choices import Choices
    from tsk_core.data.clean import CleaningPipeline, ColumnReport, bin_edges
    from tsk_core.data.clean.target import likely_target
    from tsk_core.data.dataset import Dataset, guess_target, make_dataset
    from tsk_core.data.encoding import Encoder
    from tsk_core.data.finding import Finding
    from tsk_core.data.gallery import dataset_names, load_dataset, titles
    from tsk_core.data.joining import with_test_rows
    from tsk_core.data.reading import RawTable, ReadOptions, read_csv, read_table
    from tsk_core.data.splitting import Split, SplitColumn

__all__ = [
    "Choices",
    "ColumnReport",
    "Dataset",
    "Encoder",
    "Finding",
    "SplitColumn",
    "RawTable",
    "ReadOptions",
    "CleaningPipeline",
    "Split",
    "bin_edges",
    "dataset_names",
    "fresh_name",
    "guess_target",
    "likely_target",
    "load_dataset",
    "make_dataset",
    "read_csv",
    "read_table",
    "titles",
    "to_csv",
    "with_test_rows",
]

_MODULES = {
    "Choices": "choices",  # what a person decided about a table
    "ColumnReport": "clean",  # how one column is used
    "Dataset": "dataset",  # a named table with its target
    "Encoder": "encoding",  # table -> float64 columns, imputed and one-hot
    "Finding": "finding",  # one line of the data check
    "SplitColumn": "splitting",  # a column that decides the split
    "RawTable": "reading",  # the table of a file, before any choices
    "ReadOptions": "reading",  # how a file is read
    "CleaningPipeline": "clean",  # how a table was cleaned; cleans new rows in the same way
    "Split": "splitting",  # indices of training and test rows
    "bin_edges": "clean",  # where a numeric target is cut into classes
    "dataset_names": "gallery",  # every name that load_dataset knows
    "fresh_name": "clean.names",  # a column name that no column has
    "guess_target": "dataset",  # the column that is most likely the class
    "likely_target": "clean.target",  # the same, and why
    "load_dataset": "gallery",  # a gallery table, or a CSV of TSK_DATA_DIR
    "make_dataset": "dataset",  # any table -> cleaned and checked Dataset
    "read_csv": "reading",  # bytes or a path -> Dataset
    "read_table": "reading",  # bytes or a path -> RawTable
    "titles": "gallery",  # display titles of those names
    "to_csv": "export",  # a table -> CSV that no spreadsheet runs as code
    "with_test_rows": "joining",  # a second file as the test set
}


def __getattr__(name: str) -> Any:
    """Load a public name's module when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
