"""Recounting: what the pages print, computed again from the raw rows, without the code that printed it.

``python -m tests.recount`` trains on six tables, reads what cards and report print, and counts again; CSV files whose last column
is the class may be named instead.

tables.py       the tables, as files that a reader has
sentences.py    the IF part of a printed rule, looked up in raw rows; model.py: the exported rules (JSON), computed with numpy
arithmetic.py   scores and intervals by their textbook formulas
html.py         the text of a report; lines.py: a number as printed and as recounted
scores.py       the report's scores, counts and methods; rules.py: its cards, the CSV and the rule list
pages.py        trains, and brings all of these together
"""
