"""A saved model is the model, and nothing else is read as one."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from tsk_core import TSKClassifier
from tsk_core.errors import ModelFileError

QUICK = {"n_rules": 4, "max_epochs": 5, "random_state": 0}


@pytest.mark.parametrize("settings", [{}, {"layer_norm": "relu"}])
def test_a_saved_model_predicts_the_same_after_loading(mixed, tmp_path, settings):
    X, y = mixed
    clf = TSKClassifier(**QUICK, **settings).fit(X, y)
    clf.save(tmp_path / "model")
    loaded = TSKClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.decision_function(X), clf.decision_function(X))
    np.testing.assert_array_equal(loaded.predict(X), clf.predict(X))
    assert loaded.get_params() == clf.get_params()
    assert loaded.to_dict() == clf.to_dict()


def test_a_folder_that_cannot_be_written_is_named(of_iris, tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(ModelFileError, match="^The model cannot be written to 'taken': File exists"):
        of_iris.save(tmp_path / "taken")


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(version=99),
        lambda d: d.update(format="other"),
        lambda d: d["config"].update(n_rules=5),
        lambda d: d["config"].update(evil=1),
        lambda d: d["classes"].update(kind="os.system"),
        lambda d: d["classes"].update(kind="object"),
        lambda d: d["encoder"].pop("mean"),
        lambda d: d["encoder"]["columns"].append({}),
        lambda d: d.pop("epsilon"),
        lambda d: d["config"].update(layer_norm="relu"),
    ],
)
def test_a_tampered_model_is_refused_in_one_sentence(of_iris, tmp_path, change):
    of_iris.save(tmp_path / "m")
    file = tmp_path / "m" / "model.json"
    description = json.loads(file.read_text())
    change(description)
    file.write_text(json.dumps(description))
    with pytest.raises(ModelFileError):
        TSKClassifier.load(tmp_path / "m")


@pytest.mark.parametrize("content", [b"", b"\x80\x04N.", b"{" * 10_000, b"[1, 2]"])
def test_a_file_that_is_no_model_is_refused(tmp_path, content):
    (tmp_path / "model.json").write_bytes(content)
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelFileError):
        TSKClassifier.load(tmp_path)
    with pytest.raises(ModelFileError):
        TSKClassifier.load(tmp_path / "nowhere")


@pytest.mark.parametrize("labels", [(0.0, 1.0), (False, True)], ids=str)
def test_class_weights_by_label_hold_after_loading(labels, iris, tmp_path):
    X, y = iris[0], np.where(np.asarray(iris[1]) == np.asarray(iris[1])[0], *labels)
    clf = TSKClassifier(**QUICK, class_weight=dict(zip(labels, (1.0, 3.0), strict=True))).fit(X, y)
    clf.save(tmp_path / "m")
    loaded = TSKClassifier.load(tmp_path / "m")
    again = clone(loaded).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
