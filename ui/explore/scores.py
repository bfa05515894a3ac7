"""The line of scores: what a run reached, its progress, and what simple classifiers reach on the same split."""

import streamlit as st

from ui.runs.run_view import RunView
from ui.text import about_seconds, in_markdown

__all__ = ["scores"]


def scores(run: RunView, comparison: RunView | None) -> None:
    """Draw the line. comparison: the run that the differences of the scores refer to."""
    last = run.last
    with st.container(horizontal=True, gap="medium", key="scores"):
        _score("Test RCA", "rca", run, comparison, "Raw classification accuracy: share of test rows classified correctly.")
        _score("Test BCA", "bca", run, comparison, "Balanced classification accuracy: mean of the accuracies of the classes.")
        done = f"{last.epoch if last else 0} / {run.config.max_epochs}"
        st.metric("Epoch", done, help="Passes over the training rows: done and allowed.", width="content")
        with st.container(gap=None, key="standing"):
            st.progress(_progress(run), text=in_markdown(_state(run)))
            _baselines(run)
    for note in run.metrics.get("notes", ()):
        st.caption(in_markdown(note))


def _score(label: str, name: str, run: RunView, comparison: RunView | None, explanation: str) -> None:
    """A test score, and its difference to the comparison, subtracted as displayed so that it adds up."""
    value, before = (score and round(score, 3) for score in (_test_score(run, name), _test_score(comparison, name)))
    delta = f"{value - before:+.3f}" if value is not None and before is not None else None
    same = delta in ("+0.000", "-0.000")
    st.metric(
        label, "–" if value is None else f"{value:.3f}", "±0.000" if same else delta, "off" if same else "normal",
        help=explanation, width="content", delta_arrow="off" if same else "auto",
    )  # fmt: skip


def _test_score(run: RunView | None, name: str) -> float | None:
    return None if run is None else run.metrics.get(name, getattr(run.last, f"{name}_test", None))


def _baselines(run: RunView) -> None:
    """The RCA of each baseline in a line; their BCA in the help."""
    known = {title: score for title, score in run.baselines.items() if score["rca"] is not None}
    short = "; ".join(f"{title} {score['rca']:.3f}" for title, score in known.items())
    full = "; ".join(f"{title} RCA {score['rca']:.3f}, BCA {score['bca']:.3f}" for title, score in known.items())
    st.caption(f"On the same split: {short} (RCA)." if short else "\u00a0", help=f"On the same split: {full}." if full else None)


def _progress(run: RunView) -> float:
    if run.status.state == "finished":
        return 1.0
    return min(1.0, run.last.epoch / run.config.max_epochs) if run.last else 0.0


def _state(run: RunView) -> str:
    """What the run is doing, or how it ended, in one or two sentences."""
    status = run.status
    if status.ended:
        return _ending(run)
    if status.state == "queued":
        wait = about_seconds(status.wait)
        return f"Number {status.position} in the queue{wait}." if status.position > 1 or wait else "Next in the queue; starting…"
    if status.paused:
        paused = f"Paused after epoch {status.epoch}." if status.waiting else "Pausing after this epoch…"
        return status.message or paused
    searching = run.last is not None and run.last.stage == "hold-out"
    return "Searching for the number of epochs on five hold-outs…" if searching else "Training…"


def _ending(run: RunView) -> str:
    if run.result is None:
        return "Ended without a model."
    seconds = f"{run.metrics['seconds']:.1f} s"
    if run.status.state == "finished":
        return f"Finished in {seconds}. {run.status.message}".strip()
    return f"{run.status.message.rstrip('.')}, after {seconds}; the model reached by then is kept."
