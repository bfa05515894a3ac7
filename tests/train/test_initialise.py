"""Where models start."""

import numpy as np
import pytest
import torch

from tsk_core.config import TrainConfig
from tsk_core.model import Parameters, Shape
from tsk_core.train import StackMember, Table
from tsk_core.train.initialise import class_centers, fuzzy_c_means, initial_centers, initialise_stack

BLOBS = np.random.default_rng(0).normal(size=(150, 3)) + np.repeat([[0, 0, 0], [20, 0, 0], [0, 20, 0]], 50, axis=0)


def started(shape, init="kmeans", seed=0, rows=150):
    """One model, initialised on the first rows."""
    p = Parameters(shape)
    table = Table(torch.from_numpy(BLOBS).float(), torch.zeros(150, dtype=torch.long), 2)
    member = StackMember(TrainConfig(n_rules=shape.R, init=init), seed, np.arange(rows), 1)
    initialise_stack(p, [member], table, [torch.Generator().manual_seed(seed)])
    return p


@pytest.mark.parametrize("init", ["kmeans", "fcm"])
def test_clusters_start_at_the_middle_of_each_blob(init):
    found = initial_centers(BLOBS, 3, init, seed=0)
    means = BLOBS.reshape(3, 50, 3).mean(1)
    distances = np.linalg.norm(found[:, None] - means, axis=-1)
    assert (distances.min(0) < 1).all()


def test_random_centres_are_distinct_training_rows():
    centers = initial_centers(BLOBS, 20, "random", seed=1)
    assert len(np.unique(centers, axis=0)) == 20
    assert all((c == BLOBS).all(1).any() for c in centers)


def test_members_with_the_same_rows_and_seed_start_at_the_same_centres_and_others_where_they_would_alone():
    table = Table(torch.from_numpy(BLOBS).float(), torch.zeros(150, dtype=torch.long), 2)
    config = TrainConfig(n_rules=5)
    rows = [np.arange(150), np.arange(150), np.arange(150), np.arange(140)]
    members = [StackMember(config, seed, part, 1) for seed, part in zip((3, 3, 4, 3), rows, strict=True)]
    p = Parameters(Shape(4, 5, 3, 2, "bn"))
    initialise_stack(p, members, table, [torch.Generator().manual_seed(m.seed) for m in members])
    for model, member in enumerate(members):
        alone = started(Shape(1, 5, 3, 2, "bn"), seed=member.seed, rows=len(member.rows))
        for name in ("centers", "widths", "weights"):
            assert torch.equal(getattr(p, name)[model], getattr(alone, name)[0])
    assert torch.equal(p.centers[0], p.centers[1]) and not torch.equal(p.centers[0], p.centers[2])


@pytest.mark.parametrize("init", ["kmeans", "fcm", "random"])
def test_all_of_few_distinct_rows_are_found_and_repeated_where_there_are_more_rules(init):
    rows = np.concatenate([np.zeros((100, 2)), [[1.0, 1.0], [2.0, 2.0]]])
    for rules in (3, 7):
        centers = initial_centers(rows, rules, init, seed=0)
        assert centers.shape == (rules, 2) and {tuple(c) for c in centers} == {(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)}


def test_fuzzy_c_means_keeps_centres_apart_in_high_dimension():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 40)) + np.repeat([[3.0], [-3.0]], 100, axis=0)
    centers = fuzzy_c_means(x, 2, rng)
    assert np.linalg.norm(centers[0] - centers[1]) > 20


def test_widths_and_consequents_are_drawn_as_the_paper_says():
    p = started(Shape(1, 100, 3, 4, "bn"), "random")
    assert float(p.widths.mean()) == pytest.approx(1, abs=0.05)
    assert float(p.widths.std()) == pytest.approx(0.2, abs=0.03)
    assert float(p.widths.min()) >= 0.05
    assert float(p.weights.abs().max()) <= 1
    assert float(p.weights.std()) == pytest.approx(3**-0.5, abs=0.03)
    assert not p.biases.any()
    assert (p.gamma == 1).all() and not p.beta.any()


def test_each_class_has_rules_in_proportion_to_its_rows_and_at_least_one():
    y = np.repeat([0, 1, 2], [90, 50, 10])
    centers = class_centers(BLOBS, y, 8, seed=0)
    assert centers.values.shape == (8, 3) and np.bincount(centers.classes).tolist() == [5, 2, 1]
    np.testing.assert_allclose(centers.values[centers.classes == 2], [BLOBS[y == 2].mean(0)], atol=1e-9)
    y = np.repeat([0, 1, 2], [30, 70, 50])  # with fewer rules than classes the largest have one each
    assert class_centers(BLOBS, y, 2, seed=0).classes.tolist() == [1, 2]


@pytest.mark.parametrize("inverse", [False, True])
def test_rules_that_begin_with_a_class_have_its_score_and_a_common_width(inverse):
    table = Table(torch.from_numpy(BLOBS).float(), torch.from_numpy(np.repeat([0, 1], [100, 50])), 2)
    members = [StackMember(TrainConfig.readable(n_rules=3), 0, np.arange(150), 1)]
    p = Parameters(Shape(1, 3, 3, 2, "none", slopes=False, inverse_widths=inverse))
    initialise_stack(p, members, table, [torch.Generator()])
    assert p.biases[0].tolist() == [[1, -1], [1, -1], [-1, 1]]
    torch.testing.assert_close(p.sigmas(), torch.full((1, 3, 3), 3**0.5).double())
