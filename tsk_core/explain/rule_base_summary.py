"""RuleBaseSummary: the readable rules of a trained model, and how faithfully they describe it.

Long rules are shortened to their least flat antecedents. The shortened rule base is another model, so its summary measures how
often both predict the same class (fidelity) and how often that class is right (accuracy), and prints these first. Rules of a
readable rule base (zero-order) are never shortened: their text is the model.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.encoding import Features, Labels, Rows
from tsk_core.errors import DataError, SettingError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.base import MeasuredRuleBase, Metrics, measure, metrics_of
from tsk_core.explain.counting import count_rows, with_counts, with_test_notes
from tsk_core.explain.describing import describe, shortened, uncovered_rows
from tsk_core.explain.exported import (
    ExportedRule,
    ExportedRules,
    Label,
    RuleArrays,
    check_rows,
    is_zero_order,
    read_rules,
    scores,
)
from tsk_core.explain.fidelity import Inference, heading_text, mask_of, measured_text, uncovered_text
from tsk_core.explain.formats import export
from tsk_core.explain.labels import FuzzyPartition
from tsk_core.explain.measures import Tally
from tsk_core.explain.readable import RuleList, readable_text
from tsk_core.explain.rule import Rule

if TYPE_CHECKING:
    import pandas as pd

# The rules as a pandas DataFrame, for notebooks and spreadsheets.


def rules_frame(rules: tuple[Rule, ...], classes: Sequence[Label]) -> "pd.DataFrame":
    """One row per rule, in this order.

    First what a reader can recount: the test rows of which the sentence is true (missing where there are none with classes), how
    many of these have a class that it names, the share with its 95% Wilson interval, and the rows of each class. Then the same of
    the training rows, without an interval. Columns that begin with "training:" are averages over the training rows, those of the
    rule's claim NaN where it has none.
    """
    import pandas as pd

    frame = pd.DataFrame(
        {
            "rule": [r.index for r in rules],
            "text": [r.text for r in rules],
            "conclusion": [r.conclusion for r in rules],
            "headline": ["" if r.dead else r.headline for r in rules],
            "concluded from": [r.concluded_from for r in rules],
        }
    )
    test = _counted([r.test for r in rules], [r.test_counts for r in rules], classes, "test rows")
    train = _counted([r.train for r in rules], [r.train_counts for r in rules], classes, "training rows")
    for end, name in enumerate(("low", "high")):
        bounds = [None if tally is None or tally.interval is None else tally.interval[end] for tally in (r.test for r in rules)]
        test.insert(4 + end, f"test rows: share {name}", pd.Series(bounds, dtype=float))
    each = {f"score: {c}": [r.scores[c] for r in rules] for c in classes}
    return pd.concat([frame, test, train, _averages(rules, len(classes)), pd.DataFrame(each)], axis=1)


def _counted(
    tallies: Sequence[Tally | None],
    counts: Sequence[tuple[tuple[int, ...], ...] | None],
    classes: Sequence[Label],
    rows: str,
) -> "pd.DataFrame":
    """The rows of which each sentence is true, and their classes; Int64, as there may be none."""
    import pandas as pd

    def column(values: Sequence[int | None]) -> "pd.Series[int]":
        return pd.Series(list(values), dtype="Int64")

    whole = {
        f"{rows}": column([None if tally is None else tally.of for tally in tallies]),
        f"{rows}: true": column([None if tally is None else tally.true for tally in tallies]),
        f"{rows}: of the class": column([None if tally is None else tally.right for tally in tallies]),
        f"{rows}: share of the class": pd.Series([None if tally is None else tally.share for tally in tallies], dtype=float),
    }
    names = [f"{rows}: class {c}" if f"{rows}: {c}" in whole else f"{rows}: {c}" for c in classes]
    of_class = {name: column([None if not n else n[-1][k] for n in counts]) for k, name in enumerate(names)}
    return pd.DataFrame(whole | of_class)


def _averages(rules: tuple[Rule, ...], n_classes: int) -> "pd.DataFrame":
    import pandas as pd

    def of_claim(name: str) -> list[float]:
        return [np.nan if rule.claim is None else getattr(rule.claim, name) for rule in rules]

    return pd.DataFrame(
        {
            "training: class by firing": [r.model_class for r in rules],
            "training: support": [r.support for r in rules],
            "training: wins": [r.wins for r in rules],
            "training: confidence": [np.nan if r.confidence is None else r.confidence[r.model_class] for r in rules],
            "training: confidence low": [np.nan if r.claim is None else r.claim.interval[0] for r in rules],
            "training: confidence high": [np.nan if r.claim is None else r.claim.interval[1] for r in rules],
            "training: prior": of_claim("prior"),
            "training: lift": of_claim("lift"),
            "training: certainty": of_claim("certainty"),
            "training: penalised certainty": [np.nan if r.claim is None else r.claim.penalised(n_classes) for r in rules],
            "training: dominance": of_claim("dominance"),
            "true at its centre": [r.literal for r in rules],
            "dead": [r.dead for r in rules],
            "clear": [r.clear for r in rules],
        }
    )


# Rules as HTML for notebooks. Names and classes come from users' tables, so every text is escaped here.


_HEAD = ("Rule", "Text")
_CELL = 'style="text-align: left; vertical-align: top"'


def to_html(measured_text: str, rules: Iterable[Rule]) -> str:
    """``measured_text``, then a table with one row per rule; needs no style sheet, script or network."""
    head = "".join(f"<th {_CELL}>{text}</th>" for text in _HEAD)
    rows = "".join(f"<tr>{_cells(rule)}</tr>" for rule in rules)
    measured = escape(measured_text).replace("\n", "<br>")
    # These classes keep a notebook from reading "$" in a name as mathematics.
    return f'<div class="tex2jax_ignore mathjax_ignore"><p>{measured}</p><table><tr>{head}</tr>{rows}</table></div>'


def _cells(rule: Rule) -> str:
    conditions = "<br>AND ".join(escape(antecedent.text) for antecedent in rule.antecedents) or "anything"
    text = "never fires"
    if not rule.dead:
        told = "".join(f"<br>{escape(line)}" for line in (rule.headline, *rule.remarks))
        more = "<br>".join(map(escape, rule.measured))
        text = f"IF {conditions}<br>THEN <b>{escape(rule.then)}</b>{told}<details><summary>More</summary>{more}</details>"
    cells = (str(rule.index), text)
    return "".join(f"<td {_CELL}>{cell}</td>" for cell in cells)


Groups: TypeAlias = tuple[np.ndarray | None, np.ndarray | None]  # of training rows and of test rows

MOST_ROWS = 20_000  # training rows that support, flatness and the other averages are taken over, evenly spaced


@dataclass(frozen=True, eq=False)
class RuleBaseSummary:
    """Readable rules and what was measured; ``RuleBaseSummary.build`` makes one.

    rules: by ``Rule.dominance``, largest first, which is the same order at every length; dead rules last. classes: (C,) those
    that ``predict`` returns. source: the exported rules. mask: (R, D) bool, the antecedents kept, rules in the order of
    ``source``; a complete rule keeps those too that hold for every training row, which its text leaves out.
    fidelity: share of evaluation rows for which the shortened rules predict the same class as the full model, in [0, 1]; each
    rule keeps its linear function, which the text does not print. ``readings`` has the fidelity of the text alone.
    accuracy, full_accuracy: share of evaluation rows that either predicts correctly; None without their classes.
    evaluated_on: which rows these are, such as "test rows", "training rows" or "500 of the test rows".
    redundancy: (R, R), rules in the order of ``source``. max_antecedents: the bound for each rule; None for no bound, as
    for a readable rule base.
    encode: raw table → (N, D) rows in original units, for ``predict``. measured: what was measured at every length; None for
    rules of an epoch. make_readable: ``TSKClassifier.make_readable``, for ``refit``.
    """

    rules: tuple[Rule, ...]
    classes: np.ndarray
    source: ExportedRules = field(repr=False)
    mask: np.ndarray = field(repr=False)
    fidelity: float
    accuracy: float | None
    full_accuracy: float | None
    evaluated_on: str
    redundancy: np.ndarray = field(repr=False)
    max_antecedents: int | None
    encode: Callable[[Rows], np.ndarray] | None = field(repr=False, default=None)
    measured: MeasuredRuleBase | None = field(repr=False, default=None)
    make_readable: Callable[..., Any] | None = field(repr=False, default=None)

    @classmethod
    def build(
        cls,
        rules: ExportedRules,
        Z: ArrayLike,
        y_index: ArrayLike | None = None,
        *,
        max_antecedents: int | None = 5,
        Z_eval: ArrayLike | None = None,
        y_eval: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        encode: Callable[[Rows], np.ndarray] | None = None,
        words: Callable[[int], FuzzyPartition] | None = None,
        missing: Mapping[str, np.ndarray] | None = None,
        missing_test: Mapping[str, np.ndarray] | None = None,
        most_rows: int = MOST_ROWS,
        groups: Groups = (None, None),
    ) -> "RuleBaseSummary":
        """Summarise exported rules on their training rows, and measure the shortened rules.

        rules: the exported dictionary. Z: (N, D) training rows in original units, N ≥ 1. y_index: (N,) class positions
        0 … C−1, or None. max_antecedents: ≥ 1, or None to keep every antecedent, as readable rule bases always do.
        Z_eval, y_eval: rows to measure fidelity and accuracy on, and their class positions (−1 for a class unknown to the
        model); default: the training rows. classes: (C,) those that ``predict`` returns; default: the export's names.
        encode: raw table → Z, for ``predict``. words: ``words_of(Z)``, where several rule bases share it.
        missing: feature -> bool (N,), which rows of Z lack its value; features that no row lacks may be left out. missing_test:
        the same of the rows Z_eval.
        most_rows: averages are taken over at most this many evenly spaced training rows.
        groups: of Z and of Z_eval: integers from 0, equal in rows that belong together, which intervals draw together.

        Raises DataError where rows do not fit the rules, SettingError for max_antecedents.
        """
        _check_most(max_antecedents)
        arrays = read_rules(rules)
        if is_zero_order(arrays):
            max_antecedents = None
        Z, y_index = pair(arrays, Z, y_index, "training")
        evaluated_on = "training rows" if Z_eval is None else "test rows"
        Z_eval, y_eval = (Z, y_index) if Z_eval is None else pair(arrays, Z_eval, y_eval, "test")
        longest = None if max_antecedents is None else max(max_antecedents, LONGEST)
        described = describe(rules, Z, y_index, most=longest, words=words, missing=missing, most_rows=most_rows, groups=groups[0])
        counted, tests = count_rows(rules, described.rules, [(Z, y_index)], lacking=missing), None
        if evaluated_on == "test rows":
            tests = count_rows(rules, described.rules, [(Z_eval, y_eval)], groups[1], missing_test)
        noted = with_test_notes(described.rules, arrays.columns, missing_test or {})
        full = with_counts(noted, train=counted, test=tests)
        measured = measure(rules, full, described, Z_eval, y_eval, tests or counted)
        lengths, at = measured.lengths, measured.lengths.position(max_antecedents)
        short, accuracy = shortened(full, max_antecedents), lengths.accuracy["linear"]
        return cls(
            rules=short,
            classes=_as_array(arrays.classes) if classes is None else np.asarray(classes),
            source=rules,
            mask=mask_of(arrays, short),
            fidelity=lengths.fidelity["linear"][at],
            accuracy=None if accuracy is None else accuracy[at],
            full_accuracy=lengths.full_accuracy,
            evaluated_on=evaluated_on,
            redundancy=described.redundancy,
            max_antecedents=max_antecedents,
            encode=encode,
            measured=measured,
        )

    @property
    def readings(self) -> tuple[Inference, ...]:
        """How often ways to infer a class from the text agree with the full model, and are right; () if not measured.

        A readable rule base has three: "model", its scores; "strongest", the class of the strongest rule; "sentences", the rule
        list. Another one has four: "linear" is ``fidelity``: conditions as printed, each rule with its hidden linear function;
        "strongest" and "vote" are the text alone; "constant" has constant scores per rule (``constants``).
        """
        if self.measured is None:
            return ()
        if self.measured.readable is not None:
            return self.measured.readable.inferences(self.evaluated_on)
        return self.measured.lengths.inferences(self.max_antecedents, self.evaluated_on)

    @property
    def rule_list(self) -> RuleList | None:
        """The sentences of a readable rule base, in an order in which the first true one decides; None for another rule base."""
        if self.measured is None or self.measured.readable is None:
            return None
        return self.measured.readable.rule_list(self.source, self.rules, self.evaluated_on)

    @property
    def constants(self) -> np.ndarray | None:
        """Constant scores per class, (R, C), rules in the order of ``source``, for the inference "constant"; None without it."""
        if self.measured is None or self.measured.constants is None:
            return None
        return self.measured.constants[self.measured.lengths.position(self.max_antecedents)]

    @property
    def figures(self) -> Metrics | None:
        """The metrics of the rule base as a whole; None for rules of an epoch."""
        return None if self.measured is None else metrics_of(self.rules, self.measured, self.redundancy, self.max_antecedents)

    @property
    def uncovered(self) -> tuple[int, int] | None:
        """Of how many rows no sentence is true, and of how many; None for rules of an epoch. The rows are the test rows, else the
        training rows (``evaluated_on``).
        """
        if self.measured is None:
            return None
        return self.measured.uncovered[self.measured.lengths.position(self.max_antecedents)], self.measured.n_rows

    @property
    def uncovered_text(self) -> str:
        """The same in words; "" for rules of an epoch."""
        zero_order = any(rule.zero_order for rule in self.rules)
        return "" if self.uncovered is None else uncovered_text(*self.uncovered, self.evaluated_on, zero_order=zero_order)

    def uncovered_rows(self, X: Rows) -> np.ndarray:
        """The positions of the raw rows X of which no sentence is true, rising: where no rule's printed conditions all hold."""
        return uncovered_rows(self.source, self.rules, self._encoded(X))

    @property
    def shortened(self) -> ExportedRules:
        """The shortened rules in the format of ``source``: antecedents that were left out have sigma null."""
        rules: list[ExportedRule] = []
        for rule, kept in zip(self.source["rules"], self.mask, strict=True):
            sigmas = [s if yes else None for s, yes in zip(rule["sigmas"], kept, strict=True)]
            rules.append({**rule, "sigmas": sigmas})
        return {**self.source, "rules": rules}

    def predict_index(self, Z: ArrayLike) -> np.ndarray:
        """The classes that the shortened rules predict for encoded rows Z (N, D), as positions, shape (N,)."""
        return scores(self.source, Z, self.mask).argmax(1)

    def predict(self, X: Rows) -> np.ndarray:
        """The classes that the shortened rules predict for raw rows X, shape (N,)."""
        return self.classes[self.predict_index(self._encoded(X))]

    def refit(self, X: Features, y: Labels, **options: Any) -> Any:
        """A readable ``TSKClassifier`` of the size that is shown here: as many rules, with no more conditions each.

        X, y: training rows. options: of ``TSKClassifier.make_readable``, in place of these.
        """
        if self.make_readable is None:
            raise SettingError("This summary has no classifier to train a readable one of; make it with TSKClassifier.rules.")
        most = max(1, max((len(rule.antecedents) for rule in self.rules), default=1))
        return self.make_readable(X, y, **{"max_rules": len(self.rules), "max_conditions": most, **options})

    def __str__(self) -> str:
        """``introduction``, then every rule."""
        return "\n\n".join([self.introduction, *(str(rule) for rule in self.rules)])

    def _repr_html_(self) -> str:
        """The same as a table, for notebooks."""
        return to_html(self.introduction, self.rules)

    def export(self, name: str) -> str | bytes:
        """The text of a file in one of ``FORMATS``, or the bytes of "onnx"; those that predict hold the shortened rules."""
        return export(name, self)

    @property
    def measured_text(self) -> str:
        """Fidelity and accuracy in a few sentences."""
        if is_zero_order(read_rules(self.source)):
            return self._readable_text(with_readings=True)
        complete = bool((self.mask == read_rules(self.source).present).all())
        measured = self.fidelity, self.accuracy, self.full_accuracy, self.evaluated_on
        return measured_text(len(self.rules), self.max_antecedents, complete, *measured, self.readings, self.uncovered)

    @property
    def introduction(self) -> str:
        """``measured_text``; for a readable rule base also in which order the sentences alone decide."""
        listed = self.rule_list
        return self.measured_text if listed is None else f"{self.measured_text}\n{listed.order_text}"

    @property
    def heading(self) -> str:
        """``measured_text`` without what ``readings`` and ``uncovered`` say, for where these are shown beside it."""
        if is_zero_order(read_rules(self.source)):
            return self._readable_text(with_readings=False)
        return heading_text(len(self.rules), self.max_antecedents, self.full_accuracy, self.evaluated_on)

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame, one row per rule, in the order of ``rules``."""
        return rules_frame(self.rules, self.source["classes"])

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values: what was measured and every rule."""
        return {
            "classes": list(self.source["classes"]),
            "max_antecedents": self.max_antecedents,
            "evaluated_on": self.evaluated_on,
            "fidelity": self.fidelity,
            "accuracy": self.accuracy,
            "full_accuracy": self.full_accuracy,
            "readings": [inference.to_dict() for inference in self.readings],
            "uncovered": None if self.uncovered is None else list(self.uncovered),
            "figures": None if self.figures is None else self.figures.to_dict(),
            "rule_list": None if self.rule_list is None else self.rule_list.to_dict(),
            "redundancy": self.redundancy.tolist(),
            "rules": [rule.to_dict() for rule in self.rules],
        }

    def _readable_text(self, *, with_readings: bool) -> str:
        readable = None if self.measured is None else self.measured.readable
        told = self.full_accuracy, self.evaluated_on, readable, self.uncovered
        return readable_text(self.rules, *told, with_readings=with_readings)

    def _encoded(self, X: Rows) -> np.ndarray:
        if self.encode is None:
            raise SettingError("This summary has no encoder; pass encoded rows to predict_index instead.")
        return self.encode(X)


def pair(arrays: RuleArrays, Z: ArrayLike, y_index: ArrayLike | None, which: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Rows and their class positions, checked against the rules and each other; DataError names ``which`` rows do not fit."""
    Z = check_rows(Z, arrays)
    if not len(Z):
        raise DataError(f"Expected at least 1 {which} row to measure the rules on, got none.")
    if y_index is None:
        return Z, None
    y_index = np.asarray(y_index)
    if y_index.shape != (len(Z),):
        raise DataError(f"Expected one class for each of the {len(Z)} {which} rows, got shape {y_index.shape}.")
    return Z, y_index


def _check_most(most: object) -> None:
    if most is not None and (isinstance(most, bool) or not isinstance(most, SupportsIndex) or most.__index__() < 1):
        raise SettingError(f"max_antecedents is {most!r}; it must be a whole number of at least 1, or None for all.")


def _as_array(classes: list[Label]) -> np.ndarray:
    alike = len({type(c) for c in classes}) == 1  # NumPy would turn [1, "a"] into two strings
    return np.array(classes, None if alike else object)
