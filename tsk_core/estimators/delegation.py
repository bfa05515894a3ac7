"""Methods of a fitted model as methods of its classifier."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sklearn.utils.validation import check_is_fitted

from tsk_core.estimators.fitted import FittedModel

if TYPE_CHECKING:
    from tsk_core.estimators.classifier import TSKClassifier

__all__ = ["of_model"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def of_model(method: Callable[Concatenate[FittedModel, _P], _T]) -> "Callable[Concatenate[TSKClassifier, _P], _T]":
    """A method of the fitted model as a method of its classifier; it raises NotFittedError before ``fit``."""

    @wraps(method)
    def of_classifier(self: "TSKClassifier", /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        check_is_fitted(self)
        return method(self.model_, *args, **kwargs)

    return of_classifier
