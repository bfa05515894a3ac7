"""Ordered categories of new rows: a select box in their order, and what is said of one that training did not have."""

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier
from tsk_core.data import Choices, make_dataset
from tsk_core.predict.new_row import fields_of, predict_row, row_of
from tsk_core.predict.prediction import predict_table

SIZES = ("small", "medium", "large")


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    sizes, noise = rng.choice(SIZES, 90), rng.normal(size=90)
    frame = pd.DataFrame({"size": sizes, "noise": noise, "kind": np.where(sizes == "large", "heavy", "light")})
    dataset = make_dataset(frame, name="t", choices=Choices(target="kind", roles={"size": "ordinal"}))
    settings = {"consequents": "constant", "max_conditions": 1, "l1": 0.01, "batch_norm": "none"}
    classifier = TSKClassifier(3, **settings, max_epochs=60, batch_size=16, random_state=0).fit(dataset.X, dataset.y)
    classifier.cleaning_ = dataset.cleaning
    return classifier


def test_the_box_has_the_categories_in_their_order_and_an_unseen_one_counts_as_the_median(model):
    size, _ = fields_of(model)
    assert (size.kind, size.categories, size.typical) == ("category", SIZES, "medium")
    why = model.explain({"size": "large", "noise": 0.0})
    assert "size = large" in str(why)
    assert "size medium instead of large" in str(why) or "size small instead of large" in str(why)
    table = pd.DataFrame({"size": ["huge", "medium", None], "noise": 0.0})
    told = predict_table(model, table)
    assert told.iloc[0, -1] == "size = 'huge' did not occur in training, taken as 'medium' (the median of training)"
    assert told.iloc[1, -1] == ""
    assert told.iloc[2, -1] == "'size' is missing, taken as 'medium' (the median of training)"
    probabilities = told.iloc[:, 3:5].to_numpy(float)
    assert np.ptp(probabilities, axis=0).max() == 0


@pytest.mark.parametrize(("size", "kind"), [("small", "light"), ("medium", "light"), ("large", "heavy")])
def test_a_row_is_predicted_by_its_category(model, size, kind):
    row = row_of(fields_of(model), {"size": size, "noise": 0.0})
    sentences = model.rules(5).rules
    found = predict_row(model, row, sentences)
    assert (found.predicted, found.warning) == (kind, "")
    conditions = {rule.index: rule.conditions for rule in found.rules}
    for rule in sentences:
        for one, (_, level, holds) in zip(rule.antecedents, conditions[rule.index], strict=True):
            if one.feature == "size":
                place, end = SIZES.index(size), SIZES.index(one.label.split()[-1])
                assert holds == (place >= end if "≥" in one.label else place <= end if "≤" in one.label else place == end)
                assert holds == (level >= 0.5)
