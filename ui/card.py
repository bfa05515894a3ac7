"""What repeats a run: link, seed, data, versions, Python; and everything it left, to take home."""

import streamlit as st

from ui.engine import the_engine
from ui.runs import Shown
from ui.text import in_markdown

__all__ = ["address", "card_panel"]


def card_panel(shown: Shown) -> None:
    """The reproducibility card of a run that ended, and its archive."""
    if not shown.status.ended:
        st.info("What repeats this run stands here when training ends.")
        return
    card = the_engine().store.card(shown.run)
    versions = " · ".join(f"{name} {version}" for name, version in card.versions.items())
    st.markdown(f"**Link** {in_markdown(address(card.link))}")
    facts = f"Seed {card.seed} · SHA-256 of the table {card.sha256[:16]}… · {versions}"
    st.caption(in_markdown(facts))
    if card.caveat:
        st.caption(in_markdown(card.caveat))
    st.code(card.python, language="python")
    if shown.result is not None:
        st.download_button(
            "Download everything", lambda: the_engine().store.archive(shown.run), f"run-{shown.run[:8]}.zip", "application/zip",
            on_click="ignore", help="Settings, epochs, numbers, model, rules and the script, as a zip.",
        )  # fmt: skip


def address(link: str) -> str:
    """The link with this server's address before it."""
    base = (st.context.url or "").split("?")[0].rstrip("/")
    return f"{base.removesuffix('/runs')}{link}"
