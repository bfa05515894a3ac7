"""The rules printed in full predict as the model does: a reader of the text alone gets the same classes."""

import re

import numpy as np
import pytest

from tests.explain.examples import base, number, random_base, rule
from tsk_core.errors import DataError
from tsk_core.explain.exported import scores
from tsk_core.explain.printed import printed_rules


def read_by_a_person(text, columns, classes, row):
    """Evaluate the printed text for one encoded row: the oracle, which knows the text and nothing else. columns: names."""
    levels, outputs = [], []
    for block in re.split(r"\n\nRule \d+: ", text)[1:]:
        first, then, *weight = [line.strip() for line in block.splitlines()]
        level = float(weight[0].rpartition(" ")[2]) if weight else 1.0
        for name, center, half in re.findall(r"(?:IF|AND) (.+?) is (\S+) ± (\S+)", first):
            level *= np.exp(-np.log(2) * ((row[columns.index(name)] - float(center)) / float(half)) ** 2)
        levels.append(level)
        outputs.append([float(re.search(rf"(?:THEN |, ){re.escape(name)} (\S+?)(?:,|$)", then).group(1)) for name in classes])
    return int((np.array(levels) @ np.array(outputs)).argmax())


def constant_base(seed):
    """A random base whose consequents are constant, and 500 rows for it."""
    rules, _ = random_base(R=4, D=3, C=3, seed=seed)
    for one in rules["rules"]:
        one["consequents"] = [[constant, 0.0, 0.0, 0.0] for constant, *_ in one["consequents"]]
    return rules, np.random.default_rng(seed).normal(size=(500, 3))


@pytest.mark.parametrize("seed", range(5))
def test_rounding_changes_few_predictions_of_any_base(seed):
    rules, Z = constant_base(seed)
    printed = printed_rules(rules, Z.min(0), Z.max(0))
    assert (printed.predict_index(Z) == scores(rules, Z).argmax(1)).mean() >= 0.98
    columns, classes = ["x0", "x1", "x2"], ["c0", "c1", "c2"]
    by_hand = [read_by_a_person(printed.text, columns, classes, row) for row in Z[:50]]
    np.testing.assert_array_equal(by_hand, printed.predict_index(Z[:50]))


def test_neither_a_condition_that_holds_throughout_nor_a_rule_of_equal_scores_is_printed():
    rules = base(
        [number("age"), number("dose")],
        [
            rule([40.0, 1.0], [5.0, 900.0], [[1.0, 0, 0], [-1.0, 0, 0]]),
            rule([60.0, 1.0], [5.0, 2.0], [[-1.0, 0, 0], [1.0, 0, 0]]),
        ],
    )
    printed = printed_rules(rules, np.array([20.0, 0.0]), np.array([80.0, 3.0]))
    assert "Rule 1: IF age is 40 ± 5.89\n" in printed.text and "AND dose is 1 ± 2.35" in printed.text
    assert printed.rules["rules"][0]["sigmas"][1] is None
    scored = [(40.0, [1.0, -1.0]), (50.0, [0.3, 0.3]), (60.0, [-1.0, 1.0])]
    rules = base([number("age")], [rule([age], [5.0], [[score, 0.0] for score in own]) for age, own in scored])
    Z = np.linspace(20, 80, 61)[:, None]
    printed = printed_rules(rules, Z.min(0), Z.max(0))
    assert "Rule 1:" in printed.text and "Rule 3:" in printed.text and "Rule 2:" not in printed.text
    off_the_border = np.abs(Z[:, 0] - 50) > 1
    np.testing.assert_array_equal(printed.predict_index(Z)[off_the_border], scores(rules, Z).argmax(1)[off_the_border])
    equal = base([number("age")], [rule([40.0], [5.0], [[1.0, 0], [1.0, 0]])])
    assert "Rule 1:" in printed_rules(equal, Z.min(0), Z.max(0)).text


def test_linear_consequents_are_not_printed_in_full():
    rules, Z = random_base(R=2, D=3, C=2, seed=0)
    with pytest.raises(DataError, match="linear consequents"):
        printed_rules(rules, Z.min(0), Z.max(0))
