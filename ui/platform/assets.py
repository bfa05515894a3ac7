"""The files that browsers fetch: the JavaScript of ``ui/client``, and plotly.min.js from its installed wheel.

Streamlit serves them from the folder ``static`` beside app.py and follows no links out of it, so they are copied there: by the
app when it starts in a checkout, and by setup.py into the wheel, so that an installed app need not write into its folder.
"""

import hashlib
import os
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["CLIENT", "STATIC", "client_folder", "modules", "provide"]

CLIENT = Path(__file__).parents[1] / "client"
STATIC = Path(__file__).parents[2] / "static"


def modules() -> dict[str, Path]:
    """The files of the JavaScript by their names in ``ui/client``, such as "client.js" and "core/store.js"."""
    return {path.relative_to(CLIENT).as_posix(): path for path in sorted(CLIENT.rglob("*.js"))}


@cache
def client_folder() -> str:
    """The folder of the JavaScript in ``static``; its name changes with the code, so no browser uses an old copy."""
    content = b"".join(name.encode() + path.read_bytes() for name, path in modules().items())
    return f"client-{hashlib.sha256(content).hexdigest()[:12]}"


def provide(static: Path = STATIC) -> None:
    """Copy the files into ``static`` and delete the copies of other versions; writes nothing if all files are there."""
    folder = static / client_folder()
    folder.mkdir(parents=True, exist_ok=True)
    _copy(Path(find_spec("plotly").origin).parent / "package_data" / "plotly.min.js", static / "plotly.min.js")
    for name, source in modules().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        _copy(source, folder / name)
    for old in static.glob("client-*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        part = target.with_name(f"{target.name}.{os.getpid()}.part")  # several processes may start at once
        shutil.copyfile(source, part)
        part.replace(target)
