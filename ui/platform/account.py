"""Login with an account (OpenID Connect), through Streamlit's own ``st.login``: on where secrets.toml has a section ``auth``.

docs/running.md says how to set it up. Without it nobody logs in, and runs belong to browsers.
"""

import hashlib
import time
from collections import OrderedDict
from functools import cache

import streamlit as st

from tsk_core.errors import RunError
from ui.platform import session
from ui.platform.streamlit_internals import runtime, secrets_singleton
from ui.platform.visitor import owner_of

__all__ = ["account", "is_known", "log_in_first", "log_out_button"]

_MOST = 10_000
_left: OrderedDict[str, float] = OrderedDict()  # browser -> when somebody logged out there, in steady seconds


def account() -> str | None:
    """An id of the account that is logged in, the same at each login; None where nobody logs in here.

    It cannot be mistaken for the id in a cookie, so no cookie makes its bearer the owner of an account's runs. RunError where its
    owner has logged out in another tab: for Streamlit, what a tab was told of the login stays true until it is loaded again.
    """
    if not _is_on() or not st.user.is_logged_in:
        return None
    if _has_left():
        raise RunError("You have logged out in another tab; reload this page to log in again.")
    person = f"{st.user.get('iss', '')} {st.user['sub']}"
    return f"account-{hashlib.sha256(person.encode()).hexdigest()[:32]}"


def log_in_first() -> None:
    """Where people log in here, show nothing but the way to do it until they have."""
    if not _is_on():
        return
    if st.user.is_logged_in and not _has_left():
        if not session.LOGGED_IN.is_set():
            session.LOGGED_IN.set(time.monotonic())
        return
    st.title("TSK Explorer")
    st.write("Log in with your account to train fuzzy classifiers. Your runs then belong to your account, in every browser.")
    st.button("Log in", type="primary", on_click=st.login)
    st.stop()


def log_out_button() -> None:
    """Who is logged in, and a button to leave; nothing where nobody logs in here."""
    if _is_on():
        name = st.user.get("email") or st.user.get("name") or "your account"
        st.sidebar.button("Log out", on_click=_log_out, help=f"Logged in as {name}.", width="stretch")


def is_known(name: str) -> bool:
    """Whether the session of this id may send files: where people log in here, one of somebody who has."""
    if not _is_on() or not runtime.exists():
        return True
    found = runtime.get_instance()._session_mgr.get_active_session_info(name)
    return found is not None and bool(found.session._user_info.get("is_logged_in"))


def _log_out() -> None:
    """Of this browser, in all its tabs."""
    browser = owner_of(st.context.cookies)
    if browser:
        _left[browser] = time.monotonic()
        _left.move_to_end(browser)
        while len(_left) > _MOST:
            _left.popitem(last=False)
    st.logout()


def _has_left() -> bool:
    """Whether somebody logged out in this browser since this session logged in."""
    left = _left.get(owner_of(st.context.cookies) or "")
    return left is not None and session.LOGGED_IN.is_set() and session.LOGGED_IN.get() < left


@cache
def _is_on() -> bool:
    """Whether this server was started with it: each script run asks, and the web server too takes its secret at the start."""
    return secrets_singleton.load_if_toml_exists() and "auth" in secrets_singleton
