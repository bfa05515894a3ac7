"""fit_many: many classifiers on one table, alike ones trained side by side as one stack.

The underscore keeps ``tsk_core.fit_many`` the function: a module of that name would take its place once it is imported.
"""

import contextlib
import itertools
import os
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.encoding import Features, Labels
from tsk_core.epoch import Epoch
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.training import Training
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.estimators.validation import positions_in, warn_of_text_columns
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.setting_values import check_whole
from tsk_core.train import train


def fit_many(
    classifiers: Sequence[TSKClassifier],
    X: Features,
    y: Labels,
    *,
    rows: Sequence[ArrayLike] | None = None,
    threads: int | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> list[TSKClassifier]:
    """Fit all classifiers, each with its own seed, λ, rows and early stopping; returns them, fitted.

    Those with the same number of rows train as stacks if they share the settings that decide what a step computes, such as
    n_rules, n_trainings, batch_size, learning_rate, optimizer, firing and consequents; "none" and "bn" train together. Without
    ``rows``, each result equals the classifier's own ``fit`` to float tolerance; with ``rows``, the encoding is that of all of X.

    A classifier that diverges keeps its best weights, or those it started from; ``stop_message_`` says so, and the others train
    on.

    Parameters
    ----------
    classifiers : sequence of TSKClassifier
        They are fitted in place.
    X, y : (N, features), (N,)
        As for ``fit``. One encoding and one z-normalisation, learnt from all rows, serve all.
    rows : sequence of arrays, optional
        Row numbers for each classifier; None for all rows.
    threads : int, optional
        Of torch; None takes every core for 8 classifiers or more, else one. Take 1 where other processes are busy, since threads
        that wait for a core cost far more.
    sample_weight, groups, time : array, (N,), optional
        As for ``fit``, the same for all.

    Returns
    -------
    list of TSKClassifier

    Raises
    ------
    SettingError, DataError

    Examples
    --------
    >>> from tsk_core import TSKClassifier, fit_many, load_dataset
    >>> iris = load_dataset("iris")
    >>> many = [TSKClassifier(max_epochs=30, random_state=seed) for seed in range(3)]
    >>> [clf.score(iris.X, iris.y) > 0.8 for clf in fit_many(many, iris.X, iris.y, threads=1)]
    [True, True, True]
    """
    warn_of_text_columns(X)
    models = list(classifiers)
    if threads is None:
        threads = os.cpu_count() or 1 if len(models) >= 8 else 1
    with torch_threads(check_whole("threads", threads, 1)), denormals_as_zero():
        for _ in fit_many_iter(models, X, y, rows=rows, sample_weight=sample_weight, groups=groups, time=time):
            pass
    return models


def fit_many_iter(
    classifiers: Sequence[TSKClassifier],
    X: Features,
    y: Labels,
    *,
    rows: Sequence[ArrayLike] | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Generator[tuple[int, Epoch], None, None]:
    """Fit all classifiers as ``fit_many`` does, epoch by epoch: yields (number of the classifier, its epoch).

    They are fitted once the iterator is exhausted. The caller sets torch's number of threads.
    """
    models = list(classifiers)
    if not models:
        return
    if not all(isinstance(model, TSKClassifier) for model in models):
        raise SettingError("fit_many takes TSKClassifiers only.")
    if len({id(model) for model in models}) < len(models) or len({model.device for model in models}) > 1:
        raise SettingError("fit_many needs distinct classifiers, all for the same device.")
    configs = [model.training_config() for model in models]
    learnt = TrainingRows.learn(X, y, models[0].device, sample_weight, groups, time)
    specs, trainings = [], []
    for model, config, part in zip(models, configs, _checked(rows, len(models), learnt.kept, len(np.asarray(y))), strict=True):
        specs.append(learnt.spec(config, part))
        trainings.append(Training(model, config, learnt, part))
    outcomes = {}
    with contextlib.closing(train(specs, learnt.table)) as progress:
        for j, epoch, outcomes[j] in itertools.chain.from_iterable(progress):
            if epoch is not None:
                trainings[j].record(epoch)
                yield j, epoch
    for j, outcome in outcomes.items():
        trainings[j].fit(outcome)


def _checked(
    rows: Sequence[ArrayLike] | None, n_models: int, kept: np.ndarray | slice, n_rows: int
) -> Sequence[np.ndarray | None]:
    """Row numbers of the table for each model, whole and in range of X, of whose ``n_rows`` the table has those ``kept``."""
    if rows is None:
        return [None] * n_models
    if len(rows) != n_models:
        raise DataError(f"Expected one array of rows for each of the {n_models} classifiers, got {len(rows)}.")
    checked = [np.asarray(part) for part in rows]
    for k, part in enumerate(checked):
        if part.ndim != 1 or part.dtype.kind not in "iu" or len(part) < 2 or part.min() < 0 or part.max() >= n_rows:
            raise DataError(f"rows[{k}] must hold at least 2 whole numbers from 0 to {n_rows - 1}.")
    checked = [positions_in(part, kept) for part in checked]
    for k, part in enumerate(checked):
        if len(part) < 2:
            raise DataError(f"rows[{k}] must hold at least 2 rows of positive sample_weight, got {len(part)}.")
    return checked
