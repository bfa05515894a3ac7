"""explain_with_rules: a readable rule base that predicts what another classifier predicts, and how often it does.

A global surrogate (Craven and Shavlik 1996). How far the rules are the model is counted on rows that they were not trained on,
beside a tree with as many conditions.
"""

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from tsk_core.config import TrainConfig
from tsk_core.data.clean.pipeline import fresh_name
from tsk_core.data.encoding import Features, Rows, rows_of
from tsk_core.data.naming import printed
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators.classifier import READABLE, TSKClassifier
from tsk_core.estimators.settings_search import shortest_config
from tsk_core.estimators.stability import rule_stability
from tsk_core.estimators.validation import check_groups_or_time, check_seed
from tsk_core.evaluate.intervals import Interval, kept_units, rows_alone, share_interval
from tsk_core.evaluate.same_size import tree_within
from tsk_core.explain import RuleBaseSummary, RuleStability
from tsk_core.explain.antecedents import LONGEST
from tsk_core.numbers import percent
from tsk_core.setting_values import check_flag, check_whole, in_short
from tsk_core.train.recorder import conditions

LEAST_ROWS = 10

_Labelled = tuple[Rows, np.ndarray, np.ndarray | None]  # rows, what the model predicts for them, and their groups if given


@dataclass(frozen=True, eq=False)
class RuleExplanation:
    """What ``explain_with_rules`` found.

    classifier: the rule base, fitted, with constant consequents; its classes are those that the model predicts.
    fidelity: share of the test rows for which both predict the same class. interval: its 95% interval, of whole groups where they
    were given, else Wilson's. constant: the fidelity of the class that the model predicts most often. conditions: of all rules.
    tree: the fidelity of a decision tree (CART, scikit-learn's defaults) with at most as many, trained on the same rows.
    n_rows: test rows. disagreements: those of them for which the predictions differ, as they were given, with the columns
    "model" and "rules", the two classes, and "probability", the model's of its class where it gives one; the surest first. A
    column of X that has such a name keeps it, and the new one is called "model (2)".
    """

    classifier: TSKClassifier
    fidelity: float
    interval: Interval
    constant: float
    conditions: int
    tree: float
    n_rows: int
    disagreements: pd.DataFrame
    _train: _Labelled = field(repr=False)
    _test: _Labelled = field(repr=False)

    def rules(self) -> RuleBaseSummary:
        """The rules; their figures are of the test rows, with what the model predicts in place of true classes."""
        X, says, groups = self._test
        return self.classifier.rules(self.classifier.max_conditions or LONGEST, X, says, groups=groups)

    def stability(self, n: int = 10) -> RuleStability:
        """How often each rule comes back, as ``rule_stability`` counts: with other seeds, and on other samples of the rows."""
        X, says, groups = self._train
        most = self.classifier.max_conditions or LONGEST
        return rule_stability(self.classifier, X, says, n, max_antecedents=most, groups=groups)

    def __str__(self) -> str:
        """The rules, and how far they are the model."""
        low, high = map(percent, self.interval)
        same = self.n_rows - len(self.disagreements)
        return (
            f"{self.rules()}\n\n"
            f"The rules predict what the model predicts for {same} of {self.n_rows} test rows: {percent(self.fidelity)}"
            f" (95% interval {low} to {high}). A tree (CART) with at most {self.conditions} conditions: {percent(self.tree)};"
            f" always the most frequent class: {percent(self.constant)}."
        )


def explain_with_rules(
    model: Any,
    X: Features,
    X_test: Features | None = None,
    *,
    max_rules: int = READABLE.n_rules,
    max_conditions: int = READABLE.max_conditions,
    search: bool = False,
    budget: float = 20.0,
    test_size: float = 0.3,
    groups: ArrayLike | None = None,
    random_state: int | None = 0,
    **settings: Any,
) -> RuleExplanation:
    """Train a readable rule base on what a fitted classifier predicts, and measure how often it predicts the same.

    Parameters
    ----------
    model : fitted classifier
        Anything with scikit-learn's ``predict``. It sees X as it is given.
    X : array or DataFrame, (N, features)
        Rows, without classes.
    X_test : array or DataFrame, optional
        Rows to measure on; where there are none, a share ``test_size`` of X that is not trained on.
    max_rules, max_conditions : int, default 12 and 3
        The size of the rule base.
    search : bool, default False
        In place of these, look for the shortest rule base within one standard error of the best BCA on what the model predicts.
    budget : float, default 20
        Seconds of the search.
    test_size : float, default 0.3
        Share of X to measure on, where there is no X_test.
    groups : array, (N,), optional
        Rows of one group are all trained on or all measured on, and intervals draw whole groups. With X_test, they are of X, and
        intervals take test rows as independent.
    random_state : int, default 0
        Of the split and the training.
    **settings
        Of ``TSKClassifier``, in place of those of ``TrainConfig.readable()``; beside ``search`` class weights and device alone.
        Classes have no weights, since every row is to be explained; ``class_weight="balanced"`` lets rare classes count as much
        as frequent ones.

    Returns
    -------
    RuleExplanation

    Raises
    ------
    SettingError, DataError
        Both ValueErrors: a model without classes, or one that says the same for every row.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from tsk_core import explain_with_rules
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = explain_with_rules(RandomForestClassifier(random_state=0).fit(X, y), X, max_rules=4)
    >>> found.fidelity > 0.8
    True
    """
    seed = check_seed(random_state)
    check_whole("max_conditions", max_conditions, 1)
    if check_flag("search", search) and (unused := sorted(settings.keys() - {"class_weight", "device"})):
        raise SettingError(f"{unused[0]} has no effect with search=True, which chooses the settings; leave out one of the two.")
    rows = rows_of(X)
    if len(rows) < LEAST_ROWS:
        raise DataError(f"X has {len(rows)} rows; rules need at least {LEAST_ROWS} to learn from and to be measured on.")
    together, tested = check_groups_or_time(groups, None, len(rows))[0], None
    if X_test is None:
        train, test = _parted(len(rows), together, test_size, seed)
        learnt_rows, measured_rows = _taken(rows, train), _taken(rows, test)
        if together is not None:
            together, tested = together[train], together[test]
            together = together if len(np.unique(together)) > 1 else None  # nothing to hold out by
    else:
        learnt_rows, measured_rows = rows, rows_of(X_test)
    labels = _predicted(model, learnt_rows)
    if len(np.unique(labels)) < 2:
        raise DataError(f"The model predicts {printed(labels[0])!r} for every row, so there is nothing that rules could explain.")
    changes = {"n_rules": max_rules, "max_conditions": max_conditions, "class_weight": None, "random_state": seed} | settings
    config = TrainConfig.readable(**changes)
    if search:
        config = shortest_config(config, learnt_rows, labels, budget, class_weight=config.class_weight, groups=together)
    classifier = TSKClassifier(**config.to_dict()).fit(learnt_rows, labels, groups=together)
    return _measured(classifier, model, (learnt_rows, labels, together), (measured_rows, tested), seed)


def _measured(
    classifier: TSKClassifier, model: Any, train: _Labelled, test: tuple[Rows, np.ndarray | None], seed: int
) -> RuleExplanation:
    """The rule base beside the model, on rows that it was not trained on. test: these rows and their groups, None without any."""
    X, groups = test
    says, ours = _predicted(model, X), classifier.predict(X)
    sure = _probabilities(model, X, says)
    differ = np.flatnonzero(says != ours)
    order = differ[np.argsort(-sure[differ], kind="stable")]
    listed = _taken(X, order) if isinstance(X, pd.DataFrame) else pd.DataFrame(X[order], index=order)
    added = {"model": says[order], "rules": ours[order], "probability": sure[order]}
    used = set(map(str, listed.columns))
    listed = listed.assign(**{fresh_name(name, used): values for name, values in added.items()})
    (size,) = conditions(classifier.rules_, np.asarray(classifier.encoder_.feature_of))
    names, counts = np.unique(train[1], return_counts=True)
    same, share = len(says) - len(differ), float((says == names[counts.argmax()]).mean())
    tree = _tree_fidelity(classifier, train[:2], (X, says), size, seed)
    units = rows_alone(len(says)) if groups is None else kept_units(np.unique(groups, return_inverse=True)[1])
    interval = share_interval(says == ours, units, seed) or Interval(0.0, 1.0)
    found = same / len(says), interval, share
    return RuleExplanation(classifier, *found, size, tree, len(says), listed, train, (X, says, groups))


def _tree_fidelity(
    classifier: TSKClassifier, train: tuple[Rows, np.ndarray], test: tuple[Rows, np.ndarray], size: int, seed: int
) -> float:
    """Of a tree with at most ``size`` conditions, on the classifier's own encoding."""
    (Z, Z_test), classes = (classifier.encode(X).astype(np.float32) for X in (train[0], test[0])), classifier.classes_
    grown = DecisionTreeClassifier(max_leaf_nodes=max(2, 4 * size), random_state=seed)  # more leaves than it can keep
    rules = tree_within(grown.fit(Z, np.searchsorted(classes, train[1])), size, classifier.encoder_.feature_of)
    return float((classes[rules.predict(Z_test)] == test[1]).mean())


def _predicted(model: Any, X: Rows) -> np.ndarray:
    """The class that a model predicts for each row, (N,)."""
    if not callable(getattr(model, "predict", None)):
        raise SettingError(f"model is of the type {type(model).__name__}, which has no method predict; give a fitted classifier.")
    labels = np.asarray(model.predict(X))
    if pd.isna(labels).any():
        raise DataError("The model predicts no class for some rows; give a classifier that predicts one for each.")
    if labels.shape != (len(X),) or (labels.dtype.kind == "f" and not (labels == np.round(labels)).all()):
        raise DataError("The model does not predict one class for each row; give a classifier that has one target.")
    return labels


def _probabilities(model: Any, X: Rows, says: np.ndarray) -> np.ndarray:
    """Of the class that the model predicts, (N,); NaN where it gives none, or does not say of which class."""
    if not (callable(getattr(model, "predict_proba", None)) and hasattr(model, "classes_")):
        return np.full(len(X), np.nan)
    columns = pd.Index(model.classes_).get_indexer(pd.Index(says))
    probabilities = np.asarray(model.predict_proba(X), dtype=np.float64)
    return np.where(columns < 0, np.nan, probabilities[np.arange(len(says)), columns])


def _parted(n_rows: int, groups: np.ndarray | None, share: Any, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers to train and to measure on. SettingError for a share that is none."""
    if not isinstance(share, Real) or not 0 < float(share) < 1:
        raise SettingError(f"test_size is {in_short(share)}; it must be between 0 and 1.")
    splitter = (ShuffleSplit if groups is None else GroupShuffleSplit)(1, test_size=share, random_state=seed)
    train, test = next(splitter.split(np.empty(n_rows), groups=groups))
    return np.sort(train), np.sort(test)


def _taken(X: Rows, rows: np.ndarray) -> Any:
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows]
