"""``check``: what the data check finds in a table, and the option that fixes each finding."""

import argparse
import json
import shlex
from collections import Counter
from typing import TYPE_CHECKING

from tsk_core.commands.common import Subparsers
from tsk_core.commands.table import add_table, load_table, options_of

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.data.findings import Finding


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("check", help="report what is found in a table, and which options of the other commands fix it")
    parser.set_defaults(command=_check)
    add_table(parser)


def _check(options: argparse.Namespace) -> int:
    from tsk_core.data.findings import changes_of

    dataset = load_table(options)
    if options.json:
        print(json.dumps(_summary(dataset)))
    else:
        print(dataset.check().text(lambda _, finding: shlex.join(options_of(changes_of(finding)))))
    return 0


def _summary(dataset: "Dataset") -> dict[str, object]:
    return {
        "table": dataset.name,
        "rows": len(dataset.y),
        "features": dataset.X.shape[1],
        "target": dataset.target,
        "classes": {name: Counter(dataset.y.tolist())[name] for name in dataset.classes},
        "findings": [_values(finding) for finding in dataset.check()],
    }


def _values(finding: "Finding") -> dict[str, object]:
    """A finding as JSON has it. options: those that mend it, none where nothing does."""
    from tsk_core.data.findings import changes_of

    values: dict[str, object] = {name: getattr(finding, name) for name in ("kind", "check", "fact", "done", "advice")}
    label = finding.remedy.label if finding.remedy else ""
    return values | {"columns": list(finding.columns), "remedy": label, "options": options_of(changes_of(finding))}
