"""What a run leaves: its numbers agree with each other, with its predictions, and with scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from tests.tables import make_table
from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.intervals import rows_alone
from tsk_core.runs import RunStore
from tsk_core.runs import run_files as kept
from tsk_core.tasks.final_metrics import share_imputed


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """A run of three classes that overlap, its folder, its dataset."""
    store, dataset = RunStore(tmp_path_factory.mktemp("runs")), make_table(rows=240, classes=3)
    config = TrainConfig(n_rules=2, max_epochs=5, random_state=1)
    run = store.create(config, dataset)
    assert train_run(store.folder, run, config, dataset).state == "finished"
    return store.result(run), store.open(run), dataset


def test_a_finished_run_leaves_model_epochs_split_and_the_predictions_of_the_model(ended):
    result, folder, dataset = ended
    record = RunStore(folder.path.parent).record(result.run)
    assert (record.state, record.message, record.rca) == ("finished", "", result.metrics["rca"])
    assert [epoch.epoch for epoch in result.history] == [1, 2, 3, 4, 5] and result.metrics["epochs"] == 5
    assert result.dataset["sha256"] == dataset.sha256 and result.metrics["test_rows"] == len(result.split.test)
    assert 1 <= result.metrics["best_epoch"] <= 5 and result.metrics["seconds"] > 0 and 0 <= result.metrics["rules_alive"] <= 2
    found, test = folder.predictions(), result.split.test
    names, X = np.array(dataset.classes, dtype=object), dataset.X.iloc[test]
    assert (names[found.true] == dataset.y[test]).all()
    assert (names[found.predicted] == result.classifier.predict(X)).all()
    assert found.probabilities == pytest.approx(result.classifier.predict_proba(X), abs=1e-6)


def test_scores_and_intervals_follow_from_the_predictions(ended):
    result, folder, _ = ended
    metrics, found = result.metrics, folder.predictions()
    assert metrics["rca"] == pytest.approx((found.true == found.predicted).mean())
    assert metrics["bca"] == pytest.approx(balanced_accuracy_score(found.true, found.predicted))
    auc = roc_auc_score(found.true, found.probabilities, multi_class="ovr", average="macro")
    assert metrics["auc"] == pytest.approx(auc, abs=1e-6)
    for score in ("rca", "bca"):
        low, high = metrics["intervals"][score]
        assert low < metrics[score] < high
    assert metrics["bca"] == pytest.approx(np.mean([one["recall"] for one in metrics["by_class"]]))
    assert metrics["features"] == len(result.classifier.encoder_.columns)
    confusion = np.array(metrics["confusion"])
    assert np.trace(confusion) / confusion.sum() == pytest.approx(metrics["rca"]) and confusion.sum() == metrics["test_rows"]
    assert np.mean(np.diag(confusion) / confusion.sum(1)) == pytest.approx(metrics["bca"])


def test_baselines_have_scores_settings_and_paired_differences(ended):
    result, _, dataset = ended
    metrics, encode, (train, test, _) = result.metrics, result.classifier.encode, result.split
    keys = {"majority", "logistic_regression", "weighted_logistic_regression", "random_forest"}
    assert set(metrics["baselines"]) == set(metrics["baseline_settings"]) == set(metrics["differences"]) == keys
    other = LogisticRegression(max_iter=1000).fit(encode(dataset.X.iloc[train]), dataset.y[train])
    predicted, y = other.predict(encode(dataset.X.iloc[test])), dataset.y[test]
    assert metrics["baselines"]["logistic_regression"]["rca"] == pytest.approx((predicted == y).mean())
    own = result.classifier.predict(dataset.X.iloc[test])
    for score, paired in paired_differences(y, own, predicted, rows_alone(len(y)), seed=1).items():
        assert metrics["differences"]["logistic_regression"][score] == pytest.approx(list(paired))
        assert paired.difference == pytest.approx(metrics[score] - metrics["baselines"]["logistic_regression"][score])


def test_a_class_without_test_rows_is_left_out_and_a_note_says_so(tmp_path):
    table = make_table(rows=90, classes=3)
    part = np.where((np.arange(90) % 2 == 0) & (table.y != table.classes[0]), "test", "train")
    choices = Choices(roles={"part": "split"})
    dataset = make_dataset(table.frame.assign(part=part), table.target, name="parts", choices=choices)
    store = RunStore(tmp_path)
    run = store.create(TrainConfig(n_rules=2, max_epochs=2, random_state=0), dataset)
    assert train_run(tmp_path, run, store.open(run).config(), dataset).state == "finished"
    metrics = store.open(run).metrics()
    assert any("BCA and AUC leave out 1 of 3 classes" in note for note in metrics["notes"])
    assert metrics["auc"] is not None and [one["rows"] for one in metrics["by_class"]].count(0) == 1


def test_the_share_imputed_is_that_of_the_missing_cells():
    X = pd.DataFrame({"a": [1.0, np.nan, 3, 4], "b": ["x", None, None, "y"], "c": [1, 2, 3, 4], "d": [0.5] * 4})
    assert share_imputed(X) == {"share": 3 / 16, "columns": {"a": 0.25, "b": 0.5}}


def test_of_too_many_probabilities_the_classes_alone_are_kept(tmp_path, monkeypatch):
    found = kept.Predictions(np.array([0, 1]), np.array([1, 1]), np.array([[0.4, 0.6], [0.1, 0.9]]), np.arange(2))
    for most, columns in ((4, 2), (3, 0)):
        monkeypatch.setattr(kept, "MOST_NUMBERS", most)
        kept.write_predictions(tmp_path, found)
        again = kept.read_predictions(tmp_path)
        assert again.probabilities.shape == (2, columns) and again.predicted.tolist() == [1, 1]
