"""Text from data for pages: names of classes, columns and files. Nothing else may pass such text to a page.

Some characters have a meaning in Markdown and Plotly; these functions escape them, so that the text is shown unchanged.
"""

import html
import os
import re
from collections.abc import Iterable

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


def shortened_names(names: Iterable[object], most: int) -> list[str]:
    """Names that stand side by side, shortened; those that would look the same show the characters that tell them apart.

    ui/client/core/text.js does the same.
    """
    lines = [_on_one_line(name) for name in names]
    shown = [shortened(line, most) for line in lines]

    def tell_apart(group: list[int]) -> None:
        whole = [lines[k] for k in group]
        if len(set(whole)) < 2:
            return
        at = len(os.path.commonprefix(whole))
        for k in group:
            shown[k] = _around(lines[k], at, most)
        for alike in _by_value(group, shown):
            if len(alike) < len(group):
                tell_apart(alike)

    for alike in _by_value(range(len(lines)), shown):
        tell_apart(alike)
    return shown


def _by_value(indices: Iterable[int], values: list[str]) -> list[list[int]]:
    """The groups of indices at which the same value stands, of two or more."""
    groups: dict[str, list[int]] = {}
    for k in indices:
        groups.setdefault(values[k], []).append(k)
    return [group for group in groups.values() if len(group) > 1]


def _around(line: str, at: int, most: int) -> str:
    """Its beginning, and its end or, where the end does not have the character at ``at``, the text from that one's word on."""
    if len(line) <= most:
        return line
    half, third = most // 2, most // 3
    room = most - third - 2
    word = line.rfind(" ", 0, at) + 1
    start = word if 2 * (at - word) < room else at
    for head, shown in ((half, at), (third, start)):
        if shown >= len(line) - (most - 1 - head):
            return f"{line[:head]}…{line[head + 1 - most :]}"
    return f"{line[:third]}…{line[start : start + room]}…"


def _on_one_line(text: object) -> str:
    from tsk_core.explain import undirected  # not when a wheel is built, by a Python that has none of the libraries

    return _SPACE.sub(" ", undirected(str(text)))


def in_file_name(text: object) -> str:
    """Text as a part of a file's name: letters, digits, "_" and "."; "-" for all else. Of 1 to 40 characters."""
    return re.sub(r"[^\w.]+", "-", str(text)).strip("-.")[:40] or "table"


def about_seconds(seconds: float | None) -> str:
    """The end of a sentence, ", about 12 s"; empty if unknown or less than a second."""
    return f", about {seconds:.0f} s" if seconds is not None and seconds >= 1 else ""
