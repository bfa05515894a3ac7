"""What a browser's tab knows of its page: widgets with their states, the progress text, errors, cached messages.

Follows Streamlit's own front end where the server can tell the difference: every widget's state goes back with each rerun, and
large messages are kept and named by hash, so that the server sends them once (``MessageCache``).
"""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.WidgetStates_pb2 import WidgetState


@dataclass(frozen=True)
class Widget:
    """A widget on the page. fragment: the part of the page that its change runs again; "" for the whole."""

    id: str
    kind: str
    label: str
    disabled: bool
    fragment: str
    query_key: str


class MessageCache:
    """Hashes of large messages that this tab keeps; one that was not used for some runs of the script is dropped."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, int]] = {}  # hash → fragment it came in, the run it was last used in
        self._runs = 0

    @property
    def hashes(self) -> list[str]:
        """What the server need not send again."""
        return list(self._kept)

    def keep(self, message: ForwardMsg) -> None:
        """A message came in."""
        if message.metadata.cacheable:
            self._kept.setdefault(message.hash, (message.delta.fragment_id, self._runs))

    def use(self, name: str) -> bool:
        """The server names a message instead of sending it; False when it is not here."""
        if name not in self._kept:
            return False
        self._kept[name] = (self._kept[name][0], self._runs)
        return True

    def count_run(self, max_age: int, fragments: list[str]) -> None:
        """The script ran to its end: drop what is too old, of these fragments only where there are any."""
        self._runs += 1
        self._kept = {
            name: (fragment, used)
            for name, (fragment, used) in self._kept.items()
            if (fragments and fragment not in fragments) or self._runs - used <= max_age
        }


@dataclass
class Page:
    """One tab's page. ``query`` is what stands in the address bar behind the question mark."""

    query: str = ""
    script: str = ""  # hash of the page's script, sent back with each rerun
    session: str = ""
    progress: str = ""  # the text beside the progress bar
    errors: list[str] = field(default_factory=list)
    widgets: dict[str, Widget] = field(default_factory=dict)  # by label
    states: dict[str, WidgetState] = field(default_factory=dict)  # by id
    components: dict[str, str] = field(default_factory=dict)  # id of each that was drawn, by its key
    watched: dict[str, dict[str, Any]] = field(default_factory=dict)  # what the page follows, by the key of the component
    _drawn: set[str] = field(default_factory=set)  # labels of widgets and keys of ``watched``, since the whole script began

    def start_over(self) -> None:
        """The whole script begins again; what it does not draw stays until it ended."""
        self._drawn, self.errors = set(), []

    def draw(self, element: Element, fragment: str) -> None:
        """An element came in."""
        kind = element.WhichOneof("type")
        if kind == "progress":
            self.progress = element.progress.text
        elif kind == "bidi_component":
            key = element.bidi_component.id.rpartition("-")[2]
            self.components[key] = element.bidi_component.id
            if '"tickets"' in (data := element.bidi_component.json):
                self._drawn.add(key)
                self.watched[key] = json.loads(data)
        elif kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "alert" and element.alert.format == Alert.ERROR:
            self.errors.append(element.alert.body)
        elif kind in _STATES:
            proto = getattr(element, kind)
            if kind == "number_input" and proto.data_type == NumberInput.INT:
                kind = "whole_number"
            key = getattr(proto, "query_param_key", "")
            self._drawn.add(proto.label)
            self.widgets[proto.label] = Widget(proto.id, kind, proto.label, proto.disabled, fragment, key)
            self._learn_state(kind, proto)

    def forget_unseen(self) -> None:
        """The whole script ran to its end: a widget that it did not draw is gone, and its state with it."""
        self.widgets = {label: widget for label, widget in self.widgets.items() if label in self._drawn}
        self.watched = {key: data for key, data in self.watched.items() if key in self._drawn}
        seen = {widget.id for widget in self.widgets.values()}
        self.states = {name: state for name, state in self.states.items() if name in seen}

    def change(self, label: str, value: float | str | bool) -> Widget:
        """Set a widget as its user would: its state, and the address bar where it is bound to it."""
        widget = self.widgets[label]
        self.states[widget.id] = _STATES[widget.kind](widget.id, value)
        if widget.query_key:
            self.query = urlencode(dict(parse_qsl(self.query)) | {widget.query_key: value})
        return widget

    def _learn_state(self, kind: str, proto: Any) -> None:
        """A new widget begins with its default, one that the script sets takes its value; any other keeps its own."""
        if kind not in ("button", "file_uploader") and (proto.set_value or proto.id not in self.states):
            self.states[proto.id] = _STATES[kind](proto.id, _value(kind, proto))


def _value(kind: str, proto: Any) -> Any:
    if kind == "selectbox":
        return proto.raw_value if proto.set_value else proto.options[proto.default] if proto.options else ""
    return proto.value if proto.set_value else proto.default


def _slider(name: str, value: Any) -> WidgetState:
    state = WidgetState(id=name)
    state.double_array_value.data.extend([value] if isinstance(value, int | float) else value)
    return state


def _file(name: str, value: str) -> WidgetState:
    """value: the id of an uploaded file."""
    state = WidgetState(id=name)
    state.file_uploader_state_value.uploaded_file_info.add(file_id=value, name="table", size=1).file_urls.file_id = value
    return state


_STATES = {
    "button": lambda name, value: WidgetState(id=name, trigger_value=value),
    "checkbox": lambda name, value: WidgetState(id=name, bool_value=value),
    "file_uploader": _file,
    "number_input": lambda name, value: WidgetState(id=name, double_value=value),
    "selectbox": lambda name, value: WidgetState(id=name, string_value=value),
    "slider": _slider,
    "whole_number": lambda name, value: WidgetState(id=name, int_value=int(value)),
}
