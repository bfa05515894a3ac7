"""The rules as fuzzy inference systems of other tools, .fis and FML: an input for each encoded column, its range, its sets.

Such a file multiplies memberships, where our own code adds logarithms: where every rule's product is below about 1e-308, no
rule fires, and the output is a default value. Of our tables' training rows none is so far away, see docs/measured/rules.md.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from tsk_core.explain.formats.model import Model, identifiers, in_comment

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

    name: an identifier, unique in the file. column: its position. low, high: its range, low < high. sets: at least one.
    of_rule: for each rule the position of its set among ``sets``, None where the rule has no condition on this column.
    """

    name: str
    column: int
    low: float
    high: float
    sets: tuple[FuzzySet, ...]
    of_rule: tuple[int | None, ...]


def inputs_of(model: Model) -> list[Input]:
    """The inputs, at least one: all columns, but of a zero-order base those with a condition.

    A rule without any condition gets a set as good as always 1 on the first input, since files need one.
    """
    conditioned = sorted({column for rule in model.rules for column, _, _ in rule.conditions})
    columns = (conditioned or [0]) if model.zero_order else range(len(model.columns))
    names, inputs = identifiers((model.columns[d] for d in columns), taken={"epsilon"}), []
    by_column = [{column: (c, s) for column, c, s in rule.conditions} for rule in model.rules]
    number = {feature.first for feature in model.features if feature.kind != "category"}
    for d, name in zip(columns, names, strict=True):
        conditions = [conditions.get(d) for conditions in by_column]
        known = [condition for condition in conditions if condition]
        low, high = _range(known) if d in number and known else (0.0, 1.0)
        middle, wide = low + (high - low) / 2, ANYTHING * max(high - low, abs(low), abs(high))
        sets: list[FuzzySet] = []
        of_rule: list[int | None] = []
        for r, (rule, condition) in enumerate(zip(model.rules, conditions, strict=True), 1):
            fires_anywhere = d == columns[0] and not rule.conditions
            of_rule.append(len(sets) if condition or fires_anywhere else None)
            if condition:
                sets.append(FuzzySet(f"{name}__rule_{r}", *condition))
            elif fires_anywhere:
                sets.append(FuzzySet(f"{name}__any_rule_{r}", middle, wide))
        sets = sets or [FuzzySet(f"{name}__any", middle, wide)]
        inputs.append(Input(name, d, low, high, tuple(sets), tuple(of_rule)))
    return inputs


def _range(sets: list[tuple[float, float]]) -> tuple[float, float]:
    """Where these sets, (centre, σ) each, differ from 0; finite, as the product of its width and ``ANYTHING`` is."""
    low, high = min(c - _BEYOND * s for c, s in sets), max(c + _BEYOND * s for c, s in sets)
    return max(low, -_LARGEST), min(high, _LARGEST)


def notes(model: Model, inputs: list[Input]) -> list[str]:
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
    lines += [f"input {k}: {model.columns[one.column]}{_instead(model, one.column)}" for k, one in enumerate(inputs, 1)]
    lines.append("Firing levels are products: where all are below 1e-308, very far from every rule, the outputs mean nothing.")
    if model.zero_order:
        lines += ["The inputs are the columns that some rule has a condition on. A range is where a membership is at least 0.5."]
        lines += [rule.sentence for rule in model.rules]
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
        return f" ({ranks}); {feature.encoded(None)[0]:g} where it is missing"
    return f" (1 or 0); {int(feature.categories[d - feature.first] == feature.impute)} where {feature.name} is missing"


# The rules as a Sugeno system of MATLAB's Fuzzy Logic Toolbox, version 2.0 of the .fis format, for ``readfis``.
#
# One output per class, each with a linear function per rule, or a constant where all slopes are 0; "prod", "wtaver". gaussmf has
# the parameters [σ centre], a linear function its slopes and then its constant. A rule is "inputs, outputs (weight) : 1", each a
# number of a membership function, 0 where the rule has no condition on an input. Comments stand before [System], which readers
# search for. What a name is in the table stands there as JSON where the identifier does not say it, for ``from_fis``.
# Source: MathWorks, "The FIS structure" and "Saving FIS files on disk".


def to_fis(model: Model) -> str:
    """The text of the file. Its inputs are encoded columns: numbers, and 0 or 1 for each category."""
    inputs = inputs_of(model)
    classes = identifiers((f"score {name}" for name in model.classes), taken=[variable.name for variable in inputs])
    return "\n".join([
        *(f"% {in_comment(note, '[]')}" for note in notes(model, inputs)), *_names(model, inputs, classes), "",
        "[System]", "Name='rules'", "Type='sugeno'", "Version=2.0",
        f"NumInputs={len(inputs)}", f"NumOutputs={len(classes)}", f"NumRules={len(model.rules)}",
        "AndMethod='prod'", "OrMethod='probor'", "ImpMethod='prod'", "AggMethod='sum'", "DefuzzMethod='wtaver'", "",
        *(line for number, variable in enumerate(inputs, 1) for line in _input(number, variable)),
        *(line for k, name in enumerate(classes) for line in _fis_output(model, k, name)),
        "[Rules]",
        *(_fis_rule(r, weight, inputs, len(classes)) for r, weight in enumerate(model.weights())), "",
    ])  # fmt: skip


def _names(model: Model, inputs: list[Input], classes: list[str]) -> Iterator[str]:
    """The names that the identifiers do not say, a line each."""
    columns = [model.columns[one.column] for one in inputs]
    for kind, texts, said in (("input", columns, [one.name for one in inputs]), ("output", model.classes, classes)):
        for number, (text, name) in enumerate(zip(texts, said, strict=True), 1):
            if name != (text if kind == "input" else f"score_{text}"):
                plain = json.dumps(text).replace("[", "\\u005b").replace("]", "\\u005d")  # readers search for sections
                yield f"% name of {kind} {number}: {plain}"


def _input(number: int, variable: Input) -> list[str]:
    sets = [f"MF{k}='{s.name}':'gaussmf',[{s.sigma!r} {s.center!r}]" for k, s in enumerate(variable.sets, 1)]
    kind = [f"[Input{number}]", f"Name='{variable.name}'", f"Range=[{variable.low!r} {variable.high!r}]", f"NumMFs={len(sets)}"]
    return [*kind, *sets, ""]


def _fis_output(model: Model, k: int, name: str) -> list[str]:
    functions = []
    for r, rule in enumerate(model.rules, 1):
        constant, *slopes = rule.consequents[k]
        kind, parameters = ("constant", [constant]) if model.zero_order else ("linear", [*slopes, constant])
        functions.append(f"MF{r}='{rule.name.replace(' ', '_')}':'{kind}',[{' '.join(map(repr, parameters))}]")
    return [f"[Output{k + 1}]", f"Name='{name}'", "Range=[-1 1]", f"NumMFs={len(functions)}", *functions, ""]


def _fis_rule(r: int, weight: float, inputs: list[Input], n_classes: int) -> str:
    conditions = " ".join("0" if (at := variable.of_rule[r]) is None else str(at + 1) for variable in inputs)
    return f"{conditions}, {' '.join([str(r + 1)] * n_classes)} ({weight!r}) : 1"


# The rules in the Fuzzy Markup Language, IEEE 1855-2016: a TSK system with one output per class, weighted average ("WA").
#
# Elements and attributes are those of the standard's schema as its reference library JFML publishes it: names are XML IDs,
# unique in the file; gaussianShape has param1 = centre and param2 = σ; the values of a term of order 1 are the constant, then a
# slope for each input in the order of the variables, that of order 0 is the constant. The schema's numbers are xs:float, so a
# reader may keep seven digits.


NAMESPACE = "http://www.ieee1855.org"


def to_fml(model: Model) -> str:
    """The XML. Its inputs are encoded columns: numbers, and 0 or 1 for each category."""
    inputs = inputs_of(model)
    outputs = identifiers((f"score {name}" for name in model.classes), taken=[variable.name for variable in inputs])
    comments = [f"  {_in_comment(note)}" for note in notes(model, inputs)]
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>', "<!--", *comments, "-->",
        f'<fuzzySystem xmlns="{NAMESPACE}" name="fuzzy__system">', "  <knowledgeBase>",
        *(line for variable in inputs for line in _variable(variable)),
        *(line for k, name in enumerate(outputs) for line in _fml_output(model, k, name)),
        "  </knowledgeBase>",
        '  <tskRuleBase name="rule__base" activationMethod="PROD" andMethod="PROD" orMethod="PROBOR">',
        *(line for r, weight in enumerate(model.weights()) for line in _fml_rule(r, weight, inputs, outputs)),
        "  </tskRuleBase>", "</fuzzySystem>", "",
    ])  # fmt: skip


def _in_comment(note: str) -> str:
    """Text in an XML comment, which two hyphens would end."""
    return re.sub("-(?=-)", "- ", in_comment(note, "<>&"))


def _attributes(**values: object) -> str:
    return "".join(f" {name}={quoteattr(value if isinstance(value, str) else repr(value))}" for name, value in values.items())


def _variable(variable: Input) -> list[str]:
    lines = [
        f"    <fuzzyVariable{_attributes(name=variable.name, domainleft=variable.low, domainright=variable.high, type='input')}>"
    ]
    for term in variable.sets:
        shape = f"<gaussianShape{_attributes(param1=term.center, param2=term.sigma)}/>"
        lines.append(f"      <fuzzyTerm{_attributes(name=term.name, complement='false')}>{shape}</fuzzyTerm>")
    return [*lines, "    </fuzzyVariable>"]


def _fml_output(model: Model, k: int, name: str) -> list[str]:
    lines = [f"    <tskVariable{_attributes(name=name, type='output', combination='WA', defaultValue=0.0)}>"]
    for r, rule in enumerate(model.rules, 1):
        numbers, order = (rule.consequents[k][:1], 0) if model.zero_order else (rule.consequents[k], 1)
        values = "".join(f"<tskValue>{value!r}</tskValue>" for value in numbers)
        lines.append(f"      <tskTerm{_attributes(name=f'{name}__rule_{r}', order=order)}>{values}</tskTerm>")
    return [*lines, "    </tskVariable>"]


def _fml_rule(r: int, weight: float, inputs: list[Input], outputs: list[str]) -> list[str]:
    conditions = [(variable.name, variable.sets[at].name) for variable in inputs if (at := variable.of_rule[r]) is not None]
    return [
        f"    <tskRule{_attributes(name=f'rule__{r + 1}', andMethod='PROD', connector='and', weight=weight)}>",
        "      <antecedent>",
        *(f"        <clause><variable>{name}</variable><term>{term}</term></clause>" for name, term in conditions),
        "      </antecedent>",
        "      <tskConsequent>",
        "        <tskThen>",
        *(f"          <tskClause><variable>{name}</variable><term>{name}__rule_{r + 1}</term></tskClause>" for name in outputs),
        "        </tskThen>",
        "      </tskConsequent>",
        "    </tskRule>",
    ]
