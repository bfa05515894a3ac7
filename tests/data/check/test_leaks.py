"""Leaks: columns that give the class away are found, and good columns are not taken for them."""

import numpy as np
import pandas as pd
import pytest

from tests.data.check.helpers import dataset, found, taken

N = 300


def features(seed=0, apart=1.0, n=N):
    """Features of two classes, as far apart as said, and the class of each row."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return pd.DataFrame(rng.normal(size=(n, 4)) + apart * y[:, None], columns=list("abcd")), y, rng


def leaks(frame, y):
    """The findings by column, and the dataset."""
    ds = dataset(frame.assign(outcome=np.array(["well", "ill"])[y]), "outcome")
    return {finding.columns[0]: finding for finding in found(ds, "leak")}, ds


def test_a_copy_of_the_class_in_other_words_is_found_and_can_be_left_out():
    frame, y, _ = features()
    told, ds = leaks(frame.assign(code=np.array([7, 3])[y]), y)
    assert list(told) == ["code"]
    assert "Column 'code' names the class in other words" in told["code"].fact
    assert "each of its 2 values has rows of only one class." in told["code"].fact
    assert told["code"].kind == "warning" and told["code"].remedy.label == "Leave it out"
    after = taken(ds, told["code"])
    assert "code" not in after.X and found(after, "leak") == []
    assert "Column 'code': left out as you chose. Left out." in after.notes


def test_a_table_whose_columns_are_all_without_errors_is_easy():
    y = np.random.default_rng(0).integers(0, 2, N)
    frame = pd.DataFrame({"size": 10.0 * y + np.linspace(0, 1, N), "weight": 5.0 * y + np.linspace(0, 1, N)})
    assert leaks(frame, y)[0] == {}


def test_a_score_computed_from_the_class_is_found_with_what_it_and_the_others_predict():
    frame, y, rng = features(apart=0.5)
    told, _ = leaks(frame.assign(score=y + rng.normal(size=N) * 0.15), y)
    assert list(told) == ["score"]
    assert "balanced accuracy 1.000, compared with 0.500 by chance" in told["score"].fact
    assert " for the next best column, '" in told["score"].fact
    assert " for all other columns together." in told["score"].fact


def test_two_leaks_do_not_hide_each_other():
    frame, y, rng = features(apart=0.5)
    frame["score"] = y + rng.normal(size=N) * 0.1
    frame["stage"] = [f"{'xy'[label]}{k % 3}" for k, label in enumerate(y)]
    assert set(leaks(frame, y)[0]) == {"score", "stage"}


@pytest.mark.parametrize("apart", [0.3, 1.0, 2.0])
def test_an_honestly_strong_column_of_an_easy_table_is_no_leak(apart):
    frame, y, rng = features(apart=apart)
    assert leaks(frame.assign(strong=y * 2.5 + rng.normal(size=N)), y)[0] == {}
    frame["strong"] = y * 4.5 + rng.normal(size=N)
    frame["others"] = y * 3.5 + rng.normal(size=N)
    assert leaks(frame, y)[0] == {}


def test_a_column_filled_in_one_class_alone_is_known_only_after_it():
    frame, y, rng = features()
    date = pd.Series([f"2024-03-{1 + k % 28:02d}" for k in range(N)], dtype=object)
    cause = pd.Series(rng.choice(["heart", "stroke"], N), dtype=object)
    told, _ = leaks(frame.assign(discharged=date.where(y == 1), cause=cause.where((y == 1) & (rng.random(N) < 0.7))), y)
    assert set(told) == {"discharged", "cause"}
    assert f"is filled in {y.sum()} rows; 100% of them have the class 'ill', compared with" in told["discharged"].fact


def test_a_column_filled_more_often_in_one_class_is_no_leak():
    frame, y, rng = features()
    lab = pd.Series(rng.normal(size=N)).where(rng.random(N) < np.where(y == 1, 0.9, 0.3))
    assert leaks(frame.assign(lab=lab), y)[0] == {}


KINDS, ROWS = ["cat", "dog", "owl", "red"], np.arange(N)
WITH_CLASS, ALL_ALIKE = "each has one value in the rows of one class and another in all others", "no two classes have the same"
SHARES = np.random.default_rng(2).dirichlet([1, 1, 1, 1], N)
TOGETHER = {  # columns of the four classes y -> what is said of them, "" for nothing
    "0 and 1": (lambda y: {f"kind {kind}": 1 * (y == k) for k, kind in enumerate(KINDS)}, WITH_CLASS),
    "words, but for one class": (lambda y: {f"v{k}": np.where(y == k, "ja", "nein") for k in range(3)}, WITH_CLASS),
    "true and false, with mistakes": (lambda y: {f"v{k}": (y == k) ^ (k == ROWS % 100) for k in range(4)}, "for at most 1.0% of"),
    "digits": (lambda y: {"bit 1": y // 2, "bit 2": y % 2}, ALL_ALIKE),
    "shares": (lambda y: {f"p{k}": (0.01 * SHARES + 0.99 * (y[:, None] == range(4)))[:, k] for k in range(4)}, "add up to 1"),
    "two of the classes": (lambda y: {"wings": 1 * (y == 0), "fins": np.where(y == 1, "yes", "no")}, ""),
    "mixtures": (lambda y: {f"part {k}": SHARES[:, k] for k in range(4)}, ""),
    "answers": (lambda y: {f"v{k}": (y == k) ^ (k == ROWS % 9) for k in range(4)}, ""),
}  # fmt: skip


@pytest.mark.parametrize("case", TOGETHER)
def test_columns_that_name_the_class_together_are_one_leak(case):
    frame, _, rng = features()
    y = rng.integers(0, 4, N)
    make, what = TOGETHER[case]
    ds = dataset(frame.assign(**make(y), outcome=np.array(KINDS)[y]), "outcome")
    told = [finding for finding in found(ds, "leak") if "together name the class" in finding.fact]
    assert [finding.columns for finding in told] == ([tuple(make(y))] if what else [])
    if what:
        assert what in told[0].fact and told[0].remedy.label == "Leave them out"
        after = taken(ds, told[0])
        assert list(after.X) == list("abcd") and found(after, "leak") == []


def test_the_only_feature_and_a_few_rows_that_agree_with_the_class_are_no_leaks():
    _, y, _ = features()
    assert leaks(pd.DataFrame({"code": y}), y)[0] == {}
    frame, y, _ = features(n=12)
    assert leaks(frame.assign(code=y), y)[0] == {}
