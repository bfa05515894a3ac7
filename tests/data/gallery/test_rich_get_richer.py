"""The dataset that is made to show the rich-get-richer effect shows it, in numbers."""

import numpy as np

from tsk_core import TSKClassifier, fit_many
from tsk_core.data import load_dataset

R = 10
SEEDS = range(3)


def test_without_ur_rules_starve_and_with_it_they_fire_evenly_and_accuracy_gains():
    ds = load_dataset("rich_get_richer")
    splits = [ds.split(seed=seed) for seed in SEEDS]
    measured = []
    for ur_weight in (0, 10):
        models = [TSKClassifier(n_rules=R, ur_weight=ur_weight, max_epochs=100, random_state=seed) for seed in SEEDS]
        fit_many(models, ds.X, ds.y, rows=[split.train for split in splits], threads=1)
        firing = np.array([m.firing_levels(ds.X.iloc[s.train]).mean(0) for m, s in zip(models, splits, strict=True)])  # (3, R)
        accuracy = [m.score(ds.X.iloc[s.test], ds.y[s.test]) for m, s in zip(models, splits, strict=True)]
        measured.append(((firing < 0.1 / R).sum(1), firing.max(1), np.array(accuracy)))
    (dead, most, accuracy), (dead_ur, most_ur, accuracy_ur) = measured
    assert dead.min() >= 2, dead
    assert most.min() > 0.35, most  # of ten rules, one takes more than a third of all firing
    assert dead_ur.max() == 0, dead_ur
    assert most_ur.max() < 0.16, most_ur
    assert (accuracy_ur - accuracy).min() > 0.02, (accuracy, accuracy_ur)
    assert (accuracy_ur - accuracy).mean() > 0.08, (accuracy, accuracy_ur)
