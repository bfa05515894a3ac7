"""Notebook: a training and its model in Jupyter, Colab, VS Code and marimo, with the charts, samples and rules of the page.

The browser draws with the modules of the page (``ui/client``). Importing this package loads none of it.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
