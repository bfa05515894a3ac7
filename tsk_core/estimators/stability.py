"""rule_stability: whether the rules of a classifier come back when it is trained again.

The underscore keeps ``tsk_core.rule_stability`` the function: a module of that name would take its place once it is imported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from tsk_core.data.encoding import class_indices
from tsk_core.data.inputs import Features, Labels, Rows
from tsk_core.errors import SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.fit_many import fit_many
from tsk_core.estimators.validation import select_rows
from tsk_core.explain import RuleStability, sentences_of, stability_of, words_by_feature
from tsk_core.simplify import Options

__all__ = ["resampled", "rule_stability", "simplify_each", "stability_by_length"]


def rule_stability(classifier: TSKClassifier, X: Features, y: Labels, n: int = 10, *, max_antecedents: int = 5) -> RuleStability:
    """Train the classifier's settings 2n + 1 times, side by side, and count how often each of its rules comes back.

    X, y: the training rows, as for ``fit``; the classifier need not be fitted, and is left as it is. Once with its own seed: its
    rules, by their number. n times with other seeds on the same rows, and n times with its own seed on rows drawn with
    replacement. Two rules count as one where they share the class and half of their terms, such as "petal length is low" (Dice
    ≥ 0.5). Rules have their ``max_antecedents`` strongest conditions, 1 to 12, as in ``rules``. All share one encoding.

    A simplified classifier is trained from the start each time: the full model, then the same simplifications. Where a search
    found the size of the rule base, each training is simplified to that size; the search is not repeated.

    Returns a ``RuleStability``: ``print`` it, or read ``.seeds.times[3]`` of Rule 3. Raises SettingError or DataError, the first
    also where the classifier was simplified without certain rules, since these have other numbers in another training.
    """
    _check("n", n)
    _check("max_antecedents", max_antecedents)
    settings, options = _trainings(classifier)
    X, y = X if isinstance(X, pd.DataFrame) else np.asarray(X), np.asarray(y)
    models, rows = resampled(settings, len(y), n)
    models, rows = [TSKClassifier(**settings), *models], [np.arange(len(y)), *rows]
    fit_many(models, X, y, rows=rows, threads=1)
    own, *others = simplify_each(models, rows, X, y, options)
    return stability_by_length(own, others, rows[1:], X, y)[max_antecedents - 1]


def _trainings(classifier: TSKClassifier) -> tuple[dict[str, Any], tuple[Options, ...]]:
    """The settings of a training, a seed among them, and the simplifications that follow."""
    fitted = hasattr(classifier, "model_")
    if fitted and (pipeline := classifier.pipeline_) is not None:
        pipeline.check_repeatable()
        return pipeline.config.to_dict(), pipeline.options
    seed = classifier.random_state
    if not hasattr(seed, "__index__"):
        seed = classifier.seed_ if fitted else 0
    return classifier.get_params(deep=False) | {"random_state": seed}, ()


def resampled(settings: dict[str, Any], n_rows: int, n: int) -> tuple[list[TSKClassifier], list[np.ndarray]]:
    """The classifiers to train again, and the rows of each: n with other seeds on all rows, then n with the same seed on
    bootstrap samples. settings: of the classifier, its seed s among them; the others are s + 1, …, s + n.
    """
    seed = int(settings["random_state"])
    random, every = np.random.default_rng(seed), np.arange(n_rows)
    models = [TSKClassifier(**settings | {"random_state": seed + k}) for k in range(1, n + 1)]
    models += [TSKClassifier(**settings) for _ in range(n)]
    return models, [every] * n + [np.sort(random.integers(0, n_rows, n_rows)) for _ in range(n)]


def simplify_each(
    models: Iterable[TSKClassifier],
    rows: Iterable[np.ndarray],
    X: Rows,
    y: np.ndarray,
    options: Sequence[Options],
    fit_params: Mapping[str, np.ndarray] | None = None,
) -> Iterator[TSKClassifier]:
    """Each fitted model, simplified with each of the options in turn on its rows of X and y.

    fit_params: groups or times of all rows, by the names that ``simplify`` has for them.
    """
    for model, part in zip(models, rows, strict=True):
        given = {name: values[part] for name, values in (fit_params or {}).items()}
        for one in options:
            model = model.simplify(select_rows(X, part), y[part], **given, **asdict(one))
        yield model


def stability_by_length(
    own: TSKClassifier, models: Sequence[TSKClassifier], rows: Sequence[np.ndarray], X: Features, y: Labels
) -> list[RuleStability]:
    """How often the rules of ``own`` come back in models trained as ``resampled`` says, with at most 1, 2, … 12 conditions.

    X, y: the rows that ``rows`` are positions of; all models have the same encoding.
    """
    Z, y_index, source = own.model_.encoded(X), class_indices(own.classes_, np.asarray(y)), own.to_dict()
    words, n = words_by_feature(source["columns"], Z), len(models) // 2
    reference = sentences_of(source, Z, y_index, words)
    others = [sentences_of(model.to_dict(), Z[part], y_index[part], words) for model, part in zip(models, rows, strict=True)]
    return [stability_of(reference, others[:n], others[n:], most) for most in range(1, 13)]


def _check(name: str, value: Any) -> None:
    most = 12 if name == "max_antecedents" else 100
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 1 <= value <= most:
        raise SettingError(f"{name} is {value!r}; it must be a whole number from 1 to {most}.")
