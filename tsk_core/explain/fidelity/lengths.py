"""Fidelity and accuracy of rules shortened to 1, 2, … antecedents, for each method of inference, in one pass over the rows.

A rule's log firing level is a sum over its antecedents, so each length adds one antecedent per rule to the length before.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from tsk_core.data.some_rows import row_blocks
from tsk_core.explain.antecedents import LONGEST, units_of
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.fidelity.inference import INFERENCES, Inference
from tsk_core.explain.reader import BLOCK, LOWEST, RuleArrays, read_rules, rule_outputs, scores
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import unit_of
from tsk_core.model.firing import log_firing

__all__ = ["Lengths", "blocks", "levels_by_length", "mask_of", "measure_lengths", "normalised", "says_of", "steps_of"]


@dataclass(frozen=True)
class Lengths:
    """What was measured at each length; entry k has at most k + 1 antecedents, L entries, at least 1.

    fidelity, accuracy: shares by the name of the method (``INFERENCES``), (L,) each. "constant" is missing where no scores were
    fitted. The accuracies are None where the rows' classes are unknown, and so is full_accuracy, of the full model.
    """

    fidelity: dict[str, tuple[float, ...]]
    accuracy: dict[str, tuple[float, ...] | None]
    full_accuracy: float | None

    @property
    def longest(self) -> int:
        """L, the most antecedents that any rule has, at least 1."""
        return len(self.fidelity["linear"])

    def position(self, most: int | None) -> int:
        """Where the shares of the rules with at most this many antecedents stand; None: with all."""
        return (self.longest if most is None else min(most, self.longest)) - 1

    def inferences(self, most: int | None, evaluated_on: str) -> tuple[Inference, ...]:
        """All methods with at most this many antecedents; None: with all that were measured."""
        at = self.position(most)
        inferences = []
        for name in INFERENCES:
            if name in self.fidelity:
                accuracy = self.accuracy[name]
                right = None if accuracy is None else accuracy[at]
                inferences.append(Inference(name, self.fidelity[name][at], right, evaluated_on))
        return tuple(inferences)


def measure_lengths(
    source: ExportedRules,
    rules: tuple[Rule, ...],
    Z: np.ndarray,
    true: np.ndarray | None,
    constants: np.ndarray | None = None,
    *,
    printed: bool = True,
) -> Lengths:
    """Compare the rules at every length with the full model and with the true classes.

    source: the exported rules. rules: the same with their antecedents, least flat first. Z: (N, D) rows in original units.
    true: (N,) class positions, −1 for a class unknown to the model; None where they are unknown. constants: (L, R, C) from
    ``fit_constants``. printed: whether to measure other methods than "linear".
    """
    arrays, full = read_rules(source), scores(source, Z).argmax(1)
    says = [says_of(arrays, rules, at + 1) for at in range(LONGEST)] + [says_of(arrays, rules)]  # with all
    names = ["linear", *(("strongest", "vote") if printed else ()), *(("constant",) if printed and constants is not None else ())]
    steps, text = steps_of(arrays, rules), steps_of(arrays, rules, printed=True)
    longest = len(steps)
    same, right = ({name: np.zeros(longest, int) for name in names} for _ in range(2))
    for rows in blocks(arrays, len(Z)):
        outputs = rule_outputs(source, Z[rows])
        levels = levels_by_length(arrays, steps, Z[rows])
        told = levels_by_length(arrays, text, Z[rows]) if printed else repeat(None)
        for at, (z, read) in enumerate(zip(levels, told, strict=False)):
            inferred = {"linear": _linear(arrays, z, outputs)}
            if read is not None:
                inferred |= _as_printed(
                    arrays.levels(read), says[at], len(arrays.classes), None if constants is None else constants[at]
                )
            for name, classes in inferred.items():
                same[name][at] += (classes == full[rows]).sum()
                if true is not None:
                    right[name][at] += (classes == true[rows]).sum()
    return Lengths(
        fidelity={name: tuple((same[name] / len(Z)).tolist()) for name in names},
        accuracy={name: None if true is None else tuple((right[name] / len(Z)).tolist()) for name in names},
        full_accuracy=None if true is None else float((full == true).mean()),
    )


def mask_of(arrays: RuleArrays, rules: tuple[Rule, ...]) -> np.ndarray:
    """The antecedents that the rules have, (R, D) bool; of a complete rule all those of the model."""
    mask = np.zeros(arrays.sigmas.shape, bool)
    for step in steps_of(arrays, rules):
        for r, columns in step:
            mask[r, columns] = True
    return mask


def says_of(arrays: RuleArrays, rules: tuple[Rule, ...], most: int | None = None) -> np.ndarray:
    """The class that each rule's text names, or names first, with at most ``most`` conditions, as a position; −1 for a rule that
    never fires: int (R,).
    """
    says = np.full(arrays.n_rules, -1)
    for rule in rules:
        says[rule.index - 1] = -1 if rule.dead else arrays.classes.index(rule.shortened(most).conclusion)
    return says


def blocks(arrays: RuleArrays, n_rows: int) -> Iterator[slice]:
    """Slices of the rows for which the rules' outputs fit into memory at once."""
    return row_blocks(n_rows, arrays.n_rules * len(arrays.classes), BLOCK)


def levels_by_length(arrays: RuleArrays, steps: list[list[tuple[int, list[int]]]], Z: np.ndarray) -> Iterator[np.ndarray]:
    """Log firing levels (N, R) with at most 1, 2, … antecedents; one array, changed from one length to the next. steps: from
    ``steps_of``.
    """
    z = np.tile(arrays.log_weight, (len(Z), 1))
    for step in steps:
        for r, columns in step:
            with np.errstate(over="ignore"):
                z[:, r] += log_firing(Z[:, columns], arrays.centers[r, columns], arrays.sigmas[r, columns])
        yield z


def normalised(z: np.ndarray, says: np.ndarray) -> np.ndarray:
    """Firing levels of the printed rules, which sum to 1 over those that fire, (N, R). says: from ``says_of``."""
    z = np.where(says >= 0, np.maximum(z, LOWEST), 2 * LOWEST)
    firing = np.exp(z - z.max(1, keepdims=True))
    return firing / firing.sum(1, keepdims=True)


def _as_printed(z: np.ndarray, says: np.ndarray, n_classes: int, constants: np.ndarray | None) -> dict[str, np.ndarray]:
    """What each inference from the text alone says of the rows, (N,) classes; −1 for "strongest" where no rule fires at all."""
    firing = normalised(z, says)
    strongest = np.where(says >= 0, np.maximum(z, LOWEST), 2 * LOWEST).argmax(1)
    inferred = {"strongest": says[strongest], "vote": (firing @ (says[:, None] == np.arange(n_classes))).argmax(1)}
    if constants is not None:
        inferred["constant"] = (firing @ constants).argmax(1)
    return inferred


def _linear(arrays: RuleArrays, z: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """The class with the largest score, (B,). z: (B, R) log firing levels; outputs: (B, R, C).

    Normalisation divides all scores of a row by the same number, which does not change the largest, so it is left out where no
    layer normalisation follows.
    """
    if arrays.layer is not None:
        return np.einsum("br,brc->bc", arrays.score_weights(arrays.firing(z)), outputs).argmax(1)
    z = np.maximum(arrays.levels(z), LOWEST)
    top = z.max(1, keepdims=True)
    firing = np.exp(z - top)
    if arrays.epsilon:  # "paper": where all rules underflow, all scores are 0
        firing *= np.exp(np.minimum(top, 0.0))
    return np.einsum("br,brc->bc", firing, outputs).argmax(1)


def steps_of(arrays: RuleArrays, rules: Iterable[Rule], *, printed: bool = False) -> list[list[tuple[int, list[int]]]]:
    """What each length adds to the length before, (rule, columns of the antecedent): as many lists as lengths, at least 1.

    Beyond 12 conditions there is one length more, of all conditions. With its last condition, a complete rule also gets the
    antecedents that exclude no training row, so that it is the model's; not where only what is ``printed`` counts.
    """
    units, rules = units_of(arrays.columns), tuple(rules)
    longest = max((len(rule.antecedents) for rule in rules), default=0)
    steps: list[list[tuple[int, list[int]]]] = [[] for _ in range(max(1, min(longest, LONGEST + 1)))]
    for rule in rules:
        r = rule.index - 1
        for at, antecedent in enumerate(rule.antecedents):
            columns = unit_of(antecedent, units).columns
            steps[min(at, LONGEST)].append((r, [d for d in columns if arrays.present[r, d]]))
        if rule.complete and not printed:
            named = {d for antecedent in rule.antecedents for d in unit_of(antecedent, units).columns}
            rest = [d for d in np.flatnonzero(arrays.present[r]).tolist() if d not in named]
            steps[min(max(len(rule.antecedents) - 1, 0), LONGEST)].append((r, rest))
    return steps
