"""What fuzzy inference systems in files need besides the rules: an input for each encoded column, its range, and its fuzzy sets.

Such a file multiplies memberships, where our own code adds logarithms: where every rule's product is below about 1e-308, no
rule fires, and the output is a default value. Of our tables' training rows none is so far away, see docs/decisions/0035.
"""

from dataclasses import dataclass

from tsk_core.explain.formats.model import Model
from tsk_core.explain.formats.names import identifiers
from tsk_core.explain.formats.zero_order import read_zero_order

__all__ = ["ANYTHING", "FuzzySet", "Input", "inputs_of", "notes"]

ANYTHING = 1e9  # times the range: a Gaussian set as wide as this is 1 to the last digit
_BEYOND = 3  # widths that a range extends beyond the centres
_LARGEST = 1e290


@dataclass(frozen=True)
class FuzzySet:
    """One Gaussian set of an input.

    name: unique in the file: two underscores, as it has, are in no identifier of a column. sigma: positive.
    """

    name: str
    center: float
    sigma: float


@dataclass(frozen=True)
class Input:
    """One encoded column as an input of a fuzzy system.

    name: an identifier, unique in the file. low, high: its range, low < high. sets: at least one. of_rule: for each rule the
    position of its set among ``sets``, None where the rule has no condition on this column.
    """

    name: str
    low: float
    high: float
    sets: tuple[FuzzySet, ...]
    of_rule: tuple[int | None, ...]


def input_columns(model: Model) -> list[int]:
    """The positions of the columns that are inputs: all D, but of a zero-order base those with a condition; at least one."""
    conditions = {column for rule in model.rules for column, _, _ in rule.conditions}
    return (sorted(conditions) or [0]) if model.zero_order else list(range(len(model.columns)))


def inputs_of(model: Model) -> list[Input]:
    """The inputs. A rule without any condition gets a set as good as always 1 on the first input, since files need one."""
    columns = input_columns(model)
    names, inputs = identifiers((model.columns[d] for d in columns), taken={"epsilon"}), []
    by_column = [{column: (c, s) for column, c, s in rule.conditions} for rule in model.rules]
    number = {feature.first for feature in model.features if feature.kind != "category"}
    for d, name in zip(columns, names, strict=True):
        conditions = [conditions.get(d) for conditions in by_column]
        known = [condition for condition in conditions if condition]
        low, high = _range(known) if d in number and known else (0.0, 1.0)
        middle, wide = low + (high - low) / 2, ANYTHING * max(high - low, abs(low), abs(high))
        sets = [FuzzySet(f"{name}__rule_{r + 1}", *condition) for r, condition in enumerate(conditions) if condition]
        position = 0
        of_rule: list[int | None] = []
        for r, (rule, condition) in enumerate(zip(model.rules, conditions, strict=True)):
            if condition:
                of_rule.append(position)
                position += 1
            elif d == columns[0] and not rule.conditions:
                of_rule.append(len(sets))
                sets.append(FuzzySet(f"{name}__any_rule_{r + 1}", middle, wide))
            else:
                of_rule.append(None)
        sets = sets or [FuzzySet(f"{name}__any", middle, wide)]
        inputs.append(Input(name, low, high, tuple(sets), tuple(of_rule)))
    return inputs


def _range(sets: list[tuple[float, float]]) -> tuple[float, float]:
    """Where these sets, (centre, σ) each, differ from 0; finite, as the product of its width and ``ANYTHING`` is."""
    low, high = min(c - _BEYOND * s for c, s in sets), max(c + _BEYOND * s for c, s in sets)
    return max(low, -_LARGEST), min(high, _LARGEST)


def notes(model: Model) -> list[str]:
    """What a reader of the file has to know, one sentence each; names are those of the table."""
    lines = [
        "A fuzzy classifier. Written by TSK Explorer.",
        "The predicted class is that of the largest output. Numbers have no unit, and a date is the number that its name says.",
        "The probability of a class is exp(output) as a share of the sum over all outputs, which the format cannot compute.",
        *(["Training weighed the classes: for probabilities, but not for the class, add to each output first what it says here."]
          if model.log_prior else []),
        "Outputs and inputs, in their order:",
    ]  # fmt: skip
    priors = [f"; add {prior!r} for probabilities" for prior in model.log_prior] or [""] * len(model.classes)
    lines += [f"output {k + 1}: score of class {name}{priors[k]}" for k, name in enumerate(model.classes)]
    columns = input_columns(model)
    lines += [f"input {k}: {model.columns[d]}{_instead(model, d)}" for k, d in enumerate(columns, 1)]
    lines.append("Firing levels are products: where all are below 1e-308, very far from every rule, the outputs mean nothing.")
    if model.zero_order:
        lines.append(
            "The inputs are the columns that some rule has a condition on. A range is where a membership is at least 0.5."
        )
        lines += [rule.sentence for rule in read_zero_order(model).rules]
    if model.has_epsilon:
        lines.append("The rule epsilon is that of the normalisation; its score is 0 for each class.")
    return lines


def _instead(model: Model, d: int) -> str:
    """What stands for a missing value of column d."""
    feature = next(feature for feature in reversed(model.features) if feature.first <= d)
    if feature.kind == "number":
        return f"; {feature.impute!r} where it is missing"
    if feature.kind == "ordinal":
        ranks = ", ".join(f"{rank} is {name}" for rank, name in enumerate(feature.categories))
        return f" ({ranks}); {feature.fallback:g} where it is missing"
    return f" (1 or 0); {int(feature.categories[d - feature.first] == feature.impute)} where {feature.name} is missing"
