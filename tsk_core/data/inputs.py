"""The types of what a table may be passed as; ``validation`` and ``Encoder`` say which values it may have."""

from typing import TYPE_CHECKING, Any, TypeAlias, Union

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Features", "Labels"]

Features: TypeAlias = Union["pd.DataFrame", ArrayLike]  # X: (N, features)
Labels: TypeAlias = Union["pd.Series[Any]", ArrayLike]  # y: (N,)
