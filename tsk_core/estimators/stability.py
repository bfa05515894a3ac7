"""rule_stability: whether the rules of a classifier come back when it is trained again.

The underscore keeps ``tsk_core.rule_stability`` the function: a module of that name would take its place once it is imported.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tsk_core.data.encoding import class_indices
from tsk_core.errors import SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.fit_many import fit_many
from tsk_core.explain import RuleStability, sentences_of, stability_of, words_by_feature

__all__ = ["again", "rule_stability", "stability_by_length"]


def rule_stability(classifier: TSKClassifier, X: Any, y: Any, n: int = 10, *, max_antecedents: int = 5) -> RuleStability:
    """Train the classifier's settings 2n + 1 times, side by side, and count how often each of its rules comes back.

    X, y: the training rows, as for ``fit``; the classifier need not be fitted, and is left as it is. Once with its own seed: its
    rules, by their number. n times with other seeds on the same rows, and n times with its own seed on rows drawn with
    replacement. Two rules count as one where they share the class and half of their terms, such as "petal length is low" (Dice
    ≥ 0.5). Rules have their ``max_antecedents`` strongest conditions, 1 to 12, as in ``rules``. All share one encoding.

    Returns a ``RuleStability``: ``print`` it, or read ``.seeds.times[3]`` of Rule 3. Raises SettingError or DataError.
    """
    _check("n", n)
    _check("max_antecedents", max_antecedents)
    seed = getattr(classifier, "seed_", 0) if classifier.random_state is None else classifier.random_state
    settings = classifier.get_params(deep=False) | {"random_state": seed if hasattr(seed, "__index__") else 0}
    own = TSKClassifier(**settings)
    models, rows = again(settings, len(y), n)
    fit_many([own, *models], X, y, rows=[np.arange(len(y)), *rows], threads=1)
    return stability_by_length(own, models, rows, X, y)[max_antecedents - 1]


def again(settings: dict[str, Any], n_rows: int, n: int) -> tuple[list[TSKClassifier], list[np.ndarray]]:
    """The classifiers to train again, and the rows of each: n with other seeds on all rows, then n with the same seed on
    bootstrap samples. settings: of the classifier, its seed s among them; the others are s + 1, …, s + n.
    """
    seed = int(settings["random_state"])
    random, every = np.random.default_rng(seed), np.arange(n_rows)
    models = [TSKClassifier(**settings | {"random_state": seed + k}) for k in range(1, n + 1)]
    models += [TSKClassifier(**settings) for _ in range(n)]
    return models, [every] * n + [np.sort(random.integers(0, n_rows, n_rows)) for _ in range(n)]


def stability_by_length(
    own: TSKClassifier, models: Sequence[TSKClassifier], rows: Sequence[np.ndarray], X: Any, y: Any
) -> list[RuleStability]:
    """How often the rules of ``own`` come back in models trained as ``again`` says, with at most 1, 2, … 12 conditions.

    X, y: the rows that ``rows`` are positions of; all models have the same encoding.
    """
    Z, y_index, source = own.model_.encoded(X), class_indices(own.classes_, np.asarray(y)), own.to_dict()
    words, half = words_by_feature(source["columns"], Z), len(models) // 2
    first = sentences_of(source, Z, y_index, words)
    said = [sentences_of(model.to_dict(), Z[part], y_index[part], words) for model, part in zip(models, rows, strict=True)]
    return [stability_of(first, said[:half], said[half:], most) for most in range(1, 13)]


def _check(name: str, value: Any) -> None:
    most = 12 if name == "max_antecedents" else 100
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 1 <= value <= most:
        raise SettingError(f"{name} is {value!r}; it must be a whole number from 1 to {most}.")
