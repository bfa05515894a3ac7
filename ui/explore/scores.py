"""The line of scores: what a run reached, its progress, and what simple classifiers reach on the same split."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from tsk_core.evaluate import drawn_text, how_drawn
from tsk_core.jobs import Status
from tsk_core.runs import score_columns
from tsk_core.tasks import CrossValidation
from ui.charts.explanations import Explanation
from ui.charts.score_explanations import TEST_BCA, TEST_RCA, bca_line, rca_line
from ui.live import mount
from ui.live.task_subjects import task_row
from ui.page.presenter import presenting
from ui.platform.drawing import show_errors
from ui.platform.engine import get_engine
from ui.runs.differences import is_clear, jitters, last_scores, same_test_rows
from ui.runs.run_view import RunView
from ui.runs.score_texts import baselines_effort, between, cross_validation_scores, with_interval
from ui.runs.side_tasks import dataset_of, find_task, newest, start_for, start_row
from ui.text import in_markdown

# An honest number beside the single split: the cross-validation of a run's settings, at a press of a button.
#
# It is a task of its own in the queue; its scores are found again by the table and the settings, after a reload too.


_KIND = CrossValidation.kind
_KEY = "cross_validation"
_HELP = (
    "Trains ten models with this run's settings, each on one half of the rows, and tests them on the other half. With groups,"
    " none is in both halves; with time, later rows are tested. The scores do not depend on one split. Each model trains on half"
    " of the rows, so its scores may be a little lower than this run's."
)
_INTERVAL = (
    "Mean over the folds and its 95% interval. The folds share rows, so the interval is that of the corrected resampled"
    " t-test (Nadeau and Bengio 2003), which is wider than that of independent scores. Where whole groups are tested,"
    " the correction counts groups."
)


def cross_validation_row(run: RunView) -> None:
    """The button; while it trains, the progress; then the scores. Nothing before the run has a model."""
    if run.result is None:
        return
    with show_errors():
        status = _status(run)
        if status is not None and not status.ended:
            task_row(status, _KEY, "5 × 2 cross-validation", stop_label="Stop cross-validation")
        elif status is not None and status.state == "finished":
            _scores(status)
        else:
            start_row(run, _KEY, "5 × 2 cross-validation", _HELP, _start, status)


def finished_scores(run: RunView) -> dict[str, Any]:
    """The metrics of the run's cross-validation; {} while there are none."""
    status = None if run.result is None else _status(run)
    if status is None or status.state != "finished":
        return {}
    return get_engine().store.open(status.run).metrics()


def _status(run: RunView) -> Status | None:
    """Of this run's cross-validation; None without one."""

    def search() -> str | None:
        return newest(_KIND, run.trained.dataset, lambda record: record.state == "finished" and record.has_settings(run.config))

    return find_task(_KIND, run.id, search)


def _start(run: RunView) -> None:
    start_for(_KIND, run.id, lambda: CrossValidation(run.config, dataset_of(run)), background=True)


def _scores(status: Status) -> None:
    metrics = get_engine().store.open(status.run).metrics()
    st.caption(in_markdown(cross_validation_scores(metrics)), help=_INTERVAL)
    for note in metrics["notes"]:
        st.caption(in_markdown(note))


Counts = Sequence[Sequence[int]]  # a confusion matrix, a row for each true class

_HOW_SURE = (
    "95% interval of the test BCA, or, once it is known, of the cross-validated one; inside: intervals, all baselines,"
    " cross-validation."
)
_MEANS = (
    "Test scores fluctuate from epoch to epoch, so the score of the last epoch is partly chance. This is the mean test RCA of the"
    " last epochs, for this run and, where it has the same test rows, for the comparison before it."
)
_SAME = ("+0.000", "-0.000")
_EXPECTED = "last epoch"  # the tile Epoch says which it is
_SHOWN = {"logistic regression": "logistic regression", "random forest": "forest"}  # more would not fit into the line


def scores(run: RunView, comparison: RunView | None) -> None:
    """Draw the line; while the run has not ended, the browser does. comparison: the run that the differences refer to."""
    if not run.status.ended:
        with st.container(horizontal=True, gap="medium", key="scores"):
            with st.container(key="past_scores", width="content"):
                mount("tiles", key="live_scores", live=True, presenting=presenting())
            with st.container(gap=None, key="standing"):
                mount("standing", key="run_standing", of=run.id)
        return
    last = run.last
    with st.container(horizontal=True, gap="medium", key="scores"):
        with st.container(key="past_scores", width="content"):
            mount("tiles")
        _score("rca", run, comparison, TEST_RCA, rca_line)
        _score("bca", run, comparison, TEST_BCA, bca_line)
        done = f"{last.epoch if last else 0} / {run.config.max_epochs}"
        if not presenting():  # there the epoch slider says it, in the line below
            st.metric("Epoch", done, help="Passes over the training rows: done and allowed.", width="content")
        with st.container(gap=None, key="standing"):
            st.progress(_progress(run), text=in_markdown(_ending(run)))
            if presenting() or not _means(run, comparison):
                _baselines(run)
        if run.result is not None:
            with st.popover(_interval(run), key="how_sure", width="content", help=_HOW_SURE):
                _intervals(run)
                _all_baselines(run)
                cross_validation_row(run)
    if not presenting() and (notes := run.metrics.get("notes")):
        st.caption(in_markdown(" ".join(notes)))


def _score(name: str, run: RunView, comparison: RunView | None, explanation: Explanation, line: Callable[[Counts], str]) -> None:
    """A test score, and its difference to the comparison on the same test rows, subtracted as displayed so that it adds up."""
    pair, which = (_test_score(run, name), _test_score(comparison, name)), _which(run)
    if presenting() and (means := _steady(name, run, comparison)):  # what a hall reads from afar has to hold for any last epoch
        pair, which = means
    value, before = (score and round(score, 3) for score in pair)
    delta, clear = None, False
    if comparison is not None and value is not None and before is not None and same_test_rows(comparison, run):
        delta = f"{value - before:+.3f}"
        clear = delta not in _SAME and is_clear(name, comparison, run)
    chance = "" if delta is None or clear else " Grey: the difference may be due to chance; see “Comparison”."
    counts = run.metrics.get("confusion")
    numbers = [in_markdown(f"{name.upper()} = {line(counts)}")] if counts else ()
    st.metric(
        explanation.title if which == _EXPECTED else f"{explanation.title}, {which}",
        _in_figures(before if presenting() and delta else None, value), "0.000" if delta in _SAME else delta,
        "normal" if clear else "off", help=f"{_about_which(run)}{chance}\n\n{explanation.markdown(numbers)}", width="content",
        delta_arrow="off" if delta in _SAME else "auto",
    )  # fmt: skip


def _steady(name: str, run: RunView, comparison: RunView | None) -> tuple[tuple[float, float | None], str] | None:
    """Where a score jitters, its means over the last epochs, now and before, and what they are; else None."""
    now, before = (last_scores(side.history, f"{name}_test") if side else None for side in (run, comparison))
    if now is None or not any(jitters(side.history) for side in (run, comparison) if side):
        return None
    return (now.mean, before and before.mean), f"mean of last {now.epochs}"


def _in_figures(before: float | None, value: float | None) -> str:
    """As "0.711", or as "0.683 → 0.711"."""
    return " → ".join("–" if score is None else f"{score:.3f}" for score in ([value] if before is None else [before, value]))


def _which(run: RunView) -> str:
    """Of which epoch the scores are."""
    kept, last = run.metrics.get("best_epoch"), run.last
    if kept and last and kept != last.epoch:
        return f"epoch {kept}"
    searched = run.config.early_stopping and last and last.stage == "training" and run.status.state == "finished"
    return "by validation" if searched else "last epoch"


def _about_which(run: RunView) -> str:
    which = _which(run)
    if which == "by validation":
        return "Scores of the final model. The number of epochs was chosen on validation rows."
    if which.startswith("epoch"):
        return "Training diverged: scores of the model at the epoch with the lowest training loss."
    return "Scores of the model after the last epoch, which need not be the best one."


def _means(run: RunView, comparison: RunView | None) -> bool:
    """Where test RCA jitters, its mean over the last epochs, before (on the same test rows) and now; returns whether it does."""
    if comparison is not None and not same_test_rows(comparison, run):
        comparison = None  # an arrow between scores on different rows would be read as a gain or a loss
    sides = [(side.history, last_scores(side.history, "rca_test")) for side in (comparison, run) if side is not None]
    means = [mean for _, mean in sides if mean]
    if not any(jitters(history) for history, mean in sides if mean):
        return False
    st.caption(f"Mean of last {means[-1].epochs}: {' → '.join(f'{mean.mean:.3f}' for mean in means)}", help=_MEANS)
    return True


def _test_score(run: RunView | None, name: str) -> float | None:
    return None if run is None else run.metrics.get(name, getattr(run.last, f"{name}_test", None))


def _interval(run: RunView) -> str:
    """The shortest answer to "How sure is this?": of the cross-validation if there is one, else of the test rows."""
    validated = finished_scores(run) or {}
    interval = validated.get("bca_interval") or run.metrics.get("intervals", {}).get("bca")
    return "BCA {:.2f}–{:.2f}".format(*interval) if interval else "How sure?"


def _intervals(run: RunView) -> None:
    """The intervals of the scores, and the AUC; nothing for runs without test rows."""
    metrics = run.metrics
    if not (intervals := metrics.get("intervals")):
        return
    auc = "" if metrics.get("auc") is None else f" AUC {metrics['auc']:.3f}."
    rca, bca = (between(intervals[score]) for score in ("rca", "bca"))
    resampled = metrics["resampled"]
    st.caption(
        in_markdown(f"95% intervals{drawn_text(resampled, metrics['test_rows'])}: RCA {rca}, BCA {bca}.{auc}"),
        help=f"{how_drawn(resampled)} AUC: the area under the ROC curve; with several classes, the mean of the areas of each"
        " class against all others.",
    )


def _baselines(run: RunView) -> None:
    """The RCA of two baselines in a line that fits; the box beside it has all of them."""
    scores = [(title, score["rca"]) for title, score in run.baselines.items() if score["rca"] is not None]
    line = ", ".join(f"{_SHOWN[title]} RCA {rca:.2f}" for title, rca in scores if title in _SHOWN)
    tuned = " (tuned)" if run.metrics.get("baselines_tuned") else ""
    st.caption(f"On the same test rows: {line}{tuned}." if line else "\u00a0")


def _all_baselines(run: RunView) -> None:
    """The scores of the model and of each baseline, as a table."""
    known, columns = {"This classifier": run.metrics} | run.baselines, score_columns(run.metrics)
    lines = [
        {"On the same test rows": title} | {name: with_interval(score.get(key), None) for name, key in columns.items()}
        for title, score in known.items()
        if score.get("rca") is not None
    ]
    if len(lines) > 1:
        st.dataframe(lines, hide_index=True, width="content")
        effort = baselines_effort(run.metrics)
        st.caption(f"Simple classifiers with the same encoding, {effort}; the archive of the run (tab Export) says how.")


def _progress(run: RunView) -> float:
    if run.status.state == "finished":
        return 1.0
    return min(1.0, run.last.epoch / run.config.max_epochs) if run.last else 0.0


def _ending(run: RunView) -> str:
    """How the run ended, in one or two sentences."""
    if run.result is None:
        return "Ended without a model."
    seconds = f"{run.metrics['seconds']:.1f} s"
    if run.status.state == "finished":
        return f"Finished in {seconds}. {run.status.message}".strip()
    return f"{_sentence(run.status.message)} Training took {seconds}; the model reached by then is kept."


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else f"{message}."
