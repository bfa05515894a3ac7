"""Readable rules, of a model with its training rows and of one without."""

import copy
import json
import pickle  # noqa: TID251 - users do
import struct

import joblib
import numpy as np
import pytest

from tsk_core import TSKClassifier
from tsk_core.errors import DataError, SettingError
from tsk_core.explain import Summariser

QUICK = {"n_rules": 4, "max_epochs": 8, "random_state": 0}


def test_rules_name_the_users_columns_categories_and_classes(mixed):
    X, y = mixed
    clf = TSKClassifier(n_rules=6, max_epochs=40, random_state=0).fit(X[:200], y[:200])
    summary = clf.rules(max_antecedents=2, X=X[200:], y=y[200:])
    text = str(summary)
    assert summary.evaluated_on == "test rows"
    assert summary.full_accuracy == pytest.approx(clf.score(X[200:], y[200:]))
    assert summary.fidelity == pytest.approx((summary.predict(X[200:]) == clf.predict(X[200:])).mean())
    assert "size" in text and "colour is" in text and "THEN yes" in text
    assert all(len(rule.antecedents) <= 2 for rule in summary.rules)


def unpickled(clf):
    return pickle.loads(pickle.dumps(clf))  # noqa: S301


def saved_and_loaded(clf, folder):
    clf.save(folder)
    return TSKClassifier.load(folder)


WAYS = {
    "load": saved_and_loaded,
    "pickle": lambda clf, _: unpickled(clf),
    "load, then pickle": lambda clf, folder: unpickled(saved_and_loaded(clf, folder)),
    "joblib": lambda clf, folder: joblib.load(joblib.dump(clf, folder.with_name("joblib"))[0]),  # noqa: TID251
}


@pytest.mark.parametrize("way", WAYS)
def test_a_model_without_its_training_rows_has_the_same_rules(of_mixed, mixed, tmp_path, way):
    X, y = mixed
    without = WAYS[way](of_mixed, tmp_path / "m")
    for most in (1, 2, 12):
        assert without.rules(most).to_dict() == of_mixed.rules(most).to_dict()
    on_test, own = without.rules(2, X[200:], y[200:]), of_mixed.rules(2, X[200:], y[200:])
    assert str(on_test) == str(own) and on_test.evaluated_on == "test rows"
    assert (on_test.predict(X) == own.predict(X)).all()
    assert (
        without.rules(None, training=(X[:200], y[:200])).to_dict() == of_mixed.rules(None, training=(X[:200], y[:200])).to_dict()
    )
    with pytest.raises(SettingError, match="1 to 12"):
        without.rules(None)


def test_rules_are_described_once_however_often_a_model_is_pickled_saved_and_copied(mixed, tmp_path, monkeypatch):
    described, summarise = [], Summariser.summarise
    monkeypatch.setattr(Summariser, "summarise", lambda *given: described.append(1) or summarise(*given))
    clf = TSKClassifier(**QUICK).fit(*mixed)
    assert not described
    assert len({pickle.dumps(clf) for _ in range(3)}) == 1
    clf.save(tmp_path / "m")
    unpickled(unpickled(clf))
    assert len(described) == 1
    clf = TSKClassifier(**QUICK).fit(*mixed)
    expected = clf.rules(None).to_dict()
    monkeypatch.setattr(Summariser, "summarise", lambda *_: pytest.fail("the rules were described"))
    for made in (copy.copy(clf), copy.deepcopy(clf)):
        assert made.rules(None).to_dict() == expected
    assert copy.deepcopy(clf).rules_.centers is not clf.rules_.centers


def test_a_model_saved_without_its_rules_as_text_describes_its_rules_on_the_rows_it_is_given(of_mixed, mixed, tmp_path):
    X, y = mixed
    of_mixed.save(tmp_path)
    file = tmp_path / "model.json"
    description = json.loads(file.read_text())
    assert description["version"] == 1
    del description["summaries"]
    file.write_text(json.dumps(description))
    loaded = TSKClassifier.load(tmp_path)
    with pytest.raises(DataError, match="pass X"):
        loaded.rules()
    assert str(loaded.rules(X=X, y=y).rules[0]) == str(of_mixed.rules().rules[0])
    again = loaded.rules(X=X[200:], y=y[200:], training=(X[:200], y[:200]))
    assert str(again) == str(of_mixed.rules(X=X[200:], y=y[200:], training=(X[:200], y[:200])))


def test_a_model_that_is_fitted_again_forgets_the_rules_it_was_loaded_with(of_mixed, iris, tmp_path):
    again = saved_and_loaded(of_mixed, tmp_path).set_params(**QUICK).fit(*iris)
    fresh = TSKClassifier(**QUICK).fit(*iris)
    assert str(unpickled(again).rules()) == str(fresh.rules())


def test_neither_a_file_nor_a_pickle_contains_training_values(tmp_path):
    """Of each column they may quote the smallest and the largest value; with 101 rows the median is a training value as well."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(50, 10, (101, 6)), np.arange(101) % 2
    clf = TSKClassifier(n_rules=4, max_epochs=3, random_state=0).fit(X, y)
    quoted = {f(column) for column in X.T for f in (np.min, np.max, np.median)}
    private = [value for value in X.ravel().tolist() if value not in quoted]
    clf.save(tmp_path)
    pickled = pickle.dumps(clf)
    texts = (tmp_path / "model.json").read_text(), str(clf.rules())
    arrays = pickled, (tmp_path / "model.safetensors").read_bytes()
    assert len(private) >= 6 * 98
    for value in private:
        assert not any(repr(value)[:12] in text for text in texts)
        assert not any(struct.pack(order + "d", value) in array for order in "<>" for array in arrays)
    assert len(pickled) < 60_000  # with more rows it does not grow
    more = rng.normal(50, 10, (9_000, 6))
    assert len(pickle.dumps(TSKClassifier(n_rules=4, max_epochs=1, random_state=0).fit(more, np.arange(9_000) % 2))) < 60_000


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 2], [1.0, 2.0, 3.0], [False, True], ["a", "b", "c"], np.array(["a", "b"], object),
        *(np.array([0, 1], dtype) for dtype in (np.int8, np.uint16, np.float32)),
    ],
    ids=str,
)  # fmt: skip
def test_classes_of_any_kind_are_kept(iris, tmp_path, labels):
    assert unpickled(TSKClassifier(n_rules=3)).n_rules == 3  # not fitted
    y = np.array(labels)[iris[1] % len(labels)]
    clf = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(iris[0], y)
    for way in ("load", "pickle"):
        without = WAYS[way](clf, tmp_path)
        assert str(without.rules()) == str(clf.rules())
        predicted = without.predict(iris[0])
        assert without.rules().predict(iris[0]).dtype.kind == predicted.dtype.kind == y.dtype.kind
        assert (predicted == clf.predict(iris[0])).all() and (y.dtype.kind in "OU" or predicted.dtype == y.dtype)


def notes(summary):
    return {a.note for rule in summary.rules if not rule.dead for a in rule.antecedents} - {""}


def test_what_a_cell_counts_as_is_said_where_test_rows_alone_lack_it(mixed):
    X, y = mixed
    whole = X[:200].notna().all(axis=1)
    clf = TSKClassifier(**QUICK).fit(X[:200][whole], y[:200][whole])
    test = X[200:].assign(size=X["size"][200:].where(np.arange(100) % 4 > 0))
    (note,) = {note for note in notes(clf.rules(12, test, y[200:])) if note.startswith("size")}
    assert note.startswith("size is missing in ") and " of the test rows; a missing one counts as " in note


@pytest.mark.parametrize(("kind", "weight"), [("table", 0), ("array", None)])
def test_what_a_cell_counts_as_is_said_where_training_rows_lack_it(mixed, tmp_path, kind, weight):
    X, y = mixed
    given = X if kind == "table" else X.to_numpy(object, na_value=np.nan)
    weights = None if weight is None else np.where(np.arange(len(X)) % 2, 1, weight)
    kept = slice(None) if weight is None else weights > 0
    clf = TSKClassifier(**QUICK).fit(given, y, weights)
    found = notes(clf.rules(12))
    assert found == notes(clf.rules(12, training=(given[kept], y[kept])))
    assert any(f"is missing in {X['size'][kept].isna().mean():.1%} of the training rows" in note for note in found)
    assert all(notes(copied(clf, tmp_path / name).rules(12)) == found for name, copied in WAYS.items())


def test_intervals_draw_groups_of_the_rows_that_are_given_and_of_those_that_fit_was_given():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(40), 6)
    centre = rng.normal(size=40)[group]
    X = np.column_stack([centre, centre]) + 0.01 * rng.normal(size=(240, 2))
    y = (centre + rng.normal(size=40)[group] > 0).astype(int)  # alike in a group, so that 240 rows know as much as 40
    train, test = group < 24, group >= 24
    settings = {"n_rules": 2, "max_epochs": 20, "random_state": 0}
    alone, grouped = (TSKClassifier(**settings).fit(X[train], y[train], groups=g) for g in (None, group[train]))
    by_row, by_group = (clf.rules(X=X[test], y=y[test]).rules for clf in (alone, grouped))
    assert [rule.index for rule in by_row] == [rule.index for rule in by_group]
    for one, other in zip(by_row, by_group, strict=True):  # of training rows, wider by about √6
        assert one.claim.confidence == other.claim.confidence
        assert np.ptp(other.claim.interval) > 1.5 * np.ptp(one.claim.interval)
    for clf in (grouped, pickle.loads(pickle.dumps(grouped))):  # noqa: S301 - our own
        of_groups = clf.rules(X=X[test], y=y[test], groups=group[test])
        assert "95% interval by groups" in str(of_groups) and "by groups" not in str(clf.rules(X=X[test], y=y[test]))
        assert "by groups" not in str(clf.rules(X=X[test], y=y[test], groups=np.arange(test.sum())))
    for wrong, words in (
        ({"groups": group[test]}, "pass X and y too"),
        ({"y": y}, "pass X, too"),
        ({"X": X, "y": y, "groups": [1]}, "240 "),
    ):
        with pytest.raises((SettingError, DataError), match=words):
            grouped.rules(**wrong)
