"""Real-world-shaped files train to the end, beat the majority, and give rules in their owner's own words."""

import numpy as np
import pytest

from tests.realworld import laboratories, offices
from tests.realworld.catalogue import TABLES
from tsk_core import TSKClassifier, read_csv

SOURCES = (laboratories, offices)


def test_there_are_twenty_files_from_two_sources():
    assert len(TABLES) >= 20
    assert {table.make.__module__ for table in TABLES.values()} == {source.__name__ for source in SOURCES}


@pytest.mark.parametrize("name", TABLES)
def test_a_file_trains_and_its_rules_use_its_own_names(name):
    """On two seeds of each, accuracy is .25 above the majority's at least; .15 leaves room for another processor's rounding."""
    table = TABLES[name]
    dataset = read_csv(table.make())
    assert dataset.target == table.target
    assert set(dataset.classes) == set(table.classes)
    assert not set(table.left_out) & set(dataset.X.columns)
    split, X, y = dataset.split(), dataset.X, dataset.y
    clf = TSKClassifier(random_state=0).fit(X.iloc[split.train], y[split.train])
    assert clf.score(X.iloc[split.test], y[split.test]) > majority(y[split.test]) + 0.15
    summary = clf.rules(max_antecedents=4, X=X.iloc[split.test], y=y[split.test], training=(X.iloc[split.train], y[split.train]))
    check_words(table, [str(rule).splitlines()[0] for rule in summary.rules if not rule.dead])


def majority(y):
    """The share of the largest class: what guessing reaches."""
    return np.unique(y, return_counts=True)[1].max() / len(y)


def check_words(table, sentences):
    """The rules name the columns and categories that the signal lies in, and end in the owner's classes."""
    text = " ".join(sentences)
    assert all(words in text for words in table.rule_words), text
    assert any(sentence.endswith(table.classes) for sentence in sentences), text
    assert all(sentence.endswith((*table.classes, "no clear class")) for sentence in sentences), text
