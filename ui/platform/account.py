"""Login with an account (OpenID Connect), through Streamlit's own ``st.login``: on where secrets.toml has a section ``auth``.

docs/running.md says how to set it up. Without it nobody logs in, and runs belong to browsers.
"""

import hashlib
from functools import cache

import streamlit as st

from ui.platform.streamlit_internals import secrets_singleton

__all__ = ["account", "log_in_first", "log_out_button"]


def account() -> str | None:
    """An id of the account that is logged in, the same at each login; None where nobody logs in here.

    It cannot be mistaken for the id in a cookie, so no cookie makes its bearer the owner of an account's runs.
    """
    if not _is_on() or not st.user.is_logged_in:
        return None
    person = f"{st.user.get('iss', '')} {st.user['sub']}"
    return f"account-{hashlib.sha256(person.encode()).hexdigest()[:32]}"


def log_in_first() -> None:
    """Where people log in here, show nothing but the way to do it until they have."""
    if not _is_on() or st.user.is_logged_in:
        return
    st.title("TSK Explorer")
    st.write("Log in with your account to train fuzzy classifiers. Your runs then belong to your account, in every browser.")
    st.button("Log in", type="primary", on_click=st.login)
    st.stop()


def log_out_button() -> None:
    """Who is logged in, and a button to leave; nothing where nobody logs in here."""
    if _is_on():
        name = st.user.get("email") or st.user.get("name") or "your account"
        st.sidebar.button("Log out", on_click=st.logout, help=f"Logged in as {name}.", width="stretch")


@cache
def _is_on() -> bool:
    """Whether this server was started with it: each script run asks, and the web server too takes its secret at the start."""
    return secrets_singleton.load_if_toml_exists() and "auth" in secrets_singleton
