"""Ordered categories in the encoder: one column of ranks, from the table's dtype to JSON."""

import json

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier
from tsk_core.data.cell_check import check_cells
from tsk_core.data.encoding import Encoder
from tsk_core.errors import DataError

LEVELS = ("low", "medium", "high")


def frame(words, levels=LEVELS):
    return pd.DataFrame({"size": pd.Categorical(words, levels, ordered=True), "width": np.arange(len(words), dtype=float)})


def encoder():
    return Encoder().fit(frame(["low", "high", "medium", "high", None]))


def test_an_ordered_dtype_is_one_column_of_ranks_and_an_unordered_one_stays_one_hot():
    found = encoder()
    assert [(column.kind, column.levels, column.impute) for column in found.columns][0] == ("number", LEVELS, 1.0)
    words = pd.DataFrame({"size": ["high", "low", None, "huge"], "width": 1.0})
    assert found.transform(words)[:, 0].tolist() == [2, 0, 1, 1]
    X = frame(["low", "high", "medium"]).assign(size=pd.Categorical(["low", "high", "medium"], LEVELS))
    assert [column.category for column in Encoder().fit(X).columns] == ["high", "low", "medium", None]
    assert Encoder().fit(frame(["low", "high"])).transform(frame(["medium", "high"]))[:, 0].tolist() == [1, 2]
    assert Encoder().fit(frame([None, None])).transform(frame(["high", None]))[:, 0].tolist() == [2, 0]


def test_folds_and_json_have_the_levels_of_all_rows():
    fold = encoder().with_statistics_of(frame(["high", "high", "low"]))
    assert (fold.columns[0].levels, fold.columns[0].impute) == (LEVELS, 2.0)
    values = json.loads(json.dumps(encoder().to_dict()))
    assert values["columns"][0]["levels"] == list(LEVELS)
    assert "levels" not in values["columns"][1]
    assert Encoder.from_dict(values).columns == encoder().columns


@pytest.mark.parametrize(
    "change",
    [{"levels": []}, {"levels": ["low", "low"]}, {"levels": "abc"}, {"levels": [1, 2]}, {"impute": 3}, {"impute": 0.5},
     {"impute": -1}, {"category": "low"}, {"kind": "category", "impute": "low", "category": "low"}],
)  # fmt: skip
def test_other_levels_in_a_file_are_refused(change):
    values = encoder().to_dict()
    values["columns"][0] |= change
    with pytest.raises(DataError, match="The model's columns cannot be read"):
        Encoder.from_dict(values)


def test_an_unseen_category_is_said_and_no_rank_is_far_out():
    words = pd.DataFrame({"size": ["high", "huge"], "width": 1.0})
    assert check_cells(encoder(), words).texts.tolist() == [
        "",
        "size = 'huge' did not occur in training, taken as 'medium' (the median of training)",
    ]


def test_a_classifier_takes_the_order_of_a_dtype_and_keeps_it_in_its_file(tmp_path):
    rng = np.random.default_rng(0)
    X = frame(rng.choice(LEVELS, 80))
    y = np.where(X["size"] >= "medium", "yes", "no")
    clf = TSKClassifier(2, max_epochs=30, random_state=0).fit(X, y)
    assert clf.encoder_.columns[0].levels == LEVELS
    assert (clf.predict(X) == y).all()
    clf.save(tmp_path / "model")
    again = TSKClassifier.load(tmp_path / "model")
    assert again.to_dict()["columns"][0]["levels"] == list(LEVELS)
    np.testing.assert_array_equal(again.predict(X.astype({"size": str})), y)
