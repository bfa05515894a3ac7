"""What repeats a run: link, seed, data, versions, Python."""

import streamlit as st

from ui.engine import the_engine
from ui.runs import Shown
from ui.text import in_markdown

__all__ = ["address", "card_panel"]


def card_panel(shown: Shown) -> None:
    """The reproducibility card of a run that ended."""
    card = the_engine().store.card(shown.run)
    versions = " · ".join(f"{name} {version}" for name, version in card.versions.items())
    st.markdown(f"**Link** {in_markdown(address(card.link))}")
    facts = f"Seed {card.seed} · SHA-256 of the table {card.sha256[:16]}… · {versions}"
    st.caption(in_markdown(facts))
    if card.caveat:
        st.caption(in_markdown(card.caveat))
    st.code(card.python, language="python", wrap_lines=True)


def address(link: str) -> str:
    """The link with this server's address before it."""
    base = (st.context.url or "").split("?")[0].rstrip("/")
    return f"{base.removesuffix('/runs')}{link}"
