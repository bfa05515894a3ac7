"""A simplified classifier is small, does what its table of changes says, and is chosen without the test rows."""

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier
from tsk_core.errors import SettingError
from tsk_core.explain.printed import score_terms
from tsk_core.explain.reader import read_rules
from tsk_core.simplify.search import Candidate, candidates, choose, smoothed
from tsk_core.simplify.structure import Size


@pytest.fixture(scope="module")
def table():
    """Three numbers, of which one is noise, and a category; the class depends on two of the numbers and on the category."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(50, 10, 300), "dose": rng.normal(2, 0.5, 300), "noise": rng.normal(size=300)})
    X["colour"] = rng.choice(["red", "blue", "green"], 300)
    X.loc[rng.choice(300, 20, replace=False), "age"] = np.nan
    score = (X.age.fillna(50) - 50) / 10 + 2 * (X.dose - 2) + (X.colour == "red") * 1.5
    return X, np.where(score + rng.normal(0, 0.3, 300) > 0.5, "ill", "well")


@pytest.fixture(scope="module")
def full(table):
    return TSKClassifier(n_rules=6, max_epochs=30, random_state=0).fit(*table)


def test_a_small_base_has_no_more_than_it_may(full, table):
    small = full.simplify(*table, max_rules=3, max_conditions=2, score_terms=3)
    assert small.rules_.biases.shape[1] <= 3 and small.n_rules == small.rules_.biases.shape[1]
    rule_base = small.rules(12)
    assert all(len(rule.antecedents) <= 2 for rule in rule_base.rules)
    shared, own = score_terms(read_rules(small.to_dict()))
    assert len(shared) + sum(map(len, own)) <= 3
    assert small.simplification_.terms[1] <= 3 and small.simplification_.conditions[1] <= 6
    assert (small.predict(table[0]) == table[1]).mean() > (full.predict(table[0]) == table[1]).mean() - 0.08


def test_without_score_terms_every_rule_has_a_constant_for_each_class(full, table):
    small = full.simplify(*table, max_rules=4, max_conditions=2, score_terms=0)
    assert not small.rules_.weights.any() and small.rules_.biases.any()


def test_the_search_finds_a_base_that_keeps_the_accuracy_and_reports_each_fold(full, table):
    steps = []
    small = full.simplify(*table, max_rules=4, max_conditions=2, step=lambda done, of: steps.append((done, of)))
    found = small.simplification_.search
    assert steps == [(k, 5) for k in range(1, 6)]
    assert found.chosen.smoothed >= found.full_bca - 0.05
    assert "Score terms" in str(small.simplification_) and "Cross-validated" in str(small.simplification_)


def test_the_same_call_gives_the_same_base(full, table):
    one, two = (full.simplify(*table, max_rules=3, max_conditions=2, score_terms=4) for _ in range(2))
    for a, b in zip(one.rules_.tensors(), two.rules_.tensors(), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_a_book_refits_what_it_shows(full, table):
    small = full.rules(2).refit(*table)
    assert all(len(rule.antecedents) <= 2 for rule in small.rules(12).rules)
    assert small.simplification_.terms[1] <= 20
    np.testing.assert_array_equal(small.classes_, full.classes_)


def test_rules_and_conditions_can_be_left_out_first(full, table):
    small = full.simplify(*table, max_rules=6, max_conditions=10, score_terms=None, without=(2, (1, "age")))
    left = {r for source in small.simplification_.sources for r in source}
    assert 2 not in left
    only_first = [k for k, source in enumerate(small.simplification_.sources, 1) if source == (1,)]
    for rule in small.rules(12).rules:
        if rule.index in only_first:
            assert "age" not in {antecedent.feature for antecedent in rule.antecedents}


def test_a_known_sign_holds_in_every_rule(full, table):
    small = full.simplify(*table, max_rules=4, max_conditions=2, score_terms=None, signs=(("dose", "well", 1),))
    d = [column["feature"] for column in small.to_dict()["columns"]].index("dose")
    well = small.classes_.tolist().index("well")
    slopes = small.rules_.weights[0, :, :, d].numpy()
    assert (slopes[:, well] - slopes.mean(1) >= -1e-6).all()
    plain = full.simplify(*table, max_rules=4, max_conditions=2, score_terms=None).rules_.weights[0, :, :, d].numpy()
    assert (plain[:, well] < plain.mean(1)).any()  # by itself a higher dose means ill


def test_class_weights_count_in_the_last_training_too(table):
    X, y = table
    rare = np.flatnonzero(y == "ill")[:30].tolist() + np.flatnonzero(y == "well").tolist()
    X, y = X.iloc[rare], y[rare]
    recalls = []
    for weight in (None, "balanced"):
        model = TSKClassifier(n_rules=4, max_epochs=20, random_state=0, class_weight=weight).fit(X, y)
        recalls.append(
            (model.simplify(X, y, score_terms=0, max_conditions=1, max_rules=2).predict(X)[y == "ill"] == "ill").mean()
        )
    assert recalls[1] > recalls[0]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"max_rules": 0}, "max_rules"),
        ({"max_conditions": 1.5}, "max_conditions"),
        ({"score_terms": "few"}, "score_terms"),
        ({"score_terms": True}, "score_terms"),
        ({"tolerance": -1}, "tolerance"),
        ({"without": (1, 2, 3, 4, 5, 6), "score_terms": 1}, "every rule"),
        ({"without": (7,), "score_terms": 1}, "rule 7"),
        ({"without": ((1, "weight"),), "score_terms": 1}, "weight"),
        ({"signs": (("colour", "ill", 1),), "score_terms": 1}, "signs"),
        ({"signs": (("age", "dead", 1),), "score_terms": 1}, "signs"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(full, table, options, named):
    with pytest.raises(SettingError, match=named):
        full.simplify(*table, **options)


def test_the_cheapest_candidate_within_the_tolerance_is_chosen():
    found = [
        Candidate(Size(3, 2, terms), 6, terms, bca, 0.9, bca) for terms, bca in ((0, 0.70), (5, 0.79), (10, 0.795), (20, 0.80))
    ]
    assert choose(tuple(found), 0.80, 0.01).terms == 5
    assert choose(tuple(found), 0.75, 0.01).terms == 5  # the best small base is the measure
    assert choose(tuple(found), 0.90, 0.01).terms == 20  # none comes near


def test_a_smoothed_score_is_the_mean_with_its_neighbours_of_the_same_kind():
    grid = {(r, t): 0.1 * k for k, (r, t) in enumerate((r, t) for r in (2, 4) for t in (0, 5, 10))}
    found = smoothed([Candidate(Size(r, 1, t), 1, t, bca, 1.0) for (r, t), bca in grid.items()])
    by_size = {(one.size.rules, one.size.terms): one.smoothed for one in found}
    assert by_size[2, 0] == pytest.approx((grid[2, 0] + grid[4, 0]) / 2)
    assert by_size[2, 5] == pytest.approx((grid[2, 5] + grid[2, 10] + grid[4, 5]) / 3)


def test_a_search_asks_for_a_rule_for_each_class():
    assert {size.rules for size in candidates(8, 8, 3, 4)} == {4, 8}
    assert {size.rules for size in candidates(8, 8, 3, 10)} == {8}
    assert {size.rules for size in candidates(3, 8, 3, 2)} == {2, 3}
    assert {size.conditions for size in candidates(8, 8, 3, 4)} == {1, 2, 3}
