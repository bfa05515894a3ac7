"""What *Explain* says of each chart and number: what it shows, its formula, and what to try next.

The numbers of the run that enter a formula are not here: the browser computes them at the selected epoch from what it has
(``ui/client``: ``numbers.js`` of the charts and of the rules, elsewhere beside the figure), so that they add up with what is
drawn. The browser loads the texts as one file when the first of them is opened.

explanation.py      one explanation, and its formula as MathML
of_run.py           the charts of a run
of_rules.py         rows and rules of a run
of_experiments.py   Compare, Sweep, and the search for good settings
of_scores.py        scores and verdicts, which the server writes
"""

import json
from functools import cache
from pathlib import Path

from ui.charts.explanations import of_experiments, of_rules, of_run
from ui.charts.explanations.explanation import Explanation
from ui.platform.assets import STATIC, named, publish

__all__ = ["EXPLANATIONS", "Explanation", "explanations_file", "provide_explanations"]

_PATTERN = "explanations-*.json"
EXPLANATIONS = {one.name: one for one in (*of_run.EXPLANATIONS, *of_rules.EXPLANATIONS, *of_experiments.EXPLANATIONS)}


@cache
def _content() -> bytes:
    return json.dumps({name: one.message for name, one in EXPLANATIONS.items()}, ensure_ascii=False).encode()


@cache
def explanations_file() -> str:
    """The file in ``static``; its name changes with the texts, so no browser shows old ones."""
    return named(_PATTERN, _content())


def provide_explanations(static: Path = STATIC) -> None:
    """Put the file into ``static``; see ``assets.publish``."""
    publish(_PATTERN, _content(), static)
