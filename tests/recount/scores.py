"""The scores, counts and baselines that the report of a run prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score, precision_score, recall_score, roc_auc_score

from tests.recount.arithmetic import bca, rca, wilson
from tests.recount.html import Element
from tests.recount.lines import Line
from tests.recount.model import Model
from tests.recount.tables import Table


@dataclass(frozen=True)
class Reader:
    """What a reader has who recounts: the file, which rows are for training and for testing, the exported rules, the report."""

    table: Table
    train: pd.DataFrame
    test: pd.DataFrame
    model: Model
    report: list[Element]

    def texts(self, section: str, *tags: str) -> list[Element]:
        """The elements of a section of the report."""
        return [element for element in self.report if element.section == section and element.tag in tags]


def score_lines(reader: Reader) -> Iterator[Line]:
    """Every number of the sections Scores, Scores by class and Data."""
    where, true, predicted = reader.table.name, reader.test["class"].to_numpy(), reader.model.predicted(reader.test)
    scores = {line.parts[0]: line.parts[1:] for line in reader.texts("scores", "tr")}
    for at, (name, value) in enumerate((("RCA", rca(true, predicted)), ("BCA", bca(true, predicted)), ("AUC", _auc(reader)))):
        yield Line(f"report: {name}", where, _without_interval(scores["This run"][at]), f"{value:.3f}")
    right = int((true == predicted).sum())
    yield Line("report: interval of RCA", where, _interval(scores["This run"][0]), _bounds(*wilson(right, len(true))))
    majority = reader.train["class"].value_counts().idxmax()
    guessed = np.full(len(true), majority)
    for at, score in enumerate((rca, bca)):
        yield Line("report: majority class", where, scores["Majority class"][at], f"{score(true, guessed):.3f}")
    yield from _by_class(reader, true, predicted)
    yield from _counts(reader)


def _by_class(reader: Reader, true: np.ndarray, predicted: np.ndarray) -> Iterator[Line]:
    for cells in (line.parts for line in reader.texts("by-class", "tr")[1:]):
        name, where = cells[0], f"{reader.table.name}, {cells[0]}"
        own, said = true == name, predicted == name
        yield Line("report: rows of a class", where, cells[1], f"{own.sum():,}")
        precision = precision_score(own, said, zero_division=np.nan)
        values = precision, recall_score(own, said), recall_score(~own, ~said), f1_score(own, said)
        for head, cell, value in zip(("precision", "recall", "specificity", "F1"), cells[2:], values, strict=True):
            yield Line(f"report: {head}", where, _without_interval(cell), "–" if np.isnan(value) else f"{value:.3f}")
        shares = ((own & said).sum(), said.sum()), ((own & said).sum(), own.sum()), ((~own & ~said).sum(), (~own).sum())
        for head, cell, (part, of) in zip(("precision", "recall", "specificity"), cells[2:], shares, strict=False):
            if of:
                yield Line(f"report: interval of {head}", where, _interval(cell), _bounds(*wilson(int(part), int(of))))


def _counts(reader: Reader) -> Iterator[Line]:
    where, raw = reader.table.name, reader.table.raw
    heads, values = ([element.text for element in reader.texts("data", tag)] for tag in ("dt", "dd"))
    data = dict(zip(heads, values, strict=True))
    yield Line("report: rows", where, data["Rows"], f"{len(raw):,}")
    yield Line("report: columns", where, re.match(r"\d+", data["Columns of the file"])[0], str(raw.shape[1]))
    rows = f"{len(reader.train):,} and {len(reader.test):,}"
    yield Line("report: training and test rows", where, data["Training and test rows"], rows)
    methods = " ".join(element.text for element in reader.texts("methods", "p"))
    inputs = re.search(r"the model has (\d+) inputs", methods)[1]
    yield Line("methods: inputs", where, inputs, str(len(reader.model.columns)))
    features = list(dict.fromkeys(column["feature"] for column in reader.model.columns))
    used = re.search(r"Of its columns (\d+) (?:is|are) (?:a )?features?", methods)[1]
    yield Line("methods: features", where, used, str(len(features)))
    repeated = re.search(r"(\d[\d,]*) rows? repeats? the features", methods)
    counted = f"{int(raw[[*features, 'class']].duplicated().sum()):,}"
    yield Line("methods: repeated rows", where, repeated[1] if repeated else "0", counted)
    missing = (reader.train[features] == "").to_numpy().mean()
    if missing:
        printed = re.search(r"Missing values \(([\d.]+%) of the cells", methods)
        yield Line("methods: missing cells", where, printed[1] if printed else "none", f"{missing:.1%}")


def _auc(reader: Reader) -> float:
    """The area under the ROC curve; of several classes, the mean of each class's against all others."""
    true, of_classes = reader.test["class"].to_numpy(), reader.model.probabilities(reader.test).round(12)
    return float(np.mean([roc_auc_score(true == name, of_classes[:, k]) for k, name in enumerate(reader.model.classes)]))


def _without_interval(cell: str) -> str:
    return cell.partition(" (")[0]


def _interval(cell: str) -> str:
    return cell.partition(" (")[2].removesuffix(")")


def _bounds(low: float, high: float) -> str:
    return f"{low:.3f}–{high:.3f}"
