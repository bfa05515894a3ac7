"""The server's figures and the study's files have the colours of the browser's (tests/client/figures.test.js)."""

import json
from pathlib import Path

import pytest

from tsk_study.figures.figure import COLOURS
from ui.charts.drawn import blank_chart, class_colours, palette

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "colours.json").read_text(encoding="utf-8"))


def test_classes_and_the_files_of_the_study_have_the_colours_of_the_browser():
    for one in VECTORS["classes"]:
        assert class_colours(one["names"]) == ["#" + bytes(parts).hex().upper() for parts in one["colours"]]
    assert list(COLOURS) == VECTORS["lines"]["light"][: len(COLOURS)]


@pytest.mark.parametrize("page", ["light", "dark"])
def test_lines_text_and_grid_have_the_colours_of_the_browser(page):
    dark, colours = page == "dark", VECTORS["page"][page]
    layout = blank_chart("x", "y", dark).layout
    assert list(palette(dark)) == VECTORS["lines"][page]
    assert (layout.font.color, layout.xaxis.gridcolor, layout.hoverlabel.bgcolor) == tuple(
        colours[k] for k in ("text", "grid", "paper")
    )
