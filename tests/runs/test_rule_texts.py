"""The readable rules that a finished run keeps, read without its table."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tests.training import finished_run
from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset, make_dataset
from tsk_core.errors import RunError, SettingError
from tsk_core.explain import Summaries, Summariser, summaries
from tsk_core.runs import RunStore, rule_texts


def with_categories():
    """A table with gaps and categories, whose rules have antecedents over several encoded columns."""
    random = np.random.default_rng(0)
    kind = np.arange(200) % 2
    frame = pd.DataFrame({
        "colour": np.where(random.random(200) < 0.2, None, random.choice(["red", "green", "blue"], 200)),
        "size": np.where(random.random(200) < 0.1, np.nan, random.normal(size=200) + kind),
        "shape": np.where(kind == 1, "round", random.choice(["round", "flat"], 200)),
        "kind": np.where(kind == 1, "apple", "leaf"),
    })  # fmt: skip
    return make_dataset(frame, "kind", name="garden")


@pytest.fixture
def finish(tmp_path):
    """Train one run and return its result, read from the disk."""

    def finish(dataset, **settings):
        config = TrainConfig(**{"n_rules": 4, "max_epochs": 3, "random_state": 0} | settings)
        _, run = finished_run(tmp_path, dataset, config)
        return RunStore(tmp_path, recover=False).result(run)

    return finish


def from_data(result, dataset, most):
    """The same summary made from the table."""
    train, test, _ = result.split
    X, y = dataset.X, dataset.y
    return result.classifier.rules(most, training=(X.iloc[train], y[train]), X=X.iloc[test], y=y[test])


def fitted(n_rules=3, rows=120):
    """A classifier, and the rows that it was fitted on."""
    dataset = make_table(rows=rows)
    return TSKClassifier(n_rules=n_rules, max_epochs=1, random_state=0).fit(dataset.X, dataset.y), dataset.X, dataset.y


def summarised(classifier, train, test):
    """The summaries of a fitted classifier's rules."""
    made = Summariser(classifier.encoder_.transform, classifier.classes_, train, test, classifier.n_rules)
    return made.summarise(classifier.to_dict())


@pytest.mark.parametrize(
    ("make", "settings"),
    [
        (make_table, {}),
        (with_categories, {"firing": "paper", "n_rules": 9}),
        (lambda: make_table(columns=15), {"firing": "htsk", "batch_norm": "gbn"}),
        (lambda: load_dataset("wine"), {"firing": "paper"}),
    ],
)
def test_kept_rules_equal_those_made_from_the_data(finish, make, settings):
    dataset = make()
    result = finish(dataset, **settings)
    for most in (1, 2, 4, 8, 12):
        kept, made = result.rules(most), from_data(result, dataset, most)
        assert kept.to_dict() == made.to_dict()
        assert str(kept) == str(made)
        assert (kept.mask == made.mask).all() and (kept.classes == made.classes).all()
        assert (kept.predict(dataset.X) == made.predict(dataset.X)).all()
        pd.testing.assert_frame_equal(kept.to_frame(), made.to_frame())


@pytest.mark.parametrize("most", [0, 13, -1, None, "5", 2.5])
def test_other_lengths_are_refused(finish, most):
    with pytest.raises(SettingError, match="1 to 12"):
        finish(make_table()).rules(most)


def test_large_tables_are_measured_on_evenly_spaced_rows_and_say_so(finish, monkeypatch):
    monkeypatch.setattr(summaries, "MOST_ROWS", 20)
    monkeypatch.setattr(summaries, "LEAST_ROWS", 10)
    result = finish(make_table(rows=300))
    assert result.rules(3).evaluated_on == "20 of the test rows"
    assert "on all 20 sampled test rows." in result.rules(3).measured_text
    for rule in result.rules(3).rules:  # rows of which sentences are true are counted among all
        assert (rule.test.rows, rule.n_test, rule.n_train) == ("test rows", len(result.split.test), len(result.split.train))
    assert result.rules(3).uncovered[1] == len(result.split.test)


def _damaged(counts):
    """Counts that no rows can have, by how they differ from ``counts``."""
    yield [[-1, *row[1:]] for row in counts]
    yield [row[:-1] for row in counts]
    yield counts[:-1]
    yield [*counts[:-1], [n + 1 for n in counts[0]]]
    yield [[10**6, *row[1:]] for row in counts]


@pytest.mark.parametrize("which", ["train_counts", "test_counts"])
def test_counts_that_no_rows_can_have_fit_no_model(which):
    classifier, X, y = fitted()
    values = summarised(classifier, (X, y), (X[::2], y[::2])).to_dict()
    about = 3, list(X.columns), [str(name) for name in classifier.classes_]
    assert Summaries.from_dict(values).fit(*about)
    rule = max(values["rules"], key=lambda one: len(one["antecedents"]))
    for damaged in _damaged(rule[which]):
        other = [one if one is not rule else rule | {which: damaged} for one in values["rules"]]
        assert not Summaries.from_dict(values | {"rules": other}).fit(*about)
    assert Summaries.from_dict(values | {"rules": [one | {"test_counts": None} for one in values["rules"]]}).fit(*about)


def test_rules_of_an_epoch_count_samples_and_say_so(monkeypatch):
    monkeypatch.setattr(summaries, "LEAST_ROWS", 10)
    classifier, *rows = fitted(rows=60)
    quick = Summariser(classifier.encoder_.transform, classifier.classes_, rows, rows, 3, quick=True)
    made = quick.summarise(classifier.to_dict()).texts(1)[0]
    assert all(" of 10 sampled test rows" in rule.headline or "no sampled test row" in rule.headline for rule in made)


def test_rules_that_are_too_long_are_kept_without_typical_cases_or_not_at_all(monkeypatch):
    classifier, X, y = fitted(5)
    summaries = summarised(classifier, (X, y), (X[:0], y[:0]))
    whole = rule_texts.pack(summaries)
    monkeypatch.setattr(rule_texts, "MOST_BYTES", len(whole) - 1)
    shorter = Summaries.from_dict(json.loads(rule_texts.unpack(rule_texts.pack(summaries))))
    assert shorter.texts(3)[0][0].antecedents == summaries.texts(3)[0][0].antecedents
    assert summaries.rules[0].typical and not shorter.rules[0].typical
    monkeypatch.setattr(rule_texts, "MOST_BYTES", 100)
    with pytest.raises(RunError, match="too many and too long"):
        rule_texts.pack(summaries)


def test_without_test_rows_the_training_rows_measure():
    classifier, X, y = fitted()
    summary = summarised(classifier, (X, y), (X[:0], y[:0])).summary(5, classifier.to_dict())
    assert summary.evaluated_on == "training rows"
    assert summary.full_accuracy == pytest.approx((classifier.predict(X) == y).mean())


def test_a_run_is_kept_where_its_rules_cannot_be_summarised(tmp_path, monkeypatch, caplog):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(summaries.Summariser, "summarise", fail)
    store, run = finished_run(tmp_path, make_table(), TrainConfig(n_rules=2, max_epochs=1, random_state=0))
    with pytest.raises(RunError, match="kept no rules"):
        store.result(run).rules(3)
    assert "no readable rules" in caplog.text
