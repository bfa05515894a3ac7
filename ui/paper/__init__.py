"""The page Paper: the paper's tables and figures beside ours, and what stands behind each number.

shipped.py     where our results come from: shipped, computed on this server, as the authors ran it
controls.py    what is shown: table, view, metric, rows beyond the paper; in the link
contents.py    what each table is made of: ours, the paper's (printed.py), and what to say below
tables.py      the table, coloured by the difference; a click selects a cell
cell.py        a cell: its splits, one of them in Explore
comparison.py  all its splits in Compare, beside another algorithm's
explained.py   how much of the difference the authors' way of running it explains
missing.py     computing what a cell lacks
headline.py    the result in four sentences
differences.py what we could not reproduce, what could not be known, misprints
testing.py     ranks, tests and intervals over datasets
pairs.py       two algorithms, paired by split
equations.py   the paper's equations with a model's numbers
figures.py     the figures
drawing.py     a chart on the page, larger on a projector
presenter.py   presenter mode
"""
