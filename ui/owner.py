"""The owner of runs: a random id in a cookie of the browser, so that a reload or a second tab has the same runs.

A script cannot set a cookie, so a component does; until the cookie is there, the session holds the id.
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
    """The id of this browser. Anyone who knows it can change its runs, so it is never shown."""
    if "owner" not in st.session_state:
        known = str(st.context.cookies.get(COOKIE, ""))
        st.session_state.owner = known if _ID.fullmatch(known) else secrets.token_hex(16)
    return st.session_state.owner


def remember_owner() -> None:
    """Store the id in the browser, if it is not there yet."""
    if st.context.cookies.get(COOKIE) != owner():
        with st.container(key="remember_owner"):
            _remember(data={"cookie": COOKIE, "owner": owner()}, height=1)
