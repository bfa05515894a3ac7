"""The owner of runs: the account of a person who logged in, else the random id in a cookie (ui/platform/web/owner_cookie.py).

So a reload or a second tab has the same runs. A session with neither, where cookies are refused, has an id of its own.
"""

import secrets

import streamlit as st

from ui.platform import session
from ui.platform.account import account
from ui.platform.visitor import owner_of

__all__ = ["owner"]


def owner() -> str:
    """The id of this visitor. Anyone who knows it can change its runs, so it is never shown.

    Raises RunError for an account that has logged out in another tab.
    """
    known = account()  # asked each time: it may have logged out in another tab
    if not session.OWNER.is_set():
        session.OWNER.set(known or owner_of(st.context.cookies) or secrets.token_hex(16))
    return session.OWNER.get()
