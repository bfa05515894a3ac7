"""What each preset promises, measured by training it for real.

The thresholds hold in all ten seeds of docs/decisions/0012-presets.md, and with other kernels (``make test-kernels``), so that
another processor's rounding does not matter.
"""

import numpy as np
import pytest

from tests.pages.trained_presets import _ran, ran
from tsk_core.train.stack import Stack

OTHER_SEEDS = [2, 3, 4, 5]  # beside those of the presets, 0 and 1


def epoch_below(epochs, cross_entropy):
    """The first epoch with a training cross-entropy below this; infinite where there is none."""
    return next((e.epoch for e in epochs if e.loss_ce < cross_entropy), np.inf)


# What they show.


def the_rich_get_richer(seed=None):
    last = ran("rich", seed)[0][-1]
    assert last.idle.sum() >= 5  # of ten
    assert np.sort(last.firing)[-2:].sum() > 0.5
    assert last.firing.max() > 0.25


def ur_heals_it(seed=None):
    rich, healed = ran("rich", seed)[0][-1], ran("ur", seed)[0][-1]
    assert healed.dead_rules == healed.idle.sum() == 0
    assert healed.firing.min() > 0.03 and healed.firing.max() < 0.18  # 1/R is 0.1
    assert healed.rca_test > rich.rca_test + 0.02


def bn_speeds_up(seed=None):
    off, on = ran("bn_off", seed)[0], ran("bn_on", seed)[0]
    assert epoch_below(on, 0.1) <= 0.9 * epoch_below(off, 0.1)
    assert np.mean([b.loss_ce < a.loss_ce for a, b in zip(off, on, strict=True)]) > 0.9
    first = [np.mean([e.grad_consequents for e in epochs[:5]]) for epochs in (off, on)]
    assert first[1] > first[0]


def firing_is_lost_and_softmax_keeps_it(seed=None):
    (lost, sums), (kept, ones) = ran("paper", seed), ran("softmax", seed)
    assert lost[-1].firing.sum() < 0.65
    assert (sums < 0.5).mean() > 0.35
    np.testing.assert_allclose(ones, 1, rtol=1e-12)
    assert kept[-1].rca_test > lost[-1].rca_test + 0.08


def too_large_a_batch_learns_little(seed=None):
    large, small = ran("batch_all", seed)[0][-1], ran("batch_64", seed)[0][-1]
    assert large.loss_ce > 5 * small.loss_ce
    assert large.rca_test < 0.85
    assert small.rca_test > 0.95


EFFECTS = [the_rich_get_richer, ur_heals_it, bn_speeds_up, firing_is_lost_and_softmax_keeps_it, too_large_a_batch_learns_little]


@pytest.mark.parametrize("effect", EFFECTS)
def test_each_preset_shows_what_it_says(effect):
    effect()


@pytest.mark.slow
@pytest.mark.parametrize("seed", OTHER_SEEDS)
@pytest.mark.parametrize("effect", EFFECTS)
def test_it_is_no_accident_of_the_seed(effect, seed):
    effect(seed)


def test_under_the_authors_formula_every_bar_is_below_the_line():
    firing = ran("paper")[0][-1].firing
    assert firing.max() < 1 / len(firing)
    assert 0.4 < firing.sum() < 0.6  # "about half of the firing is lost"


def test_bn_is_about_a_third_sooner_and_stays_below():
    off, on = ran("bn_off")[0], ran("bn_on")[0]
    assert 0.5 < epoch_below(on, 0.1) / epoch_below(off, 0.1) < 0.8
    assert max(e.loss_ce for e in on[epoch_below(on, 0.1) :]) < 0.1


def test_bn_owes_its_gain_to_the_learned_scale(monkeypatch):
    grown = []
    as_it_is = Stack.run_epoch

    def noted(stack):
        losses = as_it_is(stack)
        grown.append(stack.parameters.gamma.min().item())
        return losses

    def held(stack):
        losses = as_it_is(stack)
        stack.parameters.gamma.fill_(1)
        return losses

    _ran.cache_clear()
    monkeypatch.setattr(Stack, "run_epoch", noted)
    free = epoch_below(ran("bn_on")[0], 0.1)
    _ran.cache_clear()
    monkeypatch.setattr(Stack, "run_epoch", held)
    without_scale = epoch_below(ran("bn_on")[0], 0.1)
    _ran.cache_clear()
    monkeypatch.undo()
    assert 2 < grown[-1] < 5  # "about 3"
    assert without_scale > 1.25 * free


@pytest.mark.slow
def test_the_large_batch_gets_there_with_ten_times_the_epochs():
    assert ran("batch_all", max_epochs=600)[0][-1].rca_test > 0.95


@pytest.mark.slow
def test_too_much_ur_costs_accuracy_again():
    much, some = ran("ur", ur_weight=50.0)[0][-1], ran("ur")[0][-1]
    assert much.firing.max() < 0.11
    assert much.rca_test < some.rca_test - 0.05
