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
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from tsk_core.runtime import replace_file
from ui.platform.bundle import bundle

__all__ = ["CLIENT", "PLOTLY", "STATIC", "client_file", "modules", "named", "provide", "publish"]

CLIENT = Path(__file__).parents[1] / "client"
PLOTLY = {
    "plotly.min.js": Path(find_spec("plotly").origin).parent / "package_data" / "plotly.min.js",
    "plotly-cartesian.min.js": CLIENT.parent / "vendor" / "plotly-cartesian.min.js",
}
STATIC = Path(__file__).parents[2] / "static"
KEPT = 30 * 86_400.0  # seconds after its last start for which a file of another version stays
_PATTERN = "client-*/client.js"  # a folder, in which its modules seem to lie


def modules() -> dict[str, Path]:
    """The files of the JavaScript by their names in ``ui/client``, such as "client.js" and "core/store.js"."""
    return {path.relative_to(CLIENT).as_posix(): path for path in sorted(CLIENT.rglob("*.js"))}


@cache
def client_file() -> str:
    """The JavaScript in ``static``; the name of its folder changes with the code, so no browser uses an old copy."""
    return named(_PATTERN, _client())


@cache
def _client() -> bytes:
    return bundle(modules(), "client.js").encode()


def provide(static: Path = STATIC) -> None:
    """Put the files into ``static``; nothing needs to be written where all files are there."""
    for name, source in PLOTLY.items():
        if not _has(static / name, source.stat().st_size):
            replace_file(static / name, partial(shutil.copyfile, source))
    publish(_PATTERN, _client(), static)


def named(pattern: str, content: bytes) -> str:
    """The name of a file that browsers keep, such as "texts-*.json" with a hash of its content in place of the star."""
    return pattern.replace("*", hashlib.sha256(content).hexdigest()[:12])


def publish(pattern: str, content: bytes, static: Path = STATIC) -> Path:
    """Put a file into ``static`` under the name that ``named`` gives it; nothing needs to be written where it is there.

    The copies of other versions stay for some days, since a server that still runs has told browsers to fetch one.
    """
    file = static / named(pattern, content)
    if not _has(file, len(content)):
        replace_file(file, lambda part: part.write_bytes(content))
    with suppress(OSError):  # an installed app may not write here
        os.utime(file)
    for other in static.glob(pattern):
        with suppress(OSError):  # several processes may start at once
            if other.stat().st_mtime < time.time() - KEPT:
                other.unlink()
                other.parent.rmdir()  # where it had a folder of its own
    return file


def _has(file: Path, size: int) -> bool:
    file.parent.mkdir(parents=True, exist_ok=True)
    return file.exists() and file.stat().st_size == size
