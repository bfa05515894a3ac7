"""Trainings of a plan: twins that differ in one thing, equal to trainings of their own, and the point that each leaves."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, load_dataset, make_dataset
from tsk_core.data.splitting import group_column
from tsk_core.epoch import ENTROPY_BINS
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.experiments import trainings
from tsk_core.experiments.plan import COMPARISON, SWEEP, Plan, sweep_plan
from tsk_core.experiments.stacks import most_training_rows, splits_of, stacks
from tsk_core.experiments.trainings import CURVES, snapshot_epochs, train_together
from tsk_core.experiments.variants import cells, parse_axis, parse_variants
from tsk_core.metrics import accuracy_of_labels
from tsk_core.train import StackMember, prepare_stack, stacks_of

BASE = TrainConfig.paper(n_rules=4, max_epochs=6)
TABLE = make_table(rows=150)


def trained(plan, dataset=TABLE, only=None):
    """The points of a plan, and the records of its epochs."""
    points, lines = {}, []
    chosen = [one for one in plan.trainings() if only is None or one.number in only]
    for stack in stacks(dataset, plan, chosen, dataset.X.shape[1]):
        for record in train_together(dataset, plan, stack):
            if "point" in record:
                points[record["point"]] = record
            else:
                lines.append(record)
    return points, lines


def compared(names, base=BASE, **options):
    return Plan(COMPARISON, parse_variants(names, base), **{"seeds": 2, **options})


def without_seconds(point):
    return {name: value for name, value in point.items() if name not in ("seconds_share", "point", "variant")}


def test_all_variants_start_alike_to_the_bit():
    names = ["none", "bn", "gbn", "rbn", "ur", "ur-bn", "ur=50", "l2=0.5"]
    points, _ = trained(compared(names))
    for seed in range(2):
        starts = [points[2 * k + seed] for k in range(len(names))]
        for name in ("ce", "rca", "bca"):
            assert len({point["curves"][name][0] for point in starts}) == 1
        for name in ("firing", "entropy", "confusion"):
            assert all(point["looks"][name][0] == starts[0]["looks"][name][0] for point in starts)
        assert {point["curves"]["grad_antecedents"][0] for point in starts} == {None}
        assert len({tuple(point["curves"]["ce"]) for point in starts}) == len(names)  # and they end differently


def test_a_training_is_that_of_a_run_with_its_seed():
    plan = compared(["none", "ur-bn", "rbn", "rules=7"], first_seed=3)
    points, _ = trained(plan)
    y = np.asarray(TABLE.y)
    for training in plan.trainings():
        split = TABLE.split(test_size=0.3, seed=training.seed)
        model = TSKClassifier(**training.config.to_dict()).fit(TABLE.X.iloc[split.train], y[split.train])
        own = accuracy_of_labels(y[split.test], model.predict(TABLE.X.iloc[split.test]))
        assert points[training.number]["scores"]["last"] == pytest.approx(own, abs=1.5 / len(split.test))  # a row on the border
        losses = [epoch.loss_ce for epoch in model.history_]
        assert points[training.number]["curves"]["ce"][1:] == pytest.approx(losses, rel=1e-3)


PARTS = np.where(np.arange(150) % 3 == 0, "test", "train")
BY_COLUMN = make_dataset(TABLE.frame.assign(part=PARTS), TABLE.target, name="parts", choices=Choices(roles={"part": "split"}))
HALVES = replace(TABLE, split_column=group_column("half", (np.arange(150) >= 75).astype(int)))


@pytest.mark.parametrize(
    ("dataset", "ratio", "options"),
    [
        (TABLE, 45 / 105, {"names": ["none", "rows=0.1"]}),  # whatever part of these is trained on
        (TABLE, 45 / 105, {"names": ["none"], "validated": True}),
        (BY_COLUMN, 0, {"names": ["none"]}),  # nothing is corrected where a column decides the split
        (HALVES, 1.0, {"names": ["none"], "seeds": 3}),  # also where all seeds happen to test the same group
    ],
    ids=["rows", "validated", "column", "groups"],
)
def test_a_point_says_how_many_test_rows_the_split_has_for_each_training_row(dataset, ratio, options):
    points, _ = trained(compared(base=replace(BASE, max_epochs=1), **{"seeds": 1} | options), dataset)
    assert {point["test_per_train"] for point in points.values()} == {ratio}


def test_the_records_of_epochs_are_the_curves():
    plan = compared(["none", "rbn"])
    points, lines = trained(plan)
    for number, point in points.items():
        own = [(line, line["at"].index(number)) for line in lines if number in line["at"]]
        assert [line["epoch"] for line, _ in own] == point["curves"]["epoch"] == list(range(7))
        for name in CURVES:
            assert [line[name][at] for line, at in own] == point["curves"][name]


def test_looks_hold_what_their_epochs_say():
    points, _ = trained(compared(["ur-bn"]))
    for point in points.values():
        looks, rows = point["looks"], len(TABLE.split(test_size=0.3, seed=point["seed"]).test)
        assert looks["epoch"] == list(range(7))
        shown = (looks[name] for name in ("firing", "entropy", "confusion", "epoch"))
        for firing, entropy, confusion, epoch in zip(*shown, strict=True):
            assert firing == sorted(firing, reverse=True) and sum(firing) == pytest.approx(1, abs=1e-4)
            assert len(entropy) == ENTROPY_BINS and sum(entropy) == 105
            assert np.sum(confusion) == rows
            assert np.trace(confusion) / rows == pytest.approx(point["curves"]["rca"][epoch], abs=1e-5)
        assert point["plane"] is None  # four columns
        assert point["dead"] == 0 and 0 < point["entropy"] < 1
        assert point["conditions"] == 4 * BASE.n_rules  # on all four features
    for epochs in (1, 5, 19, 20, 60, 2000):  # few, with the first and the last one
        looks = snapshot_epochs(epochs)
        assert looks == sorted(set(looks)) and looks[:2] == [0, 1] and looks[-1] == epochs and len(looks) <= 20


def test_the_mean_is_over_the_last_epochs_and_the_best_by_validation():
    plan = compared(["ur-bn"], BASE, validated=True)
    points, _ = trained(plan)
    for point in points.values():
        assert point["window"] == 5
        assert point["scores"]["mean"][1] == pytest.approx(np.mean(point["curves"]["bca"][-5:]), abs=1e-5)
        assert point["scores"]["last"][1] == pytest.approx(point["curves"]["bca"][-1], abs=1e-5)
        assert point["scores"]["best"][1] == pytest.approx(point["curves"]["bca"][point["best_epoch"]], abs=1e-5)
    splits, _ = splits_of(TABLE, plan, plan.trainings())
    for split in splits:
        rows = [set(rows.tolist()) for rows in (split.train, split.test, split.validation)]
        assert len(rows[2]) == 21 and not rows[0] & rows[1] and not rows[0] & rows[2] and not rows[1] & rows[2]
        assert len(set.union(*rows)) == 150
    without, _ = trained(compared(["ur-bn"]))
    assert without[0]["scores"]["best"] is None and without[0]["best_epoch"] is None


def test_a_sweep_varies_what_no_setting_does():
    axes = (parse_axis("sigma=0.5,1"), parse_axis("rows=0.2,1"))
    plan = Plan(SWEEP, cells(axes, BASE), seeds=2, axes=axes)
    points, lines = trained(plan)
    assert not [line for line in lines if line["epoch"] == 0]
    assert len({tuple(map(tuple, (p["scores"]["last"], [p["entropy"], 0]))) for p in points.values() if p["seed"] == 0}) == 4
    splits, split_of = splits_of(TABLE, plan, plan.trainings())
    assert sorted({len(split.train) for split in splits}) == [21, 105]
    assert set(splits[split_of[0]].train) < set(splits[split_of[2]].train)  # of the same seed
    assert all(0 <= point["fidelity"] <= 1 and "curves" not in point for point in points.values())


def test_all_batch_sizes_from_the_training_rows_on_train_alike_and_equal_gradient_steps_are_taken():
    axes = (parse_axis("batch=104,105,128,2048"),)
    points, _ = trained(Plan(SWEEP, cells(axes, BASE), seeds=1, axes=axes))
    assert without_seconds(points[1]) == without_seconds(points[2]) == without_seconds(points[3])
    assert sweep_plan(axes, BASE, partial(most_training_rows, TABLE), seeds=1).axes[0].values == (104, 105)
    short, rows_of = replace(BASE, batch_size=16, max_epochs=2), partial(most_training_rows, TABLE)
    points, _ = trained(sweep_plan((parse_axis("batch=16,64,128"),), short, rows_of, seeds=1, equal="steps"))
    assert [points[at]["epochs"] for at in range(3)] == [2, 7, 14]  # of 7, 2 and 1 steps


def test_a_training_that_diverges_says_so_and_keeps_a_score():
    plan = compared(["none", "lr=1"], replace(BASE, optimizer="adam", l2=0.0, max_epochs=4))
    huge = replace(plan.variants[1], config=replace(plan.variants[1].config, learning_rate=1e30))
    points, _ = trained(replace(plan, variants=(plan.variants[0], huge)))
    assert not points[0]["message"]
    assert "diverged" in points[2]["message"] and 0 <= points[2]["scores"]["last"][0] <= 1
    assert len(points[2]["curves"]["epoch"]) < 5


def test_what_an_experiment_trains_side_by_side_is_one_stack():
    plan = compared(["none", "bn", "ur-bn", "rbn", "rules=7", "batch=32", "l2=0.5", "opt=adam"])
    groups = stacks(TABLE, plan, plan.trainings(), TABLE.X.shape[1])
    assert sorted(len(group) for group in groups) == [2, 2, 2, 2, 8]
    for group in groups:
        splits, split_of = splits_of(TABLE, plan, group)
        prepared = prepare_stack(TABLE, splits, [training.config for training in group], split_of=split_of)
        members = [StackMember(spec.config, spec.seed, spec.rows, 1) for spec in prepared.specs]
        assert stacks_of(members) == [list(range(len(group)))]


class Seconds:
    """A clock that moves by a second each time it is read."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


def test_the_seconds_of_a_training_are_its_share_of_those_of_its_stack(monkeypatch):
    plan = compared(["none", "lr=1"], replace(BASE, optimizer="adam", l2=0.0, max_epochs=12), seeds=3)
    huge = replace(plan.variants[1], config=replace(plan.variants[1].config, learning_rate=1e30))
    plan = replace(plan, variants=(plan.variants[0], replace(huge, config=replace(huge.config, max_epochs=2))))
    clock = Seconds()
    monkeypatch.setattr(trainings, "time", clock)
    points, waited = [], 0.0
    for record in train_together(TABLE, plan, plan.trainings()):
        if "point" in record:
            points.append(record)
        else:
            clock.now += 100.0  # whoever takes the records may rest
            waited += 100.0
    shares = [[point["seconds_share"] for point in points if point["variant"] == k] for k in (0, 1)]
    assert 0 < sum(map(sum, shares)) <= clock.now - waited
    assert max(shares[1]) < min(shares[0]), "who trains for fewer epochs takes less time"


def test_a_table_of_two_numbers_has_a_plane_for_the_first_seed():
    moons = load_dataset("moons")
    points, _ = trained(compared(["none", "bn"]), moons)
    assert [points[k]["plane"] is None for k in range(4)] == [False, True, False, True]
    plane = points[0]["plane"]
    assert len(plane["classes"]) == 7 and {len(text) for text in plane["classes"]} == {48 * 48}
    assert set(plane["classes"][-1]) == {"a", "b"} and np.shape(plane["centers"]) == np.shape(plane["sigmas"]) == (7, 4, 2)
    assert plane["classes"][0] == points[2]["plane"]["classes"][0]  # both start alike
    model = TSKClassifier(**compared(["none"]).trainings()[0].config.to_dict())
    split = moons.split(test_size=0.3, seed=0)
    model.fit(moons.X.iloc[split.train], np.asarray(moons.y)[split.train])
    (x0, x1), (y0, y1), cells_ = plane["x"], plane["y"], (np.arange(48) + 0.5) / 48
    grid = np.stack(np.meshgrid(x0 + cells_ * (x1 - x0), y0 + cells_ * (y1 - y0)), -1).reshape(-1, 2)
    predicted = model.predict(moons.X.iloc[:1].iloc[[0] * len(grid)].assign(**dict(zip(moons.X.columns, grid.T, strict=True))))
    letters = np.array(list(plane["classes"][-1])) == "b"
    assert np.mean(letters == (predicted == model.classes_[1])) > 0.995


def test_stacks_keep_alike_trainings_together_and_large_ones_small():
    plan = compared(["none", "bn", "ur", "rules=7", "rbn"], seeds=30)
    found = stacks(TABLE, plan, plan.trainings(), 4)
    assert sorted(one.number for stack in found for one in stack) == list(range(150))
    assert [len(stack) for stack in found] == [64, 26, 30, 30]
    large = Plan(COMPARISON, parse_variants(["none"], replace(BASE, n_rules=200, max_epochs=2000)), seeds=30)
    assert {len(stack) for stack in stacks(TABLE, large, large.trainings(), 100)} == {8, 6}
