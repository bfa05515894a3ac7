"""λ by validation: the study's choices, counted again; those of an experiment, beside a slow search and the study's."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.errors import DataError
from tsk_core.experiments import UR_WEIGHTS, VALIDATED_VARIANTS, study_choices, ur_weight_notes
from tsk_core.experiments.in_process import compare
from tsk_core.experiments.plan import COMPARISON, Plan, comparison_plan
from tsk_core.experiments.stacks import choose_ur_weights, searches
from tsk_core.experiments.variants import FILE, make_variant, parse_variants
from tsk_core.model import class_scores
from tsk_core.train import AT_THE_END, prepare_stack, train_stack
from tsk_core.train.loop import hold_out_members
from tsk_study import protocol

RESULTS = Path(__file__).parents[2] / "study" / "results" / "results.csv"
ALGORITHMS = {"none": "TSK-MBGD-UR", "bn": "TSK-MBGD-UR-BN", "gbn": "TSK-MBGD-UR-GBN", "rbn": "TSK-MBGD-UR-RBN"}
BASE = TrainConfig.paper(n_rules=4, max_epochs=6)
TABLE = make_table(rows=90)


def counted():
    """How many splits of the study chose each λ, from its raw results alone."""
    rows = pd.read_csv(RESULTS)
    return rows.dropna(subset=["lambda"]).groupby(["dataset", "algorithm"])["lambda"].value_counts()


def test_the_shipped_choices_are_those_of_the_studys_splits():
    again = counted()
    shipped = pd.read_csv(FILE)
    assert len(shipped) == sum(again.index.get_level_values("algorithm").isin(ALGORITHMS.values()))
    for _, line in shipped.iterrows():
        assert again[line["dataset"], ALGORITHMS[line["batch_norm"]], line["lambda"]] == line["splits"]


@pytest.mark.parametrize("batch_norm", ALGORITHMS)
def test_a_variant_says_how_often_its_weight_was_chosen(batch_norm):
    again = counted()["vehicle", ALGORITHMS[batch_norm]]
    most = again[again == again.max()].index.min()  # of equally frequent ones the smallest
    table = make_table(rows=846, columns=18, classes=4, name="vehicle")
    name = "ur-val" if batch_norm == "none" else f"ur-{batch_norm}-val"
    found = make_variant(name, BASE, study_choices(table))
    assert (found.config.ur_weight, found.config.batch_norm, found.ur_weights) == (most, batch_norm, ())
    assert f"λ {most:g}" in found.name and f"in {again.max()} of {again.sum()} splits of the study" in found.note


def test_a_table_that_only_has_the_name_of_one_of_the_studys_is_validated_itself_and_needs_enough_rows():
    assert study_choices(replace(TABLE, name="vehicle")) == {} == study_choices(load_dataset("iris")) == study_choices(None)
    for name in VALIDATED_VARIANTS:
        assert make_variant(name, BASE, {}).ur_weights == UR_WEIGHTS == (0.1, 1, 10, 20, 50)
    plan = Plan(COMPARISON, parse_variants(["ur-val"], BASE), seeds=1, test_size=0.5)
    with pytest.raises(DataError, match="λ cannot be chosen by validation"):
        choose_ur_weights(make_table(rows=4, classes=2), plan, plan.trainings())


def slowly_searched(plan, training, ur_weight):
    """The mean best validation BCA of five hold-outs, each trained alone, and its epochs looked through one by one."""
    split = TABLE.split(test_size=plan.test_size, seed=training.split_seed)
    config = replace(training.config, ur_weight=ur_weight)
    stacked = prepare_stack(TABLE, [split], [config], AT_THE_END)
    best = []
    for member in hold_out_members(stacked.specs[0], stacked.table):
        assert not set(member.rows) & set(member.validation)
        y, found = stacked.table.y[member.validation].numpy(), []
        for (progress,) in train_stack([replace(member, early_stopping=False)], stacked.table):
            x = stacked.table.x[member.validation]
            right = class_scores(progress.outcome.rules, x, exact=False).argmax(1).numpy() == y
            found.append(np.mean([right[y == k].mean() for k in np.unique(y)]))
        best.append(max(found))
    return np.mean(best)


def test_the_weight_is_that_of_the_best_mean_validation_bca_and_of_equal_ones_the_smallest():
    plan = Plan(COMPARISON, parse_variants(["ur-val"], BASE), seeds=1)
    chosen = choose_ur_weights(TABLE, plan, plan.trainings())
    for training, choice in zip(plan.trainings(), chosen, strict=True):
        slowly = [slowly_searched(plan, training, ur_weight) for ur_weight in UR_WEIGHTS]
        assert choice.bca == pytest.approx(slowly)
        assert choice.ur_weight == UR_WEIGHTS[[round(bca, 9) for bca in choice.bca].index(round(max(choice.bca), 9))]


def test_with_the_settings_of_the_protocol_it_chooses_what_the_study_does(monkeypatch):
    def short(algorithm, seed, ur_weight):
        changes = {"n_rules": 3, "max_epochs": 12, "patience": 3}
        return replace(original(algorithm, seed, ur_weight), **changes)

    original = protocol.protocol_config
    monkeypatch.setattr(protocol, "protocol_config", short)
    study = protocol.train_cells(TABLE, [("TSK-MBGD-UR-BN", split) for split in range(2)])
    base = replace(short("TSK-MBGD-UR-BN", 0, 0.0), random_state=0)
    plan = comparison_plan(["ur-bn-val"], base, seeds=2)
    chosen = choose_ur_weights(TABLE, plan, plan.trainings())
    assert [choice.ur_weight for choice in chosen] == [result.ur_weight for result in study]


def test_a_frame_has_the_weight_of_each_training_and_its_scores_are_those_of_that_weight():
    frame = compare(TABLE, "none,ur-val", config=BASE, seeds=2)
    validated = frame[frame["variant"] == "ur-val"].set_index("seed")
    assert set(validated["ur_weight"]) <= set(UR_WEIGHTS) and set(frame["ur_weight"][frame["variant"] == "none"]) == {0}
    for seed, row in validated.iterrows():
        plain = compare(TABLE, "ur", config=replace(BASE, ur_weight=row["ur_weight"], random_state=seed), seeds=1)
        assert plain["bca"].item() == row["bca"]


def test_the_note_counts_the_weights_of_the_trainings_their_epochs_count_and_no_group_of_a_search_takes_long():
    plan = Plan(COMPARISON, parse_variants(["none", "ur-val"], BASE), seeds=3)
    weights = {3: 1.0, 4: 50.0, 5: 1.0}
    points = [{"variant": 1, "ur_weight": ur_weight} for ur_weight in weights.values()]
    (note,) = ur_weight_notes(plan, [{"variant": 0, "ur_weight": 0.0}, *points])
    counts = Counter(weights.values())
    assert note.endswith(f"Chosen: λ 1 in {counts[1.0]}, λ 50 in {counts[50.0]} of {len(weights)} trainings.")
    plan = Plan(COMPARISON, parse_variants(["none", "ur-val"], BASE), seeds=4)
    assert plan.epochs == 4 * 6 * (2 + 5 * 5)
    assert [len(group) for group in searches(TABLE, plan, plan.trainings(), 4)] == [4]
    large = Plan(COMPARISON, parse_variants(["ur-val"], replace(BASE, n_rules=200, max_epochs=2000)), seeds=3)
    assert [len(group) for group in searches(make_table(rows=2000), large, large.trainings(), 4)] == [1, 1, 1]
    assert Plan.from_dict(large.to_dict()) == large
