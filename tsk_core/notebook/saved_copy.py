"""What a saved notebook shows of a widget where no kernel runs: scores, pictures of the charts, the rules, as HTML.

Names and classes come from users' tables, so every text is escaped; a picture is taken only if it is a PNG of a sensible size.
"""

import base64
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from tsk_core.epoch import Epoch
from tsk_core.explain import RuleBaseSummary

__all__ = ["Picture", "pictures_of", "saved_copy"]

MOST_BYTES = 1_000_000  # of a picture
MOST = 8  # pictures
_PNG = b"\x89PNG\r\n\x1a\n"
_ADDRESS = "data:image/png;base64,"
# JupyterLab writes "Error displaying widget" where no kernel runs; the copy below it is what there is to see then.
_HIDE_ERROR = ".jp-OutputArea-child:has(> .jupyter-widgets):has(+ .jp-OutputArea-child .%s) { display: none }"
_SCORES = {"rca_test": "Test RCA", "bca_test": "Test BCA", "rca_train": "Training RCA", "bca_train": "Training BCA"}


class Picture(NamedTuple):
    """A chart at the end of a training. text: it in a sentence. image: a PNG as an address that holds it."""

    title: str
    text: str
    image: str


def pictures_of(content: Any) -> list[Picture] | None:
    """The pictures of a message of the browser; None where it is anything else."""
    if not isinstance(content, dict) or content.get("kind") != "pictures" or not isinstance(content.get("pictures"), list):
        return None
    found = [one for one in content["pictures"][:MOST] if isinstance(one, dict)]
    texts = [[one.get(name) for name in Picture._fields] for one in found]
    made = [Picture(*map(str, of)) for of in texts if all(isinstance(text, str) for text in of)]
    return [one for one in made if _is_png(one.image)]


def _is_png(address: str) -> bool:
    if not address.startswith(_ADDRESS) or len(address) > MOST_BYTES * 4 // 3 + len(_ADDRESS):
        return False
    try:
        return base64.b64decode(address.removeprefix(_ADDRESS), validate=True).startswith(_PNG)
    except ValueError:
        return False


def saved_copy(
    name: str, status: str, last: Epoch | None, summary: RuleBaseSummary | None, pictures: Sequence[Picture] = ()
) -> str:
    """The HTML. name: its class, by which the widget hides it. last: the last epoch. summary: of the rules."""
    scores = {title: None if last is None else getattr(last, field) for field, title in _SCORES.items()}
    known = {title: score for title, score in scores.items() if score is not None}
    table = "".join(f"<th>{title}</th>" for title in known), "".join(f"<td>{score:.3f}</td>" for score in known.values())
    figures = "".join(_figure(picture) for picture in pictures)
    rules = "" if summary is None else summary._repr_html_()
    return (
        f"<style>{_HIDE_ERROR % name}</style>"
        f'<div class="{name} tex2jax_ignore mathjax_ignore"><p>{escape(status)}</p>'
        + (f"<table><tr>{table[0]}</tr><tr>{table[1]}</tr></table>" if known else "")
        + (f'<div style="display: flex; flex-wrap: wrap; gap: 8px">{figures}</div>' if figures else "")
        + f"{rules}</div>"
    )


def _figure(picture: Picture) -> str:
    """A chart with its title; it is on white, which a dark notebook would not show around its letters otherwise."""
    return (
        f'<figure style="margin: 0; flex: 1 1 320px; max-width: 640px"><figcaption>{escape(picture.title)}</figcaption>'
        f'<img src="{escape(picture.image)}" alt="{escape(picture.text)}" style="max-width: 100%; background: white"></figure>'
    )
