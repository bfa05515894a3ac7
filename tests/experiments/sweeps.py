"""Plans and points of sweeps, as the records of an experiment have them."""

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.experiments.plan import SWEEP, Plan
from tsk_core.experiments.variants import cells, parse_axis

BASELINES = {"majority": {"rca": [0.4], "bca": [0.33]}, "logistic_regression": {"rca": [0.8, 0.7], "bca": [0.77, 0.76]}}


def make_plan(*axes, seeds=5, config=None, **changes):
    found = tuple(parse_axis(text) for text in axes or ("batch=16,32,64",))
    return Plan(SWEEP, cells(found, config or TrainConfig()), seeds=seeds, axes=found, **changes)


def make_point(training, bca, **changes):
    scores = {"last": [bca, bca - 0.1], "mean": [bca + 0.01, bca], "best": None}
    values = {"entropy": 0.5, "dead": 1, "fidelity": 0.9, "conditions": 24, "seconds_share": 2.0, "message": "", "cached": False}
    place = {"point": training.number, "variant": training.variant, "seed": training.seed, "split": training.split}
    return place | {"scores": scores, "window": 5, "best_epoch": None, "epochs": 10} | values | changes


def make_points(plan, means, noise=0.01, seed=0):
    """One point for each training; the variants have these means, the seeds an effect alike for all variants."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0, 0.03, plan.seeds)
    return [make_point(t, means[t.variant] + common[t.seed] + rng.normal(0, noise)) for t in plan.trainings()]
