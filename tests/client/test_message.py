"""What the server sends of a run, a comparison and a sweep: the numbers that the client's figures (*.test.js) are made of."""

from dataclasses import replace
from statistics import fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.client.messages import make_epoch, make_history, make_shown
from tests.experiments.sweeps import BASELINES, make_points
from tests.experiments.sweeps import make_plan as sweep_plan
from tests.pages.comparisons import make_plan as comparison_plan
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.epoch import ENTROPY_BINS
from tsk_core.experiments.sweep_summary import summarise
from tsk_core.train.stack import batch_plan
from ui.compare.panel import about as about_comparison
from ui.experiments import Collected
from ui.live import Feed
from ui.live.message import about, run_parts
from ui.presets import PRESETS
from ui.sweep.options import Wanted
from ui.sweep.panel import message as sweep_message

WITH, WITHOUT = (next(preset for preset in PRESETS if preset.name == name) for name in ("bn_on", "bn_off"))
ROWS = int(make_epoch().entropy.sum())  # that the epochs of these tests are measured on
SOME = settings(max_examples=40)
amounts = st.floats(0, 1e6)


def sent(epoch):
    """The values of an epoch by their names."""
    *_, epochs = run_parts(Feed(), make_shown([epoch]), None)
    return dict(zip(epochs["payload"]["fields"], epochs["payload"]["list"][0], strict=True))


@given(epoch=st.builds(make_epoch, loss_ce=amounts, seconds=amounts, grad_antecedents=amounts))
@SOME
def test_numbers_keep_six_digits_on_their_way(epoch):
    values = sent(epoch)
    for name, value in (("ce", epoch.loss_ce), ("seconds", epoch.seconds), ("gradAntecedents", epoch.grad_antecedents)):
        assert values[name] == pytest.approx(value, rel=5e-6)
    assert fsum(values["firing"]) == pytest.approx(epoch.firing.sum(), abs=1e-5)


@given(ur=amounts, floor=amounts)
@SOME
def test_ur_is_sent_above_its_minimum_and_never_below_zero(ur, floor):
    assert sent(make_epoch(loss_ur=ur, ur_floor=floor))["ur"] == pytest.approx(max(0, ur - floor), rel=1e-5)


@given(R=st.integers(1, 40), data=st.data())
@SOME
def test_rules_are_dead_below_one_row_and_idle_below_a_fifth_of_an_equal_share(R, data):
    bounds = [round(bound, 6) + near for bound in (0.2 / R, 1 / R / ROWS) for near in (-1e-6, 0, 1e-6)]
    level = st.one_of(st.floats(0, 1), st.sampled_from([0.0, *bounds, 1 / R]))
    levels = np.round(data.draw(st.lists(level, min_size=R, max_size=R)), 6)
    dead = [r for r in range(R) if levels[r] * R * ROWS < 1]
    values = sent(make_epoch(firing=levels))
    assert (values["dead"], values["idle"]) == (dead, [r for r in range(R) if levels[r] < 0.2 / R and r not in dead])


@pytest.mark.parametrize(("changes", "label"), [
    ({}, "same settings"), ({"ur_weight": 0.0}, "λ 0"), ({"ur_weight": 0.0, "n_rules": 7, "batch_size": 8}, "R 7, λ 0, …"),
])  # fmt: skip
def test_a_comparison_is_named_by_its_settings(changes, label):
    comparison = make_shown(make_history(2), "other", metrics={})
    comparison.config = replace(comparison.config, **changes)
    parts = run_parts(Feed(), make_shown(make_history(2)), comparison)
    assert [part["payload"]["label"] for part in parts if part["kind"] == "about" and part["of"] == "other"] == [label]


def test_a_preset_sends_its_target_and_names_it(monkeypatch):
    monkeypatch.setattr("ui.presets.of_run", lambda run: {one.config: one for one in (WITH, WITHOUT)}.get(run.config))
    for preset, label in ((WITH, "with BN"), (WITHOUT, "without BN")):
        run = make_shown(make_history(2))
        run.config = preset.config
        assert about(run)["goal"] == {"below": 0.1, "label": label}
        assert str(preset.goal) in preset.watch
    assert "goal" not in about(make_shown(make_history(2)))


def test_several_trainings_are_sent_and_one_is_not():
    run = make_shown([make_epoch()])
    assert "trainings" not in about(run)
    run.config = TrainConfig(n_rules=20, n_trainings=4)
    assert about(run)["trainings"] == 4


@pytest.mark.parametrize(("batch_size", "steps"), [(640, 1), (64, 10), (10, 64)])
def test_the_steps_of_an_epoch_are_those_of_its_rows(batch_size, steps):
    entropy = np.eye(1, ENTROPY_BINS, dtype=int)[0] * 640
    assert about(make_shown([make_epoch(entropy=entropy)], batch_size=batch_size))["steps"] == steps
    for rows in range(2, 70):
        config = TrainConfig(batch_size=batch_size)
        assert config.steps_per_epoch(rows) == sum(count for *_, count in batch_plan(rows, batch_size))


def test_the_interval_of_a_comparison_is_student_s_corrected_for_shared_rows():
    known = about_comparison(comparison_plan(), load_dataset("iris"), Collected(), "ci", ended=False)
    assert known["factors"][4] == pytest.approx(stats.t.ppf(0.975, 3) * np.sqrt(1 / 4 + 3 / 7))
    assert len(known["factors"]) == 5 and "95% interval" in known["bandText"]


@pytest.mark.parametrize("band", ["sd", "ci"])
def test_a_sweep_sends_the_means_of_its_cells_with_their_bands(band):
    plan = sweep_plan("batch=16,32,64", seeds=8)
    points = make_points(plan, [0.7, 0.8, 0.797])
    cells = summarise(plan, points)
    (part,) = sweep_message(plan, points, cells, BASELINES, Wanted(plan.seeds, "mean", "bca", band, "map"), "", None)
    made = part["payload"]
    figures = [cell.metrics["bca"] for cell in cells]
    assert [cell["mean"] for cell in made["cells"]] == pytest.approx([one.mean for one in figures], abs=1e-5)
    high = [one.mean + one.sd if band == "sd" else one.high for one in figures]
    assert [cell["high"] for cell in made["cells"]] == pytest.approx(high, abs=1e-5)
    assert [(cell["highest"], cell["close"]) for cell in made["cells"]] == [(False, False), (True, False), (False, True)]
    seeds = [value for cell in made["cells"] for _, value, _ in cell["seeds"]]
    assert sorted(seeds) == pytest.approx(sorted(point["scores"]["mean"][1] for point in points), abs=1e-5)
    assert made["band"] == ("SD over 8 seeds" if band == "sd" else "95% interval of the mean over 8 seeds")
    assert [level["name"] for level in made["levels"]] == ["logistic regression", "majority class"]
