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

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
