"""The command line: ``python -m tsk_core train FILE.csv --target COL``. Errors are one sentence and exit status 1."""

import argparse
import json
import sys

from tsk_core.commands import check, compare, completion, export, lesson, predict, study, sweep, train, tune
from tsk_core.commands.serve import add_options, serve
from tsk_core.errors import TSKError
from tsk_core.runtime.extras import missing_extra


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.command(options)
        return status
    except TSKError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error.name)) is None:
            raise
        print(f"error: {missing}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tsk_core", description="TSK fuzzy classifiers from the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (check, train, tune, compare, sweep, study, predict, export, lesson, completion):
        command.add_parser(commands)
    bench = commands.add_parser("bench", help="measure a training step on this machine, and its matrix products alone")
    bench.set_defaults(command=_bench)
    bench.add_argument("--json", action="store_true", help="print one line of JSON: microseconds a model-step")
    app = commands.add_parser("serve", help="serve the app to web browsers")
    app.set_defaults(command=serve)
    add_options(app)
    return parser


def _bench(options: argparse.Namespace) -> int:
    """Measure, print."""
    from tsk_core.commands import bench

    times = bench.measure(bench.standard())
    print(json.dumps(times) if options.json else bench.report(times))
    return 0


if __name__ == "__main__":
    sys.exit(main())
