"""Where tasks run: in worker processes of a Dask cluster. Knows the task protocol, and nothing of training.

Importing this package loads neither Dask nor torch; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
