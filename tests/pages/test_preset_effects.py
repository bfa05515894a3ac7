"""What each preset promises, measured by training it for real.

The thresholds hold in all thirty seeds of docs/claims.md, and with other kernels (``make test-kernels``), so that another
processor's rounding does not matter.
"""

import numpy as np
import pytest

from tests.pages.trained_presets import ran
from tsk_core.train.stack import Stack

pytestmark = pytest.mark.slow


def epoch_below(epochs, cross_entropy):
    """The first epoch with a training cross-entropy below this; infinite where there is none."""
    return next((e.epoch for e in epochs if e.loss_ce < cross_entropy), np.inf)


def leading(firing):
    """The four most active rules."""
    return set(np.argsort(firing)[-4:])


# What they show. Each takes the trainings of some presets by name, with the same seed.


def rules_that_start_equal_end_rich_or_starved(rich):
    start, early, last = rich.epochs[0].initial_firing, rich.epochs[9].firing, rich.last
    assert start.min() > 0.01 and start.max() < 0.1  # 1/R is 0.05: none hardly fires, none has twice its share
    assert last.dead_rules >= 6 and last.dead_rules + last.idle.sum() >= 7  # of twenty
    assert np.sort(last.firing)[-4:].sum() > 0.6 and last.firing.max() > 2 * start.max()
    assert len(leading(early) & leading(last.firing)) >= 2  # by chance 0.8
    assert np.corrcoef(early, last.firing)[0, 1] > 0.6


def ur_heals_it(rich, ur):
    assert ur.last.dead_rules == ur.last.idle.sum() == 0
    assert ur.last.firing.min() > 0.025 and ur.last.firing.max() < 0.08  # 1/R is 0.05
    assert ur.steady > rich.steady


def ur_gives_every_rule_rows(why_off, why_on):
    assert why_off.last.dead_rules + why_off.last.idle.sum() >= 2 and why_off.last.firing.max() > 0.22
    assert why_on.last.dead_rules == why_on.last.idle.sum() == 0
    assert why_on.last.firing.min() > 0.07 and why_on.last.firing.max() < 0.14  # 1/R is 0.1
    assert mean_entropy(why_on.last) > mean_entropy(why_off.last) + np.log(1.6)


def bn_speeds_up(bn_off, bn_on):
    off, on = bn_off.epochs, bn_on.epochs
    assert epoch_below(on, 0.1) <= 0.9 * epoch_below(off, 0.1)
    assert np.mean([b.loss_ce < a.loss_ce for a, b in zip(off, on, strict=True)]) > 0.9
    first = [np.mean([e.grad_consequents for e in epochs[:5]]) for epochs in (off, on)]
    assert first[1] > first[0]


def firing_is_lost_and_softmax_keeps_it(paper, softmax):
    assert paper.last.firing.sum() < 0.7 and paper.last.firing.max() < 1 / len(paper.last.firing)
    assert (paper.sums < 0.5).mean() > 0.3
    np.testing.assert_allclose(softmax.sums, 1, rtol=1e-12)
    assert softmax.last.rca_test > paper.last.rca_test + 0.03


def too_large_a_batch_learns_little(batch_all, batch_64):
    assert batch_all.last.loss_ce > 5 * batch_64.last.loss_ce
    assert batch_all.last.rca_test < 0.85
    assert batch_64.last.rca_test > 0.95


def sharpness_and_ur_give_each_rule_its_region(sharp, sharp_ur, spread):
    assert sharp.last.dead_rules >= 2
    both = sharp_ur.last
    assert both.dead_rules == both.idle.sum() == 0 and both.firing.min() > 0.05  # 1/R is 0.1
    assert spread.last.firing.min() > 0.08
    alone, both, even = (mean_entropy(run.last) for run in (sharp, sharp_ur, spread))
    assert max(alone, both) < np.log(1.4) and even > np.log(3)


def mean_entropy(epoch):
    return epoch.entropy_share * np.log(len(epoch.firing))


EFFECTS = [
    rules_that_start_equal_end_rich_or_starved, ur_heals_it, ur_gives_every_rule_rows, bn_speeds_up,
    firing_is_lost_and_softmax_keeps_it,
    too_large_a_batch_learns_little, sharpness_and_ur_give_each_rule_its_region,
]  # fmt: skip


def presets_of(effect):
    return effect.__code__.co_varnames[: effect.__code__.co_argcount]


@pytest.mark.parametrize("effect", EFFECTS)
def test_each_preset_shows_what_it_says(effect):
    effect(*(ran(name) for name in presets_of(effect)))


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

    monkeypatch.setattr(Stack, "run_epoch", noted)
    free = epoch_below(ran.__wrapped__("bn_on").epochs, 0.1)
    monkeypatch.setattr(Stack, "run_epoch", held)
    without_scale = epoch_below(ran.__wrapped__("bn_on").epochs, 0.1)
    monkeypatch.undo()
    assert 2 < grown[-1] < 5  # "about 3"
    assert without_scale > 1.25 * free


@pytest.mark.slow
def test_the_large_batch_gets_there_with_ten_times_the_epochs():
    assert ran("batch_all", max_epochs=600).last.rca_test > 0.95
