"""Links to a class and to a learner's place, and a QR code for the wall."""

import io
from urllib.parse import urlencode, urljoin

import segno
import streamlit as st

from ui.learn import membership


def join_link(code: str) -> str:
    """The address at which learners join a class."""
    return _link({membership.CLASS: code})


def qr_code(text: str) -> str:
    """A QR code as SVG; it can be read where up to 15% of it are hidden."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", scale=8, border=4, xmldecl=False, light="#ffffff")
    return drawn.getvalue().decode("utf-8")


def continue_elsewhere() -> None:
    """The resume link of this visitor, and what it does."""
    who = membership.person()
    values = {membership.RESUME: membership.classroom().secret.token(who)}
    if code := membership.code():
        values[membership.CLASS] = code
    st.markdown("In another browser this link continues with your answers. **Keep it to yourself**: others could answer as you.")
    st.code(_link(values), language=None, wrap_lines=True)


def _link(values: dict[str, str]) -> str:
    return f"{urljoin((st.context.url or '').partition('?')[0], 'learn')}?{urlencode(values)}"
