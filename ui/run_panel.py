"""The page's view of a run: scores, progress, charts and rules. It updates while the run trains."""

import streamlit as st

from tsk_core.data import Dataset
from ui import runs
from ui.charts import CHART_TABS, TABS, views_of
from ui.comparing import compare_row, ghost_of, look_up_pins
from ui.export_panel import export_panel
from ui.guard import errors_said
from ui.live import feed, mount
from ui.predict import predict_panel
from ui.rules_panel import rules_panel
from ui.runs import Shown
from ui.samples import samples_panel
from ui.text import about_seconds, in_markdown

__all__ = ["show"]

TICK = 0.4  # seconds between two looks at a run that trains, or soon will: with its own work, more than two a second
FAR_TICK = 2.0  # the same for one far behind in line: a class of fifty looks often enough


def show(shown: Shown, dataset: Dataset | None) -> None:
    """Draw the run; while it trains, its numbers are drawn again at each tick, and its views change in place.

    dataset: the one chosen on the page, in case it is the run's.
    """
    alive, shown.chosen = not shown.status.ended, dataset
    with st.container(), errors_said():
        look_up_pins()
        if shown.error:
            _again(shown, dataset)
    far = _is_far(shown)
    st.fragment(_numbers, run_every=(FAR_TICK if far else TICK) if alive else None)(alive, far)
    mount("epochs")
    *charts, samples, rules, predict, export = st.tabs(TABS, key="view", on_change="rerun")
    for tab, name in zip(charts, CHART_TABS, strict=True):
        with tab:
            mount(*views_of(name))
    # These cost as much as the rest of the page, so they are drawn for those who look at them.
    if samples.open:
        with samples, errors_said():
            samples_panel(shown)
    if rules.open:
        with rules, errors_said():
            rules_panel(shown)
    if predict.open:
        with predict:
            predict_panel(shown)
    if export.open:
        with export, errors_said():
            export_panel(shown, ghost_of(shown))


def _again(shown: Shown, dataset: Dataset | None) -> None:
    """A run without a model: why, and a way to run it again with all its settings."""
    st.error(in_markdown(shown.error))
    with errors_said():
        if st.button("Run again"):
            runs.start_again(shown, dataset)
            st.rerun()


def _is_far(shown: Shown) -> bool:
    return shown.status.state == "queued" and shown.status.position > 2


def _numbers(was_alive: bool, was_far: bool) -> None:
    with errors_said():
        shown = runs.ticked()
        if shown is None:  # put away while this tick was on its way
            return
        ghost = ghost_of(shown)
        if (was_alive and shown.status.ended) or (was_far and not _is_far(shown)):
            st.rerun()  # once, for the parts of the page around this one, and for the pace
        with st.container(gap="xsmall"):
            _scores(shown, ghost)
            compare_row(shown, ghost)
            feed(shown, ghost)


def _scores(shown: Shown, ghost: Shown | None) -> None:
    last = shown.last
    searching = last is not None and last.stage == "hold-out"
    with st.container(horizontal=True, gap="medium", key="scores"):
        _score("Test RCA", "rca", shown, ghost, "Raw classification accuracy: the share of test rows classified correctly.")
        _score("Test BCA", "bca", shown, ghost, "Balanced accuracy: the mean of each class's own accuracy.")
        done = f"{last.epoch if last else 0} / {shown.config.max_epochs}"
        st.metric("Epoch", done, help="Passes over the training rows, done and allowed.", width="content")
        with st.container(gap=None, key="standing"):
            st.progress(_progress(shown), text=in_markdown(_sentence(shown, searching)))
            _comparison(shown)
    for note in shown.metrics.get("notes", ()):
        st.caption(in_markdown(note))


def _score(label: str, name: str, shown: Shown, ghost: Shown | None, words: str) -> None:
    """One test score, with the difference to the run before."""
    value, before = (score and round(score, 3) for score in (_test_score(shown, name), _test_score(ghost, name)))
    delta = f"{value - before:+.3f}" if value is not None and before is not None else None  # of what is shown, so that it adds up
    same = delta in ("+0.000", "-0.000")
    st.metric(
        label, "–" if value is None else f"{value:.3f}", "±0.000" if same else delta, "off" if same else "normal",
        help=words, width="content", delta_arrow="off" if same else "auto",
    )  # fmt: skip


def _test_score(shown: Shown | None, name: str) -> float | None:
    return None if shown is None else shown.metrics.get(name, getattr(shown.last, f"{name}_test", None))


def _comparison(shown: Shown) -> None:
    """What simple classifiers reach on the same split: their RCA in a line, and their BCA for those who ask."""
    baselines = shown.metrics.get("baselines", {})
    known = [(title, baselines[key]) for key, title in runs.BASELINES.items() if baselines.get(key)]
    known = [(title, score) for title, score in known if score["rca"] is not None]
    short = "; ".join(f"{title} {score['rca']:.3f}" for title, score in known)
    full = "; ".join(f"{title} RCA {score['rca']:.3f}, BCA {score['bca']:.3f}" for title, score in known)
    st.caption(f"On the same split: {short} (RCA)." if short else "\u00a0", help=f"On the same split: {full}." if full else None)


def _progress(shown: Shown) -> float:
    if shown.status.state == "finished":
        return 1.0
    return min(1.0, shown.last.epoch / shown.config.max_epochs) if shown.last else 0.0


def _sentence(shown: Shown, searching: bool) -> str:
    status = shown.status
    if status.ended:
        return _ending(shown)
    if status.state == "queued":
        wait = about_seconds(status.wait)
        return f"Waiting in line, position {status.position}{wait}." if status.position > 1 or wait else "Next in line; starting…"
    if status.paused:
        asked = f"Paused after epoch {status.epoch}." if status.waiting else "Pausing after this epoch…"
        return status.message or asked
    return "Looking for the number of epochs on five hold-outs…" if searching else "Training…"


def _ending(shown: Shown) -> str:
    """How the run ended, in one or two sentences."""
    if shown.result is None:
        return "Ended without a model."
    seconds = f"{shown.metrics['seconds']:.1f} s"
    if shown.status.state == "finished":
        return f"Finished in {seconds}. {shown.status.message}".strip()
    return f"{shown.status.message.rstrip('.')}, after {seconds}; the model is the one reached."
