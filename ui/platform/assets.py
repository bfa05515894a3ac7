"""The files that browsers fetch: the JavaScript of ``ui/client`` as one file, and Plotly twice: plotly.min.js from its
installed wheel, and its build for charts with two axes from ``ui/vendor``.

Streamlit serves them from the folder ``static`` beside app.py and follows no links out of it, so they are copied there: by the
app when it starts in a checkout, and by setup.py into the wheel, so that an installed app need not write into its folder.
"""

import hashlib
import os
import shutil
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ui.platform.bundle import bundle

__all__ = ["CLIENT", "STATIC", "PLOTLY", "client_file", "modules", "provide"]

CLIENT = Path(__file__).parents[1] / "client"
PLOTLY = {
    "plotly.min.js": Path(find_spec("plotly").origin).parent / "package_data" / "plotly.min.js",
    "plotly-cartesian.min.js": CLIENT.parent / "vendor" / "plotly-cartesian.min.js",
}
STATIC = Path(__file__).parents[2] / "static"
KEPT = 30 * 86_400.0  # seconds after its last start for which the JavaScript of another version stays


def modules() -> dict[str, Path]:
    """The files of the JavaScript by their names in ``ui/client``, such as "client.js" and "core/store.js"."""
    return {path.relative_to(CLIENT).as_posix(): path for path in sorted(CLIENT.rglob("*.js"))}


@cache
def client_file() -> str:
    """The JavaScript in ``static``; the name of its folder changes with the code, so no browser uses an old copy."""
    return f"client-{hashlib.sha256(_client()).hexdigest()[:12]}/client.js"


@cache
def _client() -> bytes:
    return bundle(modules(), "client.js").encode()


def provide(static: Path = STATIC) -> None:
    """Put the files into ``static``; nothing needs to be written where all files are there.

    The copies of other versions stay for some days, since a server that still runs has told browsers to fetch one.
    """
    client = static / client_file()
    client.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):  # an installed app may not write here
        os.utime(client.parent)
    for name, source in PLOTLY.items():
        _put(source, static / name)
    _put(_client(), client)
    for other in static.glob("client-*"):
        with suppress(FileNotFoundError):  # several processes may start at once
            if other.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(other, ignore_errors=True)


def _put(source: Path | bytes, target: Path) -> None:
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    if target.exists() and target.stat().st_size == size:
        return
    part = target.with_name(f"{target.name}.{os.getpid()}.part")  # several processes may start at once
    if isinstance(source, bytes):
        part.write_bytes(source)
    else:
        shutil.copyfile(source, part)
    part.replace(target)
