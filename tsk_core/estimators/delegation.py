"""What the files below ``classifier.py`` need of a classifier, and the methods that it hands on to its fitted model."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from sklearn.utils.validation import check_is_fitted

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.estimators.fitted import FittedModel

__all__ = ["Classifier", "of_model"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Classifier(Protocol):
    """A ``TSKClassifier``, which stands above: its settings, and what a training gives it."""

    model_: FittedModel
    history_: list[Epoch]
    search_history_: list[Epoch]

    def training_config(self) -> TrainConfig:
        """The settings of a training that starts now, with its seed."""
        ...


def of_model(method: Callable[Concatenate[FittedModel, _P], _T]) -> Callable[Concatenate[Classifier, _P], _T]:
    """A method of the fitted model as a method of its classifier; it raises NotFittedError before ``fit``."""

    @wraps(method)
    def of_classifier(self: Classifier, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        check_is_fitted(self)
        return method(self.model_, *args, **kwargs)

    return of_classifier
