"""No process outlives the one that started it, and the package is light to import."""

import subprocess
import sys
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path

import psutil
import pytest

import tsk_core
from tests.waiting import wait_until
from tsk_core.jobs.cluster import worker_megabytes

ROOT = str(Path(tsk_core.__file__).parents[1])
PARENT = """
import sys, time
from tsk_core.jobs import Engine
engine = Engine(sys.argv[1])
while not engine.workers():
    time.sleep(0.05)
print("up", flush=True)
time.sleep(100)
"""


@pytest.mark.slow
def test_killing_the_parent_leaves_no_process(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_WORKERS", "1")
    monkeypatch.setenv("PYTHONPATH", ROOT)
    with subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout.readline() == "up\n"
        family = psutil.Process(parent.pid).children(recursive=True)
        assert len(family) >= 2
        parent.kill()
        wait_until(lambda: not any(process.is_running() for process in family), seconds=10)


def test_a_scheduler_that_does_not_answer_fails_the_run_with_its_address(tmp_path, monkeypatch, small, short):
    from tsk_core.jobs import Engine

    monkeypatch.setenv("TSK_SCHEDULER", "tcp://127.0.0.1:9")
    monkeypatch.setattr("tsk_core.jobs.cluster.CONNECT_SECONDS", 1)
    with Engine(tmp_path) as engine:
        run = engine.submit(short, small)
        wait_until(lambda: engine.status(run).ended)
        assert engine.status(run).state == "failed"
        assert "tcp://127.0.0.1:9" in engine.status(run).message


def test_importing_the_package_loads_neither_dask_nor_torch(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ROOT)
    code = "import sys, tsk_core.jobs; print(sorted({'torch', 'dask', 'distributed', 'streamlit'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("library", "megabytes"), [("libtorch_cpu.so", 1024), ("libtorch_cuda.so", 2048), ("torch_cuda.dll", 2048)]
)
def test_the_memory_of_a_worker_follows_the_build_of_torch(tmp_path, monkeypatch, library, megabytes):
    (tmp_path / "torch" / "lib").mkdir(parents=True)
    (tmp_path / "torch" / "lib" / library).touch()
    (tmp_path / "torch" / "__init__.py").touch()
    monkeypatch.setattr("tsk_core.jobs.cluster.find_spec", partial(PathFinder.find_spec, path=[str(tmp_path)]))
    assert worker_megabytes() == megabytes


def test_without_torch_a_worker_has_the_usual_memory(monkeypatch):
    monkeypatch.setattr("tsk_core.jobs.cluster.find_spec", lambda name: None)
    assert worker_megabytes() == 1024


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has priority classes instead of numbers.")
@pytest.mark.parametrize(("shares", "behind"), [(False, True), (True, False)])
def test_workers_come_after_the_one_process_that_draws_pages_and_beside_several(monkeypatch, shares, behind):
    from tsk_core.jobs.shared import SOCKET

    monkeypatch.delenv(SOCKET, raising=False)
    if shares:
        monkeypatch.setenv(SOCKET, "engine")
    missing = "import sys; sys.modules |= dict.fromkeys(('pandas', 'sklearn', 'torch'))"  # or it takes seconds
    script = f"{missing}; import psutil, tsk_core.jobs.preload as _; print(psutil.Process().nice())"
    worker = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (int(worker.stdout) > psutil.Process().nice()) == behind
