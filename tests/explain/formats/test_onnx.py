"""The ONNX model gives what the classifier gives, from raw rows with categories and gaps; without onnx there is one sentence."""

import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.special import softmax

from tests.explain.examples import base, category, number, random_bases, rule
from tests.explain.formats.test_predicting import HOSTILE, KINDS, mixed_table, with_unknown_categories
from tsk_core import TSKClassifier
from tsk_core.errors import DataError, TSKError
from tsk_core.explain import FORMATS, scores
from tsk_core.explain.formats.model import read_model
from tsk_core.explain.formats.onnx import input_names


def run(content, X, rules):
    """(classes, scores, probabilities) of the rows of a table, computed by ONNX Runtime."""
    runtime = pytest.importorskip("onnxruntime")
    model, feed = read_model(rules), {}
    for feature, name in zip(model.features, input_names(model), strict=True):
        column = X[feature.name]
        is_number = feature.kind == "number"
        feed[name] = (column.to_numpy(float) if is_number else column.astype(object).where(column.notna(), "").to_numpy())[
            :, None
        ]
    return runtime.InferenceSession(content, providers=["CPUExecutionProvider"]).run(["label", "scores", "probabilities"], feed)


@pytest.fixture(autouse=True)
def _needs_onnx(request):
    if "sentence" not in request.node.name:
        pytest.importorskip("onnx")


def assert_alike(found, names, expected, log_prior=0.0):
    label, made, probabilities = found
    np.testing.assert_allclose(made, expected, rtol=0, atol=1e-6 * (1 + np.abs(expected).max()))
    assert label.tolist() == list(names)
    np.testing.assert_allclose(probabilities, softmax(np.add(expected, log_prior), 1), rtol=0, atol=1e-9)


@pytest.mark.parametrize(("firing", "batch_norm"), KINDS)
def test_it_gives_what_the_classifier_gives_with_categories_gaps_and_unknown_categories(firing, batch_norm):
    X, y = mixed_table(3, ordered=True)
    clf = TSKClassifier(4, firing=firing, batch_norm=batch_norm, max_epochs=6, batch_size=32, random_state=0).fit(X, y)
    X = with_unknown_categories(X)
    assert_alike(run(clf.export("onnx"), X, clf.to_dict()), clf.predict(X), clf.model_.scores(X))


def test_shortened_rules_and_rules_that_are_the_model_predict_as_they_do_here():
    X, y = mixed_table(3)
    clf = TSKClassifier(4, max_epochs=6, random_state=0).fit(X, y)
    for book in (clf.rules(2), clf.make_readable(X, y, max_rules=3, max_conditions=2).rules()):
        expected = scores(book.shortened, clf.encoder_.transform(X))
        names = [book.shortened["classes"][k] for k in expected.argmax(1)]
        assert_alike(run(book.export("onnx"), X, book.shortened), names, expected, book.shortened.get("log_prior", 0.0))


@given(random_bases)
def test_any_rules_give_the_same(made):
    rules, Z = made
    if rules["normalisation"]["kind"] == "layer-relu":
        with pytest.raises(DataError, match="ONNX, .fis and FML cannot hold layer-normalised firing levels; export JSON instead"):
            FORMATS["onnx"].write(rules)
        return
    expected = scores(rules, Z)
    X = pd.DataFrame(Z, columns=[column["feature"] for column in rules["columns"]])
    found, names = run(FORMATS["onnx"].write(rules), X, rules), [rules["classes"][k] for k in expected.argmax(1)]
    assert_alike(found, names, expected, rules.get("log_prior", 0.0))


def test_names_from_tables_are_data():
    names = [*HOSTILE, "label", "scores", "probabilities", "tsk/0", "tsk/constant/1"]
    columns = [number(name) for name in names] + [{**category("kind", value), "impute": HOSTILE[0]} for value in HOSTILE if value]
    D = len(columns)
    rules = base(columns, [rule([0.0] * D, [1.0] * D, [[0.1 * c] + [0.01] * D for c in range(2)])], classes=HOSTILE[:2])
    kinds = [value for value in HOSTILE if value]
    X = pd.DataFrame({name: np.linspace(-1, 1, len(kinds)) for name in names}).assign(kind=kinds)
    encoded = np.hstack([X[names].to_numpy(), np.eye(len(kinds))])
    expected = scores(rules, encoded)
    assert_alike(run(FORMATS["onnx"].write(rules), X, rules), [rules["classes"][k] for k in expected.argmax(1)], expected)


def test_a_row_that_is_far_from_every_rule_has_scores():
    rules = base([number("x")], [rule([c], [0.5], [[1.0, 0.0], [c, 1.0]]) for c in (0.0, 1.0)])
    X = pd.DataFrame({"x": [1e6, -1e9, 1e200]})
    _, made, _ = run(FORMATS["onnx"].write(rules), X, rules)
    np.testing.assert_allclose(made[:2], scores(rules, X.to_numpy())[:2], rtol=1e-9)
    assert np.isfinite(made).all()


def test_without_onnx_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    clf = TSKClassifier(2, max_epochs=1, random_state=0).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    with pytest.raises(TSKError, match=r"^This needs onnx, which is not installed: pip install 'tsk-explorer\[onnx\]'.$"):
        clf.export("onnx")
