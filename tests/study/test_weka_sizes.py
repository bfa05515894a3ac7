"""JRip and PART within a number of conditions: the count in their printed rules, and the search for the size."""

import re

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core.errors import TrainingError
from tsk_core.evaluate.same_size import Peer
from tsk_core.study.parts import split_data
from tsk_core.study.weka import missing
from tsk_core.study.weka.client import trained
from tsk_core.study.weka.printed import conditions_and_rules
from tsk_core.study.weka.sizes import LEAST_ROWS, most_within, within

JRIP = """JRIP rules:
===========

(x0 <= -0.953463) and (x2 <= -0.307996) and (x2 >= -0.848495) => class=0 (15.0/3.0)
(x3 <= -8.9E-4) and (x4 >= 0.417793) => class=0 (7.0/1.0)
 => class=1 (253.0/18.0)

Number of Rules : 3
"""
PART = """PART decision list
------------------

x0 > -0.953463: 1 (230.0/17.0)

x3 <= -0.514196 AND
x3 > -0.700529 AND
x1 <= 4: 1 (49.0/22.0)

: 0 (47.0/12.0)

Number of Rules  : \t3
"""
needs_weka = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def overlapping():
    """A split of 210 training rows whose classes overlap, so that longer rules can be had."""
    dataset = make_table(rows=300, columns=4, seed=3)
    frame = dataset.frame.copy()
    frame["x1"] = frame["x1"] * 0.5 + np.random.default_rng(0).normal(size=len(frame))
    return split_data(type(dataset)(frame=frame, target="kind", name="overlapping", source="", licence="", findings=()), 0)


@pytest.mark.parametrize(("text", "apart", "together"), [(JRIP, 4, 3), (PART, 3, 3)])
def test_a_rule_has_a_condition_for_each_feature_that_it_compares(text, apart, together):
    assert conditions_and_rules(text, [0, 1, 2, 3, 4]) == (apart, 3)
    assert conditions_and_rules(text, [0, 1, 2, 3, 3]) == (together, 3)  # x3 and x4 are categories of one feature


@needs_weka
@pytest.mark.parametrize("name", list(LEAST_ROWS))
def test_they_are_within_the_number_of_conditions_and_longer_where_more_may_be(name, overlapping):
    found = {wanted: within(name, overlapping, wanted) for wanted in (3, 8, 40)}
    for wanted, peer in found.items():
        assert peer.name == name and peer.conditions <= wanted
        assert 0 < peer.bca <= 1 and peer.rules <= peer.conditions + 1
    assert found[3].conditions < found[40].conditions
    assert within(name, overlapping, 8) == found[8]


@needs_weka
@pytest.mark.parametrize("name", list(LEAST_ROWS))
def test_weka_weighs_the_rows(name, overlapping):
    train, test = (overlapping.X_train, overlapping.y_train), (overlapping.X_test, overlapping.y_test)
    weights = np.where(train[1] == 1, 2.5, 1.0)
    _, text = trained(name, train, test, weights=weights)
    covered = [float(rows) for rows in re.findall(r"\((\d+\.\d+)(?:/\d+\.\d+)?\)$", text, re.MULTILINE)]
    assert sum(covered) == pytest.approx(weights.sum(), abs=0.1)  # of each rule, two decimals


@pytest.mark.parametrize(("count_of_all", "chosen", "asked"), [(30, 15, 1), (900, 30, 5), (10_000, 33, 5)])
def test_the_search_by_halves_finds_the_most_conditions_within(count_of_all, chosen, asked):
    """Rules that hold for r rows have count_of_all / r conditions; Weka can make none that hold for more than 300."""
    done = []

    def peer(rows):
        done.append(rows)
        if rows > 300:
            raise TrainingError("Weka could not train.")
        return Peer("JRip", count_of_all // rows, 2, 0.5, 0.5)

    assert most_within(peer, 30).conditions == chosen  # 33 conditions are the fewest that can be had of the last
    assert len(done) == asked and done[0] == 2


def test_what_weka_cannot_make_at_all_is_an_error():
    def peer(rows):
        raise TrainingError("Weka could not train.")

    with pytest.raises(TrainingError, match="could not train"):
        most_within(peer, 30)


def test_without_weka_they_say_how_to_get_it(overlapping, monkeypatch):
    monkeypatch.setattr("tsk_core.study.weka.client.missing", lambda: "It needs Weka.")
    with pytest.raises(TrainingError, match="needs Weka"):
        within("JRip", overlapping, 8)
