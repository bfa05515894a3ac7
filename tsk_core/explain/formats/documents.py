"""Readable rules as Markdown and as LaTeX: a table of the rules, then what was measured of each. Every name is text there.

A table says of which rows a sentence is true; of a zero-order base also the scores, in a column per class.
"""

import re
from collections.abc import Iterable, Sequence

from tsk_core.explain.antecedents import one_line
from tsk_core.explain.rule import Rule
from tsk_core.numbers import minus

_MOST = 6  # classes with a column each


def score_heads(rules: Sequence[Rule]) -> list[str]:
    """The heads of the columns; none without rules."""
    classes = [str(name) for rule in rules[:1] for name in rule.scores]
    return classes if len(classes) <= _MOST else ["Scores"]


def score_cells(rule: Rule) -> list[str]:
    """The cells of one rule, such as "0.55" and "−0.55"; blank where it never fires."""
    cells = {name: "" if rule.dead else minus(f"{score:.2f}") for name, score in rule.scores.items()}
    if len(cells) <= _MOST:
        return list(cells.values())
    return ["" if rule.dead else ", ".join(f"{name}: {text}" for name, text in cells.items())]


def sentences(rule: Rule) -> Sequence[str]:
    """What was measured of one rule, a sentence each."""
    return [str(rule)] if rule.dead else (rule.headline, *rule.remarks, *rule.measured)


def row_heads(rules: Sequence[Rule]) -> list[str]:
    """The heads of the two columns of ``row_cells``."""
    tested = any(rule.test is not None for rule in rules)
    return ["True of", "Of its class (95% interval)" if tested else "Of its class"]


def row_cells(rule: Rule) -> list[str]:
    """What a reader can recount of one rule: "28 of 45 test rows", "26 (93%, 77% to 98%)"; blank where it never fires."""
    tally = rule.test or rule.train
    if rule.dead:
        return ["", ""]
    return [tally.true_text, tally.right_text(with_interval=rule.test is not None)]


# LaTeX to \input into a paper: a longtable with booktabs' rules.


_LATEX_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    "≥": r"\ensuremath{\geq}", "≤": r"\ensuremath{\leq}", "−": r"\ensuremath{-}", "×": r"\ensuremath{\times}",
    "σ": r"\ensuremath{\sigma}", "μ": r"\ensuremath{\mu}", "…": r"\ldots{}", "–": "--", "✓": "yes", "✗": "no",
}  # fmt: skip
_PATTERN = re.compile("|".join(map(re.escape, _LATEX_SIGNS)) + "|-(?=-)|'(?=')|,(?=,)")
_HEAD = r"""% Rules of a fuzzy classifier. Written by TSK Explorer.
% \usepackage{booktabs,longtable,array,textcomp} and \usepackage[T1]{fontenc}; for names in other scripts, XeLaTeX or LuaLaTeX.
"""
_ZERO_ORDER_TOLD = """\
The scores of a rule are relative to their mean over the classes. The predicted class has the highest mean of the rules' scores,
weighted by their firing levels.
"""


def to_latex(measured_text: str, rules: Iterable[Rule], *, zero_order: bool = False) -> str:
    """The text of a file. measured_text: lines about all rules. zero_order: whether their scores are constants, to be listed."""
    rules = list(rules)
    return "\n".join([
        _HEAD, "\\noindent " + " ".join(map(_latex_text, measured_text.splitlines())),
        *([_ZERO_ORDER_TOLD] if zero_order else []), *_table(rules, zero_order=zero_order),
        r"\begin{description}",
        *(rf"\item[{_latex_text(rule.name)}] {' '.join(map(_latex_text, sentences(rule)))}" for rule in rules),
        r"\end{description}", "",
    ])  # fmt: skip


def _table(rules: list[Rule], *, zero_order: bool) -> list[str]:
    """A line per rule with its rows; of a zero-order base a line per condition, the first with the scores of the rule."""
    heads = [_latex_text(name) for name in (score_heads if zero_order else row_heads)(rules)]
    in_text = len(heads) == 1 or not zero_order  # what stands below the heads; else numbers
    widths = (0.4, 0.14, *([0.3] if zero_order else [0.16, 0.16])) if in_text else (0.4, 0.14)
    columns = "".join(rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}" for width in widths)
    above = [rf" & & & \multicolumn{{{len(heads)}}}{{c@{{}}}}{{Score of}} \\", rf"\cmidrule(l){{4-{3 + len(heads)}}}"]
    blocks = [_lines(rule, score_cells(rule) if zero_order else row_cells(rule), apart=zero_order) for rule in rules]
    return [
        rf"\begin{{longtable}}{{@{{}}r{columns}{'' if in_text else 'r' * len(heads)}@{{}}}}", r"\toprule",
        *([] if in_text or not heads else above), " & ".join(["Rule", "IF", "THEN", *heads]) + r" \\",
        r"\midrule", r"\endhead", r"\bottomrule", r"\endlastfoot",
        (("\n\\addlinespace\n" if zero_order else "\n").join(blocks)), r"\end{longtable}", "",
    ]  # fmt: skip


def _lines(rule: Rule, cells: list[str], *, apart: bool) -> str:
    """The lines of one rule, which no page break parts. apart: a line per condition, else one with all of them."""
    conditions = ["never fires"] if rule.dead else [_latex_text(one.text) for one in rule.antecedents] or ["anything"]
    if not apart:
        conditions = [r" \textbf{and} ".join(conditions)]
    then = "" if rule.dead else rf"\textbf{{{_latex_text(rule.then)}}}"
    first = " & ".join([str(rule.index), conditions[0], then, *map(_latex_text, cells)])
    others = [rf" & \textbf{{and}} {condition} & {'& ' * len(cells)}".rstrip() for condition in conditions[1:]]
    return " \\\\*\n".join([first, *others]) + r" \\"


def _latex_text(text: str) -> str:
    """Text on one line in which no character has a meaning, none breaks the line, and none joins to a ligature."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return _PATTERN.sub(lambda match: _LATEX_SIGNS.get(match[0], match[0] + "{}"), line)


# Markdown.


# What has a meaning anywhere in a line of CommonMark, in a table, or in what GitHub and others add: mathematics, mentions, icons.
_MARKDOWN_SIGNS = re.compile(r"[\\`*_{}\[\]<>$~&|^#@=]|:(?=\S)|^(?:[-+]|[0-9]+[.)])")


def to_markdown(measured_text: str, rules: Iterable[Rule], *, zero_order: bool = False) -> str:
    """The text of a file. measured_text: lines about all rules. zero_order: whether their scores are constants, to be listed."""
    rules = list(rules)
    heads = score_heads(rules) if zero_order else []
    scores = [_scores(rule) if zero_order else [] for rule in rules]
    rows = [
        _row([*_markdown_cells(rule), *cells, *map(_markdown_text, row_cells(rule))])
        for rule, cells in zip(rules, scores, strict=True)
    ]
    measured = [block for rule in rules for block in _measured(rule)]
    return "\n".join([
        "# Rules", "", "  \n".join(map(_markdown_text, measured_text.splitlines())), "",
        _row(["Rule", "IF", "THEN", *map(_markdown_text, heads), *row_heads(rules)]),
        f"|---:|---|---|{'---:|' * len(heads)}---:|---:|", *rows, "",
        "## What was measured", "", *measured,
    ])  # fmt: skip


def _markdown_cells(rule: Rule) -> list[str]:
    conditions = " **and** ".join(_markdown_text(antecedent.text) for antecedent in rule.antecedents) or "anything"
    told = ["never fires", "–"] if rule.dead else [conditions, f"**{_markdown_text(rule.then)}**"]
    return [str(rule.index), *told]


def _scores(rule: Rule) -> list[str]:
    cells = score_cells(rule)
    return cells if len(cells) > 1 else [_markdown_text(cells[0])]  # numbers, or one cell with names


def _row(cells: Iterable[str]) -> str:
    return " | ".join(["", *cells, ""]).strip()


def _measured(rule: Rule) -> list[str]:
    return [f"### {rule.name}", "", *(f"- {_markdown_text(line)}" for line in sentences(rule)), ""]


def _markdown_text(text: str) -> str:
    """Text on one line in which no character has a meaning."""
    return _MARKDOWN_SIGNS.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", one_line(text))
