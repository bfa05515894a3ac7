"""One engine for several processes: what one submits, another sees, steers and reads; all end together."""

import os
import secrets
import signal
import subprocess
import sys
from multiprocessing import AuthenticationError

import pytest

from tests.waiting import wait_until
from tsk_core.errors import LimitError, RunError
from tsk_core.jobs.engine import MOST_TOLD
from tsk_core.jobs.shared import KEY, SOCKET, SharedEngine

# Connects, says so, and waits for a signal.
CALLER = """
import signal, sys, time
from tsk_core.jobs.shared import SharedEngine
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
SharedEngine()
print("connected", flush=True)
while True:
    time.sleep(0.1)
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """What a process needs to know of the engine that is started here."""
    folder, key = tmp_path_factory.mktemp("shared"), secrets.token_hex(32)
    found = {"TSK_RUNS_DIR": str(folder / "runs"), "TSK_WORKERS": "1", SOCKET: str(folder / "engine"), KEY: key}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in found.items():
            patch.setenv(name, value)
        yield found


@pytest.fixture(scope="module")
def served(environment):
    """The process that has the engine."""
    command = [sys.executable, "-m", "tsk_core.jobs.shared", environment[SOCKET]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.stdin.close()
        assert process.wait(30) == 0


def connect(environment=os.environ):
    """The engine, as another process has it; this one goes on where it ends."""
    return SharedEngine(environment, on_end=lambda: None)


def test_an_engine_that_is_not_there_is_said_in_a_sentence(environment, tmp_path):
    with pytest.raises(RunError, match="The process that trains does not answer"):
        connect(environment | {SOCKET: str(tmp_path / "nowhere")})


def test_what_one_process_tells_another_knows(served):
    one, other = connect(), connect()
    assert other.told("run") == {}
    one.tell("run", "stage", {"epoch": 3})
    other.tell("run", "watching", 2)
    assert one.told("run") == {"stage": {"epoch": 3}, "watching": 2} and one.told("another run") == {}
    for number in range(MOST_TOLD):
        one.tell(f"run {number}", "stage", number)
    assert one.told("run") == {} and other.told("run 0") == {"stage": 0}


@pytest.mark.slow
def test_what_one_process_submits_another_sees_and_steers_within_one_quota(served, small, short, endless):
    one, other = connect(), connect()
    run = one.submit(short, small, owner="ann")
    result = other.result(run, timeout=120)
    assert result.state == "finished" and result.metrics == one.result(run).metrics
    assert [epoch.epoch for epoch in other.history(run)] == [1, 2, 3, 4, 5]
    runs = [engine.submit(endless, small, owner="ann") for engine in (one, other, one, other)]
    wait_until(lambda: other.status(runs[0]).epoch > 5)
    with pytest.raises(LimitError, match="at most 1 run running and 3 queued"):
        other.submit(endless, small, owner="ann")
    with pytest.raises(RunError, match="Only the person who started this run"):
        other.stop(runs[0], "ben")
    assert other.wait_estimate("ben").allowed and not one.wait_estimate("ann").allowed
    with pytest.raises(AttributeError):
        one.follow(runs[0])
    for run in runs:
        other.stop(run, "ann")
    wait_until(lambda: not one.open_runs())
    assert one.status(runs[0]).state == "stopped"


@pytest.mark.slow
def test_nobody_calls_the_engine_without_the_secret_and_a_process_ends_with_it(served, environment):
    with pytest.raises(AuthenticationError):
        connect(environment | {KEY: secrets.token_hex(32)})
    with subprocess.Popen([sys.executable, "-c", CALLER], stdout=subprocess.PIPE, env=os.environ) as caller:
        assert caller.stdout.readline() == b"connected\n"
        served.send_signal(signal.SIGKILL)
        assert caller.wait(30) == 7
    served.wait(30)
    served.returncode = 0
