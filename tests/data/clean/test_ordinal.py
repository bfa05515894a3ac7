"""The role "ordinal": categories become ranks in their order, in the table and in new rows."""

import json

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import Choices, CleaningPipeline, make_dataset
from tsk_core.data.encoding import Encoder
from tsk_core.errors import DataError

SIZES = ["low", "high", None, "medium", "low", " high "]
FRAME = pd.DataFrame({"size": SIZES * 10, "width": np.arange(60.0) ** 2 % 17, "class": ["x", "y"] * 30})


def dataset(frame=FRAME, **choices):
    return make_dataset(frame, "class", name="t", choices=Choices(**choices))


def ordinal(**choices):
    return dataset(roles={"size": "ordinal"}, **choices)


def sentences(ds):
    return [str(finding) for finding in ds.findings if "size" in finding.columns]


def ranks(ds, frame):
    return Encoder().fit(ds.X).transform(ds.cleaning.apply(frame))[:, 0].tolist()


def test_known_categories_have_their_order():
    ds = ordinal()
    assert ranks(ds, FRAME)[:6] == [0, 2, 1, 1, 0, 2]  # the missing one is the median
    assert ds.columns[0].role == "ordinal"


def test_a_chosen_order_decides_and_may_name_more_categories():
    ds = ordinal(orders={"size": ("high", "medium", "middling", "low")})
    assert ranks(ds, FRAME)[:5] == [3, 0, 1, 1, 3]


def test_the_median_of_an_even_number_of_ranks_is_the_lower_one():
    frame = pd.DataFrame({"size": ["low", "high", None] * 4, "class": ["x", "y"] * 6})
    assert ranks(ordinal_of(frame), frame)[2] == 0


def ordinal_of(frame):
    return dataset(frame, roles={"size": "ordinal"})


@pytest.mark.parametrize(
    ("words", "order", "role", "text"),
    [
        (["red", "green"], None, "category", "its 2 categories need an order, lowest first."),
        (["low", "high", "mid"], ("low", "high"), "category", "its order lacks 'mid'; name every category in it."),
        (["1", "2", "3"], ("1", "2"), "number", "its order lacks '3'; name every category in it."),
    ],
)  # fmt: skip
def test_without_an_order_of_all_categories_the_column_keeps_its_role(words, order, role, text):
    frame = FRAME.assign(size=[words[k % len(words)] for k in range(60)])
    ds = dataset(frame, roles={"size": "ordinal"}, orders={"size": order} if order else {})
    assert ds.columns[0].role == role
    assert f"Column 'size' cannot have the role 'ordinal': {text} Used as a {role}." in sentences(ds)


def test_a_declared_order_is_kept_and_said():
    frame = FRAME.assign(size=pd.Categorical(["b", "a", "c"] * 20, ["c", "a", "b"], ordered=True))
    ds = dataset(frame)
    assert ranks(ds, frame)[:3] == [2, 1, 0]
    assert sentences(ds) == ["Column 'size': ordered categories, c < a < b. Used in this order, which the table declares."]
    assert dataset(frame, roles={"size": "category"}).columns[0].role == "category"


def test_whole_numbers_are_ordered_by_their_value_and_read_alike_with_and_without_missing_values():
    frame = FRAME.assign(size=[3, 10, 2] * 20)
    ds = ordinal_of(frame)
    assert list(ds.X["size"].dtype.categories) == ["2", "3", "10"]
    assert ranks(ds, frame.assign(size=[3, None, 10] * 20))[:3] == [1, 1, 2]


def test_a_flag_marks_missing_values():
    ds = ordinal(flags=("size",))
    assert ds.X["size is missing"].tolist()[:4] == ["no", "no", "yes", "no"]


def test_new_rows_are_ranked_in_the_order_of_training_and_an_unseen_category_counts_as_missing():
    ds = ordinal()
    new = pd.DataFrame({"size": ["huge", "medium", None, "high"], "width": [1.0] * 4})
    features = ds.cleaning.apply(new)
    assert features["size"].tolist()[0] == "huge"  # which a warning names
    assert Encoder().fit(ds.X).transform(features)[:, 0].tolist() == [1, 1, 1, 2]


def test_features_are_clean_already_and_json_keeps_the_order():
    ds = ordinal(orders={"size": ("high", "low", "medium")})
    pd.testing.assert_frame_equal(ds.cleaning.apply(ds.X), ds.X)
    again = CleaningPipeline.from_dict(json.loads(json.dumps(ds.cleaning.to_dict())))
    assert again == ds.cleaning
    assert again.steps[0].levels == ("high", "low", "medium")


@pytest.mark.parametrize("levels", [[], None, "abc", ["a", "a"], ["a", 1], [None]])
def test_other_levels_in_a_file_are_refused(levels):
    values = ordinal().cleaning.to_dict()
    values["steps"][0]["levels"] = levels
    with pytest.raises(DataError, match="How the table was cleaned cannot be read"):
        CleaningPipeline.from_dict(values)


def test_levels_of_another_role_are_refused():
    values = dataset().cleaning.to_dict()
    values["steps"][0]["levels"] = ["low", "medium", "high"]
    with pytest.raises(DataError, match="cannot be read"):
        CleaningPipeline.from_dict(values)


def test_the_order_is_part_of_the_hash():
    hashes = {dataset().sha256, ordinal().sha256, ordinal(orders={"size": ("high", "medium", "low")}).sha256}
    assert len(hashes) == 3
