"""The identity of a run's dataset: enough to find it again and to check that it is the same; the table itself on request.

"gallery" names it where ``load_dataset`` knows it; else it was a file, known by the SHA-256 of its table.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.errors import DataError, RunError
from tsk_core.runs.files import VERSION, check_version, reading, replace_file

if TYPE_CHECKING:
    from tsk_core.data import Choices, Dataset, ReadOptions
    from tsk_core.runs.ledger import Record
    from tsk_core.runs.result import Result

TABLE = "data.parquet"
MOST_NOTES, LONGEST_NOTE = 50, 400
UNNAMED = "uploaded table"


def identity(dataset: "Dataset", read_options: "ReadOptions | None" = None, file_sha256: str = "") -> dict[str, Any]:
    """A dataset in JSON-ready words. read_options: chosen for its file. file_sha256: of the bytes of that file.

    rows, columns: counts. classes: in the order of ``Dataset.classes``, which need not be the model's. roles: column -> role, the
    target included.
    choices: the decisions of a person. notes: what was read, repaired and left out, as sentences.
    file: rows and columns of the table before cleaning, and why columns of it are neither features nor the target.
    """
    choices = replace(dataset.choices, target=dataset.target)
    return {
        "name": dataset.name, "sha256": dataset.sha256, "split_sha256": dataset.split_sha256, "target": dataset.target,
        "rows": len(dataset.frame), "columns": dataset.frame.shape[1], "classes": list(dataset.classes),
        "roles": _roles(dataset), "file": _file(dataset),
        "choices": choices.to_dict(),
        "gallery": _name_in_gallery(dataset), "reading": {} if read_options is None else _known(asdict(read_options)),
        "source": dataset.source, "licence": dataset.licence,
        "notes": [note[:LONGEST_NOTE] for note in dataset.notes[:MOST_NOTES]],
        **({"file_sha256": file_sha256} if file_sha256 else {}),
    }  # fmt: skip


def without_name(known: Mapping[str, Any]) -> dict[str, Any]:
    """An identity for those who have no more than the link of a run: an uploaded table has no name of its own there.

    The name is mostly that of a file, which may say whose rows these are. Tables with a source have a name that is public.
    """
    return {**known} if known.get("gallery") or known.get("source") else {**known, "name": UNNAMED}


def same_table(one: "Dataset | Record | Mapping[str, Any]", *others: "Dataset | Record | Mapping[str, Any]") -> bool:
    """Whether datasets, or identities or records that tell of them, have one table and one target: scores may be compared."""
    return all(_table(one) == _table(other) for other in others)


def same_dataset(dataset: "Dataset | Mapping[str, Any]", other: Mapping[str, Any]) -> bool:
    """Whether a dataset, or its identity, is that of another identity: the table, the target and the roles of columns, and
    what decides the split. A model of the one can be used on the other, and seeds choose the same rows.
    """
    roles = dataset["roles"] if isinstance(dataset, Mapping) else _roles(dataset)
    return same_table(dataset, other) and roles == other["roles"] and _same_split(_split(dataset), other)


def _split(dataset: "Dataset | Mapping[str, Any]") -> Mapping[str, Any]:
    if isinstance(dataset, Mapping):
        return dataset
    return {"split_sha256": dataset.split_sha256, "choices": {"repeated": dataset.choices.repeated}}


def _same_split(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two identities of one table are split alike by one seed and share: by the same values of a column, or at random,
    with equal rows on one side or not. Runs of versions before 0.1.0 do not tell the values.
    """
    hashes = {each["split_sha256"] for each in (one, other) if "split_sha256" in each}
    together = {each.get("choices", {}).get("repeated") == "together" for each in (one, other)}
    return len(hashes) < 2 and len(together) == 1


def has_dataset(result: "Result") -> bool:
    """Whether ``RunStore.dataset`` will probably find the run's table: one look, without reading it."""
    from tsk_core.data import dataset_names

    return (Path(result.folder) / TABLE).exists() or result.dataset["gallery"] in dataset_names()


def choices_of(identity: Mapping[str, Any]) -> "Choices":
    """The decisions kept with a run; RunError if they are damaged."""
    from tsk_core.data import Choices

    with reading("config.json"):
        values = identity["choices"]
        try:
            return Choices.from_dict(values)
        except DataError as error:
            raise ValueError(str(error)) from None


def from_gallery(identity: Mapping[str, Any]) -> "Dataset | None":
    """The dataset by its name in the gallery; None if it has none, or if the table has changed."""
    from tsk_core.data import dataset_names, load_dataset

    name = identity["gallery"]
    if name not in dataset_names():
        return None
    dataset, choices = load_dataset(name), choices_of(identity)
    if choices != dataset.choices:
        dataset = dataset.with_choices(choices)
    return dataset if same_table(dataset, identity) and _same_split(_split(dataset), identity) else None


def keep_table(path: Path, dataset: "Dataset") -> None:
    """Keep the table as it was before cleaning; if that is unknown, as it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for frame in (*([dataset.raw[0]] if dataset.raw else []), dataset.frame):
        try:
            table = pa.Table.from_pandas(frame, preserve_index=False)
        except (pa.ArrowException, ValueError, TypeError):  # columns that mix kinds; cleaned ones do not
            continue
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), b"tsk_version": str(VERSION).encode()})
        replace_file(path, partial(pq.write_table, table, compression="zstd"))
        return
    raise RunError("This table cannot be kept on the server, because its columns mix kinds of values; train without keeping it.")


def kept_dataset(path: Path, identity: Mapping[str, Any]) -> "Dataset":
    """The dataset of a table kept by ``keep_table``; RunError if it is damaged or not the table of the run."""
    import pyarrow.parquet as pq

    from tsk_core.data import make_dataset

    choices = choices_of(identity)
    with reading(path.name):
        table = pq.read_table(path)
        check_version(int(table.schema.metadata[b"tsk_version"]), path)
        dataset = make_dataset(table.to_pandas(), name=str(identity["name"]), choices=choices)
        if dataset.sha256 != identity["sha256"]:
            raise ValueError("not the same table")
        return dataset


def _table(one: "Dataset | Record | Mapping[str, Any]") -> tuple[str, str]:
    return (one["sha256"], one["target"]) if isinstance(one, Mapping) else (one.sha256, one.target)


def _name_in_gallery(dataset: "Dataset") -> str | None:
    if not dataset.source:  # a file; it may be called like a dataset of the gallery
        return None
    from tsk_core.data import dataset_names

    return dataset.name if dataset.name in dataset_names() else None


def _roles(dataset: "Dataset") -> dict[str, str]:
    if dataset.columns:
        return {report.name: report.role for report in dataset.columns}
    numbers = set(dataset.frame.select_dtypes("number").columns)
    roles = {str(name): "number" if name in numbers else "category" for name in dataset.frame.columns}
    return roles | {dataset.target: "target"}


def _file(dataset: "Dataset") -> dict[str, Any]:
    raw = dataset.frame if dataset.raw is None else dataset.raw[0]
    left_out = {report.name: report.reason for report in dataset.columns if report.role == "ignored"}
    return {"rows": len(raw), "columns": raw.shape[1], "left_out": left_out}


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
