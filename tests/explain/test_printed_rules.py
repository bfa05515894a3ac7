"""On real tables, with categories and gaps: a rule base says what ``rule_base.predict`` and its printed conditions give."""

import os
from pathlib import Path

import numpy as np
import pytest

from tests.recount.sentences import true_rows
from tsk_core import TSKClassifier, load_dataset, read_csv
from tsk_core.data.gallery import BUNDLED, GENERATED, PAPER, is_available_offline
from tsk_core.data.orders import guessed_order
from tsk_core.explain import firing_levels

QUICK = ("iris", "wine")
GALLERY = [entry.name for entry in (*BUNDLED, *GENERATED, *PAPER)]
TABLES = sorted(
    path for folder in os.environ.get("TSK_DATA_DIR", "").split(":") if folder for path in Path(folder).glob("tables/*.csv")
)
MOST_ROWS = 400


def check(dataset, n_rules, most):
    """Train on some rows, and compare the rule base on others with slow evaluations of its printed conditions."""
    split, y = dataset.split(test_size=0.3, seed=0), np.asarray(dataset.y)
    train, test = (part[:: max(1, len(part) // MOST_ROWS)] for part in (split.train, split.test))
    test = test[np.isin(y[test], y[train])]
    clf = TSKClassifier(n_rules=n_rules, max_epochs=8, random_state=0).fit(dataset.X.iloc[train], y[train])
    X, classes = dataset.X.iloc[test], clf.classes_.tolist()
    known = dataset.X.iloc[train], y[train]  # with which notes say what a missing value of a training row counts as
    rule_base, full = clf.rules(most, X, y[test], training=known), clf.predict(X)
    assert rule_base.fidelity == pytest.approx(np.mean(rule_base.predict(X) == full))
    assert rule_base.accuracy == pytest.approx(np.mean(rule_base.predict(X) == y[test]))
    Z, source = clf.encoder_.transform(X), rule_base.source
    log = np.full((len(Z), len(source["rules"])), -np.inf)
    says = np.zeros(len(source["rules"]), int)
    for rule in rule_base.rules:
        if not rule.dead:
            log[:, rule.index - 1] = sum((squares(source, rule, one, Z) for one in rule.antecedents), start=np.zeros(len(Z)))
            log[:, rule.index - 1] += source["rules"][rule.index - 1]["log_weight"]
            says[rule.index - 1] = source["classes"].index(rule.conclusion)
    firing = np.exp(log - log.max(1, keepdims=True))
    firing /= firing.sum(1, keepdims=True)
    read = {
        "strongest": says[log.argmax(1)],
        "vote": (firing @ np.eye(len(classes))[says]).argmax(1),
        "constant": (firing @ rule_base.constants).argmax(1),
    }
    true = np.array([classes.index(name) for name in y[test].tolist()])
    predicted = np.array([classes.index(name) for name in full.tolist()])
    for reading in rule_base.readings[1:]:
        ties = 1.5 / len(Z)
        assert reading.fidelity == pytest.approx(np.mean(read[reading.name] == predicted), abs=ties)
        assert reading.accuracy == pytest.approx(np.mean(read[reading.name] == true), abs=ties)
    check_claims(clf, rule_base, dataset.X.iloc[train], y[train])
    check_counts(rule_base, (dataset.X.iloc[train], y[train]), (X, y[test]), orders_of(dataset.X))


def orders_of(X):
    """The order of the words of each column that has one, such as SHORT, MEDIUM, LONG."""
    found = {name: guessed_order(sorted(set(X[name].dropna()))) for name in X.select_dtypes("str")}
    return {name: order for name, order in found.items() if order}


def squares(source, rule, antecedent, Z):
    """The log membership of rows in one printed condition."""
    own, total = source["rules"][rule.index - 1], np.zeros(len(Z))
    number = antecedent.low is not None or antecedent.high is not None
    for d, column in enumerate(source["columns"]):
        if column["feature"] == antecedent.feature and (column["kind"] == "number") == number and own["sigmas"][d] is not None:
            total -= (Z[:, d] - own["centers"][d]) ** 2 / (2 * own["sigmas"][d] ** 2)
    return total


def check_claims(clf, rule_base, X, y):
    """Confidence and prior from the firing levels of the training rows."""
    firing = firing_levels(rule_base.source, clf.encoder_.transform(X))
    for rule in rule_base.rules:
        own = firing[:, rule.index - 1]
        if rule.claim is not None:
            mine = y.astype(str) == str(rule.model_class)
            assert rule.claim.confidence == pytest.approx(own[mine].sum() / own.sum())
            assert rule.claim.prior == pytest.approx(mine.mean())
            assert rule.claim.interval[0] - 1e-9 <= rule.claim.confidence <= rule.claim.interval[1] + 1e-9 or own.max() < 1e-3


def check_counts(rule_base, train, test, orders):
    """Every count, and the rows without a true sentence, from the printed words and the raw rows. train, test: (X, y)."""
    true = {}
    for rule in rule_base.rules:
        for part, (X, y), counts in (("train", train, rule.train_counts), ("test", test, rule.test_counts)):
            here = true_rows(rule, X, orders)
            of_class = [int((here & (y.astype(str) == str(name))).sum()) for name in rule_base.classes]
            assert list(counts[-1]) == [*of_class, int(here.sum()) - sum(of_class)], rule.text
            true[rule.index, part] = here
    alive = [true[rule.index, "test"] for rule in rule_base.rules if not rule.dead]
    without = ~np.any(alive, axis=0) if alive else np.ones(len(test[1]), bool)
    assert rule_base.uncovered == (without.sum(), len(without))
    assert rule_base.uncovered_rows(test[0]).tolist() == np.flatnonzero(without).tolist()


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("most", [2, 4])
def test_a_book_says_what_its_printed_conditions_give(name, most):
    check(load_dataset(name), 5, most)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GALLERY if name not in QUICK and is_available_offline(name)])
def test_so_it_does_on_every_table_of_the_gallery(name):
    check(load_dataset(name), 6, 4)


@pytest.mark.soak
@pytest.mark.skipif(not TABLES, reason="no tables in TSK_DATA_DIR")
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_so_it_does_on_tables_of_others(path):
    check(read_csv(path), 6, 3)
