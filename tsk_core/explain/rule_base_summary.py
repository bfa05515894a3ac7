"""RuleBaseSummary: the readable rules of a trained model, and how faithfully they describe it.

Long rules are shortened to their least flat antecedents. The shortened rule base is another model, so its summary measures how
often both predict the same class (fidelity) and how often that class is right (accuracy), and prints these first. Rules of a
readable rule base (zero-order) are never shortened: their text is the model.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.encoding import Features, Labels, Rows
from tsk_core.errors import SettingError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.base import MeasuredRuleBase, Metrics, metrics_of
from tsk_core.explain.exported import ExportedRule, ExportedRules, Label, read_rules, scores
from tsk_core.explain.fidelity import Inference, mask_of, uncovered_text
from tsk_core.explain.formats import export
from tsk_core.explain.measures import Tally
from tsk_core.explain.readable import RuleList, true_sentences
from tsk_core.explain.records import written
from tsk_core.explain.rule import Rule
from tsk_core.explain.summaries import Groups, Lacking, Summaries, pair, summarise

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

    claims = [rule.claim for rule in rules]

    def of_claim(name: str) -> list[float]:
        return [np.nan if claim is None else getattr(claim, name) for claim in claims]

    return pd.DataFrame(
        {
            "rule": [r.index for r in rules],
            "text": [r.text for r in rules],
            "conclusion": [r.conclusion for r in rules],
            "headline": ["" if r.dead else r.headline for r in rules],
            "concluded from": [r.concluded_from for r in rules],
            **_counted([r.test for r in rules], [r.test_counts for r in rules], classes, "test rows", with_interval=True),
            **_counted([r.train for r in rules], [r.train_counts for r in rules], classes, "training rows"),
            "training: class by firing": [r.model_class for r in rules],
            "training: support": [r.support for r in rules],
            "training: wins": [r.wins for r in rules],
            "training: confidence": [np.nan if r.confidence is None else r.confidence[r.model_class] for r in rules],
            "training: confidence low": [np.nan if claim is None else claim.interval[0] for claim in claims],
            "training: confidence high": [np.nan if claim is None else claim.interval[1] for claim in claims],
            "training: prior": of_claim("prior"),
            "training: lift": of_claim("lift"),
            "training: certainty": of_claim("certainty"),
            "training: penalised certainty": [np.nan if claim is None else claim.penalised(len(classes)) for claim in claims],
            "training: dominance": of_claim("dominance"),
            "true at its centre": [r.literal for r in rules],
            "dead": [r.dead for r in rules],
            "clear": [r.clear for r in rules],
            **{f"score: {c}": [r.scores[c] for r in rules] for c in classes},
        }
    )


def _counted(
    tallies: Sequence[Tally | None],
    counts: Sequence[tuple[tuple[int, ...], ...] | None],
    classes: Sequence[Label],
    rows: str,
    *,
    with_interval: bool = False,
) -> "dict[str, pd.Series[Any]]":
    """The rows of which each sentence is true, and their classes; Int64, as there may be none."""
    import pandas as pd

    def column(name: str, kind: str = "Int64") -> "pd.Series[Any]":
        return pd.Series([None if tally is None else getattr(tally, name) for tally in tallies], dtype=kind)

    whole = {
        f"{rows}": column("of"),
        f"{rows}: true": column("true"),
        f"{rows}: of the class": column("right"),
        f"{rows}: share of the class": column("share", "float"),
    }
    if with_interval:
        for end, name in enumerate(("low", "high")):
            ends = [None if tally is None or tally.interval is None else tally.interval[end] for tally in tallies]
            whole[f"{rows}: share {name}"] = pd.Series(ends, dtype=float)
    names = [f"{rows}: class {c}" if f"{rows}: {c}" in whole else f"{rows}: {c}" for c in classes]
    return whole | {name: pd.Series([n[-1][k] if n else None for n in counts], dtype="Int64") for k, name in enumerate(names)}


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


@dataclass(frozen=True, eq=False)
class RuleBaseSummary:
    """Readable rules and what was measured: the ``summaries`` of a model at one length. ``RuleBaseSummary.build`` makes one.

    source: the exported rules. max_antecedents: the bound for each rule; None for no bound, as for a readable rule base. classes:
    (C,) those that ``predict`` returns. encode: raw table → (N, D) rows in original units, for ``predict``. make_readable:
    ``TSKClassifier.make_readable``, for ``refit``.
    """

    summaries: Summaries
    source: ExportedRules = field(repr=False)
    max_antecedents: int | None
    classes: np.ndarray
    encode: Callable[[Rows], np.ndarray] | None = field(repr=False, default=None)
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
        missing: Lacking | None = None,
        missing_test: Lacking | None = None,
        groups: Groups = (None, None),
    ) -> "RuleBaseSummary":
        """Summarise exported rules on their training rows, and measure the shortened rules.

        rules: the exported dictionary. Z: (N, D) training rows in original units, N ≥ 1. y_index: (N,) class positions
        0 … C−1, or None. max_antecedents: ≥ 1, or None to keep every antecedent, as readable rule bases always do.
        Z_eval, y_eval: rows to measure fidelity and accuracy on, and their class positions (−1 for a class unknown to the
        model); default: the training rows. classes: default: the export's names.
        missing: feature -> bool (N,), which rows of Z lack its value; features that no row lacks may be left out. missing_test:
        the same of the rows Z_eval.
        groups: of Z and of Z_eval: integers from 0, equal in rows that belong together, which intervals draw together.

        Raises DataError where rows do not fit the rules, SettingError for max_antecedents.
        """
        most = max_antecedents
        if most is not None and (isinstance(most, bool) or not isinstance(most, SupportsIndex) or most.__index__() < 1):
            raise SettingError(f"max_antecedents is {most!r}; it must be a whole number of at least 1, or None for all.")
        arrays = read_rules(rules)
        train = pair(arrays, Z, y_index, "training")
        test = None if Z_eval is None else pair(arrays, Z_eval, y_eval, "test")
        made = summarise(
            rules, train, test or train, ([train], None if test is None else [test]), "test rows" if test else "training rows",
            most=None if most is None else max(most, LONGEST), missing=missing, lacking=(missing or {}, missing_test or {}),
            groups=groups,
        )  # fmt: skip
        return cls._of(made, most, rules, classes, encode)

    @classmethod
    def of_kept(
        cls,
        summaries: Summaries,
        max_antecedents: int | None,
        source: ExportedRules,
        classes: ArrayLike | None = None,
        encode: Callable[[Rows], np.ndarray] | None = None,
    ) -> "RuleBaseSummary":
        """What was kept, at 1 to 12 antecedents per rule; SettingError for other lengths. The rest is as in ``build``."""
        most = max_antecedents
        if most is None or not hasattr(most, "__index__") or not 1 <= most <= LONGEST:
            raise SettingError(f"max_antecedents is {most!r}; these rules were kept with 1 to {LONGEST} conditions.")
        return cls._of(summaries, most, source, classes, encode)

    @classmethod
    def _of(
        cls,
        summaries: Summaries,
        most: int | None,
        source: ExportedRules,
        classes: ArrayLike | None,
        encode: Callable[[Rows], np.ndarray] | None,
    ) -> "RuleBaseSummary":
        names = _as_array(source["classes"]) if classes is None else np.asarray(classes)
        return cls(summaries, source, None if summaries.zero_order else most, names, encode)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """By ``Rule.dominance``, largest first, which is the same order at every length; dead rules last."""
        return tuple(rule.shortened(self.max_antecedents) for rule in self.summaries.rules)

    @cached_property
    def mask(self) -> np.ndarray:
        """The antecedents kept, (R, D) bool, rules in the order of ``source``; a complete rule keeps those too that hold for
        every training row, which its text leaves out.
        """
        return mask_of(read_rules(self.source), self.rules)

    @property
    def fidelity(self) -> float:
        """Share of evaluation rows for which the shortened rules predict the same class as the full model, in [0, 1].

        Each rule keeps its linear function, which the text does not print; ``readings`` has the fidelity of the text alone.
        """
        return self.summaries.fidelity[self.summaries.position(self.max_antecedents)]

    @property
    def accuracy(self) -> float | None:
        """Share of evaluation rows that the shortened rules predict correctly; None without their classes."""
        return self.summaries.accuracy[self.summaries.position(self.max_antecedents)]

    @property
    def full_accuracy(self) -> float | None:
        """The same of the full model."""
        return self.summaries.full_accuracy

    @property
    def evaluated_on(self) -> str:
        """Which rows these are, such as "test rows", "training rows" or "500 of the test rows"."""
        return self.summaries.evaluated_on

    @property
    def redundancy(self) -> np.ndarray:
        """How much each two rules fire together (``measures.redundancy``), (R, R), rules in the order of ``source``."""
        return self.summaries.redundancy

    @property
    def measured(self) -> MeasuredRuleBase | None:
        """What was measured at every length; None for rules of an epoch."""
        return self.summaries.measured

    @property
    def readings(self) -> tuple[Inference, ...]:
        """How often ways to infer a class from the text agree with the full model, and are right; () if not measured.

        A readable rule base has three: "model", its scores; "strongest", the class of the strongest rule; "sentences", the rule
        list. Another one has four: "linear" is ``fidelity``: conditions as printed, each rule with its hidden linear function;
        "strongest" and "vote" are the text alone; "constant" has constant scores per rule (``constants``).
        """
        return self.summaries.readings(self.max_antecedents)

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
        return self.measured.constants[self.summaries.position(self.max_antecedents)]

    @property
    def figures(self) -> Metrics | None:
        """The metrics of the rule base as a whole; None for rules of an epoch."""
        return None if self.measured is None else metrics_of(self.rules, self.measured, self.redundancy, self.max_antecedents)

    @property
    def uncovered(self) -> tuple[int, int] | None:
        """Of how many rows no sentence is true, and of how many; None for rules of an epoch. The rows are the test rows, else the
        training rows (``evaluated_on``).
        """
        return self.summaries.uncovered(self.max_antecedents)

    @property
    def uncovered_text(self) -> str:
        """The same in words; "" for rules of an epoch."""
        if self.uncovered is None:
            return ""
        return uncovered_text(*self.uncovered, self.evaluated_on, zero_order=self.summaries.zero_order)

    def uncovered_rows(self, X: Rows) -> np.ndarray:
        """The positions of the raw rows X of which no sentence is true, rising: where no rule's printed conditions all hold."""
        alive = [rule for rule in self.rules if not rule.dead]
        return np.flatnonzero(~true_sentences(read_rules(self.source), alive, self._encoded(X)).any(1))

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
        return self.summaries.texts(self.max_antecedents)[1]

    @property
    def introduction(self) -> str:
        """``measured_text``; for a readable rule base also in which order the sentences alone decide."""
        listed = self.rule_list
        return self.measured_text if listed is None else f"{self.measured_text}\n{listed.order_text}"

    @property
    def heading(self) -> str:
        """``measured_text`` without what ``readings`` and ``uncovered`` say, for where these are shown beside it."""
        return self.summaries.texts(self.max_antecedents, with_readings=False)[1]

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
            "rules": written(self.rules, tuple[Rule, ...]),
        }

    def _encoded(self, X: Rows) -> np.ndarray:
        if self.encode is None:
            raise SettingError("This summary has no encoder; pass encoded rows to predict_index instead.")
        return self.encode(X)


def _as_array(classes: list[Label]) -> np.ndarray:
    alike = len({type(c) for c in classes}) == 1  # NumPy would turn [1, "a"] into two strings
    return np.array(classes, None if alike else object)
