"""The decision that the tab Mistakes has a cost for, beside the predicted class of new rows."""

from collections.abc import Mapping

import numpy as np

from tsk_core.evaluate import Decision
from ui.runs.decision_texts import cost_text
from ui.text import in_markdown, shortened_names

DECISION_HELP = "What a missed case costs is set on the tab Mistakes."


def decision_text(decision: Decision, probabilities: Mapping[str, float]) -> str:
    """The decision for one row, as Markdown. probabilities: of the two classes."""
    classes, shares = list(probabilities), np.array([list(probabilities.values())])
    (at,) = decision.decide(shares.argmax(1), shares, classes)
    name = shortened_names(classes, 40)[at]
    return f"Decision: **{in_markdown(name)}**, because {in_markdown(cost_text(decision, classes))}."
