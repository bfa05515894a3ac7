"""Text from data for pages: names of classes, columns and files. Nothing else may pass such text to a page.

Some characters have a meaning in Markdown and Plotly; these functions escape them, so that the text is shown unchanged.
"""

import html
import re

__all__ = ["about_seconds", "in_chart", "in_file_name", "in_markdown", "shortened"]

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$~:&^=@])")
_SPACE = re.compile(r"\s+")
# Streamlit turns addresses, icons (":material/home:") and arrows ("->") into markup after it removed the escapes; a character
# without width between their signs prevents that.
_JOINED = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=[-<>=~])(?=[-<>=~])", re.IGNORECASE)
_APART = "\u2060"


def in_markdown(text: object) -> str:
    """Text for ``st.markdown``, captions, labels: every character with a meaning is escaped; one line."""
    return _MARKDOWN.sub(r"\\\1", _JOINED.sub(_APART, _on_one_line(text)))


def in_chart(text: object, most: int = 40) -> str:
    """Text for a Plotly label, which may contain some HTML; cut to ``most`` characters."""
    return html.escape(shortened(text, most), quote=False)


def shortened(text: object, most: int) -> str:
    """Text on one line, with "…" if it was longer than ``most`` characters."""
    line = _on_one_line(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def shortened_inside(text: object, most: int) -> str:
    """Text on one line with both of its ends, since names that stand side by side often begin alike."""
    line = _on_one_line(text)
    head = most // 2
    return line if len(line) <= most else f"{line[:head]}…{line[head + 1 - most :]}"


def _on_one_line(text: object) -> str:
    from tsk_core.explain import undirected  # not when a wheel is built, by a Python that has none of the libraries

    return _SPACE.sub(" ", undirected(str(text)))


def in_file_name(text: object) -> str:
    """Text as a part of a file's name: letters, digits, "_" and "."; "-" for all else. Of 1 to 40 characters."""
    return re.sub(r"[^\w.]+", "-", str(text)).strip("-.")[:40] or "table"


def about_seconds(seconds: float | None) -> str:
    """The end of a sentence, ", about 12 s"; empty if unknown or less than a second."""
    return f", about {seconds:.0f} s" if seconds is not None and seconds >= 1 else ""
