"""The rule list counts what a reader counts, and gives each row the class of its first true sentence."""

import numpy as np
from hypothesis import given

from tests.explain.examples import base, number, rule
from tests.explain.readable.readable_bases import listed_class, readable_bases, slow_true
from tsk_core.explain import RuleBaseSummary


def fixed(*scores):
    """One number column: a consequent of fixed scores."""
    return [[float(score), 0.0] for score in scores]


def small_and_large():
    rules = [rule([0.0], [1.0], fixed(1, 0)), rule([5.0], [1.0], fixed(0, 1))]
    Z = np.array([[-1.0], [-0.5], [0.0], [0.5], [2.0], [3.0], [4.5], [5.0], [5.5], [6.0]])
    return base([number("size")], rules), Z, np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 0])


@given(readable_bases)
def test_every_line_counts_what_a_reader_counts(case):
    rules, Z, y = case
    book = RuleBaseSummary.build(rules, Z[:25], y[:25], Z_eval=Z[25:], y_eval=y[25:])
    for rows, true, which in ((Z[:25], y[:25], "train"), (Z[25:], y[25:], "test")):
        free, classes = list(range(len(rows))), rules["classes"]
        for item in book.rule_list.rules:
            own = classes.index(item.conclusion)
            here = [n for n in range(len(rows)) if slow_true(rules, item.rule, rows[n])]
            taken = [n for n in free if n in here]
            free = [n for n in free if n not in here]
            right = sum(true[n] == own for n in here)
            assert getattr(item, which) == (len(here), right, len(taken), sum(true[n] == own for n in taken))
        last = getattr(book.rule_list.otherwise, which)
        own = classes.index(book.rule_list.otherwise.conclusion)
        assert last == (len(free), sum(true[n] == own for n in free)) * 2
        if which == "train":
            left = true[free] if free else true
            assert own == np.bincount(left).argmax()
    predicted = book.rule_list.predict_index(Z)
    assert [rules["classes"][k] for k in predicted] == [listed_class(book, x) for x in Z]


def test_the_list_is_printed_with_its_test_figures():
    rules, Z, y = small_and_large()
    book = RuleBaseSummary.build(rules, Z, y, Z_eval=Z[::-1], y_eval=y[::-1])
    lines = book.rule_list.text.splitlines()
    assert lines[0] == f"1. {book.rule_list.rules[0].rule.text}: true of 4 of 10 test rows, 4 of them no"
    assert lines[1].endswith(" THEN yes: true of 4 of 10 test rows, 3 of them yes")
    assert lines[2] == "Otherwise: yes (2 of 10 test rows, 2 of them yes)"
    assert len(lines) == 3 and str(book.rule_list) == book.rule_list.text
    trained = RuleBaseSummary.build(rules, Z, y)
    assert " of 10 training rows, " in trained.rule_list.text


def test_a_line_says_how_many_of_its_rows_an_earlier_one_takes():
    rules, Z, y = small_and_large()
    rules["rules"].append(rule([0.5], [1.0], fixed(2, 0)))
    book = RuleBaseSummary.build(rules, Z, y)
    assert [(item.train.true, item.train.taken) for item in book.rule_list.rules] == [(4, 4), (4, 4), (3, 0)]
    lines = book.rule_list.text.splitlines()
    assert [line.partition("; ")[2] for line in lines[:3]] == ["", "", "the first true sentence for 0"]
    rules["rules"][2]["centers"] = [0.75]
    lines = RuleBaseSummary.build(rules, Z, y).rule_list.text.splitlines()
    assert lines[2].endswith("2 of them no; the first true sentence for 0")


def test_dead_rules_are_left_out_and_sentences_that_are_true_of_no_row_are_counted_and_not_told():
    rules, Z, y = small_and_large()
    rules["rules"].append(rule([999.0], [0.1], fixed(9, 0)))
    book = RuleBaseSummary.build(rules, Z, y)
    assert [one.dead for one in book.rules] == [False, False, True]
    assert sorted(item.rule.index for item in book.rule_list.rules) == [1, 2]
    assert "1 of the rules never fires." in book.measured_text
    rules, Z, y = small_and_large()
    rules["rules"].append(rule([2.5], [0.3], fixed(0, 1)))  # between the rows at 2 and 3, where it fires most
    listed = RuleBaseSummary.build(rules, Z, y).rule_list
    assert [item.train.true for item in listed.rules] == [4, 4, 0]
    assert len(listed.text.splitlines()) == 4 and "2.5" not in listed.text
    assert listed.text.endswith("1 more rule is true of no training or test row.")
