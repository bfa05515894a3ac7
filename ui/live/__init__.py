"""Views that the browser draws from what the server sends beside Streamlit, without replacing elements of the page.

The JavaScript lies in ``ui/client``; ``ui.platform.assets`` puts it where Streamlit serves files. A page mounts views, and says
once each time it is drawn which subjects it shows (``watch``); what is new of them comes over the live route (``route``). So a
page is drawn when somebody presses something, and once when what it was drawn with has changed, as when a run ends.

``subjects`` says what can be followed and by whom, ``tsk_core.live.stream`` what a message is. In the browser, ``core/live.js``
asks, and ``core/feed.js`` hands each part of a message to the reducer of its kind.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from tsk_core.live import Part
from ui.charts import CHARTS
from ui.charts.explanations import explanations_file, provide_explanations
from ui.platform import session
from ui.platform.assets import CLIENT, client_file, provide
from ui.platform.caches import once_per_server
from ui.platform.session import Key

__all__ = ["CLIENT", "Part", "mount", "on_keys", "provide_client", "take_files", "watch"]

PRESSES_DONE = Key[int]("presses_done", 0)


_KEYS = "presenter_keys"  # of the component that reports them


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
    js=_script("mount(parentElement, data, setTriggerValue)"),
    isolate_styles=False,
)
_keys = st.components.v2.component("tsk_keys", js=_script('onKeys(data.keys, (presses) => setTriggerValue("pressed", presses))'))
_files = st.components.v2.component("tsk_files", js=(CLIENT / "drop.js").read_text(encoding="utf-8"))
_drawer = st.components.v2.component("tsk_drawer", js=(CLIENT / "drawer.js").read_text(encoding="utf-8"))
_watch = st.components.v2.component("tsk_watch", js=_script("watch(data, setTriggerValue)"))


def mount(*views: str, key: str | None = None, calls: dict[str, Callable[[Any], None]] | None = None, **data: Any) -> None:
    """Show some views by their names: charts of ``ui.charts`` and those of ``client/client.js``. data: JSON-ready values for
    them; explanations="" for charts without *Explain*.

    key: needed where data change, so that the element stays the same. Without it the views themselves are its identity, and
    Streamlit does less: it sends the state of each component that has a key again for each widget of the page.
    calls: what the views may tell the server, by name: called with the JSON value that they send, before the script runs. They
    need a key.
    """
    charts = [CHARTS[name].declaration for name in views if name in CHARTS]
    known = calls or {}
    listeners: dict[str, Any] = {f"on_{name}_change": partial(_pass_on, key or "", name, call) for name, call in known.items()}
    shared = {"client": _entry(), "explanations": f"./app/static/{explanations_file()}"}
    _views(key=key, data={**shared, "views": list(views), "charts": charts, "calls": list(known), **data}, **listeners)


def _pass_on(key: str, name: str, call: Callable[[Any], None]) -> None:
    if (value := session.COMPONENT(key).get().get(name)) is not None:
        call(value)


def on_keys(keys: list[str], pressed: Callable[[str], None]) -> None:
    """Call ``pressed``, before the script runs, with each of ``keys`` that is pressed outside of widgets.

    The browser sends its last presses, numbered: where two come at once, Streamlit passes only one message on. It does by itself
    what the other keys of ``ui/client/keys.js`` do.
    """

    def call() -> None:
        for number, key in session.COMPONENT(_KEYS).get().get("pressed") or ():
            if number > PRESSES_DONE.get():
                PRESSES_DONE.set(number)
                pressed(key)

    _keys(key=_KEYS, data={"client": _entry(), "keys": keys}, on_pressed_change=call, height=1)


def take_files(kinds: str, limit: str, megabytes: float) -> None:
    """Let the browser give the page's uploader of a table what is dropped anywhere, and open its file chooser at a press.

    kinds: what may be dropped, for people. limit: the sentence for a file of more than ``megabytes``.
    """
    _files(key="files", data={"kinds": kinds, "limit": limit, "bytes": megabytes * 2**20}, height=1)


def close_drawer() -> None:
    """Let the browser of a phone close the drawer once a page was chosen in it."""
    with st.container(key="drawer"):  # page.css gives it no place
        _drawer(height=1)


def watch(tickets: Iterable[str], parts: Sequence[Part] = (), drawn: Mapping[str, Any] | None = None, key: str = "watch") -> None:
    """Let the browser follow subjects from now on, and draw the page again once one of them is in another state.

    tickets: of the subjects. parts: what the page itself says. drawn: the state of each that the page was drawn with, by what it
    is of. key: another one for a second call on a page.
    """
    data = {"client": _entry(), "key": key, "tickets": list(tickets), "parts": list(parts), "drawn": dict(drawn or {})}
    _watch(key=key, data=data, on_changed_change=lambda: None, height=1)


@once_per_server(entries=1)
def provide_client() -> None:
    """Put the files that browsers fetch where Streamlit serves them, once per server."""
    provide()
    provide_explanations()


def _entry() -> str:
    return f"./app/static/{client_file()}"
