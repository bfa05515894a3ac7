"""The buttons of a run, from Train to More, and what they do; the wait estimate for the next run."""

import secrets
from contextlib import suppress

import streamlit as st

from tsk_core import limits
from tsk_core.config import TrainConfig, nearest_rules
from tsk_core.errors import TSKError
from tsk_core.experiments import BASE
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.data.choose import Chosen
from ui.data.data_panel import keep_table, read_options_of
from ui.experiments import request
from ui.explore.heading import Pending, pending
from ui.live import mount, watch
from ui.live.subjects import ticket
from ui.page.presenter import presenting
from ui.platform import session
from ui.platform.drawing import error_markdown, show_errors
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import address, owner
from ui.presets import Preset, preset_box
from ui.runs import cost_threshold, current_run
from ui.runs.current_run import REQUESTED
from ui.runs.run_view import RunView
from ui.settings import link
from ui.settings.controls import IN_SIGHT, SHOWN_AS, TURNED, note_turned
from ui.settings.link import link_button
from ui.settings.opening import use_settings
from ui.text import in_markdown
from ui.tuning.tuning_run import search_behind

GO_TO_COMPARE = Key[bool]("compare_with", default=False)


# The box "Compare this with…": one click compares the settings of the run shown with one knob changed, on the page Compare.


_MOST_WEIGHT = 1000.0


def compare_with(run: RunView) -> None:
    """Draw the box; after a press, go to the page Compare, which starts."""
    if GO_TO_COMPARE.pop():
        st.switch_page("pages/compare.py", query_params={})  # else Streamlit refuses: the address has values of widgets
    with st.popover("Compare this with…", key="compare_this"):
        st.caption("Trains this run's settings and a change of one of them with several seeds, on the page Compare.")
        for text, label in changes_of(run.config).items():
            st.button(label, key=f"compare_with:{text}", width="stretch", on_click=_start, args=(run, text))


def changes_of(config: TrainConfig) -> dict[str, str]:
    """Each change as a variant, with what its button says."""
    variants, weight, R = {}, config.ur_weight, config.n_rules
    if weight > 0:
        variants["ur=0"] = "without UR"
        variants[f"ur={min(10 * weight, _MOST_WEIGHT):g}"] = f"λ {in_words(min(10 * weight, _MOST_WEIGHT))} (ten times)"
    else:
        variants["ur=1"] = "with UR, λ 1"
    variants |= {"bn=bn": "with BN"} if config.batch_norm == "none" else {"bn=none": "without BN"}
    if config.batch_norm != "gbn":
        variants["bn=gbn"] = "with GBN"
    for rules in (nearest_rules(R // 2, config.n_parts), 2 * R):
        if rules != R and rules <= limits.value("rules"):
            share = {R // 2: "half the", 2 * R: "twice the"}.get(rules, "fewer")
            variants[f"rules={rules}"] = f"{share} rules, R {rules}"
    other = next(name for name in SETTINGS["firing"].options if name != config.firing)
    variants[f"firing={other}"] = f"firing levels {other}"
    return {text: label for text, label in variants.items() if text != f"ur={weight:g}"}


def _start(run: RunView, text: str) -> None:
    """A callback: it sets the settings to those of the run, before any widget is drawn."""
    use_settings(run.config, run.test_size)
    session.COMPARED_VARIANTS.set([BASE, text])
    request("start", "compare")
    GO_TO_COMPARE.set(True)


_MARK = """<style>%s { /* beside the control, so that nothing moves */
  content: ""; position: absolute; left: -10px; top: 0; bottom: 0; border-left: 3px solid light-dark(#005a9c, #3d9be0);
}</style>"""
_GLOW = "<style>.st-key-train button:not(:disabled) { animation: var(--tsk-glow); }</style>"  # see page.css


def carry_out(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> str:
    """Do what was requested, before anything that depends on it is drawn; returns why it failed, as Markdown, or ""."""
    asked, failure = REQUESTED.get(), ""
    action, shown = asked.action if asked else "", current_run.get()
    dataset = chosen and chosen.dataset
    try:
        starts = action == "train" or (action == "step" and _step_starts(True, pending(shown, config, test_size, chosen)))
        if asked and asked.run:  # submitted when the script was started again
            _show(asked.run)
        elif asked and starts and config is not None and chosen is not None and dataset is not None:
            asked.run = current_run.submit(
                config, dataset, test_size, search=search_behind(config, dataset, test_size),
                keep_data=keep_table(chosen), read_options=read_options_of(chosen),
                file_sha256=chosen.source.key if chosen.source.raw is not None else "",
                paused=action == "step", pace=link.allowed(link.chosen_pace(), config.max_epochs),
            )  # fmt: skip
            _show(asked.run)
        elif action and shown:
            _steer(action, shown)
    except Exception as error:
        failure = error_markdown(error)
    REQUESTED.set(None)
    return failure


def _show(run: RunView) -> None:
    REQUESTED.set(None)  # before the link changes: there Streamlit may start the script again
    current_run.show_submitted(run)


class Toolbar:
    """The buttons, and what is said below them of the controls that differ from the run shown.

    It is laid out before the settings are drawn: the fragment of the settings draws that sentence again, and Streamlit lets a
    fragment draw outside of itself only where it did so at each run of the page.
    """

    def __init__(self) -> None:
        self.buttons = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="steering")
        self._said = st.container(key="changed_controls", gap=None)

    def reserve(self) -> None:
        """In the fragment, before it or the page draws what differs."""
        self._mark, self._text = self._said.empty(), self._said.empty()

    def say(self, changed: Pending, *, answered: bool) -> None:
        """Where controls differ from the run shown, mark them, and say below the buttons which run the results are of.

        answered: whether these settings are trained without a press.
        """
        if changed.keys:
            marks = _MARK % ", ".join(f".st-key-{SHOWN_AS.get(key, key)}::before" for key in changed.keys)
            self._mark.html(marks + ("" if answered or presenting() else _GLOW))
        if changed:
            self._text.caption(in_markdown(changed.text))


def steering(
    config: TrainConfig | None, test_size: float, chosen: Chosen | None, changed: Pending, preset: Preset | None
) -> None:
    """Draw the buttons. changed: how the controls differ from the run shown. preset: the one that the page is at."""
    active, ready = current_run.active(), _is_ready(config, chosen)
    _run_buttons(active, ready, _step_starts(ready, changed))
    if not presenting():
        preset_box(preset)
        with st.popover("More", key="more"):
            with st.container(horizontal=True, gap="xsmall"):
                _reset_and_seed()
            if active:
                _keep_running(active)
    if not changed and not presenting() and (run := current_run.get()) and run.status.ended and run.history:
        compare_with(run)


def notices(config: TrainConfig | None, chosen: Chosen | None, failure: str) -> None:
    """Why the last press failed, as ``carry_out`` returned it; and how long the next run would wait."""
    if failure:
        st.error(failure)
    if _is_ready(config, chosen) and not current_run.active():
        with show_errors():
            _wait_estimate()


# Knobs answer: settings that somebody has just changed beside a run are trained without a press, where that takes a moment.


TRAIN_ON_CHANGE = Key[bool]("train_on_change", default=True)
ANSWER_BOX = Key[bool]("train_on_change:box")
MOMENT = 3.0  # seconds


def answer_switch() -> None:
    """The checkbox that lets them be trained by themselves."""
    ANSWER_BOX.set(TRAIN_ON_CHANGE.get())
    st.checkbox(
        "Train on change", key=ANSWER_BOX.name, on_change=lambda: TRAIN_ON_CHANGE.set(ANSWER_BOX.get()),
        help=f"A change of R, λ, BN or B trains again by itself where a training takes under {MOMENT:g} seconds.",
    )  # fmt: skip


def answer(config: TrainConfig | None, changed: Pending, *, turned: bool) -> str:
    """What names the next training if these settings are to be trained by themselves, else "".

    turned: whether somebody has just changed one of them; afterwards the page may be drawn as often as it likes.
    """
    if turned:
        note_turned()
    values, run = list(session.values_of(IN_SIGHT).values()), current_run.get()
    if run is None or config is None or TURNED.get() != values or not TRAIN_ON_CHANGE.get() or presenting() or REQUESTED.get():
        return ""
    with suppress(TSKError):  # the page looks at its run only once the settings are drawn, and may be drawn since the run ended
        run.refresh()
    settings_alone = bool(changed.keys) and set(changed.keys) <= set(IN_SIGHT) and config.rule_base == run.config.rule_base
    if not settings_alone or not _takes_a_moment(run, config) or _others_wait():
        return ""
    return f"{run.id} {values}"


def carry_out_answer(token: object) -> None:
    """The browser says that these settings have been at rest; a callback. The run shown may be another one by now."""
    run = current_run.get()
    if run is not None and token == f"{run.id} {TURNED.get()}":
        current_run.replace()


def _takes_a_moment(run: RunView, config: TrainConfig) -> bool:
    """Whether a training with these settings, which differ from those of the run in sight, probably takes no longer."""
    begun = run if run.last is not None else current_run.previous() or run  # a knob that is turned on and on
    seconds, pace = training_seconds(begun, config), link.chosen_pace()
    paused = not run.status.ended and run.status.paused  # somebody goes through it step by step
    return seconds is not None and not paused and max(seconds, config.max_epochs / pace if pace else 0) < MOMENT


def training_seconds(run: RunView, config: TrainConfig) -> float | None:
    """How long a training probably takes whose settings differ from those of a run in R, λ, BN and B alone; None if unknown.

    A step takes at most as much longer as there are more rules.
    """
    last, known = run.last, run.metrics.get("seconds")
    if last is None:
        return None
    if known is None or run.status.state != "finished":
        known = last.seconds / max(last.epoch, 1) * run.config.max_epochs
    rows = round(run.data.get("rows", 0) * (1 - run.test_size))
    steps = config.steps_per_epoch(rows) / run.config.steps_per_epoch(rows)
    return float(known * max(1.0, steps) * max(1.0, config.n_rules / run.config.n_rules))


def _others_wait() -> bool:
    """Whether a run submitted now would wait for those of others; one's own is replaced."""
    estimate = get_engine().wait_estimate(owner(), address=address())
    return not estimate.allowed or estimate.position > (1 if current_run.active() else 0)


def _is_ready(config: TrainConfig | None, chosen: Chosen | None) -> bool:
    return config is not None and chosen is not None and chosen.dataset is not None


def _step_starts(ready: bool, changed: Pending) -> bool:
    """Whether a step starts a run, paused after its first epoch; not the same run again, after a step too many at its end."""
    return ready and current_run.active() is None and (current_run.get() is None or bool(changed))


def _run_buttons(active: RunView | None, ready: bool, step_starts: bool) -> None:
    st.button("Train", key="train", type="primary", disabled=bool(active) or not ready, on_click=current_run.request_training)
    st.button("Stop", disabled=not active, on_click=current_run.request, args=("stop",))
    label = "Resume" if active and active.status.paused else "Pause"
    st.button(label, key="pause", disabled=not active, on_click=current_run.request, args=(label.lower(),))
    st.button(
        "Step", disabled=not active and not step_starts, on_click=current_run.request, args=("step",),
        help="Trains one epoch, then pauses. If no run is active, it starts one with these settings.",
    )  # fmt: skip


def _reset_and_seed() -> None:
    """Back to the page before training, with the same seed or another."""
    st.button(
        "Reset", disabled=current_run.get() is None, on_click=current_run.request, args=("reset",),
        help="Clears this run and the comparison. All settings and the seed stay, so Train gives the same numbers again. A run"
        " that is still training is stopped, and its model is kept; the page Runs lists all runs.",
    )  # fmt: skip
    st.button(
        "New seed", on_click=_new_seed,
        help="Draws a new seed for the next run: another split, initial state and batch order. Does not start training.",
    )  # fmt: skip


def share(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """The full link, with what a missed case costs."""
    run = current_run.get()
    decision = cost_threshold.link_values(None if run is None else cost_threshold.decision_of(run))
    link_button(config, test_size, chosen and chosen.dataset, decision)


def _new_seed() -> None:
    """Short enough to be read out, and never the present one."""
    seed = session.widget(SETTINGS["random_state"].key)
    now = seed.get()
    seed.set(next(new for new in iter(lambda: secrets.randbelow(10_000), None) if new != now))
    st.toast(f"The new seed is {seed.get()}. Press Train to use it.")


def _steer(action: str, run: RunView) -> None:
    engine = get_engine()
    if action == "reset":
        current_run.reset()
    elif action == "stop":
        engine.stop(run.id, owner())
    elif action in ("pause", "resume", "toggle"):
        resumes = run.status.paused if action == "toggle" else action == "resume"
        (engine.resume if resumes else engine.pause)(run.id, owner())
    elif action == "step" and not run.status.ended:
        engine.step(run.id, owner())


def slow_down() -> None:
    """Let the run that trains keep to the pace chosen on the page."""
    if run := current_run.active():
        get_engine().slow_down(run.id, link.allowed(link.chosen_pace(), run.config.max_epochs), owner())


def _keep_running(run: RunView) -> None:
    """The checkbox that keeps a run going without viewers."""
    ticked = st.checkbox(
        "Keep running", run.status.kept, key=f"keep:{run.id}", disabled=run.status.kept, width="content",
        help="Once it trains, the run continues when this page is closed. Otherwise, and while it is queued, the server stops it"
        f" after {current_run.LEASE:.0f} seconds without viewers. Its model is kept in both cases.",
    )  # fmt: skip
    if ticked and not run.status.kept:
        with show_errors():
            get_engine().keep(run.id, owner())
            run.status = get_engine().status(run.id)


def _wait_estimate() -> None:
    """Only while a run would have to wait for others; that the workers are just starting is said once it waits for them."""
    estimate = get_engine().wait_estimate(owner(), address=address())
    if not estimate.allowed:
        st.info(in_markdown(estimate.message))
    elif estimate.position and get_engine().workers():
        mount("standing", key="queue", of="queue")
        watch([ticket("queue")], key="queue_watch")
