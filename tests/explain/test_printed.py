"""The rules printed in full predict as the model does: a reader of the text alone gets the same classes."""

import re

import numpy as np
import pytest

from tests.explain.examples import random_base
from tsk_core import TSKClassifier, load_dataset
from tsk_core.explain.printed import printed_rules
from tsk_core.explain.reader import scores


def number_after(text, what):
    return float(re.search(rf"{re.escape(what)} ([+-]?[\d.e+-]+)", text).group(1))


def read_by_a_person(text, columns, classes, row):
    """Evaluate the printed text for one encoded row: the oracle, which knows the text and nothing else. columns: names."""
    head, *blocks = re.split(r"\n\nRule \d+: ", text)
    shared = [line.strip() for line in head.splitlines() if " × " in line]

    def amount(line, c):
        factor, values = line.split(" × ")
        if factor.startswith("("):
            name, reference = re.fullmatch(r"\((.*) − (.*)\)", factor).groups()
            value = row[columns.index(name)] - float(reference)
        else:
            value = row[columns.index(factor)]
        return value * number_after(values, classes[c])

    levels, outputs = [], []
    for block in blocks:
        first, then, *own = [line.strip() for line in block.splitlines()]
        level = 1.0
        for name, center, half in re.findall(r"(?:IF|AND) (.+?) is (\S+) ± (\S+)", first):
            level *= np.exp(-np.log(2) * ((row[columns.index(name)] - float(center)) / float(half)) ** 2)
        owned = {line.split(" × ")[0] for line in own}
        lines = own + [line for line in shared if line.split(" × ")[0] not in owned]
        outputs.append([number_after(then, name) + sum(amount(line, c) for line in lines) for c, name in enumerate(classes)])
        levels.append(level)
    levels = np.array(levels) / np.sum(levels)
    return int((levels @ np.array(outputs)).argmax())


@pytest.fixture(scope="module")
def wine():
    dataset = load_dataset("wine")
    split = dataset.split(0.3, 0)
    X, y = dataset.X, np.asarray(dataset.y)
    train, test = (X.iloc[split.train], y[split.train]), (X.iloc[split.test], y[split.test])
    full = TSKClassifier(n_rules=6, max_epochs=30, random_state=0).fit(*train)
    return full.simplify(*train, max_rules=4, max_conditions=2, score_terms=6), train, test


def test_a_person_who_reads_the_text_predicts_as_the_printed_numbers_do(wine):
    small, train, test = wine
    printed = printed_rules(small.to_dict(), small.encoder_.mean_)
    columns = [column["feature"] for column in small.to_dict()["columns"]]
    Z = small.encoder_.transform(test[0])
    by_hand = [read_by_a_person(printed.text, columns, list(small.classes_), row) for row in Z]
    np.testing.assert_array_equal(by_hand, printed.predict_index(Z))
    assert (small.classes_[by_hand] == small.predict(test[0])).mean() >= 0.95


@pytest.mark.parametrize("seed", range(5))
def test_rounding_changes_few_predictions_of_any_base(seed):
    base, _ = random_base(R=4, D=3, C=3, seed=seed)
    Z = np.random.default_rng(seed).normal(size=(500, 3))
    printed = printed_rules(base, Z.mean(0))
    assert (printed.predict_index(Z) == scores(base, Z).argmax(1)).mean() >= 0.95
    spread = np.abs(scores(base, Z) - scores(base, Z).mean(1, keepdims=True)).max()
    assert np.abs(scores(printed.rules, Z) - (scores(base, Z) - scores(base, Z).mean(1, keepdims=True))).max() < 0.05 * spread
