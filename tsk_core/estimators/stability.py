"""rule_stability: whether the rules of a classifier come back when it is trained again.

The underscore keeps ``tsk_core.rule_stability`` the function: a module of that name would take its place once it is imported.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import column_or_1d

from tsk_core.data.encoding import Features, Labels, class_indices, rows_of
from tsk_core.errors import SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.fit_many import fit_many
from tsk_core.estimators.validation import check_groups
from tsk_core.explain import RuleStability, sentences_of, stability_of, words_by_feature
from tsk_core.explain.antecedents import LONGEST
from tsk_core.setting_values import check_whole, later_seed


def rule_stability(
    classifier: TSKClassifier,
    X: Features,
    y: Labels,
    n: int = 10,
    *,
    max_antecedents: int = 5,
    groups: ArrayLike | None = None,
) -> RuleStability:
    """Train 2n + 1 classifiers with these settings, side by side, and count how often each rule comes back.

    Once with its own seed: its rules, by their number. n times with other seeds on the same rows, and n times with its own seed
    on rows drawn with replacement. Two rules count as one where they have the same class and similar conditions: the Dice
    coefficient of their terms, such as "petal length is low", is at least 0.5. All share one encoding. The count by chance: the
    same, after the conditions of each other training have been shuffled among its rules, feature by feature.

    Parameters
    ----------
    classifier : TSKClassifier
        Its settings count; it need not be fitted, and is left as it is.
    X, y : (N, features), (N,)
        The training rows, as for ``fit``.
    n : int, default 10
        Trainings with other seeds, and as many on rows drawn with replacement; 1 to 100.
    max_antecedents : int, default 5
        How many conditions of a rule count, the strongest; 1 to 12.
    groups : array, (N,), optional
        Rows that belong together, as for ``fit``: whole groups are drawn with replacement.

    Returns
    -------
    RuleStability
        ``print`` it, or read ``.seeds.times[3]`` of Rule 3, and ``.seeds.chance[3]``.

    Raises
    ------
    SettingError, DataError

    Examples
    --------
    >>> from tsk_core import TSKClassifier, load_dataset, rule_stability
    >>> iris = load_dataset("iris")
    >>> found = rule_stability(TSKClassifier(n_rules=3, max_epochs=10, random_state=0), iris.X, iris.y, n=2)
    >>> sorted(found.seeds.times)
    [1, 2, 3]
    """
    if not isinstance(classifier, TSKClassifier):
        kind = type(classifier).__name__
        raise SettingError(f"classifier is a {kind}; rule_stability takes a TSKClassifier, such as a search's best_estimator_.")
    n, max_antecedents = check_whole("n", n, 1, 100), check_whole("max_antecedents", max_antecedents, 1, LONGEST)
    seed = classifier.random_state
    if not hasattr(seed, "__index__"):
        seed = classifier.seed_ if hasattr(classifier, "model_") else 0
    settings = classifier.get_params(deep=False) | {"random_state": seed}
    X, labels = rows_of(X), column_or_1d(np.asarray(y))
    together = check_groups(groups, len(labels))
    models, rows = resampled(settings, len(labels), n, together)
    models, rows = [TSKClassifier(**settings), *models], [np.arange(len(labels)), *rows]
    fit_many(models, X, labels, rows=rows, groups=together, threads=1)
    (found,) = stability_by_length(models[0], models[1:], rows[1:], X, labels, lengths=[max_antecedents])
    return found


def resampled(
    settings: dict[str, Any], n_rows: int, n: int, groups: np.ndarray | None = None
) -> tuple[list[TSKClassifier], list[np.ndarray]]:
    """The classifiers to train again, and the rows of each: n with other seeds on all rows, then n with the same seed on
    bootstrap samples. settings: of the classifier, its seed s among them; the others are s + 1, …, s + n.
    groups: (n_rows,) equal in rows that belong together; then whole groups are drawn until there are as many rows, and of the
    last one as many rows as are lacking, since trainings of equally many rows go side by side.
    """
    seed = int(settings["random_state"])
    random, every = np.random.default_rng(seed), np.arange(n_rows)
    models = [TSKClassifier(**settings | {"random_state": later_seed(seed, k)}) for k in range(1, n + 1)]
    models += [TSKClassifier(**settings) for _ in range(n)]
    return models, [every] * n + [np.sort(_drawn(n_rows, groups, random)) for _ in range(n)]


def _drawn(n_rows: int, groups: np.ndarray | None, random: np.random.Generator) -> np.ndarray:
    """A bootstrap sample of the rows, (n_rows,)."""
    if groups is None:
        return random.integers(0, n_rows, n_rows)
    codes = np.unique(groups, return_inverse=True)[1]
    by_group = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    while True:
        drawn: list[int] = []
        while sum(len(by_group[group]) for group in drawn) < n_rows:
            drawn.append(int(random.integers(len(by_group))))
        if len(set(drawn)) > 1 or len(by_group) == 1:  # a single group has no others to hold out by
            break
    return np.concatenate([random.permutation(by_group[group]) for group in drawn])[:n_rows]


def stability_by_length(
    own: TSKClassifier,
    models: Sequence[TSKClassifier],
    rows: Sequence[np.ndarray],
    X: Features,
    y: Labels,
    lengths: Iterable[int] = range(1, LONGEST + 1),
) -> list[RuleStability]:
    """How often the rules of ``own`` come back in models trained as ``resampled`` says, for each largest number of conditions.

    X, y: the rows that ``rows`` are positions of; all models have the same encoding. lengths: numbers of conditions, each ≥ 1.
    """
    Z, y_index, source = own.model_.encoded(X), class_indices(own.classes_, np.asarray(y)), own.to_dict()
    words, n = words_by_feature(source["columns"], Z), len(models) // 2
    reference = sentences_of(source, Z, y_index, words)
    others = [sentences_of(model.to_dict(), Z[part], y_index[part], words) for model, part in zip(models, rows, strict=True)]
    longest = max((len(sentence.conditions) for sentences in (reference, *others) for sentence in sentences), default=1)
    found = cache(lambda most: stability_of(reference, others[:n], others[n:], most))  # beyond the longest rule nothing changes
    return [replace(found(min(most, longest)), most=most) for most in lengths]
