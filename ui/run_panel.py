"""What a run shows: scores, progress, charts and rules; alive while it trains, still afterwards."""

import json

import plotly.graph_objects as go
import streamlit as st

from ui import charts, runs
from ui.guard import errors_said
from ui.live import live_chart
from ui.runs import Shown
from ui.text import in_markdown, shortened

__all__ = ["show"]

TICK = 0.5  # seconds between two looks at a run that trains
RULES_AT_FIRST = 10


def show(shown: Shown) -> None:
    """Draw the run; while it trains this part alone is drawn again at each tick."""
    alive = not shown.status.ended
    st.fragment(_panel, run_every=TICK if alive else None)(alive)


def _panel(was_alive: bool) -> None:
    with errors_said():
        _draw_run(was_alive)


def _draw_run(was_alive: bool) -> None:
    shown, ghost = runs.current(), runs.previous()
    if was_alive and shown.status.ended:
        st.rerun()  # once, for the parts of the page around this one
    _scores(shown, ghost)
    training, firing, entropy, rules = st.tabs(["Training", "Firing", "Entropy", "Rules"])
    with training:
        _training(shown, ghost)
    with firing:
        _firing(shown, ghost)
    with entropy:
        _entropy(shown, ghost)
    with rules:
        _rules(shown)


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
    if shown.error:
        st.error(in_markdown(shown.error))
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
        return f"Waiting in line, position {status.position}." if status.position > 1 else "Next in line; starting…"
    return "Looking for the number of epochs on five hold-outs…" if searching else "Training…"


def _ending(shown: Shown) -> str:
    """How the run ended, in one or two sentences."""
    if shown.result is None:
        return "Ended without a model."
    seconds = f"{shown.metrics['seconds']:.1f} s"
    if shown.status.state == "finished":
        return f"Finished in {seconds}. {shown.status.message}".strip()
    return f"{shown.status.message.rstrip('.')}, after {seconds}; the model is the one reached."


def _training(shown: Shown, ghost: Shown | None) -> None:
    loss, accuracy = st.columns(2)
    old = _stage(ghost)
    now = _stage(shown)
    lr = (shown.metrics.get("baselines") or {}).get("logistic_regression")
    alive = None if shown.status.ended else shown.config.max_epochs
    with loss:
        _draw(shown, charts.loss_chart(now, old, epochs=alive, dark=_dark()), "loss", _loss_words(shown))
    with accuracy:
        figure = charts.accuracy_chart(now, old, baseline=lr["rca"] if lr else None, epochs=alive, dark=_dark())
        _draw(shown, figure, "accuracy", _accuracy_words(shown))


def _firing(shown: Shown, ghost: Shown | None) -> None:
    _draw(shown, charts.firing_chart(shown.last, ghost.last if ghost else None, dark=_dark()), "firing", _firing_words(shown))
    if shown.last:
        st.caption(in_markdown(_firing_words(shown)))


def _entropy(shown: Shown, ghost: Shown | None) -> None:
    words = "Left: one rule decides a row alone. Right, at log R: all rules share in it. UR moves rows to the right."
    _draw(shown, charts.entropy_chart(shown.last, ghost.last if ghost else None, dark=_dark()), "entropy", words)
    st.caption(words)


def _rules(shown: Shown) -> None:
    if not shown.status.ended:
        st.info("The rules can be read when training ends; press Stop to read them now.")
        return
    if shown.result is None:
        st.info("This run left no model, so there are no rules.")
        return
    most = st.slider(
        "Conditions per rule, at most", 1, 12, 4, help="Shorter rules are easier to read but describe the model less well."
    )
    book = runs.rule_book(shown, most)
    st.markdown("  \n".join(in_markdown(line) for line in book.summary.splitlines()))
    text, data = st.columns(2)
    text.download_button("Download as text", str(book), "rules.txt", "text/plain", on_click="ignore", width="stretch")
    data.download_button(
        "Download as JSON", lambda: json.dumps(shown.result.classifier.to_dict(), ensure_ascii=False), "rules.json",
        "application/json", on_click="ignore", width="stretch", help="The exact rules in original units, to recompute anywhere.",
    )  # fmt: skip
    for rule in book.rules[:RULES_AT_FIRST]:
        _rule(rule)
    if len(book.rules) > RULES_AT_FIRST:
        with st.expander(f"{len(book.rules) - RULES_AT_FIRST} more rules, less active ones"):
            for rule in book.rules[RULES_AT_FIRST:]:
                _rule(rule)


def _rule(rule) -> None:
    """One rule in a box: the sentence large, the measures small."""
    with st.container(border=True):
        if rule.dead:
            st.markdown(in_markdown(str(rule)))
            return
        conditions = " **AND** ".join(in_markdown(a.text) for a in rule.antecedents) or "anything"
        st.markdown(f"**{rule.name}** — **IF** {conditions} **THEN** **{in_markdown(rule.conclusion)}**")
        st.caption("  \n".join(in_markdown(line.strip()) for line in str(rule).splitlines()[1:]))


def _draw(shown: Shown, figure: go.Figure, key: str, words: str) -> None:
    """A run that trains is drawn in place, without a blank frame; afterwards Streamlit's own chart has more tools."""
    if shown.status.ended:
        st.plotly_chart(figure, key=f"{key}_chart", theme=None, width="stretch", alt=shortened(words, 300))
    else:
        live_chart(figure, f"{key}_live", words)


def _stage(shown: Shown | None) -> list:
    """The epochs to draw as lines: those of the training, or of the search while there are no others."""
    if shown is None:
        return []
    training = [e for e in shown.history if e.stage == "training"]
    return training or shown.history


def _dark() -> bool:
    return st.context.theme.type == "dark"


def _loss_words(shown: Shown) -> str:
    last = shown.last
    return f"Training loss by epoch; last: {last.loss_ce:.3f} cross-entropy." if last else "Training loss by epoch; no epoch yet."


def _accuracy_words(shown: Shown) -> str:
    last = shown.last
    if last is None or last.rca_test is None:
        return "Accuracy by epoch; no epoch yet."
    return (
        f"Accuracy by epoch; last: test RCA {last.rca_test:.3f}, test BCA {last.bca_test:.3f}, training RCA {last.rca_train:.3f}."
    )


def _firing_words(shown: Shown) -> str:
    last = shown.last
    if last is None:
        return "Average firing level of each rule; no epoch yet."
    R, dead = len(last.firing), last.dead_rules
    idle = {0: "every rule fires", 1: "1 rule never fires"}.get(dead, f"{dead} rules never fire")
    return (
        f"{R} rules: {idle}. The busiest carries {last.firing.max():.1%} of the firing; shared evenly, each would carry"
        f" {1 / R:.1%}. A rule counts as never firing below a tenth of that."
    )
