"""Tuning: the search for good settings by cross-validation on training rows.

portfolio.py  settings that cover many tables
trial.py      a candidate and its scores
race.py       candidates trained side by side, the worse half dropped
search.py     portfolio, halving, refinement
"""
