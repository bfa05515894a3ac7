"""Predicting new rows by a run that ended: those of a file, or one that is typed in."""

from ui.predict.panel import predict_panel

__all__ = ["predict_panel"]
