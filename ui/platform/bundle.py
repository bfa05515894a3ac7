"""The modules of ``ui/client`` as one file, so that a browser asks once and not for each of them.

Every module becomes a function that is called once, after those that it imports, and returns what it exports. So a module keeps
its own names; what is exported must not be assigned again, and imports form no circle (ESLint and a test see to both). A library
that does the same (esbuild, Rollup) would need node where the app is installed.
"""

import posixpath
import re
from pathlib import Path

__all__ = ["bundle"]

_FROM = re.compile(r'^(import|export) \{([^}]*)\} from "(\.[^"]+)";', re.MULTILINE)
_LIST = re.compile(r"^export \{([^}]*)\};", re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:async function|function|class|const) (?:(\w+)|\{([^}]*)\}|\[([^\]]*)\]))", re.MULTILINE)
_BY_NAME = re.compile(r"\bimport\(`\./\$\{([^}]+)\}`\)")
_LEFT = re.compile(r"^(?:import|export)\b|[^.]\bimport\(", re.MULTILINE)


def bundle(modules: dict[str, Path], entry: str) -> str:
    """One module that exports what ``entry`` does. modules: files by their names, such as "core/store.js"; ValueError for one
    that is written in a way that is not understood here.

    A module imported by a name that is known later, as in import(`./${name}`) in the topmost folder, has to be one that another
    imports too.
    """
    texts: dict[str, str] = {}
    exports: dict[str, list[str]] = {}

    def add(name: str) -> None:
        if name not in texts:
            text = modules[name].read_text("utf-8")
            for _, _, path in _FROM.findall(text):
                add(_resolved(path, name))
            texts[name], exports[name] = _as_function(text, name)

    add(entry)
    named = ", ".join(f'"{name}": {_variable(name)}' for name in texts)
    parts = [*texts.values(), f"const $modules = {{ {named} }};"]
    parts.append(f"export const {{ {', '.join(exports[entry])} }} = {_variable(entry)};\n")
    return "\n".join(parts)


def _as_function(text: str, name: str) -> tuple[str, list[str]]:
    """A module as a call of a function; and the names of what it exports."""
    exported: dict[str, str] = {}

    def from_other(found: re.Match) -> str:
        kind, names, path = found.groups()
        other = _variable(_resolved(path, name))
        if kind == "import":
            return f"const {{ {', '.join(f'{given}: {own}' for given, own in _pairs(names))} }} = {other};"
        exported.update((own, f"{other}.{given}") for given, own in _pairs(names))
        return ""

    def from_here(found: re.Match) -> str:
        exported.update((own, given) for given, own in _pairs(found[1]))
        return ""

    def declared(found: re.Match) -> str:
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


def _pairs(names: str) -> list[tuple[str, str]]:
    """What stands in a list of imports or exports: each name as given, and as it is called here."""
    pairs = [name.split(" as ") for name in (part.strip() for part in names.split(",")) if name]
    return [(pair[0], pair[-1]) for pair in pairs]


def _resolved(path: str, importing: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importing), path))


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
