"""Points and plans of comparisons, as the records of an experiment have them."""

from tsk_core.config import TrainConfig
from tsk_core.experiments.plan import COMPARISON, Plan
from tsk_core.experiments.variants import parse_variants

QUANTITIES = ("ce", "rca", "bca", "grad_antecedents", "grad_consequents")


def make_plan(*variants, seeds=4, **settings):
    base = TrainConfig.paper(**{"n_rules": 4, "max_epochs": 3, "random_state": 0} | settings)
    return Plan(COMPARISON, parse_variants(variants or ("none", "ur"), base), seeds)


def epoch_line(at, epoch, value=0.5):
    """The record of one epoch of several trainings."""
    values = {
        name: [None if epoch == 0 and name.startswith("grad") else value + k / 100 for k in range(len(at))] for name in QUANTITIES
    }
    return {"at": list(at), "epoch": epoch, **values}


def point_line(plan, number, score=0.8, **changes):
    """The record of a training that ended, with 3 classes, and with a plane for the first seed."""
    training = plan.trainings()[number]
    epochs, R = training.config.max_epochs, training.config.n_rules
    times = list(range(epochs + 1))
    curves = {name: [score * (t + 1) / (epochs + 1) for t in times] for name in QUANTITIES}
    for name in ("grad_antecedents", "grad_consequents"):
        curves[name][0] = None
    levels = sorted((2 * (r + 1) / (R * (R + 1)) for r in range(R)), reverse=True)
    looks = {
        "epoch": [0, epochs], "firing": [[1 / R] * R, levels], "entropy": [[30] + [0] * 29, [1] * 30],
        "confusion": [[[3, 3, 4]] * 3, [[10, 0, 0], [0, 9, 1], [0, 2, 8]]],
    }  # fmt: skip
    plane = {
        "x": [0.0, 2.0], "y": [-1.0, 1.0], "names": ["width", "height"], "size": 2, "classes": ["aaaa", "abca"],
        "centers": [[[1.0, 0.0]] * R] * 2, "sigmas": [[[0.5, 0.25]] * R] * 2,
    }  # fmt: skip
    first = training.seed == plan.first_seed
    return {
        "point": number, "variant": training.variant, "seed": training.seed, "split": training.split,
        "scores": {"last": [score, score], "mean": [score, score], "best": None},
        "ur_weight": training.config.ur_weight, "window": 5, "best_epoch": None, "epochs": epochs,
        "entropy": 0.5, "dead": 1, "fidelity": None, "conditions": 24, "seconds_share": 0.5, "message": "", "cached": False,
        "curves": {"epoch": times, **curves}, "looks": looks, "plane": plane if first else None, **changes,
    }  # fmt: skip


def points_of(plan, scores):
    """Number -> point. scores: of each variant by seed."""
    found = {}
    for training in plan.trainings():
        found[training.number] = point_line(plan, training.number, scores[training.variant][training.seed - plan.first_seed])
    return found
