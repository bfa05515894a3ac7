"""Rules to take away: as text for people, and as code and files that predict as the rules do.

FORMATS names them all. ``export`` writes one; a classifier and a rule base have it as a method.

The probability of a class is exp(score) as a share of the sum over the classes. Code computes it, in a function or in columns of
its own. Fuzzy inference systems have no exponential of their outputs, so a reader of .fis or FML takes it after them, and one of
JSON as well. With class weights, C numbers are added to the scores first ("log_prior" in JSON; ``train.table.log_prior``). Text
for people holds no model: there each rule has the share of its rows that are of its class, counted, with its interval.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tsk_core.errors import DataError, SettingError
from tsk_core.explain.exported import ExportedRules, is_zero_order, read_rules
from tsk_core.explain.formats.c import to_c
from tsk_core.explain.formats.documents import to_latex, to_markdown
from tsk_core.explain.formats.inference_systems import to_fis, to_fml
from tsk_core.explain.formats.javascript import to_javascript
from tsk_core.explain.formats.model import Model, empty_category, layer_normalised, log_levels, raw_cell_comments, read_model
from tsk_core.explain.formats.onnx import INPUTS_NOTE, to_onnx
from tsk_core.explain.formats.python import to_python
from tsk_core.explain.formats.sql import to_sql
from tsk_core.runtime.extras import is_installed, missing_extra

if TYPE_CHECKING:
    from tsk_core.explain.rule_base_summary import RuleBaseSummary

__all__ = ["FORMATS", "Format", "export", "format_named"]


@dataclass(frozen=True)
class Format:
    """One format.

    name: what Python and the command line call it. label: what the page calls it. file: a name for the file. media_type: of HTTP.
    help: one or two sentences on what it is good for. readable: whether it is text about a rule base, else it predicts.
    make: a ``RuleBaseSummary`` or, unless readable, an exported dictionary → text, or bytes. refuses: why not, in a sentence,
    or "".
    needs: the extra to install.
    """

    name: str
    label: str
    file: str
    media_type: str
    help: str
    readable: bool
    make: Callable[[Any], str | bytes]
    refuses: tuple[Callable[[ExportedRules], str], ...] = ()
    needs: str = ""

    @property
    def installed(self) -> bool:
        """Whether what it needs is installed."""
        return not self.needs or is_installed(self.needs)

    def refusal(self, rules: ExportedRules) -> str:
        """Why it cannot hold these rules, in a sentence; "" where it can."""
        return next(filter(None, (refuses(rules) for refuses in self.refuses)), "")

    def write(self, source: Any) -> str | bytes:
        """The text or bytes of a file. source: a ``RuleBaseSummary`` or, unless readable, an exported dictionary.

        Raises DataError for rules that it cannot hold, TSKError where what it needs is not installed.
        """
        if refusal := self.refusal(source):
            raise DataError(refusal)
        try:
            return self.make(source)
        except ModuleNotFoundError as error:
            raise missing_extra(error.name) or error from None


def _csv(rule_base: "RuleBaseSummary") -> str:
    from tsk_core.data.export import to_csv  # here, because pandas is slow to import

    return to_csv(rule_base.to_frame()).decode()


def _document(write: Callable[..., str]) -> "Callable[[RuleBaseSummary], str]":
    return lambda rule_base: write(
        rule_base.introduction, rule_base.rules, zero_order=is_zero_order(read_rules(rule_base.shortened))
    )


def _model(write: Callable[[Model], str | bytes]) -> Callable[[ExportedRules], str | bytes]:
    return lambda rules: write(read_model(rules))


def _code(write: Callable[[Model], str], sign: str, *, reads_truth: bool = True) -> Callable[[ExportedRules], str]:
    return lambda rules: raw_cell_comments(rules, sign, reads_truth=reads_truth) + write(read_model(rules))


_SYSTEM = (layer_normalised, log_levels)  # what fuzzy systems of other tools refuse


_PRODUCTS = (
    "A probability is exp(output) as a share of the sum over all outputs; compute it afterwards. Rows extremely far from every"
    " rule get no score, since products underflow. Missing values have to be filled first."
)
_DECLARED = (
    Format("text", "Text", "rules.txt", "text/plain", "One line for each rule, with its metrics.", True, str),
    Format(
        "markdown", "Markdown", "rules.md", "text/markdown",
        "A table of the rules and what was measured for each, for a README, a wiki or a notebook.", True,
        _document(to_markdown),
    ),
    Format(
        "latex", "LaTeX", "rules.tex", "application/x-tex",
        "A table of the rules and what was measured for each, to \\input into a paper; needs booktabs and longtable.", True,
        _document(to_latex),
    ),
    Format("csv", "CSV", "rules.csv", "text/csv", "One row per rule, for a spreadsheet.", True, _csv),
    Format(
        "json", "JSON", "rules.json", "application/json",
        "All numbers in original units, to compute the predictions with a program of your own. The probability of a class is"
        " exp(score) as a share of the sum over the classes; with class weights, add the numbers of log_prior first.", False,
        lambda rules: json.dumps(rules, ensure_ascii=False),
    ),
    Format(
        "python", "Python function", "rules.py", "text/x-python",
        "predict(row) gives the class and all scores, predict_proba(row) the probabilities. It needs no library and takes raw"
        " values, including missing ones.", False,
        _code(to_python, "#"), (layer_normalised,),
    ),
    Format(
        "javascript", "JavaScript function", "rules.js", "text/javascript",
        "predict(row) gives the class and all scores, predictProba(row) the probabilities, in a browser or in Node. It takes raw"
        " values, including missing ones.", False,
        _code(to_javascript, "//"), (layer_normalised,),
    ),
    Format(
        "c", "C function", "rules.c", "text/x-c",
        "tsk_predict gives the class and all scores, tsk_predict_proba the probabilities, for a small device. C99; it takes raw"
        " values, including missing ones.", False,
        _code(to_c, "//", reads_truth=False), (layer_normalised,),
    ),
    Format(
        "sql", "SQL query", "rules.sql", "application/sql",
        "A database computes the class, the scores and the probabilities of each row of a table. It takes raw values, even NULL.",
        False,
        _code(to_sql, "--"), (layer_normalised,),
    ),
    Format(
        "fis", "MATLAB .fis", "rules.fis", "text/plain",
        f"A Sugeno system for readfis, with one output per class. {_PRODUCTS}", False, _model(to_fis), _SYSTEM,
    ),
    Format(
        "fml", "IEEE 1855 FML", "rules.xml", "application/xml",
        f"A TSK system in the Fuzzy Markup Language, with an output per class. {_PRODUCTS}", False, _model(to_fml), _SYSTEM,
    ),
    Format(
        "onnx", "ONNX", "rules.onnx", "application/octet-stream",
        "A graph of standard operators for ONNX Runtime, which gives class, scores and probabilities. One input per column:"
        f" {INPUTS_NOTE}.", False, _model(to_onnx), (layer_normalised, empty_category), needs="onnx",
    ),
)  # fmt: skip
FORMATS = {declared.name: declared for declared in _DECLARED}


def format_named(name: str) -> Format:
    """The format of this name; SettingError for any other."""
    if name not in FORMATS:
        raise SettingError(f"The format is {name!r}; it must be one of {', '.join(FORMATS)}.")
    return FORMATS[name]


def export(name: str, rule_base: "RuleBaseSummary") -> str | bytes:
    """The text of a file about a rule base, or its bytes; formats that predict hold its shortened rules.

    Raises SettingError for an unknown format, DataError for rules that the format cannot hold.
    """
    chosen = format_named(name)
    return chosen.write(rule_base if chosen.readable else rule_base.shortened)
