"""What default settings reach on data that anyone has: slow, but the one thing no formula's oracle can tell."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tsk_core import TSKClassifier, load_dataset


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least", "ahead"),
    [  # accuracy to reach, and how far ahead of a logistic regression: curved borders need rules
        ("moons", 0.93, 0.05),
        ("circles", 0.95, 0.40),
        ("spirals", 0.92, 0.35),
        ("waveform21", 0.80, -0.06),
        ("breast_cancer", 0.93, -0.04),
        ("wine", 0.93, -0.05),
        ("digits", 0.93, -0.04),
    ],
)
def test_default_settings_learn_what_a_straight_border_cannot(name, least, ahead):
    dataset = load_dataset(name)
    X, y = dataset.X, dataset.y
    ours, theirs = [], []
    for seed in range(3):
        train, test, _ = dataset.split(seed=seed)
        clf = TSKClassifier(random_state=seed).fit(X.iloc[train], y[train])
        ours.append(clf.score(X.iloc[test], y[test]))
        linear = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X.iloc[train], y[train])
        theirs.append(linear.score(X.iloc[test], y[test]))
    assert np.mean(ours) >= least
    assert np.mean(ours) >= np.mean(theirs) + ahead
