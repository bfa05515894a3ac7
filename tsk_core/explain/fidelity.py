"""How faithful the printed rules are: the classes inferred from them in four ways, at every length.

inference.py   one method of inference from the text, with its agreement and accuracy, in a sentence
lengths.py     all methods measured at every length in one pass over the rows
constants.py   constant scores per rule, fitted by least squares: rules whose THEN is a table of numbers (zero-order TSK)
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from tsk_core.data.splitting import row_blocks
from tsk_core.explain.antecedents import LONGEST, units_of
from tsk_core.explain.counting import unit_of
from tsk_core.explain.exported import BLOCK, LOWEST, ExportedRules, RuleArrays, read_rules, rule_outputs, scores
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.rule import Rule
from tsk_core.model.firing import log_firing
from tsk_core.numbers import counted, percent

# Inference: a method that infers classes from the printed rules, and how often they are those of the full model.


# name: how a class is inferred from the text; in the field's words first-order TSK, single winner, weighted vote, zero-order TSK
INFERENCES = {
    "linear": "by the linear function of each rule, which is not printed",
    "strongest": "by one class per rule, the strongest rule decides",
    "vote": "by one class per rule, rules vote with their firing levels",
    "constant": "by constant scores per rule, fitted by least squares and weighted by the firing levels",
}
READINGS = {  # of a readable rule base, whose scores are constant and printed
    "model": "by the scores of all rules, which is the model",
    "strongest": INFERENCES["strongest"],
    "sentences": "by the sentences alone, the first true one decides",
}
MEANING = (
    "THEN names the majority class of the training rows for which all printed conditions hold."
    " In the model, each rule scores every class with a linear function of the features."
)


@dataclass(frozen=True)
class Inference:
    """name: a key of ``INFERENCES``, of a readable rule base of ``READINGS``. fidelity: share of the rows for which this method
    gives the class of the full model, in [0, 1]. accuracy: share that it gives correctly; None where the rows' classes are
    unknown. evaluated_on: which rows. bca: balanced accuracy, in [0, 1]; None where it is not measured.
    """

    name: str
    fidelity: float
    accuracy: float | None
    evaluated_on: str
    bca: float | None = None

    @property
    def text(self) -> str:
        """Such as "Prediction by one class per rule, the strongest rule decides: agrees on 79.0% of the test rows."."""
        right = "" if self.accuracy is None else f"; accuracy {percent(self.accuracy)}"
        right += "" if self.bca is None else f", balanced accuracy {percent(self.bca)}"
        return f"Prediction {(INFERENCES | READINGS)[self.name]}: agrees on {of_rows(self.fidelity, self.evaluated_on)}{right}."

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values, the sentence among them."""
        return {
            "name": self.name, "fidelity": self.fidelity, "accuracy": self.accuracy, "bca": self.bca, "text": self.text,
        }  # fmt: skip


def of_rows(share: float, evaluated_on: str) -> str:
    """A share of rows in words: "79.0% of the test rows", "all 500 sampled test rows"."""
    rows = sampled_rows(evaluated_on)
    return f"all {rows}" if share == 1 else f"{percent(share)} of {'the ' if rows == evaluated_on else ''}{rows}"


def sampled_rows(evaluated_on: str) -> str:
    """Which rows these are: "test rows", "500 sampled test rows". evaluated_on: as in ``Inference``."""
    number, _, of = evaluated_on.partition(" of the ")
    return f"{number} sampled {of}" if of else evaluated_on


def uncovered_text(rows: int, of: int, evaluated_on: str, *, zero_order: bool = False) -> str:
    """Of how many rows no sentence is true, and how they get their classes. evaluated_on: which rows, as in ``Inference``."""
    which = evaluated_on.partition(" of the ")[2] or evaluated_on
    if not rows:
        return f"For each of {of:,} {which}, all conditions of some rule hold."
    return (
        f"For {rows:,} of {of:,} {which} ({percent(rows / of)}) no rule's conditions all hold; the model classifies these by the"
        f" firing levels and {'constant' if zero_order else 'linear'} scores of the rules."
    )


def measured_text(
    n_rules: int,
    max_antecedents: int | None,
    complete: bool,
    fidelity: float,
    accuracy: float | None,
    full_accuracy: float | None,
    evaluated_on: str,
    inferences: Iterable[Inference] = (),
    uncovered: tuple[int, int] | None = None,
) -> str:
    """Fidelity and accuracy in two to five lines, and what THEN means.

    complete: whether no antecedent was left out but those that exclude no training row. inferences: of which "strongest" is
    told, the text alone. The rest is as in ``RuleBaseSummary``.
    """
    lines = [_size(n_rules, max_antecedents)]
    they = "All conditions are printed; the rules agree" if complete else "The shortened rules agree"
    lines.append(f"{they} with the full model on {of_rows(fidelity, evaluated_on)}.")
    if accuracy is not None and full_accuracy is not None:
        lines.append(f"Their accuracy is {percent(accuracy)}; the full model's is {percent(full_accuracy)}.")
    lines += [inference.text for inference in inferences if inference.name == "strongest"]
    if uncovered is not None:
        lines.append(uncovered_text(*uncovered, evaluated_on))
    lines.append(MEANING)
    return "\n".join(lines)


def heading_text(n_rules: int, max_antecedents: int | None, full_accuracy: float | None, evaluated_on: str) -> str:
    """What ``measured_text`` says besides the inferences and the rows without a true sentence, where these stand beside it."""
    lines = [_size(n_rules, max_antecedents)]
    if full_accuracy is not None:
        lines[0] += f" The full model's accuracy is {percent(full_accuracy)} on the {sampled_rows(evaluated_on)}."
    return "\n".join([*lines, MEANING])


def _size(n_rules: int, max_antecedents: int | None) -> str:
    each = "" if max_antecedents is None else f", at most {counted(max_antecedents, 'condition')} each"
    return f"{counted(n_rules, 'rule')}{each}."


# Fidelity and accuracy of rules shortened to 1, 2, … antecedents, for each method of inference, in one pass over the rows.
#
# A rule's log firing level is a sum over its antecedents, so each length adds one antecedent per rule to the length before.


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


# Constant scores per rule: the THEN of a zero-order TSK system, fitted by least squares to the full model's scores.
#
# With the normalised firing levels F (N, R) of the printed conditions and the model's scores S (N, C), less their mean over
# classes, A minimises ‖FA − S‖² + ρ‖A‖²; the ridge ρ is a hundredth of the mean diagonal of FᵀF. Fitting the scores rather than
# the classes of the rows agrees with the full model as often (docs/decisions/0016) and needs no classes.


MOST_ROWS = 4_000  # training rows that the scores are fitted to
MOST_NUMBERS = 40_000  # lengths × rules × classes: a file of more would be too large
RIDGE = 0.01
DIGITS = 4  # significant; measured after rounding, so that what is kept is what was measured


def fit_constants(source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray) -> np.ndarray | None:
    """The scores at every length, (L, R, C), rounded; None for rule bases so large that nobody would read them.

    source: the exported rules. rules: the same with their antecedents, least flat first. Z: (N, D) training rows.
    """
    arrays = read_rules(source)
    steps = steps_of(arrays, rules, printed=True)
    longest = len(steps)
    R, C = arrays.n_rules, len(arrays.classes)
    if longest * R * C > MOST_NUMBERS:
        return None
    Z, says = Z[evenly_spaced(len(Z), MOST_ROWS)], says_of(arrays, rules)
    products, targets = np.zeros((longest, R, R)), np.zeros((longest, R, C))
    for rows in blocks(arrays, len(Z)):
        wanted = scores(source, Z[rows])
        wanted -= wanted.mean(1, keepdims=True)
        for at, z in enumerate(levels_by_length(arrays, steps, Z[rows])):
            firing = normalised(arrays.levels(z), says)
            products[at] += firing.T @ firing
            targets[at] += firing.T @ wanted
    ridge = RIDGE * np.trace(products, axis1=1, axis2=2) / R
    fitted = np.linalg.solve(products + ridge[:, None, None] * np.eye(R), targets)
    return np.array([float(f"{value:.{DIGITS}g}") for value in fitted.ravel().tolist()]).reshape(fitted.shape)
