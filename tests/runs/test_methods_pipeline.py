"""The methods paragraph tells how a run came to be: its file, its search, the run it was made beside. Recounted from raw rows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.evaluate.tuned_baselines import TunedBaseline
from tsk_core.runs import RunStore, Search
from tsk_core.runs.methods import methods_text

CONFIG = TrainConfig(n_rules=2, max_epochs=3, random_state=3, class_weight="balanced")
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
    store = RunStore(tmp_path_factory.mktemp("runs"))
    run = store.create(CONFIG, dataset)
    record = train_run(store.folder, run, CONFIG, dataset)
    assert record.state == "finished", record.message
    return store.result(run)


def test_rows_and_columns_are_those_of_the_file(run, visits):
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


def test_groups_and_class_weights_are_told(run, visits):
    text = methods_text(run)
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
    store, config = RunStore(tmp_path), replace(CONFIG, early_stopping=True)
    run = store.create(config, dataset)
    assert train_run(store.folder, run, config, dataset).state == "finished"
    text = methods_text(store.result(run))
    assert all(words in text for words in said), text
