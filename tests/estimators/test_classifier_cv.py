"""TSKClassifierCV: its results agree with each other, and its folds respect what they are told."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GroupKFold, PredefinedSplit

from tsk_core import TrainConfig, TSKClassifier, TSKClassifierCV
from tsk_core.errors import DataError, SettingError, TrainingError
from tsk_core.estimators.settings_search import folds_by
from tsk_core.estimators.training_rows import TrainingRows

LONG = 1e6  # a budget that no test spends: a search ends when it is stopped


def run(search, X, y, epochs=6, **options):
    """Search until the portfolio has trained for about so many epochs; the machine's speed does not matter."""
    asked = []

    def stopped():
        asked.append(True)
        return len(asked) > 9 * epochs  # once for each epoch of nine stacks

    for _ in search.fit_iter(X, y, stopped=stopped, **{"clock": lambda: 0.0} | options):
        pass
    return search


def spend(search, X, y, **options):
    """Search to the end of the budget, of which each epoch of a stack spends a second, and refit."""
    seconds = []

    def stopped():
        seconds.append(1)
        return False

    for _ in search.fit_iter(X, y, stopped=stopped, clock=lambda: len(seconds), **options):
        pass
    return search


@pytest.fixture(scope="module")
def searched(iris):
    return run(TSKClassifierCV(LONG, 3, random_state=0), *iris, epochs=16)


@pytest.fixture
def leaking():
    """Ten rows a day, nearly alike and of one class, which no other day tells."""
    rng = np.random.default_rng(0)
    day = np.repeat(np.arange(40), 10)
    X = rng.normal(scale=5, size=(40, 20))[day] + rng.normal(scale=0.1, size=(400, 20))
    return X, rng.permutation(np.arange(40) % 2)[day], day


def test_results_have_an_entry_a_trial_with_its_rank_and_the_best_is_one_of_them(searched):
    results, best = searched.cv_results_, searched.best_index_
    assert results["params"][best] == searched.best_params_ == searched.trials_[best].config.to_dict()
    assert results["mean_test_score"][best] == searched.best_score_ == searched.trials_[best].score
    assert best == 0
    assert TrainConfig.from_dict(searched.best_params_).random_state == 0
    results, trials = searched.cv_results_, searched.trials_
    assert len(trials) == 12 and {len(column) for column in results.values()} == {12}
    for at, trial in enumerate(trials):
        assert (
            results["params"][at]
            == trial.config.to_dict()
            == {name: results[f"param_{name}"][at] for name in results["params"][0]}
        )
        found = results["mean_test_score"][at], results["std_test_score"][at], results["n_validations"][at]
        assert found == (trial.score, trial.sd, trial.validations)
    most = results["n_validations"] == results["n_validations"].max()
    assert searched.best_score_ == results["mean_test_score"][most].max()
    assert searched.n_splits_ == 3 and searched.notes_ == []
    scores, ranks = searched.cv_results_["mean_test_score"], searched.cv_results_["rank_test_score"]
    assert ranks.tolist() == [1 + int((scores > score).sum()) for score in scores]
    assert len(set(scores)) < len(scores), "no ties: the test says less than it should"


def test_a_search_that_finds_nothing_leaves_what_was_found_before_and_one_that_is_stopped_no_model(iris, short_search):
    search = spend(TSKClassifierCV(LONG, 2, random_state=0), *iris)
    before = dict(vars(search))
    with pytest.raises(TrainingError, match="stopped before"):
        list(search.fit_iter(iris[0][:100], iris[1][:100], stopped=lambda: True))
    assert vars(search) == before
    run(search.set_params(budget=LONG), iris[0].iloc[:, :3], np.array(["c", "a", "b"])[iris[1]], epochs=3)
    assert search.classes_.tolist() == ["a", "b", "c"] and search.n_features_in_ == 3 == len(search.feature_names_in_)
    for method in (search.predict, search.explain, lambda X: search.rules(3, X)):
        with pytest.raises(NotFittedError):
            method(iris[0].iloc[:, :3])


@pytest.mark.usefixtures("short_search")
def test_the_refitted_model_has_the_best_settings_and_all_rows(iris):
    X, y = iris
    search = spend(TSKClassifierCV(LONG, 2, random_state=0), X, y)
    model = search.best_estimator_
    assert model.get_params() == search.best_params_
    alone = TSKClassifier(**search.best_params_).fit(X, y)
    np.testing.assert_allclose(search.decision_function(X), alone.decision_function(X), rtol=1e-3, atol=1e-3)
    np.testing.assert_array_equal(search.predict(X), model.predict(X))
    np.testing.assert_array_equal(search.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(search.firing_levels(X), model.firing_levels(X))
    assert str(search.rules(3, X=X, y=y)) == str(model.rules(3, X=X, y=y)) and search.export("sql") == model.export("sql")
    assert str(search.explain(X.iloc[0])) == str(model.explain(X.iloc[0]))
    np.testing.assert_array_equal(search.row_warnings(X), model.row_warnings(X))
    assert search.score(X, y) > 0.8


@pytest.mark.usefixtures("short_search")
def test_a_calibrated_model_has_other_probabilities_and_the_same_classes(iris):
    """Searches that end with their portfolio, and not with the time, which calibration takes a part of."""
    X, y = iris
    plain, calibrated = (spend(TSKClassifierCV(LONG, 2, random_state=0, calibrate=chosen), X, y) for chosen in (False, True))
    assert calibrated.best_params_ == plain.best_params_ and not hasattr(plain, "temperature_")
    T = calibrated.temperature_
    np.testing.assert_allclose(calibrated.decision_function(X) * T, plain.decision_function(X), rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(calibrated.predict(X), plain.predict(X))
    expected = softmax(plain.decision_function(X) / T, axis=1)
    np.testing.assert_allclose(calibrated.predict_proba(X), expected, rtol=1e-6, atol=1e-9)
    assert calibrated.export("json") != plain.export("json")  # the rules themselves have changed


@pytest.mark.usefixtures("short_readable", "short_search")
def test_a_readable_search_leaves_a_zero_order_model_and_the_curve_it_was_chosen_from(iris):
    X, y = iris
    search = spend(TSKClassifierCV(LONG, 2, random_state=0, readable=True), X, y)
    trial, model = search.trials_[search.best_index_], search.best_estimator_
    assert trial.config.to_dict() == search.best_params_ == model.get_params()
    assert model.consequents == "constant"
    assert 0 < model.history_[-1].conditions <= model.n_rules * model.max_conditions
    points = search.curve_
    assert trial.number in [point.number for point in points]
    assert [point.conditions for point in points] == sorted({point.conditions for point in points})
    assert search.best_score_ in [point.score for point in points]
    assert search.score(X, y) > 0.8
    assert not hasattr(run(search.set_params(readable=False), X, y), "curve_")  # a later search for accuracy


@pytest.mark.usefixtures("short_search")
def test_without_a_refit_there_is_no_model(iris):
    search = spend(TSKClassifierCV(LONG, 2, refit=False, random_state=0), *iris)
    assert search.best_score_ > 0.5 and not hasattr(search, "best_estimator_")
    with pytest.raises(NotFittedError, match="With refit=False no classifier is trained"):
        search.predict(iris[0])


def test_a_class_weight_that_is_given_holds_for_all_candidates(iris, searched):
    weight = {0: 1.0, 1: 2.0, 2: 3.0}
    search = run(TSKClassifierCV(LONG, 2, random_state=0, class_weight=weight), *iris)
    assert all(params["class_weight"] == weight for params in search.cv_results_["params"])
    assert set(searched.cv_results_["param_class_weight"]) == {None, "balanced"}  # where none was given


def test_a_splitter_gets_the_rows_as_they_came_and_the_groups(leaking):
    X, y, day = leaking
    asked = []

    class Spy(GroupKFold):
        def split(self, X, y=None, groups=None):
            asked.append((X, y, groups))
            return super().split(X, y, groups)

    search = run(TSKClassifierCV(LONG, Spy(2), random_state=0), X, y, groups=day)
    assert search.n_splits_ == 2 and set(search.cv_results_["n_validations"]) == {2}
    ((rows, labels, groups),) = asked
    assert rows is X and labels is y and groups is day


def test_an_iterable_of_splits_may_end_after_one_time(iris):
    """Calibration takes the splits again."""
    rows = np.arange(150)
    splits = ((rows[rows % 2 != k], rows[rows % 2 == k]) for k in range(2))
    folds_of = folds_by(splits, TrainingRows.learn(*iris, "cpu"), *iris, None, 0)
    first, again = folds_of(0, rows), folds_of(0, rows)
    assert len(first) == len(again) == 2
    assert all((one == two).all() for a, b in zip(first, again, strict=True) for one, two in zip(a, b, strict=True))


def test_a_split_without_rows_to_validate_on_is_named():
    """Its rows have the weight 0."""
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    search = TSKClassifierCV(1, PredefinedSplit(np.arange(40) // 20), random_state=0)
    with pytest.raises(DataError, match="Split 0 of cv has 20 rows to train on and 0 to validate on"):
        search.fit(X, y, sample_weight=np.arange(40) >= 20)


@pytest.mark.parametrize("cv", [3, np.int64(3)])
def test_numbers_of_folds_keep_groups_whole_whatever_their_type(leaking, cv):
    X, y, day = leaking
    learnt = TrainingRows.learn(X, y, "cpu", groups=day)
    found = folds_by(cv, learnt, X, y, day, 0)(0, np.arange(400))
    assert len(found) == 3 and not any(set(day[train]) & set(day[test]) for train, test in found)


@pytest.mark.parametrize(("chosen", "most"), [("groups", 6), ("time", 2)])
@pytest.mark.usefixtures("short_search")
def test_groups_can_be_folded_again_and_time_has_one_order(leaking, monkeypatch, chosen, most):
    monkeypatch.setattr("tsk_core.tuning.portfolio.MostAccurate.repeats", 3)
    X, y, day = leaking
    search = spend(TSKClassifierCV(LONG, 2, random_state=0, refit=False), X[::8], y[::8], **{chosen: day[::8]})
    assert search.cv_results_["n_validations"].max() == most


def test_a_search_validates_on_the_rows_that_its_splitter_names():
    """Rows of weight 0 come first and rows of random classes last; the rows between them have clear classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    y = np.where(np.arange(500) < 400, X[:, 0] > 0, rng.random(500) < 0.5)
    fold = np.where((np.arange(500) >= 300) & (np.arange(500) < 400), 0, -1)
    search = TSKClassifierCV(LONG, PredefinedSplit(fold), random_state=0)
    assert run(search, X, y, sample_weight=np.arange(500) >= 100).best_score_ > 0.8


@pytest.mark.parametrize(
    "options",
    [
        {"budget": 0}, {"budget": "long"}, {"cv": 1}, {"cv": True}, {"scoring": "r2"}, {"class_weight": "heavy"},
        {"class_weight": {0: -1.0}}, {"readable": "yes"}, {"calibrate": 1}, {"aim": "small"}, {"refit": "yes"}, {"threads": 0},
    ],
    ids=str,
)  # fmt: skip
def test_an_option_that_no_search_could_use_is_named(iris, options):
    name = next(iter(options))
    with pytest.raises(SettingError, match=f"^{name} is "):
        TSKClassifierCV(**options).fit(*iris)
