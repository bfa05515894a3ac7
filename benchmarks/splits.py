"""What benchmarks measure on many splits: a line for each, kept as JSON so that one that was interrupted goes on where it was."""

import json
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

Line = dict[str, Any]


def known_lines(path: Path | None, **same: object) -> list[Line]:
    """The lines of a file that have these values; none without a file."""
    lines = map(json.loads, path.read_text().splitlines() if path and path.exists() else [])
    return [line for line in lines if all(line[name] == value for name, value in same.items())]


def on_splits(
    splits: Iterable[tuple[Path, int]],
    measure: Callable[[Path, int], Iterable[Line]],
    path: Path | None,
    known: Iterable[Line] = (),
) -> list[Line]:
    """The known lines and those of each further split (a table and a seed), by one torch thread.

    measure: yields the lines of a split, with its "table" and "seed". path: a file to which they are added.
    """
    lines = list(known)
    done = {(line["table"], line["seed"]) for line in lines}
    warnings.simplefilter("ignore")
    with torch_threads(1), denormals_as_zero():
        for table, seed in splits:
            if (table.stem, seed) in done:
                continue
            new = list(measure(table, seed))
            lines += new
            if path:
                with path.open("a") as file:
                    file.writelines(json.dumps(line) + "\n" for line in new)
    return lines
