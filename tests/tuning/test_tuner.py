"""Tuning: within its budget, on the folds it is given, and with the best it has when it is stopped."""

import itertools

import numpy as np
import pytest
import torch

from tests.tuning.tables import Ticking, halves, in_order, make_table, tuned, two_folds
from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError, TrainingError
from tsk_core.evaluate import accuracy
from tsk_core.tuning import portfolio
from tsk_core.tuning.portfolio import MostAccurate
from tsk_core.tuning.readable import Readable
from tsk_core.tuning.trial import Work
from tsk_core.tuning.tuner import CUT_SHORT, TOO_FEW, Tuner

BASE = TrainConfig(random_state=0)
RUNGS = (5, 10, 15)


@pytest.fixture(scope="module", autouse=True)
def early_rungs():
    """Rungs of a few epochs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portfolio, "RUNGS", RUNGS)
        yield


def accurate(table=None, folds_of=two_folds, ticking=None, **more):
    return tuned(make_table() if table is None else table, MostAccurate(BASE), folds_of, ticking, **more)


@pytest.fixture(scope="module")
def stopped():
    """A tuning that was stopped among the candidates of the portfolio, after its second rung."""
    return accurate(ticking=Ticking(end=110))


def test_half_of_the_candidates_leave_at_a_rung_and_the_best_is_among_those_validated_the_most(stopped):
    tuner, yielded = stopped
    most = max(trial.validations for trial in tuner.trials)
    ranked = [trial for trial in tuner.trials if trial.validations == most]
    assert tuner.best == ranked[0] and tuner.best.score == max(trial.score for trial in ranked)
    assert [trial.rank for trial in ranked] == sorted(trial.rank for trial in ranked)
    assert yielded[-1] == tuner.trials and {trial.state for trial in tuner.trials} == {"finished", "dropped"}
    again, _ = accurate(ticking=Ticking(end=110))
    assert again.trials == tuner.trials  # of the same seed
    _, yielded = stopped
    first, second = yielded[:2]  # at the first rung and at the second
    assert {trial.state for trial in first} == {"training"}
    leaving = {trial.number for trial in second if trial.state == "dropped"}
    assert len(leaving) == len(first) // 2
    ranks = {trial.number: trial.rank for trial in first}
    assert max(rank for number, rank in ranks.items() if number not in leaving) <= min(ranks[number] for number in leaving)
    at_end = {trial.number: trial for trial in yielded[-1]}
    assert all(at_end[number].config.max_epochs <= RUNGS[0] for number in leaving)


def test_it_leaves_the_time_that_the_refit_of_the_best_takes():
    """Each look at the clock takes a second, so that an epoch of a stack takes several."""
    tuner = Tuner(make_table(rows=60), MostAccurate(BASE), two_folds, budget=np.int64(400), clock=itertools.count().__next__)
    before = [tuner.trials for _ in tuner.run()]
    assert before[-1] and 200 < tuner.seconds < 400 - tuner.best.config.max_epochs


class Laborious(Work):
    """Each epoch of a stack is so many seconds of work, whatever the clock says."""

    def __init__(self, seconds):
        super().__init__()
        self.each = seconds

    def add(self, seconds):
        super().add(self.each)


def busy(delays):
    """A clock on which each look takes the next of these seconds, over and over."""
    ticks = itertools.accumulate(itertools.cycle(delays))
    return ticks.__next__


def test_what_is_tried_depends_on_the_work_and_not_on_the_clock():
    found, table = [], make_table(rows=60)
    for delays in ([0.0], [0.001], [0.02, 0.0, 0.0]):
        tuner = Tuner(table, MostAccurate(BASE), two_folds, budget=40, clock=busy(delays), work=Laborious(0.5))
        list(tuner.run())
        found.append((tuner.trials, tuner.notes))
    assert found[0] == found[1] == found[2] and found[0][0] and CUT_SHORT not in found[0][1]


def test_more_work_than_the_budget_allows_leaves_folds_out_and_a_search_that_the_clock_ends_says_so():
    tuner = Tuner(make_table(rows=60), MostAccurate(BASE), in_order(10), budget=60, clock=lambda: 0.0, work=Laborious(1.0))
    list(tuner.run())
    assert tuner.notes == [f"{tuner.n_folds} of 10 folds were used, to keep to 60 s."] and 1 <= tuner.n_folds < 10
    tuner = Tuner(make_table(rows=60), MostAccurate(BASE), two_folds, budget=20, clock=busy([0.1]), work=Laborious(0.05))
    list(tuner.run())
    assert CUT_SHORT in tuner.notes and tuner.trials and tuner.seconds <= 21


def test_a_whole_tuning_refines_the_best_and_validates_it_in_more_repeats():
    """A tiny table, to the end: nothing but the number of repeats ends it."""
    asked = []

    def folds_of(repeat, rows):
        asked.append((repeat, len(rows)))
        return halves(rows) if repeat < 2 else []

    tuner, yielded = accurate(make_table(rows=60), folds_of)
    assert asked == [(0, 60), (1, 60), (2, 60)]
    assert {trial.origin for trial in tuner.trials} == {"portfolio", "refinement"}
    assert tuner.best.validations == 4 and [trial.validations for trial in tuner.trials].count(4) == 4
    numbers = [trial.number for trial in tuner.trials]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert all(trial.number <= len(numbers) for trials in yielded for trial in trials)


@pytest.mark.parametrize(("most_rules", "trainings"), [(10**6, {1, 8}), (40, set(range(1, 9))), (5, {1})])
def test_the_best_is_learnt_in_as_many_trainings_as_may_have_rules(most_rules, trainings):
    tuner, _ = accurate(make_table(rows=60), lambda repeat, rows: halves(rows) if repeat < 1 else [], most_rules=most_rules)
    configs = [trial.config for trial in tuner.trials]
    assert {config.n_trainings for config in configs} <= trainings and max(config.n_rules for config in configs) <= most_rules
    several = [config for config in configs if config.n_trainings > 1]
    assert bool(several) == (most_rules > 5)
    single = [config for config in configs if config.n_trainings == 1]
    assert all(any(one.part.n_rules == config.n_rules for config in single) for one in several)
    assert tuner.best in tuner.compared and all(config.max_epochs <= 200 for config in configs)


def test_a_finalist_that_diverges_on_other_folds_keeps_the_scores_of_those_before():
    """Class weights that are not finite make every training on one fold of the second repeat diverge."""
    diverging = sorted(two_folds(1, np.arange(60))[0][0].tolist())

    def weight_of(config, table, rows):
        return torch.tensor([1.0, np.nan]) if sorted(rows.tolist()) == diverging else None

    tuner, _ = accurate(
        make_table(rows=60), lambda repeat, rows: two_folds(repeat, rows) if repeat < 2 else [], weight_of=weight_of
    )
    assert {trial.validations for trial in tuner.trials} == {2}


def test_of_a_large_table_a_sample_is_used_and_a_note_says_so():
    asked = []

    def folds_of(repeat, rows):
        asked.append(rows)
        return halves(rows)

    tuner, _ = accurate(make_table(rows=3000), folds_of, Ticking(end=3), budget=1)
    assert not tuner.trials
    assert len(np.unique(asked[0])) == 2000 and asked[0].max() < 3000 and (np.diff(asked[0]) > 0).all()
    assert tuner.notes[0] == "Tuning used 2,000 of 3,000 training rows, to keep to 1 s."


def test_held_out_scores_are_those_by_which_the_best_was_chosen(stopped):
    tuner, _ = stopped
    scores, y, priors = tuner.held_out_scores()
    assert priors.shape == scores.shape and not priors.any()  # without class weights
    table, folds = make_table(), two_folds(0, np.arange(200))
    assert y.tolist() == table.y[np.concatenate([validation for _, validation in folds])].tolist()
    ends = np.cumsum([len(validation) for _, validation in folds])[:-1]
    parts = zip(np.split(y, ends), np.split(scores, ends), strict=True)
    found = [accuracy(y, scores.argmax(1)).bca for y, scores in parts]
    assert found == pytest.approx(tuner.best.scores[: len(folds)], abs=0.031)  # three rows on the border


def test_a_tuning_without_a_score_says_so():
    tuner, _ = accurate(ticking=Ticking(end=0))
    assert tuner.trials == []
    with pytest.raises(TrainingError, match="No settings have a score: tuning was stopped before"):
        _ = tuner.best


@pytest.mark.parametrize(("each", "clock", "slow"), [(0.001, [9.0], True), (1000.0, [0.0], False)], ids=["busy", "large"])
@pytest.mark.parametrize("make", [MostAccurate, lambda base: Readable(base, aim="shortest", n_classes=2, n_features=3)])
def test_the_first_score_comes_however_late_and_a_note_says_what_is_slow(each, clock, slow, make):
    strategy = make(BASE if make is MostAccurate else TrainConfig.readable(random_state=0))
    tuner = Tuner(make_table(rows=60), strategy, in_order(5), budget=1e-6, clock=busy(clock), work=Laborious(each))
    list(tuner.run())
    assert len(tuner.trials) == 1 and tuner.best.validations == 1
    assert (CUT_SHORT in tuner.notes) == slow and TOO_FEW.format(1e-6) in tuner.notes


@pytest.mark.parametrize(
    "options",
    [{"scoring": "r2"}, {"scoring": ["accuracy"]}, {"budget": 0}, {"budget": float("nan")}, {"budget": "long"}, {"budget": True}],
    ids=str,
)
def test_what_no_tuning_could_use_is_refused_by_name(options):
    (name,) = options
    with pytest.raises(SettingError, match=f"^{name} is "):
        Tuner(make_table(), MostAccurate(BASE), two_folds, **{"budget": 1} | options)


@pytest.mark.parametrize(("scoring", "most"), [("accuracy", 1), ("neg_log_loss", 0)])
def test_a_scoring_chooses_by_its_own_score(scoring, most):
    tuner, _ = accurate(make_table(rows=60), ticking=Ticking(end=60), scoring=scoring)
    ranked = [trial for trial in tuner.trials if trial.validations == tuner.best.validations]
    assert tuner.best.score == max(trial.score for trial in ranked) <= most and tuner.best.scoring == scoring
