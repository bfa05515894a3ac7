"""The list of hostile files: each a function that makes bytes, and what has to become of them.

A file is made anew each time it is asked for, so that nothing large lies in memory or in the repository.
"""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FILES", "File", "csv_of", "either", "reads", "refused"]

Maker = Callable[[], bytes]


@dataclass(frozen=True)
class File:
    """One hostile file.

    reads: True where it is a table after all, False where it must be refused, None where either will do.
    says: a pattern found in the refusal. columns: names that the table must have. target: chosen by a person; None: guessed.
    slow: takes seconds to make or read.
    """

    make: Maker
    reads: bool | None
    says: str = ""
    columns: tuple[str, ...] = ()
    target: str | None = None
    slow: bool = False


FILES: dict[str, File] = {}


def reads(*columns: str, slow: bool = False) -> Callable[[Maker], Maker]:
    """The file is a table, and these columns are in it under just these names."""
    return _listed(reads=True, columns=columns, slow=slow)


def refused(says: str, *, target: str | None = None, slow: bool = False) -> Callable[[Maker], Maker]:
    """The file, or the target that someone chose in it, is refused in a sentence that matches ``says``, case aside."""
    return _listed(reads=False, says=says, target=target, slow=slow)


def either(*, slow: bool = False) -> Callable[[Maker], Maker]:
    """The file may be read or refused: people would not agree which. It must end well."""
    return _listed(reads=None, slow=slow)


def _listed(**expected) -> Callable[[Maker], Maker]:
    def enter(make: Maker) -> Maker:
        name = make.__name__.replace("_", " ").strip()
        assert name not in FILES
        FILES[name] = File(make, **expected)
        return make

    return enter


def csv_of(cells=("{k}",), header="a,b,class", rows=24) -> bytes:
    """A sound CSV whose first column is hostile: ``cells`` in turn, {k} being the row; then a number, then a class."""
    lines = [f"{cells[k % len(cells)].replace('{k}', str(k))},{k % 7}.5,{'yn'[k % 2]}" for k in range(rows)]
    return "\n".join([header, *lines, ""]).encode("utf-8", "surrogatepass")
