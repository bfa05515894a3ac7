"""How the rows of a dataset are split: at random, or by a column; and whether equal rows stay together."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ui.text import shortened


class SplitWay(NamedTuple):
    """kind: "group", "time" or "split" by a column, or "" for random rows. together: whether equal rows are on one side."""

    kind: str
    column: str
    together: bool

    def __str__(self) -> str:
        name = f"“{shortened(self.column, 40)}”"
        words = {
            "group": f"split by {name}",
            "time": f"tested on the latest rows by {name}",
            "split": f"split as {name} says",
            "": "with equal rows together" if self.together else "with rows at random",
        }
        return words[self.kind]


def way_of(data: Mapping[str, Any]) -> SplitWay:
    """Of the dataset of a run, as its config.json has it."""
    for column, role in data.get("roles", {}).items():
        if role in ("group", "time", "split"):
            return SplitWay(role, column, False)
    return SplitWay("", "", data.get("choices", {}).get("repeated") == "together")


def split_of(data: Mapping[str, Any], seed: int | None, test_size: float) -> tuple[object, ...]:
    """What decides which rows of a dataset are test rows: the way, the values of a column, and the seed and the share where they
    have an effect.
    """
    way = way_of(data)
    fixed = way.kind == "split"
    return way, data.get("split_sha256", ""), None if fixed or way.kind == "time" else seed, None if fixed else test_size
