"""A card's headline counts what belongs together: recounted from the raw rows of a run split by patients."""

import numpy as np
import pandas as pd
import pytest

from tests.recount.arithmetic import wilson
from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.runs import RunStore

CONFIG = TrainConfig.readable(n_rules=3, max_conditions=1, max_epochs=30, random_state=0)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(20), 15)
    severity = rng.normal(size=20)
    table = pd.DataFrame({
        "lab": severity[patient] + rng.normal(0, 0.2, 300), "other": rng.normal(size=300), "patient": patient,
        "ill": np.where(severity[patient] + rng.normal(0, 0.6, 20)[patient] > 0, "yes", "no"),
    })  # fmt: skip
    dataset = make_dataset(table, "ill", name="visits", choices=Choices(roles={"patient": "group"}))
    store = RunStore(tmp_path_factory.mktemp("runs"))
    run = store.create(CONFIG, dataset)
    assert train_run(store.folder, run, CONFIG, dataset).state == "finished"
    return store.result(run), table


def test_the_interval_of_a_headline_takes_the_rows_of_a_patient_as_alike(run):
    result, table = run
    test, checked = table.iloc[result.split.test], 0
    for rule in result.rules().rules:
        (condition,) = rule.antecedents or [None]
        if condition is None or rule.dead or not rule.test.true:
            continue
        values = test[condition.feature]
        low, high = (-np.inf if condition.low is None else condition.low, np.inf if condition.high is None else condition.high)
        rows = test[(values >= low) & (values <= high)]
        visits = rows["patient"].value_counts().to_numpy()
        share, n = (rows["ill"] == rule.conclusion).mean(), kish(visits)
        assert (rule.test.true, rule.test.right) == (len(rows), (rows["ill"] == rule.conclusion).sum())
        assert rule.test.interval == pytest.approx(wilson(share * n, n))
        assert "95% interval by groups" in rule.headline
        checked += n < len(rows) / 3
    assert checked >= 2


def kish(weights):
    return weights.sum() ** 2 / (weights**2).sum()


def test_where_few_patients_have_mistakes_a_confidence_takes_the_rows_of_each_as_alike(run):
    result, table = run
    train = table.iloc[result.split.train]
    firing = result.classifier.firing_levels(train[["lab", "other"]])
    checked = 0
    for rule in result.rules().rules:
        f, own = firing[:, rule.index - 1], (train["ill"] == rule.model_class).to_numpy()
        sums = pd.DataFrame({"all": f, "own": f * own, "other": f * ~own}).groupby(train["patient"].to_numpy()).sum()
        if rule.claim is None or min(kish(sums["own"]), kish(sums["other"])) >= 5:
            continue
        n, share = kish(sums["all"]), sums["own"].sum() / sums["all"].sum()
        assert rule.claim.interval == pytest.approx(wilson(share * n, n), abs=1e-6)
        checked += 1
    assert checked
