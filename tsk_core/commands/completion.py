"""The command ``completion``: which files that learners handed in were written by this server, and what stands in them."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tsk_core.commands.common import Subparsers
from tsk_core.errors import ClassError

if TYPE_CHECKING:
    from tsk_core.classroom import Completion


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("completion", help="check files that learners downloaded at the end of a lesson")
    parser.set_defaults(command=_completion)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json", help="files that learners handed in")
    parser.add_argument(
        "--csv", action="store_true", help="print a line of CSV for each file, with whether it is valid, for a gradebook"
    )
    parser.add_argument(
        "--runs", type=Path, metavar="FOLDER", help="runs folder of the server that wrote them (default TSK_RUNS_DIR, or runs)"
    )


def _completion(options: argparse.Namespace) -> int:
    """Print what each file says; returns 1 where one of them is not this server's, or two are of one browser."""
    from tsk_core.classroom import Classroom, read_completion

    secret, status = Classroom(options.runs).secret, 0
    rows: list[tuple[str, ...]] = []
    known: dict[tuple[str, str], str] = {}
    for path in options.files:
        try:
            read = read_completion(path, secret)
        except ClassError as error:
            status = 1
            rows.append((path.name, "no"))
            _print(f"not valid: {error}", options)
            continue
        rows.append((path.name, "yes", *read.cells()))
        _print(_sentence(path.name, read), options)
        same = known.setdefault((read.lesson, read.learner), path.name)
        if same != path.name:
            status = 1
            _print(f"  {same} and {path.name} come from the same browser.", options)
    if options.csv:
        print(_csv(rows), end="")
    return status


def _print(text: str, options: argparse.Namespace) -> None:
    if not options.csv:
        print(text)


def _csv(rows: list[tuple[str, ...]]) -> str:
    import pandas as pd

    from tsk_core.classroom.completion import COLUMNS
    from tsk_core.data.export import escape_formulas

    return escape_formulas(pd.DataFrame(rows, columns=["file", "valid", *COLUMNS], dtype=str)).to_csv(index=False)


def _sentence(name: str, read: "Completion") -> str:
    off = "" if read.distance is None else f", prediction off by {read.distance:.1%} of its range"
    right = {None: "", True: ", item right", False: ", item wrong"}[read.right]
    of_class = f", class {read.class_code}" if read.class_code else ""
    return f"valid: {name}: lesson {read.lesson}, {read.date}, learner {read.learner}{off}{right}{of_class}"
