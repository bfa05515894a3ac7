r"""Readable rules as LaTeX to \input into a paper: a longtable with booktabs' rules, then what was measured of each rule."""

import re
from collections.abc import Iterable

from tsk_core.explain.digits import percent
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
_LEFT = r">{\raggedright\arraybackslash}"
_TABLE = rf"""\begin{{longtable}}{{@{{}}r{_LEFT}p{{0.52\linewidth}}{_LEFT}p{{0.16\linewidth}}rr@{{}}}}
\toprule
Rule & IF & THEN & Firing & Strongest \\
\midrule
\endhead
\bottomrule
\endlastfoot"""


def to_latex(measured_text: str, rules: Iterable[Rule]) -> str:
    """The text of a file. measured_text: lines about all rules."""
    rules = list(rules)
    return "\n".join([
        _HEAD, "\\noindent " + " ".join(map(_text, measured_text.splitlines())),
        "Firing: average firing level on the training rows; strongest: share of training rows for which no rule fires more.\n",
        _TABLE, *(" & ".join(_cells(rule)) + r" \\" for rule in rules), r"\end{longtable}", "",
        r"\begin{description}",
        *(rf"\item[{_text(rule.name)}] {' '.join(map(_text, [str(rule)] if rule.dead else rule.measured))}" for rule in rules),
        r"\end{description}", "",
    ])  # fmt: skip


def _cells(rule: Rule) -> list[str]:
    conditions = r" \textbf{and} ".join(_text(antecedent.text) for antecedent in rule.antecedents) or "anything"
    told = ["never fires", ""] if rule.dead else [conditions, rf"\textbf{{{_text(rule.then)}}}"]
    return [str(rule.index), *told, _text(percent(rule.support)), _text(percent(rule.wins))]


def _text(text: str) -> str:
    """Text on one line in which no character has a meaning, none breaks the line, and none joins to a ligature."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return _PATTERN.sub(lambda match: _SIGNS.get(match[0], match[0] + "{}"), line)
