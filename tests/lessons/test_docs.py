"""docs/lessons.md: its example is a lesson, and it names all that a lesson may have."""

import json
import re
from pathlib import Path

import pytest

from tsk_core.lessons import CHARTS, reading
from tsk_core.lessons.library import read_playlist
from tsk_core.lessons.outcomes import OUTCOMES

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/lessons.md").read_text("utf-8")
SCHEMA = json.loads(Path(reading.__file__).with_name("lesson.schema.json").read_text("utf-8"))


def keys(schema):
    """The keys of all mappings that a schema describes."""
    if isinstance(schema, list):
        return set().union(*map(keys, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())).union(*map(keys, schema.values()))


def test_the_example_is_a_lesson():
    example, playlist = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert reading.read_lesson(example).name == "two-rules"
    assert read_playlist(playlist).name == "week-3"


@pytest.mark.parametrize("names", [OUTCOMES, CHARTS, keys(SCHEMA)], ids=["measures", "charts", "keys"])
def test_everything_is_explained(names):
    named = set(re.findall(r"`(\w+)(?:: true)?`", TEXT))
    assert set(names) - named == set()
