"""Views that the browser draws from what the server sends, without replacing elements of the page; and the feed that sends it.

The JavaScript lies in ``ui/client``; ``ui.platform.assets`` puts it where Streamlit serves files. Views are mounted outside
any fragment (when a fragment's tick overtakes the end of a run of the whole script, Streamlit removes the fragment's elements for
a moment). An invisible element, the *feed*, brings what is new.

A message is a list of parts, {"kind", "since", "payload"}; "of" names the run or the experiment where there are several.

- A *list* only grows: epochs, records of an experiment, snapshots. "payload" has the entries from number "since" on as its
  "list", and what they share. The browser skips entries that it has. Where it lacks some before "since", it says so until a
  message comes, and everything is sent again (``Feed.forget``). A list of another "version" replaces it, as where a run began
  anew.
- A *value* replaces the one before: what is known of a run besides its epochs, the cells of a sweep. "since" is the moment it
  changed, in microseconds; the browser ignores one that is older than its own.

So a message that is lost, repeated or late does no harm: Streamlit may skip one where two come at once, and draw an element again
that it has replaced. ``Feed`` remembers what was sent to a session. The kinds are listed where they are made: ``message`` and
``lists`` for Explore, ``ui.compare.panel``, ``ui.sweep.panel``, ``ui.tuning.tuning_run``, ``ui.learn.charts``. In the
browser, ``core/feed.js`` hands each part to the reducer of its kind.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from tsk_core.live import Feed, Part
from ui.charts import CHARTS
from ui.charts.explanations import explanations_file, provide_explanations
from ui.platform import session
from ui.platform.assets import CLIENT, client_file, provide
from ui.platform.caches import once_per_server
from ui.platform.session import Key

__all__ = ["CLIENT", "Feed", "Part", "feed", "feed_of_session", "mount", "on_keys", "provide_client", "take_files"]

FEED = Key[Any]("feed_sent")  # what the browser has got
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
    css=(CLIENT / "client.css").read_text(encoding="utf-8"),
    js=_script("mount(parentElement, data, setTriggerValue)"),
    isolate_styles=False,
)
_keys = st.components.v2.component("tsk_keys", js=_script('onKeys(data.keys, (presses) => setTriggerValue("pressed", presses))'))
_files = st.components.v2.component("tsk_files", js=(CLIENT / "drop.js").read_text(encoding="utf-8"))
_drawer = st.components.v2.component("tsk_drawer", js=(CLIENT / "drawer.js").read_text(encoding="utf-8"))
_feed = st.components.v2.component(
    "tsk_feed",
    js="""
export default function ({ data, setTriggerValue }) {
  let stop = () => {}, ended = false;
  import(new URL(data.client, document.baseURI)).then(({ take }) => {
    if (!ended) stop = take(JSON.parse(data.message), setTriggerValue, data.key);
  });
  return () => { ended = true; stop(); };
}
""",
)


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


def feed(parts: list[Part], key: str = "feed") -> None:
    """Send a message to the browser; may stand in a fragment. key: another one for a second feed on a page."""
    data = {"client": _entry(), "key": key, "message": json.dumps(parts, separators=(",", ":"))}
    forget = feed_of_session().forget
    _feed(key=key, data=data, on_missing_change=forget, on_more_change=lambda: None, height=1)


def feed_of_session() -> Feed:
    """The feed of this session's browser."""
    if not FEED.is_set():
        FEED.set(Feed())
    return FEED.get()


@once_per_server(entries=1)
def provide_client() -> None:
    """Put the files that browsers fetch where Streamlit serves them, once per server."""
    provide()
    provide_explanations()


def _entry() -> str:
    return f"./app/static/{client_file()}"
