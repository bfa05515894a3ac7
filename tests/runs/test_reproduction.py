"""Reproducibility: the Python of a run's reproduction recipe gives the run's numbers, to the last digit."""

import contextlib
import io

import numpy as np
import pandas as pd
import pytest

from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, ReadOptions, load_dataset, make_dataset, read_csv, read_table, with_test_rows
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads


def train(store, dataset, should_stop=lambda: "", test_size=0.3, read_options=None, **settings):
    """Train as a worker does; returns the ledger's row."""
    config = TrainConfig(**{"n_rules": 4, "max_epochs": 4, "random_state": 7} | settings)
    run = store.create(config, dataset, test_size, read_options=read_options)
    with torch_threads(1), denormals_as_zero():
        record = train_run(store.folder, run, config, dataset, test_size, should_stop)
    assert record.state in ("finished", "stopped"), record.message
    return record


def numbers(python):
    """What the script of a recipe prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(python, "script", "exec"), {})  # noqa: S102 - what it does is what is tested
    _, rca, _, bca = printed.getvalue().split()
    return float(rca), float(bca)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("iris", {}),
        ("wine", {"ur_weight": 10, "batch_norm": "none", "batch_size": 16, "random_state": 0}),
        ("breast_cancer", {"early_stopping": True, "max_epochs": 5, "patience": 2}),
        ("moons", {"firing": "paper", "init": "fcm", "optimizer": "adam", "ur_target": 0.5}),
        ("digits", {"firing": "htsk", "class_weight": "balanced", "max_epochs": 2}),
        ("iris", {"random_state": None, "test_size": 0.5}),
        ("iris", {"class_weight": {"setosa": 2, "virginica": 0.5}, "learning_rate": 0.1, "l2": 0}),
    ],
)
def test_the_python_of_a_gallery_run_gives_its_numbers(store, name, settings):
    record = train(store, load_dataset(name), **settings)
    assert numbers(store.reproduction(record.id).python) == (record.rca, record.bca)


def test_the_recipe_names_what_has_to_be_the_same(store):
    record = train(store, load_dataset("iris"))
    recipe = store.reproduction(record.id)
    assert (recipe.link, recipe.seed, recipe.sha256, recipe.caveat) == (f"/?run={record.id}", 7, load_dataset("iris").sha256, "")
    assert {"python", "torch", "numpy", "pandas", "scikit-learn", "tsk"} <= set(recipe.versions)
    assert len([line for line in recipe.python.splitlines() if "=" in line and not line.startswith("#")]) <= 5


def test_choices_about_a_gallery_table_are_in_the_python(store):
    choices = Choices(target="alcohol", roles={"class": "category", "ash": "ignored"}, bins=3)
    record = train(store, load_dataset("wine").with_choices(choices))
    assert numbers(store.reproduction(record.id).python) == (record.rca, record.bca)
    other = train(store, load_dataset("iris").with_target("class"))
    assert ".with_" not in store.reproduction(other.id).python


def test_a_table_of_the_data_folder_is_named_with_its_target(store, tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_DATA_DIR", str(tmp_path))
    garden().to_csv(tmp_path / "garden.csv", index=False)
    record = train(store, load_dataset("garden").with_target("kind"))
    assert numbers(store.reproduction(record.id).python) == (record.rca, record.bca)


def garden(rows=150, seed=0):
    """A table with categories, gaps, a group and a column to leave out."""
    random = np.random.default_rng(seed)
    kind = np.arange(rows) % 3
    return pd.DataFrame({
        "size": np.where(random.random(rows) < 0.1, np.nan, random.normal(size=rows) + kind),
        "colour": random.choice(["red", "green"], rows),
        "bed": random.integers(0, 9, rows),
        "weight; wet": random.normal(size=rows) + kind,
        "kind": np.array(["apple", "leaf", "it's a \"pear\""])[kind],
    })  # fmt: skip


@pytest.mark.parametrize(
    ("choices", "read_options", "settings"),
    [
        (Choices(target="kind"), None, {}),
        (Choices(target="colour"), ReadOptions(delimiter=",", header=True), {}),
        (
            Choices(target="kind", roles={"bed": "group", "colour": "ignored"}, flags=("size",), missing=("size",)),
            ReadOptions(encoding="utf-8"),
            {"early_stopping": True, "max_epochs": 30, "patience": 3},  # searched on the same groups
        ),
        (Choices(target="weight; wet", bins=4), None, {}),
        (Choices(target="kind", rare="merge"), ReadOptions(quote='"', decimal="."), {}),
    ],
)
def test_the_python_for_a_file_gives_the_numbers_of_the_run(store, tmp_path, choices, read_options, settings):
    path = tmp_path / "garden.csv"
    garden().to_csv(path, index=False)
    dataset = read_csv(path.read_bytes(), read_options=read_options, choices=choices)
    record = train(store, dataset, read_options=read_options, **settings)
    python = store.reproduction(record.id).python
    assert python.count('"FILE.csv"') == 1 and ("**dataset.fit_params(train)" in python) == bool(settings)
    assert numbers(python.replace("FILE.csv", str(path))) == (record.rca, record.bca)


@pytest.mark.parametrize("read_options", [None, ReadOptions(delimiter=",")])
def test_the_python_for_two_files_gives_the_numbers_of_the_run(store, tmp_path, read_options):
    tables = {name: tmp_path / f"{name}.csv" for name in ("TRAIN", "TEST")}
    for seed, path in enumerate(tables.values()):
        garden(rows=90, seed=seed).to_csv(path, index=False)
    frames = [read_table(path).frame for path in tables.values()]
    table, part = with_test_rows(*frames)
    choices = Choices(target="kind", roles={"bed": "ignored", part: "split"}, flags=("size",))
    record = train(store, make_dataset(table, name="garden", choices=choices), read_options=read_options)
    python = store.reproduction(record.id).python
    for name, path in tables.items():
        python = python.replace(f"{name}.csv", str(path))
    assert numbers(python) == (record.rca, record.bca)


@pytest.mark.parametrize("early_stopping", [False, True])
def test_a_run_stopped_by_hand_is_repeated_up_to_where_it_was_stopped(store, early_stopping):
    def stop():
        epochs = store.open(store.ledger.records()[0].id).epochs()
        return "Enough." if len([epoch for epoch in epochs if epoch.stage == "training"]) >= 3 else ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tsk_core.tasks.task.CHECKPOINT_SECONDS", 0)
        record = train(
            store, load_dataset("wine"), should_stop=stop, max_epochs=30, early_stopping=early_stopping, patience=30,
        )  # fmt: skip
    assert record.state == "stopped"
    recipe = store.reproduction(record.id)
    assert "early_stopping" not in recipe.python
    assert recipe.caveat == "" and numbers(recipe.python) == (record.rca, record.bca)


def test_a_run_stopped_while_searching_says_that_its_python_trains_longer(store):
    asked = []
    record = train(
        store, load_dataset("iris"), should_stop=lambda: "Enough." if asked.append(1) or len(asked) > 3 else "",
        early_stopping=True, max_epochs=20,
    )  # fmt: skip
    recipe = store.reproduction(record.id)
    assert "longer" in recipe.caveat and f"# {recipe.caveat}" in recipe.python.splitlines()
    assert numbers(recipe.python)
