"""What the server sends of a run, a comparison and a sweep: the numbers that the client's figures (*.test.js) are made of."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.client.messages import make_epoch, make_history, make_shown
from tests.experiments.sweeps import BASELINES, make_points
from tests.experiments.sweeps import make_plan as sweep_plan
from tests.pages.comparisons import make_plan as comparison_plan
from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS
from tsk_core.experiments.sweep_summary import summarise
from tsk_core.train.stack import batch_plan
from ui.compare.panel import about as about_comparison
from ui.experiments import Collected
from ui.live.run_subjects import about, page_parts, run_parts
from ui.presets import PRESETS
from ui.sweep.options import Wanted
from ui.sweep.panel import drawn_sweep

WITH, WITHOUT = (next(preset for preset in PRESETS if preset.name == name) for name in ("bn_on", "bn_off"))


def test_a_message_has_the_records_of_all_epochs_of_both_runs_and_what_the_page_says():
    shown, comparison = make_shown(make_history(3)), make_shown(make_history(2), "other", metrics={})
    parts = run_parts(shown, comparison, dark=True)
    epochs = {part["of"]: part["payload"]["list"] for part in parts if part["kind"] == "epochs"}
    assert epochs == {run.id: [epoch.to_dict() for epoch in run.history] for run in (shown, comparison)}
    assert [(part["payload"], part["since"]) for part in parts if part["kind"] == "runs"] == [
        ({"shown": "now", "comparison": "other", "dark": True}, 0)
    ]
    assert run_parts(shown, comparison, dark=True) == parts  # a file with them is the same each time


def pair(shown, comparison=None, **how):
    """What the page says of the comparison, or else of the run."""
    (said,) = (
        part["payload"] for part in page_parts(shown, comparison, dark=False, **how) if part.get("of") == (comparison or shown).id
    )
    return said


@pytest.mark.parametrize(("changes", "label"), [
    ({}, "same settings"), ({"ur_weight": 0.0}, "λ 0"), ({"ur_weight": 0.0, "n_rules": 7, "batch_size": 8}, "R 7, λ 0, …"),
])  # fmt: skip
def test_a_comparison_is_named_by_its_settings(changes, label):
    comparison = make_shown(make_history(2), "other", metrics={})
    comparison.config = replace(comparison.config, **changes)
    assert pair(make_shown(make_history(2)), comparison)["label"] == label
    assert pair(make_shown(make_history(2)), comparison, label="before")["label"] == "before"


def test_a_comparison_is_on_the_same_test_rows_where_split_and_table_are_the_same():
    shown, comparison = make_shown(make_history(2)), make_shown(make_history(2), "other", metrics={})
    assert pair(shown, comparison)["sameTestRows"] is True
    comparison.test_size = 0.5
    assert pair(shown, comparison)["sameTestRows"] is False


def test_a_preset_sends_its_target_and_names_it(monkeypatch):
    monkeypatch.setattr("ui.presets.of_run", lambda run: {one.config: one for one in (WITH, WITHOUT)}.get(run.config))
    for preset, label in ((WITH, "with BN"), (WITHOUT, "without BN")):
        run = make_shown(make_history(2))
        run.config = preset.config
        assert pair(run)["goal"] == {"below": 0.1, "label": label}
        assert str(preset.goal) in preset.watch
    assert "goal" not in pair(make_shown(make_history(2)))


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
    known = about_comparison(comparison_plan(), [], Collected(), "ci", ended=False)
    assert known["factors"][4] == pytest.approx(stats.t.ppf(0.975, 3) * np.sqrt(1 / 4 + 3 / 7))
    assert len(known["factors"]) == 5 and "95% interval" in known["bandText"]


@pytest.mark.parametrize("band", ["sd", "ci"])
def test_a_sweep_sends_the_means_of_its_cells_with_their_bands(band):
    plan = sweep_plan("batch=16,32,64", seeds=8)
    points = make_points(plan, [0.7, 0.8, 0.797])
    cells = summarise(plan, points)
    made = drawn_sweep(plan, points, cells, BASELINES, Wanted(plan.seeds, "mean", "bca", band, "map"), "")
    figures = [cell.metrics["bca"] for cell in cells]
    assert [cell["mean"] for cell in made["cells"]] == pytest.approx([one.mean for one in figures], abs=1e-5)
    high = [one.mean + one.sd if band == "sd" else one.high for one in figures]
    assert [cell["high"] for cell in made["cells"]] == pytest.approx(high, abs=1e-5)
    assert [(cell["highest"], cell["close"]) for cell in made["cells"]] == [(False, False), (True, False), (False, True)]
    seeds = [value for cell in made["cells"] for _, value, _ in cell["seeds"]]
    assert sorted(seeds) == pytest.approx(sorted(point["scores"]["mean"][1] for point in points), abs=1e-5)
    assert made["band"] == ("SD over 8 seeds" if band == "sd" else "95% interval of the mean over 8 seeds")
    assert [level["name"] for level in made["levels"]] == ["logistic regression", "majority class"]
