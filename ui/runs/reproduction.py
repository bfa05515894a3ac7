"""What repeats a run: link, seed, data, versions, Python."""

import streamlit as st

from ui.platform.engine import get_engine
from ui.runs.run_view import RunView
from ui.text import in_markdown

__all__ = ["address", "reproduction_panel"]


def reproduction_panel(run: RunView) -> None:
    """The reproduction recipe of a run that ended."""
    recipe = get_engine().store.reproduction(run.id)
    versions = " · ".join(f"{name} {version}" for name, version in recipe.versions.items())
    st.markdown(f"**Link** {in_markdown(address(recipe.link))}")
    facts = f"Seed {recipe.seed} · SHA-256 of the names and cells of the table, as read, {recipe.sha256[:16]}… · {versions}"
    st.caption(in_markdown(facts))
    if recipe.caveat:
        st.caption(in_markdown(recipe.caveat))
    st.code(recipe.python, language="python", wrap_lines=True)


def address(link: str) -> str:
    """A link with the address of this server before it."""
    base = (st.context.url or "").split("?")[0].rstrip("/")
    return f"{base.removesuffix('/runs')}{link}"
