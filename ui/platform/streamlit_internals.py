"""Everything that is imported from Streamlit's inside, which may change with any release: all that an update has to check.

A test keeps such imports out of every other file.
"""

# Its options, as the command line and config.toml set them: ``st.get_option`` is for the script of a page, not for middleware.
# Whether a session still has a browser, closing one, and the files that it holds: there is no public name for any of it.
from streamlit import config, runtime

# How the state of a page's own components is shown to it: the module that makes a presenter for each one it draws.
from streamlit.components.v2.bidi_component import main as bidi_component

# The messages between browser and server, which the middleware filters, and the answers to presses of download buttons.
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, ForwardMsg

# How a session fills the message that begins each run of its script.
from streamlit.runtime import app_session

# How a session starts the thread that runs its script, which can lose the messages of the run before.
from streamlit.runtime.app_session import AppSession, AppSessionState

# What keeps the files behind download buttons, and makes them.
from streamlit.runtime.media_file_manager import MediaFileManager

# Until app.py has run once, Streamlit takes the folder ``pages`` for an app of an older kind.
from streamlit.runtime.pages_manager import PagesManager

# The id of the session whose script runs: tables are counted by session. It also takes messages to the browser.
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

# The id of the fragment that is drawn, whose interval is in such a message.
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

# Whether secrets.toml exists: ``st.secrets`` shows an error on the page where it does not.
from streamlit.runtime.secrets import secrets_singleton

# What widgets look their values up in.
from streamlit.runtime.state import SafeSessionState

# The values of a session's widgets, which a run that has to stop may still add to.
from streamlit.runtime.state.session_state import WStates

# How `streamlit run` reads its options.
from streamlit.web.cli import main_run

# Which hosts it opens websockets for.
from streamlit.web.server.starlette import starlette_websocket

__all__ = [
    "AppSession", "AppSessionState", "BackMsg", "BackendOperationRequest", "BackendOperationResponse", "ForwardMsg",
    "MediaFileManager", "PagesManager", "RerunData", "SafeSessionState", "ThreadState", "WStates", "app_session",
    "bidi_component", "config", "get_script_run_ctx", "main_run", "runtime", "secrets_singleton", "starlette_websocket",
]  # fmt: skip
