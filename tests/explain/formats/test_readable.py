"""Readable formats hold the sentences and figures of a rule base, and names from tables as text."""

import csv
import io
import re

import numpy as np
import pytest
from markdown_it import MarkdownIt

from tests.explain.examples import base, number, rule
from tsk_core.data import to_csv
from tsk_core.explain import RuleBaseSummary, firing_levels
from tsk_core.explain.formats.documents import to_latex, to_markdown

NAMES = [
    "<img src=x onerror=alert(1)>", "$x$ $$y$$", "a|b||c", "\\input{x}", "=cmd()", "it's \"quoted\" `code`", "two\nlines",
    "*a* _b_", "**c** ~~d~~ ==e==", "[f](javascript:g)", "![h](i)", "1. one", "- item", "# head", "50% & more #1", "x^2~3", "---",
    "''a'' ,,b,,", "http://example.com www.example.com", "@somebody :smile: &amp; &lt;", "back\\", "{brace} }{", "ünï κ",
    "<!-- c -->", "<<d>>",
]  # fmt: skip


@pytest.fixture(scope="module")
def rule_base():
    """Rules on columns and classes with these names, of which one never fires."""
    rng = np.random.default_rng(0)
    D = len(NAMES)
    rules = [rule(rng.normal(size=D).tolist(), [2.0] * D, rng.normal(size=(D, D + 1)).tolist()) for _ in range(3)]
    rules[0]["consequents"][NAMES.index("=cmd()")][0] = 100.0
    rules.append(rule([1e4] * D, [1.0] * D, np.zeros((D, D + 1)).tolist()))
    exported = base([number(name) for name in NAMES], rules, NAMES)
    Z = rng.normal(size=(60, D))
    y = np.where(firing_levels(exported, Z).argmax(1) == 0, NAMES.index("=cmd()"), np.arange(60) % D)  # of the first rule's rows
    return RuleBaseSummary.build(exported, Z, y, max_antecedents=8)


def words(text):
    return " ".join(text.split())


def test_text_and_csv_are_those_of_the_rule_base_without_formulas(rule_base):
    assert rule_base.export("text") == str(rule_base)
    text = rule_base.export("csv")
    assert text.encode() == to_csv(rule_base.to_frame())
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 4 and "'=cmd()" in {row["conclusion"] for row in rows}
    assert not [cell for row in rows for cell in (*row, *row.values()) if cell.startswith(("=", "@"))]


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_no_name_breaks_a_line_or_turns_its_direction(name):
    names = ["two\nlines\u2028or three", "nek\u202eorb", "a\u2066b"]
    rules = [rule([float(k)] * 3, [1.0] * 3, np.eye(3, 4, k + 1).tolist()) for k in range(3)]
    rules += [rule([k, 0.0, 0.0], [1.0] * 3, [[5.0 * (k == c), 0, 0, 0] for c in range(3)]) for k in range(3)]
    Z = np.random.default_rng(0).normal(size=(60, 3))
    text = RuleBaseSummary.build(base([number(name) for name in names], rules, names), Z, np.arange(60) % 3).export(name)
    assert not set(text) & set("\u2028\u202e\u2066")
    assert "two lines or three" in text and not [line for line in text.splitlines() if line.startswith(("lines", "or three"))]


def test_markdown_shows_each_name_and_sentence_as_it_is(rule_base):
    page = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"]).parse(rule_base.export("markdown"))
    kinds = {token.type for token in page} | {part.type for token in page for part in token.children or ()}
    assert not {kind for kind in kinds if re.match("html|link|image|code|fence|em_|s_|hr|math", kind)}
    assert sum(token.type == "table_open" for token in page) == 1 and sum(token.type == "td_open" for token in page) == 4 * 5
    shown = words(" ".join("".join(part.content or " " for part in token.children) for token in page if token.type == "inline"))
    for told in rule_base.rules:
        for sentence in [str(told)] if told.dead else (told.headline, *told.remarks, *told.measured):
            assert words(sentence) in shown
        if not told.dead:
            assert words(told.then) in shown and all(words(one.text) in shown for one in told.antecedents)
    assert all(words(line) in shown for line in rule_base.measured_text.splitlines())


def plain(latex):
    """The text that LaTeX prints, for the commands that may stand in the file; fails on any other command or active sign."""
    signs = {
        "textbackslash": "\\", "textasciicircum": "^", "textasciitilde": "~", "textless": "<", "textgreater": ">", "textbar": "|",
        "textquotedbl": '"', "textasciigrave": "`", "ldots": "…", "textbf": "", "ensuremath": "", "geq": "≥", "leq": "≤",
    }  # fmt: skip
    text, at, depth = "", 0, 0
    while at < len(latex):
        command = re.match(r"\\([a-zA-Z]+)(\{\})?|\\(.)", latex[at:], re.DOTALL)
        if command:
            name, empty, sign = command.groups()
            text += signs[name] if name else {"\\": "\n"}.get(sign, sign)
            assert not name or empty or name in ("textbf", "ensuremath", "geq", "leq")
            at += command.end()
            continue
        assert latex[at] not in '$#%^_~|<>"`', latex[at - 20 : at + 20]
        depth += {"{": 1, "}": -1}.get(latex[at], 0)
        assert depth >= 0
        text += {"{": "", "}": "", "&": " "}.get(latex[at], latex[at])
        at += 1
    assert depth == 0
    return text


def test_latex_prints_each_name_and_sentence_as_it_is(rule_base):
    text = rule_base.export("latex")
    for kind in ("longtable", "description"):
        assert text.count(rf"\begin{{{kind}}}") == text.count(rf"\end{{{kind}}}") == 1
    table = text[text.index(r"\endlastfoot") + len(r"\endlastfoot") : text.index(r"\end{longtable}")].strip().splitlines()
    assert len(table) == 4 and all(line.endswith(r" \\") and len(re.findall(r"(?<!\\)&", line)) == 4 for line in table)
    items = text[text.index(r"\begin{description}") : text.index(r"\end{description}")].splitlines()[1:]
    for told, row, item in zip(rule_base.rules, table, items, strict=True):
        assert item.startswith(rf"\item[Rule {told.index}] ")
        shown, below = words(plain(row)), words(plain(item.split("]", 1)[1]))
        for sentence in [str(told)] if told.dead else (told.headline, *told.remarks, *told.measured):
            assert words(sentence) in below
        if not told.dead:
            assert words(told.then) in shown and all(words(one.text) in shown for one in told.antecedents)
    assert not re.search(r"--|''|,,", text[text.index(r"\endlastfoot") :])  # no ligatures
    assert r"\input" not in text.split("\n", 1)[1]


@pytest.mark.parametrize("write", [to_markdown, to_latex])
def test_no_rules_are_no_error(write):
    for zero_order in (False, True):
        assert write("0 rules.", (), zero_order=zero_order).startswith(("# Rules", "% Rules"))


def zero_order_base(classes):
    """Three rules with constants on the columns of ``NAMES``: the first with two conditions, the second with none, a dead one."""
    D, C = len(NAMES), len(classes)
    constants = np.round(np.random.default_rng(1).normal(size=(3, C)), 1)
    rules = [rule([0.0] * D, [None] * D, [[float(value), *[0.0] * D] for value in row]) for row in constants]
    rules[0]["sigmas"][:2] = [0.5, 0.5]
    rules[2]["sigmas"][0], rules[2]["log_weight"] = 0.5, -500.0
    Z = np.random.default_rng(0).normal(size=(60, D))
    exported = base([number(name) for name in NAMES], rules, classes)
    return RuleBaseSummary.build(exported, Z, np.arange(60) % C, max_antecedents=8)


def relative(told, classes):
    """The scores as printed in a table, with ASCII's minus sign."""
    return [f"{told.scores[name]:.2f}" for name in classes]


@pytest.mark.parametrize("n_classes", [2, 6, 7])
def test_markdown_lists_the_scores_of_a_zero_order_base(n_classes):
    classes = NAMES[:n_classes]
    rule_base = zero_order_base(classes)
    page = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"]).parse(rule_base.export("markdown"))
    cells = [[], []]
    for k, token in enumerate(page):
        if token.type in ("th_open", "td_open"):
            parts = page[k + 1].children
            cells[token.type == "td_open"].append(words("".join(part.content or " " for part in parts)).replace("−", "-"))
    heads, columns = cells[0][3:-2], len(cells[0])
    rows = [cells[1][k : k + columns] for k in range(0, len(cells[1]), columns)]
    assert heads == (list(map(words, classes)) if n_classes <= 6 else ["Scores"]) and len(rows) == 3
    for told, row in zip(rule_base.rules, rows, strict=True):
        values = relative(told, classes)
        together = ", ".join(f"{words(name)}: {value}" for name, value in zip(classes, values, strict=True))
        wanted = [""] * len(heads) if told.dead else (values if n_classes <= 6 else [together])
        assert row[0] == str(told.index) and row[3:-2] == wanted
    assert [told.dead for told in rule_base.rules] == [False, False, True]


@pytest.mark.parametrize("n_classes", [2, 6, 7])
def test_latex_prints_a_line_a_condition_and_the_scores_of_a_zero_order_base(n_classes):
    classes = NAMES[:n_classes]
    rule_base = zero_order_base(classes)
    text = rule_base.export("latex")
    body = text[text.index(r"\endlastfoot") + len(r"\endlastfoot") : text.index(r"\end{longtable}")]
    blocks = [block.strip().splitlines() for block in body.split(r"\addlinespace")]
    n_columns = 3 + (n_classes if n_classes <= 6 else 1)
    for told, lines in zip(rule_base.rules, blocks, strict=True):
        assert [line.endswith(r"\\*") for line in lines] == [True] * (len(lines) - 1) + [False]  # no page break within a rule
        cells = [re.split(r"(?<!\\)&", line.removesuffix("*").removesuffix(r"\\")) for line in lines]
        assert {len(line) for line in cells} == {n_columns}
        shown = [[words(plain(cell)) for cell in line] for line in cells]
        conditions = [line[1].removeprefix("and ") for line in shown]
        values = relative(told, classes)
        together = ", ".join(f"{words(name)}: {value}" for name, value in zip(classes, values, strict=True))
        if told.dead:
            assert conditions == ["never fires"] and not any(shown[0][2:])
            continue
        assert conditions == ([words(one.text) for one in told.antecedents] or ["anything"])
        assert shown[0][0] == str(told.index) and shown[0][2] == words(told.then)
        assert shown[0][3:] == (values if n_classes <= 6 else [together])
        assert not any("".join(line[2:]) for line in shown[1:])
    assert len(blocks[0]) == 2 or len(blocks[1]) == 2
    assert text.count(r"\begin{longtable}") == 1 and (r"\cmidrule" in text) == (n_classes <= 6)
    *_, head = text[text.index(r"\toprule") : text.index(r"\midrule")].strip().splitlines()
    heads = [words(plain(cell)) for cell in re.split(r"(?<!\\)&", head.removesuffix(r"\\"))]
    assert heads == ["Rule", "IF", "THEN", *(map(words, classes) if n_classes <= 6 else ["Scores"])]
