"""Views that live in the browser: drawn there from what the server tells of a run, so that nothing is mounted anew.

The JavaScript lies in ``ui/client``; ``ui.assets`` copies it to where Streamlit serves files. A view has a *place* on the page,
which stands outside any fragment (when a fragment's tick overtakes the end of a run of the whole script, Streamlit takes the
fragment's elements away for a moment). An element that has nothing to show, the *feed*, brings what is new; see ``message`` for
its form.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.assets import CLIENT, client_folder, provide
from ui.live.lists import MISTAKES, RULES, SAMPLES
from ui.live.message import forget, message
from ui.runs import Shown

__all__ = ["CLIENT", "MISTAKES", "RULES", "SAMPLES", "feed", "listen", "place", "provide_client"]


def _script(call: str) -> str:
    """The JavaScript of a component that calls something of the client, which says how to end it."""
    return f"""
export default function ({{ data, parentElement, setTriggerValue }}) {{
  let ended = false, end = () => {{}};
  import(new URL(data.client, document.baseURI)).then((client) => {{ if (!ended) end = client.{call}; }});
  return () => {{ ended = true; end(); }};
}}
"""


_place = st.components.v2.component(
    "tsk_place", css=(CLIENT / "client.css").read_text(), js=_script("mount(parentElement, data)"), isolate_styles=False
)
_keys = st.components.v2.component(
    "tsk_keys", js=_script('listen([...data.letters], (letter) => setTriggerValue("pressed", letter))')
)
_feed = st.components.v2.component(
    "tsk_feed",
    js="""
export default function ({ data, setTriggerValue }) {
  import(new URL(data.client, document.baseURI)).then(({ receive }) => {
    const message = JSON.parse(data.message), missing = receive(message);
    if (missing.length) setTriggerValue("missing", missing);
    else if (message.shown.books?.more) setTriggerValue("more", true);
  });
}
""",
)


def place(*views: str, key: str | None = None, **data: Any) -> None:
    """The place of some views, by their names in ``client/views.js``; data: JSON-ready values for them.

    key: needed where data change, so that the place stays the same. Without it the views themselves are its identity, and
    Streamlit does less: it presents the state of each component that has a key anew for each widget of the page.
    """
    _place(key=key, data={"client": _entry(), "views": list(views), **data})


def listen(letters: str, heard: Callable[[str], None]) -> None:
    """Have ``heard`` called, before the script runs, with each of ``letters`` that is pressed outside of widgets.

    The arrows, the space bar and digits move through epochs and tabs besides, in the browser alone.
    """

    def call() -> None:
        if pressed := st.session_state.keys_heard.get("pressed"):
            heard(pressed)

    _keys(key="keys_heard", data={"client": _entry(), "letters": letters}, on_pressed_change=call, height=1)


def feed(shown: Shown, ghost: Shown | None) -> None:
    """Bring the browser what it lacks of the run shown and of the one before it; may stand in a fragment."""
    data = {"client": _entry(), "message": message(shown, ghost)}
    _feed(key="live_feed", data=data, on_missing_change=forget, on_more_change=lambda: None, height=1)


@st.cache_resource(show_spinner=False)
def provide_client() -> None:
    """Put the files that browsers fetch where Streamlit serves them, once per server."""
    provide()


def _entry() -> str:
    return f"./app/static/{client_folder()}/place.js"
