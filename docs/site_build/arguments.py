"""Docstrings that explain arguments in their text, as in "X, y: the training rows. groups: (N,)", get a list of them.

Public functions have numpydoc's sections; the objects that they return have such sentences.
"""

import inspect
import re
from fnmatch import fnmatch
from typing import Any

from sphinx.application import Sphinx

_ITEM = re.compile(r"(?:^|(?<=[.;)] ))([A-Za-z_][\w*]*(?:, [A-Za-z_][\w*]*)*): ")
_AFTERWARDS = re.compile(r"(?<=\.) (?=(?:Raises|Returns) )")


def list_arguments(app: Sphinx, kind: str, name: str, shown: object, options: Any, lines: list[str]) -> None:
    """Make the list, of names that the object has; docstrings with sections, examples or lists stay as they are."""
    if any(line.lstrip().startswith(("---", ">>>", "- ", "* ")) for line in lines):
        return
    known = _names(shown)
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines))
    lines[:] = "\n\n".join(_listed(" ".join(paragraph.split()), known) for paragraph in paragraphs).split("\n") + [""]


def _names(shown: object) -> set[str]:
    """The arguments of a function; of a class, those and its fields."""
    try:
        arguments = set(inspect.signature(shown).parameters)  # type: ignore[arg-type]  # what has none raises TypeError
    except (TypeError, ValueError):
        arguments = set()
    return arguments | set(getattr(shown, "__annotations__", {}))


def _listed(text: str, known: set[str]) -> str:
    found = [item for item in _ITEM.finditer(text) if all(_is_known(name, known) for name in item[1].split(", "))]
    if not found:
        return text
    ends = [item.start() for item in found[1:]] + [len(text)]
    parts = [(item[1].replace("*", r"\*"), text[item.end() : end].strip()) for item, end in zip(found, ends, strict=True)]
    last, *afterwards = _AFTERWARDS.split(parts[-1][1])
    items = "\n".join(f"* **{names}**: {said}" for names, said in [*parts[:-1], (parts[-1][0], last)])
    return "\n\n".join(part for part in (text[: found[0].start()].strip(), items, *afterwards) if part)


def _is_known(name: str, known: set[str]) -> bool:
    return any(fnmatch(one, name) for one in known)
