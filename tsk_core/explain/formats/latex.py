r"""Readable rules as LaTeX to \input into a paper: a longtable with booktabs' rules, then what was measured of each rule."""

import re
from collections.abc import Iterable, Sequence

from tsk_core.explain.formats.tables import row_cells, row_heads, score_cells, score_heads
from tsk_core.explain.rule import Rule

__all__ = ["to_latex"]

_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    "≥": r"\ensuremath{\geq}", "≤": r"\ensuremath{\leq}", "−": r"\ensuremath{-}", "×": r"\ensuremath{\times}",
    "σ": r"\ensuremath{\sigma}", "μ": r"\ensuremath{\mu}", "…": r"\ldots{}", "–": "--", "✓": "yes", "✗": "no",
}  # fmt: skip
_PATTERN = re.compile("|".join(map(re.escape, _SIGNS)) + "|-(?=-)|'(?=')|,(?=,)")
_HEAD = r"""% Rules of a fuzzy classifier. Written by TSK Explorer.
% \usepackage{booktabs,longtable,array,textcomp} and \usepackage[T1]{fontenc}; for names in other scripts, XeLaTeX or LuaLaTeX.
"""
_ZERO_ORDER_TOLD = """\
The scores of a rule are relative to their mean over the classes. The predicted class has the highest mean of the rules' scores,
weighted by their firing levels.
"""
_LEFT = r">{\raggedright\arraybackslash}"
_WIDTHS = "".join(rf"{_LEFT}p{{{width}\linewidth}}" for width in (0.4, 0.14, 0.16, 0.16))
_TABLE = rf"""\begin{{longtable}}{{@{{}}r{_WIDTHS}@{{}}}}
\toprule
Rule & IF & THEN & %s & %s \\
\midrule
\endhead
\bottomrule
\endlastfoot"""


def to_latex(measured_text: str, rules: Iterable[Rule], *, zero_order: bool = False) -> str:
    """The text of a file. measured_text: lines about all rules. zero_order: whether their scores are constants, to be listed."""
    rules = list(rules)
    table = _zero_order(rules) if zero_order else [
        _TABLE % tuple(map(_text, row_heads(rules))),
        *(" & ".join(_cells(rule)) + r" \\" for rule in rules), r"\end{longtable}", "",
    ]  # fmt: skip
    return "\n".join([
        _HEAD, "\\noindent " + " ".join(map(_text, measured_text.splitlines())),
        *table,
        r"\begin{description}",
        *(rf"\item[{_text(rule.name)}] {' '.join(map(_text, _told(rule)))}" for rule in rules),
        r"\end{description}", "",
    ])  # fmt: skip


def _zero_order(rules: list[Rule]) -> list[str]:
    """The table of a zero-order rule base: a line per condition, and with the first one of a rule its class and its scores."""
    heads = [_text(name) for name in score_heads(rules)]
    lines: list[str] = []
    for rule in rules:
        lines += [r"\addlinespace"] if lines else []
        lines += _conditions(rule, len(heads))
    many = len(heads) == 1  # classes, in one cell
    scores = rf"{_LEFT}p{{0.3\linewidth}}" if many else "r" * len(heads)
    above = [rf" & & & \multicolumn{{{len(heads)}}}{{c@{{}}}}{{Score of}} \\", rf"\cmidrule(l){{4-{3 + len(heads)}}}"]
    return [
        _ZERO_ORDER_TOLD,
        rf"\begin{{longtable}}{{@{{}}r{_LEFT}p{{0.4\linewidth}}{_LEFT}p{{0.14\linewidth}}{scores}@{{}}}}",
        r"\toprule",
        *([] if many or not heads else above),
        " & ".join(["Rule", "IF", "THEN", *heads]) + r" \\",
        r"\midrule", r"\endhead", r"\bottomrule", r"\endlastfoot", *lines, r"\end{longtable}", "",
    ]  # fmt: skip


def _conditions(rule: Rule, n_scores: int) -> list[str]:
    """The lines of one rule, which no page break parts."""
    conditions = ["never fires"] if rule.dead else [_text(one.text) for one in rule.antecedents] or ["anything"]
    then = "" if rule.dead else rf"\textbf{{{_text(rule.then)}}}"
    first = " & ".join([str(rule.index), conditions[0], then, *map(_text, score_cells(rule))])
    others = [rf" & \textbf{{and}} {condition} & {'& ' * n_scores}".rstrip() for condition in conditions[1:]]
    lines = [first, *others]
    return [rf"{line} \\*" for line in lines[:-1]] + [rf"{lines[-1]} \\"]


def _told(rule: Rule) -> Sequence[str]:
    return [str(rule)] if rule.dead else (rule.headline, *rule.remarks, *rule.measured)


def _cells(rule: Rule) -> list[str]:
    conditions = r" \textbf{and} ".join(_text(antecedent.text) for antecedent in rule.antecedents) or "anything"
    told = ["never fires", ""] if rule.dead else [conditions, rf"\textbf{{{_text(rule.then)}}}"]
    return [str(rule.index), *told, *map(_text, row_cells(rule))]


def _text(text: str) -> str:
    """Text on one line in which no character has a meaning, none breaks the line, and none joins to a ligature."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return _PATTERN.sub(lambda match: _SIGNS.get(match[0], match[0] + "{}"), line)
