"""Predictions with a finished model: a table of new rows (prediction.py), one new row (new_row.py)."""
