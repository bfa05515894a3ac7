"""The rules as a Sugeno system of MATLAB's Fuzzy Logic Toolbox, version 2.0 of the .fis format, for ``readfis``.

One output per class, each with a linear function per rule, or a constant where all slopes are 0; "prod", "wtaver". gaussmf has
the parameters [σ centre], a linear function its slopes and then its constant. A rule is "inputs, outputs (weight) : 1", each a
number of a membership function, 0 where the rule has no condition on an input. Comments stand before [System], which readers
search for. What a name is in the table stands there as JSON where the identifier does not say it, for ``from_fis``.
Source: MathWorks, "The FIS structure" and "Saving FIS files on disk".
"""

import json
from collections.abc import Iterator

from tsk_core.explain.formats.model import Model
from tsk_core.explain.formats.names import identifiers, in_comment
from tsk_core.explain.formats.sets import Input, input_columns, inputs_of, notes

__all__ = ["to_fis"]


def to_fis(model: Model) -> str:
    """The text of the file. Its inputs are encoded columns: numbers, and 0 or 1 for each category."""
    inputs = inputs_of(model)
    classes = identifiers((f"score {name}" for name in model.classes), taken=[variable.name for variable in inputs])
    return "\n".join([
        *(f"% {in_comment(note, '[]')}" for note in notes(model)), *_names(model, inputs, classes), "",
        "[System]", "Name='rules'", "Type='sugeno'", "Version=2.0",
        f"NumInputs={len(inputs)}", f"NumOutputs={len(classes)}", f"NumRules={len(model.rules)}",
        "AndMethod='prod'", "OrMethod='probor'", "ImpMethod='prod'", "AggMethod='sum'", "DefuzzMethod='wtaver'", "",
        *(line for number, variable in enumerate(inputs, 1) for line in _input(number, variable)),
        *(line for k, name in enumerate(classes) for line in _output(model, k, name)),
        "[Rules]",
        *(_rule(r, weight, inputs, len(classes)) for r, weight in enumerate(model.weights())), "",
    ])  # fmt: skip


def _names(model: Model, inputs: list[Input], classes: list[str]) -> Iterator[str]:
    """The names that the identifiers do not say, a line each."""
    columns = [model.columns[d] for d in input_columns(model)]
    for kind, texts, said in (("input", columns, [one.name for one in inputs]), ("output", model.classes, classes)):
        for number, (text, name) in enumerate(zip(texts, said, strict=True), 1):
            if name != (text if kind == "input" else f"score_{text}"):
                plain = json.dumps(text).replace("[", "\\u005b").replace("]", "\\u005d")  # readers search for sections
                yield f"% name of {kind} {number}: {plain}"


def _input(number: int, variable: Input) -> list[str]:
    sets = [f"MF{k}='{s.name}':'gaussmf',[{s.sigma!r} {s.center!r}]" for k, s in enumerate(variable.sets, 1)]
    return [
        f"[Input{number}]",
        f"Name='{variable.name}'",
        f"Range=[{variable.low!r} {variable.high!r}]",
        f"NumMFs={len(sets)}",
        *sets,
        "",
    ]


def _output(model: Model, k: int, name: str) -> list[str]:
    functions = []
    for r, (rule, label) in enumerate(zip(model.rules, model.rule_names, strict=True), 1):
        constant, *slopes = rule.consequents[k]
        kind, parameters = ("constant", [constant]) if model.zero_order else ("linear", [*slopes, constant])
        functions.append(f"MF{r}='{label.replace(' ', '_')}':'{kind}',[{' '.join(map(repr, parameters))}]")
    return [f"[Output{k + 1}]", f"Name='{name}'", "Range=[-1 1]", f"NumMFs={len(functions)}", *functions, ""]


def _rule(r: int, weight: float, inputs: list[Input], n_classes: int) -> str:
    conditions = " ".join("0" if (at := variable.of_rule[r]) is None else str(at + 1) for variable in inputs)
    return f"{conditions}, {' '.join([str(r + 1)] * n_classes)} ({weight!r}) : 1"
