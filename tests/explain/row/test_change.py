"""The nearest change really turns the prediction, and nothing nearer on a fine grid does."""

import numpy as np
import pytest
from hypothesis import example, given, settings

from tests.explain.examples import base, category, number, random_bases, rule
from tests.explain.row.mixed import features_of, mixed_base, mixed_bases, slow_nearest, slow_predicted
from tsk_core.errors import DataError
from tsk_core.explain import scores
from tsk_core.explain.row import nearest_changes

FINE = 0.004  # standard deviations that rounding to a multiple of the step may add, for two features


def checked(rules, x, features, changes, wanted=None):
    own = slow_predicted(rules, x)
    for one in changes:
        now = slow_predicted(rules, one.x)
        assert now == one.predicted
        assert now != own if wanted is None else now == wanted
        moved = [f for f in features if (one.x[list(f.columns)] != x[list(f.columns)]).any()]
        assert [f.name for f in moved] == sorted((f.name for f in one.features), key=[f.name for f in features].index)
        assert not any(f.locked for f in moved)
        for f in moved:
            values = one.x[list(f.columns)]
            if f.categories:
                assert sorted(values) == [0] * (len(values) - 1) + [1]
            else:
                assert f.low <= values[0] <= f.high
                assert not f.whole or values[0] == round(values[0])
        squares = [4.0 if f.categories else ((one.x[f.columns[0]] - x[f.columns[0]]) / f.scale) ** 2 for f in one.features]
        assert one.distance == pytest.approx(np.sqrt(sum(squares)), abs=1e-12)


@example(mixed_base(2, 2, 22942, "layer softmax"))  # where no rule's level is above 0, all scores are 0: the first class
@given(mixed_bases)
def test_no_change_of_one_feature_on_a_fine_grid_is_nearer(case):
    rules, Z = case
    features = features_of(rules, Z)
    for x in Z[:2]:
        changes = nearest_changes(rules, x, features)
        checked(rules, x, features, changes)
        single = min((one.distance for one in changes if len(one.features) == 1), default=np.inf)
        slow = slow_nearest(rules, x, features, 1, 300)
        assert min((one.distance for one in changes), default=np.inf) <= slow + FINE
        assert single <= slow + FINE or single == np.inf


@settings(max_examples=12)
@given(mixed_bases)
def test_no_change_of_two_features_on_a_grid_is_clearly_nearer(case):
    rules, Z = case
    features = features_of(rules, Z)
    x = Z[0]
    nearest = min((one.distance for one in nearest_changes(rules, x, features)), default=np.inf)
    slow = slow_nearest(rules, x, features, 2, 15, within=nearest * 0.9 - FINE)
    assert slow == np.inf


@given(random_bases)
def test_a_locked_feature_never_moves_and_a_wanted_class_is_reached(case):
    rules, Z = case
    names = [f"x{d}" for d in range(Z.shape[1])]
    features = features_of(rules, Z, locked=names[:1])
    checked(rules, Z[0], features, nearest_changes(rules, Z[0], features))
    for wanted in range(len(rules["classes"])):
        changes = nearest_changes(rules, Z[1], features_of(rules, Z), wanted)
        checked(rules, Z[1], features_of(rules, Z), changes, wanted)
        assert not changes or wanted != slow_predicted(rules, Z[1])


def two_rules(low, high, sigma=1.0):
    """On one number: class "no" about ``low`` and class "yes" about ``high``, with the border in the middle."""
    return base([number("x")], [rule([low], [sigma], [[1.0, 0.0], [0.0, 0.0]]), rule([high], [sigma], [[0.0, 0.0], [1.0, 0.0]])])


def test_a_wanted_class_beyond_another_one_is_reached():
    at = [rule([centre], [1.0], [[float(c == k), 0.0] for c in range(3)]) for k, centre in enumerate((0.0, 4.0, 8.0))]
    rules = base([number("x")], at, classes=("a", "b", "c"))
    features, x = features_of(rules, np.linspace(0, 8, 41)[:, None]), np.array([1.0])
    for wanted, border in ((1, 2.0), (2, 6.0)):
        (change,) = nearest_changes(rules, x, features, wanted)
        assert change.x[0] == pytest.approx(border, abs=0.05) and change.predicted == wanted
    assert nearest_changes(rules, x, features, 0) == ()  # the class that it has


def test_a_whole_number_stays_whole_and_a_range_is_kept():
    Z = np.arange(0, 11.0)[:, None]
    rules = two_rules(0.0, 9.0)
    (change,) = nearest_changes(rules, np.array([1.0]), features_of(rules, Z))
    assert change.x[0] == 5.0
    assert nearest_changes(rules, np.array([1.0]), features_of(rules, Z, bounds={"x": (0, 4)})) == ()
    large = two_rules(0.0, 900_001.0, 2e5)
    (change,) = nearest_changes(large, np.array([10.0]), features_of(large, np.arange(0, 1e6, 7919.0)[:, None]))
    assert change.x[0] == 450_001.0


def test_an_island_between_two_places_of_the_grid_is_found():
    """A narrow rule makes a stretch of width 0.02 on a range of 1,000."""
    narrow = rule([300.004], [0.01], [[0.0, 0.0], [3.0, 0.0]], 0.0)
    wide = rule([0.0], [None], [[1.0, 0.0], [0.0, 0.0]], -0.5)
    rules = base([number("x")], [wide, narrow])
    Z = np.linspace(-500, 500, 101)[:, None] + 0.5
    (change,) = nearest_changes(rules, np.array([0.5]), features_of(rules, Z))
    assert change.x[0] == pytest.approx(300, abs=0.1)
    assert slow_predicted(rules, change.x) == 1


def test_a_category_alone_turns_the_decision():
    columns = [category("colour", c) for c in ("red", "blue", "grey")]
    rules = base(columns, [rule([0.0] * 3, [None] * 3, [[0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.3, 0.9]])])
    (change,) = nearest_changes(rules, np.array([1.0, 0.0, 0.0]), features_of(rules, np.eye(3)))
    assert change.x.tolist() == [0.0, 0.0, 1.0]
    assert change.distance == 2.0
    assert change.features[0].written(change.x) == "grey"
    assert nearest_changes(rules, np.array([1.0, 0, 0]), features_of(rules, np.eye(3), locked="colour")) == ()


def test_two_features_are_named_only_where_one_does_not_do_nearly_as_well():
    diagonal = [rule([0.0, 0.0], [None, None], [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])]  # the border is x + y = 1
    rules = base([number("x"), number("y")], diagonal)
    Z = np.random.default_rng(0).normal(size=(200, 2))
    two, one = nearest_changes(rules, np.zeros(2), features_of(rules, Z))
    assert len(two.features) == 2
    assert two.distance == pytest.approx(np.sqrt(0.5), rel=0.05)
    np.testing.assert_allclose(two.x, 0.5, atol=0.05)
    assert one.distance == pytest.approx(1.0, rel=0.05)
    along = base([number("x"), number("y")], [rule([0.0, 0.0], [None, None], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])])
    assert len(nearest_changes(along, np.zeros(2), features_of(along, Z))) == 1


def test_rows_far_from_every_rule_get_a_change_that_holds_or_none():
    rules, Z = mixed_base(3, 3, seed=1)
    for far in (1e3, 1e9, 1e160):
        x = Z[0].copy()
        x[0] = far
        features = features_of(rules, Z)
        for change in nearest_changes(rules, x, features):
            before, after = scores(rules, [x, change.x]).argmax(1)
            assert change.predicted == after != before


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"locked": ["<img>"]}, "no feature '<img>'"),
        ({"bounds": {"size": (3, 1)}}, "lower one first"),
        ({"bounds": {"size": (float("nan"), 1)}}, "lower one first"),
        ({"bounds": {"colour": (0, 1)}}, "lock it instead"),
    ],
)
def test_a_wrong_name_or_range_is_told_in_a_sentence(how, words):
    rules, Z = mixed_base(2, 2, seed=0)
    with pytest.raises(DataError, match=words):
        features_of(rules, Z, **how)
