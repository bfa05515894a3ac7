"""Where a run stands, and the scores of one that ended, as text for the page and the report; their reader escapes them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tsk_core.evaluate import BASELINES, Decision, DecisionScores, Effect, Estimate, drawn_text, lowest_below
from tsk_core.jobs import Status
from tsk_core.numbers import counted, percent, signed
from tsk_core.tasks import BASELINES_STAGE, SEARCH
from ui.text import about_seconds, shortened_names

SCORES = {"precision": "Precision", "recall": "Recall (sensitivity)", "specificity": "Specificity", "f1": "F1"}
_ARTICLES = {"majority": "the ", "random_forest": "a "}


def standing_text(status: Status) -> str:
    """What a run is doing that has not ended, in one or two sentences."""
    if status.state == "queued":
        wait = about_seconds(status.wait)
        return f"Number {status.position} in the queue{wait}." if status.position > 1 or wait else "Starting…"
    if status.paused:
        paused = f"Paused after epoch {status.epoch}." if status.waiting else "Pausing after this epoch…"
        return status.message or paused
    stages = {
        SEARCH: "Looking for readable settings…",
        BASELINES_STAGE: "Trained; tuning the baselines…",
        "hold-out": "Searching for the number of epochs on five hold-outs…",
    }
    return stages.get(status.stage, "Training…")


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


# A decision with costs in words and tables, for the page and the report; their reader escapes them.


_HALF, _WITH_COST = 0.5, "With this cost"


def ways(effect: Effect) -> tuple[str, str]:
    """What the two decisions are called: the predicted class, and that with the cost."""
    return ("By the largest probability" if effect.predicted_from == _HALF else "As predicted"), _WITH_COST


def weighted_text(name: str, predicted_from: float) -> str:
    """From which probability of a class on class weights predict it, and what that means; "" where they do not.

    name: of the class, as it is to be printed.
    """
    if predicted_from == _HALF:
        return ""
    return (
        f"With the class weights of its training, the model predicts {name} from a probability of {percent(predicted_from)}, as"
        f" if a missed case of it cost {(1 - predicted_from) / predicted_from:.3g} times a false alarm."
    )


def cost_text(decision: Decision, classes: Sequence[str]) -> str:
    """Such as "a missed case of 'malignant' costs 5 times a false alarm ('malignant' from a probability of 16.7%)"."""
    name = _quoted(decision.positive, classes)
    of_rows = f"{name} from a probability of {percent(decision.threshold)}"
    return f"a missed case of {name} costs {decision.miss_cost:g} times a false alarm ({of_rows})"


def effect_lines(effect: Effect, metrics: Mapping[str, Any]) -> list[str]:
    """What the decision does to the test rows, what it saves, and what it rests on; a sentence or a few each."""
    decision, name = effect.decision, _quoted(effect.decision.positive, effect.classes)
    return [
        f"A missed case of {name} costs {decision.miss_cost:g} times a false alarm, so a row is called {name} where its"
        f" probability is at least 1/(1 + {decision.miss_cost:g}) = {percent(decision.threshold)}. This follows from the cost;"
        f" it was not chosen on test rows. {weighted_text(name, effect.predicted_from)}".rstrip(),
        _changes(effect),
        _saved(effect, drawn_text(metrics["resampled"], metrics["test_rows"])),
        _caution(effect, metrics["ece"]),
    ]


def confusion_lines(effect: Effect, outcome: DecisionScores) -> list[dict[str, str]]:
    """The confusion matrix of one way to decide: a line for each true class."""
    names = shortened_names(effect.classes, 40)
    if len(set(names)) < len(names):  # they differ in spaces alone, and each is a column
        names = list(effect.classes)
    return [
        {"True class": true, **{f"called {called}": f"{count:,}" for called, count in zip(names, counts, strict=True)}}
        for true, counts in zip(names, outcome.confusion, strict=True)
    ]


def score_lines(effect: Effect) -> list[dict[str, str]]:
    """The scores of both ways to decide, with intervals: a line for each score."""
    name = _name(effect.decision.positive, effect.classes)
    scores: dict[str, Callable[[DecisionScores], Estimate]] = {
        "Accuracy (RCA)": lambda outcome: outcome.rca,
        "Balanced accuracy (BCA)": lambda outcome: outcome.bca,
        f"Recall of {name}, {_rows(effect.after.recall)}": lambda outcome: outcome.recall,
        f"False alarms among {_rows(effect.after.false_alarms)} of {_other(effect)}": lambda outcome: outcome.false_alarms,
        "Mean cost of a row, in false alarms": lambda outcome: outcome.cost,
    }
    outcomes = dict(zip(ways(effect), (effect.before, effect.after), strict=True))
    return [{"": title, **{way: _value(of(outcome)) for way, outcome in outcomes.items()}} for title, of in scores.items()]


def _name(name: str, classes: Sequence[str]) -> str:
    return shortened_names(classes, 40)[list(classes).index(name)]


def _quoted(name: str, classes: Sequence[str]) -> str:
    return f"'{_name(name, classes)}'"


def _other(effect: Effect) -> str:
    return _name(effect.classes[1 - effect.decision.position(effect.classes)], effect.classes)


def _rows(measured: Estimate) -> str:
    return counted(measured.rows, "row")


def _value(measured: Estimate) -> str:
    return with_interval(measured.value, measured.interval)


def _changes(effect: Effect) -> str:
    """As "Of 63 rows of 'bad' 2 more are found (61, not 59); of 108 rows of 'good' 6 more are called 'bad' (9, not 3)."."""
    if not effect.changed:
        return "No test row is decided differently."
    at = effect.decision.position(effect.classes)
    found, alarms = ([one.confusion[row][at] for one in (effect.before, effect.after)] for row in (at, 1 - at))
    name, other = (_quoted(effect.classes[k], effect.classes) for k in (at, 1 - at))
    return (
        f"Of {_rows(effect.after.recall)} of {name} {_more('found', *found)}; of {_rows(effect.after.false_alarms)} of {other}"
        f" {_more(f'called {name}', *alarms)}."
    )


def _more(what: str, before: int, after: int) -> str:
    difference = abs(after - before)
    if not difference:
        return f"as many as before are {what} ({after:,})"
    is_are = "is" if difference == 1 else "are"
    return f"{difference:,} {'more' if after > before else 'fewer'} {is_are} {what} ({after:,}, not {before:,})"


def _saved(effect: Effect, drawn: str) -> str:
    before, after, cost = effect.before.cost.value, effect.after.cost.value, effect.cost
    if cost.high < 0:
        verdict = "lower by more than chance"
    elif cost.low > 0:
        verdict = "higher by more than chance"
    else:
        verdict = "these rows do not show whether it is lower or higher"
    difference, low, high = (signed(value, 3) for value in cost)
    way, _ = ways(effect)
    return (
        f"Mean cost of a test row, in false alarms: {before:.3f} {way[0].lower()}{way[1:]}, {after:.3f} with this cost;"
        f" difference {difference} (paired, 95% interval{drawn}: {low} to {high}): {verdict}."
    )


def _caution(effect: Effect, ece: float | None) -> str:
    """What the threshold rests on, with the run's own figures."""
    decision, share = effect.decision, effect.changed_positive
    rests = "The threshold is as good as the probabilities."
    if ece is not None:
        rests += f" On these test rows, confidence and accuracy differ by {ece:.3f} on average (ECE; 0 is best)."
    if share.value is None or share.interval is None:
        return rests
    name, bound = _quoted(decision.positive, effect.classes), "above" if effect.finds_more else "below"
    low, high = map(percent, share.interval)
    return (
        f"{rests} Decided differently: {_rows(share)}, of which {percent(share.value)} (95% interval {low} to {high}) are {name};"
        f" this pays where that share is {bound} {percent(decision.threshold)}."
    )
