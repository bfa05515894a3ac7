"""The target: classes as they are, as ranges of numbers, and rare ones merged or left out."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tsk_core.data import Choices, bin_edges, make_dataset, with_test_rows
from tsk_core.data.clean import CleaningPipeline
from tsk_core.data.clean.target import range_names, ranges
from tsk_core.data.naming import sorted_names
from tsk_core.errors import DataError, RegressionTarget
from tsk_core.predict.prediction import true_classes


def dataset(labels, **choices):
    frame = pd.DataFrame({"a": np.arange(len(labels)) / 3, "class": labels})
    return make_dataset(frame, "class", name="t", choices=Choices(**choices))


def counts(ds):
    return pd.Series(ds.y).value_counts().to_dict()


def kinds(ds, kind):
    return [finding for finding in ds.findings if finding.kind == kind]


def test_a_regression_target_is_named():
    with pytest.raises(RegressionTarget, match="looks like a regression target") as caught:
        dataset(np.arange(300))
    assert caught.value.column == "class"


def test_a_regression_target_with_units_is_named():
    with pytest.raises(RegressionTarget):
        dataset([f"{k} kg" for k in range(300)])


def test_integers_are_grouped_into_ranges_with_readable_names():
    ds = dataset(np.arange(1, 31), bins=3)
    assert ds.classes == ["<= 10", "11 to 20", ">= 21"]
    assert counts(ds) == {"<= 10": 10, "11 to 20": 10, ">= 21": 10}
    assert "Grouped into 3 classes: '<= 10' (10 rows), '11 to 20' (10 rows), '>= 21' (10 rows)." in " ".join(ds.notes)


def test_other_numbers_are_grouped_at_round_edges():
    ds = dataset(np.linspace(0.004, 4.996, 101), bins=3)
    assert ds.classes == ["below 1.7", "1.7 to 3.3", "3.3 and above"]


def test_equal_numbers_stay_in_one_class_with_a_note():
    ds = dataset([0] * 50 + list(range(1, 51)), bins=4)
    assert ds.classes == ["<= 0", "1 to 25", ">= 26"]
    assert "3 classes, not 4, because equal numbers stay together" in " ".join(ds.notes)


def test_negative_ranges_are_in_order():
    assert dataset(np.arange(-30, 0), bins=3).classes == ["<= -21", "-20 to -11", ">= -10"]


def test_a_target_that_cannot_be_grouped_is_left_as_it_is():
    ds = dataset(["x", "y"] * 10, bins=3)
    assert ds.classes == ["x", "y"]
    assert "does not contain numbers" in kinds(ds, "warning")[0].fact
    assert dataset([1, 2] * 10, bins=3).classes == ["1", "2"]


def test_edges_need_different_numbers():
    with pytest.raises(DataError, match="fewer than 2"):
        bin_edges(pd.Series([1, 1, None], name="a"), 3)
    with pytest.raises(DataError, match="does not contain numbers"):
        bin_edges(pd.Series(["x", "y"], name="a"), 3)


def test_a_range_of_one_whole_number_is_that_number():
    assert range_names((1.0, 2.0, 5.0), whole=True) == ["<= 0", "1", "2 to 4", ">= 5"]


@given(st.lists(st.integers(-1000, 1000) | st.floats(-1e6, 1e6), min_size=2, max_size=60), st.integers(2, 20))
def test_any_range_contains_the_numbers_that_it_names(values, bins):
    values = np.array(values, dtype=float)
    assume(len(np.unique(values)) > 1)
    edges = bin_edges(pd.Series(values), bins)
    labels = ranges(values, edges)
    whole = bool((values % 1 == 0).all())
    names = range_names(edges, whole)
    assert list(edges) == sorted(set(edges))
    assert sorted_names(labels) == names  # none is empty, and they are in order
    assert len(names) <= bins
    for value, label in zip(values, labels, strict=True):
        low, high = ([-np.inf, *edges])[names.index(label)], ([*edges, np.inf])[names.index(label)]
        assert low <= value < high


def test_rare_classes_are_named_with_their_rows_and_a_suggestion():
    offer = kinds(dataset(["x"] * 20 + ["y"] * 20 + ["r"] * 3 + ["s"]), "offer")[0]
    assert offer.fact == "Few rows have the classes 'r' (3), 's' (1)."
    assert "merge" in offer.advice
    assert offer.choice == "rare"


def test_rare_classes_are_merged_by_choice():
    ds = dataset(["x"] * 20 + ["y"] * 20 + ["r"] * 3 + ["s"], rare="merge")
    assert counts(ds) == {"x": 20, "y": 20, "other": 4}
    assert "Merged into one class 'other'." in " ".join(ds.notes)


def test_the_merged_class_has_a_free_name():
    assert "other (2)" in dataset(["x"] * 20 + ["other"] * 20 + ["r"] * 3 + ["s"], rare="merge").classes
    assert dataset(["x"] * 20 + ["y"] * 20 + ["r"] * 3 + ["other"], rare="merge").classes == ["other", "x", "y"]


def test_rows_of_rare_classes_are_dropped_by_choice():
    ds = dataset([1] * 20 + [2] * 20 + [3] * 3, rare="drop")
    assert ds.classes == ["1", "2"]
    assert len(ds.frame) == 40
    assert "Dropped these 3 rows." in " ".join(ds.notes)


def test_a_single_rare_class_has_nothing_to_merge_with():
    ds = dataset(["x"] * 20 + ["y"] * 20 + ["r"], rare="merge")
    assert ds.classes == ["r", "x", "y"]
    assert "no other rare class to merge with" in kinds(ds, "offer")[0].advice


@pytest.mark.parametrize(("labels", "rare"), [(["x"] * 20 + ["r"] * 3, "drop"), (["p"] * 3 + ["q"] * 4, "merge")])
def test_dropping_all_but_one_class_is_refused(labels, rare):
    with pytest.raises(DataError, match="keep the rare classes"):
        dataset(labels, rare=rare)


SPELLED = {  # classes -> what is said of them, and what the button makes
    "Cat|cat |dog|dog|Cat": ("capital letters: 'Cat' (8) and 'cat' (4)", ["Cat", "dog"]),
    "YES|yes|no|yes.|yes": ("capital letters, a final dot or spaces: 'YES' (4), 'yes' (8) and 'yes.' (4)", ["no", "yes"]),
    ">5|>5.|<=5|>5|<=5|<=5.": ("a final dot: '<=5' (8), '<=5.' (4), '>5' (8) and '>5.' (4)", ["<=5", ">5"]),
    "Rio|rio|a  b|a b|Rio|a b": ("capital letters or spaces: 'Rio' (8), 'a  b' (4), 'a b' (8) and 'rio' (4)", ["Rio", "a b"]),
    "1|1.0|02|2|two|<2|2 kg": ("how a number is written: '02' (4), '1' (4), '1.0' (4) and '2' (4)", None),
}  # fmt: skip


@pytest.mark.parametrize("words", SPELLED)
def test_classes_in_several_spellings_are_named_and_a_button_makes_them_one(words):
    ds, (said, merged) = dataset(words.split("|") * 4), SPELLED[words]
    (warning,) = kinds(ds, "warning")
    assert warning.fact == f"Classes of 'class' differ only in {said}."
    assert (warning.remedy is None) == (merged is None)
    if merged:
        after = ds.with_remedy(1)
        assert after.classes == merged and not kinds(after, "warning")
        assert "in another spelling" in " ".join(after.notes)
        raw = pd.Series(words.split("|"), name="class")
        assert -1 not in true_classes(after.classes, raw, one_spelling=True)
        features = make_dataset(
            after.raw[0].rename(columns={"class": "a", "a": "x"}).assign(y=["p", "q"] * (len(ds.y) // 2)), "y"
        )
        features = features.with_remedy(1)
        assert sorted(set(features.X["a"])) == sorted(merged)
        cleaning = CleaningPipeline.from_dict(json.loads(json.dumps(features.cleaning.to_dict())))
        new = cleaning.apply(pd.DataFrame({"a": [f"{merged[0].upper()}.", "new."], "x": [1, 2]}))
        assert new["a"].tolist() == [merged[0], "new."]


def test_classes_that_only_test_rows_have_are_named():
    train = pd.DataFrame({"a": range(20), "class": ["x", "y"] * 10})
    both, part = with_test_rows(train, train.assign(**{"class": ["x.", "x", "z", "x"] * 5}))
    ds = make_dataset(both, "class", choices=Choices(roles={part: "split"}))
    assert kinds(ds, "warning")[-1].fact == "Only test rows have the classes 'x.' (5 rows) and 'z' (5 rows)."


def test_imbalanced_classes_are_named_with_advice():
    warning = kinds(dataset(["x"] * 100 + ["y"] * 8), "warning")[0]
    assert "100 rows of 'x', 8 of 'y'" in warning.fact
    assert "balanced" in warning.advice
    assert not kinds(dataset(["x"] * 70 + ["y"] * 8), "warning")
