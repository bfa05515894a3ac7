"""What scikit-learn has: decision tree, random forest, logistic regression and histogram gradient boosting."""

from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from tsk_core.data.folds import folds
from tsk_core.evaluate.crisp_rules import leaves
from tsk_core.study.parts import Fit, SplitData

__all__ = ["N_FOLDS", "cart", "forest", "histogram_boosting", "logistic_regression", "weighted_logistic_regression"]

N_FOLDS = 5
_DEPTHS = {"max_depth": [3, 4, 5, 6, 7]}
_STRENGTHS = {"C": [0.01, 0.1, 1.0, 10.0, 100.0]}


def cart(split: SplitData) -> Fit:
    """A decision tree; its depth by cross-validation. Its reading effort is that of its rules, one for each leaf."""
    search = _search(DecisionTreeClassifier(random_state=split.seed), _DEPTHS, split)
    rules = [leaf.rule for leaf in leaves(search.best_estimator_, search.best_estimator_.get_n_leaves())]
    effort = sum(rule.conditions(split.feature_of) for rule in rules)
    return Fit(search.predict(split.X_test), {**search.best_params_, "effort": effort})


def forest(split: SplitData) -> Fit:
    """A random forest of 20 trees; their depth by cross-validation."""
    search = _search(RandomForestClassifier(20, random_state=split.seed), _DEPTHS, split)
    return Fit(search.predict(split.X_test), dict(search.best_params_))


def logistic_regression(split: SplitData) -> Fit:
    """Multinomial logistic regression; its C by cross-validation. Its reading effort is its coefficients, intercepts apart."""
    return _linear(split, LogisticRegression(max_iter=5000, random_state=split.seed), "accuracy")


def weighted_logistic_regression(split: SplitData) -> Fit:
    """The same with all classes weighted equally; its C is that of the best BCA."""
    model = LogisticRegression(max_iter=5000, random_state=split.seed, class_weight="balanced")
    return _linear(split, model, "balanced_accuracy")


def histogram_boosting(split: SplitData) -> Fit:
    """Histogram gradient boosting with its defaults."""
    return Fit(
        HistGradientBoostingClassifier(random_state=split.seed).fit(split.X_train, split.y_train).predict(split.X_test), {}
    )


def _linear(split: SplitData, model: LogisticRegression, scoring: str) -> Fit:
    search = _search(model, _STRENGTHS, split, scoring)
    effort = int(np.count_nonzero(search.best_estimator_.coef_))
    return Fit(search.predict(split.X_test), {**search.best_params_, "effort": effort})


def _search(
    model: ClassifierMixin, grid: Mapping[str, Sequence[float]], split: SplitData, scoring: str = "accuracy"
) -> GridSearchCV:
    """With the best mean score over the folds, ties to the first, trained on all training rows.

    The folds are the project's own: scikit-learn's warn where a class has fewer rows than there are folds.
    """
    parts = folds(split.y_train, N_FOLDS, split.seed)
    return GridSearchCV(model, grid, scoring=scoring, cv=[(part.train, part.test) for part in parts]).fit(
        split.X_train, split.y_train
    )
