"""The types of rows and labels that are passed in; ``Encoder`` and ``estimators.validation`` say which values they may have."""

from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Features", "Labels", "Rows"]

Features: TypeAlias = Union["pd.DataFrame", ArrayLike]  # X as people pass it: (N, features)
Rows: TypeAlias = Union["pd.DataFrame", np.ndarray]  # the same, checked
Labels: TypeAlias = Union["pd.Series[Any]", ArrayLike]  # y: (N,)
