"""Cells of a table of rules: the rows of which a sentence is true; of a zero-order base its scores, too, a column per class."""

from collections.abc import Sequence

from tsk_core.explain.rule import Rule
from tsk_core.numbers import minus

__all__ = ["row_cells", "row_heads", "score_cells", "score_heads"]

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
