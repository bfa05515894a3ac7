"""Points of experiments: kept once, found by anyone with the same data and settings, and bounded on the disk."""

import os
import threading

import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.runs.housekeeping import Points, point_key
from tsk_core.runs.identity import identity

VERSIONS = {"torch": "2.13.0", "tsk": "0.1.0"}


def key_of(dataset=None, versions=None, **training):
    values = {"config": TrainConfig(random_state=0).to_dict(), "split_seed": 0, "test_size": 0.3} | training
    return point_key(identity(dataset or make_table()), values, versions or VERSIONS)


def test_a_point_is_found_again_as_it_was_kept_and_a_folder_that_cannot_be_written_loses_it(tmp_path):
    points, point = Points(tmp_path / "points"), {"scores": {"last": [0.1, 1 / 3]}, "message": "é"}
    assert points.get(key_of()) is None
    points.keep(key_of(), point)
    assert points.get(key_of()) == point and Points(tmp_path / "points").get(key_of()) == point
    (tmp_path / "file").write_text("")
    points = Points(tmp_path / "file")
    points.keep(key_of(), {"a": 1})
    assert points.get(key_of()) is None and points.prune() == 0


def test_whatever_changes_the_numbers_changes_the_key():
    keys = [
        key_of(), key_of(make_table(seed=1)), key_of(split_seed=1), key_of(test_size=0.4), key_of(width=2.0),
        key_of(config=TrainConfig(random_state=1).to_dict()), key_of(config=TrainConfig(random_state=0, l2=0.002).to_dict()),
        key_of(versions=VERSIONS | {"torch": "2.14.0"}),
    ]  # fmt: skip
    assert len(set(keys)) == len(keys)
    assert key_of() == key_of(make_table(name="renamed"))


@pytest.mark.parametrize("damage", [b"", b"not gzip", None])
def test_a_damaged_point_is_as_if_absent(tmp_path, damage):
    points = Points(tmp_path)
    points.keep(key_of(), {"a": 1})
    (path,) = tmp_path.glob("*/*.json.gz")
    path.write_bytes(path.read_bytes()[:-9] if damage is None else damage)
    assert points.get(key_of()) is None


def test_the_points_unused_for_longest_are_deleted_first(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_POINTS_MB", "1")
    points, keys = Points(tmp_path), [key_of(split_seed=k) for k in range(6)]
    for at, key in enumerate(keys):
        points.keep(key, {"noise": os.urandom(150_000).hex()})
        path = tmp_path / key[:2] / f"{key}.json.gz"
        os.utime(path, (at, at))
    points.touch(keys[0])
    assert points.prune() > 0
    kept = [points.get(key) is not None for key in keys]
    assert kept[0] and kept[-1] and not kept[1]
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 10**6
    assert points.prune() == 0


def test_two_that_keep_the_same_point_leave_one(tmp_path):
    points, key = Points(tmp_path), key_of()
    threads = [threading.Thread(target=points.keep, args=(key, {"a": 1})) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert points.get(key) == {"a": 1} and len(list(tmp_path.glob("*/*"))) == 1
