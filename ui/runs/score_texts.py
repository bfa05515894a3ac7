"""The scores of a run that ended, as text for the page and the report; their reader escapes them."""

from collections.abc import Iterable, Mapping
from typing import Any

from tsk_core.evaluate import BASELINES, lowest_below
from tsk_core.numbers import counted, signed

SCORES = {"precision": "Precision", "recall": "Recall (sensitivity)", "specificity": "Specificity", "f1": "F1"}
_ARTICLES = {"majority": "the ", "random_forest": "a "}


def with_interval(value: float | None, interval: Iterable[float] | None) -> str:
    """Three digits, and the interval in brackets where it is known."""
    if value is None:
        return "–"
    return f"{value:.3f} ({between(interval)})" if interval else f"{value:.3f}"


def between(interval: Iterable[float]) -> str:
    """Both bounds with three digits."""
    return "–".join(f"{bound:.3f}" for bound in interval)


def class_scores(metrics: Mapping[str, Any]) -> list[dict[str, str]]:
    """One line a class: title of the column -> text. Empty without test rows."""
    return [
        {
            "Class": scores["class"], "Test rows": f"{scores['rows']:,}",
            **{title: with_interval(scores[name], scores[f"{name}_interval"]) for name, title in SCORES.items()},
        }
        for scores in metrics.get("by_class", ())
    ]  # fmt: skip


def below_baseline(metrics: Mapping[str, Any]) -> str:
    """Where the model is below a baseline by more than chance: a sentence with the way out; else ""."""
    lowest = lowest_below(metrics.get("differences", {}))
    if lowest is None:
        return ""
    key, score, paired = lowest
    own, other, name = metrics[score], metrics["baselines"][key][score], f"{_ARTICLES.get(key, '')}{BASELINES[key]}"
    difference, low, high = (signed(value, 3) for value in paired)
    of = sum(map(len, metrics["differences"].values()))
    adjusted = f", adjusted for {of} comparisons," if of > 1 else ""
    tuned = f"these settings were tuned; tune for {score.upper()} if it is what counts"
    way_out = tuned if metrics.get("baselines_tuned") else "try “Find good settings”"
    return (
        f"Test {score.upper()} {own:.3f} is below the {other:.3f} of {name} by more than chance ({difference}, 95% interval"
        f"{adjusted} {low} to {high}): {way_out}."
    )


def baselines_effort(metrics: Mapping[str, Any]) -> str:
    """How long the baselines were tuned, as "default settings" or "tuned by cross-validation (logistic regression 20 …)"."""
    tuned = metrics["baselines_tuned"]
    if not tuned:
        return "default settings"
    efforts = ", ".join(
        f"{BASELINES[key]} {counted(one['tried'], 'setting')} in {one['seconds']:.0f} s" for key, one in tuned.items()
    )
    return f"tuned by cross-validation, as the model was ({efforts})"


def cross_validation_scores(metrics: Mapping[str, Any]) -> str:
    """The scores of a cross-validation with their intervals, which a single split does not have."""
    none = "one split, so no interval" if metrics["splits"] == 1 else "the same in all splits, so no interval"
    scores = []
    for name in ("bca", "rca"):
        mean, interval = metrics[f"{name}_mean"], metrics[f"{name}_interval"]
        scores.append(f"{name.upper()} {mean:.3f} ({f'95% interval {between(interval)}' if interval else none})")
    return f"{metrics['title']}: {', '.join(scores)}."
