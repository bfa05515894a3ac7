"""Rule bases over numbers, whole numbers and a category, with rows for them, and the slow ways of changing a row."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from tests.explain.examples import KINDS, base, category, layered, number, rule, slow_scores
from tsk_core.explain.row import row_features


def mixed_base(R, C, seed, kind="softmax"):
    """A random base on two numbers, a whole number and a category of three; and 25 rows for it."""
    rng = np.random.default_rng(seed)
    columns = [number("size"), number("weight"), number("legs"), *(category("colour", c) for c in ("red", "blue", "grey"))]
    for column in columns[3:]:
        column["impute"] = "blue"
    rules = []
    for _ in range(R):
        sigmas = [None if rng.random() < 0.15 else float(s) for s in rng.uniform(0.4, 2, 6)]
        centers = [*rng.normal(size=2), 2 * rng.normal() + 4, *rng.uniform(0, 1, 3)]
        rules.append(rule(list(map(float, centers)), sigmas, rng.normal(size=(C, 7)).tolist(), float(rng.normal())))
    colours = np.eye(3)[rng.integers(0, 3, 25)]
    Z = np.column_stack([rng.normal(size=(25, 2)), rng.integers(0, 9, 25), colours])
    return base(columns, layered(rules, kind, rng), [f"c{c}" for c in range(C)], kind), Z


def features_of(rules, Z, **how):
    scale = np.where(Z.std(0) > 0, Z.std(0), 1.0)
    return row_features(rules["columns"], scale, Z.min(0), Z.max(0), Z, **how)


def slow_predicted(rules, x):
    return int(np.argmax(slow_scores(rules, x)))


def slow_values(feature, x, steps):
    """Values that the feature may take, as rows of its columns, and their distances."""
    if feature.categories:
        states = [row for row in np.eye(len(feature.columns)) if (row != x[list(feature.columns)]).any()]
        return [(2.0, row) for row in states]
    value = x[feature.columns[0]]
    grid = np.arange(feature.low, feature.high + 0.5) if feature.whole else np.linspace(feature.low, feature.high, steps)
    return [(abs(v - value) / feature.scale, [v]) for v in grid if v != value]


def slow_nearest(rules, x, features, count, steps, within=np.inf):
    """The least distance of a change of ``count`` features on a grid that turns the prediction, by trying every one."""
    own, best = slow_predicted(rules, x), np.inf
    for chosen in combinations([one for one in features if not one.locked], count):
        options = [slow_values(one, x, steps) for one in chosen]
        grid = [[]]
        for some in options:
            grid = [[*before, one] for before in grid for one in some]
        for moves in grid:
            distance = np.sqrt(sum(d * d for d, _ in moves))
            if distance >= min(best, within):
                continue
            other = np.array(x, float)
            for one, (_, values) in zip(chosen, moves, strict=True):
                other[list(one.columns)] = values
            if slow_predicted(rules, other) != own:
                best = distance
    return best


mixed_bases = st.builds(
    mixed_base,
    R=st.integers(1, 5),
    C=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(KINDS),
)
