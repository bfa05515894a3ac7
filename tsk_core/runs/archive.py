"""Archive: a run, or its model alone, as one zip. Everything in it can be read without this program."""

import contextlib
import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.runs.files import read_bytes, reading
from tsk_core.runs.methods import methods_text
from tsk_core.runs.run_files import predictions_table, read_positions, read_predictions

if TYPE_CHECKING:
    from tsk_core.runs.result import Result

_Content = bytes | Iterator[bytes] | Callable[[], Iterator[bytes]]
_TEXTS = 10_000  # of JSON in a part, such as a number or a comma
_LISTS = ("firing", "initial_firing", "entropy")


def archive(result: "Result", about: dict[str, Any], script: str, max_antecedents: int = 5) -> bytes:
    """The zip: config.json, metrics.json, epochs.csv, predictions.csv, methods.txt, model/, rules.txt, rules.json, card.py.

    about: the run's config.json. script: its reproduction recipe's Python. max_antecedents: of the rules in rules.txt. A run that
    kept no rules as text has no rules.txt, one that kept no predictions no predictions.csv.
    """
    files: dict[str, _Content] = {
        "config.json": _json(about),
        "metrics.json": _json(result.metrics),
        "epochs.csv": epochs_csv(result.history).encode(),
        "rules.json": lambda: _json(result.classifier.to_dict()),
        "methods.txt": methods_text(result).encode("utf-8", "replace"),
        "card.py": script.encode("utf-8", "replace"),
    }
    with contextlib.suppress(RunError):
        files["predictions.csv"] = predictions_csv(result)
    with contextlib.suppress(RunError):
        files["rules.txt"] = str(result.rules(max_antecedents)).encode("utf-8", "replace")
    return _zipped(files | _model(result))


def model_archive(result: "Result") -> bytes:
    """The folder ``model/`` alone, for ``TSKClassifier.load``, as a zip."""
    return _zipped(_model(result))


def predictions_csv(result: "Result") -> bytes:
    """``predictions_table`` as CSV, its text as ``data.export`` writes it. RunError where the run kept no predictions."""
    from tsk_core.data import to_csv

    folder = Path(result.folder)
    classes = result.metrics["classes"]
    return to_csv(predictions_table(result.split, read_predictions(folder), classes, read_positions(folder)))


def epochs_csv(history: list[Epoch]) -> str:
    """One row per epoch; the values of each rule and each bin are in columns firing_1, …, entropy_1, …."""
    rows = [_row(epoch) for epoch in history]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["epoch"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _model(result: "Result") -> dict[str, _Content]:
    return {f"model/{name}": read_bytes(Path(result.folder) / "model" / name) for name in ("model.safetensors", "model.json")}


def _zipped(files: dict[str, _Content]) -> bytes:
    """The zip of these files, of which the rules of a large model are written in parts."""
    packed = io.BytesIO()
    with reading("model"), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # without a time: the same run, the same zip
            entry.compress_type = zipfile.ZIP_DEFLATED
            with target.open(entry, "w") as file:
                for part in _parts(content):
                    file.write(part)
    return packed.getvalue()


def _parts(content: _Content) -> Iterable[bytes]:
    made = content() if callable(content) else content
    return [made] if isinstance(made, bytes) else made


def _row(epoch: Epoch) -> dict[str, object]:
    values = epoch.to_dict()
    lists = {f"{name}_{at}": value for name in _LISTS for at, value in enumerate(values.pop(name) or (), start=1)}
    return values | lists


def _json(values: object) -> Iterator[bytes]:
    """In parts: the numbers of a large model take 24 bytes each as an object, and twice as much again as one text."""
    texts = json.JSONEncoder(indent=1, ensure_ascii=True).iterencode(values)
    while part := "".join(islice(texts, _TEXTS)):
        yield part.encode()
