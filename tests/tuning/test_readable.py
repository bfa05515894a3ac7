"""The search for a readable rule base: its sizes, the curve, and what one standard error allows."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tuning.tables import Ticking, in_order, make_table, tuned, two_folds
from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.settings import SETTINGS
from tsk_core.tuning import readable
from tsk_core.tuning.portfolio import distinct
from tsk_core.tuning.readable import Readable, best, by_fronts, curve, merit, shortest
from tsk_core.tuning.trial import Trial

BASE = TrainConfig.readable(max_epochs=40, random_state=0)
BORDER = 1e-9


def strategy(base=BASE, aim="shortest", n_classes=2, n_features=6, **more):
    return Readable(base, aim=aim, n_classes=n_classes, n_features=n_features, **more)


@st.composite
def trial_lists(draw):
    """Trials validated on five sets, some of which have equal sizes or scores."""
    size = st.tuples(st.integers(2, 12), st.integers(1, 4), st.integers(40, 100), st.integers(0, 30), st.integers(0, 3))
    faithful = st.tuples(st.sampled_from([None, 0.9, 1.0]), st.sampled_from([None, 0.6, 0.9]))
    drawn = draw(st.lists(st.tuples(size, faithful), min_size=1, max_size=20))
    return [make_trial(number, *one, *text) for number, (one, text) in enumerate(drawn, start=1)]


def make_trial(number, R, k, score, sd, entropy, agreement=None, literal=None):
    config, found = replace(BASE, n_rules=R, max_conditions=k), (score / 100, sd / 100, entropy / 10, 5)
    return Trial(number, config, *found, "portfolio", "finished", R * k, agreement, literal)


@given(trial_lists())
def test_the_shortest_is_within_one_standard_error_of_the_best_and_nothing_shorter_is(trials):
    chosen, top = shortest(trials), max(map(merit, trials))
    leaders = [trial for trial in trials if merit(trial) == top]
    errors = {trial.sd / math.sqrt(5) for trial in leaders if trial.conditions == min(one.conditions for one in leaders)}
    assert any(merit(chosen) >= top - error - BORDER for error in errors)
    shorter = [trial for trial in trials if trial.conditions < chosen.conditions]
    assert all(any(merit(trial) < top - error + BORDER for error in errors) for trial in shorter)
    assert merit(chosen) == max(merit(trial) for trial in trials if trial.conditions == chosen.conditions)


@given(trial_lists())
def test_the_best_has_the_best_merit_and_of_these_the_fewest_conditions(trials):
    top = max(map(merit, trials))
    assert merit(best(trials)) == top
    assert best(trials).conditions == min(trial.conditions for trial in trials if merit(trial) == top)


def test_the_merit_is_the_score_less_what_the_text_lacks():
    def of(agreement, literal):
        return merit(make_trial(1, 4, 2, 80, 5, 1, agreement, literal))

    assert of(None, None) == of(0.95, 0.8) == of(1.0, 1.0) == 0.8
    assert of(0.9, 1.0) == pytest.approx(0.75) and of(1.0, 0.4) == pytest.approx(0.7)


def test_without_a_standard_error_the_shortest_is_the_best_and_an_unknown_aim_is_refused():
    one, other = (
        Trial(number, replace(BASE, n_rules=number), score, None, 0.5, 1, "portfolio", "finished", 3 * number)
        for number, score in ((2, 0.8), (5, 0.81))
    )
    assert shortest([one, other]) == best([one, other]) == other
    with pytest.raises(SettingError, match="^aim is 'small'; it must be one of shortest, best"):
        strategy(aim="small")


@given(trial_lists())
def test_the_curve_has_exactly_the_sizes_whose_merit_no_shorter_one_reaches(trials):
    points, by_number = curve(trials), {trial.number: trial for trial in trials}
    pairs = [(point.conditions, merit(by_number[point.number])) for point in points]
    assert pairs == sorted(pairs) and len({value for _, value in pairs}) == len(pairs) == len({size for size, _ in pairs})
    known = {(trial.conditions, merit(trial)) for trial in trials}
    expected = {one for one in known if not any(o[0] <= one[0] and o[1] >= one[1] for o in known - {one})}
    assert set(pairs) == expected
    for point in points:
        trial = by_number[point.number]
        assert (point.rules, point.max_conditions) == (trial.config.n_rules, trial.config.max_conditions)
        assert (point.score, point.agreement, point.literal) == (trial.score, trial.agreement, trial.literal)
        assert point.standard_error == pytest.approx(trial.sd / math.sqrt(5))


@given(trial_lists())
def test_in_the_order_of_fronts_nobody_comes_before_a_shorter_one_that_is_better(trials):
    ordered = by_fronts(trials)
    assert sorted(trial.number for trial in ordered) == [trial.number for trial in trials]
    for at, trial in enumerate(ordered):
        assert not any(later.conditions < trial.conditions and merit(later) > merit(trial) for later in ordered[at + 1 :])


@pytest.mark.parametrize("n_classes", [2, 3, 5, 17, 30, 31, 100])
def test_there_are_at_least_as_many_rules_as_classes_up_to_thirty(n_classes):
    rules = {config.n_rules for config in strategy(n_classes=n_classes).portfolio()}
    assert min(rules) == min(n_classes, 30) and max(rules) == 30


@pytest.mark.parametrize("n_features", [1, 2, 3, 50])
def test_no_rule_has_more_conditions_than_there_are_features_and_ur_grows_with_the_rules(n_features):
    configs = strategy(n_features=n_features).portfolio()
    assert {config.max_conditions for config in configs} == set(range(1, min(4, n_features) + 1))
    assert len(configs) == len(distinct(configs))
    shares = [config.ur_weight / config.n_rules for config in configs]
    assert shares == pytest.approx([BASE.ur_weight / BASE.n_rules] * len(shares), rel=0.05)


@pytest.mark.parametrize("weight", [None, "balanced", {"a": 1.0, "b": 2.0}])
def test_class_weights_that_are_given_hold_for_all(weight):
    one = strategy(replace(BASE, class_weight=weight), tunes_class_weight=False)
    assert all(config.class_weight == weight for config in [*one.portfolio(), *one.refinements([trial_of(BASE, weight)], 0)])


def trial_of(base, weight="balanced", score=0.8, **changes):
    config = replace(base, class_weight=weight, **changes)
    return Trial(1, config, score, 0.1, 0.5, 5, "portfolio", "finished", config.n_rules * config.max_conditions)


def test_refinements_vary_each_setting_of_what_was_chosen_and_of_the_best():
    short, long = trial_of(BASE, n_rules=4, max_conditions=2), trial_of(BASE, score=0.81, n_rules=16, ur_weight=1.2)
    found = strategy().refinements([short, long], 0)
    assert len(found) == len(distinct(found)) == 22
    places = {name for config in found for name in config.differing(short.config)} & {
        name for config in found for name in config.differing(long.config)
    }
    assert places == {"n_rules", "max_conditions", "ur_weight", "sharpness", "covering", "class_weight"}
    for config in found:
        for name in places - {"class_weight"}:
            assert SETTINGS[name].low <= getattr(config, name) <= SETTINGS[name].high


@given(st.integers(1, 10**6), st.integers(1, 2000), st.floats(1, 200))
def test_a_large_table_takes_fewer_rows_and_epochs_and_every_rung_follows_the_choice_of_conditions(rows, columns, budget):
    one = Readable(TrainConfig.readable(), aim="best", n_classes=2, n_features=6)
    used = min(rows, one.most_rows(columns, budget))
    assert used >= min(rows, 500)
    rungs = one.rungs(used * columns, budget)
    assert 30 < rungs[0] < rungs[1] < rungs[2] <= one.base.max_epochs and rungs[2] // 2 < rungs[0]
    assert all(epoch % 5 == 0 for epoch in (*rungs, rungs[2] // 2))  # validations are every five epochs
    assert one.most_rows(20, 20) >= 1000 and one.rungs(1000 * 20, 20)[-1] == one.base.max_epochs


@pytest.fixture(scope="module")
def searched():
    """A search to its end, of the sizes that come first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readable, "SIZES", readable.SIZES[:8])
        table, folds_of = make_table(rows=60), lambda repeat, rows: two_folds(repeat, rows) if repeat < 2 else []
        return tuned(table, strategy(n_features=table.x.shape[1]), folds_of)


def test_a_search_to_its_end_compares_readable_bases_in_repeats_whatever_the_aim(searched):
    tuner, yielded = searched
    for trial in tuner.trials:
        assert not trial.config.has_slopes and 1 <= trial.config.max_conditions <= 3
        assert 0 < trial.conditions <= trial.config.n_rules * trial.config.max_conditions  # one that excludes no row goes
    for trial in (trial for trials in yielded for trial in trials):
        assert trial.conditions is not None and 0 <= trial.agreement <= 1 and 0 <= trial.literal <= 1
    assert {trial.origin for trial in tuner.trials} == {"portfolio", "refinement"}
    assert tuner.best.score > 0.6  # two classes with a curved border
    for trial in tuner.trials:
        assert trial.config.selection_epoch == BASE.max_epochs // 2 == trial.config.choice_epoch
        assert trial.config.max_epochs >= trial.config.selection_epoch
    assert all(trial.config.max_epochs >= BASE.choice_epoch for trials in yielded for trial in trials)
    assert tuner.compared[0].validations == 4
    points = curve(tuner.compared)
    assert tuner.best == shortest(tuner.compared) and tuner.best.number in {point.number for point in points}
    assert points[0].rules <= 4 and points[0].conditions <= 6
    aims = [strategy(aim=aim) for aim in ("shortest", "best")]
    assert aims[0].portfolio() == aims[1].portfolio()
    assert [one.refinements(tuner.compared, 0) for one in aims] == [aims[0].refinements(tuner.compared, 0)] * 2
    assert [one.choose(tuner.compared) for one in aims] == [shortest(tuner.compared), best(tuner.compared)]
    assert best(tuner.compared).conditions >= tuner.best.conditions


def test_sizes_beside_settings_with_several_trainings_have_one():
    config = TrainConfig.readable(n_rules=12, n_trainings=3, init="kmeans")
    found = strategy(config).refinements([Trial(1, config, 0.9, 0.1, 0.5, 5, "current", "finished", 30)], 0)
    assert {one.n_trainings for one in found if one.n_rules != 12} == {1} and {one.n_rules for one in found} > {12}


@pytest.mark.parametrize(
    ("settings", "takes_part"), [(TrainConfig(), False), (TrainConfig.readable(n_rules=5, max_conditions=1), True)]
)
def test_settings_of_today_take_part_where_they_are_readable(settings, takes_part, monkeypatch):
    monkeypatch.setattr(readable, "SIZES", readable.SIZES[:4])
    tuner, _ = tuned(make_table(rows=60), strategy(n_features=3), ticking=Ticking(end=150), current=settings)
    current = [trial for trial in tuner.trials if trial.origin == "current"]
    assert [trial.number for trial in current] == [1] * takes_part
    for trial in current:
        assert set(trial.config.differing(settings)) <= {"max_epochs", "selection_epoch"}


def test_where_the_budget_is_short_folds_and_then_candidates_are_left_out_and_notes_say_so():
    tuner, _ = tuned(make_table(rows=60), strategy(n_features=3), in_order(5), Ticking(each=5), budget=1200)
    assert tuner.n_folds == 3 and tuner.notes[1] == "3 of 5 folds were used, to keep to 1200 s."
    assert "first candidates were tried, to keep to 1200 s." in tuner.notes[2]
    tried = [trial for trial in tuner.trials if trial.origin == "portfolio"]
    assert 1 <= len(tried) < len(strategy(n_features=3).portfolio())
    assert {trial.validations for trial in tuner.trials} == {3}
