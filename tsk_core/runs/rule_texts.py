"""The readable rules of a run in all lengths, kept without its data, so that they can be read when the table is gone.

A shorter book differs from the longest only in which antecedents it shows, since each rule's are ordered, and in how well it
decides. So one book is kept, and the fidelity and accuracy of each length.
"""

import gzip
import json
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.errors import RunError, SettingError
from tsk_core.explain import Antecedent, Mover, Rule, RuleBaseSummary, rule_outputs
from tsk_core.explain.rule_base_summary import measured_text
from tsk_core.explain.labels import words_of
from tsk_core.explain.reader import LOWEST, RuleArrays, read_rules, scores
from tsk_core.model.firing import log_firing

if TYPE_CHECKING:
    from tsk_core.classifier import TSKClassifier

__all__ = ["LONGEST", "Describer", "book_of", "describe", "pack", "sentences", "unpack"]

Rows = tuple[Any, np.ndarray]  # a DataFrame and the class names of its rows

LONGEST = 12  # antecedents a rule
MOST_BYTES = 1_000_000  # packed
MOST_ROWS = 20_000  # test rows that fidelity and accuracy are measured on
LEAST_ROWS = 500  # the same for very large models
QUICK_ROWS = 1000  # training rows that averages are taken over where it has to be quick
DESCRIBED = 4 * 10**7  # rows × rules × columns that a book is made from
MEASURED = 3 * 10**7  # rows × rules × (classes + 10) that a length is measured on
BLOCK = 2**21  # numbers held at once by the largest temporary array


class Describer:
    """Describes the rules of one training on its rows: those it ended with, or those of any epoch before.

    classifier: the fitted one, or one that has learnt its classes and its encoding. train, test: (X, y) as DataFrame and class
    names; N ≥ 1 training rows. Without test rows, the training rows measure fidelity and accuracy. Large models are described
    and measured on evenly spaced rows, or this would take longer than training. quick: on few rows, for one epoch after another.
    """

    def __init__(self, classifier: "TSKClassifier", train: Rows, test: Rows, n_rules: int, *, quick: bool = False) -> None:
        encode, classes = classifier.encoder_.transform, classifier.classes_.tolist()
        size = n_rules * encode(train[0].iloc[:1]).shape[1]
        described = _spaced(train, max(2000, DESCRIBED // size))
        rows, self._on = (test, "test rows") if len(test[1]) else (train, "training rows")
        fit = LEAST_ROWS if quick else max(LEAST_ROWS, min(MOST_ROWS, MEASURED // (n_rules * (len(classes) + 10))))
        measured = _spaced(rows, fit)
        if len(measured[1]) < len(rows[1]):
            self._on = f"{len(measured[1]):,} of the {self._on}"
        index = {name: at for at, name in enumerate(classes)}
        self._train, self._test = (
            (encode(X), np.array([index.get(name, -1) for name in y.tolist()], dtype=int)) for X, y in (described, measured)
        )
        self._words, self._most_rows = words_of(self._train[0]), QUICK_ROWS if quick else MOST_ROWS

    def describe(self, rules: dict[str, Any]) -> dict[str, Any]:
        """The exported rules as JSON-ready values, for ``book_of`` and ``sentences``."""
        Z, true = self._test
        longest = RuleBaseSummary.build(
            rules, *self._train, max_antecedents=LONGEST, Z_eval=Z[:1], words=self._words, most_rows=self._most_rows
        )
        return {
            "rules": [rule.to_dict() for rule in longest.rules],
            "redundancy": longest.redundancy.tolist(),
            "evaluated_on": self._on,
            "whole": bool((longest.mask == read_rules(rules).present).all()),
            **_measure(longest, Z, true),
        }


def describe(classifier: "TSKClassifier", train: Rows, test: Rows) -> dict[str, Any]:
    """The rules of a fitted classifier as JSON-ready values, for ``book_of``; arguments as of ``Describer``."""
    rules = classifier.to_dict()
    return Describer(classifier, train, test, len(rules["rules"])).describe(rules)


def book_of(
    values: dict[str, Any], source: dict[str, Any], max_antecedents: int, *, classes: Any = None, encode: Any = None
) -> RuleBaseSummary:
    """The book of one length, 1 to 12, from what ``describe`` gave and the exported rules it was given; classes and encode as in
    ``RuleBaseSummary.build``. SettingError for other lengths.
    """
    if not hasattr(max_antecedents, "__index__") or not 1 <= max_antecedents <= LONGEST:
        raise SettingError(f"max_antecedents is {max_antecedents!r}; a kept run has rule books of 1 to {LONGEST}.")
    rules = _rules(values, max_antecedents)
    at = min(max_antecedents, len(values["fidelity"])) - 1
    return RuleBaseSummary(
        rules=rules,
        classes=np.asarray(source["classes"]) if classes is None else classes,
        source=source,
        mask=_mask(read_rules(source), rules),
        fidelity=float(values["fidelity"][at]),
        accuracy=float(values["accuracy"][at]),
        full_accuracy=float(values["full_accuracy"]),
        evaluated_on=str(values["evaluated_on"]),
        redundancy=np.asarray(values["redundancy"], float),
        max_antecedents=max_antecedents,
        encode=encode,
    )


def sentences(values: dict[str, Any], most: int) -> tuple[tuple[Rule, ...], str]:
    """The rules with at most so many conditions, 1 to 12, and the summary of a book of them, from what ``describe`` gave."""
    rules, at = _rules(values, most), min(most, len(values["fidelity"])) - 1
    whole = values["whole"] and all(len(rule["antecedents"]) <= most for rule in values["rules"])
    measured = values["fidelity"][at], values["accuracy"][at], values["full_accuracy"], values["evaluated_on"]
    return rules, measured_text(len(rules), most, whole, *measured)


def pack(values: dict[str, Any]) -> bytes:
    """As compressed JSON of at most 1 MB; RunError for rules so many and so long that they need more."""
    for leave_out in ((), ("typical", "movers")):  # what nobody reads in hundreds of rules over hundreds of columns
        rules = [{**rule, **{name: type(rule[name])() for name in leave_out}} for rule in values["rules"]]
        packed = gzip.compress(json.dumps({**values, "rules": rules}, allow_nan=False).encode(), mtime=0)
        if len(packed) <= MOST_BYTES:
            return packed
    raise RunError("The rules of this run are too many and too long to be kept as text.")


def unpack(packed: bytes) -> bytes:
    """The JSON of ``pack``; ValueError where it is no such thing, or far larger than any."""
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = reader.decompress(packed, 30 * MOST_BYTES)
    except zlib.error as error:
        raise ValueError("damaged") from error
    if not reader.eof:
        raise ValueError("cut short, or too large")
    return content


def _measure(book: RuleBaseSummary, Z: np.ndarray, true: np.ndarray) -> dict[str, Any]:
    """Fidelity and accuracy of lengths 1, 2, … as far as there are antecedents, at most ``LONGEST``.

    Z, true: the rows and their class positions.

    A rule's log firing level is a sum over its antecedents, so each length adds one column a rule to the one before.
    Normalising divides all scores of a row by the same number, which decides nothing, and is left out.
    """
    arrays, full = read_rules(book.source), scores(book.source, Z).argmax(1)
    steps = _steps(arrays, book.rules)
    same, right = np.zeros(len(steps), int), np.zeros(len(steps), int)
    block = max(1, BLOCK // (arrays.n_rules * len(arrays.classes)))
    for rows in (slice(start, start + block) for start in range(0, len(Z), block)):
        outputs = rule_outputs(book.source, Z[rows])
        depth = np.tile(arrays.log_weight, (len(outputs), 1))  # (B, R)
        for at, step in enumerate(steps):
            for r, columns in step:
                with np.errstate(over="ignore"):
                    depth[:, r] += log_firing(Z[rows, columns], arrays.centers[r, columns], arrays.sigmas[r, columns])
            short = _decide(depth, outputs, arrays.epsilon)
            same[at] += (short == full[rows]).sum()
            right[at] += (short == true[rows]).sum()
    return {
        "fidelity": (same / len(Z)).tolist(),
        "accuracy": (right / len(Z)).tolist(),
        "full_accuracy": float((full == true).mean()),
    }


def _decide(depth: np.ndarray, outputs: np.ndarray, epsilon: float) -> np.ndarray:
    """The class with the largest score, (B,). depth: (B, R) log firing levels; outputs: (B, R, C)."""
    depth = np.maximum(depth, LOWEST)
    top = depth.max(1, keepdims=True)
    firing = np.exp(depth - top)
    if epsilon:  # the authors' way: where all rules underflow, all scores are 0
        firing *= np.exp(np.minimum(top, 0.0))
    return np.einsum("br,brc->bc", firing, outputs).argmax(1)


def _steps(arrays: RuleArrays, rules: tuple[Rule, ...]) -> list[list[tuple[int, list[int]]]]:
    """For each length, what it has that the one before has not: (rule, columns of the antecedent)."""
    columns: dict[str, list[int]] = {}
    for d, column in enumerate(arrays.columns):
        columns.setdefault(column["feature"], []).append(d)
    most = max(1, *(len(rule.antecedents) for rule in rules)) if rules else 1
    steps: list[list[tuple[int, list[int]]]] = [[] for _ in range(most)]
    for rule in rules:
        r = rule.index - 1
        for at, antecedent in enumerate(rule.antecedents):
            steps[at].append((r, [d for d in columns[antecedent.feature] if arrays.present[r, d]]))
    return steps


def _mask(arrays: RuleArrays, rules: tuple[Rule, ...]) -> np.ndarray:
    """The antecedents kept, (R, D) bool."""
    mask = np.zeros(arrays.sigmas.shape, bool)
    for step in _steps(arrays, rules):
        for r, columns in step:
            mask[r, columns] = True
    return mask


def _rules(values: dict[str, Any], most: int) -> tuple[Rule, ...]:
    return tuple(_rule(rule, most) for rule in values["rules"])


def _rule(values: dict[str, Any], most: int) -> Rule:
    """One rule with its first ``most`` antecedents."""
    fields = {name: value for name, value in values.items() if name != "text"}  # which follows from the others
    return Rule(
        **{
            **fields,
            "antecedents": tuple(Antecedent(**antecedent) for antecedent in values["antecedents"][:most]),
            "movers": tuple(Mover(**mover) for mover in values["movers"]),
            "scores": dict(values["scores"]),
            "confidence": None if values["confidence"] is None else dict(values["confidence"]),
            "outside": tuple(values["outside"]),
        }
    )


def _spaced(rows: Rows, most: int) -> Rows:
    """At most so many rows, evenly spaced."""
    X, y = rows
    if len(y) <= most:
        return rows
    chosen = np.linspace(0, len(y) - 1, most).round().astype(int)
    return X.iloc[chosen], y[chosen]
