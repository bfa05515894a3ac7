"""Every format that predicts gives the scores and the classes of the model."""

import json
import math
import re
import sqlite3

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.special import softmax

from tests.explain.examples import base, category, number, random_base, random_bases, rule
from tests.explain.formats.readers import CODE, SYSTEMS, taken_columns, taken_features
from tsk_core import TSKClassifier
from tsk_core.data import Choices, make_dataset
from tsk_core.errors import DataError, SettingError
from tsk_core.explain import FORMATS, scores
from tsk_core.explain.formats.sql import TABLE

HOSTILE = [
    "<img src=x onerror=alert(1)>", "$x$", "a|b", "\\input{x}", "=cmd()", "it's \"quoted\"", "two\nlines\r\n", "*/ int x; /*",
    '"""', "-- '; DROP TABLE your_table; --", "[System]", "]]>-->", "??/", "back\\", "ünï 🦄 κ", "__proto__", "</script>", "",
    " ", "double", "{{encoded}}", "%s %n", "tsk_x1", "x", "X", "x_2", "\u2028\u202e", "`${1}`", "@a :b: #c",
    "unix", "asm", "typeof", "encoded", "linear", "tsk_slopes",
]  # fmt: skip


def raw(X):
    """The rows of a table as dictionaries of raw values, None where missing."""
    return [{name: None if pd.isna(value) else value for name, value in row.items()} for row in X.to_dict("records")]


def mixed_table(n_classes, ordered=False):
    """Numbers, categories that are text or numbers, and gaps; the class depends on all of them. ordered: with a grade."""
    rng = np.random.default_rng(0)
    size, colour, wheels = rng.normal(50, 10, 90), rng.choice(["red", "green", "blue"], 90), rng.choice([2, 3, 4], 90)
    grade = rng.integers(0, 3, 90) if ordered else 0
    y = np.array([f"c{k}" for k in (np.floor(size / 5) + (colour == "red") + wheels + grade).astype(int) % n_classes])
    X = pd.DataFrame({"size": size, "colour": colour, "wheels": wheels.astype(str)})
    if ordered:
        X["grade"] = pd.Categorical.from_codes(grade, GRADES, ordered=True)
        X.loc[::7, "grade"] = None
    X.loc[::17, "size"] = np.nan
    X.loc[::23, "colour"] = None
    return X, y


def with_unknown_categories(X):
    """The rows as they are asked for: two have a category that training did not have."""
    X = X.astype({"grade": object})
    X.loc[0, "colour"] = X.loc[1, "grade"] = "unseen"
    return X


def assert_alike(found, names, expected, tolerance=1e-6, log_prior=0.0):
    """The classes, the scores to this share of 1 + the largest of them, and the probabilities, to 1e-12: the softmax of the
    scores and of what class weights add.
    """
    found_names, found_scores, probabilities = zip(*found, strict=True)
    np.testing.assert_allclose(found_scores, expected, rtol=0, atol=tolerance * (1 + np.abs(expected).max()))
    assert found_names == tuple(names)
    np.testing.assert_allclose(probabilities, softmax(np.add(expected, log_prior), 1), rtol=0, atol=1e-12)


GRADES = ["low", "medium", "high"]
KINDS = [(firing, "bn") for firing in ("softmax", "paper", "htsk", "scaled", "log")] + [
    ("scaled", bn) for bn in ("none", "gbn", "rbn")
]
CONSTANT = {"consequents": "constant", "max_conditions": 2, "l1": 0.002}


WEIGHTED = [
    ("scaled", "bn", 3, {"class_weight": {"c0": 9.0, "c2": 0.25}}),
    ("softmax", "bn", 2, {"class_weight": {"c1": 6.0}, "consequents": "constant"}),
]


@pytest.fixture(
    scope="module",
    params=[
        *((*kind, 3, {}) for kind in KINDS),
        ("paper", "gbn", 2, {}),
        ("htsk", "rbn", 12, {}),
        ("softmax", "none", 3, CONSTANT),
        *WEIGHTED,
    ],
    ids=str,
)
def trained(request):
    """A model of each kind, the rows to predict with unknown categories, and the model's own scores, (N, C)."""
    firing, batch_norm, n_classes, settings = request.param
    X, y = mixed_table(n_classes, ordered=True)
    settings = {"firing": firing, "batch_norm": batch_norm, "max_epochs": 6, "batch_size": 32, "random_state": 0} | settings
    clf, X = TSKClassifier(4, **settings).fit(X, y), with_unknown_categories(X)
    assert ("log_prior" in clf.to_dict()) == ("class_weight" in settings)
    return clf, X, clf.model_.scores(X) if n_classes == 2 else clf.decision_function(X)


@pytest.mark.parametrize("name", CODE)
def test_code_predicts_as_the_model_from_raw_values(trained, name, tmp_path):
    clf, X, expected = trained
    rules = clf.to_dict()
    rows = [{one.name: row[one.name] for one in taken_features(rules)} for row in raw(X)]
    found = CODE[name](clf.export(name), rules, rows, tmp_path)
    assert_alike(found, clf.predict(X), expected, log_prior=rules.get("log_prior", 0.0))
    np.testing.assert_allclose([line[2] for line in found], clf.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CODE)
def test_probabilities_hold_where_scores_are_beyond_what_exp_takes(name, tmp_path):
    columns = [number("x")]
    rules = base(columns, [rule([0.0], [1.0], [[1e4, 0.0], [-1e4, 0.0], [1e4, 1.0]])], ["low", "never", "high"])
    found = CODE[name](FORMATS[name].write(rules), rules, [{"x": 0.0}, {"x": math.log(3)}], tmp_path)
    np.testing.assert_allclose([line[2] for line in found], [[0.5, 0, 0.5], [0.25, 0, 0.75]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", SYSTEMS)
def test_fuzzy_systems_give_the_scores_of_the_model_from_encoded_columns(trained, name):
    clf, X, expected = trained
    if clf.firing == "log":
        with pytest.raises(DataError, match="cannot hold firing levels of kind log; export JSON, ONNX or code"):
            clf.export(name)
        return
    text = clf.export(name)
    assert "grade (0 is low, 1 is medium, 2 is high); 1 where it is missing" in text
    for prior in clf.to_dict().get("log_prior", ()):
        assert f"add {prior!r} for probabilities" in text
    outputs = SYSTEMS[name](text, clf.encoder_.transform(X)[:, taken_columns(clf.to_dict())])
    np.testing.assert_allclose(outputs, expected, rtol=0, atol=1e-6 * (1 + np.abs(expected).max()))


@given(random_bases)
def test_any_rules_give_the_scores_of_the_formula(case):
    rules, Z = case
    if rules["normalisation"]["kind"] == "layer-relu":
        for name in (*CODE, *SYSTEMS):
            with pytest.raises(DataError, match="cannot hold layer-normalised firing levels; export JSON instead"):
                FORMATS[name].write(rules)
        return
    expected = scores(rules, Z)
    rows = [dict(zip((one["feature"] for one in rules["columns"]), map(float, x), strict=True)) for x in Z]
    names = [rules["classes"][k] for k in expected.argmax(1)]
    for name in ("python", "sql"):
        found = CODE[name](FORMATS[name].write(rules), rules, rows, None)
        assert_alike(found, names, expected, 1e-9, rules.get("log_prior", 0.0))
    for name, read in SYSTEMS.items() if rules["normalisation"]["kind"] != "log" else ():
        np.testing.assert_allclose(read(FORMATS[name].write(rules), Z), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", CODE)
def test_code_holds_where_every_firing_level_underflows(name, tmp_path):
    rules, Z = random_base(5, 3, 3, seed=1, nulls=0)
    for kind in ("softmax", "paper", "log"):
        rules["normalisation"] = base([], [], kind=kind)["normalisation"]
        far = 1e3 * np.vstack([Z[:6], 1e3 * Z[:2]])
        expected = scores(rules, far)
        rows = [dict(zip(("x0", "x1", "x2"), map(float, x), strict=True)) for x in far]
        found = CODE[name](FORMATS[name].write(rules), rules, rows, tmp_path)
        assert_alike(found, [rules["classes"][k] for k in expected.argmax(1)], expected)
        assert (expected == 0).all() == (kind == "paper")


@pytest.mark.parametrize("name", [*CODE, *SYSTEMS])
def test_many_rules_and_columns_and_extreme_log_weights(name, tmp_path):
    rules, Z = random_base(20, 50, 3, seed=4)
    for k, one in enumerate(rules["rules"]):
        one["log_weight"] = float([0, -30, 5, -2000, 700][k % 5])
        one["sigmas"] = [None if s is None else 6 * s for s in one["sigmas"]]
    rules["rules"][4]["sigmas"] = [None] * 50
    expected = scores(rules, Z[:5])
    if name in SYSTEMS:
        return np.testing.assert_allclose(SYSTEMS[name](FORMATS[name].write(rules), Z[:5]), expected, rtol=1e-9, atol=1e-9)
    rows = [{f"x{d}": float(value) for d, value in enumerate(x)} for x in Z[:5]]
    found = CODE[name](FORMATS[name].write(rules), rules, rows, tmp_path)
    return assert_alike(found, [rules["classes"][k] for k in expected.argmax(1)], expected, 1e-9)


def hostile_base():
    """Every name as a column and as a category, and three times as a class."""
    rng = np.random.default_rng(2)
    columns = [number(f"n {name}") for name in HOSTILE] + [number(name) for name in HOSTILE]
    columns += [{**category("kind", name), "impute": HOSTILE[4]} for name in HOSTILE]
    D, classes = len(columns), HOSTILE
    rules = [
        rule(rng.normal(size=D).tolist(), rng.uniform(3, 5, D).tolist(), rng.normal(size=(len(classes), D + 1)).tolist())
        for _ in range(3)
    ]
    return base(columns, rules, classes), rng


@pytest.mark.parametrize("name", CODE)
def test_names_from_tables_are_data(name, tmp_path):
    rules, rng = hostile_base()
    n = len(HOSTILE)
    rows, Z = [], np.zeros((n + 2, 3 * n))
    for k in range(n + 2):  # each category; then an unknown and a missing one
        Z[k, : 2 * n] = rng.normal(size=2 * n)
        Z[k, 2 * n + (k if k < n else 4)] = float(k != n)
        kind = HOSTILE[k] if k < n else ("unknown" if k == n else None)
        names = [one["feature"] for one in rules["columns"][: 2 * n]]
        rows.append({**dict(zip(names, Z[k, : 2 * n].tolist(), strict=True)), "kind": kind})
    if name == "sql":  # where names of columns that differ in case alone are one column, and none ends with a backslash
        for row in rows:
            for one in ("X", "n X", "back\\", "n back\\"):
                row[f"{one} "] = row.pop(one)
        others = {one["feature"]: one["feature"] + " " * one["feature"].endswith(("X", "\\")) for one in rules["columns"]}
        rules["columns"] = [{**one, "feature": others[one["feature"]]} for one in rules["columns"]]
        order = [one["feature"] for one in rules["columns"][: 2 * n]] + ["kind"]
        rows = [{name: row[name] for name in order} for row in rows]
    expected = scores(rules, Z)
    found = CODE[name](FORMATS[name].write(rules), rules, rows, tmp_path)
    assert_alike(found, [HOSTILE[k] for k in expected.argmax(1)], expected, 1e-9)


@pytest.mark.parametrize("name", SYSTEMS)
def test_names_from_tables_are_comments_in_fuzzy_systems(name):
    rules, rng = hostile_base()
    Z = rng.normal(size=(3, len(rules["columns"])))
    text = FORMATS[name].write(rules)
    np.testing.assert_allclose(SYSTEMS[name](text, Z), scores(rules, Z), rtol=1e-9)
    assert text.isascii() and (name == "fml" or text.count("[System]") == 1)


@pytest.mark.parametrize("slope", [-1.0, 0.0], ids=["linear", "constant"])
def test_python_and_javascript_read_cells_as_training_did(slope, tmp_path):
    rules = base(
        [number("n"), {**category("k", "2"), "impute": "2"}, {**category("k", "True"), "impute": "2"}],
        [
            rule([0, 1, 0], [1, 1, None], [[1, slope, 10 * slope, 20 * slope], [0, 0, 0, 0]]),
            rule([0, 0, 1], [None, None, 1], [[0, 0, 0, 0], [2, 0, 0, 0]]),
        ],
    )
    rows = [{"n": "1.5", "k": 2}, {"n": "", "k": True}, {"n": None, "k": None}, {"n": 1, "k": 2.0}]
    expected = scores(rules, [[1.5, 1, 0], [0, 0, 1], [0, 1, 0], [1, 1, 0]])
    for name in ("python", "javascript"):
        found = CODE[name](FORMATS[name].write(rules), rules, rows, tmp_path)
        assert_alike(found, [rules["classes"][k] for k in expected.argmax(1)], expected, 1e-10)
    predict = {}
    exec(FORMATS["python"].write(rules), predict)  # noqa: S102 - what it does is what is tested
    assert predict["predict"]({"n": 1, "k": np.float32(2)}) == predict["predict"]({"n": 1, "k": 2})
    for row, error in (({"n": 1}, KeyError), ({"n": "one", "k": 2}, ValueError), ({"n": float("inf"), "k": 2}, ValueError)):
        with pytest.raises(error):
            predict["predict"](row)


@pytest.mark.parametrize("consequents", ["linear", "constant"])
def test_code_reads_missing_and_rare_categories_as_the_cleaned_table_does(consequents, monkeypatch, tmp_path):
    """A missing value may be a category, and one of more than can be kept is "other"."""
    monkeypatch.setenv("TSK_MAX_CATEGORIES", "4")
    rng = np.random.default_rng(0)
    colour, city = rng.choice(["red", "blue", None], 240), rng.choice([f"c{k}" for k in range(9)], 240)
    ill = pd.isna(colour) ^ (city >= "c5") ^ (rng.random(240) < 0.05)
    frame = pd.DataFrame({"colour": colour, "city": city, "size": rng.normal(size=240), "is": np.where(ill, "ill", "well")})
    dataset = make_dataset(frame, "is", name="t", choices=Choices(missing=("colour",)))
    clf = TSKClassifier(4, consequents=consequents, max_epochs=20, random_state=0).fit(dataset.X, dataset.y)
    clf.cleaning_ = dataset.cleaning
    rows = frame.drop(columns="is").iloc[:60]
    rows.loc[0, "city"] = "unheard of"
    rules, expected = clf.model_.to_dict(), clf.model_.scores(rows)
    assert {"other", "missing"} <= {column["category"] for column in rules["columns"]}
    for name, run in CODE.items():
        assert_alike(run(FORMATS[name].write(rules), rules, raw(rows), tmp_path), clf.predict(rows), expected)
    assert clf.rules().source["columns"] == rules["columns"]


@pytest.mark.parametrize("consequents", ["linear", "constant"])
def test_code_says_what_training_read_otherwise_and_reads_truth_values_itself(consequents, tmp_path):
    rng = np.random.default_rng(5)
    age, paid = rng.integers(20, 60, 120).astype(str), rng.choice(["TRUE", "false"], 120)
    ill = (age.astype(int) > 40) ^ (paid == "TRUE")
    age[::7] = "-99"
    frame = pd.DataFrame({"age": age, "paid": paid, "is": np.where(ill, "ill", "well")})
    choices = Choices(target="is", codes={"age": ("-99",)}, flags=("age",))
    dataset = make_dataset(frame, name="t", choices=choices)
    clf = TSKClassifier(4, consequents=consequents, max_epochs=20, random_state=0).fit(dataset.X, dataset.y)
    clf.cleaning_ = dataset.cleaning
    rows, rules = frame.drop(columns="is"), clf.model_.to_dict()
    lacks = rows["age"] == "-99"
    cells = rows.assign(**{"age is missing": np.where(lacks, "yes", "no"), "age": rows["age"].where(~lacks).astype(float)})
    for name, sign in (("python", "#"), ("javascript", "//"), ("c", "//"), ("sql", "--")):
        source = FORMATS[name].write(rules)
        assert f"{sign} age: in the table, -99 stood for a missing value; pass a missing value in its place.\n" in source
        assert f"{sign} age is missing: pass yes where age is missing, else no.\n" in source
        assert ("paid: pass True and False" in source) == (name == "c")
        own = cells.assign(paid=cells["paid"].str.capitalize()) if name == "c" else cells
        own = own[[feature.name for feature in taken_features(rules)]]
        assert_alike(CODE[name](source, rules, raw(own), tmp_path), clf.predict(rows), clf.model_.scores(rows))


@pytest.mark.parametrize(
    ("categories", "kind", "stored"),
    [
        (["False", "True"], "BOOLEAN", [1, 0, None]),
        (["False", "True"], "TEXT", ["true", "f", None]),
        (["1", "2"], "REAL", [2.0, 1.0, None]),
        (["1", "2"], "TEXT", ["2", "1", None]),
        (["1", "1.3"], "REAL", [1.3, 1.0, None]),
        (["1", "1.3"], "TEXT", ["1.30", "1.00", None]),  # as DECIMAL(4, 2) is written
    ],
    ids=["Booleans", "Booleans as text", "numbers", "numbers as text", "grades", "grades as text"],
)
@pytest.mark.parametrize("beside", [(), ("missing", "other")], ids=["alone", "beside categories that no cell has"])
def test_sql_finds_categories_as_databases_store_them(categories, kind, stored, beside):
    made = {"missing": "missing", "unknown": "other"} if beside else {}
    columns = [{**category("k", name), "impute": categories[0], **made} for name in (*categories, *beside)]
    D = len(columns)
    rules = base(columns, [rule([0] * D, [None] * D, [[0, *(10.0**d for d in range(D))], [0] * (D + 1)])])
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE {TABLE} (k {kind})")
    database.executemany(f"INSERT INTO {TABLE} VALUES (?)", [(value,) for value in [*stored, *[9] * bool(beside)]])
    try:
        found = database.execute(FORMATS["sql"].write(rules)).fetchall()
    except sqlite3.OperationalError as error:
        pytest.skip(f"this SQLite has no EXP: {error}")
    assert [line[1] for line in found] == ([10, 1, 100, 1000] if beside else [10, 1, 1])


@pytest.mark.parametrize("escapes", [False, True], ids=["standard", "where a backslash escapes"])
def test_no_name_of_a_class_becomes_a_statement(escapes):
    rules, _ = random_base(2, 2, 3, seed=0)
    rules["classes"][:] = ["!\\", "; DROP TABLE runs; -- ", "\\' OR 1=1; -- "]
    query = re.sub(r"-- .*", "", FORMATS["sql"].write(rules).replace("; -- ", "; ~~ "))  # without its comments
    outside = "'".join(re.split(r"'(?:\\.|''|[^'\\])*'" if escapes else r"'(?:''|[^'])*'", query, flags=re.DOTALL))
    assert "DROP" in query and "DROP" not in outside and "OR 1" not in outside


def test_json_is_the_exported_dictionary(trained):
    clf, *_ = trained
    assert json.loads(clf.export("json")) == clf.to_dict()
    assert json.loads(clf.rules(2).export("json")) == clf.rules(2).shortened


def test_what_cannot_be_exported_is_one_sentence():
    rules, _ = random_base(2, 2, 2, seed=0)
    with pytest.raises(SettingError, match="The format is 'pmml'; it must be one of text, markdown"):
        TSKClassifier(2, max_epochs=1, random_state=0).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).export("pmml")
    with pytest.raises(DataError, match="Column 1 of the rules is of kind 'other'"):
        FORMATS["c"].write({**rules, "columns": [{**rules["columns"][0], "kind": "other"}, rules["columns"][1]]})
    for name in ("!\\", "b\\'", 'b\\"'):  # where a backslash escapes, the name would not end
        with pytest.raises(DataError, match="has a backslash before a quotation mark or at its end"):
            FORMATS["sql"].write({**rules, "columns": [{**rules["columns"][0], "feature": name}, rules["columns"][1]]})
    rules["classes"][0] = "a\0b"
    for name in ("c", "sql"):
        with pytest.raises(DataError, match="NUL character"):
            FORMATS[name].write(rules)


def test_comments_of_fml_keep_signs():
    columns = [number("a -- b") | {"impute": -4.5}]
    text = FORMATS["fml"].write(base(columns, [rule([-1.0], [2.0], [[0, 1], [1, 0]]), rule([1.0], [2.0], [[1, 0], [0, 1]])]))
    comment = text[text.index("<!--") + 4 : text.index("-->")]
    assert "-4.5" in comment and "--" not in comment


@pytest.mark.parametrize("slope", [0.0, 1.0], ids=["constant", "linear"])
@pytest.mark.parametrize("name", CODE)
def test_names_of_ordered_categories_are_data(name, slope, tmp_path):
    rng, K = np.random.default_rng(3), len(HOSTILE)
    columns = [{**number("kind"), "levels": HOSTILE, "impute": 4}, number("size")]
    consequents = [[[constant, slope, -slope] for constant in rng.normal(size=2)] for _ in range(3)]
    rules = base(columns, [rule([9.0 * r, 0.0], [5.0, 1.0], own) for r, own in enumerate(consequents)], ["a", "b"])
    Z = np.column_stack([[*range(K), 4, 4], rng.normal(size=K + 2)])
    rows = [{"kind": kind, "size": z} for kind, z in zip([*HOSTILE, "unknown", None], Z[:, 1].tolist(), strict=True)]
    expected = scores(rules, Z)
    found = CODE[name](FORMATS[name].write(rules), rules, rows, tmp_path)
    assert_alike(found, [rules["classes"][k] for k in expected.argmax(1)], expected, 1e-12)


def test_a_sentence_of_code_names_the_ordered_categories_that_hold():
    columns = [{**number("size"), "levels": ["small", "medium", "large"], "impute": 1}]
    conditions = [rule([-0.4], [1.3], [[1.0, 0.0], [0.0, 0.0]]), rule([2.0], [0.5], [[0.0, 0.0], [1.0, 0.0]])]
    text = FORMATS["python"].write(base(columns, conditions, ["a", "b"]))
    assert "# Rule 1: IF size is small or medium THEN a" in text
    assert "# Rule 2: IF size is large THEN b" in text
