"""Outlines of the comparison and of the first epoch, over bars of the selected epoch."""

import math

import numpy as np
import pytest

from tests.client.messages import COMPARISON, figure, make_epoch, make_shown
from tsk_core.epoch import ENTROPY_BINS

pytestmark = pytest.mark.browser


def of(client, name, *epochs, comparison, **options):
    return figure(client, name, make_shown(epochs), make_shown(comparison, "before", metrics={}), **options)


def named(drawn, name):
    (trace,) = (trace for trace in drawn["data"] if trace.get("name") == name and trace.get("showlegend", True))
    return trace


def heights(outline):
    """Of the bins, without the points by which it rises and comes down."""
    return outline["y"][2:-2]


@pytest.mark.parametrize(("order", "name"), [("active", f"{COMPARISON}, by rank"), ("number", COMPARISON)])
def test_a_ghost_of_more_rules_shows_them_all(client, order, name):
    levels = np.arange(1, 8) / 28
    drawn = of(client, "firing", make_epoch(), comparison=[make_epoch(firing=levels)], order=order)
    before = named(drawn, name)
    assert heights(before) == pytest.approx(sorted(levels, reverse=order == "active"), abs=1e-5)
    assert (before["x"][0], before["x"][-1]) == (0.5, 7.5)
    assert before["hovertemplate"].startswith(f"{name}: ")
    assert drawn["layout"]["xaxis"]["range"][1] > 7


def test_an_outline_of_entropy_has_the_shape_of_its_bars(client):
    counts = np.arange(ENTROPY_BINS)[::-1]  # the highest bin is the first one
    drawn = of(client, "entropy", make_epoch(1, entropy=counts), make_epoch(2), comparison=[make_epoch(entropy=counts)])
    for name in ("epoch 1", COMPARISON):
        one = named(drawn, name)
        assert one["line"]["shape"] == "hvh"  # upright half way between two middles, where a bin ends
        assert (one["x"][0], one["x"][-1]) == pytest.approx((0, math.log(4)))
        assert (one["y"][0], one["y"][-1]) == (0, 0)
        assert heights(one) == pytest.approx(list(counts / counts.sum()), abs=1e-6)
        assert one["y"][1] == one["y"][2] and one["x"][:2] == [0, 0]  # it rises at the first edge, not at the first middle
        assert one["customdata"] == [one["y"][1], *one["y"][1:-1], one["y"][-2]]  # shown also where the outline comes down
    assert named(drawn, "epoch 2")["showlegend"]
    assert "(nats)" in drawn["layout"]["xaxis"]["title"]["text"]
