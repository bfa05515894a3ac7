"""A Dask scheduler and workers of their own, reached by address: over tcp, and over tls as Dask's own settings have it."""

import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import tsk_core
from tests.waiting import wait_until
from tsk_core.jobs import Engine

ROOT = str(Path(tsk_core.__file__).parents[1])
QUIET = ["--no-dashboard", "--host", "127.0.0.1"]
WORKER = ["--nworkers", "1", "--nthreads", "1", "--memory-limit", "1GiB", "--preload", "tsk_core.jobs.preload"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def certificate(folder):
    """A self-signed certificate and its key, that scheduler, workers and client all show and trust."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made = subprocess.run([*command, "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder / "cert.pem", folder / "key.pem"


def use_tls(monkeypatch, folder):
    import dask

    cert, key = certificate(folder)
    prefix = "DASK_DISTRIBUTED__COMM__TLS__"
    monkeypatch.setenv(f"{prefix}CA_FILE", str(cert))
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        monkeypatch.setenv(f"{prefix}{role}__CERT", str(cert))
        monkeypatch.setenv(f"{prefix}{role}__KEY", str(key))
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION", "True")
    dask.config.refresh()  # a server reads its environment when it starts; this process has started before


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """Start a scheduler and two workers; yields a function of the protocol that returns the address."""
    import dask

    processes = []

    def start(protocol):
        address = f"{protocol}://127.0.0.1:{free_port()}"
        port = address.rsplit(":", 1)[1]
        dask_command = [sys.executable, "-m", "dask"]
        monkeypatch.setenv("PYTHONPATH", ROOT)
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        scheduler = [*dask_command, "scheduler", *QUIET, "--port", port, "--protocol", protocol]
        processes.append(subprocess.Popen(scheduler, **options))
        for _ in range(2):
            processes.append(subprocess.Popen([*dask_command, "worker", address, *QUIET, *WORKER], **options))
        monkeypatch.setenv("TSK_SCHEDULER", address)
        monkeypatch.setattr("tsk_core.jobs.cluster.CONNECT_SECONDS", 100)
        return processes

    yield start
    for process in reversed(processes):
        process.send_signal(signal.SIGTERM)
    for process in processes:
        process.wait(120)
    monkeypatch.undo()
    dask.config.refresh()


def open_files(processes):
    """What scheduler and workers, with all that they started, have open."""
    family = [psutil.Process(process.pid) for process in processes]
    family += [child for process in family for child in process.children(recursive=True)]
    return [file.path for process in family for file in process.open_files()]


@pytest.mark.slow
def test_runs_train_on_a_cluster_reached_by_its_address_and_wait_once_its_workers_are_killed(
    cluster, tmp_path, monkeypatch, small, short, endless
):
    """Over tls; load/test_compose.py has a cluster without."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
    use_tls(monkeypatch, tmp_path)
    processes = cluster("tls")
    with Engine(tmp_path / "runs") as engine:
        wait_until(lambda: len(engine.workers()) == 2, seconds=150)
        assert [epoch.epoch for epoch in engine.follow(engine.submit(short, small))] == [1, 2, 3, 4, 5]
        run = engine.submit(endless, small)
        wait_until(lambda: engine.history(run))
        assert not [file for file in open_files(processes) if "runs.sqlite" in file]  # WAL would need one machine
        engine.pause(run)
        wait_until(lambda: engine.status(run).waiting)
        engine.resume(run)
        engine.stop(run)
        assert engine.result(run, timeout=60).state == "stopped"

        # A killed worker loses no run. Its scheduler would send the run to the same place again by itself; ours does, and counts.
        run = engine.submit(endless, small)
        wait_until(lambda: engine.history(run))
        for process in processes[1:]:
            process.kill()  # with its nanny, so that it does not come back
        wait_until(lambda: engine.status(run).state == "queued" and not engine.workers())
        assert engine.wait_estimate("bob").seconds is None
        engine.stop(run)
        assert engine.status(run).state == "stopped"
