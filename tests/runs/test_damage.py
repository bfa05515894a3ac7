"""Damaged and hostile files in a run's folder: one sentence, never a traceback, and other runs go on as before."""

import gzip
import io
import json
import shutil
import zipfile
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import make_table
from tests.training import finished_run
from tsk_core.config import TrainConfig
from tsk_core.errors import DiskFullError, RunError, TSKError
from tsk_core.runs import RunStore
from tsk_core.runs.files import MOST_BYTES, full_disk, replace_file

FILES = (
    "config.json", "recipe.json", "epochs.jsonl", "snapshots.jsonl", "mistakes.jsonl", "split.npz", "metrics.json",
    "book.json.gz", "predictions.npz", "data.parquet", "model/model.json", "model/model.safetensors",
)  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A finished run with its table kept, and the files it has."""
    config = TrainConfig(n_rules=2, max_epochs=2, random_state=0)
    store, run = finished_run(tmp_path_factory.mktemp("runs"), make_table(rows=60), config, keep_data=True)
    return store, run, {name: (store.folder / run / name).read_bytes() for name in FILES if (store.folder / run / name).exists()}


@pytest.fixture
def damaged(trained):
    """Write one file of the run anew; whole again afterwards."""
    store, run, files = trained

    def damage(name, content):
        (store.folder / run / name).write_bytes(content)
        return store, run

    yield damage
    for name, content in files.items():
        (store.folder / run / name).write_bytes(content)


FOLDER = {  # what is read of a run's folder by itself
    "config": lambda folder: folder.config(),
    "about": lambda folder: folder.about(),
    "metrics": lambda folder: folder.metrics(),
    **{name: lambda folder, name=name: folder.records(name) for name in ("epochs", "snapshots", "evaluations")},
    "lines": lambda folder: folder.lines("epochs"),
    "head": lambda folder: folder.head("snapshots"),
}


def read(store, name, run):
    """Ask the folder of a run, or the store."""
    return FOLDER[name](store.open(run)) if name in FOLDER else getattr(store, name)(run)


def look_everywhere(store, run):
    """All that can be read of a run; what is damaged must say so in one sentence of ours."""
    for ask in (
        *(partial(read, store, name) for name in FOLDER), store.choices, store.dataset, store.reproduction, store.archive,
        lambda run: [store.result(run).rules(most) for most in (1, 12)],
    ):  # fmt: skip
        try:
            ask(run)
        except TSKError as error:
            assert str(error).endswith(".") and "\n" not in str(error) and len(str(error)) < 300


@pytest.mark.parametrize("name", [name for name in FILES if name != "recipe.json"])
@pytest.mark.parametrize("kind", ["empty", "half", "noise", "null", "list", "deep", "wrong"])
def test_any_damage_to_any_file_is_one_sentence(damaged, trained, name, kind):
    content = trained[2][name]
    look_everywhere(*damaged(name, {
        "empty": b"", "half": content[: len(content) // 2], "noise": np.random.default_rng(0).bytes(500), "null": b"null",
        "list": b"[1, 2]\n[3]\n", "deep": b"[" * 100_000 + b"\n",
        "wrong": b'{"version": 1, "config": 3, "dataset": [], "rules": 1}\n{}\n',
    }[kind]))  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("config.json", "about"), ("config.json", "config"), ("config.json", "dataset"), ("config.json", "reproduction"),
        ("epochs.jsonl", "epochs"), ("epochs.jsonl", "lines"), ("snapshots.jsonl", "snapshots"),
        ("metrics.json", "metrics"), ("split.npz", "result"),
        ("model/model.json", "result"), ("model/model.safetensors", "result"), ("data.parquet", "dataset"),
    ],
)  # fmt: skip
def test_half_a_file_is_refused_and_named(damaged, trained, name, ask):
    content = trained[2][name]
    store, run = damaged(name, content[: content.rindex(b"\n", 0, -1) // 2 + 1] + b"\n" if name.endswith("l") else content[:40])
    with pytest.raises(TSKError) as said:
        read(store, ask, run)
    assert name.rpartition("/")[2].partition(".")[0] in str(said.value)


def test_a_run_without_its_share_of_test_rows_and_a_file_larger_than_any_are_refused(damaged, trained):
    without = {name: value for name, value in json.loads(trained[2]["config.json"]).items() if name != "test_size"}
    store, run = damaged("config.json", json.dumps(without).encode())
    with pytest.raises(RunError, match=r"config\.json"):
        store.open(run).about()
    store, run = damaged("metrics.json", b"{}")
    with (store.folder / run / "metrics.json").open("r+b") as file:
        file.truncate(MOST_BYTES + 1)  # takes no room on the disk
    with pytest.raises(RunError, match=r"metrics\.json"):
        store.open(run).metrics()


@given(
    st.sampled_from(["config.json", "metrics.json", "epochs.jsonl", "snapshots.jsonl", "split.npz"]),
    st.integers(0, 10**6),
    st.binary(min_size=1, max_size=8),
)
def test_bytes_overwritten_anywhere_are_one_sentence_or_read(trained, name, at, noise):
    store, run, files = trained
    content = bytearray(files[name])
    at %= len(content)
    content[at : at + len(noise)] = noise
    try:
        (store.folder / run / name).write_bytes(bytes(content))
        look_everywhere(store, run)
    finally:
        (store.folder / run / name).write_bytes(files[name])


@pytest.mark.parametrize("name", ["config.json", "metrics.json", "epochs.jsonl", "snapshots.jsonl"])
@pytest.mark.parametrize(("version", "said"), [(99, "newer version"), ("2", "does not say its version"), (None, "does not say")])
def test_every_file_says_its_version_and_a_newer_one_is_refused(damaged, trained, name, version, said):
    first, _, rest = trained[2][name].partition(b"\n") if name.endswith("l") else (trained[2][name], b"", b"")
    content = json.dumps(json.loads(first) | {"version": version}).encode() + b"\n" + rest
    store, run = damaged(name, content)
    with pytest.raises(RunError, match=said):
        read(store, "about" if name == "config.json" else name.partition(".")[0], run)


def split_file(version, train):
    packed = io.BytesIO()
    np.savez(packed, version=version, train=train, test=np.arange(3), notes=np.array([], dtype=str))
    return packed.getvalue()


def newer_book(content):
    return gzip.compress(json.dumps(json.loads(gzip.decompress(content)) | {"version": 99}).encode())


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("book.json.gz", newer_book, "newer version"),
        ("book.json.gz", lambda content: gzip.compress(b" " * 200_000_000), r"book\.json\.gz"),  # it would fill the memory
        ("split.npz", lambda content: split_file(99, np.arange(3)), "newer version"),
        ("split.npz", lambda content: split_file(2, np.array([print], dtype=object)), r"split\.npz"),  # it would run code
    ],
)
def test_a_book_or_a_split_that_is_newer_or_hostile_is_refused(damaged, trained, name, make, said):
    store, run = damaged(name, make(trained[2][name]))
    with pytest.raises(RunError, match=said):
        store.result(run).rules(3)


def test_the_model_of_another_table_is_refused_or_read_but_never_breaks(damaged, trained, tmp_path):
    config = TrainConfig(n_rules=5, max_epochs=1, random_state=0)
    other, run = finished_run(tmp_path, make_table(columns=6, classes=2), config)
    for name in ("model/model.json", "model/model.safetensors"):
        damaged(name, (other.folder / run / name).read_bytes())
    store, mine = trained[:2]
    look_everywhere(store, mine)


def test_a_table_that_was_replaced_is_refused(damaged, trained, tmp_path):
    other = RunStore(tmp_path)
    run = other.create(TrainConfig(), make_table(seed=1), keep_data=True)
    store, mine = damaged("data.parquet", (other.folder / run / "data.parquet").read_bytes())
    with pytest.raises(RunError, match="data.parquet"):
        store.dataset(mine)


def test_text_of_a_damaged_file_does_not_become_code_of_the_script(damaged, trained):
    about = json.loads(trained[2]["config.json"])
    about["versions"]["torch"] = "2\nimport os; os.abort()"
    about["dataset"] |= {"sha256": "a\rimport os", "target": "kind'); import os  #", "gallery": "iris') or evil("}
    store, run = damaged("config.json", json.dumps(about).encode())
    python = store.reproduction(run).python
    assert compile(python, "script", "exec")
    assert [line for line in python.splitlines() if line.startswith(("import", "from"))] == [
        "from sklearn.metrics import accuracy_score, balanced_accuracy_score",
        "from tsk_core import TSKClassifier, load_dataset",
    ]


def test_a_missing_folder_is_one_sentence(trained, tmp_path):
    store = RunStore(tmp_path)
    run = store.create(TrainConfig(), make_table())
    store.housekeeping.end(run, "stopped")
    shutil.rmtree(store.folder / run)
    look_everywhere(store, run)
    with pytest.raises(RunError, match="damaged or missing"):
        store.open(run).config()


def test_a_failed_write_leaves_the_old_file_and_nothing_aside(tmp_path):
    path = tmp_path / "metrics.json"
    path.write_text("old")

    def half(aside):
        aside.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(DiskFullError, match="The disk of this server is full"):
        replace_file(path, half)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_two_writers_of_one_file_each_leave_it_whole(tmp_path):
    path = tmp_path / "metrics.json"

    def slow(aside):
        with aside.open("w") as file:
            file.write("sl")
            replace_file(path, lambda other: other.write_text("quick"))
            assert path.read_text() == "quick"
            file.write("ow")

    replace_file(path, slow)
    assert path.read_text() == "slow" and list(tmp_path.iterdir()) == [path]


def test_a_run_that_cannot_be_written_leaves_no_folder(tmp_path, monkeypatch):
    def full(*_, **__):
        raise full_disk()

    store = RunStore(tmp_path)
    monkeypatch.setattr(store.ledger, "add", full)
    with pytest.raises(DiskFullError):
        store.create(TrainConfig(), make_table())
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


@pytest.mark.parametrize(("number", "kind"), [(28, DiskFullError), (122, DiskFullError), (27, DiskFullError), (13, RunError)])
def test_whatever_the_system_says_becomes_a_sentence(tmp_path, number, kind):
    def fail(_):
        raise OSError(number, "As the system says it")

    with pytest.raises(RunError) as said:
        replace_file(tmp_path / "file", fail)
    assert type(said.value) is kind


def test_the_archive_is_a_zip_of_plain_files(trained):
    store, run, files = trained
    with zipfile.ZipFile(io.BytesIO(store.archive(run))) as packed:
        assert packed.testzip() is None
        content = {name: packed.read(name) for name in packed.namelist()}
    assert set(content) == {
        "config.json", "metrics.json", "epochs.csv", "rules.json", "rules.txt", "card.py", "predictions.csv", "methods.txt",
        "model/model.json", "model/model.safetensors",
    }  # fmt: skip
    assert content["model/model.safetensors"] == files["model/model.safetensors"]
    lines = content["epochs.csv"].decode().splitlines()
    assert len(lines) == 3 and lines[0].startswith("epoch,loss_ce") and "firing_2" in lines[0] and "entropy_30" in lines[0]
    assert b"Rule 1" in content["rules.txt"] and b"TSKClassifier" in content["card.py"]
    assert store.archive(run) == store.archive(run)
