"""Runs: what a task leaves in its folder, and the ledger of all of them.

store.py         RunStore, which callers use: the folder of runs with its ledger and housekeeping
ledger.py        the table of runs; schema.py: its rows and columns; tables_file.py: a file of tables for several processes
housekeeping.py  what is deleted and when: recovery after a kill, deletion by an owner, the limit on disk space
folder.py        the files of one run; files.py: how files are written and read; splits.py: its rows
result.py        what a run left; rule_texts.py: the file of its readable rules; rows.py: its table, encoded
predictions.py   the file of its predictions for the test rows; paired.py: two runs on the same test rows;
                 decided.py: a decision with costs on them
methods.py       its methods paragraph; search.py: what found its settings
records.py       the series of records of a run, and their files
identity.py      which dataset it was; reproduction.py: how to repeat it; archive.py: a zip of it all

Importing this package loads neither torch nor pandas; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
