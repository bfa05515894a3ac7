"""The rules as a pandas DataFrame, for notebooks and spreadsheets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.explain.exported import Label
from tsk_core.explain.rule import Rule
from tsk_core.explain.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["rules_frame"]


def rules_frame(rules: tuple[Rule, ...], classes: Sequence[Label]) -> "pd.DataFrame":
    """One row per rule, in this order.

    First what a reader can recount: the test rows of which the sentence is true (missing where there are none with classes), how
    many of these have a class that it names, the share with its 95% Wilson interval, and the rows of each class. Then the same of
    the training rows, without an interval. Columns that begin with "training:" are averages over the training rows, those of the
    rule's claim NaN where it has none.
    """
    import pandas as pd

    frame = pd.DataFrame(
        {
            "rule": [r.index for r in rules],
            "text": [r.text for r in rules],
            "conclusion": [r.conclusion for r in rules],
            "headline": ["" if r.dead else r.headline for r in rules],
            "concluded from": [r.concluded_from for r in rules],
        }
    )
    test = _counted([r.test for r in rules], [r.test_counts for r in rules], classes, "test rows")
    train = _counted([r.train for r in rules], [r.train_counts for r in rules], classes, "training rows")
    for end, name in enumerate(("low", "high")):
        bounds = [None if tally is None or tally.interval is None else tally.interval[end] for tally in (r.test for r in rules)]
        test.insert(4 + end, f"test rows: share {name}", pd.Series(bounds, dtype=float))
    each = {f"score: {c}": [r.scores[c] for r in rules] for c in classes}
    return pd.concat([frame, test, train, _averages(rules, len(classes)), pd.DataFrame(each)], axis=1)


def _counted(
    tallies: Sequence[Tally | None],
    counts: Sequence[tuple[tuple[int, ...], ...] | None],
    classes: Sequence[Label],
    rows: str,
) -> "pd.DataFrame":
    """The rows of which each sentence is true, and their classes; Int64, as there may be none."""
    import pandas as pd

    def column(values: Sequence[int | None]) -> "pd.Series[int]":
        return pd.Series(list(values), dtype="Int64")

    whole = {
        f"{rows}": column([None if tally is None else tally.of for tally in tallies]),
        f"{rows}: true": column([None if tally is None else tally.true for tally in tallies]),
        f"{rows}: of the class": column([None if tally is None else tally.right for tally in tallies]),
        f"{rows}: share of the class": pd.Series([None if tally is None else tally.share for tally in tallies], dtype=float),
    }
    names = [f"{rows}: class {c}" if f"{rows}: {c}" in whole else f"{rows}: {c}" for c in classes]
    of_class = {name: column([None if not n else n[-1][k] for n in counts]) for k, name in enumerate(names)}
    return pd.DataFrame(whole | of_class)


def _averages(rules: tuple[Rule, ...], n_classes: int) -> "pd.DataFrame":
    import pandas as pd

    def of_claim(name: str) -> list[float]:
        return [np.nan if rule.claim is None else getattr(rule.claim, name) for rule in rules]

    return pd.DataFrame(
        {
            "training: class by firing": [r.model_class for r in rules],
            "training: support": [r.support for r in rules],
            "training: wins": [r.wins for r in rules],
            "training: confidence": [np.nan if r.confidence is None else r.confidence[r.model_class] for r in rules],
            "training: confidence low": [np.nan if r.claim is None else r.claim.interval[0] for r in rules],
            "training: confidence high": [np.nan if r.claim is None else r.claim.interval[1] for r in rules],
            "training: prior": of_claim("prior"),
            "training: lift": of_claim("lift"),
            "training: certainty": of_claim("certainty"),
            "training: penalised certainty": [np.nan if r.claim is None else r.claim.penalised(n_classes) for r in rules],
            "training: dominance": of_claim("dominance"),
            "true at its centre": [r.literal for r in rules],
            "dead": [r.dead for r in rules],
            "clear": [r.clear for r in rules],
        }
    )
