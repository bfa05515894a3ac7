"""Views that the browser draws from the data that the server sends of a run, without replacing elements of the page.

The JavaScript lies in ``ui/client``; ``ui.assets`` copies it to where Streamlit serves files. Views are mounted outside any
fragment (when a fragment's tick overtakes the end of a run of the whole script, Streamlit removes the fragment's elements for a
moment). An invisible element, the *feed*, brings what is new; see ``message`` for its form.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.assets import CLIENT, client_folder, provide
from ui.charts import CHARTS
from ui.live.message import message, send_all_again
from ui.runs.run_view import RunView

__all__ = ["CLIENT", "feed", "mount", "on_keys", "provide_client"]


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
    "tsk_views", css=(CLIENT / "client.css").read_text(), js=_script("mount(parentElement, data)"), isolate_styles=False
)
_keys = st.components.v2.component(
    "tsk_keys", js=_script('onKeys([...data.letters], (letter) => setTriggerValue("pressed", letter))')
)
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


def mount(*views: str, key: str | None = None, **data: Any) -> None:
    """Show some views by their names: charts of ``ui.charts`` and those of ``client/views.js``. data: JSON-ready values for them.

    key: needed where data change, so that the element stays the same. Without it the views themselves are its identity, and
    Streamlit does less: it sends the state of each component that has a key again for each widget of the page.
    """
    charts = [CHARTS[name].declaration for name in views if name in CHARTS]
    _views(key=key, data={"client": _entry(), "views": list(views), "charts": charts, **data})


def on_keys(letters: str, pressed: Callable[[str], None]) -> None:
    """Call ``pressed``, before the script runs, with each of ``letters`` that is pressed outside of widgets.

    The arrows, the space bar and digits select epochs and tabs, in the browser alone.
    """

    def call() -> None:
        if letter := st.session_state.presenter_keys.get("pressed"):
            pressed(letter)

    _keys(key="presenter_keys", data={"client": _entry(), "letters": letters}, on_pressed_change=call, height=1)


def feed(shown: RunView, comparison: RunView | None) -> None:
    """Send the browser what it lacks of the run shown and of the comparison; may stand in a fragment."""
    data = {"client": _entry(), "message": message(shown, comparison)}
    _feed(key="live_feed", data=data, on_missing_change=send_all_again, on_more_change=lambda: None, height=1)


@st.cache_resource(show_spinner=False)
def provide_client() -> None:
    """Put the files that browsers fetch where Streamlit serves them, once per server."""
    provide()


def _entry() -> str:
    return f"./app/static/{client_folder()}/client.js"
