"""Tasks: what a worker can be asked to do. A task is a small picklable object with ``run(context)``.

Importing this package loads no torch; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
