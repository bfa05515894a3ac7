"""Rules in a file, to start a training from: a .fis file of MATLAB, or the JSON of exported rules."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tsk_core.data.naming import quoted
from tsk_core.errors import DataError
from tsk_core.explain.exported import ExportedColumn, ExportedRule, ExportedRules, read_rules

# A Sugeno system in a .fis file of MATLAB's Fuzzy Logic Toolbox as exported rules: the way back from
# ``formats.inference_systems``.
#
# What is read is what a TSK classifier is: one output per class, Gaussian membership functions, constant or linear outputs,
# "prod" and "wtaver", rules whose conditions are joined by AND. Everything else is refused in a sentence that names it. The text
# is data from anywhere: it is taken apart line by line, and nothing in it is run.
# Source: MathWorks, "The FIS structure" and "Saving FIS files on disk".


MOST = 1000  # inputs, outputs or rules
_SECTION = re.compile(r"\[(\w+)\]$")
_FUNCTION = re.compile(r"'([^']*)'\s*:\s*'([^']*)'\s*,\s*\[([^\]]*)\]$")
_COUNT = re.compile(r"[0-9]{1,4}")
_CHOICE = re.compile(r"-?[0-9]{1,4}")
_RULE = re.compile(r"([-0-9\s]*),\s*([-0-9\s]*)\(([^()]*)\)\s*:\s*([0-9]+)$")
_SYSTEM = {"Type": "sugeno", "DefuzzMethod": "wtaver"}
_SCORE = re.compile(r"score[ _]+")
_NAME = re.compile(r'% name of (input|output) ([0-9]{1,4}): (".*")\s*')


@dataclass(frozen=True)
class _Variable:
    """name, and (kind, numbers) of each of its membership functions."""

    name: str
    functions: tuple[tuple[str, tuple[float, ...]], ...]


def from_fis(text: str) -> ExportedRules:
    """The rules of a system. Its inputs are columns of numbers, its outputs the classes; "score_" before all names is left out.

    Where ``to_fis`` wrote the names of the table as comments, these are taken. Raises DataError for what is no such system.
    """
    sections = _sections(text)
    system = sections.get("System", {})
    for key, needed in _SYSTEM.items():
        if (said := system.get(key, "").strip("'").lower()) != needed:
            raise DataError(f"The .fis file has {key} {quoted(said)}; a TSK classifier needs {quoted(needed)}.")
    inputs = [_variable(sections, f"Input{k}") for k in range(1, _count(system, "NumInputs") + 1)]
    outputs = [_variable(sections, f"Output{k}") for k in range(1, _count(system, "NumOutputs") + 1)]
    rules = [line for line in sections.get("Rules", {}).values() if line]
    if len(outputs) < 2:
        raise DataError(f"The .fis file has {len(outputs)} output; a classifier needs one for each class.")
    if not inputs or not 0 < len(rules) <= MOST:
        raise DataError("The .fis file has no inputs, or no rules.")
    found = [_rule(line, number, inputs, outputs, system) for number, line in enumerate(rules, 1)]
    names = [output.name for output in outputs]
    if all(_SCORE.match(name) for name in names):
        names = [_SCORE.sub("", name, count=1) for name in names]
    written = _written_names(text)
    names = [written.get(("output", k), name) for k, name in enumerate(names, 1)]
    columns: list[ExportedColumn] = [
        {"feature": written.get(("input", k), one.name), "kind": "number", "category": None, "impute": _middle(one)}
        for k, one in enumerate(inputs, 1)
    ]
    return {
        "format": "tsk-rules", "version": 1, "classes": [*names], "columns": columns, "normalisation": {"kind": "softmax"},
        "rules": found,
    }  # fmt: skip


def _written_names(text: str) -> dict[tuple[str, int], str]:
    """("input" or "output", number from 1) -> the name in the table, of those that ``to_fis`` wrote."""
    found = {}
    for line in text.splitlines():
        if (match := _NAME.fullmatch(line)) is None:
            continue
        try:
            name = json.loads(match[3])
            name.encode()
        except ValueError:
            continue
        found[match[1], int(match[2])] = name
    return found


def _sections(text: str) -> dict[str, dict[str, str]]:
    """Section -> key -> value; a line of a section without keys has its number as the key."""
    sections: dict[str, dict[str, str]] = {}
    lines: dict[str, str] = {}
    for number, raw in enumerate(text.splitlines()):
        line = raw.strip()
        if not line or line.startswith(("%", "#")):
            continue
        if found := _SECTION.match(line):
            lines = sections.setdefault(found[1], {})
            continue
        key, equals, value = line.partition("=")
        lines.update({key.strip(): value.strip()} if equals and lines is not sections.get("Rules") else {str(number): line})
    return sections


def _count(system: Mapping[str, str], key: str) -> int:
    text = system.get(key, "")
    if not _COUNT.fullmatch(text) or int(text) > MOST:
        raise DataError(f"The .fis file has {key} {quoted(text)}; it must be a number up to {MOST}.")
    return int(text)


def _variable(sections: Mapping[str, Mapping[str, str]], section: str) -> _Variable:
    values = sections.get(section)
    if values is None:
        raise DataError(f"The .fis file has no section [{section}], which [System] counts.")
    name = values.get("Name", "").strip("'")
    functions = []
    for k in range(1, _count(values, "NumMFs") + 1):
        found = _FUNCTION.match(values.get(f"MF{k}", ""))
        if found is None:
            raise DataError(f"MF{k} of {quoted(name)} in the .fis file is missing, or is not a membership function.")
        functions.append((found[2].lower(), tuple(_numbers(found[3], f"MF{k} of {quoted(name)}"))))
    return _Variable(name, tuple(functions))


def _numbers(text: str, of: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise DataError(f"{of[0].upper()}{of[1:]} in the .fis file has {quoted(text)}, which are not all finite numbers.")
    return numbers


def _rule(line: str, number: int, inputs: list[_Variable], outputs: list[_Variable], system: Mapping[str, str]) -> ExportedRule:
    found = _RULE.match(line)
    if found is None or not all(_CHOICE.fullmatch(part) for part in f"{found[1]} {found[2]}".split()):
        raise DataError(f"Rule {number} in the .fis file is {quoted(line)}, which is not a rule.")
    chosen, then = ([int(part) for part in found[group].split()] for group in (1, 2))
    if len(chosen) != len(inputs) or len(then) != len(outputs):
        raise DataError(f"Rule {number} in the .fis file does not have a number for each input and output.")
    conditions = [_condition(variable, k, number) for variable, k in zip(inputs, chosen, strict=True)]
    several = sum(sigma is not None for _, sigma in conditions) > 1
    if several and (found[4] != "1" or system.get("AndMethod", "").strip("'").lower() != "prod"):
        raise DataError(f"Rule {number} in the .fis file does not join its conditions by AND with the method 'prod'.")
    (weight,) = _numbers(found[3], f"rule {number}") if len(found[3].split()) == 1 else (math.nan,)
    if not 0 < weight <= 1:
        raise DataError(f"Rule {number} in the .fis file has the weight {quoted(found[3])}; it must be above 0 and at most 1.")
    return {
        "log_weight": math.log(weight),
        "centers": [center for center, _ in conditions],
        "sigmas": [sigma for _, sigma in conditions],
        "consequents": [_consequent(output, k, number, len(inputs)) for output, k in zip(outputs, then, strict=True)],
    }


def _condition(variable: _Variable, k: int, rule: int) -> tuple[float, float | None]:
    """Centre and σ of a rule's condition on an input; None where it has none."""
    if k == 0:
        return 0.0, None
    kind, numbers = _function(variable, k, rule)
    if kind != "gaussmf" or len(numbers) != 2 or not numbers[0]:
        raise DataError(
            f"Rule {rule} in the .fis file has the membership function {quoted(kind)} on {quoted(variable.name)};"
            " a TSK classifier has Gaussian ones, 'gaussmf' with [sigma centre]."
        )
    return numbers[1], abs(numbers[0])


def _consequent(output: _Variable, k: int, rule: int, n_inputs: int) -> list[float]:
    """The constant, and the slopes of the inputs."""
    kind, numbers = _function(output, k, rule)
    if (kind, len(numbers)) not in (("constant", 1), ("linear", n_inputs + 1)):
        raise DataError(
            f"Rule {rule} in the .fis file has an output {quoted(kind)} of {len(numbers)} numbers for {quoted(output.name)};"
            f" it must be constant, or linear with {n_inputs + 1} numbers."
        )
    return [numbers[-1], *(numbers[:-1] or [0.0] * n_inputs)]


def _function(variable: _Variable, k: int, rule: int) -> tuple[str, tuple[float, ...]]:
    if not 0 < k <= len(variable.functions):
        what = "is negated (NOT)" if k < 0 else "is not one of its membership functions"
        raise DataError(f"Rule {rule} in the .fis file has the number {k} for {quoted(variable.name)}, which {what}.")
    return variable.functions[k - 1]


def _middle(variable: _Variable) -> float:
    """What stands for a missing value until a table says better: the mean of the centres."""
    centers = [numbers[1] for _, numbers in variable.functions if len(numbers) == 2]
    return math.fsum(centers) / len(centers) if centers else 0.0


MOST_BYTES_OF_RULES = 2_000_000  # of a file


def read_rule_base(source: str | Path | bytes, name: str = "") -> ExportedRules:
    """The rules in a file, as ``TSKClassifier(rule_base=…)`` takes them.

    Parameters
    ----------
    source : str, Path or bytes
        A path, or the content of a file of at most 2 MB: a Sugeno system with Gaussian membership functions and one output per
        class, as ``export("fis")`` or MATLAB's ``writeFIS`` write it, or exported rules as JSON (``export("json")``).
    name : str, default ""
        Of the file, where its content is given.

    Returns
    -------
    dict
        The rules as ``to_dict`` has them.

    Raises
    ------
    DataError
        With one sentence for anything else.

    Examples
    --------
    >>> from tsk_core import TSKClassifier, load_dataset, read_rule_base
    >>> iris = load_dataset("iris")
    >>> first = TSKClassifier(n_rules=3, max_epochs=5, random_state=0).fit(iris.X, iris.y)
    >>> rules = read_rule_base(first.export("fis").encode(), "expert.fis")
    >>> TSKClassifier(rule_base=rules, max_epochs=5, random_state=0).fit(iris.X, iris.y).model_.config.n_rules
    3
    """
    content, name = (source, name) if isinstance(source, bytes) else (_read(Path(source)), Path(source).name)
    if len(content) > MOST_BYTES_OF_RULES:
        raise DataError(f"The file of rules {quoted(name)} is larger than {MOST_BYTES_OF_RULES / 1e6:g} MB.")
    text = _decoded(content)
    rules = _from_json(text) if text.lstrip()[:1] == "{" else from_fis(text)
    rules["source"] = f"{name[:100]}, SHA-256 {hashlib.sha256(content).hexdigest()[:12]}" if name else ""
    return rules


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES_OF_RULES + 1)
    except OSError as error:
        raise DataError(f"The file of rules '{path}' cannot be read: {str(error.strerror).lower()}.") from None


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # of old versions of MATLAB; names alone can be other than ASCII


def _from_json(text: str) -> ExportedRules:
    """Exported rules, checked."""
    try:
        rules: ExportedRules = json.loads(text, parse_constant=_not_a_number)
        read_rules(rules)
        known = {"format", "version", "classes", "columns", "normalisation", "rules", "log_prior"}
        return {key: value for key, value in rules.items() if key in known}  # type: ignore[return-value]  # its keys
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError):
        raise DataError("The file is neither exported rules as JSON, nor a .fis file.") from None


def _not_a_number(name: str) -> float:
    raise ValueError(name)
