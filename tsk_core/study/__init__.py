"""The paper's experiment: eleven algorithms on twelve datasets, 30 splits, and what is made of the results.

names.py       the datasets and algorithms, as the paper prints them
parts.py       the splits
results.py     results.csv: what was found, and need not be computed again
protocol.py    the MBGD family by the paper's protocol; again.py: its settings, and those that train a result's model again
authors.py     the same as the authors' published code does it
others.py      all other algorithms by name, and what each lacks here: classical.py, fcm_lse.py, weka/, ebm.py, ours.py
running.py     cells computed here, in processes, or on a Dask cluster; units.py: what is missing, parted for them
published.py   what the paper prints, from published.csv, and where it contradicts itself
statistics.py  means, ranks, and tests over datasets and splits
figures/       the figures, from the same trainings
tables.py      the tables that are made of results (table.py, comparison_tables.py); written_tables.py: CSV, Markdown, LaTeX
worked.py      the paper's equations with the numbers of one trained model

Importing this package loads neither torch nor pandas; each name loads its file when first used.
"""

from importlib import import_module

_MODULES = {
    **dict.fromkeys(("ALGORITHMS", "BEYOND", "BN_VARIANTS", "COMPARABLE", "DATASETS", "MBGD", "PAPER", "TUNED"), "names"),
    **dict.fromkeys(("Algorithm", "parse_algorithms", "parse_datasets"), "names"),
    **dict.fromkeys(("TEST_SIZE", "SplitData", "split_data"), "parts"),
    **dict.fromkeys(("AUTHORS_FILE", "FILE", "Key", "Result", "append_results", "read_results"), "results"),
    **dict.fromkeys(("final_config", "protocol_config"), "again"),
    **dict.fromkeys(("MISPRINTS", "SOURCES", "Misprint", "Source", "printed_averages", "printed_p_values"), "published"),
    **dict.fromkeys(("printed_ranks", "printed_scores", "printed_sizes"), "published"),
    **dict.fromkeys(("CriticalDifference", "Dunn", "Friedman", "SignedRank", "average_ranks", "complete"), "statistics"),
    **dict.fromkeys(("critical_difference", "dunn", "friedman", "left_out", "mean_scores", "paired", "ranks"), "statistics"),
    **dict.fromkeys(("sd_scores", "signed_rank", "split_counts", "split_scores"), "statistics"),
    **dict.fromkeys(("TABLES", "dataset_sizes", "make_tables"), "tables"),
    "Table": "table",
    "write_tables": "written_tables",
    "availability": "others",
    "compute": "running",
    "work_out": "worked",
}

__all__ = list(_MODULES)


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
