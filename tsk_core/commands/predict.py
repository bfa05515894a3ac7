"""``predict``: the classes of new rows, by a finished run or a saved model."""

import argparse
import sys
from pathlib import Path

from tsk_core.commands.common import Subparsers, write_output

__all__ = ["add_parser"]


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("predict", help="predict the classes of new rows with a finished run or a saved model")
    parser.set_defaults(command=_predict)
    parser.add_argument("model", metavar="RUN_OR_MODEL", help="a run's id or folder, or the folder of a saved model")
    parser.add_argument("data", metavar="FILE.csv", help="a file with the columns of training; the target may be missing")
    parser.add_argument("-o", "--out", metavar="OUT.csv", help="the file to write; standard output if not given")


def _predict(options: argparse.Namespace) -> int:
    """The file's rows with the predicted class, each class's probability, the rule that contributed most, and a warning."""
    from tsk_core.data import read_table
    from tsk_core.data.export import to_csv
    from tsk_core.predict import load_model, predict_checked
    from tsk_core.runs import RunStore

    classifier = load_model(options.model, RunStore(recover=False))
    table, cells = predict_checked(classifier, read_table(Path(options.data)).frame)
    content = to_csv(table)
    for unreadable in cells.unreadable:
        print(unreadable, file=sys.stderr)
    if warned := int((table.iloc[:, -1] != "").sum()):
        rows = f"{warned:,} of {len(table):,} rows {'is' if warned == 1 else 'are'}"
        print(f"{rows} unlike the training rows; the column '{table.columns[-1]}' says why.", file=sys.stderr)
    write_output(content, options.out)
    return 0
