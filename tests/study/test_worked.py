"""The paper's equations with a model's numbers: left and right sides agree, and agree with what the model predicts."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_study import work_out

CONFIG = TrainConfig.paper(n_rules=5, max_epochs=6, l2=0.05, ur_weight=10.0, random_state=3)
VARIANTS = ("none", "bn", "gbn", "rbn")


@pytest.fixture(scope="module")
def table():
    return make_table(rows=150)


@pytest.fixture(scope="module", params=VARIANTS)
def worked(request, table):
    return work_out(table, replace(CONFIG, batch_norm=request.param), row=4)


def test_terms_shown_and_the_rest_add_up_to_the_output_of_the_merged_model(worked):
    np.testing.assert_allclose(worked["scores"], worked["merged_scores"], rtol=1e-9, atol=1e-9)
    for rule in worked["rules"]:
        assert rule["z_rest"] + sum(one["z"] for one in rule["features"]) == pytest.approx(rule["z"])
        for one in rule["features"]:
            assert -((one["x"] - one["m"]) ** 2) / (2 * one["sigma"] ** 2) == pytest.approx(one["z"])
        assert np.exp(rule["z"] - worked["log_sum_of_firing"]) == pytest.approx(rule["firing"])
    for at, c in enumerate(worked["ranked"]):
        shown = sum(rule["firing"] * rule["y"][at] for rule in worked["rules"])
        assert shown + worked["shared_rest"][at] == pytest.approx(worked["scores"][c])
    assert sum(worked["probabilities"]) == pytest.approx(1)
    losses = worked["ur"]["sum"]
    assert losses["1/C"] - losses["1/R"] == pytest.approx(5 * (1 / 3 - 1 / 5) ** 2) == pytest.approx(worked["ur"]["constant"])


def test_merging_is_exact_and_the_printed_formula_is_not(worked):
    merge = worked["merge"]
    if worked["batch_norm"] == "none":
        assert merge is None
        return
    assert merge["merged"] == pytest.approx(merge["through_bn"], abs=1e-9)
    assert merge["b0"] + merge["b_beta"] - merge["shift"] == pytest.approx(merge["bias"])
    feature = merge["feature"]
    assert feature["gamma"] * feature["b"] / feature["root"] == pytest.approx(feature["weight"])
    assert abs(merge["printed"] - merge["through_bn"]) > 1e-3


def test_the_model_is_the_one_that_the_estimator_trains(table):
    worked = work_out(table, CONFIG, row=0)
    split = table.split(test_size=0.3, seed=3)
    model = TSKClassifier(**CONFIG.to_dict()).fit(table.X.iloc[split.train], table.y[split.train])
    np.testing.assert_allclose(model.decision_function(table.X.iloc[split.test[:1]])[0], worked["scores"], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("row", [-1, 45])
def test_a_row_that_there_is_not_is_refused(table, row):
    with pytest.raises(SettingError, match="no test row .*; this split has 45"):
        work_out(table, CONFIG, row=row)


@pytest.mark.parametrize(
    ("config", "words"), [(TrainConfig.readable(), "linear consequents"), (replace(CONFIG, firing="htsk"), "firing 'softmax'")]
)
def test_other_models_are_refused(table, config, words):
    with pytest.raises(SettingError, match=words):
        work_out(table, config)
