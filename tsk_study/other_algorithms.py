"""What scikit-learn has: decision tree, random forest, logistic regression and histogram gradient boosting."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import torch
from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from tsk_core.data.folds import folds
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.classifier_cv import TSKClassifierCV
from tsk_core.evaluate.ebm import fit_ebm
from tsk_core.evaluate.same_size import leaves
from tsk_core.model import Rules, class_scores, infer
from tsk_core.train.initialise import fuzzy_c_means, fuzzy_memberships
from tsk_study.parts import Fit, SplitData, split_data

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.tuning.readable import SizePoint

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


# TSK-FCM-LSE: antecedents by fuzzy c-means, consequents by ridge least squares. The paper names both and leaves the rest open.
#
# docs/measured/study.md says how the readings below were chosen.


N_RULES = 20
RIDGE = 0.05  # α
FUZZIFIER = 2.0
_LEAST_VARIANCE = 1e-4  # of a feature that is constant in a cluster


def fcm_lse(split: SplitData) -> Fit:
    """The rule base of ``fit_rules`` with the paper's α and R."""
    rules = fit_rules(split.X_train, split.y_train, split.seed)
    return Fit(class_scores(rules, torch.from_numpy(split.X_test), exact=False).argmax(1).numpy(), {})


def fit_rules(x: np.ndarray, y: np.ndarray, seed: int) -> Rules:
    """One model of ``N_RULES`` rules. x: (N, D) normalised rows, N ≥ N_RULES; y: (N,) class indices.

    Centres: those of fuzzy c-means. σ²: the squared distance from the centre, feature by feature, averaged with the rows' weights
    in that centre. Consequents: those with the least Σ (score − target)² + RIDGE·Σ b², b_0 included; a row's target is 1 for its
    class and 0 for the others.
    """
    centers = fuzzy_c_means(x, N_RULES, np.random.default_rng(seed), fuzzifier=FUZZIFIER)
    sigmas = np.sqrt(np.maximum(_variances(x, centers), _LEAST_VARIANCE))
    R, D, C = *centers.shape, int(y.max()) + 1
    consequents = torch.zeros(1, R, C, D + 1, dtype=torch.float64, device="cpu")
    log_weights, m, s = (torch.from_numpy(values).unsqueeze(0) for values in (np.zeros(R), centers, sigmas))
    rules = Rules(log_weights, m, s, weights=consequents[..., 1:], biases=consequents[..., 0])
    firing = infer(rules, torch.from_numpy(x), exact=False)[0][0].numpy()  # (N, R)
    terms = np.column_stack([np.ones(len(x)), x])
    design = (firing[:, :, None] * terms[:, None, :]).reshape(len(x), -1)  # (N, R(D+1))
    solution = np.linalg.solve(design.T @ design + RIDGE * np.eye(R * (D + 1)), design.T @ np.eye(C)[y])
    consequents[0] = torch.from_numpy(solution).view(R, D + 1, C).transpose(1, 2)
    return rules


def _variances(x: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Σ_n w_nr (x_nd − c_rd)² / Σ_n w_nr, (R, D), the square expanded; w as in fuzzy c-means."""
    weight = fuzzy_memberships(x, centers, FUZZIFIER)
    weight /= weight.sum(0)
    return weight.T @ (x * x) - 2 * centers * (weight.T @ x) + centers**2


# The project's own answers, as someone would get them who tunes nothing by hand.


BUDGET = 20.0
"""Seconds of work that tuning may take on one split: ``TSKClassifierCV``'s default."""


def recommended(split: SplitData) -> Fit:
    """The settings that the app recommends, on the table as it is."""
    model = TSKClassifier(random_state=split.seed).fit(split.frame_train, split.y_train)
    return Fit(model.predict(split.frame_test), {})


def tuned(split: SplitData) -> Fit:
    """Settings of the best cross-validated BCA on the training rows, found within ``BUDGET`` seconds."""
    return _tuned(split, "balanced_accuracy")


def tuned_for_rca(split: SplitData) -> Fit:
    """Settings of the best cross-validated RCA, found likewise."""
    return _tuned(split, "accuracy")


def _tuned(split: SplitData, scoring: str) -> Fit:
    model = search(TSKClassifierCV(BUDGET, scoring=scoring, random_state=split.seed), split)
    return Fit(model.predict(split.frame_test), dict(model.best_params_))


def search(model: TSKClassifierCV, split: SplitData) -> TSKClassifierCV:
    """The search, fitted on the training rows. Its clock stands still, so that a slow machine tries the same settings too."""
    for _ in model.fit_iter(split.frame_train, split.y_train, clock=lambda: 0.0):
        pass
    return model


# Readable rule bases of a given size, as someone would get them who looks for the best one that is that short.


_MOST_PRINTED = 12  # conditions of a rule; a readable one has four at most


def readable_within(split: SplitData, conditions: int) -> Fit:
    """The rule base of the highest merit that a search finds with at most so many conditions, on all training rows.

    One search serves all sizes of a split; its seconds count for each. The trained base may keep a condition more than in
    cross-validation, so that a shorter one is taken then; where none is short enough, the shortest.
    """
    points, seconds = _searched(split.dataset, split.seed)
    began = perf_counter()
    short = [point for point in points if point.conditions <= conditions] or points[:1]
    model, effort = _trained(split, short.pop())
    while effort > conditions and short:
        model, effort = _trained(split, short.pop())
    return Fit(model.predict(split.frame_test), {"effort": effort, "seconds": seconds + perf_counter() - began})


def _trained(split: SplitData, point: "SizePoint") -> tuple[TSKClassifier, int]:
    """The classifier of these settings, and the conditions of its printed rules."""
    model = TSKClassifier(**point.config.to_dict()).fit(split.frame_train, split.y_train)
    return model, sum(len(rule.antecedents) for rule in model.rules(_MOST_PRINTED).rules)


@lru_cache(maxsize=1)
def _searched(dataset: "Dataset", seed: int) -> "tuple[list[SizePoint], float]":
    """The rule bases that no shorter one beats, fewest conditions first, and the seconds that the search took."""
    split, began = split_data(dataset, seed), perf_counter()
    model = search(TSKClassifierCV(BUDGET, refit=False, random_state=seed, readable=True), split)
    return model.curve_, perf_counter() - began


readable_10, readable_20, readable_30 = (partial(readable_within, conditions=most) for most in (10, 20, 30))


def ebm(split: SplitData) -> Fit:
    """The Explainable Boosting Machine with its defaults, on the table as it is; its effort is a shape a term and class."""
    predicted, shapes = fit_ebm(split.frame_train, split.y_train, split.frame_test, split.seed, {})
    return Fit(predicted, {"effort": shapes})
