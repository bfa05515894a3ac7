"""results.csv: one line for each dataset, algorithm and split; what a study found, and what it need not compute again."""

import csv
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from io import StringIO
from pathlib import Path

from filelock import FileLock

from tsk_core.errors import DataError
from tsk_core.runtime import replace_file

FILE = "results.csv"
AUTHORS_FILE = "authors.csv"  # of the same form: the MBGD family as the paper's authors ran it (``protocol.py``)
Key = tuple[str, str, int]  # dataset, algorithm, split


@dataclass(frozen=True)
class Result:
    """One algorithm on one split of one dataset.

    rca, bca: of the test rows. seconds: of training, of a stack its share. ur_weight: the λ that was chosen, None where none
    is. epochs: of the final training, None where there are none. seed: of the split and of the training, equal to the split's
    number. version: of tsk_core. effort: how many things somebody reads who reads the whole model: a condition of a rule, a
    coefficient of a feature, or a shape (a curve or a surface of an additive model) counts as one, and nothing that follows
    THEN; None where the model is not read whole, or was computed before this was recorded.
    """

    dataset: str
    algorithm: str
    split: int
    rca: float
    bca: float
    seconds: float
    ur_weight: float | None
    epochs: int | None
    seed: int
    version: str
    effort: int | None = None

    @property
    def key(self) -> Key:
        """What it is the result of."""
        return self.dataset, self.algorithm, self.split


_COLUMNS = [field.name if field.name != "ur_weight" else "lambda" for field in fields(Result)]
_NEWER = ["effort"]  # columns that older files lack; they are the last ones


def read_results(path: str | Path) -> dict[Key, Result]:
    """The results in a file, by what they are of; a last line that was cut off is left out. {} where there is no file.

    Raises DataError where it is not such a file.
    """
    path = Path(path)
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    reader = csv.DictReader(text[: text.rfind("\n") + 1].splitlines())  # what follows was being written when a study was killed
    missing = set(_COLUMNS) - set(_NEWER) - set(reader.fieldnames or _COLUMNS)
    if missing:
        raise DataError(f"'{path.name}' is not a study's file: it lacks the column {min(missing)!r}.")
    results: dict[Key, Result] = {}
    for number, line in enumerate(reader, 2):
        try:
            result = _result(line)
        except (TypeError, ValueError):
            raise DataError(f"Line {number} of '{path.name}' is not a result of a study; delete the line.") from None
        results[result.key] = result
    return results


def append_results(path: Path, results: Iterable[Result]) -> None:
    """Write results at the end of the file, with the header where it is new; they are on the disk when this returns.

    Several processes may do so at once. A last line that was cut off is removed first, as is the line of a result that was
    computed before; the header of an older file gets the columns that it lacks.
    """
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    results = list(results)
    with FileLock(path.with_name(f".{path.name}.lock")):
        _make_room(path, results)
        with path.open("a+b") as file:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
            if file.seek(0, os.SEEK_END) == 0:
                writer.writerow(_COLUMNS)
            writer.writerows(_cells(result) for result in results)
            file.write(text.getvalue().encode())
            file.flush()
            os.fsync(file.fileno())


def _make_room(path: Path, results: list[Result]) -> None:
    """Give an older file today's header, and take out the lines of what comes again; the lines of an older file stay shorter."""
    if not path.exists():
        return
    header, _, below = path.read_bytes().partition(b"\n")
    lines = below.splitlines(keepends=True)
    again = tuple(f"{','.join(map(str, result.key))},".encode() for result in results)
    kept = [line for line in lines if not line.startswith(again)]
    older = header == ",".join(_COLUMNS[: -len(_NEWER)]).encode()
    if older or len(kept) < len(lines):
        content = b"".join([",".join(_COLUMNS).encode() if older else header, b"\n", *kept])
        replace_file(path, lambda aside: aside.write_bytes(content))


def _cells(result: Result) -> list[object]:
    values = asdict(result)
    values |= {name: round(values[name], 6) for name in ("rca", "bca")} | {"seconds": round(result.seconds, 3)}
    return ["" if value is None else f"{value:g}" if name == "ur_weight" else value for name, value in values.items()]


def _result(line: dict[str, str]) -> Result:
    return Result(
        line["dataset"], line["algorithm"], int(line["split"]), float(line["rca"]), float(line["bca"]), float(line["seconds"]),
        float(line["lambda"]) if line["lambda"] else None, int(line["epochs"]) if line["epochs"] else None,
        int(line["seed"]), line["version"], int(line["effort"]) if line.get("effort") else None,
    )  # fmt: skip
