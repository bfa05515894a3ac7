"""What a hostile file is: a function that makes its bytes, and what has to become of them.

A file is made anew each time it is asked for, so that nothing large lies in memory or in the repository.
"""

from collections.abc import Callable
from dataclasses import dataclass

Maker = Callable[[], bytes]


@dataclass(frozen=True)
class File:
    """One hostile file.

    reads: True where it is a table after all, False where it must be refused, None where either will do.
    says: a pattern found in the refusal. columns: names that the table must have. target: chosen by a person; None: guessed.
    slow: takes a quarter of a second or more.
    """

    make: Maker
    reads: bool | None
    says: str = ""
    columns: tuple[str, ...] = ()
    target: str | None = None
    slow: bool = False


def reads(make: Maker, *columns: str, slow: bool = False) -> File:
    """The file is a table, and these columns are in it under just these names."""
    return File(make, reads=True, columns=columns, slow=slow)


def refused(make: Maker, says: str, *, target: str | None = None, slow: bool = False) -> File:
    """The file, or the target that someone chose in it, is refused in a sentence that matches ``says``, case aside."""
    return File(make, reads=False, says=says, target=target, slow=slow)


def either(make: Maker, *, slow: bool = False) -> File:
    """The file may be read or refused: people would not agree which. It must end well."""
    return File(make, reads=None, slow=slow)


def csv_of(cells=("{k}",), header="a,b,class", rows=24) -> bytes:
    """A sound CSV whose first column is hostile: ``cells`` in turn, {k} being the row; then a number, then a class."""
    lines = [f"{cells[k % len(cells)].replace('{k}', str(k))},{k % 7}.5,{'yn'[k % 2]}" for k in range(rows)]
    return "\n".join([header, *lines, ""]).encode("utf-8", "surrogatepass")
