"""Which format holds which rules: the table says it, and writing follows it."""

import numpy as np
import pytest

from tests.explain.examples import KINDS, base, category, layered, number, rule
from tsk_core.errors import DataError
from tsk_core.explain import FORMATS

ABOUT = {"text", "markdown", "latex", "csv", "json"}  # text for people, and the dictionary itself
CODE = {"python", "javascript", "c", "sql"}
SYSTEMS = {"fis", "fml"}


def one_rule(kind, columns):
    D = len(columns)
    made = rule([0.0] * D, [1.0] * D, [[0.0] * (D + 1)] * 2)
    return base(columns, layered([made], kind, np.random.default_rng(0)), kind=kind)


RULES = {
    **{kind: one_rule(kind, [number("x")]) for kind in KINDS},
    "empty": one_rule("softmax", [category("x", ""), category("x", "a")]),
    "empty rank": one_rule("softmax", [{**number("x"), "impute": 0, "levels": ["", "a"]}]),
}
REFUSING = {
    "softmax": set(), "paper": set(), "log": SYSTEMS, "empty": {"onnx"}, "empty rank": {"onnx"},
    **{kind: CODE | SYSTEMS | {"onnx"} for kind in KINDS if kind.startswith("layer ")},
}  # fmt: skip


@pytest.mark.parametrize("of", RULES)
def test_a_format_refuses_what_it_cannot_hold_and_writes_the_rest(of):
    rules = RULES[of]
    assert {name for name, one in FORMATS.items() if one.refusal(rules)} == REFUSING[of]
    for name, one in FORMATS.items():
        if refusal := one.refusal(rules):
            with pytest.raises(DataError) as raised:
                one.write(rules)
            assert str(raised.value) == refusal and refusal.endswith(".")
        elif name not in ABOUT and one.installed:
            assert one.write(rules)


def test_empty_text_is_named_with_its_column():
    assert FORMATS["onnx"].refusal(RULES["empty"]) == (
        "An ONNX file takes empty text as missing, but it is a category of 'x'; rename that."
    )
