"""The paper's experiment: eleven algorithms on twelve datasets, 30 splits, and what is made of the results.

Importing this package loads neither torch nor pandas; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
