"""Rule books of a finished run without its table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import make_table
from tests.training import train_run
from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset, make_dataset
from tsk_core.errors import RunError, SettingError
from tsk_core.runs import RunStore
from tsk_core.runs import rule_texts as books


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
        store = RunStore(tmp_path)
        config = TrainConfig(**{"n_rules": 4, "max_epochs": 3, "random_state": 0} | settings)
        run = store.create(config, dataset)
        assert train_run(store.folder, run, config, dataset).state == "finished"
        return RunStore(tmp_path, recover=False).result(run)

    return finish


def from_data(result, dataset, most):
    """The same book made from the table."""
    train, test, _ = result.split
    X, y = dataset.X, dataset.y
    return result.classifier.rules(most, training=(X.iloc[train], y[train]), X=X.iloc[test], y=y[test])


@pytest.mark.parametrize("make", [make_table, with_categories, lambda: make_table(columns=15), lambda: load_dataset("wine")])
@pytest.mark.parametrize("settings", [{}, {"firing": "paper", "n_rules": 9}, {"firing": "htsk", "batch_norm": "gbn"}])
def test_a_kept_book_is_the_one_made_from_the_data(finish, make, settings):
    dataset = make()
    result = finish(dataset, **settings)
    for most in range(1, 13):
        kept, made = result.book(most), from_data(result, dataset, most)
        assert kept.to_dict() == made.to_dict()
        assert str(kept) == str(made)
        assert (kept.mask == made.mask).all() and (kept.classes == made.classes).all()
        assert (kept.predict(dataset.X) == made.predict(dataset.X)).all()
        pd.testing.assert_frame_equal(kept.to_frame(), made.to_frame())


@pytest.mark.parametrize("most", [0, 13, -1, None, "5", 2.5])
def test_other_lengths_are_refused(finish, most):
    with pytest.raises(SettingError, match="1 to 12"):
        finish(make_table()).book(most)


def test_large_tables_are_measured_on_evenly_spaced_rows_and_say_so(finish, monkeypatch):
    monkeypatch.setattr(books, "MOST_ROWS", 20)
    monkeypatch.setattr(books, "LEAST_ROWS", 10)
    result = finish(make_table(rows=300))
    assert result.book(3).evaluated_on == "20 of the test rows"
    assert "of 20 of the test rows as" in result.book(3).summary


def test_rules_that_are_too_long_lose_what_is_longest_first_and_then_all(monkeypatch):
    dataset = make_table()
    classifier = TSKClassifier(n_rules=5, max_epochs=1, random_state=0).fit(dataset.X, dataset.y)
    values = books.describe(classifier, (dataset.X, dataset.y), (dataset.X[:0], dataset.y[:0]))
    whole = books.pack(values)
    monkeypatch.setattr(books, "MOST_BYTES", len(whole) - 1)
    import json

    shorter, rules = json.loads(books.unpack(books.pack(values))), classifier.to_dict()
    assert books.book_of(shorter, rules, 3).rules[0].antecedents == books.book_of(values, rules, 3).rules[0].antecedents
    assert not shorter["rules"][0]["typical"]
    monkeypatch.setattr(books, "MOST_BYTES", 100)
    with pytest.raises(RunError, match="too many and too long"):
        books.pack(values)


def test_without_test_rows_the_training_rows_measure():
    dataset = make_table()
    classifier = TSKClassifier(n_rules=3, max_epochs=1, random_state=0).fit(dataset.X, dataset.y)
    values = books.describe(classifier, (dataset.X, dataset.y), (dataset.X[:0], dataset.y[:0]))
    assert books.book_of(values, classifier.to_dict(), 5).evaluated_on == "training rows"
    assert books.book_of(values, classifier.to_dict(), 5).full_accuracy == pytest.approx(
        (classifier.predict(dataset.X) == dataset.y).mean()
    )


def test_a_run_without_a_book_is_kept_all_the_same(tmp_path, monkeypatch, caplog):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(books, "describe", fail)
    store, dataset = RunStore(tmp_path), make_table()
    config = TrainConfig(n_rules=2, max_epochs=1, random_state=0)
    run = store.create(config, dataset)
    assert train_run(tmp_path, run, config, dataset).state == "finished"
    with pytest.raises(RunError, match="kept no rules"):
        store.result(run).book(3)
    assert "no readable rules" in caplog.text


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 12), st.integers(2, 5), st.integers(1, 14), st.integers(0, 100), st.sampled_from(["softmax", "paper"]))
def test_fidelity_counted_step_by_step_is_that_of_the_shortened_base(n_rules, n_classes, columns, seed, firing):
    dataset = make_table(rows=60, columns=columns, classes=n_classes, seed=seed)
    classifier = TSKClassifier(n_rules=n_rules, max_epochs=1, random_state=seed, firing=firing).fit(dataset.X, dataset.y)
    rows = dataset.X, dataset.y
    values = books.describe(classifier, rows, rows)
    for most in (1, 2, 5, 12):
        made = classifier.rules(most, *rows, training=rows)
        kept = books.book_of(values, classifier.to_dict(), most)
        assert (kept.fidelity, kept.accuracy, kept.full_accuracy) == (made.fidelity, made.accuracy, made.full_accuracy)
