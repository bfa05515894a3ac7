"""Live: what is recorded of a training while it runs, and the messages in which a browser gets it.

Importing this package loads no torch; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
