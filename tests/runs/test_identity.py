"""The dataset of a run: found again in the gallery or in the table kept with it, and never another one."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, Finding, ReadOptions, load_dataset, make_dataset
from tsk_core.errors import RunError
from tsk_core.runs import RunStore, same_dataset, same_table
from tsk_core.runs.housekeeping import point_key
from tsk_core.runs.identity import identity
from ui.platform.caches import table_key


def upload(choices=None):
    frame = pd.DataFrame({
        "colour": ["red", None, "blue"] * 30,
        "day": pd.date_range("2024-01-01", periods=90).strftime("%Y-%m-%d"),
        "<img src=x>": np.where(np.arange(90) % 7 == 0, np.nan, np.arange(90) % 11),
        "kind": ["apple", "leaf", "stone"] * 30,
    })  # fmt: skip
    return make_dataset(frame, name="iris", choices=choices or Choices(target="kind"))


def test_a_gallery_table_is_loaded_again_and_never_kept(store):
    dataset = load_dataset("wine").with_choices(Choices(target="class", roles={"ash": "ignored"}))
    again = store.dataset(store.create(TrainConfig(), dataset, keep_data=True))
    assert again.sha256 == dataset.sha256 and again.choices == dataset.choices
    assert (again.split(0.3, 5).test == dataset.split(0.3, 5).test).all()
    run = store.create(TrainConfig(), load_dataset("iris"), keep_data=True)
    assert not store.record(run).data_kept and not list(store.folder.glob("*/*.parquet"))


def test_a_table_that_changed_in_the_gallery_is_not_taken_for_the_one_of_the_run(store, tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_DATA_DIR", str(tmp_path))
    make_table().frame.to_csv(tmp_path / "patches.csv", index=False)
    run = store.create(TrainConfig(), load_dataset("patches"))
    assert store.dataset(run).name == "patches"
    make_table(seed=1).frame.to_csv(tmp_path / "patches.csv", index=False)
    assert store.dataset(run) is None
    (tmp_path / "patches.csv").unlink()
    assert store.dataset(run) is None


def test_a_file_is_not_kept_unless_asked_even_if_it_is_called_like_a_gallery_table(store):
    run = store.create(TrainConfig(), upload())
    assert store.record(run).dataset == "iris" and not store.record(run).data_kept
    assert store.dataset(run) is None
    kept = b"".join(path.read_bytes() for path in store.folder.rglob("*") if path.is_file() and path.parent != store.folder)
    assert b"2024-03-3" not in kept  # a cell


@pytest.mark.parametrize(
    "choices",
    [
        Choices(target="kind"),
        Choices(target="kind", roles={"day": "time"}),
        Choices(target="kind", roles={"colour": "group"}, flags=("<img src=x>",), missing=("colour",)),
        Choices(target="<img src=x>", bins=3),
        Choices(target="kind", roles={"colour": "ordinal"}, orders={"colour": ("red", "green", "blue")}),
    ],
)
def test_a_kept_table_makes_the_same_dataset_again(store, choices):
    dataset = upload(choices)
    run = store.create(TrainConfig(), dataset, keep_data=True)
    again = RunStore(store.folder).dataset(run)
    assert store.record(run).data_kept
    assert (again.sha256, again.target, again.choices, again.name) == (dataset.sha256, dataset.target, choices, "iris")
    for ours, theirs in zip(dataset.split(0.3, 1)[:2], again.split(0.3, 1)[:2], strict=True):
        assert (ours == theirs).all()


def test_a_table_whose_cells_before_cleaning_mix_kinds_is_kept_as_cleaned(store):
    frame = upload().frame.assign(mixed=[1, "two", None] * 30)
    dataset = make_dataset(frame, "kind", name="mixed")
    again = store.dataset(store.create(TrainConfig(), dataset, keep_data=True))
    assert again.sha256 == dataset.sha256


def test_whoever_has_the_file_makes_the_dataset_with_the_choices_of_the_run(store):
    dataset = upload(Choices(target="kind", roles={"day": "ignored"}))
    run = store.create(TrainConfig(), dataset)
    raw, _ = dataset.raw
    again = make_dataset(raw, name="mine", choices=store.choices(run))
    assert again.sha256 == store.record(run).sha256 == dataset.sha256
    assert store.cleaning(run) == dataset.cleaning
    pd.testing.assert_frame_equal(store.cleaning(run).apply(raw), dataset.X)


def test_the_config_file_says_what_each_column_was_used_as_and_what_a_table_has_to_say_in_bounds(store):
    dataset = upload(Choices(target="kind", roles={"day": "ignored"}))
    about = store.open(store.create(TrainConfig(), dataset, read_options=ReadOptions(delimiter=";"))).about()["dataset"]
    assert about["roles"] == {"colour": "category", "day": "ignored", "<img src=x>": "number", "kind": "target"}
    assert about["classes"] == ["apple", "leaf", "stone"] and about["reading"] == {"delimiter": ";"}
    assert (about["rows"], about["gallery"]) == (90, None)
    assert any("left out" in note.lower() for note in about["notes"])
    dataset = replace(make_table(columns=3), findings=[Finding("x" * 10_000)] * 1000)
    notes = store.open(store.create(TrainConfig(), dataset)).about()["dataset"]["notes"]
    assert len(notes) == 50 and max(map(len, notes)) == 400


@pytest.mark.parametrize(
    "damage", [{"roles": 5}, {"bins": "many"}, {"rare": []}, {"flags": 3}, {"missing": 3}, {"unknown": 1}, []]
)
def test_damaged_choices_are_one_sentence(store, damage):
    run = store.create(TrainConfig(), upload(), keep_data=True)
    path = store.folder / run / "config.json"
    values = json.loads(path.read_text())
    values["dataset"]["choices"] = damage and values["dataset"]["choices"] | damage or 7
    path.write_text(json.dumps(values))
    for ask in (store.choices, store.dataset, store.reproduction):
        with pytest.raises(RunError, match="config.json"):
            ask(run)


def test_equal_rows_on_one_side_and_other_roles_make_another_dataset_of_the_same_table(store):
    plain, together = upload(), upload(Choices(target="kind", repeated="together"))
    assert same_dataset(plain, identity(plain)) and same_dataset(identity(together), identity(together))
    assert not same_dataset(together, identity(plain)) and not same_dataset(identity(plain), identity(together))
    random, grouped = (upload(Choices(target="kind", roles={"day": role})) for role in ("ignored", "group"))
    record = store.record(store.create(TrainConfig(), random))
    assert same_table(random, identity(grouped), record) and not same_dataset(grouped, identity(random))
    other = identity(random) | {"target": "day"}
    assert not same_table(random, other) and not same_table(record, random, other)


def test_another_column_of_groups_makes_another_split_and_tables_without_one_keep_the_points_of_earlier_versions():
    frame = pd.DataFrame({"a": np.arange(60.0), "group": np.repeat(np.arange(12), 5), "kind": ["x", "y"] * 30})
    choices = Choices(target="kind", roles={"group": "group"})
    first = make_dataset(frame, name="a", choices=choices)
    other = make_dataset(frame.assign(group=np.arange(60) % 12), name="a", choices=choices)
    assert first.sha256 == other.sha256 and first.split(0.3, 0).test.tolist() != other.split(0.3, 0).test.tolist()
    assert same_table(first, other) and not same_dataset(first, identity(other))
    assert same_dataset(first, identity(first)) and table_key(first) != table_key(other)
    assert point_key(identity(first), {}, {}) != point_key(identity(other), {}, {})
    before = {name: value for name, value in identity(first).items() if name != "split_sha256"}
    assert same_dataset(first, before)  # of a run that an earlier version made
    kept = identity(upload())
    assert kept.pop("split_sha256") == "" and point_key(kept, {}, {}) == point_key(identity(upload()), {}, {})
