"""Rule bases made by hand or by chance, in the export's format, and the slow formulas they are checked against."""

import math

import numpy as np
from hypothesis import strategies as st

KINDS = ["softmax", "paper", "log", "layer softmax", "layer paper", "layer log"]  # of normalisations
HOSTILE = ["<img src=x onerror=alert(1)>", "$x$", "[x](javascript:alert(1))"]


def number(feature):
    return {"feature": feature, "kind": "number", "category": None, "impute": 0.0}


def category(feature, value):
    return {"feature": feature, "kind": "category", "category": value, "impute": None}


def other(feature, kind):
    return {"feature": feature, "kind": kind, "category": None, "impute": None}


def rule(centers, sigmas, consequents, log_weight=0.0):
    return {"log_weight": log_weight, "centers": centers, "sigmas": sigmas, "consequents": consequents}


def base(columns, rules, classes=("no", "yes"), kind="softmax"):
    """kind: of the normalisation; "layer softmax" is layer normalisation of softmax, whose rules have a scale and a shift."""
    own = kind.removeprefix("layer ")
    normalisation = {"kind": own} | ({} if own == "softmax" else {"epsilon": {"paper": 1e-8, "log": 1e-3}[own]})
    if kind != own:
        normalisation = {"kind": "layer-relu", "epsilon": 1e-5, "of": normalisation}
    return {
        "format": "tsk-rules",
        "version": 1,
        "classes": list(classes),
        "columns": columns,
        "normalisation": normalisation,
        "rules": rules,
    }


def layered(rules, kind, rng):
    """The rules, with a scale and a shift each where the kind has them."""
    if not kind.startswith("layer "):
        return rules
    return [one | {"scale": float(rng.normal(1, 0.5)), "shift": float(rng.normal(0, 0.5))} for one in rules]


def random_base(R, D, C, seed, kind="softmax", nulls=0.2, *, weighted=False):
    """A random base on D numbers, with log weights and some dropped antecedents; and 30 rows for it.

    weighted: as if it had been trained with class weights.
    """
    rng = np.random.default_rng(seed)
    rules = []
    for _ in range(R):
        sigmas = [None if rng.random() < nulls else float(s) for s in rng.uniform(0.3, 2, D)]
        consequents = rng.normal(size=(C, D + 1)).tolist()
        rules.append(rule(rng.normal(size=D).tolist(), sigmas, consequents, float(rng.normal())))
    Z = rng.normal(size=(30, D))
    made = base([number(f"x{d}") for d in range(D)], layered(rules, kind, rng), [f"c{c}" for c in range(C)], kind)
    return (made | {"log_prior": rng.normal(0, 2, C).tolist()} if weighted else made), Z


def slow_firing(rules, x, mask=None):
    """f̄ of one row, by the formula and nothing else."""
    raw = []
    for r, one in enumerate(rules["rules"]):
        z = one["log_weight"]
        for d, (c, s) in enumerate(zip(one["centers"], one["sigmas"], strict=True)):
            if s is not None and (mask is None or mask[r][d]):
                z -= (x[d] - c) ** 2 / (2 * s**2)
        raw.append(z)
    normalisation = rules["normalisation"].get("of", rules["normalisation"])
    if normalisation["kind"] == "log":
        raw = [1 / (normalisation["epsilon"] - min(z, 0.0)) for z in raw]
        return [f / sum(raw) for f in raw]
    raw = [math.exp(z) for z in raw]
    return [f / (sum(raw) + normalisation.get("epsilon", 0.0)) for f in raw]


def slow_weights(rules, firing):
    """What the scores of the rules are multiplied by, R numbers: f̄ itself, or f̃ of layer normalisation."""
    if rules["normalisation"]["kind"] != "layer-relu":
        return firing
    R, epsilon = len(firing), rules["normalisation"]["epsilon"]
    mean = sum(firing) / R
    deviation = math.sqrt(sum((f - mean) ** 2 for f in firing) / R + epsilon)
    return [max(0.0, one["scale"] * (f - mean) / deviation + one["shift"]) for f, one in zip(firing, rules["rules"], strict=True)]


def slow_outputs(rules, x):
    """y_r^c of one row: R lists of C."""
    return [
        [row[0] + sum(b * v for b, v in zip(row[1:], x, strict=True)) for row in one["consequents"]] for one in rules["rules"]
    ]


def slow_scores(rules, x, mask=None):
    weights, outputs = slow_weights(rules, slow_firing(rules, x, mask)), slow_outputs(rules, x)
    return [sum(f * y[c] for f, y in zip(weights, outputs, strict=True)) for c in range(len(rules["classes"]))]


random_bases = st.builds(
    random_base,
    R=st.integers(1, 5),
    D=st.integers(1, 4),
    C=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(KINDS),
    weighted=st.booleans(),
)
