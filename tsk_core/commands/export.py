"""``export``: the rules of a finished run or a saved model as text, code, or a file of another tool."""

import argparse

from tsk_core.commands.common import Subparsers, write_output
from tsk_core.errors import SettingError

NAMES = "text, markdown, latex, csv, json, python, javascript, c, sql, fis, fml, onnx"  # not imported: others would wait


def add_parser(commands: Subparsers) -> None:
    """Declare the command."""
    parser = commands.add_parser("export", help="write the rules of a finished run or a saved model in another format")
    parser.set_defaults(command=_export)
    parser.add_argument("model", metavar="RUN_OR_MODEL", help="a run's id or folder, or the folder of a saved model")
    parser.add_argument("--format", required=True, metavar="NAME", help=f"one of {NAMES}")
    parser.add_argument("-o", "--out", metavar="FILE", help="the file to write; standard output if not given")
    parser.add_argument(
        "--conditions", type=int, metavar="N",
        help="at most N conditions per rule (default: 5 in text formats, all in formats that predict)",
    )  # fmt: skip


def _export(options: argparse.Namespace) -> int:
    """Load the model, write the file."""
    from tsk_core.predict import load_model
    from tsk_core.runs import RunStore

    if options.conditions is not None and options.conditions < 1:
        raise SettingError(f"--conditions is {options.conditions}; it must be at least 1.")
    classifier = load_model(options.model, RunStore(recover=False))
    if options.conditions is None:
        text = classifier.export(options.format)
    else:
        text = classifier.rules(options.conditions).export(options.format)
    write_output(text if isinstance(text, bytes) else text.encode("utf-8", "replace"), options.out)
    return 0
