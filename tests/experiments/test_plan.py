"""What an experiment consists of: variants and axes by their names, and the trainings of a plan."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, load_dataset, make_dataset
from tsk_core.data.splitting import group_column
from tsk_core.errors import DataError, SettingError
from tsk_core.experiments.plan import COMPARISON, SWEEP, Plan, split_seed, sweep_plan
from tsk_core.experiments.stacks import check_splits, most_training_rows, splits_of
from tsk_core.experiments.sweep_summary import cell_name
from tsk_core.experiments.variants import (
    AXES,
    DEFAULT_VARIANTS,
    NAMED_VARIANTS,
    cells,
    make_axis,
    make_variant,
    parse_axis,
    parse_variants,
)

BASE = TrainConfig(n_rules=4, ur_weight=3.0, max_epochs=5, early_stopping=True, random_state=7)


def test_the_four_of_the_paper_differ_in_ur_and_bn_alone():
    found = parse_variants(DEFAULT_VARIANTS, BASE)
    assert [(one.name, one.config.batch_norm, one.config.ur_weight) for one in found] == [
        ("MBGD", "none", 0), ("BN", "bn", 0), ("UR", "none", 3), ("UR-BN", "bn", 3),
    ]  # fmt: skip
    plain = replace(BASE, random_state=None, early_stopping=False)
    for one in found:
        assert set(one.config.differing(plain)) <= {"ur_weight", "batch_norm"}
    assert make_variant("ur", replace(BASE, ur_weight=0)).config.ur_weight == 1


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [("rules=30", "n_rules", 30), ("ur=0.5", "ur_weight", 0.5), ("l2=0.05", "l2", 0.05), ("shrink=0.1", "shrinkage", 0.1),
     ("batch=512", "batch_size", 512), ("firing=htsk", "firing", "htsk"), ("opt=adam", "optimizer", "adam"),
     ("bn=rbn", "batch_norm", "rbn"), ("cw=balanced", "class_weight", "balanced"), ("init=random", "init", "random")],
)  # fmt: skip
def test_a_variant_changes_one_setting(text, field, value):
    found = make_variant(text, BASE)
    assert found.key == text and getattr(found.config, field) == value
    assert found.config.differing(make_variant("base", BASE).config) == [field]


@pytest.mark.parametrize(
    ("texts", "words"),
    [(["nonsense"], "no variant 'nonsense'"), (["rules="], "no variant 'rules='"), (["epochs=5"], "no variant 'epochs=5'"),
     (["seed=3"], "no variant"), (["rules=many"], "must be a number"), (["ur=-1"], "must be at least 0"), ([], "1 to 8 variants"),
     (["base"] + [f"rules={k}" for k in range(2, 10)], "1 to 8 variants"), (["none", "none"], "have the same settings"),
     (["bn=bn", "base"], "have the same settings"), (["sigma=0"], "from 0.1 to 10"), (["rows=2"], "from 0.01 to 1")],
)  # fmt: skip
def test_a_variant_that_cannot_be_is_one_sentence(texts, words):
    with pytest.raises(SettingError, match=words) as refused:
        parse_variants(texts, BASE)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["rules=4", "sigma=2", "init=random", "trainings=2"])
def test_what_a_rule_base_decides_is_no_variant(text):
    rules = {"format": "tsk-rules", "rules": [{}, {}]}
    with pytest.raises(SettingError, match=f"{text.partition('=')[0]} has no effect where training starts from a rule base"):
        make_variant(text, replace(BASE, rule_base=rules))


def test_an_axis_sorts_its_values_a_name_alone_takes_the_usual_ones_and_cells_are_all_combinations():
    axis = parse_axis("batch=64, 16,64")
    assert (axis.values, axis.log, axis.text) == ((16, 64), True, "batch=16,64")
    for name, known in AXES.items():
        assert parse_axis(name).values == tuple(sorted(known.usual))
    found = cells((parse_axis("ur=0,1"), parse_axis("sigma=1,2"), parse_axis("rows=0.5,1")), BASE)
    values = [(one.config.ur_weight, one.width, one.row_share) for one in found]
    assert values == [(ur, width, share) for ur in (0, 1) for width in (1, 2) for share in (0.5, 1)]
    assert found[0].key == "ur=0 sigma=1 rows=0.5" and "λ 0" in found[0].name


@pytest.mark.parametrize("text", ["", "colour=1", "batch=a", "batch=16.5", "ur=-1", "sigma=99", "rows=0", "lr=nan", "ur=inf"])
def test_an_axis_that_cannot_be_is_one_sentence_and_too_many_are(text):
    with pytest.raises(SettingError) as refused:
        parse_axis(text)
    assert "\n" not in str(refused.value)
    for axes, words in (("", "1 to 4 axes"), ("ur ur", "given twice"), ("ur batch rules l2 lr", "1 to 4 axes"),
                        ("ur batch rules l2", "combinations")):  # fmt: skip
        with pytest.raises(SettingError, match=words):
            cells([parse_axis(name) for name in axes.split()], BASE)


@given(st.sets(st.integers(2, 2**60), min_size=1, max_size=5))
@example({1_000_000, 1_234_567})
def test_whole_numbers_of_an_axis_stay_what_they_are(values):
    axis = parse_axis("batch=" + ",".join(map(str, values)))
    found = cells((axis,), BASE)
    assert list(axis.values) == [one.config.batch_size for one in found] == sorted(values)
    assert [one.key for one in found] == [f"batch={value}" for value in sorted(values)]
    assert [cell_name((axis,), (value,)) for value in axis.values] == [f"batch size {value}" for value in sorted(values)]
    assert parse_axis(axis.text) == axis == make_axis("batch", list(values))
    plan = Plan(SWEEP, found, axes=(axis,))
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


@given(st.sets(st.floats(0, 1e300, allow_subnormal=False), min_size=1, max_size=5))
@example({0.1 + 0.2, 1234567.5})
def test_numbers_of_an_axis_stay_what_they_are(values):
    axis = make_axis("ur", list(values))
    assert list(axis.values) == [one.config.ur_weight for one in cells((axis,), BASE)] == sorted(values)
    assert parse_axis(axis.text) == axis
    assert make_variant(f"ur={axis.text.split(',')[-1].removeprefix('ur=')}", BASE).config.ur_weight == max(values)


@pytest.mark.parametrize("value", [True, "16", None, float("nan"), 16.5])
def test_what_is_no_value_of_an_axis_is_one_sentence_and_numbers_of_numpy_are_values(value):
    with pytest.raises(SettingError, match="must be a"):
        make_axis("batch", [value])
    axis = make_axis("batch", np.array([64.0, 16.0]))  # whole floats are numbers as links have them
    assert axis.text == "batch=16,64" and {type(value) for value in axis.values} == {int}


def test_batch_sizes_that_have_all_training_rows_are_one_value_that_says_so():
    axis = parse_axis("batch=16,64,128,256,2048").joined(124)
    assert axis.values == (16, 64, 128)
    assert [axis.value_text(value) for value in axis.values] == ["16", "64", "≥ 124 (full batch)"]
    assert cell_name((axis,), (128,)) == "batch size ≥ 124 (full batch)"
    assert parse_axis("batch=16,64").joined(124).values == (16, 64)
    assert parse_axis("ur=1,200").joined(124) == parse_axis("ur=1,200")
    plan = sweep_plan([parse_axis("batch=16,128,256"), parse_axis("ur=0,1")], BASE, lambda plan: 124, seeds=2)
    assert plan.size == 8 and plan.axes[0].values == (16, 128) and plan.rows == 124 and plan.equal == "epochs"
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


@given(st.integers(2, 300), st.integers(2, 400), st.integers(1, 60), st.sets(st.integers(2, 400), min_size=1, max_size=4))
def test_equal_gradient_steps_come_as_close_as_whole_epochs_can(rows, batch, epochs, sizes):
    base = replace(BASE, batch_size=batch, max_epochs=epochs, max_conditions=2, selection_epoch=max(1, epochs // 3))
    steps = epochs * base.steps_per_epoch(rows)
    axes = [make_axis("batch", list(sizes))]
    assume(steps <= 2000)
    plan = sweep_plan(axes, base, lambda plan: rows, seeds=1, equal="steps")
    for at, variant in enumerate(plan.variants):
        each, config = variant.config.steps_per_epoch(rows), variant.config
        assert plan.gradient_steps(at) == config.max_epochs * each
        assert abs(plan.gradient_steps(at) - steps) <= each / 2 or config.max_epochs == 1
        assert 1 <= config.selection_epoch <= config.max_epochs  # conditions are chosen at the same share of the training
        assert variant.config.differing(replace(base, early_stopping=False, random_state=None, max_epochs=config.max_epochs,
                                                selection_epoch=config.selection_epoch)) in ([], ["batch_size"])  # fmt: skip
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


def test_equal_gradient_steps_that_take_too_many_epochs_are_one_sentence():
    base = replace(BASE, batch_size=16, max_epochs=1000)
    with pytest.raises(SettingError, match="take 7,000 epochs; at most 2,000 are possible"):
        sweep_plan([parse_axis("batch=2048")], base, lambda plan: 105, seeds=1, equal="steps")
    with pytest.raises(SettingError, match="equal is 'rows'"):
        sweep_plan([parse_axis("batch=16")], base, seeds=1, equal="rows")


@pytest.mark.parametrize("score", ["mean", "best"])
@pytest.mark.parametrize("test_size", [0.3, 0.5])
def test_training_rows_are_those_of_the_splits(score, test_size):
    iris = load_dataset("iris")
    grouped = replace(iris, split_column=group_column("owner", np.random.default_rng(0).integers(0, 12, len(iris.y))))
    for dataset in (iris, grouped):
        rows_of = partial(most_training_rows, dataset)
        plan = sweep_plan([parse_axis("batch=16,4000")], BASE, rows_of, seeds=3, test_size=test_size, score=score)
        splits, _ = splits_of(dataset, plan, plan.trainings())
        assert plan.rows == max(len(split.train) for split in splits)


def test_what_the_data_cannot_be_split_into_is_refused_before_anything_trains():
    """Of a single split, each further one would be the same training again; of two groups, none can be held out."""
    table = make_table(rows=60)
    parts = np.where(np.arange(60) % 3 == 0, "test", "train")
    dataset = make_dataset(table.frame.assign(part=parts), table.target, name="parts", choices=Choices(roles={"part": "split"}))
    plan = Plan(COMPARISON, parse_variants(["none"], BASE), seeds=2, splits=2)
    with pytest.raises(SettingError, match="single split"):
        check_splits(dataset, plan)
    check_splits(dataset, replace(plan, splits=1))
    check_splits(table, plan)
    grouped = replace(table, split_column=group_column("owner", np.arange(60) // 30))
    with pytest.raises(DataError, match="choose the score of the last epoch"):
        check_splits(grouped, replace(plan, validated=True))
    check_splits(grouped, plan)


def test_a_plan_pairs_all_variants_over_the_same_seeds_and_splits():
    plan = Plan(COMPARISON, parse_variants(DEFAULT_VARIANTS, BASE), seeds=3, splits=2, first_seed=5)
    trainings = plan.trainings()
    assert len(trainings) == plan.size == 24 and plan.epochs == 24 * 5
    assert [one.number for one in trainings] == list(range(24))
    keys = [[one[2:4] + one[5:] for one in trainings if one.variant == k] for k in range(4)]
    assert keys[0] == keys[1] == keys[2] == keys[3] and len(set(keys[0])) == 6
    assert all(one.config.random_state == one.seed for one in trainings)
    assert [split_seed(seed, 0) for seed in (5, 6, 7)] == [5, 6, 7]  # the split of the run with this seed
    last = Plan(COMPARISON, parse_variants(["none"], BASE), seeds=3, first_seed=2**32 - 1).trainings()
    assert [one.seed for one in last] == [one.config.random_state for one in last] == [2**32 - 1, 0, 1]


@given(st.sampled_from(sorted(NAMED_VARIANTS)), st.integers(1, 30), st.integers(1, 3), st.booleans())
def test_a_plan_survives_json(name, seeds, splits, validated):
    plan = Plan(COMPARISON, (make_variant(name, BASE),), seeds, splits, validated=validated)
    assert Plan.from_dict(plan.to_dict()) == plan and Plan.from_dict(plan.to_dict()).key == plan.key
    axes = (parse_axis("batch=16,32"), parse_axis("sigma=1,2"))
    swept = Plan(SWEEP, cells(axes, BASE), seeds, splits, axes=axes)
    assert Plan.from_dict(swept.to_dict()) == swept and swept.key != plan.key


@pytest.mark.parametrize(
    "wrong", [{"seeds": 0}, {"seeds": 31}, {"seeds": 2.5}, {"splits": 0}, {"test_size": 0}, {"test_size": 1}]
)
def test_numbers_out_of_range_are_one_sentence_and_those_of_numpy_numbers(wrong):
    variants = parse_variants(["none"], BASE)
    with pytest.raises(SettingError):
        Plan(COMPARISON, variants, **wrong)
    plan = Plan(COMPARISON, variants, seeds=np.int64(3), splits=np.int32(2))
    assert plan.size == 6 and len(plan.key) == 32
