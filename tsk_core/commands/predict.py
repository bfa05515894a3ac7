"""``predict``: the classes of new rows, by a finished run or a saved model."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tsk_core.commands.common import Subparsers, write_output
from tsk_core.errors import SettingError

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.evaluate import Decision


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("predict", help="predict the classes of new rows with a finished run or a saved model")
    parser.set_defaults(command=_predict)
    parser.add_argument("model", metavar="RUN_OR_MODEL", help="a run's id or folder, or the folder of a saved model")
    parser.add_argument("data", metavar="FILE", help="a file with the columns used in training; the target may be absent")
    parser.add_argument("-o", "--out", metavar="OUT.csv", help="the file to write; standard output if not given")
    parser.add_argument(
        "--plain", action="store_true", help="write each cell as it is; without it, an apostrophe goes before texts that a"
        " spreadsheet would run as formulas, which begin with = + - or @",
    )  # fmt: skip
    parser.add_argument(
        "--cost", metavar="CLASS=C", help="for two classes: missing a case of CLASS costs C times as much as a false alarm, as in"
        " malignant=5; adds a column with the class decided on: CLASS where its probability is at least 1/(1 + C)",
    )  # fmt: skip


def _predict(options: argparse.Namespace) -> int:
    """The file's rows with the predicted class, each class's probability, the rule that contributed most, and a warning.

    With --cost also the class that it decides for.
    """
    from tsk_core.data import read_table
    from tsk_core.data.export import runs_as_formula, to_csv
    from tsk_core.data.naming import printed, quoted
    from tsk_core.predict import load_model, predict_checked
    from tsk_core.runs import RunStore

    classifier = load_model(options.model, RunStore(recover=False))
    classes = [printed(name) for name in classifier.classes_]
    decision = _decision(options.cost, classes)
    table, cells = predict_checked(classifier, read_table(Path(options.data)).frame)
    if decision is not None:
        table = _decided(table, classes, decision)
    content = to_csv(table, escape=not options.plain)
    if not options.plain and (changed := [name for name in classes if runs_as_formula(name)]):
        print(
            f"An apostrophe stands before class names that a spreadsheet would run as formulas, such as {quoted(changed[0])};"
            " --plain writes them as they are.",
            file=sys.stderr,
        )
    for sentence in cells.sentences(table.columns[-1]):
        print(sentence, file=sys.stderr)
    write_output(content, options.out)
    return 0


def _decision(text: str | None, classes: list[str]) -> "Decision | None":
    """What --cost says; SettingError where it is no cost, or where the model has no such two classes."""
    from tsk_core.evaluate import Decision

    if text is None:
        return None
    parts = text.rsplit("=", 1)
    try:
        positive, miss_cost = parts[0], float(parts[1])
    except (IndexError, ValueError):
        raise SettingError(f"--cost is {text[:80]!r}; it must be a class and what missing it costs, as in malignant=5.") from None
    decision = Decision(positive, miss_cost)
    decision.position(classes)
    return decision


def _decided(table: "pd.DataFrame", classes: list[str], decision: "Decision") -> "pd.DataFrame":
    """The table with the column of the decision; says on standard error what it changes."""
    from tsk_core.data.naming import printed
    from tsk_core.predict import with_decision

    table = with_decision(table, classes, decision)
    at = table.shape[1] - len(classes) - 3
    changed = int((table.iloc[:, at] != table.iloc[:, at - 1].map(printed)).sum())
    print(
        f"Missing {decision.positive!r} costs {decision.miss_cost:g} times as much as a false alarm: it is chosen from a"
        f" probability of {decision.threshold:.3g} upwards, which changes the class of {changed:,} of {len(table):,} rows; the"
        f" column '{table.columns[at]}' has the decision.",
        file=sys.stderr,
    )
    return table
