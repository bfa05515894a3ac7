"""Who the visitor of this session is: quotas are by address as well as by owner, since cookies can be deleted."""

import re
from collections.abc import Mapping

import streamlit as st

from ui.platform.streamlit_internals import get_script_run_ctx

__all__ = ["COOKIE", "LOCAL", "address", "owner_of", "visitor"]

COOKIE = "tsk_owner"  # as a session sees it; what browsers have is the subject of ui/platform/web/owner_cookie.py
LOCAL = "this machine"
_ID = re.compile(r"[0-9a-f]{32}")


def address() -> str:
    """The network address of the browser, or ``LOCAL``. Behind a reverse proxy it is the one that the proxy reports."""
    return st.context.ip_address or LOCAL


def owner_of(cookies: Mapping[str, str]) -> str | None:
    """The owner that the cookies of a session name; None without one."""
    known = str(cookies.get(COOKIE, ""))
    return known if _ID.fullmatch(known) else None


def visitor() -> str:
    """The browser of this session, by its cookie; a session without one is a visitor of its own."""
    context = get_script_run_ctx()
    return owner_of(st.context.cookies) or (context.session_id if context else "")
