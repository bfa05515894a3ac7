"""The colours of the figures that the server makes, which ``client/core/colours.js`` has too: tests/vectors/colours.json.

They are those of Okabe and Ito, which colour-blind people can distinguish; on a dark page, sky blue and yellow replace two that
are hard to see or would occur twice.
"""

import itertools
import math
from collections.abc import Sequence

GREY = "#8C8C8C"
CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#B8A800", GREY)
ON_DARK = ("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#B8A800", GREY)
_NAMED = {  # as in ``client/core/colours.js``
    "black": "#1E1E1E", "white": "#949494", "grey": "#606060", "gray": "#606060", "red": "#CC2222", "orange": "#C98500",
    "yellow": "#A39400", "green": "#009E73", "blue": "#0072B2", "purple": "#7B3F98", "violet": "#7B3F98", "brown": "#8C564B",
    "pink": "#CC79A7",
}  # fmt: skip
_NEAR = 90  # of two colours as points in red, green and blue


def palette(dark: bool) -> tuple[str, ...]:
    """The colours of lines, points and bars on a light or a dark page."""
    return ON_DARK if dark else CLASS_COLOURS


def text_colour(dark: bool) -> str:
    """The colour of text."""
    return "#E6E6E6" if dark else "#262730"


def class_colours(names: Sequence[str]) -> list[str]:
    """A colour for each class, as the browser's figures have them on a light page: its own if its name is a colour."""
    wanted = [_NAMED.get(str(name).strip().lower()) for name in names]
    own = [colour if colour and wanted.index(colour) == at else None for at, colour in enumerate(wanted)]
    taken = [_parts(colour) for colour in own if colour]
    usual = [colour for colour in CLASS_COLOURS if all(math.dist(_parts(colour), other) > _NEAR for other in taken)]
    others = itertools.cycle(usual)
    return [colour or next(others) for colour in own]


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
