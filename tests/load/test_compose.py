"""compose.yaml cannot be run here; its commands can, on loopback, and an Engine trains on what they start."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import yaml

import tsk_core
from tests.load.server import gone
from tests.tables import make_table
from tsk_core import TrainConfig, TSKClassifier
from tsk_core.jobs import Engine

ROOT = Path(tsk_core.__file__).parents[1]
INSIDE = "tcp://scheduler:8786"


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


@pytest.fixture
def cluster(compose, tmp_path):
    """The scheduler's address, and the process of each worker, started as compose.yaml says but on loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    here = {"python": sys.executable, "0.0.0.0": "127.0.0.1", "8786": str(port), INSIDE: address}
    started = []
    with (tmp_path / "cluster.log").open("w") as log:
        for name in ("scheduler", *["worker"] * compose["services"]["worker"]["deploy"]["replicas"]):
            service = compose["services"][name]
            command = [here.get(word, word) for word in service["command"]]
            environment = os.environ | service["environment"] | {"DASK_TEMPORARY_DIRECTORY": str(tmp_path)}
            started.append(subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log))
    family = []
    try:
        yield address, [psutil.Process(process.pid) for process in started[1:]]
    finally:
        for process in reversed(started):
            family += psutil.Process(process.pid).children(recursive=True)
            process.terminate()
        for process in started:
            process.wait(20)
        assert not gone(family, 10)


def test_a_worker_shares_the_folder_of_runs_with_the_app(compose):
    services = compose["services"]
    assert services["worker"]["volumes"] == ["runs:/app/runs"]
    assert services["app"]["volumes"] == ["runs:/app/runs", "data:/app/data"]
    assert {"runs", "data"} <= set(compose["volumes"])


def test_only_the_app_can_be_reached_and_only_from_this_machine(compose):
    services = compose["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["app"]
    assert all(port.startswith("127.0.0.1:") for port in services["app"]["ports"])
    assert compose["networks"]["cluster"]["internal"] is True
    assert services["scheduler"]["networks"] == services["worker"]["networks"] == ["cluster"]


def test_no_service_writes_into_its_image_or_takes_the_whole_machine(compose):
    for name, service in compose["services"].items():
        assert service["read_only"] and service["pids_limit"] and service["mem_limit"], name
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"], name


def test_the_app_is_told_where_the_scheduler_listens(compose):
    services = compose["services"]
    assert services["app"]["environment"]["TSK_SCHEDULER"] == INSIDE
    assert INSIDE in services["worker"]["command"]
    assert services["scheduler"]["command"][services["scheduler"]["command"].index("--port") + 1] == "8786"


def test_everything_the_app_is_made_of_is_copied_into_the_image():
    copied = (ROOT / "Dockerfile").read_text()
    assert all(f"COPY {name}" in copied for name in ("app.py", ".streamlit/", "pages/", "ui/", "tsk_core/"))
    kept = (ROOT / ".dockerignore").read_text().splitlines()
    assert all(f"!{name}" in kept for name in ("app.py", ".streamlit", "pages", "ui", "tsk_core", "requirements.txt"))


@pytest.mark.slow
def test_an_engine_trains_on_the_cluster_that_compose_describes(cluster, tmp_path, monkeypatch):
    address, workers = cluster
    monkeypatch.setenv("TSK_SCHEDULER", address)
    table, config = make_table(), TrainConfig(n_rules=3, max_epochs=5, random_state=1)
    with Engine(tmp_path / "runs") as engine:
        runs = [engine.submit(config, table, owner=f"owner {number}") for number in range(4)]
        results = [engine.result(run, timeout=120) for run in runs]
        assert [result.state for result in results] == ["finished"] * 4
        assert all(len(list(engine.follow(run))) == 5 for run in runs)

        # The same numbers as without any cluster.
        rows = table.split(test_size=0.3, seed=1)
        alone = TSKClassifier(**config.to_dict()).fit(table.X.iloc[rows.train], table.y[rows.train])
        test = table.X.iloc[rows.test]
        assert (results[0].classifier.predict_proba(test) == alone.predict_proba(test)).all()
