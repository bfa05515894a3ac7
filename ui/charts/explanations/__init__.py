"""What *Explain* says of each chart and number: what it shows, its formula, and what to try next.

The numbers of the run that enter a formula are not here: the browser computes them at the selected epoch from what it has
(``explained.js`` in each folder of ``ui/client``), so that they add up with what is drawn. The browser loads the texts as one
file when the first of them is opened.
"""

import json
from functools import cache
from pathlib import Path

from ui.charts.explanations.explanation import Explanation
from ui.charts.explanations.of_experiments import EXPLANATIONS as OF_EXPERIMENTS
from ui.charts.explanations.of_rules import EXPLANATIONS as OF_RULES
from ui.charts.explanations.of_run import EXPLANATIONS as OF_RUN
from ui.platform.assets import STATIC, named, publish

__all__ = ["EXPLANATIONS", "Explanation", "explanations_file", "provide_explanations"]

_PATTERN = "explanations-*.json"
EXPLANATIONS = {one.name: one for one in (*OF_RUN, *OF_RULES, *OF_EXPERIMENTS)}


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
