"""The files that browsers fetch: the JavaScript of ``ui/client``, and Plotly twice: plotly.min.js from its installed wheel, and
its build for charts with two axes from ``ui/vendor``.

An entry of ``ui/client`` and all that it imports are packed into one module (``script``): "client.js" for pages, "watch.js" for
watchers, "report.js" for exported reports, "notebook.js" for the widget. So a browser asks once and not for each module, and a
file from a disk or a notebook has them all. Every module becomes a function that is called once, after those that it imports,
and returns what it exports. So a module keeps its own names; what is exported must not be assigned again, and imports form no
circle (ESLint and a test see to both). The modules of a worker stand in it as a text, which the browser starts. A library that
does the same (esbuild, Rollup) would need node where the app is installed.

Streamlit serves the files of pages from the folder ``static`` beside app.py and follows no links out of it, so they are
copied there: by the app when it starts in a checkout, and by setup.py into the wheel, so that an installed app need not write
into its folder.
"""

import hashlib
import json
import os
import posixpath
import re
import shutil
import time
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from tsk_core.runtime import replace_file

__all__ = [
    "CLIENT", "DEMONSTRATION", "PLOTLY", "STATIC",
    "bundle", "client_file", "demonstration_file", "modules", "named", "provide", "publish", "script", "styles", "styles_file",
]  # fmt: skip

CLIENT = Path(__file__).parents[1] / "client"
_plotly = find_spec("plotly")
assert _plotly is not None and _plotly.origin is not None
PLOTLY = {
    "plotly.min.js": Path(_plotly.origin).parent / "package_data" / "plotly.min.js",
    "plotly-cartesian.min.js": CLIENT.parent / "vendor" / "plotly-cartesian.min.js",
}
DEMONSTRATION = CLIENT / "stage" / "demonstration.json"  # a recorded training, see ui/page/demonstration.py
STATIC = Path(__file__).parents[2] / "static"
KEPT = 30 * 86_400.0  # seconds after its last start for which a file of another version stays
_PAGE, _STYLES = CLIENT.parent / "page.css", "styles-*.css"
_DEMONSTRATION = "demonstration-*.json"
_ENTRIES = ("client.js", "watch.js")  # each in a folder of its own, in which its modules seem to lie

_FROM = re.compile(r'^(import|export) \{([^}]*)\} from "(\.[^"]+)";', re.MULTILINE)
_LIST = re.compile(r"^export \{([^}]*)\};", re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:async function|function|class|const) (?:(\w+)|\{([^}]*)\}|\[([^\]]*)\]))", re.MULTILINE)
_BY_NAME = re.compile(r"\bimport\(`\./\$\{([^}]+)\}`\)")
_WORKER = re.compile(r'new Worker\(new URL\("(\.[^"]+)", import\.meta\.url\)')
_LEFT = re.compile(r"^(?:import|export)\b|[^.]\bimport\(", re.MULTILINE)


def modules() -> dict[str, Path]:
    """The files of the JavaScript by their names in ``ui/client``, such as "client.js" and "core/store.js"."""
    return {path.relative_to(CLIENT).as_posix(): path for path in sorted(CLIENT.rglob("*.js"))}


@cache
def script(entry: str) -> str:
    """The JavaScript of an entry of ``ui/client``, with all that it imports, as one module."""
    return bundle(modules(), entry)


def bundle(files: dict[str, Path], entry: str) -> str:
    """One module that exports what ``entry`` does. files: modules by their names, such as "core/store.js"; ValueError for one
    that is written in a way that is not understood here.

    A module imported by a name that is known later, as in import(`./${name}`) in the topmost folder, has to be one that another
    imports too.
    """
    texts: dict[str, str] = {}
    exports: dict[str, list[str]] = {}

    def add(name: str) -> None:
        if name not in texts:
            text = files[name].read_text("utf-8")
            for _, _, path in _FROM.findall(text):
                add(_resolved(path, name))
            text = _WORKER.sub(lambda found: f"new Worker({_address(bundle(files, _resolved(found[1], name)))}", text)
            texts[name], exports[name] = _as_function(text, name)

    add(entry)
    own = texts.pop(entry)  # the last one, which may already import by name while it is run
    by_name = ", ".join(f'"{name}": {_variable(name)}' for name in texts)
    exported = f"export const {{ {', '.join(exports[entry])} }} = {_variable(entry)};\n"
    return "\n".join([*texts.values(), f"const $modules = {{ {by_name} }};", own, exported])


def _as_function(text: str, name: str) -> tuple[str, list[str]]:
    """A module as a call of a function; and the names of what it exports."""
    exported: dict[str, str] = {}

    def from_other(found: re.Match[str]) -> str:
        kind, names, path = found.groups()
        other = _variable(_resolved(path, name))
        if kind == "import":
            return f"const {{ {', '.join(f'{given}: {own}' for given, own in _pairs(names))} }} = {other};"
        exported.update((own, f"{other}.{given}") for given, own in _pairs(names))
        return ""

    def from_here(found: re.Match[str]) -> str:
        exported.update((own, given) for given, own in _pairs(found[1]))
        return ""

    def declared(found: re.Match[str]) -> str:
        exported.update((own, own) for _, own in _pairs(next(filter(None, found.groups()))))
        return ""

    text = _DECLARED.sub(declared, _LIST.sub(from_here, _FROM.sub(from_other, text)))
    text = _BY_NAME.sub(r"Promise.resolve($modules[\1])", text)
    text = text.replace("import.meta.url", f'new URL("{name}", import.meta.url).href')  # where it would lie by itself
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    if left := _LEFT.search(code):
        raise ValueError(f"ui/client/{name} cannot be bundled: {code[left.start() :].strip().splitlines()[0]}")
    returned = ", ".join(f"{own}: {given}" for own, given in exported.items())
    return f"const {_variable(name)} = (() => {{\n{text}\nreturn {{ {returned} }};\n}})();", list(exported)


def _address(script: str) -> str:
    """An expression for the address of a module whose text is this."""
    return f'URL.createObjectURL(new Blob([{json.dumps(script, ensure_ascii=False)}], {{ type: "text/javascript" }}))'


def _pairs(names: str) -> list[tuple[str, str]]:
    """What stands in a list of imports or exports: each name as given, and as it is called here."""
    pairs = [name.split(" as ") for name in (part.strip() for part in names.split(",")) if name]
    return [(pair[0], pair[-1]) for pair in pairs]


def _resolved(path: str, importing: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importing), path))


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


@cache
def client_file(entry: str = "client.js") -> str:
    """The JavaScript of pages in ``static``; the name of its folder changes with the code, so no browser uses an old copy."""
    return named(_pattern(entry), script(entry).encode())


@cache
def demonstration_file() -> str:
    """The recorded training in ``static``."""
    return named(_DEMONSTRATION, DEMONSTRATION.read_bytes())


def _pattern(entry: str) -> str:
    return f"{entry.removesuffix('.js')}-*/{entry}"


def styles(own: Path) -> str:
    """The styles of the client's views, then those of a page of its own."""
    return "".join(path.read_text("utf-8") for path in (CLIENT / "client.css", CLIENT / "stage.css", own))


@cache
def styles_file() -> str:
    """The style of pages in ``static``: in messages of Streamlit it would go to browsers again with each element of ours."""
    return named(_STYLES, styles(_PAGE).encode())


def provide(static: Path = STATIC) -> None:
    """Put the files into ``static``; nothing needs to be written where all files are there."""
    publish(_STYLES, styles(_PAGE).encode(), static)
    for name, source in PLOTLY.items():
        if not _has(static / name, source.stat().st_size):
            replace_file(static / name, partial(shutil.copyfile, source))
    for entry in _ENTRIES:
        publish(_pattern(entry), script(entry).encode(), static)
    publish(_DEMONSTRATION, DEMONSTRATION.read_bytes(), static)


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
