"""The browser computes what the exported rules say: held against their reader in NumPy."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from tests.client.rulebases import explained
from tests.explain.examples import base, number, random_base, random_bases, rule
from tsk_core import TSKClassifier
from tsk_core.explain import contributions, scores
from tsk_core.runs.snapshots import as_snapshot

pytestmark = pytest.mark.browser
CLOSE = {"rtol": 1e-9, "atol": 1e-12}


def assert_equals_the_reader(client, rules, Z):
    found, expected = explained(client, rules, Z), contributions(rules, Z)
    for name in ("firing", "scores", "entropy", "effective"):
        np.testing.assert_allclose([one[name] for one in found], getattr(expected, name), **CLOSE)
    np.testing.assert_allclose([one["contributions"] for one in found], expected.contribution, **CLOSE)
    shares = np.exp(expected.scores - expected.scores.max(1, keepdims=True))
    np.testing.assert_allclose([one["probabilities"] for one in found], shares / shares.sum(1, keepdims=True), **CLOSE)
    assert [one["predicted"] for one in found] == expected.scores.argmax(1).tolist()


@settings(max_examples=60, deadline=None)
@given(random_bases)
def test_any_rule_base_gives_what_the_reader_gives(client, case):
    assert_equals_the_reader(client, *case)


@pytest.mark.parametrize("kind", ["softmax", "paper"])
def test_many_rules_and_columns_give_it_too(client, kind):
    assert_equals_the_reader(client, *random_base(60, 36, 6, seed=5, kind=kind, nulls=0.1))


@pytest.mark.parametrize("firing", ["softmax", "paper"])
@pytest.mark.parametrize("batch_norm", ["none", "bn", "gbn", "rbn"])
def test_a_trained_model_with_a_category_gives_its_own_scores(client, batch_norm, firing):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(1e3, 5, 60), "colour": rng.choice(["red", "blue", "green"], 60)})
    y = np.where(frame["size"] > 1e3, "cat", np.where(frame["colour"] == "red", "dog", "owl"))
    classifier = TSKClassifier(n_rules=4, batch_norm=batch_norm, firing=firing, max_epochs=3, random_state=0).fit(frame, y)
    Z = classifier.encoder_.transform(frame)
    assert_equals_the_reader(client, classifier.to_dict(), Z)
    found = [one["scores"] for one in explained(client, classifier.to_dict(), Z)]
    np.testing.assert_allclose(found, classifier.decision_function(frame), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", ["softmax", "paper"])
@pytest.mark.parametrize("weight", [-2000.0, 0.0, 2000.0])
def test_rows_far_from_every_rule_get_a_prediction(client, kind, weight):
    rules = [rule([0.0], [1.0], [[1.0, 0.0], [0.0, 0.0]], weight), rule([1.0], [0.5], [[0.0, 0.0], [1.0, 0.0]], weight)]
    Z = [[far * side] for far in (0, 1e3, 1e9, 1e160) for side in (1, -1)]
    assert_equals_the_reader(client, base([number("x")], rules, kind=kind), Z)


SURFACE = """
const { modelOf, surface } = await import("/client/model/inference.js");
const [snapshot, normalisation, plane, us, vs] = JSON.parse(given[0]);
const { predicted, probability } = surface(modelOf(snapshot, normalisation), plane, us, vs);
return { predicted: [...predicted], probability: [...probability] };
"""


@settings(max_examples=30, deadline=None)
@given(random_bases)
def test_a_surface_has_the_reader_s_class_and_probability_at_each_place(client, case):
    rules, Z = case
    rng = np.random.default_rng(1)
    plane = {name: rng.normal(size=Z.shape[1]).tolist() for name in ("origin", "across", "up")}
    us, vs = [-1.5, 0.0, 0.5], [-1.0, 2.0]
    found = client.run(SURFACE, json.dumps([as_snapshot(rules, 1), rules["normalisation"], plane, us, vs]))
    origin, across, up = (np.array(plane[name]) for name in ("origin", "across", "up"))
    expected = scores(rules, [origin + u * across + v * up for v in vs for u in us])
    shares = np.exp(expected - expected.max(1, keepdims=True))
    np.testing.assert_allclose(found["probability"], 1 / shares.sum(1), rtol=1e-6)
    ranked = np.sort(expected, 1)
    clear = ranked[:, -1] - ranked[:, -2] > 1e-9
    np.testing.assert_array_equal(np.array(found["predicted"])[clear], expected.argmax(1)[clear])
