"""Tests of the widget and of the notebooks; those in a browser share one."""
