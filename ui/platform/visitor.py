"""Who the visitor of this session is, and who owns the runs of this session.

Quotas are by address as well as by owner, since cookies can be deleted. The owner is the account of a person who logged in, else
the random id in a cookie (``web/identity.py``), so a reload or a second tab has the same runs. A session with neither, where
cookies are refused, has an id of its own.

Logging in (OpenID Connect) goes through Streamlit's own ``st.login``; it is on where secrets.toml has a section ``auth``, and
docs/running.md says how to set it up. Without it nobody logs in, and runs belong to browsers.
"""

import hashlib
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache

import streamlit as st

from tsk_core.errors import RunError
from ui.platform.session import Key
from ui.platform.streamlit_internals import get_script_run_ctx, runtime, secrets_singleton

OWNER = Key[str]("owner")
LOGGED_IN = Key[float]("logged_in")  # when this session was first drawn for an account, in steady seconds


COOKIE = "tsk_owner"  # as a session sees it; what browsers have is the subject of ui/platform/web/identity.py
LOCAL = "this machine"
_ID = re.compile(r"[0-9a-f]{32}")


def address() -> str:
    """The network address of the browser, or ``LOCAL``. Behind a reverse proxy it is the one that the proxy reports."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return LOCAL  # what browsers follow is looked at beside pages
    return st.context.ip_address or LOCAL


def owner_of(cookies: Mapping[str, str]) -> str | None:
    """The owner that the cookies of a session name; None without one."""
    known = str(cookies.get(COOKIE, ""))
    return known if _ID.fullmatch(known) else None


def visitor() -> str:
    """The browser of this session, by its cookie; a session without one is a visitor of its own."""
    context = get_script_run_ctx()
    return owner_of(st.context.cookies) or (context.session_id if context else "")


def owner() -> str:
    """The id of this visitor. Anyone who knows it can change its runs, so it is never shown.

    Raises RunError for an account that has logged out in another tab.
    """
    known = account()  # asked each time: it may have logged out in another tab
    if not OWNER.is_set():
        OWNER.set(known or owner_of(st.context.cookies) or secrets.token_hex(16))
    return OWNER.get()


# Accounts.

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
        if not LOGGED_IN.is_set():
            LOGGED_IN.set(time.monotonic())
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
    return left is not None and LOGGED_IN.is_set() and LOGGED_IN.get() < left


@cache
def _is_on() -> bool:
    """Whether this server was started with it: each script run asks, and the web server too takes its secret at the start."""
    return secrets_singleton.load_if_toml_exists() and "auth" in secrets_singleton
