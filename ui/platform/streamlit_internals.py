"""Everything that is imported from Streamlit's inside, or replaced there: all that an update has to check.

A test keeps such imports out of every other file. ``REPLACED`` lists what is replaced, and why no public name would do.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

# Its options, as the command line and config.toml set them: ``st.get_option`` is for the script of a page, not for middleware.
# Whether a session still has a browser, closing one, and the files that it holds: there is no public name for any of it.
from streamlit import config, runtime

# The messages between browser and server, which the middleware filters, and the answers to presses of download buttons.
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, ForwardMsg

# How a session starts the thread that runs its script, and who answers its presses of download buttons.
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession, AppSessionState

# What keeps the files behind download buttons, and makes them.
from streamlit.runtime.media_file_manager import MediaFileManager

# The id of the session whose script runs: tables are counted by session.
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

# Whether secrets.toml exists: ``st.secrets`` shows an error on the page where it does not.
from streamlit.runtime.secrets import secrets_singleton

# What widgets look their values up in.
from streamlit.runtime.state import SafeSessionState

# The values of a session's widgets, which a run that has to stop may still add to.
from streamlit.runtime.state.session_state import WStates

# How `streamlit run` reads its options.
from streamlit.web.cli import main_run

__all__ = [
    "REPLACED", "AppSession", "BackMsg", "BackendOperationRequest", "BackendOperationResponse", "ForwardMsg", "MediaFileManager",
    "app_session", "config", "get_script_run_ctx", "main_run", "replace", "runtime", "secrets_singleton",
]  # fmt: skip

# Values of a session, looked up one by one.

_all_values: Callable[[SafeSessionState], dict[str, Any]] = vars(SafeSessionState)["filtered_state"].fget


class _Values(Mapping[str, Any]):
    """The values of a session by their keys, without those of widgets that have no key."""

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


# The theme, which each run of a script sends to the browser.

_fill_theme = app_session._populate_theme_msg
_themes: dict[tuple[str, ...], Any] = {}  # by section: that of the server's start


def _known_theme(message: Any, *section: str) -> None:
    """Fill the message, which is empty, with what was filled in for this section first."""
    if section not in _themes:
        _themes[section] = type(message)()
        _fill_theme(_themes[section], *section)
    if _themes[section].ListFields():  # else it would be there, and empty
        message.MergeFrom(_themes[section])


# A run that has to stop and the run that takes its place overlap for a moment, with the same state of the session.


class _Steady(dict[str, Any]):
    """The values of widgets by their names; who goes through them does so on a copy of the names."""

    def __iter__(self) -> Iterator[str]:
        return iter(list(super().keys()))

    def items(self) -> list[tuple[str, Any]]:  # type: ignore[override]  # a copy is no view
        return list(super().items())


_slot = vars(WStates)["states"]


def _set_steady(states: WStates, values: dict[str, Any]) -> None:
    _slot.__set__(states, _Steady(values))


# A fragment that is drawn by itself does not discard the run before it.

_start = AppSession._create_scriptrunner


def _start_in_order(session: AppSession, request: RerunData) -> None:
    """Start a script runner; for a fragment, after what the runner that refused the request has posted."""
    ended = session._scriptrunner
    if ended is None or not request.fragment_id:  # a run of the whole page draws everything again
        _start(session, request)
        return

    def begin() -> None:
        runner = session._scriptrunner
        if session._state == AppSessionState.SHUTDOWN_REQUESTED:  # the browser has gone meanwhile
            return
        if runner is None or runner is ended:
            _start(session, request)
        elif not runner.request_rerun(request):
            _start_in_order(session, request)

    session._event_loop.call_soon(begin)  # a runner that refuses has posted all its messages but the last, that it is gone


REPLACED: tuple[tuple[object, str, object], ...] = (  # owner, name, what stands there instead
    # Each number box and list of a page makes a dict of all values of the session and looks up one of them (#9415 upstream, in
    # part): a sixth of the processor time of a click. Public: none, since it is inside of st.number_input and st.selectbox.
    (SafeSessionState, "filtered_state", property(_Values)),
    # Each run looks through all options for the theme: half a millisecond, a tenth of a click that draws one fragment. Public:
    # none, since a session does so before its script begins.
    (app_session, "_populate_theme_msg", _known_theme),
    # A run that was asked to stop may register a widget while the run in its place goes through all of them: "dictionary changed
    # size during iteration", in place of the page, once in some thousand presses. Public: runner.fastReruns = false, but a press
    # then waits for what the page is computing, such as for a large table that is being read.
    (WStates, "states", property(_slot.__get__, _set_steady)),
    # A change in a fragment that arrives between the end of a run and its last messages starts a new runner, and the browser
    # never gets the page that was drawn (the cause of #9921 upstream). Public: none.
    (AppSession, "_create_scriptrunner", _start_in_order),
)


def replace(downloads: Callable[..., Any]) -> None:
    """Make the changes in this server; calling it again does nothing.

    downloads: in place of what answers presses of download buttons. Streamlit makes those files in the event loop's own threads,
    which a few presses fill, and deletes a file once any two scripts have ended. Public: none, for when, where and how long.
    """
    for owner, name, ours in (*REPLACED, (app_session, "DeferredFileHandler", downloads)):
        setattr(owner, name, ours)
