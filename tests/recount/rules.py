"""What each card says of a rule, and what is said of the rule base: in the report and in the CSV of the tab Rules."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from tests.recount.arithmetic import bca, rca, wilson
from tests.recount.lines import Line, as_printed
from tests.recount.scores import Reader
from tests.recount.sentences import features_of, rows_of

NUMBER = r"([-+−]?\d[\d,]*(?:\.\d+)?)"
TEST = re.compile(r"True of (?:(\d+) of (\d+)|no) test rows?")
SHARE = re.compile(rf"; (?:(\d+|none) of these|it is (not )?.+?) \({NUMBER}%, 95% interval {NUMBER}% to {NUMBER}%\)")
TRAIN = re.compile(rf"The sentence is true of (?:(\d+) of (\d+)|no) training rows?(?:; (\d+) of these \({NUMBER}%\))?")
CONFIDENCE = re.compile(rf"weighted by the rule's firing level, {NUMBER}% are (.+?) \(95% interval .*?; {NUMBER}% of all")
LIFT = re.compile(rf"so lift is {NUMBER}\.")
CERTAINTY = re.compile(rf"Certainty {NUMBER} .*?dominance {NUMBER}")
FIRING = re.compile(rf"verage firing level on the training rows {NUMBER}%; strongest rule for {NUMBER}%")
UNCOVERED = re.compile(r"For (\d+|no) (?:of (\d+) )?test rows")


class _Card(NamedTuple):
    """One rule as printed. number: in the model, from 1. sentence: IF … THEN …. said: all lines below it."""

    number: int
    sentence: str
    said: str


def rule_lines(reader: Reader, csv: pd.DataFrame) -> Iterator[Line]:
    """Every number of the cards that fire, and of the text above them. csv: of the tab Rules, as it is read."""
    lines = [element.text for element in reader.texts("rules", "p")]
    cards, summary = _cards(lines), lines[0]
    firing = reader.model.firing(reader.train)
    covered = pd.Series(False, reader.test.index)
    for card in cards:
        where = f"{reader.table.name}, rule {card.number}"
        named = _named(card.sentence, list(reader.model.classes))
        true = {
            rows: rows_of(card.sentence, card.said, frame, reader.table.orders, reader.model.kept)
            for rows, frame in (("test rows", reader.test), ("training rows", reader.train))
        }
        covered |= true["test rows"]
        own = {"test rows": reader.test["class"].isin(named), "training rows": reader.train["class"].isin(named)}
        yield from _headline(where, card, true["test rows"], own["test rows"])
        yield from _training(where, card, true["training rows"], own["training rows"])
        yield from _firing(where, card, firing, reader.train["class"].to_numpy())
        line = csv.loc[csv["rule"] == card.number].iloc[0]
        for rows in true:
            yield Line(f"CSV: {rows} true", where, str(line[f"{rows}: true"]), str(true[rows].sum()))
            of_class = (true[rows] & own[rows]).sum()
            yield Line(f"CSV: {rows} of the class", where, str(line[f"{rows}: of the class"]), str(of_class))
        yield Line("CSV: sentence", where, line["text"], card.sentence)
    yield from _base(reader, summary, cards, covered)


def _cards(lines: list[str]) -> list[_Card]:
    cards: list[_Card] = []
    for line in lines[1:]:
        if found := re.match(r"Rule (\d+): (IF .*)", line):
            cards.append(_Card(int(found[1]), found[2], ""))
        elif not re.match(r"Rule \d+ never fires", line):
            cards[-1] = cards[-1]._replace(said=f"{cards[-1].said}\n{line}")
    return cards


def _named(sentence: str, classes: list[str]) -> list[str]:
    """The classes behind THEN, in their order."""
    then = sentence.rpartition(" THEN ")[2]
    if then == "no clear class":
        return []
    places = {name: re.search(rf"(?:^|mostly |, | or ){re.escape(name)}(?:$|, | or )", then) for name in classes}
    return sorted((name for name in classes if places[name]), key=lambda name: places[name].start())


def _headline(where: str, card: _Card, true: pd.Series, own: pd.Series) -> Iterator[Line]:
    found = TEST.search(card.said)
    yield Line("rule: test rows", where, found[1] or "0", str(int(true.sum())))
    if not found[1]:
        return
    yield Line("rule: all test rows", where, found[2], str(len(true)))
    right = int((true & own).sum())
    share = SHARE.search(card.said.split("\n")[1])
    if share is None:
        return
    printed = {"none": "0", None: "0" if share[2] else "1"}.get(share[1], share[1])
    yield Line("rule: test rows of the class", where, printed, str(right))
    low, high = wilson(right, int(true.sum()))
    kinds, values = ("share", "interval", "interval"), (right / true.sum(), low, high)
    for kind, text, value in zip(kinds, share.groups()[2:], values, strict=True):
        yield Line(f"rule: {kind} of test rows", where, text, as_printed(text, 100 * value))


def _training(where: str, card: _Card, true: pd.Series, own: pd.Series) -> Iterator[Line]:
    if found := TRAIN.search(card.said):
        yield Line("rule: training rows", where, found[1] or "0", str(int(true.sum())))
        if found[3]:
            right = int((true & own).sum())
            yield Line("rule: training rows of the class", where, found[3], str(right))
            yield Line("rule: share of training rows", where, found[4], as_printed(found[4], 100 * right / true.sum()))


def _firing(where: str, card: _Card, firing: np.ndarray, classes: np.ndarray) -> Iterator[Line]:
    own_firing = firing[:, card.number - 1]
    level, wins = FIRING.search(card.said).groups()
    yield Line("rule: average firing level", where, level, as_printed(level, 100 * own_firing.mean()))
    yield Line("rule: strongest for", where, wins, as_printed(wins, 100 * (firing.argmax(1) == card.number - 1).mean()))
    if found := CONFIDENCE.search(card.said):
        confidence, prior = own_firing[classes == found[2]].sum() / own_firing.sum(), (classes == found[2]).mean()
        yield Line("rule: confidence", where, found[1], as_printed(found[1], 100 * confidence))
        yield Line("rule: share of all training rows", where, found[3], as_printed(found[3], 100 * prior))
        lift = LIFT.search(card.said)[1]
        yield Line("rule: lift", where, lift, as_printed(lift, confidence / prior))
        certainty, dominance = CERTAINTY.search(card.said).groups()
        yield Line("rule: certainty", where, certainty, as_printed(certainty, 2 * confidence - 1))
        yield Line("rule: dominance", where, dominance, as_printed(dominance, confidence * own_firing.mean()))


def _base(reader: Reader, summary: str, cards: list[_Card], covered: pd.Series) -> Iterator[Line]:
    where, model, test = reader.table.name, reader.model, reader.test
    true, predicted = test["class"].to_numpy(), model.predicted(test)
    found = UNCOVERED.search(summary)
    yield Line("rule base: rows without a true sentence", where, (found[1] if found else "0"), str(int((~covered).sum())))
    if accuracy := re.search(rf"full model's is {NUMBER}%", summary):
        yield Line("rule base: accuracy of the model", where, accuracy[1], as_printed(accuracy[1], 100 * rca(true, predicted)))
    says = {card.number - 1: (_named(card.sentence, list(model.classes)) or [""])[0] for card in cards}
    printed = {card.number - 1: features_of(card.sentence, list(test.columns)) for card in cards}
    told = {"strongest": np.array([says[r] for r in model.firing(test, printed).argmax(1)]), "model": predicted}
    figures = r": agrees on (.*?) test rows; accuracy (.*?)%(?:, balanced accuracy (.*?)%)?\.(?:\s|$)"
    readings = {"strongest": "the strongest rule decides", "model": "by the scores of all rules, which is the model"}
    for reading, words in readings.items():
        if line := re.search(words + figures, summary):
            agrees = "100" if line[1].startswith("all") else line[1].partition("%")[0]
            kind, right = f"rule base: {reading}", told[reading]
            yield Line(f"{kind} agrees", where, agrees, as_printed(agrees, 100 * rca(predicted, right)))
            yield Line(f"{kind}, accuracy", where, line[2], as_printed(line[2], 100 * rca(true, right)))
            if line[3]:
                yield Line(f"{kind}, BCA", where, line[3], as_printed(line[3], 100 * bca(true, right)))


def list_lines(reader: Reader, text: str, said: str) -> Iterator[Line]:
    """Every count of the rule list of a readable rule base. text: its lines. said: the cards' notes."""
    left, true = pd.Series(True, reader.test.index), reader.test["class"]
    for line in text.split("\n"):
        if found := re.match(r"(\d+)\. (IF .+ THEN (.+?)): (true of .*)", line):
            holds = rows_of(found[2], said, reader.test, reader.table.orders, reader.model.kept)
            where = f"{reader.table.name}, sentence {found[1]}"
            told = re.match(r"true of (\d+) of \d+ test rows(?:, (\d+) of them)?", found[4])
            yield from _of_list(where, "true", told, holds, true == found[3])
            if first := re.search(r"the first true sentence for (\d+)(?:, (\d+) of them)?", found[4]):
                yield from _of_list(where, "first", first, holds & left, true == found[3])
            left &= ~holds
        elif found := re.match(r"Otherwise: (.+) \((\d+) of \d+ test rows(?:, (\d+) of them .+)?\)", line):
            yield Line("rule list: otherwise", reader.table.name, found[2], str(left.sum()))
            if found[3]:
                of_class = (left & (true == found[1])).sum()
                yield Line("rule list: otherwise, of the class", reader.table.name, found[3], str(of_class))


def _of_list(where: str, kind: str, found: re.Match, rows: pd.Series, own: pd.Series) -> Iterator[Line]:
    yield Line(f"rule list: {kind}", where, found[1], str(rows.sum()))
    if found[2]:
        yield Line(f"rule list: {kind}, of the class", where, found[2], str((rows & own).sum()))
