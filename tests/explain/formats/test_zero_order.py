"""Files of a zero-order rule base: constants instead of linear functions, and only the columns with a condition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, rule
from tests.explain.formats.readers import CODE, SYSTEMS, taken_columns, taken_features
from tests.explain.formats.test_predicting import HOSTILE, assert_alike
from tsk_core.errors import DataError
from tsk_core.explain import FORMATS, scores

PLAIN = ["size", "weight", "spare", "colour", "shape", "spare kind"]
NAMES = {  # three numbers, three categories; the third of each has no condition
    "plain": PLAIN,
    "functions": ["row", "rules", "spare", "read", "log gauss", "spare kind"],
    "macros": ["exp", "isnan", "spare", "strcmp", "linux", "spare kind"],
    "reserved": ["let", "lambda", "spare", "arguments", "double", "spare kind"],
    "SQL": ["select", "tsk_x1", "spare", "order by", "x1", "spare kind"],
    "alike": ["a-b", "a_b", "spare", "a b", "??/", "spare kind"],
    "quotes": ['it\'s "quoted"', "back\\slash", "spare", "-- '; DROP TABLE your_table; --", '"""', "spare kind"],
    "scripts": ["größe", "</script>", "spare", "two\nlines\u2028", "*/ int x; /*", "spare kind"],
    "prototype": ["__proto__", "constructor", "spare", "toString", "[System]", "spare kind"],
}
CATEGORIES = ["red", 'it\'s "b"', "ünï 🦄", "__proto__", ""]


def constants(scores_, D):
    return [[float(score), *[0.0] * D] for score in scores_]


def zero_order_base(R=4, C=2, kind="softmax", names=PLAIN, seed=0, bare=1, conditions=0.6):
    """A base with numbers and categories of which some have no condition, log-weights, and ``bare`` rules without a condition."""
    rng = np.random.default_rng(seed)
    columns = [{**number(name), "impute": 0.25} for name in names[:3]]
    columns += [{**category(name, value), "impute": CATEGORIES[1]} for name in names[3:] for value in CATEGORIES]
    D = len(columns)
    spare = [2, *range(D - len(CATEGORIES), D)]
    rules = []
    for r in range(R):
        sigmas = [float(s) if rng.random() < conditions else None for s in rng.uniform(0.3, 2, D)]
        for d in range(D):
            if d in spare or r < bare:
                sigmas[d] = None
        rules.append(rule(rng.normal(size=D).tolist(), sigmas, constants(rng.normal(size=C), D), float(rng.normal())))
    return base(columns, rules, [f"c{c}" for c in range(C)], kind)


def raw_and_encoded(rules, n=12, seed=1):
    """Rows as dictionaries of the features that files take, with missing and unknown values, and these rows encoded (n, D)."""
    rng, taken = np.random.default_rng(seed), {one.name for one in taken_features(rules)}
    rows, Z = [{} for _ in range(n)], np.zeros((n, len(rules["columns"])))
    for name in dict.fromkeys(one["feature"] for one in rules["columns"]):
        block = [d for d, one in enumerate(rules["columns"]) if one["feature"] == name]
        column = rules["columns"][block[0]]
        for k, row in enumerate(rows):
            value = float(rng.normal()) if column["kind"] == "number" else [*CATEGORIES, "unknown", "Red"][rng.integers(7)]
            value = None if rng.random() < 0.15 else value
            filled = column["impute"] if value is None else value
            Z[k, block] = [filled if column["kind"] == "number" else filled == rules["columns"][d]["category"] for d in block]
            if name in taken:
                row[name] = value
    return rows, Z


def assert_predicts(name, rules, folder):
    """The file gives the scores of the formula: code from raw rows, fuzzy systems from encoded ones."""
    rows, Z = raw_and_encoded(rules)
    text, expected = FORMATS[name].write(rules), scores(rules, Z)
    if name in SYSTEMS:
        outputs = SYSTEMS[name](text, Z[:, taken_columns(rules) or [0]])
        return np.testing.assert_allclose(outputs, expected, rtol=1e-10, atol=1e-12)
    found = CODE[name](text, rules, rows, folder)
    return assert_alike(found, [rules["classes"][k] for k in expected.argmax(1)], expected, 1e-10)


CASES = {
    "two classes": {},
    "many classes": {"R": 9, "C": 12},
    "paper": {"kind": "paper"},
    "log": {"kind": "log"},
    "one rule": {"R": 1, "bare": 0},
    "one rule without conditions": {"R": 1},
    "no conditions": {"R": 3, "bare": 3},
    "all conditions": {"R": 12, "C": 3, "bare": 0, "conditions": 1.0},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", [*CODE, *SYSTEMS])
def test_files_predict_from_the_columns_with_a_condition_alone(name, case, tmp_path):
    if case == "log" and name in SYSTEMS:
        with pytest.raises(DataError, match="cannot hold firing levels of kind log"):
            FORMATS[name].write(zero_order_base(kind="log"))
        return
    assert_predicts(name, zero_order_base(**CASES[case]), tmp_path)


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("name", [*CODE, *SYSTEMS])
def test_names_of_columns_are_data_in_code_and_comments_in_fuzzy_systems(name, names, tmp_path):
    rules = zero_order_base(names=NAMES[names])
    assert_predicts(name, rules, tmp_path)
    if name in SYSTEMS:
        text = FORMATS[name].write(rules)
        assert text.isascii() and (name == "fml" or text.count("[System]") == 1)


@pytest.mark.parametrize("name", CODE)
def test_names_of_classes_and_categories_are_data_in_sentences(name, tmp_path):
    D = len(HOSTILE)
    columns = [{**category("kind", value), "impute": HOSTILE[0]} for value in HOSTILE]
    rules = [rule([1.0] * D, [0.4 if d == k else None for d in range(D)], constants(np.eye(D)[k], D)) for k in range(D)]
    exported = base(columns, rules, HOSTILE)
    expected = scores(exported, np.eye(D))
    found = CODE[name](FORMATS[name].write(exported), exported, [{"kind": value} for value in HOSTILE], tmp_path)
    assert_alike(found, HOSTILE, expected, 1e-10)


@given(st.integers(1, 6), st.integers(2, 4), st.sampled_from(["softmax", "paper"]), st.integers(0, 10**6), st.integers(0, 6))
def test_any_zero_order_base_gives_the_scores_of_the_formula(R, C, kind, seed, bare):
    for name in ("python", "sql", *SYSTEMS):
        assert_predicts(name, zero_order_base(R, C, kind, seed=seed, bare=bare), None)


@pytest.mark.parametrize("name", CODE)
def test_a_condition_that_is_the_same_for_every_category_is_no_error(name, tmp_path):
    rules = zero_order_base(R=2, bare=2)
    d = rules["columns"].index({**category("colour", "red"), "impute": CATEGORIES[1]})
    rules["rules"][0]["centers"][d], rules["rules"][0]["sigmas"][d] = 0.5, 0.3
    assert_predicts(name, rules, tmp_path)


@pytest.mark.parametrize("name", CODE)
def test_code_holds_where_every_firing_level_underflows(name, tmp_path):
    for kind in ("softmax", "paper"):
        rules = zero_order_base(R=6, C=3, kind=kind, bare=0, seed=3)
        for one in rules["rules"]:
            one["sigmas"] = [None if sigma is None else sigma / 1e3 for sigma in one["sigmas"]]
        assert_predicts(name, rules, tmp_path)


def small_base():
    """Two rules on a number and a category beside an unused column."""
    columns = [number("size"), number("spare")] + [
        {**category("colour", one), "impute": "red"} for one in ("red", "green", "blue")
    ]
    first = rule([50.0, 0, 1.0, 1.0, 0], [10.0, None, 0.4, 0.4, None], constants([-1, 1], 5))
    second = rule([0.0, 0, 0, 0, 0], [None] * 5, constants([0.5, -0.5], 5), 0.25)
    return base(columns, [first, second])


@pytest.mark.parametrize("name", ["python", "javascript", "c", "sql", "fis", "fml"])
def test_each_rule_stands_below_its_sentence_and_unused_columns_are_left_out(name):
    text = FORMATS[name].write(small_base())
    at = [text.index(line) for line in (
        "Rule 1: IF size is between 38 and 62 AND colour is red or green THEN yes", "Rule 2: IF anything THEN no",
    )]  # fmt: skip
    assert at == sorted(at) and "spare" not in text and "that some rule has a condition on" in text
    assert "linear" not in text and "encoded" not in text and "slopes" not in text


def test_python_and_fis_files_hold_constants_and_only_the_conditions_of_a_rule():
    text = FORMATS["python"].write(small_base())
    body = text[text.index("def rules") : text.index("def predict")]
    assert body.count("log_gauss(") == 1 and body.count(".get(colour") == 1 and "'blue'" not in body
    assert "0.25,\n        ], [0.5, -0.5])" in body
    text = FORMATS["fis"].write(small_base())
    assert "'linear'" not in text and text.count(":'constant',[") == 4 and "NumInputs=3" in text
    assert "MF1='rule_1':'constant',[-1.0]" in text and "MF2='rule_2':'constant',[-0.5]" in text
    assert text.rstrip().splitlines()[-2:] == ["1 1 1, 1 1 (0.7788007830714049) : 1", "2 0 0, 2 2 (1.0) : 1"]


def test_one_slope_makes_every_file_first_order():
    rules = small_base()
    rules["rules"][0]["consequents"][0][2] = 1e-9
    assert all("spare" in FORMATS[name].write(rules) for name in (*CODE, *SYSTEMS))
    assert "'constant'" not in FORMATS["fis"].write(rules)
    text = FORMATS["python"].write(rules)
    assert "linear(encoded, -1.0, [0.0, 1e-09, 0.0, 0.0, 0.0]),\n" in text  # slopes beside the constant of the rule that has them
    assert "# Rule 2\n        ([\n            0.25,\n        ], [0.5, -0.5])," in text
