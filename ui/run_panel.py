"""What a run shows: scores, progress, charts and rules; alive while it trains, still afterwards."""

import streamlit as st

from tsk_core.data import Dataset
from ui import runs
from ui.card import card_panel
from ui.guard import errors_said
from ui.live import feed, place
from ui.rules_panel import rules_panel
from ui.runs import Shown
from ui.text import about_seconds, in_markdown

__all__ = ["show"]

TICK = 0.4  # seconds between two looks at a run that trains, or soon will: with its own work, more than two a second
FAR_TICK = 2.0  # the same for one far behind in line: a class of fifty looks often enough
VIEWS = {  # tab -> its views, drawn by the browser
    "Training": ("loss", "accuracy", "gradients"),
    "Firing": ("order", "firing", "heat"),
    "Entropy": ("entropy",),
    "Mistakes": ("confusion", "reliability"),
}


def show(shown: Shown, dataset: Dataset | None) -> None:
    """Draw the run; while it trains, its numbers are drawn again at each tick, and its views change in place.

    dataset: the one chosen on the page, in case it is the run's.
    """
    alive = not shown.status.ended
    with st.container():
        if shown.error:
            _again(shown, dataset)
    far = _is_far(shown)
    st.fragment(_numbers, run_every=(FAR_TICK if far else TICK) if alive else None)(alive, far)
    place("time")
    *pictures, rules, export = st.tabs([*VIEWS, "Rules", "Export"], key="view", on_change="rerun")
    for tab, views in zip(pictures, VIEWS.values(), strict=True):
        with tab:
            place(*views)
    # These two cost as much as the rest of the page, so they are drawn for those who look at them.
    if rules.open:
        with rules:
            rules_panel()
    if export.open:
        with export, errors_said():
            card_panel(shown)


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
        shown, ghost = runs.current(), runs.previous()
        if (was_alive and shown.status.ended) or (was_far and not _is_far(shown)):
            st.rerun()  # once, for the parts of the page around this one, and for the pace
        _scores(shown, ghost)
        feed(shown, ghost)


def _scores(shown: Shown, ghost: Shown | None) -> None:
    last = shown.last
    with st.container(horizontal=True, gap="large"):
        _score("Test RCA", "rca", shown, ghost, "Raw classification accuracy: the share of test rows decided right.")
        _score("Test BCA", "bca", shown, ghost, "Balanced accuracy: the mean of each class's own accuracy.")
        done = f"{last.epoch if last else 0} / {shown.config.max_epochs}"
        st.metric("Epoch", done, help="Passes over the training rows, done and allowed.", width="content")
    st.caption(_comparison(shown))
    searching = last is not None and last.stage == "hold-out"
    st.progress(_progress(shown), text=in_markdown(_sentence(shown, searching)))
    for note in shown.metrics.get("notes", ()):
        st.caption(in_markdown(note))
    if ghost:
        differences = runs.changes(ghost, shown)
        st.caption(in_markdown(f"Against the run before (dashed): {', '.join(differences) or 'nothing changed'}."))


def _score(label: str, name: str, shown: Shown, ghost: Shown | None, words: str) -> None:
    """One test score, with the difference to the run before."""
    value, before = _test_score(shown, name), _test_score(ghost, name)
    delta = f"{value - before:+.3f}" if value is not None and before is not None else None
    same = delta in ("+0.000", "-0.000")
    st.metric(
        label, "–" if value is None else f"{value:.3f}", "±0.000" if same else delta, "off" if same else "normal",
        help=words, width="content",
    )  # fmt: skip


def _test_score(shown: Shown | None, name: str) -> float | None:
    return None if shown is None else shown.metrics.get(name, getattr(shown.last, f"{name}_test", None))


def _comparison(shown: Shown) -> str:
    """What simple classifiers reach on the same split."""
    baselines = shown.metrics.get("baselines", {})
    known = [(title, baselines[key]) for key, title in _BASELINES.items() if baselines.get(key)]
    said = [f"{title} RCA {score['rca']:.3f}, BCA {score['bca']:.3f}" for title, score in known if score["rca"] is not None]
    return f"On the same split: {'; '.join(said)}." if said else "\u00a0"


_BASELINES = {"majority": "guessing the majority class", "logistic_regression": "logistic regression"}


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
        return status.message or f"Paused after epoch {status.epoch}."
    return "Looking for the number of epochs on five hold-outs…" if searching else "Training…"


def _ending(shown: Shown) -> str:
    """How the run ended, in one or two sentences."""
    if shown.result is None:
        return "Ended without a model."
    seconds = f"{shown.metrics['seconds']:.1f} s"
    if shown.status.state == "finished":
        return f"Finished in {seconds}. {shown.status.message}".strip()
    return f"{shown.status.message.rstrip('.')}, after {seconds}; the model is the one reached."
