"""What a methods section needs, in the archive of a run: the paragraph, recounted from raw rows, and the table of predictions."""

import csv
import io
import json
import tracemalloc
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tests.training import finished_run
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.errors import RunError
from tsk_core.evaluate.baselines import TunedBaseline
from tsk_core.runs import Search, archive
from tsk_core.runs.methods import CITATION, methods_text

CONFIG = TrainConfig(n_rules=3, ur_weight=2.5, max_epochs=4, batch_norm="bn", random_state=7)


@pytest.fixture(scope="module")
def table():
    """Two classes, the first with a name that a spreadsheet would run; a column with missing cells."""
    blobs = make_table(rows=150, classes=2)
    frame = blobs.frame.assign(kind=np.where(blobs.y == "class 0", "=SUM(A1)", "plain"))
    frame.loc[::10, "x2"] = np.nan
    return make_dataset(frame, "kind", name="blobs")


@pytest.fixture(scope="module")
def ended(tmp_path_factory, table):
    return finished_run(tmp_path_factory.mktemp("runs"), table, CONFIG)


def packed(store, run):
    with zipfile.ZipFile(io.BytesIO(store.archive(run))) as files:
        return {name: files.read(name).decode() for name in files.namelist() if not name.endswith("safetensors")}


def test_the_table_of_predictions_has_every_row_once_with_its_part_and_names_that_are_text_to_a_spreadsheet(ended, table):
    store, run = ended
    lines = list(csv.DictReader(io.StringIO(packed(store, run)["predictions.csv"])))
    result = store.result(run)
    assert [int(line["row"]) for line in lines] == list(range(150))
    assert [k for k, line in enumerate(lines) if line["part"] == "test"] == result.split.test.tolist()
    assert all(line["true"] == "" for line in lines if line["part"] == "train")
    tested = [lines[row] for row in result.split.test]
    assert [line["true"].lstrip("'") for line in tested] == table.y[result.split.test].tolist()
    assert np.mean([line["true"] == line["predicted"] for line in tested]) == pytest.approx(result.metrics["rca"])
    p = result.classifier.predict_proba(table.X.iloc[result.split.test])
    assert np.array([float(line["p(plain)"]) for line in tested]) == pytest.approx(p[:, 1], abs=2e-6)
    text = packed(*ended)["predictions.csv"]
    assert '"\'=SUM(A1)"' in text and '"=SUM' not in text and '"p(=SUM(A1))"' in text


def test_rows_have_the_numbers_of_the_file_where_some_were_left_out(tmp_path, table):
    frame = table.frame.copy()
    frame.loc[[0, 7, 149], "kind"] = None
    left = make_dataset(frame, "kind", name="blobs")
    lines = list(csv.DictReader(io.StringIO(packed(*finished_run(tmp_path, left, CONFIG))["predictions.csv"])))
    assert [int(line["row"]) for line in lines] == [k for k in range(150) if k not in (0, 7, 149)]
    assert all(line["true"].lstrip("'") == frame["kind"][int(line["row"])] for line in lines if line["part"] == "test")


def test_the_paragraph_says_data_split_settings_results_baselines_versions_and_citation(ended, table):
    store, run = ended
    result, text = store.result(run), packed(store, run)["methods.txt"]
    metrics = result.metrics
    for words in (
        "150 rows", table.sha256, "=SUM(A1), plain", "x2", "has 4 inputs", f"{metrics['train_rows']} training rows",
        "stratified by class", "seed 7", "rules R = 3", "uniform regularisation λ = 2.5", "4 epochs", f"{metrics['auc']:.3f}",
        "95% interval over 45 test rows", "recall (sensitivity)", "specificity", "LogisticRegression(C=1.0, max_iter=",
        "class_weight='balanced'", "RandomForestClassifier(n_estimators=100", CITATION,
    ):  # fmt: skip
        assert words in text, words
    low, high = metrics["intervals"]["bca"]
    assert f"{metrics['bca']:.3f} [{low:.3f}, {high:.3f}]" in text
    assert f"{metrics['imputed']['share']:.1%} of the cells of the training rows" in text
    assert all(f"{name} {version}" in text for name, version in result.versions.items())


def test_a_run_that_was_stopped_is_said_to_be_and_damaged_numbers_are_one_sentence(ended):
    result = ended[0].result(ended[1])
    assert "Training took 4 epochs and" in methods_text(result)
    stopped = replace(result, state="stopped", config=replace(CONFIG, max_epochs=200))
    assert "Training was stopped before its end, after 4 of 200 epochs and" in methods_text(stopped)
    searching = replace(stopped, config=replace(stopped.config, early_stopping=True))  # its last training has its own number
    assert "Training was stopped before its end, after 4 epochs and" in methods_text(searching)
    result.metrics.clear()
    with pytest.raises(RunError, match=r"metrics\.json"):
        methods_text(result)


NOTHING = {"ur_weight": 0.0, "l2": 0.0, "shrinkage": 0.0, "sharpness": 0.0}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ur_weight": 1.0, "l2": 0.001, "shrinkage": 0.01}, " plus uniform regularisation (UR), L2 and shrinkage penalties."),
        ({"l2": 0.05}, " plus the L2 penalty."),
        ({"ur_weight": 0.9, "l2": 0.002, "sharpness": 0.2}, " plus uniform regularisation (UR), L2 and sharpness penalties."),
        ({}, "."),
    ],
)
def test_the_paragraph_names_the_parts_of_the_loss_that_count_and_the_order_of_the_consequents(ended, settings, words):
    result = ended[0].result(ended[1])
    assert f"minimises cross-entropy{words}" in methods_text(replace(result, config=replace(CONFIG, **NOTHING | settings)))
    for kind, order in (("linear", "first-order consequents"), ("constant", "constant consequents (zero order)")):
        text = methods_text(replace(result, config=replace(CONFIG, consequents=kind)))
        assert f"membership functions and {order} was trained" in text
        assert text.count("order consequents") + text.count("zero order") == 1


def test_the_share_imputed_and_the_settings_of_baselines_are_in_the_numbers(ended):
    metrics = json.loads(packed(*ended)["metrics.json"])
    assert list(metrics["imputed"]["columns"]) == ["x2"] and 0.05 < metrics["imputed"]["columns"]["x2"] < 0.15
    assert metrics["imputed"]["share"] == pytest.approx(metrics["imputed"]["columns"]["x2"] / 4)
    assert "random_state=7" in metrics["baseline_settings"]["random_forest"]


def test_ordered_categories_are_named_as_ranks_and_kept_with_the_model(tmp_path, table):
    frame = table.frame.assign(size=np.resize(["small", "large", "medium", "small"], 150))
    dataset = make_dataset(frame, "kind", name="blobs", choices=Choices(roles={"size": "ordinal"}))
    store, run = finished_run(tmp_path, dataset, CONFIG)
    result = store.result(run)
    text = methods_text(result)
    assert "Ordered categories (size) are encoded as numbers: their ranks, from 0. After one-hot encoding of other " in text
    assert f"Of its columns {dataset.X.shape[1]} are features" in text
    levels = [column.get("levels") for column in result.classifier.to_dict()["columns"]]
    assert levels == [*([None] * (len(levels) - 1)), ["small", "medium", "large"]]


def test_the_archive_has_rules_as_long_as_asked_for_and_lacks_predictions_that_the_run_did_not_keep(ended):
    store, run = ended
    folder = store.open(run).path
    predictions = (folder / "predictions.npz").read_bytes()
    (folder / "predictions.npz").unlink()
    try:
        files = packed(store, run)
        assert "predictions.csv" not in files and "accuracy (RCA)" in files["methods.txt"]
    finally:
        (folder / "predictions.npz").write_bytes(predictions)
    for most in (1, 4):
        with zipfile.ZipFile(io.BytesIO(store.archive(run, most))) as files:
            assert files.read("rules.txt").decode() == str(store.result(run).rules(most))


VISITED = TrainConfig(n_rules=2, max_epochs=3, random_state=3, class_weight="balanced")
PATIENTS, VISITS = 24, 10


@pytest.fixture(scope="module")
def visits():
    """Twelve columns as a hospital sends them: an id, a constant, free text, a patient; two rows twice, one without a class."""
    rng = np.random.default_rng(0)
    n = PATIENTS * VISITS
    patient = np.repeat(np.arange(PATIENTS), VISITS)
    table = pd.DataFrame({f"value{k}": rng.normal(size=n).round(3) for k in range(7)})
    table = table.assign(
        patient=patient, site="north", note=[f"free text {k}" for k in range(n)], sex=rng.choice(["f", "m"], n),
        ill=np.where(rng.random(n) < 0.3 + 0.02 * patient, "yes", "no"),
    )  # fmt: skip
    table.iloc[1:3] = table.iloc[[0, 0]].to_numpy()
    table.loc[1:2, "note"] = ["another", "yet another"]
    table.loc[5, "ill"] = None
    table.loc[20:29, "value3"] = np.nan
    return table


@pytest.fixture(scope="module")
def run(tmp_path_factory, visits):
    dataset = make_dataset(visits, "ill", name="visits", choices=Choices(roles={"patient": "group"}))
    store, run = finished_run(tmp_path_factory.mktemp("runs"), dataset, VISITED)
    return store.result(run)


def test_rows_and_columns_are_those_of_the_file_and_groups_and_class_weights_are_told(run, visits):
    text = methods_text(run)
    features = [*(f"value{k}" for k in range(7)), "sex"]
    usable = visits.dropna(subset=["ill"])
    repeated = int(usable[[*features, "ill"]].duplicated().sum())
    assert (len(visits), visits.shape[1], len(usable), len(features), repeated) == (240, 12, 239, 8, 2)
    assert "has 240 rows and 12 columns. 1 row without a usable class was left out; 239 remain." in text
    assert "8 are features; patient decides the split; left out: site (the same value in every row), note (" in text
    assert "2 rows repeat the features and the class of another row; none was removed." in text
    share = usable["value3"].iloc[run.split.train].isna().sum() / (8 * len(run.split.train))
    assert f"Missing values ({share:.1%} of the cells of the training rows: value3" in text
    tested = visits.dropna(subset=["ill"])["patient"].iloc[run.split.test].nunique()
    assert "keeping the groups of column 'patient' whole" in text
    assert f"95% interval, by the {tested} groups of 'patient' ({len(run.split.test)} test rows)." in text
    assert "Rows are weighted inversely to the share of their class" in text and "with default settings: " in text
    assert run.metrics["resampled"] == {"unit": "groups", "count": tested, "column": "patient", "length": 0}


def test_the_search_its_optimism_and_the_parent_are_told(run):
    tuned = {"random_forest": TunedBaseline({"max_depth": 4}, 7, 5, 19.6, 0.71)}
    search = Search(True, 31, 5, 20, 20.0, 0.7321, 0.05, True, tuned)
    metrics = run.metrics | {"search": search.to_dict(), "baselines_tuned": search.to_dict()["baselines"]}
    text = methods_text(replace(run, metrics=metrics, beside="f00d"))
    for words in (
        "the readable rule base made beside run f00d", "tuning for a readable rule base: 31 combinations",
        "5-fold cross-validation on training rows within 20 s", "over 20 validation sets, 0.732, SD 0.050, is optimistic",
        "tuning did not use the test rows", "tuned by 5-fold cross-validation, as the model was",
        " (a random forest 7 comb",
        "default settings)",
    ):  # fmt: skip
        assert words in text, words
    other = metrics | {"search": replace(search, same_split=False).to_dict()}
    assert "it may have seen test rows of this one" in methods_text(replace(run, metrics=other))
    assert Search.from_dict(search.to_dict()) == search
    assert "search" not in methods_text(run)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("drop", ("3 rows without a usable class or equal to an earlier one were left out; 237 remain.", "the first was kept")),
        ("together", ("stratified by class, keeping equal rows together (share", "2 rows repeat the features and the class")),
    ],
)
def test_what_became_of_equal_rows_is_told(tmp_path, visits, choice, said):
    table = visits.drop(columns="patient")
    dataset = make_dataset(table, "ill", name="visits", choices=Choices(repeated=choice))
    store, run = finished_run(tmp_path, dataset, replace(VISITED, early_stopping=True))
    text = methods_text(store.result(run))
    assert all(words in text for words in said), text


def test_the_rules_of_a_large_model_are_written_in_parts(tmp_path, monkeypatch):
    """The zip takes little more memory than it has bytes: of a model with 200,000 consequents, whose JSON is 5 MB."""
    monkeypatch.setattr("tsk_core.runs.archive.methods_text", lambda result: "")
    (tmp_path / "model").mkdir()
    for name in ("model.safetensors", "model.json"):
        (tmp_path / "model" / name).write_bytes(b"{}")
    rules = {"rules": np.random.default_rng(0).normal(size=(20, 10_000)).tolist()}
    large_run = SimpleNamespace(  # what ``archive`` asks of a run
        metrics={"classes": ["a", "b"]}, history=[], folder=tmp_path, split=np.zeros(1), rules=lambda most: "no rules",
        classifier=SimpleNamespace(to_dict=lambda: rules),
    )  # fmt: skip
    tracemalloc.start()
    try:
        packed = archive.archive(large_run, {}, "")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    text = zipfile.ZipFile(io.BytesIO(packed)).read("rules.json")
    assert json.loads(text) == rules
    assert most < 2 * len(packed) + 2_000_000 and len(text) > 4_000_000
