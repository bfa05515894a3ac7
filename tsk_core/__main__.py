"""The command line: ``tsk-explorer train FILE --target COL``, or ``python -m tsk_core train …``. Without a command,
``tsk-explorer`` serves the app. Errors are one sentence and exit status 1.
"""

import argparse
import errno
import io
import json
import os
import sys
from importlib import import_module
from importlib.util import find_spec

from tsk_core import __version__
from tsk_core.commands import check, compare, completion, export, lesson, predict, serve, sweep, train, tune
from tsk_core.errors import TSKError
from tsk_core.runtime.extras import missing_extra

_STUDY = "tsk_study"  # a package of its own, which need not be there, with a command in its module ``command``
_UNWRITABLE = (errno.EPIPE, errno.ENOSPC, errno.EFBIG, errno.EIO)  # of standard output


def tsk_explorer() -> int:
    """The script ``tsk-explorer``: the app without a command, or one command; returns the exit status."""
    arguments = sys.argv[1:]
    of_app = not arguments or (arguments[0].startswith("-") and arguments[0] != "--version")
    return serve.main(arguments) if of_app else main(arguments, "tsk-explorer")


def main(arguments: list[str] | None = None, program: str = "python -m tsk_core") -> int:
    """Run one command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8" and not stream.isatty():
            stream.reconfigure(encoding="utf-8")  # files and pipes have an encoding of Western Europe on Windows
    options = _parser(program).parse_args(arguments)
    try:
        status: int = options.command(options)
        sys.stdout.flush()
        return status
    except TSKError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            raise
        if error.errno != errno.EPIPE:  # else who reads it has enough
            print(f"error: Standard output cannot be written: {str(error.strerror).lower()}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python writes what is left as it ends
        return 1
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error.name)) is None:
            raise
        print(f"error: {missing}", file=sys.stderr)
        return 1


def _parser(program: str = "tsk-explorer") -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="TSK fuzzy classifiers from the command line.")
    parser.add_argument("--version", action="version", version=f"tsk_core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    study = [import_module(f"{_STUDY}.command")] if find_spec(_STUDY) else []
    for command in (check, train, tune, compare, sweep, *study, predict, export, lesson, completion):
        command.add_parser(commands)
    bench = commands.add_parser("bench", help="measure a training step on this machine, and its matrix products alone")
    bench.set_defaults(command=_bench)
    bench.add_argument("--json", action="store_true", help="print one line of JSON: microseconds per model-step")
    bench.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda is a graphics card (default cpu)")
    app = commands.add_parser("serve", help="serve the app to web browsers")
    app.set_defaults(command=serve.serve)
    serve.add_options(app)
    return parser


def _bench(options: argparse.Namespace) -> int:
    """Measure, print."""
    from tsk_core.commands import bench

    times = bench.measure(bench.standard(options.device))
    print(json.dumps(times) if options.json else bench.report(times))
    return 0


if __name__ == "__main__":
    sys.exit(main())
