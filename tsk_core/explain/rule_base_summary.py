"""RuleBaseSummary: the readable rules of a trained model, and how faithfully they describe it.

Long rules are shortened to their least flat antecedents. The shortened rule base is another model, so its summary measures how
often both predict the same class (fidelity) and how often that class is right (accuracy), and prints these first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tsk_core.epoch import hardly_fires, never_fires
from tsk_core.errors import DataError, SettingError
from tsk_core.explain import measures
from tsk_core.explain.antecedents import LONGEST, antecedents, flatness, keep, units, with_notes
from tsk_core.explain.consequents import column_text, consequents
from tsk_core.explain.digits import percent
from tsk_core.explain.html import to_html
from tsk_core.explain.labels import Partition, words_of
from tsk_core.explain.reader import RuleArrays, check_rows, firing_levels, read_rules, scores
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import memberships, true_of

__all__ = ["MOST_ROWS", "RuleBaseSummary", "measured_text"]

MEANING = (
    "A TSK rule scores each class by a linear function of the features;"
    " THEN names the class with the highest score at its centre."
)
MOST_ROWS = 20_000  # training rows that support, flatness and the other averages are taken over, evenly spaced


@dataclass(frozen=True, eq=False)
class RuleBaseSummary:
    """Readable rules and what was measured; ``RuleBaseSummary.build`` makes one.

    rules: by support, largest first, so dead rules are last. classes: (C,) those that ``predict`` returns.
    source: the exported rules. mask: (R, D) bool, the antecedents kept, rules in the order of ``source``.
    fidelity: share of evaluation rows for which the shortened rules predict the same class as the full model, in [0, 1].
    accuracy, full_accuracy: share of evaluation rows that either predicts correctly; None without their classes.
    evaluated_on: which rows these are, such as "test rows", "training rows" or "500 of the test rows".
    redundancy: (R, R), rules in the order of ``source``. max_antecedents: the bound for each rule; None for no bound.
    encode: raw table → (N, D) rows in original units, for ``predict``.
    """

    rules: tuple[Rule, ...]
    classes: np.ndarray
    source: dict[str, Any] = field(repr=False)
    mask: np.ndarray = field(repr=False)
    fidelity: float
    accuracy: float | None
    full_accuracy: float | None
    evaluated_on: str
    redundancy: np.ndarray = field(repr=False)
    max_antecedents: int | None
    encode: Callable[[Any], np.ndarray] | None = field(repr=False, default=None)

    @classmethod
    def build(
        cls,
        rules: dict[str, Any],
        Z: Any,
        y_index: Any = None,
        *,
        max_antecedents: int | None = 5,
        Z_eval: Any = None,
        y_eval: Any = None,
        classes: Any = None,
        encode: Callable[[Any], np.ndarray] | None = None,
        words: Callable[[int], Partition] | None = None,
        missing: Mapping[str, np.ndarray] | None = None,
        most_rows: int = MOST_ROWS,
    ) -> "RuleBaseSummary":
        """Summarise exported rules on their training rows, and measure the shortened rules.

        rules: the exported dictionary. Z: (N, D) training rows in original units, N ≥ 1. y_index: (N,) class positions
        0 … C−1, or None. max_antecedents: ≥ 1, or None to keep every antecedent that restricts its feature.
        Z_eval, y_eval: rows to measure fidelity and accuracy on, and their class positions (−1 for a class unknown to the
        model); default: the training rows. classes: (C,) those that ``predict`` returns; default: the export's names.
        encode: raw table → Z, for ``predict``. words: ``words_of(Z)``, where several rule bases share it.
        missing: feature -> bool (N,), which rows of Z lack its value; features that no row lacks may be left out.
        most_rows: averages are taken over at most this many evenly spaced training rows.

        Raises DataError where rows do not fit the rules, SettingError for max_antecedents.
        """
        _check_most(max_antecedents)
        arrays = read_rules(rules)
        Z, y_index = _pair(arrays, Z, y_index, "training")
        evaluated_on = "training rows" if Z_eval is None else "test rows"
        Z_eval, y_eval = (Z, y_index) if Z_eval is None else _pair(arrays, Z_eval, y_eval, "test")

        rows = measures.evenly_spaced(len(Z), most_rows)
        firing, y_rows = firing_levels(rules, Z[rows]), None if y_index is None else y_index[rows]
        dead = never_fires(measures.support(firing), len(firing))
        mask, conditions = _shorten(arrays, Z[rows], words or words_of(Z), max_antecedents, dead)
        if missing:
            shares = {name: measures.share_of(firing, lacks[rows]) for name, lacks in missing.items()}
            conditions = with_notes(conditions, shares, arrays.columns)
        return cls(
            rules=_rules(arrays, Z, rows, conditions, firing, y_rows),
            classes=_as_array(arrays.classes) if classes is None else np.asarray(classes),
            source=rules,
            mask=mask,
            evaluated_on=evaluated_on,
            redundancy=measures.redundancy(firing),
            max_antecedents=max_antecedents,
            encode=encode,
            **_measure(rules, mask, Z_eval, y_eval),
        )

    def measured_on(self, Z: Any, y_index: Any = None) -> "RuleBaseSummary":
        """The same rules, measured on test rows Z (N, D) with class positions y_index (N,), as ``build`` takes them."""
        measured = _measure(self.source, self.mask, *_pair(read_rules(self.source), Z, y_index, "test"))
        return replace(self, evaluated_on="test rows", **measured)

    @property
    def shortened(self) -> dict[str, Any]:
        """The shortened rules in the format of ``source``: antecedents that were left out have sigma null."""
        rules = []
        for rule, kept in zip(self.source["rules"], self.mask, strict=True):
            sigmas = [s if yes else None for s, yes in zip(rule["sigmas"], kept, strict=True)]
            rules.append({**rule, "sigmas": sigmas})
        return {**self.source, "rules": rules}

    def predict_index(self, Z: Any) -> np.ndarray:
        """The classes that the shortened rules predict for encoded rows Z (N, D), as positions, shape (N,)."""
        return scores(self.source, Z, self.mask).argmax(1)

    def predict(self, X: Any) -> np.ndarray:
        """The classes that the shortened rules predict for raw rows X, shape (N,)."""
        if self.encode is None:
            raise SettingError("This summary has no encoder; pass encoded rows to predict_index instead.")
        return self.classes[self.predict_index(self.encode(X))]

    def __str__(self) -> str:
        """``measured_text``, then every rule."""
        return "\n\n".join([self.measured_text, *(str(rule) for rule in self.rules)])

    def _repr_html_(self) -> str:
        """The same as a table, for notebooks."""
        return to_html(self.measured_text, self.rules)

    @property
    def measured_text(self) -> str:
        """Fidelity and accuracy in two or three sentences."""
        complete = bool((self.mask == read_rules(self.source).present).all())
        measured = self.fidelity, self.accuracy, self.full_accuracy, self.evaluated_on
        return measured_text(len(self.rules), self.max_antecedents, complete, *measured)

    def to_frame(self) -> Any:
        """A pandas DataFrame, one row per rule, in the order of ``rules``."""
        import pandas as pd

        frame = pd.DataFrame(
            {
                "rule": [r.index for r in self.rules],
                "text": [r.text for r in self.rules],
                "conclusion": [r.conclusion for r in self.rules],
                "support": [r.support for r in self.rules],
                "wins": [r.wins for r in self.rules],
                "confidence": [np.nan if r.confidence is None else r.confidence[r.conclusion] for r in self.rules],
                "dead": [r.dead for r in self.rules],
                "clear": [r.clear for r in self.rules],
            }
        )
        each = {f"score: {c}": [r.scores[c] for r in self.rules] for c in self.source["classes"]}
        return pd.concat([frame, pd.DataFrame(each)], axis=1)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values: what was measured and every rule."""
        return {
            "classes": list(self.source["classes"]),
            "max_antecedents": self.max_antecedents,
            "evaluated_on": self.evaluated_on,
            "fidelity": self.fidelity,
            "accuracy": self.accuracy,
            "full_accuracy": self.full_accuracy,
            "redundancy": self.redundancy.tolist(),
            "rules": [rule.to_dict() for rule in self.rules],
        }


def measured_text(
    n_rules: int,
    max_antecedents: int | None,
    complete: bool,
    fidelity: float,
    accuracy: float | None,
    full_accuracy: float | None,
    evaluated_on: str,
) -> str:
    """Fidelity and accuracy in two or three lines, and what THEN means.

    complete: whether no antecedent was left out; the rest as in the summary.
    """
    plural = "" if max_antecedents == 1 else "s"
    each = "" if max_antecedents is None else f", at most {max_antecedents} condition{plural} each"
    lines = [f"{n_rules} rule{'' if n_rules == 1 else 's'}{each}."]
    number, _, of = evaluated_on.partition(" of the ")
    rows = f"{number} sampled {of}" if of else evaluated_on
    share = f"all {rows}" if fidelity == 1 else f"{percent(fidelity)} of {'' if of else 'the '}{rows}"
    they = "No condition is left out, and they agree" if complete else "Shortened, they agree"
    lines.append(f"{they} with the full model on {share}.")
    if accuracy is not None:
        lines.append(f"Their accuracy is {percent(accuracy)}; the full model's is {percent(full_accuracy)}.")
    lines.append(MEANING)
    return "\n".join(lines)


def _measure(rules: dict[str, Any], mask: np.ndarray, Z: np.ndarray, y_index: np.ndarray | None) -> dict[str, float | None]:
    """Fidelity and accuracy of the masked rules, and accuracy of the full rules."""
    full, short = scores(rules, Z).argmax(1), scores(rules, Z, mask).argmax(1)
    return {
        "fidelity": float((full == short).mean()),
        "accuracy": None if y_index is None else float((short == y_index).mean()),
        "full_accuracy": None if y_index is None else float((full == y_index).mean()),
    }


def _rules(
    arrays: RuleArrays, Z: np.ndarray, rows: np.ndarray, conditions: list, firing: np.ndarray, y_index: np.ndarray | None
) -> tuple:
    """The rules by support. firing, y_index: of the training rows Z[rows]."""
    names = [column_text(column) for column in arrays.columns]
    support, wins = measures.support(firing), measures.wins(firing)
    dead, idle = never_fires(support, len(firing)), hardly_fires(support, len(firing))
    then, parts = consequents(arrays, Z, firing, rows), units(arrays.columns)
    conclusions = np.array([int(one.scores.argmax()) for one in then])
    sure, base_rates, clear = None, None, np.ones(len(then), bool)
    if y_index is not None:
        sure = measures.confidence(firing, y_index, len(arrays.classes))
        base_rates = np.bincount(y_index, minlength=len(arrays.classes)) / len(y_index)
        clear = measures.clear(sure, base_rates, conclusions)
    found, chosen = [], Z[rows]
    for r, one in enumerate(then):
        known = sure is not None and np.isfinite(sure[r]).all()
        c = conclusions[r]
        found.append(
            Rule(
                index=r + 1,
                antecedents=conditions[r],
                conclusion=arrays.classes[c],
                scores=dict(zip(arrays.classes, one.scores.tolist(), strict=True)),
                typical=dict(zip(names, one.typical.tolist(), strict=True)),
                outside=one.outside,
                movers=one.movers,
                support=float(support[r]),
                wins=float(wins[r]),
                confidence=dict(zip(arrays.classes, sure[r].tolist(), strict=True)) if known else None,
                dead=bool(dead[r]),
                idle=bool(idle[r]),
                clear=bool(clear[r]),
                base_rate=None if base_rates is None else float(base_rates[c]),
                true_of=true_of(memberships(arrays, r, conditions[r], chosen, parts), y_index, c),
                n_rows=len(rows),
            )
        )
    return tuple(sorted(found, key=lambda rule: -rule.support))


def _shorten(
    arrays: RuleArrays, Z: np.ndarray, words: Callable[[int], Partition], most: int | None, dead: np.ndarray
) -> tuple[np.ndarray, list]:
    """The antecedents kept, as a mask (R, D) and as R tuples of ``Antecedent``. Z: the rows that flatness is measured on.

    The words are those of the longest rules, so that a rule has the same words at every length.
    """
    parts = units(arrays.columns)
    flat = flatness(arrays, Z, parts)
    kept = keep(arrays, parts, flat, most)
    mask = np.zeros(arrays.sigmas.shape, bool)
    for u, unit in enumerate(parts):
        mask[:, list(unit.columns)] = kept[:, [u]]
    longest = kept if most is None else keep(arrays, parts, flat, max(most, LONGEST))
    texts = antecedents(arrays, words, parts, flat, longest, dead)
    return mask & arrays.present, [found[:most] for found in texts]


def _pair(arrays: RuleArrays, Z: Any, y_index: Any, which: str) -> tuple[np.ndarray, np.ndarray | None]:
    Z = check_rows(Z, arrays)
    if not len(Z):
        raise DataError(f"Expected at least 1 {which} row to measure the rules on, got none.")
    if y_index is None:
        return Z, None
    y_index = np.asarray(y_index)
    if y_index.shape != (len(Z),):
        raise DataError(f"Expected one class for each of the {len(Z)} {which} rows, got shape {y_index.shape}.")
    return Z, y_index


def _check_most(most: Any) -> None:
    if most is not None and (isinstance(most, bool) or not hasattr(most, "__index__") or most < 1):
        raise SettingError(f"max_antecedents is {most!r}; it must be a whole number of at least 1, or None for all.")


def _as_array(classes: list[Any]) -> np.ndarray:
    alike = len({type(c) for c in classes}) == 1  # NumPy would turn [1, "a"] into two strings
    return np.array(classes, None if alike else object)
