"""The recorded training of the first screen: ``python -m benchmarks.demonstration [--out ui/client/stage/demonstration.json]``.

It trains the settings of the door *Play* on its table, and writes what the live route would say of the run, with four digits.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from ui.live.run_subjects import ListsSubject, run_parts
from ui.page.demonstration import CONFIG, RUN, TEST_SIZE, dataset
from ui.platform.assets import DEMONSTRATION
from ui.platform.engine import get_engine
from ui.runs.run_view import RunView

OWNER = "0" * 31 + "1"
WORDS = 5  # conditions of a rule
EVERY = 2  # epochs from one writing of the rules to the next


def recorded() -> dict[str, Any]:
    """The parts of the run, the rows that the plane draws, and the name of their table."""
    table, engine = dataset(), get_engine()
    run = engine.submit(CONFIG, table, OWNER, TEST_SIZE)
    engine.result(run, timeout=120)
    view = RunView.load(run, OWNER)
    view.chosen = table
    view.rows()
    lists = ListsSubject(run, ("snapshots", "ruleBases"), WORDS, rows=True, final=False, stable=False)
    while lists.look() is not None:
        pass
    parts = [part for part in [*run_parts(view, None), *lists.stream.parts()] if part["kind"] != "runs"]
    for part in parts:
        part["of"] = RUN
        if part["kind"] == "ruleBases":
            listed = part["payload"]["list"]
            part["payload"]["list"] = [_sentences(base) for base in listed if base["end"] or base["epoch"] % EVERY == 0]
    shown = view.samples()
    return {"data": shown["data"], "rows": shown["rows"], "parts": parts}


def _sentences(base: dict[str, Any]) -> dict[str, Any]:
    """The rules at an epoch without what the stage has no room for."""
    return base | {"summary": [], "rules": [rule | {"measured": [], "remarks": []} for rule in base["rules"]]}


def rounded(value: Any) -> Any:
    """The same with four significant digits in each number."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, (list, tuple)) else value


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEMONSTRATION)
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TSK_RUNS_DIR"] = folder
        out.write_text(json.dumps(rounded(recorded()), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
        get_engine().close()


if __name__ == "__main__":
    main()
