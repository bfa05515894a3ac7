"""TSKClassifier as its users meet it: scikit-learn's conventions, mixed tables, saved models, exported rules."""

import copy
import inspect
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from tsk_core import TrainConfig, TSKClassifier, fit_many
from tsk_core.errors import DataError, ModelFileError, SettingError, TrainingError

QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}


@parametrize_with_checks([TSKClassifier(n_rules=5, max_epochs=60, random_state=0)])
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def mixed():
    """Numbers, text categories, whole-number categories and gaps; the class depends on all of them."""
    rng = np.random.default_rng(0)
    size = rng.normal(50, 10, 300)
    colour = rng.choice(["red", "green", "blue"], 300)
    wheels = rng.choice([2, 3, 4], 300)
    y = np.where((size > 50) ^ (colour == "red"), "yes", "no")
    table = pd.DataFrame({"size": size, "colour": colour, "wheels": wheels.astype(str)})
    table.loc[::17, "size"] = np.nan
    table.loc[::23, "colour"] = None
    return table, y


def recompute(rules, Z):
    """Scores and firing levels from the exported dictionary, with loops and nothing but NumPy."""
    all_scores, all_firing = [], []
    for x in Z:
        z = []
        for rule in rules["rules"]:
            total = rule["log_weight"]
            for value, center, sigma in zip(x, rule["centers"], rule["sigmas"], strict=True):
                if sigma is not None:
                    total -= (value - center) ** 2 / (2 * sigma**2)
            z.append(total)
        z = np.array(z)
        if rules["normalisation"]["kind"] == "paper":
            firing = np.exp(z) / (np.exp(z).sum() + rules["normalisation"]["epsilon"])
        else:
            firing = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
        outputs = np.array([[b[0] + np.dot(b[1:], x) for b in rule["consequents"]] for rule in rules["rules"]])
        all_scores.append(firing @ outputs)
        all_firing.append(firing)
    return np.array(all_scores), np.array(all_firing)


def encoded_by_hand(rules, table):
    """The cleaned table as the export's columns describe it."""
    columns = []
    for column in rules["columns"]:
        values = table[column["feature"]]
        values = values.where(values.notna(), column["impute"])
        columns.append(values.astype(float) if column["kind"] == "number" else (values == column["category"]).astype(float))
    return np.column_stack(columns)


@pytest.mark.parametrize("firing", ["softmax", "paper", "htsk"])
@pytest.mark.parametrize("batch_norm", ["none", "bn", "gbn", "rbn"])
def test_exported_rules_decide_as_the_model_does(mixed, batch_norm, firing):
    X, y = mixed
    clf = TSKClassifier(**QUICK, batch_norm=batch_norm, firing=firing).fit(X, y)
    rules = json.loads(json.dumps(clf.to_dict(), allow_nan=False))
    scores, levels = recompute(rules, encoded_by_hand(rules, X))
    np.testing.assert_allclose(levels, clf.firing_levels(X), atol=1e-8)
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], clf.decision_function(X), atol=1e-4 * (1 + np.abs(scores).max()))
    assert (np.array(rules["classes"])[scores.argmax(1)] == clf.predict(X)).all()


def test_exported_rules_stay_exact_on_columns_like_a_unix_time():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"time": 1.7e9 + rng.normal(size=200), "tiny": 1e-9 * rng.normal(size=200)})
    y = (X["time"] > 1.7e9).astype(int)
    clf = TSKClassifier(**QUICK).fit(X, y)
    scores, _ = recompute(clf.to_dict(), X.to_numpy())
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], clf.decision_function(X), atol=1e-4 * (1 + np.abs(scores).max()))
    assert clf.score(X, y) > 0.9


def test_a_mixed_table_with_gaps_is_learnt(mixed):
    X, y = mixed
    clf = TSKClassifier(n_rules=8, max_epochs=80, random_state=0).fit(X[:200], y[:200])
    assert clf.score(X[200:], y[200:]) > 0.85
    assert clf.predict_proba(X).sum(1) == pytest.approx(1)
    assert [c.feature for c in clf.encoder_.columns] == ["size"] + ["colour"] * 3 + ["wheels"] * 3


def test_an_unknown_category_is_answered(mixed):
    X, y = mixed
    clf = TSKClassifier(**QUICK).fit(X, y)
    assert clf.predict(X.assign(colour="purple")).shape == (300,)


def test_firing_levels_sum_to_one_and_history_tells_every_epoch(iris):
    clf = TSKClassifier(**QUICK).fit(*iris)
    levels = clf.firing_levels(iris[0])
    assert levels.shape == (150, 4)
    assert levels.sum(1) == pytest.approx(1)
    assert [e.epoch for e in clf.history_] == list(range(1, 21))
    np.testing.assert_allclose(clf.history_[-1].firing, levels.mean(0), atol=1e-6)
    assert clf.history_[-1].rca_train == clf.score(*iris)
    assert clf.history_[-1].rca_test is None


def test_closing_the_stream_keeps_a_fitted_classifier(iris):
    X, y = iris
    clf = TSKClassifier(**QUICK)
    stream = clf.fit_iter(X[::2], y[::2], X[1::2], y[1::2])
    records = [next(stream) for _ in range(3)]
    stream.close()
    assert clf.best_epoch_ == 3
    assert records[-1].rca_test == pytest.approx(clf.score(X[1::2], y[1::2]))


def test_the_model_works_where_scikit_learn_estimators_work(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), TSKClassifier(**QUICK))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.8
    search = GridSearchCV(TSKClassifier(**QUICK), {"ur_weight": [0, 10]}, cv=2).fit(X, y)
    assert search.best_params_["ur_weight"] in (0, 10)
    assert clone(TSKClassifier(n_rules=7)).n_rules == 7


def test_a_saved_model_predicts_the_same_after_loading(mixed, tmp_path):
    X, y = mixed
    clf = TSKClassifier(**QUICK).fit(X, y)
    clf.save(tmp_path / "model")
    loaded = TSKClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.decision_function(X), clf.decision_function(X))
    np.testing.assert_array_equal(loaded.predict(X), clf.predict(X))
    assert loaded.get_params() == clf.get_params()
    assert loaded.to_dict() == clf.to_dict()


@pytest.mark.parametrize("labels", [[0, 1, 2], [1.0, 2.0, 3.0], ["a", "b", "c"]])
def test_class_labels_keep_their_kind_through_a_file(iris, tmp_path, labels):
    y = np.array(labels)[iris[1]]
    clf = TSKClassifier(**QUICK).fit(iris[0], y)
    clf.save(tmp_path / "m")
    assert TSKClassifier.load(tmp_path / "m").predict(iris[0]).dtype.kind == y.dtype.kind


def tampered(description, change):
    description = copy.deepcopy(description)
    change(description)
    return json.dumps(description)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(version=99),
        lambda d: d.update(format="other"),
        lambda d: d["config"].update(n_rules=5),
        lambda d: d["config"].update(evil=1),
        lambda d: d["classes"].update(kind="os.system"),
        lambda d: d["encoder"].pop("mean"),
        lambda d: d["encoder"]["columns"].append({}),
        lambda d: d.pop("epsilon"),
    ],
)
def test_a_tampered_model_is_refused_in_one_sentence(iris, tmp_path, change):
    TSKClassifier(**QUICK).fit(*iris).save(tmp_path / "m")
    file = tmp_path / "m" / "model.json"
    file.write_text(tampered(json.loads(file.read_text()), change))
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


def test_the_constructor_and_the_config_have_the_same_fields_and_defaults():
    parameters = inspect.signature(TSKClassifier.__init__).parameters
    defaults = {name: p.default for name, p in parameters.items() if name != "self"}
    assert defaults == TrainConfig().to_dict()


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({"n_rules": 0}, "n_rules"),
        ({"batch_norm": "x"}, "batch_norm"),
        ({"l2": -1}, "l2"),
        ({"learning_rate": float("nan")}, "learning_rate"),
    ],
)
def test_a_setting_out_of_range_is_named(iris, params, named):
    with pytest.raises(SettingError, match=named):
        TSKClassifier(**params).fit(*iris)


def test_one_class_and_unknown_test_classes_are_refused(iris):
    X, y = iris
    with pytest.raises(DataError, match="one class"):
        TSKClassifier().fit(X, np.zeros(150))
    with pytest.raises(DataError, match="'2' has no training rows"):
        next(TSKClassifier(**QUICK).fit_iter(X[:100], y[:100], X[100:], y[100:]))


def test_other_columns_than_in_training_are_named(iris):
    clf = TSKClassifier(**QUICK).fit(*iris)
    with pytest.raises(ValueError, match="petal width"):
        clf.predict(iris[0].drop(columns="petal width (cm)"))


def test_balanced_class_weights_raise_the_recall_of_a_rare_class():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (300, 2)), rng.normal(1.2, 1, (20, 2))])
    y = np.repeat([0, 1], [300, 20])
    recall = [TSKClassifier(**QUICK, class_weight=w).fit(X, y).predict(X)[300:].mean() for w in (None, "balanced")]
    assert recall[1] > recall[0] + 0.2


def test_early_stopping_keeps_its_search_apart_from_its_history(iris):
    clf = TSKClassifier(n_rules=3, max_epochs=30, early_stopping=True, patience=3, random_state=0).fit(*iris)
    assert clf.search_history_[0].stage == "hold-out"
    assert clf.best_epoch_ == len(clf.history_)


def test_rules_name_the_users_columns_categories_and_classes(mixed):
    X, y = mixed
    clf = TSKClassifier(n_rules=6, max_epochs=60, random_state=0).fit(X[:200], y[:200])
    summary = clf.rules(max_antecedents=2, X=X[200:], y=y[200:])
    text = str(summary)
    assert summary.evaluated_on == "test rows"
    assert summary.full_accuracy == pytest.approx(clf.score(X[200:], y[200:]))
    assert summary.fidelity == pytest.approx((summary.predict(X[200:]) == clf.predict(X[200:])).mean())
    assert "size" in text and "colour is" in text and "THEN yes" in text
    assert all(len(rule.antecedents) <= 2 for rule in summary.rules)


def test_a_loaded_model_describes_its_rules_on_the_rows_it_is_given(mixed, tmp_path):
    X, y = mixed
    clf = TSKClassifier(**QUICK).fit(X[:200], y[:200])
    clf.save(tmp_path / "m")
    loaded = TSKClassifier.load(tmp_path / "m")
    with pytest.raises(DataError, match="pass X"):
        loaded.rules()
    again = loaded.rules(X=X[200:], y=y[200:], training=(X[:200], y[:200]))
    assert str(again) == str(clf.rules(X=X[200:], y=y[200:]))


def test_class_weights_mean_the_same_after_json(iris):
    config = TrainConfig(class_weight={np.int64(0): 5, 2: 0.5}, n_rules=3, max_epochs=3, random_state=0)
    again = TrainConfig.from_dict(json.loads(json.dumps(config.to_dict())))
    one, two = (TSKClassifier(**c.to_dict()).fit(*iris) for c in (config, again))
    assert one.history_[-1].loss == two.history_[-1].loss
    assert one.history_[-1].loss != TSKClassifier(n_rules=3, max_epochs=3, random_state=0).fit(*iris).history_[-1].loss


def test_early_stopping_respects_the_order_of_time():
    """The last fifth contradicts the rest: a hold-out of the latest rows notices, one drawn at random does not."""
    X = np.random.default_rng(0).normal(size=(300, 1))
    time = pd.date_range("2024-01-01", periods=300, tz="Europe/Vienna")
    y = (X[:, 0] > 0) ^ (np.arange(300) >= 240)
    settings = {"n_rules": 2, "max_epochs": 5, "early_stopping": True, "random_state": 0}
    for chosen, least, most in (({}, 0.6, 1), ({"time": time}, 0, 0.4), ({"time": np.arange(300)}, 0, 0.4)):
        search = TSKClassifier(**settings).fit(X, y, **chosen).search_history_
        assert least <= search[-1].rca_validation <= most, chosen
        together = fit_many([TSKClassifier(**settings)], X, y, **chosen)[0].search_history_
        assert least <= together[-1].rca_validation <= most, chosen


def test_early_stopping_keeps_groups_whole():
    """Each group has a place and a class of its own: of groups that were held out whole, nothing was learnt."""
    g = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 10)
    X = g.normal(scale=5, size=(40, 20))[groups] + g.normal(scale=0.1, size=(400, 20))
    y = g.permutation(np.arange(40) % 2)[groups]
    settings = {"n_rules": 10, "max_epochs": 40, "early_stopping": True, "random_state": 0}
    for chosen, least, most in (({}, 0.9, 1), ({"groups": [f"group {k}" for k in groups]}, 0, 0.75)):
        search = TSKClassifier(**settings).fit(X, y, **chosen).search_history_
        assert least <= np.mean([epoch.rca_validation for epoch in search[-20:]]) <= most


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"groups": [1, 2]}, "groups needs one value for each of the 150 training rows"),
        ({"time": ["today"] * 150}, "numbers or dates"),
        ({"groups": np.arange(150), "time": np.arange(150)}, "not by both"),
    ],
)
def test_groups_and_times_that_do_not_fit_are_refused(iris, chosen, sentence):
    with pytest.raises(ValueError, match=sentence):
        TSKClassifier(**QUICK).fit(*iris, **chosen)


def test_training_that_diverges_at_once_says_so_and_leaves_no_model(iris):
    model = TSKClassifier(**QUICK, optimizer="adam", learning_rate=1e30)
    with pytest.raises(TrainingError, match=r"^Training diverged in its first epoch, so there is no model; try a smaller"):
        model.fit(*iris)
    with pytest.raises(NotFittedError):
        model.predict(iris[0])


def test_early_stopping_of_too_few_rows_is_refused():
    with pytest.raises(DataError, match="at least 3 training rows, got 2; switch it off or add rows"):
        TSKClassifier(early_stopping=True).fit([[0.0], [1.0]], ["a", "b"])


def test_as_many_classes_as_half_the_rows_need_no_warning():
    X, y = np.arange(44.0)[:, None], np.repeat(np.arange(30), 2)[:44]  # scikit-learn would warn, and warnings are errors here
    assert len(TSKClassifier(n_rules=2, max_epochs=1).fit(X[:30], np.arange(30) % 20).classes_) == 20
    assert len(TSKClassifier(n_rules=2, max_epochs=1).fit(X, y).classes_) == 22
