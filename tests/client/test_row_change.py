"""The nearest change as the browser finds it: that of ``tsk_core.explain.row``, and it turns the reader's prediction."""

import json

import numpy as np
import pytest
from hypothesis import given, settings

from tests.explain.examples import random_base
from tests.explain.row.mixed import features_of, mixed_base, mixed_bases, slow_predicted
from tsk_core.explain.row import nearest_changes
from tsk_core.runs.snapshots import as_snapshot

pytestmark = pytest.mark.browser

NEAREST = """
const { modelOf } = await import("/client/model/inference.js"), { nearestChanges } = await import("/client/row/change.js");
const [snapshot, normalisation, rows, features, wanted] = JSON.parse(given[0]), model = modelOf(snapshot, normalisation);
return rows.map((x) => nearestChanges(model, x, features, wanted).map(({ features: of, ...change }) => (
  { ...change, names: of.map(({ name }) => name) })));
"""


def as_sent(feature):
    names = ("name", "columns", "categories", "low", "high", "whole", "scale", "step", "locked")
    return {name: getattr(feature, name) for name in names}


def assert_equals_python(client, rules, Z, features, wanted=None):
    sent = [as_snapshot(rules, 1), rules["normalisation"], Z.tolist(), [as_sent(one) for one in features], wanted]
    for x, found in zip(Z, client.run(NEAREST, json.dumps(sent)), strict=True):
        expected = nearest_changes(rules, x, features, wanted)
        assert [one["distance"] for one in found] == pytest.approx([one.distance for one in expected], rel=1e-6)
        own = slow_predicted(rules, x)
        for one, other in zip(found, expected, strict=True):
            assert slow_predicted(rules, one["x"]) == one["predicted"] != own
            if [f.name for f in other.features] == one["names"]:  # another one may be as near
                np.testing.assert_allclose(one["x"], other.x, rtol=1e-6, atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(mixed_bases)
def test_any_row_gets_the_change_that_python_finds(client, case):
    rules, Z = case
    assert_equals_python(client, rules, Z[:2], features_of(rules, Z))


def test_locked_features_and_a_wanted_class_are_respected_alike(client):
    rules, Z = mixed_base(4, 3, seed=7)
    assert_equals_python(client, rules, Z[:8], features_of(rules, Z, locked=["size", "colour"], bounds={"legs": (2, 5)}))
    for wanted in range(3):
        rows = Z[[slow_predicted(rules, x) != wanted for x in Z]][:4]
        assert_equals_python(client, rules, rows, features_of(rules, Z), wanted)


def test_many_rules_and_columns_give_it_too(client):
    rules, Z = random_base(30, 15, 4, seed=3)
    assert_equals_python(client, rules, Z[:1], features_of(rules, Z))
