"""Readable rule bases by chance: fixed scores, few conditions on numbers and a category; and the slow way to read them."""

import numpy as np
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, rule, slow_firing, slow_scores

COLOURS = ("red", "blue", "grey")


def readable_base(R, C, seed, kind="softmax", weights=True):
    """A random base on two numbers and a colour, and 40 rows with classes; some conditions are missing, and some rules' all."""
    rng = np.random.default_rng(seed)
    columns = [number("size"), number("weight"), *(category("colour", c) for c in COLOURS)]
    rules = []
    for _ in range(R):
        sigmas = [None if rng.random() < 0.4 else float(s) for s in rng.uniform(0.2, 2, 2)]
        colour = rng.uniform(0.3, 2, 3).tolist() if rng.random() < 0.5 else [None] * 3
        centers = [*rng.normal(size=2).tolist(), *rng.uniform(0, 1, 3).tolist()]
        scores = [[float(b), 0.0, 0.0, 0.0, 0.0, 0.0] for b in rng.normal(size=C)]
        rules.append(rule(centers, [*sigmas, *colour], scores, float(rng.normal()) if weights else 0.0))
    Z = np.column_stack([rng.normal(size=(40, 2)).round(2), np.eye(3)[rng.integers(0, 3, 40)]])
    return base(columns, rules, [f"c{c}" for c in range(C)], kind), Z, rng.integers(0, C, 40)


def slow_true(source, one, x):
    """Whether the printed sentence of a rule is true of a row, from its words: "between 1.2 and 3.4", "red or blue"."""
    for condition in one.antecedents:
        if condition.feature == "colour":
            names = set(condition.text.removeprefix("colour is ").split(" or "))
            if COLOURS[int(np.argmax(x[2:]))] not in names:
                return False
            continue
        value = x[["size", "weight"].index(condition.feature)]
        said = condition.numbers.removeprefix(f"{condition.feature} is ").partition(", beyond")[0]
        if not _within(value, said):
            return False
    return True


def _within(value, said):
    if said.startswith("≥ "):
        return value >= float(said[2:])
    if said.startswith("≤ "):
        return value <= float(said[2:])
    low, high = said.removeprefix("between ").split(" and ")
    return float(low) <= value <= float(high)


def listed_class(book, x):
    """The class that the rule list as it is printed gives a row."""
    for item in book.rule_list.rules:
        if slow_true(book.source, item.rule, x):
            return item.conclusion
    return book.rule_list.otherwise.conclusion


def slow_readings(book, x):
    """The classes that the three readings give one row, and whether the sentence of the strongest rule is true."""
    source, classes = book.source, book.source["classes"]
    firing = slow_firing(source, x)
    alive = [one for one in sorted(book.rules, key=lambda one: one.index) if not one.dead]
    strongest = max(alive, key=lambda one: firing[one.index - 1])
    scores = [row[0] for row in source["rules"][strongest.index - 1]["consequents"]]
    return {
        "model": classes[int(np.argmax(slow_scores(source, x)))],
        "strongest": classes[int(np.argmax(scores))],
        "sentences": listed_class(book, x),
    }, slow_true(source, strongest, x)


readable_bases = st.builds(
    readable_base,
    R=st.integers(1, 6),
    C=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["softmax", "paper"]),
)
