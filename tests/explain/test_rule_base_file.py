"""Rules read from files: the same as the system computes, the same as were exported, and one sentence for everything else."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import random_base, random_bases
from tsk_core import read_rule_base
from tsk_core.errors import DataError
from tsk_core.explain import FORMATS, scores

EXPERT = """\
% by hand
[System]
Name='tips'
Type='sugeno'
Version=2.0
NumInputs=2
NumOutputs=2
NumRules=2
AndMethod='prod'
OrMethod='probor'
ImpMethod='prod'
AggMethod='sum'
DefuzzMethod='wtaver'

[Input1]
Name='service'
Range=[0 10]
NumMFs=2
MF1='poor':'gaussmf',[1.5 0]
MF2='good':'gaussmf',[-2 8]

[Input2]
Name='food'
Range=[0 10]
NumMFs=1
MF1='rancid':'gaussmf',[1 2]

[Output1]
Name='low'
Range=[0 1]
NumMFs=2
MF1='a':'linear',[0.5 -1 3]
MF2='b':'constant',[0.25]

[Output2]
Name='high'
Range=[0 1]
NumMFs=1
MF1='c':'linear',[2 0 -1]

[Rules]
1 1, 1 1 (1) : 1
2 0, 2 1 (0.5) : 2
"""


def test_a_system_written_by_hand_means_what_its_formula_says():
    rules = read_rule_base(EXPERT.encode(), "tips.fis")
    service, food = 4.0, 3.5
    first = math.exp(-((service - 0) ** 2) / (2 * 1.5**2)) * math.exp(-((food - 2) ** 2) / 2)
    second = 0.5 * math.exp(-((service - 8) ** 2) / (2 * 2**2))
    low = (first * (0.5 * service - food + 3) + second * 0.25) / (first + second)
    high = (first * (2 * service - 1) + second * (2 * service - 1)) / (first + second)
    assert scores(rules, [[service, food]])[0].tolist() == pytest.approx([low, high], abs=1e-12)
    assert rules["classes"] == ["low", "high"] and rules["source"].startswith("tips.fis, SHA-256 ")


@given(random_bases)
def test_what_was_exported_is_read_again(made):
    rules, Z = made
    beyond_products = rules["normalisation"]["kind"] in ("log", "layer-relu")  # which .fis cannot say
    for name in ["json"] if beyond_products else ["json", "fis"]:
        text = FORMATS[name].write(rules)
        again = read_rule_base(text.encode())
        expected = scores(rules, Z)
        np.testing.assert_allclose(
            scores(again, _inputs(again, rules, Z)), expected, rtol=0, atol=1e-6 * (1 + np.abs(expected).max())
        )


def _inputs(again, rules, Z):
    """The columns that the file has."""
    names = [column["feature"] for column in rules["columns"]]
    return np.asarray(Z)[:, [names.index(column["feature"]) for column in again["columns"]]]


def test_names_that_identifiers_do_not_say_are_read_again():
    rules, Z = random_base(2, 5, 3, seed=0)
    for column, name in zip(rules["columns"], ("a b", "a_b", "größe [cm]", '"quoted"', "-1"), strict=True):
        column["feature"] = name
    rules["classes"] = ["-1", "1", "+1"]
    text = FORMATS["fis"].write(rules)
    again = read_rule_base(text.encode())
    assert again["classes"] == rules["classes"] and text.count("[System]") == 1
    assert {column["feature"] for column in again["columns"]} <= {column["feature"] for column in rules["columns"]}
    np.testing.assert_allclose(scores(again, _inputs(again, rules, Z)), scores(rules, Z), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("Type='sugeno'", "Type='mamdani'", "has Type 'mamdani'; a TSK classifier needs 'sugeno'"),
        ("'wtaver'", "'wtsum'", "has DefuzzMethod 'wtsum'"),
        ("AndMethod='prod'", "AndMethod='min'", "Rule 1 in the .fis file does not join its conditions by AND"),
        ("'gaussmf',[1.5 0]", "'trimf',[0 1 2]", "Rule 1 .* the membership function 'trimf' on 'service'; .* 'gaussmf'"),
        ("'gaussmf',[1.5 0]", "'gaussmf',[0 0]", "Rule 1 .* 'gaussmf' with .sigma centre"),
        ("'gaussmf',[1.5 0]", "'gaussmf',[1.5 nan]", "not all finite numbers"),
        (
            "'gaussmf',[1.5 0]",
            "'gaussmf',[1.5 __import__('os')]",
            "MF1 of 'service' in the .fis file has .* not all finite numbers",
        ),
        ("1 1, 1 1 (1) : 1", "1 1, 1 1 (1) : 2", "Rule 1 .* by AND"),
        ("1 1, 1 1 (1) : 1", "-1 1, 1 1 (1) : 1", "the number -1 for 'service', which is negated"),
        ("1 1, 1 1 (1) : 1", "1 9, 1 1 (1) : 1", "the number 9 for 'food', which is not one of"),
        ("1 1, 1 1 (1) : 1", "1 1, 1 0 (1) : 1", "the number 0 for 'high'"),
        ("1 1, 1 1 (1) : 1", "1 1, 1 1 (0) : 1", "has the weight '0'; it must be above 0"),
        ("1 1, 1 1 (1) : 1", "1, 1 1 (1) : 1", "Rule 1 .* does not have a number for each input and output"),
        ("1 1, 1 1 (1) : 1", "if service is poor", "Rule 1 .* which is not a rule"),
        ("'linear',[0.5 -1 3]", "'linear',[0.5 3]", "an output 'linear' of 2 numbers for 'low'; .* with 3 numbers"),
        ("NumInputs=2", "NumInputs=3", "no section .Input3."),
        ("NumInputs=2", "NumInputs=99999999999999999999", "it must be a number up to 1000"),
        ("NumInputs=2", "NumInputs=" + "0" * 5000 + "2", "it must be a number up to 1000"),
        ("1 1, 1 1 (1) : 1", f"1 {'1' * 5000}, 1 1 (1) : 1", "Rule 1 .* which is not a rule"),
        ("NumOutputs=2", "NumOutputs=1", "has 1 output; a classifier needs one for each class"),
        ("[Rules]\n1 1, 1 1 (1) : 1\n2 0, 2 1 (0.5) : 2", "[Rules]", "no inputs, or no rules"),
    ],
)
def test_what_is_no_tsk_classifier_is_refused_in_one_sentence(old, new, sentence):
    assert old in EXPERT
    with pytest.raises(DataError, match=sentence) as refused:
        read_rule_base(EXPERT.replace(old, new, 1).encode())
    assert "\n" not in str(refused.value) and str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\0" * 100, b"{", b"{}", b'{"format": "tsk-rules"}', b"[" * 100_000, b'{"a":' * 100_000,
        json.dumps(random_base(2, 2, 2, seed=0)[0]).replace("0.", "NaN, 0.", 1).encode(),
        b'{"format": "tsk-rules", "version": 1, "classes": 3, "columns": {}, "normalisation": [], "rules": [1]}',
        b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", b"[System]\n" * 50_000,
        b"\xff\xfe[System]", b"(" * 300_000,
    ],
)  # fmt: skip
def test_hostile_files_are_refused_in_one_sentence(content):
    with pytest.raises(DataError) as refused:
        read_rule_base(content, "rules.fis")
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_refused_or_read(content):
    try:
        read_rule_base(content)
    except DataError as refused:
        assert "\n" not in str(refused)


def test_a_large_file_and_a_missing_one_are_refused(tmp_path):
    with pytest.raises(DataError, match="is larger than 2 MB"):
        read_rule_base(b"%" * 2_000_001, "large.fis")
    with pytest.raises(DataError, match="cannot be read: no such file"):
        read_rule_base(tmp_path / "missing.fis")
