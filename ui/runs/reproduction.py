"""What repeats a run: link, seed, data, versions, Python."""

from urllib.parse import urljoin

import streamlit as st

from ui.platform.engine import get_engine
from ui.runs.run_view import RunView
from ui.text import in_markdown


def reproduction_panel(run: RunView) -> None:
    """The reproduction recipe of a run that ended."""
    recipe = get_engine().store.reproduction(run.id)
    versions = " · ".join(f"{name} {version}" for name, version in recipe.versions.items())
    st.markdown(f"**Link** <{address(recipe.link)}>")  # percent-encoded: nothing in it has a meaning in Markdown
    facts = f"Seed {recipe.seed} · SHA-256 of the names and cells of the table, as read, {recipe.sha256[:16]}… · {versions}"
    st.caption(in_markdown(facts))
    if recipe.caveat:
        st.caption(in_markdown(recipe.caveat))
    st.code(recipe.python, language="python", wrap_lines=True)


def address(link: str) -> str:
    """A link with the address of this server before it, whichever page it is asked for on."""
    page = (st.context.url or "").partition("?")[0]
    return urljoin(page, f".{link}") if page else link
