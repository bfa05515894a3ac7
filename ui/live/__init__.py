"""Views that the browser draws from the data that the server sends of a run, without replacing elements of the page.

The JavaScript lies in ``ui/client``; ``ui.platform.assets`` copies it to where Streamlit serves files. Views are mounted outside
any fragment (when a fragment's tick overtakes the end of a run of the whole script, Streamlit removes the fragment's elements for
a moment). An invisible element, the *feed*, brings what is new; see ``message`` for its form.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ui.charts import CHARTS
from ui.live.message import message, send_all_again
from ui.platform.assets import CLIENT, client_folder, provide
from ui.runs.run_view import RunView

__all__ = ["CLIENT", "feed", "feed_comparison", "feed_search", "feed_sweep", "mount", "on_keys", "provide_client"]


def _script(call: str) -> str:
    """The JavaScript of a component: load the client, call something of it, and end that when the component is removed."""
    return f"""
export default function ({{ data, parentElement, setTriggerValue }}) {{
  let ended = false, end = () => {{}};
  import(new URL(data.client, document.baseURI)).then(async (client) => {{
    await client.load(data.charts ?? []);
    if (!ended) end = client.{call};
  }});
  return () => {{ ended = true; end(); }};
}}
"""


_views = st.components.v2.component(
    "tsk_views",
    css=(CLIENT / "client.css").read_text(),
    js=_script("mount(parentElement, data, setTriggerValue)"),
    isolate_styles=False,
)
_keys = st.components.v2.component("tsk_keys", js=_script('onKeys(data.keys, (presses) => setTriggerValue("pressed", presses))'))
_feed = st.components.v2.component(
    "tsk_feed",
    js="""
export default function ({ data, setTriggerValue }) {
  import(new URL(data.client, document.baseURI)).then(({ receive }) => {
    const message = JSON.parse(data.message), missing = receive(message);
    if (missing.length) setTriggerValue("missing", missing);
    else if (message.shown.ruleBases?.more) setTriggerValue("more", true);
  });
}
""",
)
_search_feed = st.components.v2.component(
    "tsk_search_feed",
    js="""
export default function ({ data }) {
  import(new URL(data.client, document.baseURI)).then(({ receiveSearch }) => receiveSearch(data.search));
}
""",
)

_sweep_feed = st.components.v2.component(
    "tsk_sweep_feed",
    js="""
export default function ({ data, setTriggerValue }) {
  import(new URL(data.client, document.baseURI)).then(({ receiveSweep }) => {
    receiveSweep(JSON.parse(data.message), (variant) => setTriggerValue("chosen", variant));
  });
}
""",
)


_comparison_feed = st.components.v2.component(
    "tsk_comparison_feed",
    js="""
export default function ({ data, setTriggerValue }) {
  import(new URL(data.client, document.baseURI)).then(({ receiveComparison }) => {
    const missing = receiveComparison(JSON.parse(data.message), (number) => setTriggerValue("opened", number));
    if (missing) setTriggerValue("missing", true);
  });
}
""",
)


def mount(*views: str, key: str | None = None, calls: dict[str, Callable[[Any], None]] | None = None, **data: Any) -> None:
    """Show some views by their names: charts of ``ui.charts`` and those of ``client/views.js``. data: JSON-ready values for them.

    key: needed where data change, so that the element stays the same. Without it the views themselves are its identity, and
    Streamlit does less: it sends the state of each component that has a key again for each widget of the page.
    calls: what the views may tell the server, by name: called with the JSON value that they send, before the script runs. They
    need a key.
    """
    charts = [CHARTS[name].declaration for name in views if name in CHARTS]
    known = calls or {}
    listeners = {f"on_{name}_change": partial(_pass_on, key, name, call) for name, call in known.items()}
    _views(key=key, data={"client": _entry(), "views": list(views), "charts": charts, "calls": list(known), **data}, **listeners)


def _pass_on(key: str, name: str, call: Callable[[Any], None]) -> None:
    if (value := st.session_state[key].get(name)) is not None:
        call(value)


def on_keys(keys: list[str], pressed: Callable[[str], None]) -> None:
    """Call ``pressed``, before the script runs, with each of ``keys`` that is pressed outside of widgets.

    The browser sends its last presses, numbered: where two come at once, Streamlit passes only one message on. It does by itself
    what the other keys of ``ui/client/keys.js`` do.
    """

    def call() -> None:
        for number, key in st.session_state.presenter_keys.get("pressed") or ():
            if number > st.session_state.get("presses_done", 0):
                st.session_state.presses_done = number
                pressed(key)

    _keys(key="presenter_keys", data={"client": _entry(), "keys": keys}, on_pressed_change=call, height=1)


def feed(shown: RunView, comparison: RunView | None) -> None:
    """Send the browser what it lacks of the run shown and of the comparison; may stand in a fragment."""
    data = {"client": _entry(), "message": message(shown, comparison)}
    _feed(key="live_feed", data=data, on_missing_change=send_all_again, on_more_change=lambda: None, height=1)


def feed_search(search: dict[str, Any]) -> None:
    """Send the browser what the view "search" draws; may stand in a fragment."""
    _search_feed(key="search_feed", data={"client": _entry(), "search": search}, height=1)


def feed_sweep(message: dict[str, Any], chosen: Callable[[int], None]) -> None:
    """Send the browser what the view "sweep" draws; may stand in a fragment.

    chosen: called with the variant of a cell that is clicked.
    """

    def choose_clicked() -> None:
        if (variant := st.session_state.sweep_feed.get("chosen")) is not None:
            chosen(int(variant))

    data = {"client": _entry(), "message": json.dumps(message, separators=(",", ":"))}
    _sweep_feed(key="sweep_feed", data=data, on_chosen_change=choose_clicked, height=1)


def feed_comparison(message: dict[str, Any], missing: Callable[[], None], opened: Callable[[int], None]) -> None:
    """Send the browser what its charts of a comparison lack; may stand in a fragment.

    missing: called where it lacks something before this message. opened: called with the number of a training that is clicked.
    """

    def open_clicked() -> None:
        if (number := st.session_state.comparison_feed.get("opened")) is not None:
            opened(int(number))

    text = json.dumps(message, separators=(",", ":"))
    data = {"client": _entry(), "message": text}
    _comparison_feed(key="comparison_feed", data=data, on_missing_change=missing, on_opened_change=open_clicked, height=1)


@st.cache_resource(show_spinner=False)
def provide_client() -> None:
    """Put the files that browsers fetch where Streamlit serves them, once per server."""
    provide()


def _entry() -> str:
    return f"./app/static/{client_folder()}/client.js"
