"""Another account of the same machine: it reaches the cluster's loopback ports, and reads what files and processes show."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest
from distributed import Security
from distributed.comm import connect

from tests.processes import cluster_process
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.jobs import Engine
from tsk_core.runs import RunStore

pytestmark = pytest.mark.slow

OTHER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture(scope="module")
def home():
    """A folder that every account may enter; runs and temporary files lie in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        yield folder


@pytest.fixture(scope="module")
def engine(home):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TSK_WORKERS", "1")
        patch.setenv("TMPDIR", str(home / "tmp"))
        with Engine(home / "runs") as engine:
            wait_until(engine.workers, seconds=120)
            yield engine


def family():
    """The processes of the cluster."""
    return [cluster_process(), *cluster_process().children(recursive=True)]


def doors():
    """The addresses of all ports that the cluster's processes listen at."""
    found = {one.laddr for process in family() for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN}
    return sorted(f"{one.ip}:{one.port}" for one in found)


async def answers(address, security=None):
    """Whether a client gets an answer there, and so might have code run."""
    credentials = security.get_connection_args("client") if security else {}
    try:
        async with asyncio.timeout(10):
            connection = await connect(address, timeout=3, **credentials)
            try:
                await connection.write({"op": "identity", "reply": True})
                return bool(await connection.read())
            finally:
                connection.abort()
    except (OSError, TimeoutError, ValueError, RuntimeError):
        return False


@pytest.mark.slow
def test_no_port_of_the_cluster_answers_a_client_without_its_credentials(engine):
    async def attack():
        foreign = Security.temporary()
        tried = [(f"tcp://{door}", None) for door in doors()] + [(f"tls://{door}", foreign) for door in doors()]
        answered = await asyncio.gather(*(answers(address, security) for address, security in tried))  # a refusal takes seconds
        return [address for (address, _), answer in zip(tried, answered, strict=True) if answer]

    assert len(doors()) >= 3  # scheduler, nanny, worker
    assert all(door.startswith("127.0.0.1:") for door in doors())
    assert asyncio.run(attack()) == []


def test_the_list_of_processes_shows_no_credentials(engine):
    shown = " ".join(" ".join([*process.cmdline(), *process.environ().values()]) for process in family())
    assert "PRIVATE KEY" not in shown and "BEGIN CERTIFICATE" not in shown


def test_another_account_reads_nothing_of_a_run_and_finds_no_file_of_the_workers(engine, home, small, short):
    if os.geteuid() or not shutil.which("setpriv"):
        pytest.skip("only root can act as another account")
    run = engine.submit(short, small)
    assert engine.result(run, timeout=120).state == "finished"
    readable = subprocess.run([*OTHER, "find", home, "-type", "f", "-readable"], capture_output=True, text=True, check=False)
    assert readable.stdout.splitlines() == []
    entered = subprocess.run([*OTHER, "find", home, "-type", "d", "-executable"], capture_output=True, text=True, check=False)
    assert set(entered.stdout.splitlines()) == {str(home), str(home / "tmp")}
    writable = subprocess.run([*OTHER, "find", home, "-writable"], capture_output=True, text=True, check=False)
    assert writable.stdout.splitlines() == [str(home / "tmp")]


@pytest.mark.slow
def test_workers_import_nothing_from_a_folder_that_another_account_made_first(home, monkeypatch, short, small):
    planted = [home / "tmp" / name for name in (f"tsk-explorer-{os.getuid()}", "dask-scratch-space")]
    for folder in planted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        folder.chmod(0o777)
    monkeypatch.setenv("TSK_WORKERS", "1")
    monkeypatch.setenv("TMPDIR", str(home / "tmp"))
    with Engine(home / "other_runs") as engine:
        assert engine.result(engine.submit(short, small), timeout=120).state == "finished"
        assert [list(folder.iterdir()) for folder in planted] == [[], []]


def test_a_folder_of_runs_that_others_could_read_is_closed_when_it_is_opened(tmp_path, small):
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o755)
    (folder / "runs.sqlite").touch(mode=0o644)
    store = RunStore(folder)
    store.create(TrainConfig(max_epochs=1), small)
    assert folder.stat().st_mode & 0o777 == 0o700
    ledger = {path.name: path.stat().st_mode & 0o777 for path in folder.glob("runs.sqlite*")}
    assert ledger == {"runs.sqlite": 0o600, "runs.sqlite-wal": 0o600, "runs.sqlite-shm": 0o600}


def test_a_folder_of_runs_that_is_shared_with_a_group_keeps_the_ledger_to_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_RUNS_MODE", "2770")
    folder = RunStore(tmp_path / "runs").folder
    assert folder.stat().st_mode & 0o7777 == 0o2770
    assert (folder / "runs.sqlite").stat().st_mode & 0o777 == 0o600
