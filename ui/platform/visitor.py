"""Where the visitor of this session comes from: quotas are by address as well as by owner, since cookies can be deleted."""

import streamlit as st

__all__ = ["LOCAL", "address"]

LOCAL = "this machine"


def address() -> str:
    """The network address of the browser, or ``LOCAL``. Behind a reverse proxy it is the one that the proxy reports."""
    return st.context.ip_address or LOCAL
