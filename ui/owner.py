"""Whose browser this is: a random id in a cookie, so that a reload, a second tab and tomorrow find the same runs.

A script cannot set a cookie, so a component does, and the session uses the same id until the cookie comes back.
"""

import re
import secrets

import streamlit as st

__all__ = ["owner", "remember_owner"]

COOKIE = "tsk_owner"
_ID = re.compile(r"[0-9a-f]{32}")

_remember = st.components.v2.component(
    "tsk_remember_owner",
    js="""
export default function ({ data }) {
  const inFrame = window.self !== window.top && location.protocol === "https:"; // as in a course's page
  const site = inFrame ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax";
  document.cookie = `${data.cookie}=${data.owner}; Path=/; Max-Age=31536000; ${site}`;
}
""",
)


def owner() -> str:
    """The id of this browser. Whoever knows it can change its runs, so it is never shown."""
    if "owner" not in st.session_state:
        known = str(st.context.cookies.get(COOKIE, ""))
        st.session_state.owner = known if _ID.fullmatch(known) else secrets.token_hex(16)
    return st.session_state.owner


def remember_owner() -> None:
    """Leave the id in the browser, where it is not there yet."""
    if st.context.cookies.get(COOKIE) != owner():
        with st.container(key="remember_owner"):
            _remember(data={"cookie": COOKIE, "owner": owner()}, height=1)
