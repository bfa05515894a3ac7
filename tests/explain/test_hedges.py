"""Hedges stand only where a membership is exactly another one's square or square root."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, number, rule
from tsk_core.explain import RuleBaseSummary
from tsk_core.explain.antecedents import hedged

WIDTHS = st.floats(1e-3, 1e3)


def conditions(sigmas, centers=None, values=None):
    """The labels of the conditions of rules on one feature."""
    rules = [rule([c], [s], [[0.0, 1.0], [0.0, 0.0]]) for c, s in zip(centers or [9.0] * len(sigmas), sigmas, strict=True)]
    Z = np.array(values if values is not None else [1.0] * 8 + [5.0] * 8 + [9.0] * 8)[:, None]
    found = RuleBaseSummary.build(base([number("size")], rules), Z).rules
    return [one.antecedents[0].text for one in sorted(found, key=lambda one: one.index)]


def test_very_is_the_square_and_somewhat_the_square_root():
    texts = conditions([2.0, 2.0 / math.sqrt(2), 2.0 * math.sqrt(2)])
    assert texts[0].startswith("size is high (") and texts[1].startswith("size is very high (")
    assert texts[2].startswith("size is somewhat high (")
    x = np.linspace(0, 12, 50)
    mu = np.exp(-((x - 9) ** 2) / (2 * 2.0**2))
    assert np.exp(-((x - 9) ** 2) / (2 * 2.0)) == pytest.approx(mu**2)  # σ² = 4/2
    assert np.exp(-((x - 9) ** 2) / (2 * 8.0)) == pytest.approx(np.sqrt(mu))  # σ² = 4·2


def test_a_hedge_is_no_word_that_the_feature_has_already():
    assert hedged(np.zeros(2), np.array([1, math.sqrt(0.5)]), ["low", "low"], ("very low", "somewhat low")) == ["low", "low"]
    assert hedged(np.zeros(2), np.array([1, math.sqrt(0.5)]), ["low or medium"] * 2, ()) == ["low or medium"] * 2


RELATED = st.sampled_from([1.0, math.sqrt(2), math.sqrt(0.5), math.sqrt(2) * 1.00003, 3.0])  # of one width, some of them powers


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0]), RELATED | WIDTHS), min_size=1, max_size=6))
def test_every_hedge_is_exact(terms):
    centers, sigmas = (np.array(part) for part in zip(*terms, strict=True))
    names = ["low"] * len(terms)
    for i, name in enumerate(hedged(centers, sigmas, names, ())):
        power = {"very": 2, "somewhat": 0.5, "low": 1}[name.split()[0]]
        words = [j for j in range(len(terms)) if centers[j] == centers[i] and np.isclose(sigmas[j] / math.sqrt(power), sigmas[i])]
        assert words
