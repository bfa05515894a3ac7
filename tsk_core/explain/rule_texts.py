"""What is said of a rule besides its sentence and its headline: where THEN comes from, and under *More* all that was measured."""

import math
from typing import TYPE_CHECKING

from tsk_core.explain.tally import either
from tsk_core.numbers import percent

if TYPE_CHECKING:
    from tsk_core.explain.rule import Rule

__all__ = ["more_about", "remarks"]


def remarks(rule: "Rule") -> tuple[str, ...]:
    """Why THEN names what it names, where the rows of which the sentence is true do not say it."""
    if rule.concluded_from == "score":
        return _other_class(rule)
    if rule.concluded_from == "rows":
        if rule.clear:
            return ()
        return (
            f"No class has more than half of the {rule.train.true:,} training rows of which the sentence is true, so THEN names"
            " the fewest classes that together have more.",
        )
    if rule.base_rate is None:
        return ("The training rows' classes are unknown: THEN names the class that the model predicts for most of its firing.",)
    if not rule.named:
        return ()
    has = "the class with most" if rule.clear else "the fewest classes that together have more than half"
    return (
        f"The sentence is true of no training row of a known class: THEN names {has} of the rule's firing on the training rows.",
    )


def more_about(rule: "Rule") -> tuple[str, ...]:
    """Training rows, firing, scores and effects, one sentence or two each."""
    scores = [f"{c}: {v:+.2f}" for c, v in sorted(rule.scores.items(), key=lambda item: -item[1])]
    where = "Score" if rule.zero_order else "At the rule's centre, score"
    lines = [*_rows(rule), *_firing(rule), f"{where} for {_few(scores, 5)}{_clipped(rule)}."]
    if rule.zero_order and rule.log_weight:
        lines.append(f"Its firing level is multiplied by {_factor(rule.log_weight)}.")
    if rule.effects:
        lines.append(f"Effects: {'; '.join(m.text for m in rule.effects)}.")
    hardly = "It hardly fires: average" if rule.idle else "Average"
    lines.append(
        f"{hardly} firing level on the training rows {percent(rule.support)}; strongest rule for {percent(rule.wins)} of them."
    )
    return (*lines, *(a.note for a in rule.antecedents if a.note))


def _other_class(rule: "Rule") -> tuple[str, ...]:
    """Of a readable rule base: where most of the rows have a class that the sentence does not name."""
    for counts, tally in ((rule.test_counts, rule.test), (rule.train_counts, rule.train)):
        if not counts or tally is None:
            continue
        name, most = max(zip(rule.scores, counts[-1], strict=False), key=lambda pair: pair[1])
        if 2 * most > tally.true and name not in rule.named:
            return (
                f"Most of these {tally.rows} ({most:,} of {tally.true:,}) are {name}: other rules fire there, too, and the scores"
                f" of all decide; {rule.then} has the highest score of this rule.",
            )
    return ()


def _rows(rule: "Rule") -> list[str]:
    """The training rows beside the test rows of the headline, and the classes of both."""
    lines = []
    train, by_class = rule.train, []
    if rule.test is not None and train.true:
        right = "" if train.right is None or train.share is None else (
            f"; {train.right:,} of these ({percent(train.share)}) {'is' if train.right == 1 else 'are'} {either(rule.named)}"
        )  # fmt: skip
        why = ". THEN was chosen on these rows, so this share is optimistic" if rule.concluded_from == "rows" else ""
        lines.append(f"The sentence is true of {train.true_text}{right}{why}.")
    for counts, tally in ((rule.test_counts, rule.test), (rule.train_counts, train)):
        if counts and tally is not None and tally.right is not None and tally.true > tally.right:
            ranked = sorted(zip(rule.scores, counts[-1], strict=False), key=lambda pair: -pair[1])
            named = [f"{n:,} {name}" for name, n in ranked if n]
            if unknown := counts[-1][-1]:
                named.append(f"{unknown:,} of a class that the model does not know")
            by_class.append(f"{tally.rows} {_few(named, 5)}")
    if by_class:
        lines.append(f"The rows of which it is true: {'; '.join(by_class)}.")
    return lines


def _firing(rule: "Rule") -> list[str]:
    """Confidence and what follows from it, with their definitions."""
    if rule.claim is not None:
        other = rule.concluded_from == "rows" and rule.model_class not in rule.named
        return rule.claim.sentences(rule.model_class, rule.then if other else None)
    if rule.confidence is None:
        return []
    share = percent(rule.confidence[rule.model_class])
    of = "" if rule.base_rate is None else f" ({percent(rule.base_rate)} of all training rows are)"
    return [f"Of the training rows, weighted by the rule's firing level, {share} are {rule.model_class}{of}."]


def _clipped(rule: "Rule") -> str:
    if not rule.outside or rule.zero_order:
        return ""
    return f", at the edge of the data in {_few(list(rule.outside), 3)}, because the rule's centre lies outside the data"


def _factor(log_weight: float) -> str:
    """The weight of a rule, three digits; of one that no number can hold, its power of e."""
    return f"{math.exp(log_weight):.3g}" if abs(log_weight) < 700 else f"e^{log_weight:.3g}"


def _few(items: list[str], most: int) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
