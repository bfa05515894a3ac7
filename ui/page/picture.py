"""The picture of a TSK classifier: three rules for two features of Iris, with what they predict everywhere.

Each rule has the mean and the standard deviation of one class as the centres and widths of its Gaussians; its scores are fitted
to the classes by least squares. So it is a first-order TSK classifier as it may begin, computed here without training.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np

from ui.charts.drawn import class_colours
from ui.data.source import from_gallery
from ui.platform.caches import once_per_server

FEATURES = ("petal length (cm)", "petal width (cm)")
_LEFT, _TOP, _WIDTH, _HEIGHT, _STRIP = 22, 6, 300, 160, 34  # of the plane, and the height of the curves beside it
_COLUMNS, _ROWS = 75, 40  # cells of the plane
_STYLE = "display: block; max-width: 100%; height: auto"
_LETTERS = 'fill="currentColor" font-size="11"'
_SIZE = _LEFT + _WIDTH + _STRIP + 12, _TOP + _HEIGHT + _STRIP + 24


@dataclass(frozen=True)
class Picture:
    """svg: the drawing, whose ink is the text's colour. centre: of the second rule, by feature."""

    svg: str
    centre: tuple[float, float]


@dataclass(frozen=True)
class _Rules:
    """centres, widths: (R, 2). scores: (3 R, C), of each rule a constant and two slopes for each class."""

    centres: np.ndarray
    widths: np.ndarray
    scores: np.ndarray

    def predict(self, points: np.ndarray) -> np.ndarray:
        """The number of the class with the largest score: (N, 2) -> (N,)."""
        return np.argmax(_terms(points, self.centres, self.widths) @ self.scores, axis=1)


@once_per_server(entries=1)
def picture() -> Picture:
    """The picture, made once."""
    dataset = from_gallery("iris")
    points = dataset.frame[list(FEATURES)].to_numpy(float)
    labels = np.array([dataset.classes.index(name) for name in dataset.y])
    rules = _fitted(points, labels, len(dataset.classes))
    low, high = points.min(0) - 0.3, points.max(0) + 0.3
    colours = [escape(colour) for colour in class_colours(dataset.classes)]
    parts = [
        *_regions(rules, low, high, colours), *_points(_placed(points, low, high), labels, colours),
        *_ellipses(rules, low, high, colours), *_curves(rules, low, high, colours),
        *_names(rules, low, high, dataset.classes), *_axes(),
    ]  # fmt: skip
    size = f'width="{_SIZE[0]}" height="{_SIZE[1]}" viewBox="0 0 {_SIZE[0]} {_SIZE[1]}" style="{_STYLE}"'
    name = f"Three rules for {escape(dataset.name)}: their Gaussians, and the class predicted in each place"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{name}" {size}>{"".join(parts)}</svg>'
    return Picture(svg, (float(rules.centres[1, 0]), float(rules.centres[1, 1])))


def _fitted(points: np.ndarray, labels: np.ndarray, classes: int) -> _Rules:
    centres = np.array([points[labels == c].mean(0) for c in range(classes)])
    widths = np.array([points[labels == c].std(0) for c in range(classes)])
    scores, *_ = np.linalg.lstsq(_terms(points, centres, widths), np.eye(classes)[labels], rcond=None)
    return _Rules(centres, widths, scores)


def _terms(points: np.ndarray, centres: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """The firing levels, each times 1 and times the features: (N, 2) -> (N, 3 R)."""
    log_firing = -0.5 * (((points[:, None] - centres) / widths) ** 2).sum(-1)  # (N, R)
    firing = np.exp(log_firing - log_firing.max(1, keepdims=True))
    firing /= firing.sum(1, keepdims=True)
    linear = np.column_stack([np.ones(len(points)), points])  # (N, 3)
    return (firing[:, :, None] * linear[:, None]).reshape(len(points), -1)


def _placed(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Points in the plane of the picture, whose second axis points down."""
    share = (points - low) / (high - low)
    return np.column_stack([_LEFT + _WIDTH * share[:, 0], _TOP + _HEIGHT * (1 - share[:, 1])])


def _regions(rules: _Rules, low: np.ndarray, high: np.ndarray, colours: list[str]) -> Iterator[str]:
    """The predicted class of each cell; neighbours in a row are one rectangle."""
    across, down = (np.arange(_COLUMNS) + 0.5) / _COLUMNS, 1 - (np.arange(_ROWS) + 0.5) / _ROWS
    grid = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2) * (high - low) + low
    cells = rules.predict(grid).reshape(_ROWS, _COLUMNS)
    width, height = _WIDTH / _COLUMNS, _HEIGHT / _ROWS
    for row, line in enumerate(cells):
        starts = [0, *(np.flatnonzero(np.diff(line)) + 1), _COLUMNS]
        for start, end in zip(starts, starts[1:], strict=False):
            place = f'x="{_LEFT + start * width:.1f}" y="{_TOP + row * height:.1f}"'
            size = f'width="{(end - start) * width:.1f}" height="{height:.1f}"'
            yield f'<rect {place} {size} fill="{colours[line[start]]}" fill-opacity=".17" shape-rendering="crispEdges"/>'


def _points(placed: np.ndarray, labels: np.ndarray, colours: list[str]) -> Iterator[str]:
    for (x, y), label in zip(placed, labels, strict=True):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.7" fill="{colours[label]}"/>'


def _ellipses(rules: _Rules, low: np.ndarray, high: np.ndarray, colours: list[str]) -> Iterator[str]:
    """Each rule one and two standard deviations around its centre."""
    scale = np.array([_WIDTH, _HEIGHT]) / (high - low)
    for (x, y), width, colour in zip(_placed(rules.centres, low, high), rules.widths, colours, strict=True):
        for times, opacity in ((1, 1.0), (2, 0.5)):
            rx, ry = times * width * scale
            place = f'cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}"'
            yield f'<ellipse {place} fill="none" stroke="{colour}" stroke-opacity="{opacity}" stroke-width="1.6"/>'


def _curves(rules: _Rules, low: np.ndarray, high: np.ndarray, colours: list[str]) -> Iterator[str]:
    """The Gaussians of each rule: those of the first feature below the plane, those of the second beside it."""
    share = np.linspace(0, 1, 90)
    for centre, width, colour in zip(rules.centres, rules.widths, colours, strict=True):
        first, second = (
            _STRIP * np.exp(-0.5 * ((low[d] + share * (high[d] - low[d]) - centre[d]) / width[d]) ** 2) for d in (0, 1)
        )
        below = zip(_LEFT + _WIDTH * share, _TOP + _HEIGHT + _STRIP + 4 - first, strict=True)
        beside = zip(_LEFT + _WIDTH + 6 + second, _TOP + _HEIGHT * (1 - share), strict=True)
        for line in (below, beside):
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
            yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>'


def _names(rules: _Rules, low: np.ndarray, high: np.ndarray, names: list[str]) -> Iterator[str]:
    """The class of each rule, beside its points, where the plane has more room."""
    for (x, y), width, name in zip(_placed(rules.centres, low, high), rules.widths, names, strict=True):
        aside = 2.8 * width[0] * _WIDTH / (high[0] - low[0]) + 5
        left = x - _LEFT > _WIDTH / 2
        place = f'x="{x - aside if left else x + aside:.1f}" y="{y + 4:.1f}" text-anchor="{"end" if left else "start"}"'
        yield f"<text {place} {_LETTERS}>{escape(name)}</text>"


def _axes() -> Iterator[str]:
    style = f'text-anchor="middle" {_LETTERS}'
    yield f'<text x="{_LEFT + _WIDTH / 2}" y="{_TOP + _HEIGHT + _STRIP + 18}" {style}>{FEATURES[0]}</text>'
    middle = _TOP + _HEIGHT / 2
    yield f'<text x="14" y="{middle}" transform="rotate(-90 14 {middle})" {style}>{FEATURES[1]}</text>'
