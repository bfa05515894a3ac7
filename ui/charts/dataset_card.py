"""What a card of the gallery shows, on the page and in the documentation: a picture of the rows, and settings that do well."""

from html import escape

import numpy as np

from tsk_core.data import Dataset
from tsk_core.data.gallery import MeasuredSettings, sample_points
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.charts.colours import class_colours

_WIDTH, _HEIGHT, _EDGE = 300, 130, 8  # of the picture, and its margin


def does_well(measured: MeasuredSettings) -> str:
    """As "Does well with: R 5, κ 0, else as in Recommended. Test BCA …"."""
    start = measured.start.capitalize()
    changes = [f"{SETTINGS[name].symbol or SETTINGS[name].label} {in_words(value)}" for name, value in measured.settings.items()]
    return f"Does well with: {', '.join([*changes, f'else as in {start}'] if changes else [start])}. {measured.figures}"


def points_picture(dataset: Dataset) -> str:
    """An SVG of some rows in the plane of the best feature pair; "" without two numeric features."""
    points = sample_points(dataset)
    if points is None:
        return ""
    x, y, classes = points
    columns = [_EDGE + (_WIDTH - 2 * _EDGE) * _unit(x), _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * _unit(y)]
    colour = dict(zip(dataset.classes, class_colours(dataset.classes), strict=True))
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{escape(colour[c])}" fill-opacity=".75"/>'
        for a, b, c in zip(*columns, classes, strict=True)
    )
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{dots}</svg>'


def _unit(values: np.ndarray) -> np.ndarray:
    """Values scaled to [0, 1]."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low if high > low else 1)
