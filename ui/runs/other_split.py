"""What the test score was when the rows of the same table were split in another way."""

from collections.abc import Mapping
from typing import Any

from ui.runs.differences import changed_settings, side_of
from ui.runs.run_view import RunView
from ui.runs.split_ways import way_of

_SPLITS = ("group", "time", "split")


def other_split_sentence(run: RunView, before: RunView | None) -> str:
    """As "Split by “patient”: test BCA 0.456; with rows at random it was 0.934 (other test rows)."

    "" unless both ended, on one table, and nothing else differs between them.
    """
    if before is None or way_of(before.data) == way_of(run.data) or changed_settings(side_of(before), side_of(run)):
        return ""
    scores = [one.metrics.get("bca") for one in (before, run)]
    if None in scores or _apart_from_split(before.data) != _apart_from_split(run.data):
        return ""
    now, then = str(way_of(run.data)), str(way_of(before.data))
    return f"{now[0].upper()}{now[1:]}: test BCA {scores[1]:.3f}; {then} it was {scores[0]:.3f} (other test rows)."


def _apart_from_split(data: Mapping[str, Any]) -> tuple[object, ...]:
    """The table and what was decided about it, without what decides the split."""
    choices = data.get("choices", {})
    roles = {column: role for column, role in choices.get("roles", {}).items() if role not in _SPLITS}
    decided = {name: value for name, value in choices.items() if name not in ("roles", "repeated")}
    file = {name: data.get("file", {}).get(name) for name in ("rows", "columns")}
    return data["name"], data["target"], data.get("classes"), file, roles, decided, choices.get("repeated") == "drop"
