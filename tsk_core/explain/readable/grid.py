"""The rule list as a grid of rules and features, for a drawing: each condition with its range, its word and its membership.

{"features": all names, "columns": {feature: what its cells are drawn over, see ``_column``}, "of": which rows, "rows": how many,
"lines": the list as text, "note": what is said of sentences that are true of no row, "items": the others in the order of the
list, "otherwise" last, each
{"rule": its number, null for "otherwise", "class", "score": of this class, null there, "true": of how many test rows it is true,
"right": how many of these have its class, "taken", "takenRight": the same of those that no sentence before it is true of,
"conditions": [{"feature", "text": the whole, "range": without the name, "word": "" where the range says all, "level": how much it
restricts, in [0, 1], "center", "sigma": of a number, or "levels": of each category}]}]}
"""

import re
from typing import Any

import numpy as np

from tsk_core.explain.antecedents import Antecedent, Unit, log_levels, units_of
from tsk_core.explain.readable.rule_list import ListedRule, RuleList
from tsk_core.explain.reader import RuleArrays, read_rules

__all__ = ["rule_grid", "short_range"]

MOST_CATEGORIES = 40  # that a cell can show


def rule_grid(rule_list: RuleList, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
    """The grid in the form above, JSON-ready. low, high: (D,) smallest and largest training values."""
    arrays = read_rules(rule_list.source)
    units = {_name(unit): unit for unit in units_of(arrays.columns)}
    items = [_item(item, arrays, units) for item in (*rule_list.told, rule_list.otherwise)]
    used = {condition["feature"] for item in items for condition in item["conditions"]}
    lines = rule_list.text.splitlines()
    return {
        "features": [name for name, unit in units.items() if name == unit.feature or name in used],
        "columns": {name: _column(units[name], low, high) for name in sorted(used)},
        "of": rule_list.evaluated_on,
        "rows": rule_list.n_test,
        "lines": lines,
        "note": " ".join(lines[len(items) :]),
        "items": items,
    }


def short_range(said: str) -> str:
    """Such as "4.4 to 6.1" for "between 4.4 and 6.1"; without what is said of data beyond it."""
    said = said.partition(", beyond the data")[0]
    between = re.fullmatch(r"between (.+) and (.+)", said)
    return f"{between[1]} to {between[2]}" if between else said


def _name(unit: Unit) -> str:
    """Of a column of the grid: whether a number is missing has one besides the number."""
    return f"{unit.feature} missing" if unit.states == ("missing", "not missing") else unit.feature


def _name_of(antecedent: Antecedent, units: dict[str, Unit]) -> str:
    missing = f"{antecedent.feature} missing"
    return missing if missing in units and antecedent.low is None and antecedent.high is None else antecedent.feature


def _column(unit: Unit, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
    """{"low", "high"} of a number, or {"categories": names}."""
    if unit.states:
        return {"categories": list(unit.states)}
    return {"low": float(low[unit.columns[0]]), "high": float(high[unit.columns[0]])}


def _item(item: ListedRule, arrays: RuleArrays, units: dict[str, Unit]) -> dict[str, Any]:
    rule, counts = item.rule, item.test
    return {
        "rule": None if rule is None else rule.index,
        "class": str(item.conclusion),
        "score": None if rule is None else rule.scores[item.conclusion],
        "true": counts.true,
        "right": counts.right,
        "taken": counts.taken,
        "takenRight": counts.taken_right,
        "conditions": [] if rule is None else [_condition(one, arrays, rule.index - 1, units) for one in rule.antecedents],
    }


def _condition(antecedent: Antecedent, arrays: RuleArrays, r: int, units: dict[str, Unit]) -> dict[str, Any]:
    name = _name_of(antecedent, units)
    unit, said = units[name], antecedent.numbers[len(antecedent.feature) + 1 :].removeprefix("is ")
    word = "" if units[name].states or antecedent.label == said else antecedent.label
    found: dict[str, Any] = {"feature": name, "text": antecedent.text, "range": short_range(said), "word": word}
    found["level"] = 1 - antecedent.flatness
    if not unit.states:
        (d,) = unit.columns
        return found | {"center": float(arrays.centers[r, d]), "sigma": float(arrays.sigmas[r, d])}
    if len(unit.states) > MOST_CATEGORIES:
        return found
    logs = log_levels(arrays, r, unit, unit.values)
    return found | {"levels": np.round(np.exp(logs), 3).tolist()}
