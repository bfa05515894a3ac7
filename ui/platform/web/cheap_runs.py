"""What Streamlit computes anew in each run of a script although it does not change: computed once, or where it is asked for.

Each click and each tick of a chart is a run. Of the processor time of a click, these took a fifth (tests/load/clicks.py):

* The theme and the options that each run sends to the browser. They are those of the server's start.
* All values of the session, as a dict, for each number box and list of a page, which look up one of them (Streamlit 1.67).
* A class for the state of each component of a page, each time that it is looked up, so that a page may assign to it. Ours
  only read it. Classes wait for a collection of garbage; each full one stopped all pages of a full room for a third of a second.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ui.platform.streamlit_internals import SafeSessionState, app_session, bidi_component

__all__ = ["CHANGES", "make_runs_cheap"]


def make_runs_cheap() -> None:
    """Change how this server prepares a run; calling it again does nothing."""
    for owner, name, ours in CHANGES:
        setattr(owner, name, ours)


class _Once:
    """A function that fills a message of Streamlit's protocol: called once for each set of further arguments."""

    def __init__(self, fill: Callable[..., None]) -> None:
        self._fill, self._known = fill, dict[tuple[str, ...], Any]()

    def __call__(self, message: Any, *args: str) -> None:
        """Fill the message, which is empty."""
        if args not in self._known:
            filled = type(message)()
            self._fill(filled, *args)
            self._known[args] = filled
        filled = self._known[args]
        if filled.ListFields():  # else it would be there, and empty
            message.MergeFrom(filled)


_config, _theme = _Once(app_session._populate_config_msg), _Once(app_session._populate_theme_msg)
_all_values = SafeSessionState.filtered_state.fget


class _Values(Mapping[str, Any]):
    """The values of a session by their keys, without those of widgets that have no key: looked up one by one."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        with self._state._lock:
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_all_values(self._state))

    def __len__(self) -> int:
        return len(_all_values(self._state))

    def __repr__(self) -> str:
        return repr(_all_values(self._state))


def _presenter(aggregator: str, *_: Any, **__: Any) -> Callable[[Any, Any], Any]:
    """How the state of a component is shown to the page: with the events of this run, which wait in the widget ``aggregator``."""

    def present(state: Any, session_state: Any) -> Any:
        widgets = session_state._new_widget_state
        about = widgets.widget_metadata.get(aggregator)
        if not isinstance(state, dict) or about is None or about.value_type != "json_trigger_value":
            return state
        found = widgets.get(aggregator)
        events = [event for event in (found if isinstance(found, list) else [found]) if isinstance(event, dict)]
        return {event["event"]: event.get("value") for event in events if isinstance(event.get("event"), str)} | state

    return present


CHANGES: tuple[tuple[object, str, object], ...] = (  # of Streamlit's modules and classes: owner, name, what stands there instead
    (app_session, "_populate_config_msg", _config),
    (app_session, "_populate_theme_msg", _theme),
    (SafeSessionState, "filtered_state", property(_Values)),
    (bidi_component, "make_bidi_component_presenter", _presenter),
)
