"""Inference: a method that infers classes from the printed rules, and how often they are those of the full model."""

from collections.abc import Iterable
from dataclasses import dataclass

from tsk_core.numbers import counted, percent

__all__ = ["INFERENCES", "READINGS", "Inference", "heading_text", "measured_text", "of_rows", "uncovered_text"]

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
