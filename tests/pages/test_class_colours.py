"""The server's figures give a class the colour that it has in the browser's (tests/client/figures.test.js)."""

import json
from pathlib import Path

from ui.charts.colours import class_colours

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "class_colours.json").read_text(encoding="utf-8"))


def test_classes_have_the_colours_of_the_browser():
    for one in VECTORS:
        assert class_colours(one["names"]) == ["#" + bytes(parts).hex().upper() for parts in one["colours"]]
