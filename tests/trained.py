"""Runs that the engine trains once for the whole suite; pages, the report and the browser open them by their link.

    open_run("iris")        # tests/pages/helpers.py: a page that shows it
    run_view("wine")        # the same as what a page is drawn from
    run_id("pets")          # for a link, ?run=…

Every folder of runs that ``put_into`` filled has a copy of them. They belong to ``OWNER``, so no visitor's list of runs shows
them. A test that changes a run trains one of its own.
"""

import atexit
import json
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from filelock import FileLock

from tests.tables import pets
from tsk_core.config import TrainConfig
from tsk_core.data import Dataset, load_dataset, read_csv
from tsk_core.jobs import Engine

OWNER = "0" * 31 + "1"


@dataclass(frozen=True)
class Trained:
    """What is trained. data: a dataset of the gallery, or ``pets``, an uploaded table whose copy is kept."""

    data: str = "iris"
    settings: dict[str, object] = field(default_factory=dict)

    @property
    def config(self) -> TrainConfig:
        start = TrainConfig.readable if self.settings.get("start") == "readable" else TrainConfig.paper
        given = {name: value for name, value in self.settings.items() if name != "start"}
        return start(**{"n_rules": 3, "max_epochs": 6, "random_state": 0} | given)

    @property
    def dataset(self) -> Dataset:
        return read_csv(pets(), target="species", name="pets.csv") if self.data == "pets" else load_dataset(self.data)


RUNS = {
    "iris": Trained(),
    "iris-converged": Trained(settings={"max_epochs": 60}),
    "iris-untrained": Trained(settings={"max_epochs": 1, "learning_rate": 1e-6}),
    "iris-jitter": Trained(settings={"max_epochs": 40, "learning_rate": 0.5, "optimizer": "adam", "batch_size": 4}),
    "iris-early": Trained(settings={"max_epochs": 12, "early_stopping": True, "patience": 2}),
    "iris-ur": Trained(settings={"max_epochs": 20, "n_rules": 4, "ur_weight": 10.0}),
    "iris-zero-order": Trained(settings={"consequents": "constant"}),
    "wine": Trained("wine", {"max_epochs": 9}),
    "wine-weighted": Trained("wine", {"ur_weight": 3.0, "class_weight": "balanced", "random_state": 4}),
    "wine-readable": Trained("wine", {"start": "readable", "n_rules": 6, "max_epochs": 30}),
    "breast-cancer": Trained("breast_cancer"),
    "pets": Trained("pets", {"max_epochs": 20}),
}


def run_id(name: str) -> str:
    """The id of the run of this name."""
    return _trained()[name]


def put_into(folder: Path) -> Path:
    """Copy all trained runs into a folder, before a store or an engine opens it."""
    _trained()
    shutil.copytree(_place() / "runs", folder, dirs_exist_ok=True)
    return folder


@cache
def _place() -> Path:
    """The folder of one run of the suite, from tests/conftest.py; programs such as ``make recount`` have one of their own."""
    if place := os.environ.get("TSK_TEST_RUNS"):
        return Path(place)
    own = tempfile.mkdtemp(prefix="tsk-trained-")
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return Path(own)


@cache
def _trained() -> dict[str, str]:
    """The ids by name; whichever process comes first trains them."""
    ids = _place() / "ids.json"
    with FileLock(_place() / "lock"):
        if not ids.exists():
            ids.write_text(json.dumps(_train(_place() / "runs")))
    return json.loads(ids.read_text())


def _train(folder: Path) -> dict[str, str]:
    runs = {}
    with Engine(folder) as engine:
        for name, one in RUNS.items():  # one by one: nobody may queue twelve
            kept = {"name": f"trained: {name}", "keep_data": one.data == "pets"}
            runs[name] = engine.submit(one.config, one.dataset, OWNER, **kept)
            engine.result(runs[name], timeout=120)
    return runs
