"""Real-world-shaped files train to the end, beat the majority, and give rules in their owner's own words."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.realworld import laboratories, offices
from tests.realworld.catalogue import TABLES
from tsk_core import TSKClassifier
from tsk_core.data import make_dataset, read_table
from tsk_core.data.clean import normalise_missing
from tsk_core.data.naming import printed_column
from tsk_core.predict.prediction import predict_table

SOURCES = (laboratories, offices)  # importing them fills the catalogue


@pytest.mark.filterwarnings("ignore::tsk_core.errors.DataWarning")  # of unreadable cells, as in training
@pytest.mark.parametrize("name", TABLES)
def test_a_file_trains_and_its_rules_use_its_own_names(name, tmp_path):
    """On two seeds of each, accuracy is .25 above the majority's at least; .15 leaves room for another processor's rounding."""
    table = TABLES[name]
    content = table.make()
    raw = read_table(content).frame
    dataset = make_dataset(raw, name=name)
    assert dataset.target == table.target
    assert set(dataset.classes) == set(table.classes)
    assert not set(table.left_out) & set(dataset.X.columns)
    split, X, y = dataset.split(), dataset.X, dataset.y
    clf = TSKClassifier(random_state=0).fit(X.iloc[split.train], y[split.train])
    assert clf.score(X.iloc[split.test], y[split.test]) > majority(y[split.test]) + 0.15
    summary = clf.rules(max_antecedents=4, X=X.iloc[split.test], y=y[split.test], training=(X.iloc[split.train], y[split.train]))
    check_words(table, [str(rule).splitlines()[0] for rule in summary.rules if not rule.dead])

    clf.cleaning_ = dataset.cleaning  # as the training of a run saves it: the model reads the table as it was uploaded
    clf.save(tmp_path)
    check_saved(TSKClassifier.load(tmp_path), raw, X, pd.read_csv(io.BytesIO(content)) if table.plain else raw)


def majority(y):
    """The share of the largest class: what guessing reaches."""
    return np.unique(y, return_counts=True)[1].max() / len(y)


def check_words(table, sentences):
    """The rules name the columns and categories that the signal lies in, and end in the owner's classes."""
    text = " ".join(sentences)
    assert all(words in text for words in table.rule_words), text
    assert any(sentence.endswith(table.classes) for sentence in sentences), text
    assert all(sentence.endswith((*table.classes, "no clear class")) for sentence in sentences), text


def check_saved(model, raw, X, other):
    """A saved model predicts the raw table as its features, also as pandas reads it, and as the Predict tab shows it."""
    probabilities = model.predict_proba(raw)
    pd.testing.assert_frame_equal(model.clean(X), X)
    np.testing.assert_array_equal(model.predict_proba(X), probabilities)
    for column in raw.columns:
        one, same = (printed_column(normalise_missing(frame[column])) for frame in (raw, other))
        np.testing.assert_array_equal(one, same)
    np.testing.assert_array_equal(model.predict_proba(other), probabilities)
    shown = predict_table(model, raw).iloc[:, raw.shape[1] :]
    assert shown.iloc[:, 0].tolist() == model.predict(raw).tolist()
    np.testing.assert_allclose(shown.iloc[:, 1:-2].to_numpy(float), probabilities, rtol=0, atol=1e-12)
