"""Runs: what a task leaves in its folder, and the ledger of all of them.

store.py         RunStore, which callers use: the folder of runs with its ledger and housekeeping
ledger.py        the table of runs; schema.py: its rows and columns
housekeeping.py  what is deleted and when: recovery after a kill, deletion by an owner, the limit on disk space
folder.py        the files of one run; files.py: how files are written and read; splits.py: its rows
result.py        what a run left; rule_texts.py: the file of its readable rules; rows.py: its table, encoded
predictions.py   the file of its predictions for the test rows; paired.py: two runs on the same test rows
methods.py       its methods paragraph
records.py       the series of records of a run; snapshots.py: one of them, the rules at some epochs
identity.py      which dataset it was; reproduction.py: how to repeat it; archive.py: a zip of it all

Importing this package loads neither torch nor pandas; each name loads its file when first used.
"""

from importlib import import_module

__all__ = [
    "CITATION", "DiskSpace", "PairedRuns", "Record", "Result", "RunRows", "RunStore", "as_rules", "as_snapshot", "has_dataset",
    "methods_text", "model_archive", "paired_runs", "read_json", "same_dataset",
]  # fmt: skip

_MODULES = {
    "CITATION": "methods", "DiskSpace": "housekeeping", "PairedRuns": "paired", "Record": "schema", "Result": "result",
    "RunRows": "rows", "RunStore": "store", "as_rules": "snapshots", "as_snapshot": "snapshots", "has_dataset": "identity",
    "methods_text": "methods", "model_archive": "archive", "paired_runs": "paired", "read_json": "files",
    "same_dataset": "identity",
}  # fmt: skip


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
