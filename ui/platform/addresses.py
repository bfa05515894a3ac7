"""Addresses of this app for other people, as links and as QR codes."""

import io
from collections.abc import Mapping
from urllib.parse import urlencode, urljoin

import segno
import streamlit as st


def link_to(name: str, values: Mapping[str, str]) -> str:
    """The address of what this server has under a name, such as "learn", as the browser of this session reaches it."""
    return f"{urljoin((st.context.url or '').partition('?')[0], name)}?{urlencode(values)}"


def qr_code(text: str) -> str:
    """A QR code as SVG; it can be read where up to 15% of it are hidden."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", scale=8, border=4, xmldecl=False, light="#ffffff")
    return drawn.getvalue().decode("utf-8")
