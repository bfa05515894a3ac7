"""What a run shows: scores, progress, charts and rules, updated while it trains."""

from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from ui import presets
from ui.charts import CHART_TABS, MISTAKES, TABS, views_of
from ui.data.choose import Chosen
from ui.explore.comparison import compare_row, comparison_run, fetch_pinned
from ui.explore.export_tab import export_tab
from ui.explore.heading import Pending, pending
from ui.explore.mistakes_tab import by_class_table, costs_panel
from ui.explore.rules_tab import rules_tab, samples_tab
from ui.explore.scores import scores
from ui.explore.steering import Toolbar, answer, carry_out_answer
from ui.explore.watch_box import leading, watch_box
from ui.live import mount, watch
from ui.live.run_subjects import page_parts, run_ticket, state_of, tab_tickets
from ui.page.presenter import presenting
from ui.platform import session
from ui.platform.drawing import show_errors
from ui.predict import predict_panel
from ui.presets import Preset
from ui.runs import cost_threshold, current_run
from ui.runs.run_view import RunView
from ui.settings.starting import with_rule_base
from ui.text import in_markdown
from ui.tuning import is_shown


def run_panel(run: RunView, dataset: Dataset | None, preset: Preset | None) -> None:
    """Draw the run; while it trains, the browser draws what is new of it.

    dataset: the one chosen on the page, which may be the run's. preset: the one that the page is at.
    """
    run.chosen = dataset
    if run.result is not None:
        cost_threshold.write_address(cost_threshold.decision_of(run))
    with st.container(), show_errors():
        fetch_pinned()
        if run.error:
            _no_model(run)
    with st.container(gap="xsmall"), show_errors():
        comparison = comparison_run(run)
        scores(run, comparison)
        compare_row(run, comparison, preset, lambda: None if presenting() else watch_box())
        _follow(run, comparison)
    mount("epochs", **leading(run))
    stage, *charts, samples, rules, predict, export = st.tabs(TABS, key=session.VIEW.name, on_change="rerun")
    for tab, name in zip(charts, CHART_TABS, strict=True):
        with tab:
            mount(*views_of(name))
            if name == MISTAKES and tab.open:
                by_class_table(run)
                costs_panel(run)
    # Each of these tabs costs as much as the rest of the page, so only the open one is drawn.
    if stage.open:
        with stage, show_errors():
            mount("stage", key="views:stage", run=run.id, data=run.table_name)
    if samples.open:
        with samples, show_errors():
            samples_tab(run, preset)
    if rules.open:
        with rules, show_errors():
            rules_tab(run)
    if predict.open:
        with predict:
            predict_panel(run)
    if export.open:
        with export, show_errors():
            export_tab(run, comparison_run(run))


def _no_model(run: RunView) -> None:
    """Why the run has no model, and a button that starts it again with all its settings."""
    st.error(in_markdown(run.error))
    with show_errors():
        if st.button("Run again"):
            current_run.start_again(run)
            st.rerun()


def _follow(run: RunView, comparison: RunView | None) -> None:
    """Let the browser follow both, and the lists of the open tab."""
    tickets, drawn = [run_ticket(run)], {run.id: state_of(run)}
    if comparison is not None:
        tickets.append(run_ticket(comparison, watched=False))
        drawn[comparison.id] = state_of(comparison)
    parts = page_parts(run, comparison, dark=st.context.theme.type == "dark")
    watch([*tickets, *tab_tickets(run, comparison)], parts, drawn)


# What the page Explore was drawn with, beside the controls of the settings: whether it stays as it is when these change.


class DrawnPage:
    """One drawing of the page. ``note`` at its end says what it shows of the settings, ``follow`` draws what else changes.

    toolbar: the buttons, in the sidebar; when presenting, above the run.
    """

    def __init__(self) -> None:
        self._presented = Toolbar() if presenting() else None
        self._token = ""
        self._chosen: Chosen | None = None
        self._shown: Any = None  # before the page is drawn, and where another change than of a setting changes it

    def note(self, chosen: Chosen | None, changed: Pending, preset: Preset | None, failure: str) -> None:
        """The page is drawn. failure: why the last press failed, which the page says until anything changes."""
        self._chosen = chosen
        self._shown = None if failure or presenting() or is_shown(chosen) else _shown(changed, preset)

    def place(self) -> None:
        """Lay out the buttons below the settings."""
        self.toolbar = self._presented or Toolbar()

    def token(self, config: TrainConfig | None, test_size: float, chosen: Chosen | None, *, turned: bool) -> str:
        """With what these settings are trained without a press, see ``answer``."""
        changed = pending(current_run.get(), with_rule_base(config), test_size, chosen)
        self._token = answer(with_rule_base(config), changed, turned=turned)
        return self._token

    def train(self, token: object) -> None:
        """The browser says that the settings have been at rest."""
        carry_out_answer(token)

    def reserve(self) -> None:
        """Make room for what ``follow`` draws."""
        self.toolbar.reserve()

    def say(self, changed: Pending) -> None:
        """Say how the controls differ from the run shown."""
        self.toolbar.say(changed, answered=bool(self._token))

    def follow(self, config: TrainConfig | None, test_size: float) -> bool:
        """Draw what else changes with these settings; returns False, and draws nothing, where the page has to be drawn."""
        run, config = current_run.get(), with_rule_base(config)
        changed = pending(run, config, test_size, self._chosen)
        shown = _shown(changed, presets.matching(run, config, test_size, self._chosen))
        if self._shown != shown and not (self._shown and self._token):  # the page is drawn with the next run in a moment
            return False
        self.reserve()
        self.say(changed)
        return True


def _shown(changed: Pending, preset: Preset | None) -> tuple[Any, ...]:
    """What the page says of the settings beside what ``Toolbar.say`` says: which run is shown, whether its data are those
    chosen, once it has ended whether anything differs from it, and the preset.
    """
    run, ended = current_run.get(), current_run.active() is None
    return run and run.id, "data" in changed.keys, ended and bool(changed), preset and preset.name
