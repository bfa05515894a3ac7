"""The numbers at the end of a training, as metrics.json has them, and its predictions for the test rows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.data.folds import folds
from tsk_core.data.naming import listed
from tsk_core.data.splitting import SplitColumn
from tsk_core.epoch import Epoch
from tsk_core.errors import DataError
from tsk_core.evaluate.baselines import Predicted, TunedBaseline, baseline_settings, baselines, tuned_baselines
from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.confusion import evaluation, intervals_and_classes
from tsk_core.evaluate.intervals import Units, units_of
from tsk_core.evaluate.scorings import Scoring
from tsk_core.metrics import accuracy_of_labels, area_under_curve
from tsk_core.runs.result import Search
from tsk_core.runs.run_files import Predictions
from tsk_core.tasks.task import Context

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.tuning.trial import Trial

QUICK = 1.0  # seconds that a baseline may take after any training, however short
STEP_SECONDS, TERM_SECONDS = 1e-4, 3e-10  # of a training: for each gradient step, and for each row, rule, feature and class


def final_metrics(
    classifier: "TSKClassifier",
    history: list[Epoch],
    train: "tuple[pd.DataFrame, np.ndarray]",
    test: "tuple[pd.DataFrame, np.ndarray]",
    classes: list[str],
    split_column: SplitColumn | None,
    search: Search | None,
) -> tuple[dict[str, Any], Predictions]:
    """The final numbers, of the test rows, but for rules_alive (rules that fire in training, ``epoch.never_fires``);
    and the predictions for the test rows.

    train, test: (X, y), the latter maybe without rows. classes: all of the dataset; the training rows may lack some.
    split_column: of the test rows, where a column decided the split; "resampled" says what intervals resample because of it.
    search: what found the model's settings, if anything did, and those of the baselines. Where it maximised a score that not
    every run has (``Search.further``), "scored" is that of the test rows, of the model and of each baseline; else None.
    """
    y, names = test[1], np.asarray(classes, dtype=object)
    z_test = classifier.encode(test[0]) if len(y) else np.empty((0, len(classifier.encoder_.columns)))
    predictions = _predictions(classifier, z_test, y, classes)
    predicted = names[predictions.predicted]
    values = evaluation(y, predicted, predictions.confidence, classes)
    units = units_of(split_column, predictions.true == predictions.predicted)
    predictions = predictions._replace(units=units.codes)
    scored = search.further if search and len(y) else None
    tuned = search.baselines if search else {}
    compared, notes = _baselines(classifier, history, train, (z_test, y), predicted, units, tuned, scored)
    learnt = np.isin(names, classifier.classes_)
    auc = area_under_curve(y, predictions.probabilities[:, learnt], names[learnt].tolist())
    training, dead = [epoch for epoch in history if epoch.stage == "training"], history[-1].dead_rules
    return {
        **accuracy_of_labels(y, predicted)._asdict(),
        "auc": auc,
        **intervals_and_classes(predictions.true, predictions.predicted, classes, units, classifier.seed_),
        "resampled": units.to_dict(),
        **compared,
        "search": search.to_dict() if search else None,
        "scored": scored.score(predictions.true, predictions.probabilities, predictions.predicted) if scored else None,
        "classes": classes,
        **values,
        "rules_alive": None if dead is None else classifier.n_rules - dead,
        "epochs": len(training or history),
        "best_epoch": int(classifier.best_epoch_),
        "features": z_test.shape[1],
        "imputed": share_imputed(train[0]),
        "repeated_rows": _repeated([train, test]),
        "train_rows": len(train[1]),
        "test_rows": len(y),
        "notes": notes + _absent(classes, y, auc),
    }, predictions  # fmt: skip


def _predictions(classifier: "TSKClassifier", z: np.ndarray, y: np.ndarray, classes: list[str]) -> Predictions:
    """Of encoded rows z (N, D) with the classes y (N,). A class without training rows has the probability 0 everywhere."""
    import torch

    from tsk_core.model import class_scores

    columns = {name: k for k, name in enumerate(classes)}
    learnt = np.array([columns[str(name)] for name in classifier.classes_])
    scores = class_scores(classifier.rules_, torch.from_numpy(z))
    probabilities = np.zeros((len(y), len(classes)))
    probabilities[:, learnt] = classifier.model_.log_odds(scores).softmax(1).numpy()
    true = np.array([columns[str(name)] for name in y], int)
    return Predictions(true, learnt[scores.numpy().argmax(1)], probabilities, np.arange(len(y)))


def share_imputed(X: "pd.DataFrame") -> dict[str, object]:
    """The share of missing cells, which the encoding fills: {"share": of all cells, "columns": {name: share, where above 0}}."""
    missing = X.isna().to_numpy(bool)
    shares = {str(name): float(share) for name, share in zip(X.columns, missing.mean(0), strict=True) if share}
    return {"share": float(missing.mean()), "columns": shares}


def _repeated(parts: "list[tuple[pd.DataFrame, np.ndarray]]") -> int:
    """How many rows have the features and the class of a row before them."""
    import pandas as pd

    rows = pd.concat([X.reset_index(drop=True) for X, _ in parts], ignore_index=True)
    names = pd.Series(np.concatenate([y for _, y in parts]))
    return int(pd.concat([rows, names], axis=1).duplicated().sum())


def training_seconds(classifier: "TSKClassifier", epochs: int, rows: int, columns: int, classes: int) -> float:
    """What the training takes, roughly; from its sizes alone."""
    steps, terms = rows / classifier.batch_size, rows * classifier.n_rules * columns * (classes + 2)
    return epochs * (STEP_SECONDS * steps + TERM_SECONDS * terms)


def _baselines(
    classifier: "TSKClassifier",
    history: list[Epoch],
    train: "tuple[pd.DataFrame, np.ndarray]",
    test: tuple[np.ndarray, np.ndarray],
    predicted: np.ndarray,
    units: Units,
    tuned: Mapping[str, TunedBaseline],
    scored: Scoring | None,
) -> tuple[dict[str, object], list[str]]:
    """Scores and settings of the baselines, the model's paired differences to each, and notes. test: encoded rows, classes."""
    seed, (z_test, y) = classifier.seed_, test
    z = classifier.encode(train[0])
    rows, columns = z.shape
    most = max(QUICK, training_seconds(classifier, len(history), rows, columns, len(classifier.classes_)))
    changes = {key: baseline.settings for key, baseline in tuned.items()}
    others, notes = baselines(z, train[1], z_test, seed, most, changes)
    settings = baseline_settings(seed, changes)
    return {
        "baselines": {key: _scores(y, other, scored) for key, other in others.items()},
        "baseline_settings": {key: settings[key] for key in others},
        "baselines_tuned": {key: baseline.to_dict() for key, baseline in tuned.items()},
        "differences": {
            key: {score: list(paired) for score, paired in paired_differences(y, predicted, other.labels, units, seed).items()}
            for key, other in others.items()
        },
    }, notes  # fmt: skip


def _scores(y: np.ndarray, predicted: Predicted, scored: Scoring | None) -> dict[str, float | None]:
    """Of a baseline on the test rows."""
    names = np.unique([*predicted.classes, *y])
    return {
        **accuracy_of_labels(y, predicted.labels)._asdict(),
        "auc": area_under_curve(y, predicted.probabilities, predicted.classes.tolist()),
        "scored": scored.score(np.searchsorted(names, y), predicted.of(names)) if scored else None,
    }


def _absent(classes: list[str], y: np.ndarray, auc: float | None) -> list[str]:
    """A note about classes without test rows."""
    absent = sorted(set(classes) - set(y.tolist()))
    if not absent:
        return []
    scores = "BCA leaves" if auc is None else "BCA and AUC leave"
    have = "it has no test rows" if len(absent) == 1 else "they have no test rows"
    return [f"{scores} out {len(absent)} of {len(classes)} classes, since {have}: {listed(absent)}."]


# Baselines for a model whose settings were searched for: with settings searched for as long.


BASELINES_STAGE = "baselines"  # of the progress while settings of baselines are looked for


def search_of(readable: bool, trials: "Sequence[Trial]", best: "Trial", n_folds: int, budget: float) -> Search:
    """What is kept of a search that has ended."""
    return Search(readable, len(trials), n_folds, best.validations, budget, best.score, best.sd, scoring=best.scoring)


def searched_baselines(
    search: Search,
    classifier: "TSKClassifier",
    train: "tuple[pd.DataFrame, np.ndarray]",
    given: Mapping[str, Any],
    context: Context,
    done: int,
) -> Search:
    """The search with baselines: as many settings on as many folds of the training rows, at most as many seconds each.

    classifier: fitted, whose encoding they share. given: "groups" or "time" of the training rows, by which folds are made. A stop
    ends it; what was found by then counts. Where it has baselines, and where no folds can be made, it is
    returned as it is. done: steps of the task.
    """
    if search.baselines:
        return search
    together = {name: given[name] for name in ("groups", "time") if name in given}
    try:
        parts = folds(train[1], search.folds, classifier.seed_, **together)
    except DataError:
        return search
    context.progress(done, BASELINES_STAGE, False)
    found = tuned_baselines(
        classifier.encode(train[0]), train[1], parts, most=search.tried, seconds=search.seconds, scoring=search.scoring,
        seed=classifier.seed_, stopped=lambda: bool(context.checkpoint()), clock=context.clock,
    )  # fmt: skip
    return search.with_baselines(found)
