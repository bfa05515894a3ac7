"""MeasuredRuleBase: all that is measured of a rule base at every length, as it is kept with the rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.intervals import rows_alone
from tsk_core.explain.counting import Counted
from tsk_core.explain.describing import Described
from tsk_core.explain.exported import ExportedRules, RuleArrays, entropy, is_zero_order, read_rules, rule_outputs, scores
from tsk_core.explain.fidelity import Lengths, fit_constants, measure_lengths, steps_of
from tsk_core.explain.measures import evenly_spaced, jaccard
from tsk_core.explain.readable import READABLE, Readable, measure_readable
from tsk_core.explain.rule import Rule
from tsk_core.explain.shapes import OrNull
from tsk_core.model.firing import log_membership

# What a rule base does as a whole: overlap and conflict of its rules, entropy, robustness, and how much the rules matter.


MOST_ROWS = 2_000  # that robustness and what the rules matter are measured on
NOISE = 0.1  # standard deviations of a column


def of_firing(firing: np.ndarray) -> dict[str, float | None]:
    """Metrics of the firing levels (n, R) on training rows.

    "entropy": mean firing entropy as a share of log R; None for one rule. "effective": how many rules decide a row, mean of
    exp(entropy).
    """
    each, n_rules = entropy(firing), firing.shape[1]
    return {"entropy": float(each.mean() / np.log(n_rules)) if n_rules > 1 else None, "effective": float(np.exp(each).mean())}


def of_rules(rules: tuple[Rule, ...], redundancy: np.ndarray) -> dict[str, float | None]:
    """Metrics of the rules as printed. redundancy: (R, R), in the order of the model.

    "overlap": mean co-firing of two rules that fire; "redundant": the largest of two that name the same class first;
    "conflict": the largest of two that name different ones; None without such a pair. "literal": share of rules at whose centre
    the whole system says a class that they name; None where no claims were measured. "named": share of rules that name one class.
    """
    alive = [rule for rule in rules if not rule.dead]
    at, names = [rule.index - 1 for rule in alive], np.array([str(rule.conclusion) for rule in alive], object)
    upper = np.triu_indices(len(alive), 1)  # each pair once
    shared, alike = redundancy[np.ix_(at, at)][upper], (names[:, None] == names)[upper]
    claims = [rule.literal for rule in alive if rule.literal is not None]
    return {
        "overlap": float(shared.mean()) if len(shared) else None,
        "redundant": float(shared[alike].max()) if alike.any() else None,
        "conflict": float(shared[~alike].max()) if (~alike).any() else None,
        "literal": float(np.mean(claims)) if claims else None,
        "named": float(np.mean([rule.clear for rule in alive])) if alive else None,
    }


def of_rows(source: ExportedRules, support: np.ndarray, Z: np.ndarray, true: np.ndarray | None) -> dict[str, float | None]:
    """Metrics of the full model on rows Z (N, D), at most 2,000 of them. support: (R,) mean f̄ on the training rows.

    "changed": share of rows whose class changes when every row's firing levels are replaced by their means. "matter": the model's
    accuracy, less its accuracy with these; "matter_low", "matter_high": its paired 95% interval over rows; None without classes.
    "robustness": share of rows whose class stays the same when a tenth of each column's spread is added as noise.
    """
    rows = evenly_spaced(len(Z), MOST_ROWS)
    Z, full = Z[rows], scores(source, Z[rows]).argmax(1)
    fixed = held_fixed(source, support, Z)
    matter: tuple[float, ...] | list[None] = [None] * 3
    if true is not None:
        matter = paired_differences(true[rows], full, fixed, rows_alone(len(rows)), seed=0)["rca"]
    return {
        "changed": float((full != fixed).mean()),
        **dict(zip(("matter", "matter_low", "matter_high"), matter, strict=True)),
        "robustness": float((full == scores(source, shaken(source, Z)).argmax(1)).mean()),
    }


def held_fixed(source: ExportedRules, support: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """The classes (N,) that the model predicts where every row has the mean firing levels: one linear function per class."""
    weights = read_rules(source).score_weights(support)
    return np.einsum("r,nrc->nc", weights, rule_outputs(source, Z)).argmax(1)


def shaken(source: ExportedRules, Z: np.ndarray) -> np.ndarray:
    """The rows with normal noise on number columns, of a tenth of each column's standard deviation over these rows."""
    numbers = np.array([column["kind"] == "number" and "levels" not in column for column in read_rules(source).columns], bool)
    noise = np.random.default_rng(0).normal(size=Z.shape)
    return Z + np.where(numbers, NOISE * Z.std(0), 0.0) * noise


# The terms of a rule base: the memberships of number columns that the printed conditions use.
#
# Distinguishability of a feature is 1 − the largest Jaccard similarity Σ min / Σ max of two of its terms (Setnes, Babuška, Kaymak
# and van Nauta Lemke 1998), on a grid even in rank over the training values. Two terms that are equal count once.
# ε-completeness: how much the best term of a feature holds for a value.


GRID = 100
HOLDS = 0.5


class Terms:
    """The terms of a rule base at several lengths. Z: (N, D) training rows. What a longer rule base shares is computed once."""

    def __init__(self, arrays: RuleArrays, Z: np.ndarray) -> None:
        self._arrays = arrays
        self._grid = cache(lambda d: np.quantile(Z[:, d], np.linspace(0, 1, GRID)))
        self._of_feature = cache(self._measured)

    def metrics(self, uses: Iterable[tuple[int, int]]) -> dict[str, float | None]:
        """Metrics of the terms that (rule, column) pairs use.

        "features": number columns with terms. "terms": mean number a feature. "distinguishability": mean over the features with
        at least two terms, None without one; "distinguishability_least": the smallest. "completeness": share of (row, feature)
        pairs where the feature's best term holds at least ½, None without terms; "epsilon": the smallest best membership.
        """
        used: dict[int, set[int]] = {}
        for r, d in uses:
            used.setdefault(d, set()).add(r)
        features = [self._of_feature(d, frozenset(rules)) for d, rules in sorted(used.items())]
        apart = [feature[1] for feature in features if feature[1] is not None]
        return {
            "features": float(len(features)),
            "terms": float(np.mean([feature[0] for feature in features])) if features else 0.0,
            "distinguishability": float(np.mean(apart)) if apart else None,
            "distinguishability_least": float(min(apart)) if apart else None,
            "completeness": float(np.mean([feature[2] for feature in features])) if features else None,
            "epsilon": float(min(feature[3] for feature in features)) if features else None,
        }

    def _measured(self, d: int, rules: frozenset[int]) -> tuple[int, float | None, float, float]:
        """Of one feature: number of terms, distinguishability, share of values that are covered, least best membership."""
        pairs = {(float(self._arrays.centers[r, d]), float(self._arrays.sigmas[r, d])) for r in rules}
        centers, sigmas = np.array(sorted(pairs)).T
        with np.errstate(over="ignore", under="ignore"):
            on_grid = np.exp(log_membership(self._grid(d), centers[:, None], sigmas[:, None]))  # (T, G)
        apart = None if len(pairs) < 2 else 1 - float((jaccard(on_grid, of_nothing=1.0) - np.eye(len(pairs))).max())
        best = on_grid.max(0)
        return len(pairs), apart, float((best >= HOLDS).mean()), float(best.min())


MEASURED = {  # the shape of ``MeasuredRuleBase.to_dict``, as ``shapes.check`` reads it
    "fidelity": {str: [float]},
    "accuracy": {str: [float]},
    "constants": OrNull([[[float]]]),
    "uncovered": [int],
    "n_rows": int,
    "terms": [{str: float | None}],
    "whole": {str: float | None},
    "readable": OrNull(READABLE),
}


@dataclass(frozen=True, eq=False)
class MeasuredRuleBase:
    """Entry k of what has lengths is with at most k + 1 conditions a rule; L entries. A readable rule base has one, of all
    conditions.

    lengths: the inferences from the text. constants: (L, R, C) constant scores per rule (``fit_constants``), or None.
    uncovered: of how many of ``n_rows`` test rows, else training rows, no sentence is true, (L,). terms: ``Terms.metrics``
    (L,). whole: metrics of the full model (``behaviour``). readable: the readings and the rule list of a readable rule base; None
    for others.
    """

    lengths: Lengths
    constants: np.ndarray | None = field(repr=False)
    uncovered: tuple[int, ...]
    n_rows: int
    terms: tuple[dict[str, float | None], ...]
    whole: dict[str, float | None]
    readable: Readable | None = field(repr=False, default=None)

    def fit(self, n_rules: int, n_classes: int) -> bool:
        """Whether these are metrics of a model with R rules and C classes."""
        if self.readable is not None and not self.readable.fit(n_rules, n_classes):
            return False
        return self.constants is None or self.constants.shape[1:] == (n_rules, n_classes)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values; the rows that measured them had classes."""
        lengths = self.lengths
        return {
            "fidelity": {name: list(values) for name, values in lengths.fidelity.items()},
            "accuracy": {name: list(values or ()) for name, values in lengths.accuracy.items()},
            "constants": None if self.constants is None else self.constants.tolist(),
            "uncovered": list(self.uncovered),
            "n_rows": self.n_rows,
            "terms": [dict(metrics) for metrics in self.terms],
            "whole": dict(self.whole),
            "readable": None if self.readable is None else self.readable.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any], full_accuracy: float) -> "MeasuredRuleBase":
        """What ``to_dict`` returned, of the shape ``MEASURED``; KeyError or ValueError where its lengths differ."""
        fidelity: dict[str, tuple[float, ...]] = {name: tuple(shares) for name, shares in values["fidelity"].items()}
        accuracy: dict[str, tuple[float, ...]] = {name: tuple(shares) for name, shares in values["accuracy"].items()}
        n_lengths = {
            len(by_length) for by_length in (*fidelity.values(), *accuracy.values(), values["uncovered"], values["terms"])
        }
        constants = None if values["constants"] is None else np.array(values["constants"], float)
        if constants is not None:
            n_lengths.add(len(constants))
        if len(n_lengths) != 1 or fidelity.keys() != accuracy.keys() or "linear" not in fidelity:
            raise ValueError("not one value for each length")
        if not all(0 <= rows <= values["n_rows"] for rows in values["uncovered"]):
            raise ValueError("more rows without a true sentence than rows")
        if values["n_rows"] < 1 or (constants is not None and constants.ndim != 3):
            raise ValueError("no rows, or scores of another shape")
        lengths = Lengths(fidelity, {**accuracy}, full_accuracy)
        parts = tuple(values["uncovered"]), values["n_rows"], tuple(values["terms"]), dict(values["whole"])
        readable = None if values["readable"] is None else Readable.from_dict(values["readable"])
        return cls(lengths, constants, *parts, readable)


def measure(
    source: ExportedRules,
    rules: tuple[Rule, ...],
    described: Described,
    Z: np.ndarray,
    true: np.ndarray | None,
    counted: Counted,
) -> MeasuredRuleBase:
    """Measure a rule base. rules: those of ``described`` with their counts; it has the training rows. Z, true: the rows that
    inferences are measured on, (N, D) and (N,) class positions, None where they are unknown. counted: of the same rows, or of
    more of them.
    """
    arrays = read_rules(source)
    support, readable, constants = described.firing.mean(0), None, None
    kept = slice(None)
    if is_zero_order(arrays):
        readable, kept = measure_readable(source, rules, (described.Z, described.y_index), (Z, true)), slice(-1, None)
        lengths = _one_length(readable)
    else:
        constants = fit_constants(source, rules, described.Z)
        lengths = measure_lengths(source, rules, Z, true, constants)
    return MeasuredRuleBase(
        lengths=lengths,
        constants=constants,
        uncovered=counted.uncovered[kept],
        n_rows=counted.n_rows,
        terms=tuple(map(Terms(arrays, described.Z).metrics, _uses(arrays, rules)[kept])),
        whole={**of_firing(described.firing), **of_rows(source, support, Z, true)},
        readable=readable,
    )


def measure_rows(
    before: MeasuredRuleBase,
    source: ExportedRules,
    rules: tuple[Rule, ...],
    Z: np.ndarray,
    true: np.ndarray | None,
    counted: Counted,
) -> MeasuredRuleBase:
    """The same with the inferences, and what else rows decide, measured on other rows. rules: with all their conditions.
    counted: of these rows.
    """
    kept = slice(None) if before.readable is None else slice(-1, None)
    before = replace(before, uncovered=counted.uncovered[kept], n_rows=counted.n_rows)
    support = np.zeros(len(rules))
    for rule in rules:
        support[rule.index - 1] = rule.support
    whole = {**before.whole, **of_rows(source, support, Z, true)}
    if before.readable is not None:
        readable = before.readable.measured_on(source, rules, Z, true)
        return replace(before, lengths=_one_length(readable), whole=whole, readable=readable)
    return replace(before, lengths=measure_lengths(source, rules, Z, true, before.constants), whole=whole)


def _one_length(readable: Readable) -> Lengths:
    """The model and the strongest rule, with all conditions."""
    model, strongest = readable.readings["model"], readable.readings["strongest"]
    return Lengths(
        fidelity={"linear": (model.fidelity,), "strongest": (strongest.fidelity,)},
        accuracy={
            name: None if reading.rca is None else (reading.rca,)
            for name, reading in (("linear", model), ("strongest", strongest))
        },
        full_accuracy=model.rca,
    )


def _uses(arrays: RuleArrays, rules: tuple[Rule, ...]) -> list[list[tuple[int, int]]]:
    """The (rule, number column) pairs of the rules that fire, at each length."""
    dead = {rule.index - 1 for rule in rules if rule.dead}
    numbers = {d for d, column in enumerate(arrays.columns) if column["kind"] == "number" and "levels" not in column}
    uses: list[list[tuple[int, int]]] = []
    for step in steps_of(arrays, rules, printed=True):
        new = [(r, d) for r, columns in step for d in columns if r not in dead and d in numbers]
        uses.append([*(uses[-1] if uses else []), *new])
    return uses
