"""Tuning: good settings found by cross-validation on training rows.

portfolio.py       settings that cover many tables
trial.py           a candidate and its scores
fold_trainings.py  candidates × folds, trained side by side
tuner.py           portfolio, halving, refinement, within a budget of seconds
"""
