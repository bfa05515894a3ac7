"""The rules as a pandas DataFrame, for notebooks and spreadsheets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.explain.exported import Label
from tsk_core.explain.rule import Rule

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["rules_frame"]


def rules_frame(rules: tuple[Rule, ...], classes: Sequence[Label]) -> "pd.DataFrame":
    """One row per rule, in this order; figures of a rule's claim are NaN where it has none."""
    import pandas as pd

    def of_claim(name: str) -> list[float]:
        return [np.nan if rule.claim is None else getattr(rule.claim, name) for rule in rules]

    frame = pd.DataFrame(
        {
            "rule": [r.index for r in rules],
            "text": [r.text for r in rules],
            "conclusion": [r.conclusion for r in rules],
            "support": [r.support for r in rules],
            "wins": [r.wins for r in rules],
            "confidence": [np.nan if r.confidence is None else r.confidence[r.conclusion] for r in rules],
            "confidence low": [np.nan if r.claim is None else r.claim.interval[0] for r in rules],
            "confidence high": [np.nan if r.claim is None else r.claim.interval[1] for r in rules],
            "prior": of_claim("prior"),
            "lift": of_claim("lift"),
            "certainty": of_claim("certainty"),
            "penalised certainty": [np.nan if r.claim is None else r.claim.penalised(len(classes)) for r in rules],
            "dominance": of_claim("dominance"),
            "coverage": [np.nan if r.claim is None else r.claim.covers(len(r.antecedents)) for r in rules],
            "true at its centre": [None if r.claim is None else r.claim.literal for r in rules],
            "dead": [r.dead for r in rules],
            "clear": [r.clear for r in rules],
        }
    )
    each = {f"score: {c}": [r.scores[c] for r in rules] for c in classes}
    return pd.concat([frame, pd.DataFrame(each)], axis=1)
