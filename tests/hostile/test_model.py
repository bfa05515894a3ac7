"""A saved model predicts the raw tables of readable files as it predicts their features."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.hostile import cells, names
from tsk_core import TSKClassifier
from tsk_core.data import make_dataset, read_table
from tsk_core.errors import DataWarning, ModelFileError, TSKError
from tsk_core.predict.prediction import predict_table

# What a file is or how it is written makes no difference to cleaning; its cells and names do. Ordinary ones: tests/realworld.
READABLE = {name: file for name, file in (cells.FILES | names.FILES).items() if file.reads is not False}


def saved_model(dataset, folder):
    """A model trained on some rows of each class and saved, as the training of a run does it, then loaded."""
    first = np.unique(dataset.y.astype(str), return_index=True)[1]
    rows = np.union1d(first, np.arange(0, len(dataset.y), max(1, len(dataset.y) // 300)))
    classifier = TSKClassifier(n_rules=2, max_epochs=1, batch_size=512, random_state=0)
    classifier.fit(dataset.X.iloc[rows], dataset.y[rows])
    classifier.cleaning_ = dataset.cleaning
    classifier.save(folder)
    return TSKClassifier.load(folder)


@pytest.mark.filterwarnings("ignore::tsk_core.errors.DataWarning")  # of unreadable cells; some tables have them, as in training
@pytest.mark.slow
@pytest.mark.parametrize("name", READABLE)
def test_a_saved_model_predicts_a_raw_table_as_its_features(name, tmp_path):
    try:
        raw = read_table(READABLE[name].make()).frame
        dataset = make_dataset(raw, READABLE[name].target, name=name)
    except TSKError:  # a file that may be refused
        return
    model = saved_model(dataset, tmp_path)
    probabilities = model.predict_proba(raw)
    pd.testing.assert_frame_equal(model.clean(dataset.X), dataset.X)
    if len(raw) == len(dataset.X):  # all rows have a class
        np.testing.assert_array_equal(model.predict_proba(dataset.X), probabilities)
    table = predict_table(model, raw).iloc[:, raw.shape[1] :]  # what the Predict tab shows
    assert table.iloc[:, 0].tolist() == model.predict(raw).tolist()
    np.testing.assert_allclose(table.iloc[:, 1:-2].to_numpy(float), probabilities, rtol=0, atol=1e-12)


STEP = {"column": "a", "role": "number", "feature": "a", "number": {"decimal": ".", "unit": ""}, "date": None, "kept": None,
        "truth": False, "flag": "", "missing": "", "codes": [], "levels": []}  # fmt: skip
BROKEN = {
    "text": "clean",
    "no steps": {"version": 1},
    "another version": {"version": 2, "steps": [STEP]},
    "another feature": {"version": 1, "steps": [STEP | {"feature": "b"}]},
    "a feature too many": {"version": 1, "steps": [STEP, STEP | {"column": "b", "feature": "b"}]},
    "an unknown key": {"version": 1, "steps": [STEP | {"code": "print()"}]},
    "a unit that is a list": {"version": 1, "steps": [STEP | {"number": {"decimal": ".", "unit": [1]}}]},
}


@pytest.fixture(scope="module")
def fitted():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4]})
    return TSKClassifier(n_rules=2, max_epochs=1, random_state=0).fit(X, ["x", "y", "x", "y"])


@pytest.fixture
def plain_model(fitted, tmp_path):
    """The folder of a saved model, which a test may change."""
    fitted.save(tmp_path)
    return tmp_path


def with_cleaning(folder, cleaning):
    return changed(folder, lambda description: description.update(cleaning=cleaning))


def changed(folder, change):
    """The folder of a saved model whose description ``change`` has changed."""
    path = folder / "model.json"
    description = json.loads(path.read_text())
    change(description)
    path.write_text(json.dumps(description))
    return folder


@pytest.mark.parametrize("kind", BROKEN)
def test_a_saved_model_with_a_malformed_cleaning_is_refused(plain_model, kind):
    with pytest.raises(ModelFileError, match="clean"):
        TSKClassifier.load(with_cleaning(plain_model, BROKEN[kind]))


def test_a_saved_model_with_a_valid_cleaning_is_read(plain_model):
    model = TSKClassifier.load(with_cleaning(plain_model, {"version": 1, "steps": [STEP]}))
    raw = pd.DataFrame({"a": ["1", "2", "3.0", "four"], "unused": 0})
    features = pd.DataFrame({"a": [1.0, 2, 3, np.nan]})
    with pytest.warns(DataWarning, match="1 of 4 filled cells, such as 'four'"):
        np.testing.assert_array_equal(model.predict_proba(raw), model.predict_proba(features))
    plain = TSKClassifier.load(with_cleaning(plain_model, None))
    np.testing.assert_array_equal(plain.predict_proba(features), model.predict_proba(features))


def first(*path, to):
    """A change of one value of the first readable rule, or of the summaries where the path starts with ".."."""

    def change(description):
        at, keys = description["summaries"]["rules"][0], list(path)
        if keys[0] == "..":
            at = description["summaries"]
            del keys[0]
        for key in keys[:-1]:
            at = at[key]
        at[keys[-1]] = to

    return change


MALFORMED = {
    "text": lambda d: d.update(summaries="rules"),
    "a list": lambda d: d.update(summaries=[]),
    "nothing": lambda d: d.update(summaries={}),
    "no rules": first("..", "rules", to=[]),
    "a rule less": lambda d: d["summaries"]["rules"].pop(),
    "a rule twice": lambda d: d["summaries"]["rules"].append(d["summaries"]["rules"][0]),
    "an unknown key": first("..", "code", to="print()"),
    "an unknown key of a rule": first("code", to="print()"),
    "an unknown key of a condition": first("antecedents", 0, "code", to="print()"),
    "a rule that does not exist": first("index", to=3),
    "a number as text": first("support", to="0.5"),
    "not a number": first("support", to=float("nan")),
    "infinity": first("wins", to=float("inf")),
    "true as a number": first("support", to=True),
    "text for a number": first("antecedents", 0, "low", to="x"),
    "a label that is a list": first("antecedents", 0, "label", to=["x"]),
    "another feature": first("antecedents", 0, "feature", to="b"),
    "thirteen conditions": lambda d: d["summaries"]["rules"][0].update(
        antecedents=d["summaries"]["rules"][0]["antecedents"] * 13
    ),
    "another class": first("model_class", to="z"),
    "counts that are no numbers": first("train_counts", 0, 0, to="1"),
    "counts below zero": first("train_counts", 0, 0, to=-1),
    "counts of more rows than there are": first("n_train", to=0),
    "counts of another class": first("train_counts", 0, to=[0]),
    "counts of no length": first("test_counts", to=[]),
    "a class as a list": first("conclusion", to=["x"]),
    "scores of other classes": first("scores", to=[["x", 1.0]]),
    "scores that are text": first("scores", to=[["x", "1"], ["y", "2"]]),
    "confidence of other classes": first("confidence", to=[["x", 1.0], ["z", 0.0]]),
    "redundancy of another size": first("..", "redundancy", to=[[1.0]]),
    "redundancy of two lengths": first("..", "redundancy", to=[[1.0, 0.0], [1.0]]),
    "fidelity of no length": first("..", "fidelity", to=[]),
    "fidelity of two lengths": first("..", "fidelity", to=[1.0, 1.0]),
    "measured nowhere": first("..", "evaluated_on", to=""),
    "a claim of another class": first("claim", "centre_class", to="z"),
    "a claim of more than all": first("claim", "confidence", to=1.5),
    "a claim without an interval": first("claim", "interval", to=[]),
    "figures of another length": first("..", "measured", "uncovered", to=[0] * 14),
    "more rows without a rule than rows": first("..", "measured", "n_rows", to=0),
    "fixed scores of another size": first("..", "measured", "constants", to=[[[1.0]]]),
    "a reading without its accuracy": first("..", "measured", "accuracy", to={}),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_saved_model_with_malformed_readable_rules_is_refused(plain_model, kind):
    TSKClassifier.load(plain_model).rules()  # as it was written, it is read
    with pytest.raises(ModelFileError, match="readable rules"):
        TSKClassifier.load(changed(plain_model, MALFORMED[kind]))


def test_texts_of_readable_rules_are_shown_as_text(plain_model):
    script = "<script>alert(1)</script>"
    model = TSKClassifier.load(changed(plain_model, first("antecedents", 0, "text", to=script)))
    assert script in str(model.rules())
    assert script not in model.rules()._repr_html_()
