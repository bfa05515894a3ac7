"""Writes row_explanation.json: rule bases, rows, and all that an explanation of a row says, by the formulas and nothing else.

``python -m tests.vectors.row_explanation``; the file is read by tests/explain/row/test_vectors.py and, for the browser's own
implementation, by tests/client/row_explanation.test.js. Nothing here comes from either implementation.
"""

import json
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_suffix(".json")
SWITCH = 2.0  # standard deviations that another category counts
ONE, TWO = 4001, 161  # values of a number that are tried: alone, and with another feature


def log_levels(rules, x):
    """z_r = w_r − Σ_d (x_d − m_rd)² / (2 σ_rd²), without antecedents that were dropped."""
    z = []
    for rule in rules["rules"]:
        level = rule["log_weight"]
        for value, center, sigma in zip(x, rule["centers"], rule["sigmas"], strict=True):
            if sigma is not None:
                level -= (value - center) ** 2 / (2 * sigma**2)
        z.append(level)
    return np.array(z)


def firing_of(rules, x):
    """f̄_r = exp z_r / (Σ exp z + ε), with ε = 0 for softmax; in logarithms, since exp z may be 0 for all rules.

    Under "log" f_r = 1 / (ε − z_r), z_r above 0 counting as 0, and f̄_r = f_r / Σ f.
    """
    kind = rules["normalisation"].get("of", rules["normalisation"])
    z, epsilon = log_levels(rules, x), kind.get("epsilon", 0.0)
    if kind["kind"] == "log":
        inverse = 1 / (epsilon - np.minimum(z, 0))
        return inverse / inverse.sum()
    whole = [*z, np.log(epsilon)] if epsilon else z
    return np.exp(z - np.logaddexp.reduce(whole))


def weights_of(rules, firing):
    """f̄ (…, R); under "layer-relu" f̃_r = max(0, γ_r (f̄_r − m)/√(v + ε) + β_r), m and v mean and variance over the rules."""
    if rules["normalisation"]["kind"] != "layer-relu":
        return firing
    scale, shift = (np.array([rule[name] for rule in rules["rules"]]) for name in ("scale", "shift"))
    deviation = np.sqrt(firing.var(-1, keepdims=True) + rules["normalisation"]["epsilon"])
    return np.maximum(0, scale * (firing - firing.mean(-1, keepdims=True)) / deviation + shift)


def outputs_of(rules, x):
    """y_r^c = b_r0^c + Σ_d b_rd^c x_d: (R, C)."""
    return np.array([[row[0] + float(np.dot(row[1:], x)) for row in rule["consequents"]] for rule in rules["rules"]])


def scores_of(rules, x):
    return weights_of(rules, firing_of(rules, x)) @ outputs_of(rules, x)


def explained(rules, features, typical, x, search):
    firing, outputs = firing_of(rules, x), outputs_of(rules, x)
    weights = weights_of(rules, firing)
    scores = weights @ outputs
    odds = scores + np.array(rules.get("log_prior", [0.0] * len(scores)))
    shares = np.exp(odds - odds.max())
    entropy = -sum(f * np.log(f) for f in firing if f > 0)
    slopes = np.array([[row[1:] for row in rule["consequents"]] for rule in rules["rules"]])  # (R, C, D)
    by_column = np.einsum("r,rcd->dc", weights, slopes) * (np.array(x) - typical)[:, None]
    by_feature = [by_column[list(one["columns"])].sum(0).tolist() for one in features]
    by_firing = ((weights - weights_of(rules, firing_of(rules, typical))) @ outputs_of(rules, typical)).tolist()
    if not slopes.any() and rules["normalisation"]["kind"] != "layer-relu":
        by_feature, by_firing = shapley(rules, features, typical, x), [0.0] * len(scores)
    return {
        "x": list(map(float, x)), "firing": firing.tolist(), "contributions": (weights[:, None] * outputs).tolist(),
        "scores": scores.tolist(), "probabilities": (shares / shares.sum()).tolist(), "predicted": int(scores.argmax()),
        "entropy": float(max(0.0, entropy)), "effective": float(np.exp(max(0.0, entropy))),
        "typical": scores_of(rules, typical).tolist(),
        "by_firing": by_firing, "by_feature": by_feature,
    } | ({"nearest": _nearest(rules, features, x)} if search else {})  # fmt: skip


def shapley(rules, features, typical, x):
    """What each feature adds to the scores of the typical row, (F, C): the mean over all orders in which they take x's values."""
    added, orders = np.zeros((len(features), len(rules["classes"]))), list(permutations(range(len(features))))
    for order in orders:
        row, before = typical.copy(), scores_of(rules, typical)
        for f in order:
            row[features[f]["columns"]] = np.array(x)[features[f]["columns"]]
            after = scores_of(rules, row)
            added[f] += after - before
            before = after
    return (added / len(orders)).tolist()


def _nearest(rules, features, x):
    return [nearest(rules, features, x, 1, ONE), nearest(rules, features, x, 2, TWO)] if inside(features, x) else None


def inside(features, x):
    """Whether the row is within the range of each feature, where changes are looked for."""
    return all(one["low"] <= x[d] <= one["high"] for one in features for d in one["columns"])


def nearest(rules, features, x, count, tried):
    """The least distance of a change of so many features, on a grid, that flips the prediction; None where there is none."""
    x, best = np.array(x, float), None
    for chosen in combinations(features, count):
        moves = [values_of(one, x, tried) for one in chosen]
        places, squares = [], []
        for some in product(*moves):
            place = x.copy()
            for one, (_, values) in zip(chosen, some, strict=True):
                place[one["columns"]] = values
            places.append(place)
            squares.append(sum(distance**2 for distance, _ in some))
        flips = predictions(rules, np.array(places)) != int(scores_of(rules, x).argmax())
        if flips.any():
            found = float(np.sqrt(np.array(squares)[flips].min()))
            best = found if best is None else min(best, found)
    return best


def values_of(feature, x, tried):
    """The other values of a feature, each with its distance."""
    own = x[feature["columns"]]
    if feature["categories"]:
        return [(SWITCH, state) for state in np.eye(len(feature["columns"])) if (state != own).any()]
    low, high = feature["low"], feature["high"]
    grid = np.arange(low, high + 0.5) if feature["whole"] else np.linspace(low, high, tried)
    return [(abs(value - own[0]) / feature["scale"], [value]) for value in grid if value != own[0]]


def predictions(rules, X):
    """The class of many rows at once: the formulas above, over arrays (n, …)."""
    z, outputs = [], []
    for rule in rules["rules"]:
        kept = np.array([sigma is not None for sigma in rule["sigmas"]])
        sigma = np.array([1.0 if s is None else s for s in rule["sigmas"]])
        z.append(rule["log_weight"] - (kept * (X - rule["centers"]) ** 2 / (2 * sigma**2)).sum(1))
        b = np.array(rule["consequents"])
        outputs.append(b[:, 0] + X @ b[:, 1:].T)
    z, kind = np.array(z).T, rules["normalisation"].get("of", rules["normalisation"])  # z: (n, R)
    whole = np.logaddexp.reduce(z, axis=1, keepdims=True)
    if kind["kind"] == "paper":
        whole = np.logaddexp(whole, np.log(kind["epsilon"]))
    firing = np.exp(z - whole)
    if kind["kind"] == "log":
        inverse = 1 / (kind["epsilon"] - np.minimum(z, 0))
        firing = inverse / inverse.sum(1, keepdims=True)
    return np.einsum("nr,rnc->nc", weights_of(rules, firing), np.array(outputs)).argmax(1)


def number(name, d, whole=False):
    low, high, scale, step = (0.0, 8.0, 2.5, 1.0) if whole else (-3.0, 3.0, 1.0, 0.001)
    known = {"name": name, "columns": [d], "categories": [], "whole": whole, "locked": False}
    return known | {"low": low, "high": high, "scale": scale, "step": step}


def category(name, columns, categories):
    bounds = {"low": 0.0, "high": 1.0, "scale": 1.0, "step": 1.0}
    return {"name": name, "columns": columns, "categories": categories, "whole": False, "locked": False, **bounds}


NUMBERS = [number("a", 0), number("b", 1)]
COLOUR = category("colour", [3, 4, 5], ["red", "blue", "grey"])
MIXED = [number("size", 0), number("weight", 1), number("legs", 2, whole=True), COLOUR]


def base(features, R, C, seed, *, kind="softmax", dropped=0.0, weight=None, layer_norm=False, order=1, weighted=False):
    """A rule base by chance, exported, and two typical rows for it, the first of which is the typical one."""
    rng, D = np.random.default_rng(seed), sum(len(one["columns"]) for one in features)
    columns = []
    for one in features:
        kinds = one["categories"] or [None]
        impute = one["categories"][1] if one["categories"] else 0.5
        columns += [
            {"feature": one["name"], "kind": "category" if k else "number", "category": k, "impute": impute} for k in kinds
        ]
    rules = [
        {
            "log_weight": float(rng.normal()) if weight is None else weight, "centers": rng.normal(1, 1.5, D).tolist(),
            "sigmas": [None if rng.random() < dropped else float(s) for s in rng.uniform(0.4, 2, D)],
            "consequents": rng.normal(size=(C, D + 1)).tolist(),
        }
        for _ in range(R)
    ]  # fmt: skip
    if order == 0:
        rules = [rule | {"consequents": [[row[0]] + [0.0] * D for row in rule["consequents"]]} for rule in rules]
    normalisation = {"kind": kind} | ({} if kind == "softmax" else {"epsilon": {"paper": 1e-8, "log": 1e-3}[kind]})
    if layer_norm:
        normalisation = {"kind": "layer-relu", "epsilon": 1e-5, "of": normalisation}
        rules = [rule | {"scale": rng.normal(1, 0.5), "shift": rng.normal(0, 0.5)} for rule in rules]
    return {
        "format": "tsk-rules", "version": 1, "classes": [f"c{c}" for c in range(C)], "columns": columns,
        "normalisation": normalisation, "rules": rules,
    } | ({"log_prior": rng.normal(0, 1.5, C).tolist()} if weighted else {})  # fmt: skip


def rows_of(features, seed, far=()):
    rng, rows = np.random.default_rng(seed), []
    for _ in range(3):
        row = []
        for one in features:
            if one["categories"]:
                row += np.eye(len(one["categories"]))[rng.integers(len(one["categories"]))].tolist()
            else:
                row.append(float(rng.integers(0, 9)) if one["whole"] else float(rng.uniform(-2, 2)))
        rows.append(row)
    return rows + [[value] * len(rows[0]) for value in far]


CASES = {
    "softmax, two classes": (NUMBERS, {"R": 3, "C": 2, "seed": 1}, ()),
    "paper normalisation": (NUMBERS, {"R": 3, "C": 3, "seed": 2, "kind": "paper"}, ()),
    "dropped antecedents": (NUMBERS, {"R": 4, "C": 3, "seed": 3, "dropped": 0.5}, ()),
    "a whole number and categories": (MIXED, {"R": 4, "C": 3, "seed": 4, "dropped": 0.15}, ()),
    "categories, paper normalisation": (MIXED, {"R": 3, "C": 4, "seed": 5, "kind": "paper"}, ()),
    "many rules and classes": (NUMBERS, {"R": 20, "C": 8, "seed": 6, "dropped": 0.1}, ()),
    "rows far from every rule": (NUMBERS, {"R": 2, "C": 2, "seed": 7}, (1e3, -1e3, 1e9)),
    "rules of hardly any weight": (NUMBERS, {"R": 2, "C": 2, "seed": 8, "weight": -2000.0}, ()),
    "rules of great weight, paper normalisation": (NUMBERS, {"R": 2, "C": 2, "seed": 9, "kind": "paper", "weight": 2000.0}, ()),
    "log normalisation": (NUMBERS, {"R": 3, "C": 3, "seed": 10, "kind": "log", "weight": 0.0, "dropped": 0.1}, ()),
    "categories, log normalisation": (MIXED, {"R": 3, "C": 4, "seed": 11, "kind": "log", "weight": -0.5}, ()),
    "rows far from every rule, log normalisation": (NUMBERS, {"R": 2, "C": 2, "seed": 12, "kind": "log"}, (1e3, -1e3, 1e9)),
    "layer normalisation": (NUMBERS, {"R": 4, "C": 3, "seed": 13, "layer_norm": True}, (1e3, 1e9)),
    "paper, layer normalisation": (NUMBERS, {"R": 3, "C": 3, "seed": 14, "kind": "paper", "layer_norm": True}, (1e3,)),
    "constant scores": (MIXED, {"R": 4, "C": 3, "seed": 16, "dropped": 0.3, "order": 0}, ()),
    "constant scores, paper normalisation": (MIXED, {"R": 3, "C": 2, "seed": 17, "kind": "paper", "order": 0}, ()),
    "categories, log, layer normalisation": (MIXED, {"R": 4, "C": 3, "seed": 15, "kind": "log", "layer_norm": True}, ()),
    "class weights": (MIXED, {"R": 4, "C": 3, "seed": 32, "weighted": True}, (1e3,)),
}


def make(search=True):
    """All vectors, JSON-ready. search: for the nearest changes as well, which takes seconds."""
    made = []
    for name, (features, how, far) in CASES.items():
        rules = base(features, **how)
        numbers = [column["kind"] == "number" for column in rules["columns"]]
        typical = [
            float(column["impute"]) if is_number else float(column["category"] == column["impute"])
            for is_number, column in zip(numbers, rules["columns"], strict=True)
        ]
        rows = [explained(rules, features, np.array(typical), x, search) for x in rows_of(features, how["seed"], far)]
        made.append({"name": name, "rules": rules, "features": features, "typical_row": typical, "rows": rows})
    return made


if __name__ == "__main__":
    FILE.write_text("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in make()) + "\n]\n", encoding="utf-8")
