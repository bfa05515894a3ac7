"""Notebook: a training and its model in Jupyter, Colab, VS Code and marimo, with the charts, samples and rules of the page.

watching.py      ``watch`` trains and shows, ``show`` shows a fitted classifier
watched_run.py   the records of one training, as the browser's messages
shown_rows.py    the rows that the browser draws, and that rules are summarised on
view.py          the widget, and how a notebook displays it
client_file.py   the widget's JavaScript, one file
saved_copy.py    what a saved notebook shows where no kernel runs

The browser draws with the modules of the page (``ui/client``). Importing this package loads none of it.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
