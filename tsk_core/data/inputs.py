"""The types of rows and labels that are passed in; ``Encoder`` and ``estimators.validation`` say which values they may have."""

from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Features", "Labels", "Rows", "rows_of", "to_pandas"]

Features: TypeAlias = Union["pd.DataFrame", ArrayLike]  # X as people pass it: (N, features); a table of Arrow too
Rows: TypeAlias = Union["pd.DataFrame", np.ndarray]  # the same, checked
Labels: TypeAlias = Union["pd.Series[Any]", ArrayLike]  # y: (N,)


def to_pandas(X: Features) -> Features:
    """A table of another library that gives its columns as Arrow, such as polars or pyarrow, as a DataFrame with their names.

    Anything else is returned as it is.
    """
    import pandas as pd

    if isinstance(X, pd.DataFrame) or not (hasattr(X, "__arrow_c_stream__") and hasattr(X, "columns")):
        return X
    frame: pd.DataFrame = pd.DataFrame.from_arrow(X)  # type: ignore[attr-defined]  # of pandas 3, which pandas-stubs lacks
    return frame


def rows_of(X: Features) -> Rows:
    """Rows as a DataFrame where they are a table of any library, else as an array. DataError for a sparse matrix."""
    import pandas as pd
    from scipy.sparse import issparse

    if issparse(X):
        raise DataError("X is a sparse matrix; pass X.toarray().")
    X = to_pandas(X)
    return X if isinstance(X, pd.DataFrame) else np.asarray(X)
