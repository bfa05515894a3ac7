"""RuleBaseSummary: a trained rule base as a person reads it, and how far that reading can be trusted.

Long rules are shortened to the antecedents that say most. A shortened base is another model, so the book measures how
often it decides as the full one does (fidelity) and how often it is right (accuracy), and prints both first.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tsk_core.errors import DataError, SettingError
from tsk_core.explain import measures
from tsk_core.explain.antecedents import antecedents, flatness, keep, units
from tsk_core.explain.consequents import column_text, consequents
from tsk_core.explain.digits import percent
from tsk_core.explain.html import to_html
from tsk_core.explain.labels import Partition, words_of
from tsk_core.explain.reader import RuleArrays, check_rows, firing_levels, read_rules, scores
from tsk_core.explain.rule import Rule

__all__ = ["MOST_ROWS", "RuleBaseSummary", "measured_text"]

MOST_ROWS = 20_000  # training rows that support, flatness and the other averages are taken over, as in ``Epoch``


@dataclass(frozen=True, eq=False)
class RuleBaseSummary:
    """A readable rule base; make one with ``RuleBaseSummary.build``.

    rules: by support, largest first; dead ones are last. classes: (C,) what ``predict`` returns.
    source: the full exported rules. mask: (R, D) bool, the antecedents kept, rules in the export's order.
    fidelity: share of evaluation rows that the shortened base decides as the full one does.
    accuracy, full_accuracy: share of evaluation rows decided rightly by either; None without their classes.
    evaluated_on: "test rows" or "training rows". redundancy: (R, R), rules in the export's order.
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
        most_rows: int = MOST_ROWS,
    ) -> "RuleBaseSummary":
        """Describe exported rules on their training rows, and measure the description.

        rules: the exported dictionary. Z: (N, D) training rows in original units, N ≥ 1; y_index: (N,) class positions
        0 … C−1, or None. max_antecedents: ≥ 1, or None for all that say something. Z_eval, y_eval: rows to measure
        fidelity and accuracy on, and their class positions (−1 for a class unknown to the model); the training rows
        without. classes: (C,) what ``predict`` returns, where that is not the export's names.
        encode: raw table → Z, for ``predict``. words: ``words_of`` these rows, to be used for several rule bases.
        most_rows: training rows that averages are taken over, evenly spaced.

        Raises DataError where rows do not fit the rules, SettingError for max_antecedents.
        """
        _check_most(max_antecedents)
        arrays = read_rules(rules)
        Z, y_index = _pair(arrays, Z, y_index, "training")
        evaluated_on = "training rows" if Z_eval is None else "test rows"
        Z_eval, y_eval = (Z, y_index) if Z_eval is None else _pair(arrays, Z_eval, y_eval, "test")

        rows = np.linspace(0, len(Z) - 1, min(len(Z), most_rows)).round().astype(int)
        mask, conditions = _shorten(arrays, Z[rows], words or words_of(Z), max_antecedents)
        firing = firing_levels(rules, Z[rows])
        full, short = scores(rules, Z_eval).argmax(1), scores(rules, Z_eval, mask).argmax(1)
        return cls(
            rules=_rules(arrays, Z, conditions, firing, None if y_index is None else y_index[rows]),
            classes=_as_array(arrays.classes) if classes is None else np.asarray(classes),
            source=rules,
            mask=mask,
            fidelity=float((full == short).mean()),
            accuracy=None if y_eval is None else float((short == y_eval).mean()),
            full_accuracy=None if y_eval is None else float((full == y_eval).mean()),
            evaluated_on=evaluated_on,
            redundancy=measures.redundancy(firing),
            max_antecedents=max_antecedents,
            encode=encode,
        )

    @property
    def shortened(self) -> dict[str, Any]:
        """The shortened base in the export's own format: antecedents that were dropped have sigma null."""
        rules = []
        for rule, kept in zip(self.source["rules"], self.mask, strict=True):
            sigmas = [s if yes else None for s, yes in zip(rule["sigmas"], kept, strict=True)]
            rules.append({**rule, "sigmas": sigmas})
        return {**self.source, "rules": rules}

    def predict_index(self, Z: Any) -> np.ndarray:
        """The shortened base's decisions on encoded rows Z (N, D), as class positions, shape (N,)."""
        return scores(self.source, Z, self.mask).argmax(1)

    def predict(self, X: Any) -> np.ndarray:
        """The shortened base's decisions on raw rows X, as classes, shape (N,)."""
        if self.encode is None:
            raise SettingError("This summary was made without an encoder; pass encoded rows to predict_index instead.")
        return self.classes[self.predict_index(self.encode(X))]

    def __str__(self) -> str:
        """The text a person reads: what was measured, then every rule."""
        return "\n\n".join([self.measured_text, *(str(rule) for rule in self.rules)])

    def _repr_html_(self) -> str:
        """The same as a table, which notebooks show."""
        return to_html(self)

    @property
    def measured_text(self) -> str:
        """Fidelity and accuracy in two or three sentences."""
        whole = bool((self.mask == read_rules(self.source).present).all())
        measured = self.fidelity, self.accuracy, self.full_accuracy, self.evaluated_on
        return measured_text(len(self.rules), self.max_antecedents, whole, *measured)

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

    def to_json(self) -> str:
        """``to_dict`` as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)


def measured_text(
    n_rules: int, most: int | None, whole: bool, fidelity: float, accuracy: float | None, full_accuracy: float | None, on: str
) -> str:
    """What was measured of rules with at most so many conditions. whole: nothing was left out; on: of which rows, in words."""
    each = "" if most is None else f", at most {most} condition{'s' if most != 1 else ''} each"
    lines = [f"{n_rules} rule{'s' if n_rules != 1 else ''}{each}."]
    what, of = "Nothing is left out:" if whole else "Shortened like this,", on if on[0].isdigit() else f"the {on}"
    lines.append(f"{what} they decide {percent(fidelity)} of {of} as the full model does.")
    if accuracy is not None:
        lines.append(f"They are right on {percent(accuracy)} of them; the full model on {percent(full_accuracy)}.")
    return "\n".join(lines)


def _rules(arrays: RuleArrays, Z: np.ndarray, conditions: list, firing: np.ndarray, y_index: np.ndarray | None) -> tuple:
    names = [column_text(column) for column in arrays.columns]
    support, wins, dead = measures.support(firing), measures.wins(firing), measures.is_dead(firing)
    sure = None if y_index is None else measures.confidence(firing, y_index, len(arrays.classes))
    found = []
    for r, then in enumerate(consequents(arrays, Z)):
        known = sure is not None and np.isfinite(sure[r]).all()
        found.append(
            Rule(
                index=r + 1,
                antecedents=conditions[r],
                conclusion=arrays.classes[int(then.scores.argmax())],
                scores=dict(zip(arrays.classes, then.scores.tolist(), strict=True)),
                typical=dict(zip(names, then.typical.tolist(), strict=True)),
                outside=then.outside,
                movers=then.movers,
                support=float(support[r]),
                wins=float(wins[r]),
                confidence=dict(zip(arrays.classes, sure[r].tolist(), strict=True)) if known else None,
                dead=bool(dead[r]),
            )
        )
    return tuple(sorted(found, key=lambda rule: -rule.support))


def _shorten(arrays: RuleArrays, Z: np.ndarray, words: Callable[[int], Partition], most: int | None) -> tuple[np.ndarray, list]:
    """The antecedents kept, as a mask (R, D) and as R tuples of ``Antecedent``. Z: the rows that flatness is measured on."""
    parts = units(arrays.columns)
    flat = flatness(arrays, Z, parts)
    kept = keep(arrays, parts, flat, most)
    mask = np.zeros(arrays.sigmas.shape, bool)
    for u, unit in enumerate(parts):
        mask[:, list(unit.columns)] = kept[:, [u]]
    return mask & arrays.present, antecedents(arrays, words, parts, flat, kept)


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
