"""Predictions of new rows with the model of a run: the rows of a file, or one row that is typed in."""

from ui.predict.panel import predict_panel

__all__ = ["predict_panel"]
