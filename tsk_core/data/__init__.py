"""The data layer: turns a table into a ``Dataset`` or into encoded numbers.

Names load on first use, so that the process that reads files does not load pandas.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
