"""Every count of a rule against a reader who has its printed text and the raw table."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from tests.explain.examples import base, category, number, rule
from tests.recount.arithmetic import wilson
from tests.recount.sentences import true_rows
from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, load_dataset, make_dataset
from tsk_core.data.export import to_csv
from tsk_core.explain import RuleBaseSummary, Summariser
from tsk_core.explain.row import explain_row, row_features

ODD = ["red", "or ang;e", "<b>&", '"q" $x$', "é, ü"]


def odd_table():
    """Numbers with gaps, dates, an ordered category, one with odd names and gaps, and whole numbers."""
    rng = np.random.default_rng(1)
    n = 300
    size = rng.normal(50, 10, n).round(1)
    frame = pd.DataFrame({
        "size": np.where(rng.random(n) < 0.2, np.nan, size),
        "colour": np.where(rng.random(n) < 0.2, None, rng.choice(ODD, n, p=[0.3, 0.3, 0.2, 0.1, 0.1])),
        "grade": rng.choice(["1", "2", "3", "more"], n),
        "seen": pd.Timestamp("2018-01-01") + pd.to_timedelta(rng.integers(0, 2000, n), "D"),
        "count": rng.integers(0, 6, n),
    })  # fmt: skip
    late = frame["seen"] > "2020-09-01"
    y = np.where(late & (frame["colour"] != "red"), "yes", np.where(frame["size"].isna() | (size < 48), "no", "per haps"))
    return frame.assign(kind=y)


def described(source, **settings):
    """A model trained on a split of a table, with its raw training and test rows; of the odd table as read from its file."""
    if source == "odd":
        raw = odd_table()
        written = raw.assign(seen=raw["seen"].dt.strftime("%Y-%m-%d"))
        dataset = make_dataset(written, name="odd", choices=Choices(target="kind", flags=("size",), missing=("colour",)))
        table = raw.assign(**{"size is missing": np.where(raw["size"].isna(), "yes", "no")})
    else:
        dataset = load_dataset(source)
        table = dataset.X
    split, y = dataset.split(test_size=0.3, seed=0), np.asarray(dataset.y).astype(str)
    parts = [(dataset.X.iloc[rows], np.asarray(dataset.y)[rows]) for rows in (split.train, split.test)]
    clf = TSKClassifier(**settings).fit(*parts[0])
    clf.cleaning_ = dataset.cleaning
    summaries = Summariser(clf.encoder_.transform, clf.classes_, *parts, clf.n_rules).summarise(clf.to_dict())
    return clf, summaries, [(table.iloc[rows], y[rows]) for rows in (split.train, split.test)]


def settings_of(kind):
    if kind == "first-order":
        return {"n_rules": 4, "max_epochs": 5, "random_state": 0}
    readable = TrainConfig.readable(n_rules=4, max_conditions=3, max_epochs=10, random_state=0).to_dict()
    names = TSKClassifier().get_params()
    return {name: value for name, value in readable.items() if name in names}


@pytest.mark.parametrize("kind", ["first-order", "readable"])
@pytest.mark.parametrize("table", ["iris", "wine", "breast_cancer", "odd"])
def test_headlines_and_csv_are_what_a_reader_counts_at_every_length(table, kind):
    clf, summaries, (train, test) = described(table, **settings_of(kind))
    source, seen = clf.to_dict(), set()
    for most in (1, 2, 3, 12):
        summary = RuleBaseSummary.of_kept(summaries, most, source, clf.classes_)
        frame = pd.read_csv(io.BytesIO(to_csv(summary.to_frame()))).set_index("rule")
        without = np.ones(len(test[1]), bool)
        for one in summary.rules:
            check_rule(one, frame.loc[one.index], train, test, [str(name) for name in clf.classes_])
            seen |= {"conditions" if one.antecedents else "none", one.concluded_from}
            if not one.dead:
                without &= ~true_rows(one, test[0])
        assert summary.uncovered == (without.sum(), len(without))
        assert f"{without.sum()} of {len(without)} test rows" in summary.uncovered_text or not without.any()
        assert "extrapolation" not in str(summary)
    assert "conditions" in seen and ("score" in seen) == (kind == "readable")


def check_rule(one, line, train, test, classes):
    """One rule: its counts, headline, class, and its line of the CSV."""
    counts = {}
    for part, (X, y), kept in (("training", train, one.train_counts), ("test", test, one.test_counts)):
        true = true_rows(one, X)
        counts[part] = [int((true & (y == name)).sum()) for name in classes]
        assert list(kept[-1]) == [*counts[part], 0], one.text
        imputed = (true & X[[a.feature for a in one.antecedents if a.feature == "size"]].isna().any(axis=1)).sum()
        said = getattr(one, part.removesuffix("ing")).true_text
        assert (f", {imputed} of them by imputed values" in said) == (imputed > 0) == ("imputed" in said)
        assert (line[f"{part} rows"], line[f"{part} rows: true"]) == (len(y), true.sum())
        assert [line[f"{part} rows: {name}"] for name in classes] == counts[part]
    if not one.zero_order and sum(counts["training"]):
        largest = sorted(counts["training"], reverse=True)
        clear = 2 * largest[0] > sum(largest)
        named = one.then.removeprefix("mostly ")
        assert one.concluded_from == "rows" and one.then.startswith("mostly ") != clear
        parts = [named] if clear else re.split(", | or ", named) if all(" or " not in name for name in classes) else one.mostly
        of_named = sorted((counts["training"][classes.index(str(name))] for name in parts), reverse=True)
        assert of_named == largest[: len(of_named)] and 2 * sum(of_named) > sum(largest)
        assert 2 * sum(of_named[:-1]) <= sum(largest)
    n, of = sum(counts["test"]), len(test[1])
    right = sum(counts["test"][classes.index(str(name))] for name in one.named)
    if not n:
        assert one.headline.startswith("True of no test row and of ") or one.headline.startswith("True of no test row, and of ")
        return
    low, high = wilson(right, n)
    assert (line["test rows: of the class"], line["test rows: share of the class"]) == (right, pytest.approx(right / n))
    assert (line["test rows: share low"], line["test rows: share high"]) == (
        pytest.approx(max(0, low), abs=1e-9),
        pytest.approx(min(1, high), abs=1e-9),
    )
    headline = re.sub(r", \d+ of them by imputed values", "", one.headline)
    assert headline.startswith(f"True of {n} of {of} test rows; ")
    if n > 1 and 0 < right < n:
        said = re.search(r"; (\d+) of these \((.+), 95% interval (.+) to (.+)\) (are|is) ", headline).groups()
        assert (int(said[0]), said[4]) == (right, "is" if right == 1 else "are")
        for text, share in zip(said[1:4], (right / n, low, high), strict=True):
            assert text == ("over 99%" if 0.995 <= share < 1 else "under 1%" if 0 < share < 0.005 else f"{100 * share:.0f}%")


def test_the_odd_table_has_conditions_of_every_kind():
    texts = []
    for settings in (settings_of("first-order"), settings_of("readable")):
        clf, summaries, _ = described("odd", **settings)
        rules = RuleBaseSummary.of_kept(summaries, 12, clf.to_dict()).rules
        texts += [one.text for rule in rules for one in rule.antecedents]
        notes = [one.note for rule in rules for one in rule.antecedents if one.feature == "size"]
        assert all("a missing one counts as " in note for note in notes)
    said = "\n".join(texts)
    of_colour = (r"^colour is .*(&|or ang;e)", r"^colour is .*missing", r"^colour is not ")
    for pattern in (r"^seen .*20\d\d", *of_colour, r"^size is missing is", r"^grade "):
        assert re.search(pattern, said, re.MULTILINE), (pattern, said)


def test_a_rule_is_told_by_the_rows_of_its_sentence_and_not_by_its_firing():
    """Its firing is nearly all on 30 rare rows at its centre; another rule takes 70 others, for which it holds, too."""
    rules = [
        rule([0.0], [1.0], [[0.0, 0.0], [1.0, 0.1]]),
        rule([2.0], [0.25], [[1.0, 0.1], [0.0, 0.0]], log_weight=14.0),
    ]
    Z = np.r_[np.zeros(30), np.linspace(1.0, 1.1, 70), np.full(10, 3.0)][:, None]
    y = np.r_[np.ones(30, int), np.zeros(80, int)]
    made = RuleBaseSummary.build(base([number("x")], rules, ["common", "rare"]), Z, y, Z_eval=Z[::2], y_eval=y[::2])
    (one,) = (each for each in made.rules if each.index == 1)
    assert one.confidence["rare"] > 0.9 and one.model_class == "rare"  # what THEN and the headline were before
    assert one.text == "IF x is not very high (≤ 1.18) THEN common"
    assert one.headline == "True of 50 of 55 test rows; 35 of these (70%, 95% interval 56% to 81%) are common."
    assert any(line.startswith("By its firing levels the rule stands for rare; by the rows") for line in one.measured)


def test_a_sentence_that_is_true_of_no_training_row_says_where_its_class_comes_from():
    slopes = [[1.0, 0.1, 0.0], [0.0, 0.0, 0.0]]
    rules = base([number("x"), number("y")], [rule([0.0, 10.0], [0.8, 0.8], slopes), rule([5.0, 5.0], [9.0, 9.0], slopes[::-1])])
    Z, y = np.array([[0.0, 0.0], [0.0, 1.0], [10.0, 10.0], [9.0, 10.0], [1.5, 8.2]]), np.array([0, 0, 1, 1, 0])
    made = RuleBaseSummary.build(rules, Z, y)
    (one,) = (each for each in made.rules if each.index == 1)
    assert (one.concluded_from, one.headline, one.then) == ("firing", "True of no training row.", "no")
    assert one.remarks == (
        "The sentence is true of no training row of a known class: THEN names the class with most of the rule's firing on the"
        " training rows.",
    )
    first = one.shortened(1)
    assert first.concluded_from == "rows" and first.remarks == () and first.train.true
    tested = RuleBaseSummary.build(rules, Z, y, Z_eval=Z[2:3], y_eval=y[2:3], max_antecedents=1)
    same = next(each for each in tested.rules if each.index == 1)
    assert same.headline == "True of 1 of 1 test row; it is yes (100%, 95% interval 21% to 100%)."
    tested = RuleBaseSummary.build(rules, Z, y, Z_eval=Z[:1], y_eval=y[:1], max_antecedents=1)
    same = next(each for each in tested.rules if each.index == 1)
    assert same.headline == "True of no test row, and of 2 of 5 training rows."


def test_a_readable_rule_keeps_the_models_class_and_says_that_its_rows_have_another():
    rules = base([number("x")], [
        rule([0.0], [1.0], [[1.0, 0.0], [0.0, 0.0]]), rule([0.0], [1.2], [[0.0, 0.0], [3.0, 0.0]]),
    ])  # fmt: skip
    Z = np.linspace(-3, 3, 31)[:, None]
    made = RuleBaseSummary.build(rules, Z, np.ones(31, int), Z_eval=Z, y_eval=np.ones(31, int))
    (one,) = (each for each in made.rules if each.index == 1)
    n = one.test.true
    assert (one.then, one.concluded_from) == ("no", "score")
    assert (
        one.headline == f"True of {n} of 31 test rows; none of these (0%, 95% interval 0% to {100 * wilson(0, n)[1]:.0f}%) is no."
    )
    assert one.remarks == (
        f"Most of these test rows ({n} of {n}) are yes: other rules fire there, too, and the scores of all decide; no has the"
        " highest score of this rule.",
    )


def test_one_row_and_rows_of_unknown_classes_are_said_so():
    rules = base([number("x")], [rule([0.0], [0.5], [[1.0, 0.0], [0.0, 1.0]]), rule([5.0], [0.5], [[0.0, 1.0], [1.0, 0.0]])])
    Z, y = np.array([[0.0], [0.1], [5.0], [5.1]]), np.array([0, 0, 1, 1])
    first = RuleBaseSummary.build(rules, Z, y, Z_eval=[[0.0], [5.0]], y_eval=[0, 0]).rules
    said = {one.index: one.headline for one in first}
    assert said[1] == "True of 1 of 2 test rows; it is no (100%, 95% interval 21% to 100%)."
    assert said[2] == "True of 1 of 2 test rows; it is not yes (0%, 95% interval 0% to 79%)."
    unknown = RuleBaseSummary.build(rules, Z, y, Z_eval=[[0.0], [0.05]], y_eval=[-1, 0]).rules
    one = next(each for each in unknown if each.index == 1)
    assert one.test_counts[-1] == (1, 0, 1) and "; 1 of these (50%, 95% interval 9% to 91%) is no." in one.headline
    bare = RuleBaseSummary.build(rules, Z).rules[0]
    assert bare.headline == "True of 2 of 4 training rows." and bare.concluded_from == "firing"
    assert bare.remarks[0].startswith("The training rows' classes are unknown: ")


@pytest.mark.parametrize("name", ["red", "n", "not sure"])
def test_an_unknown_category_is_not_the_one_left_out_whatever_that_is_called(name):
    columns = [category("answer", state) for state in (name, "a", "b", "c", "d")]
    likes_others = rule([0.0, *[0.5] * 4], [0.3, *[9.0] * 4], [[0.0] * 6, [1.0, *[0.1] * 5]])
    likes_it = rule([1.0, *[0.0] * 4], [0.3] * 5, [[1.0, *[0.1] * 5], [0.0] * 6])
    Z, y = np.eye(5)[np.arange(50) % 5], (np.arange(50) % 5 > 0).astype(int)
    made = RuleBaseSummary.build(base(columns, [likes_others, likes_it]), Z, y, Z_eval=np.zeros((1, 5)), y_eval=[1])
    found = {one.antecedents[0].text: one.test.true for one in made.rules}
    assert found == {f"answer is not {name}": 1, f"answer is {name}": 0}


def test_a_row_explained_takes_the_conditions_at_their_word():
    columns, sigma = [number("size")], 1.0 / np.sqrt(2 * np.log(2))  # at least one half from −0.96 to 1.04
    rules = base(columns, [rule([0.04], [sigma], [[1.0, 0.1], [0.0, 0.0]]), rule([9.0], [1.0], [[0.0, 0.0], [1.0, 0.1]])])
    Z = np.linspace(-6, 12, 50)[:, None]
    made = RuleBaseSummary.build(rules, Z, np.zeros(len(Z), int))
    features = row_features(columns, Z.std(0), Z.min(0), Z.max(0), Z)
    for x, held in ((1.02, False), (-0.98, True)):  # between the exact end and the printed one
        why = explain_row(rules, np.array([x]), features, sentences=made.rules)
        (one,) = (each for each in why.rules if each.index == 1)
        assert [(text, holds) for text, _, holds in one.conditions] == [(made.rules[0].antecedents[0].text, held)]
        assert (one.conditions[0][1] >= 0.5) != held
        assert any("no rule's conditions all hold" in text for text in why.warnings) != held
