"""A saved model with any value of its description replaced either predicts, or is refused in one sentence."""

import copy
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from tsk_core import TSKClassifier
from tsk_core.__main__ import main
from tsk_core.data import make_dataset, to_csv
from tsk_core.errors import ModelFileError, TSKError
from tsk_core.predict import predict_table

TABLE = pd.DataFrame(
    {
        "length": [1.0, 2, 3, 4, np.nan, 6] * 4,
        "colour": ["red", "blue", "red", "blue", "green", "green"] * 4,
        "day": [f"2020-01-{n % 6 + 1:02d}" for n in range(24)],
        "class": ["p", "q"] * 12,
    }
)
VALUES = st.one_of(
    st.sampled_from([None, True, False, 0, -1, 1, 2**70, 1e308, 1e-320, math.nan, math.inf, -math.inf, "", "p", "\ud800"]),
    st.sampled_from([[], {}, [[]], [["p"], ["q"]], ["q", "p"], ["p", "p"], {"a": 1}, "9" * 5_000, "2020-01-01"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The folder of a saved model, and what its model.json says."""
    folder = tmp_path_factory.mktemp("model")
    dataset = make_dataset(TABLE, "class", name="table")
    classifier = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(dataset.X, dataset.y)
    classifier.cleaning_ = dataset.cleaning
    classifier.save(folder)
    return folder, (folder / "model.json").read_text("utf-8")


def places(value, at=()):
    """The path to each value in a JSON document, the document itself aside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*at, key)
        yield from places(one, (*at, key))


def replaced(document, place, value):
    document = copy.deepcopy(document)
    at = document
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    return document


def outcome(folder):
    """What a crafted model does: the sentence that refuses it, or None where it predicts classes with probabilities."""
    try:
        loaded = TSKClassifier.load(folder)
        table = predict_table(loaded, TABLE)  # refuses a model of other columns: one that lost its cleaning has them
        probabilities = loaded.predict_proba(TABLE)
        str(loaded.rules()), loaded.to_dict(), to_csv(table)
    except TSKError as error:
        return str(error)
    assert set(loaded.predict(TABLE)) <= set(loaded.classes_)
    np.testing.assert_allclose(probabilities.sum(1), 1)
    return None


@given(data=st.data())
def test_a_value_of_another_kind_or_range_is_refused_or_predicts(model, data):
    place = data.draw(st.sampled_from(sorted(places(json.loads(model[1])), key=str)), label="place")
    put(*model, place, data.draw(VALUES, label="value"))
    sentence = outcome(model[0])
    assert sentence is None or ("\n" not in sentence and len(sentence) < 600)


REFUSED = {
    "nested labels": (("classes", "values"), [["p"], ["q"]]),
    "one label twice": (("classes", "values"), ["p", "p"]),
    "labels out of order": (("classes", "values"), ["q", "p"]),
    "labels of two kinds": (("classes", "values"), ["p", 1]),
    "not a number": (("epsilon",), math.nan),
    "epsilon of the paper's firing": (("epsilon",), 1e-8),
    "an epsilon that is text": (("epsilon",), "0"),
    "an infinite epoch": (("best_epoch",), math.inf),
    "a message that is a list": (("stop_message",), ["ended"]),
    "a key that nobody knows": (("code",), "print()"),
    "a mean beyond every table": (("encoder", "mean", 0), 1e308),
    "a scale that divides by nothing": (("encoder", "scale", 0), 1e-320),
    "one category twice": (("encoder", "columns", 1, "category"), "green"),
    "consequents that nobody knows": (("config", "consequents"), "quadratic"),
    "cleaned columns without names": (("encoder", "named"), False),
    "half a character": (("stop_message",), "\ud800"),
}


def put(folder, text, place, value):
    """Write a description into a model's folder, with one value replaced."""
    (folder / "model.json").write_text(json.dumps(replaced(json.loads(text), place, value)), "utf-8")


@pytest.mark.parametrize("kind", REFUSED)
def test_a_crafted_description_is_refused(model, kind):
    put(*model, *REFUSED[kind])
    with pytest.raises(ModelFileError):
        TSKClassifier.load(model[0])


def test_a_model_that_lost_its_cleaning_refuses_the_raw_table(model):
    put(*model, ("cleaning",), None)
    assert "missing 'day" in outcome(model[0])


@pytest.mark.parametrize("epsilon", [math.nan, 0, -1, 0.5])
def test_a_model_of_the_papers_firing_has_the_papers_epsilon(tmp_path, epsilon):
    TSKClassifier(n_rules=2, max_epochs=1, firing="paper").fit([[0.0], [1], [2], [3]], ["p", "q", "p", "q"]).save(tmp_path)
    TSKClassifier.load(tmp_path)
    put(tmp_path, (tmp_path / "model.json").read_text("utf-8"), ("epsilon",), epsilon)
    with pytest.raises(ModelFileError):
        TSKClassifier.load(tmp_path)


@pytest.mark.parametrize("width", [0.0, -1.0, math.nan])
def test_a_width_that_is_not_positive_is_refused(model, tmp_path, width):
    folder, text = model
    (tmp_path / "model.json").write_text(text, "utf-8")
    tensors = load_file(folder / "model.safetensors")
    save_file(tensors, tmp_path / "model.safetensors")
    assert outcome(tmp_path) is None
    tensors["sigmas"][0, 0, 0] = width
    save_file(tensors, tmp_path / "model.safetensors")
    with pytest.raises(ModelFileError):
        TSKClassifier.load(tmp_path)


def test_the_command_line_says_it_in_one_sentence(model, tmp_path, capsys):
    folder, text = model
    rows = tmp_path / "rows.csv"
    rows.write_bytes(to_csv(TABLE))
    (folder / "model.json").write_text(text, "utf-8")
    assert main(["predict", str(folder), str(rows), "-o", str(tmp_path / "out.csv")]) == 0
    capsys.readouterr()
    put(folder, text, *REFUSED["nested labels"])
    assert main(["predict", str(folder), str(rows)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: The model's classes are malformed") and said.count("\n") == 1
