"""The settings of a run, a preset or a search, put into the widgets: all of them at once, a rule base to start from included."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from tsk_core.config import START_KEY, STARTING_POINTS, TrainConfig
from ui.platform import session
from ui.settings import page_state, starting
from ui.settings.controls import TEST_DEFAULT, widget_values


def use_settings(
    config: TrainConfig,
    test_size: float,
    *,
    data: Mapping[str, Any] | None = None,
    keep: Collection[str] = (),
    visit_from: str | None = None,
) -> None:
    """Set the widgets here and on the page that is shown next; in a callback, or before any widget is made.

    data: values of the widgets that choose the dataset, by key, if they change too. keep: keys of widgets that keep their value.
    visit_from: a page that has its own settings again after a visit to the next one; see ``page_state.set_for_visit``.
    """
    data = data or {}
    start = starting.nearest(config, data.get(session.DATA.name, session.DATA.get()))
    values = widget_values(config, test_size) | {START_KEY: start, **data}
    values = {key: value for key, value in values.items() if key not in keep}
    if visit_from is None:
        page_state.set_values(values)
    else:
        page_state.set_for_visit(values, visit_from)
    if config.rule_base is None:
        session.RULE_BASE.pop()  # of the settings before
    else:
        session.RULE_BASE.set(config.rule_base)
    starting.hold()


def use_measured() -> None:
    """The settings of a card of the gallery, if somebody has just chosen them; before the settings are drawn."""
    measured = session.MEASURED_SETTINGS.pop()
    if measured is not None:
        config = replace(STARTING_POINTS[measured.start], **measured.settings)
        use_settings(config, TEST_DEFAULT, keep=starting.SPLIT_KEYS)
