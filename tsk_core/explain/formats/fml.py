"""The rules in the Fuzzy Markup Language, IEEE 1855-2016: a TSK system with one output per class, weighted average ("WA").

Elements and attributes are those of the standard's schema as its reference library JFML publishes it: names are XML IDs,
unique in the file; gaussianShape has param1 = centre and param2 = σ; the values of a term of order 1 are the constant, then a
slope for each input in the order of the variables, that of order 0 is the constant. The schema's numbers are xs:float, so a
reader may keep seven digits.
"""

import re
from xml.sax.saxutils import quoteattr

from tsk_core.explain.formats.model import Model
from tsk_core.explain.formats.names import identifiers, in_comment
from tsk_core.explain.formats.sets import Input, inputs_of, notes

__all__ = ["NAMESPACE", "to_fml"]

NAMESPACE = "http://www.ieee1855.org"


def to_fml(model: Model) -> str:
    """The XML. Its inputs are encoded columns: numbers, and 0 or 1 for each category."""
    inputs = inputs_of(model)
    outputs = identifiers((f"score {name}" for name in model.classes), taken=[variable.name for variable in inputs])
    comments = [f"  {_in_comment(note)}" for note in notes(model)]
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>', "<!--", *comments, "-->",
        f'<fuzzySystem xmlns="{NAMESPACE}" name="fuzzy__system">', "  <knowledgeBase>",
        *(line for variable in inputs for line in _variable(variable)),
        *(line for k, name in enumerate(outputs) for line in _output(model, k, name)),
        "  </knowledgeBase>",
        '  <tskRuleBase name="rule__base" activationMethod="PROD" andMethod="PROD" orMethod="PROBOR">',
        *(line for r, weight in enumerate(model.weights()) for line in _rule(r, weight, inputs, outputs)),
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


def _output(model: Model, k: int, name: str) -> list[str]:
    lines = [f"    <tskVariable{_attributes(name=name, type='output', combination='WA', defaultValue=0.0)}>"]
    for r, rule in enumerate(model.rules, 1):
        numbers, order = (rule.consequents[k][:1], 0) if model.zero_order else (rule.consequents[k], 1)
        values = "".join(f"<tskValue>{value!r}</tskValue>" for value in numbers)
        lines.append(f"      <tskTerm{_attributes(name=f'{name}__rule_{r}', order=order)}>{values}</tskTerm>")
    return [*lines, "    </tskVariable>"]


def _rule(r: int, weight: float, inputs: list[Input], outputs: list[str]) -> list[str]:
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
