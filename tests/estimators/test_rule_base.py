"""A training that starts from a rule base: it begins where that one stands, names are matched, and what does not fit is said."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from tests.explain.formats.test_predicting import mixed_table
from tsk_core import TrainConfig, TSKClassifier, fit_many, load_dataset, read_rule_base
from tsk_core.__main__ import main
from tsk_core.errors import DataError, SettingError
from tsk_core.setting_values import shown_value

STILL = {"learning_rate": 1e-12, "max_epochs": 1, "batch_norm": "none", "random_state": 0}  # so that it stays where it starts


@pytest.fixture(scope="module")
def table():
    return mixed_table(3)


@pytest.fixture(scope="module")
def expert(table):
    """A model of a table with categories and gaps."""
    return TSKClassifier(4, max_epochs=8, batch_norm="none", random_state=0).fit(*table)


def assert_starts_from(rules, expert, table, **settings):
    again = TSKClassifier(rule_base=rules, **STILL | settings).fit(*table)
    expected = expert.decision_function(table[0])
    np.testing.assert_allclose(again.decision_function(table[0]), expected, rtol=0, atol=1e-4 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("format", ["json", "fis"])
def test_a_training_starts_from_what_was_exported(expert, table, format):
    assert_starts_from(read_rule_base(expert.export(format).encode()), expert, table)


@pytest.mark.parametrize("settings", [
    {"firing": "softmax"}, {"firing": "htsk"}, {"firing": "paper"}, {"firing": "log"},
    {"firing": "softmax", "max_conditions": 2, "l1": 0.001},
    {"firing": "softmax", "consequents": "constant", "init": "class-kmeans"},
    {"firing": "scaled", "layer_norm": "relu"}, {"firing": "log", "layer_norm": "relu"},
])  # fmt: skip
def test_it_does_so_for_each_kind_of_model(table, settings):
    expert = TSKClassifier(4, max_epochs=8, batch_norm="none", random_state=0, **settings).fit(*table)
    assert_starts_from(expert.to_dict(), expert, table, **settings | {"max_conditions": 0})


def test_names_are_matched_and_columns_without_a_condition_stay_without(table):
    X, y = table
    rules = TSKClassifier(3, max_epochs=5, batch_norm="none", random_state=0).fit(X[["size"]], y).to_dict()
    rules["columns"][0]["feature"] = "SIZE"
    found = TSKClassifier(rule_base=rules, **STILL).fit(X, y).to_dict()
    kept = [[sigma is not None for sigma in one["sigmas"]] for one in found["rules"]]
    assert kept == [[column["feature"] == "size" for column in found["columns"]]] * 3


def test_classes_may_come_in_another_order_or_be_numbers_of_another_type(expert, table):
    rules = json.loads(expert.export("json"))
    rules["classes"] = rules["classes"][::-1]
    for one in rules["rules"]:
        one["consequents"] = one["consequents"][::-1]
    assert_starts_from(rules, expert, table)
    X, y = table[0], np.unique(table[1], return_inverse=True)[1].astype(float)
    expert = TSKClassifier(2, max_epochs=2, batch_norm="none", random_state=0).fit(X, y)
    assert_starts_from(expert.to_dict(), expert, (X, y))


def test_early_stopping_and_many_at_once_start_from_it_too(expert, table):
    rules = expert.to_dict()
    early = TSKClassifier(rule_base=rules, early_stopping=True, patience=3, max_epochs=6, random_state=0).fit(*table)
    assert early.n_features_in_ == 3
    models = [TSKClassifier(rule_base=rules, max_epochs=4, random_state=0), TSKClassifier(4, max_epochs=4, random_state=0)]
    alone = [clone(model).fit(*table) for model in models]
    for model, other in zip(fit_many(models, *table), alone, strict=True):
        np.testing.assert_allclose(model.decision_function(table[0]), other.decision_function(table[0]), atol=1e-5)


def test_the_settings_keep_it_and_repeat_the_training(expert, table, tmp_path):
    rules = read_rule_base(expert.export("fis").encode(), "expert.fis")
    config = TrainConfig(rule_base=rules, max_epochs=3, random_state=0)
    again = TrainConfig.from_dict(json.loads(json.dumps(config.to_dict())))
    assert again == config and config.n_rules == 4
    assert config.shown("rule_base").startswith("expert.fis, SHA-256 ")
    assert shown_value("rule_base", None) is None and TrainConfig(rule_base=expert.to_dict()).shown("rule_base").startswith(
        "SHA-256 "
    )
    first, second = (TSKClassifier(**one.to_dict()).fit(*table) for one in (config, again))
    assert first.to_dict() == second.to_dict()
    first.save(tmp_path)
    assert TSKClassifier.load(tmp_path).get_params()["rule_base"] == config.rule_base


def layered(rules, scale=1.0):
    rules["normalisation"] = {"kind": "layer-relu", "epsilon": 1e-5, "of": rules["normalisation"]}
    for one in rules["rules"]:
        one.update(scale=scale, shift=0.0)


def changed(expert, change):
    rules = json.loads(expert.export("json"))
    change(rules)
    return rules


def weighted(rules):
    """A rule base of LogTSK whose rules share a weight."""
    rules.update(normalisation={"kind": "log", "epsilon": 1e-3}, rules=[rule | {"log_weight": 0.5} for rule in rules["rules"]])


@pytest.mark.parametrize(("change", "settings", "sentence"), [
    (lambda r: r["columns"][0].update(feature="height"), {}, "has the input 'height', which the table lacks; the table has "),
    (lambda r: r["columns"][1].update(r["columns"][2]), {}, "has two inputs for 'colour is "),
    (lambda r: r["classes"].__setitem__(0, "other"), {}, "has the class 'other', which the table lacks; the table has 'c0'"),
    (lambda r: r["rules"][0].update(log_weight=-1.0), {}, "have weights, which training does not have"),
    (weighted, {"firing": "log"}, "have weights, which training does not have"),
    (lambda r: r["rules"][0]["centers"].pop(), {}, "The rule base is damaged|do not fit"),
    (lambda r: r["rules"][0]["sigmas"].__setitem__(0, 0.0), {}, "a width of 0"),
    (lambda r: r["rules"][0]["centers"].__setitem__(0, 1e300), {}, "far larger than the values"),
    (lambda r: r.update(columns=3), {}, "The rule base is damaged"),
    (lambda r: None, {"consequents": "constant"}, "has linear consequents; set consequents to linear"),
    (lambda r: None, {"firing": "paper"}, "differently from firing paper; set firing to softmax, htsk or scaled"),
    (lambda r: None, {"firing": "log"}, "differently from firing log; set firing to softmax, htsk or scaled"),
    (lambda r: r.update(normalisation={"kind": "log", "epsilon": 1e-3}), {}, "set firing to log"),
    (lambda r: None, {"layer_norm": "relu"}, "has no layer normalisation; set layer_norm to none to start from it"),
    (layered, {}, "has layer normalisation; set layer_norm to relu"),
    (layered, {"layer_norm": "relu", "firing": "paper"}, "differently from firing paper"),
    (lambda r: layered(r, 1e300), {"layer_norm": "relu"}, "a number of its layer normalisation"),
    (lambda r: layered(r, None), {"layer_norm": "relu"}, "The rule base is damaged"),
])  # fmt: skip
def test_what_does_not_fit_is_one_sentence(expert, table, change, settings, sentence):
    with pytest.raises(DataError, match=sentence):
        TSKClassifier(rule_base=changed(expert, change), **STILL | settings).fit(*table)


def test_a_class_without_an_output_is_named(expert, table):
    X, y = table
    more = pd.concat([X, X[:5]], ignore_index=True), np.concatenate([y, ["c9"] * 5])
    with pytest.raises(DataError, match="no output for the class 'c9'"):
        TSKClassifier(rule_base=expert.to_dict(), **STILL).fit(*more)


@pytest.mark.parametrize("wrong", ["kmeans", {}, {"format": "tsk-rules", "rules": []}, 3, {"format": "tsk-rules", "rules": "ab"}])
def test_what_is_no_rule_base_is_a_wrong_setting(wrong):
    with pytest.raises(SettingError, match="rule_base must be None, or exported rules"):
        TrainConfig(rule_base=wrong)
    with pytest.raises(SettingError, match="it must have 500,000 at most"):
        TrainConfig(rule_base="{" + " " * 500_000 + "}")  # as large as a table


def test_a_file_for_another_table_is_refused_by_the_command_line_too(expert, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path / "runs"))
    own, other = tmp_path / "iris.fis", tmp_path / "other.fis"
    iris = load_dataset("iris")
    own.write_text(TSKClassifier(3, max_epochs=1, random_state=0).fit(iris.X, iris.y).export("fis"))
    other.write_text(expert.export("fis"))

    def train(file, *options):
        code = main(["train", "iris", "--rule-base", str(file), *options])
        return (code, *capsys.readouterr())

    code, out, _ = train(own, "--epochs", "2", "--json")
    said = json.loads(out.splitlines()[-1])["config"]
    assert code == 0 and said["n_rules"] == 3 and "iris.fis, SHA-256" in said["rule_base"]
    code, _, err = train(other)
    assert code == 1 and err.startswith("error: The rule base has the input 'size', which the table lacks")
    code, _, err = train(own, "--rules", "50")
    assert code == 1 and "--rules has no effect with --rule-base" in err
