"""Child processes: ready, exchange, deadlines, and an end with the parent, whatever they and their parent do."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.waiting import wait_until
from tsk_core.runtime.child_process import ChildError, ChildProcess

ROOT = str(Path(__file__).parents[2])
CHILD = "tests.runtime.child"
# Starts a child, says which, and waits to be killed. With "fork", a fork of it holds the other end of the child's input open.
PARENT = f"""
import os, sys, time
from tsk_core.runtime.child_process import ChildProcess
child = ChildProcess("{CHILD}", "work")
child.wait_until_ready(60)
if "fork" in sys.argv and not os.fork():
    time.sleep(100)
print(child.pid, flush=True)
time.sleep(100)
"""


@pytest.fixture
def start():
    """Starts children, and closes them at the end."""
    started = []

    def start(*arguments, **options):
        started.append(ChildProcess(CHILD, *arguments, **options))
        return started[-1]

    yield start
    for child in started:
        child.close()
        assert not child.is_alive()


def test_it_says_that_it_is_ready_and_answers(start):
    child = start("echo")
    assert child.wait_until_ready(60) == b"ready"
    for word in (b"one", b"other"):
        with child.deadline(60):
            child.write(word, b"\n")
            assert child.read_line() == word


def test_one_that_ends_before_it_is_ready_is_said_with_its_status_and_the_last_line_of_its_log(start, capfd):
    with pytest.raises(ChildError, match="^ended with status 3: it has no oil$") as failed:
        start("fail").wait_until_ready(60)
    assert failed.value.what == "ended with status 3" and not failed.value.late
    assert capfd.readouterr().err == "it has no fuel\nit has no oil\n"


def test_the_log_of_a_quiet_one_is_not_passed_on(start, capfd):
    with pytest.raises(ChildError, match="it has no oil"):
        start("fail", quiet=True).wait_until_ready(60)
    assert capfd.readouterr().err == ""


def test_one_that_is_killed_is_said_with_the_signal(start):
    child = start("echo")
    child.wait_until_ready(60)
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(ChildError, match="^was ended by SIGKILL$"), child.deadline(60):
        child.write(b"word\n")
        child.read_line()


def test_one_that_takes_too_long_is_killed_with_what_it_started(start):
    child = start("spawn")
    grandchild = psutil.Process(int(child.wait_until_ready(60)))
    with pytest.raises(ChildError, match="^took longer than 0 s$") as failed, child.deadline(0.1):
        child.read_line()
    assert failed.value.late
    wait_until(lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE, seconds=10)


def test_one_whose_answer_is_wrong_is_killed(start):
    child = start("echo")
    child.wait_until_ready(60)
    with pytest.raises(ChildError, match="^gave no complete answer$"), child.deadline(60):
        raise ValueError("not what was asked for")
    assert not child.is_alive()


def test_closing_ends_one_that_works_at_once_and_kills_one_that_does_not_end(start):
    child = start("work")
    child.wait_until_ready(60)
    deadline = time.monotonic() + 10
    child.close(30)
    assert time.monotonic() < deadline
    child = start("deaf")
    child.wait_until_ready(60)
    child.close(0.1)
    assert not child.is_alive()


def test_one_that_cannot_be_started_is_said(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ChildError, match="cannot be started .no such file or directory"):
        ChildProcess(CHILD)


@pytest.mark.parametrize("fork", [pytest.param([], marks=pytest.mark.slow), ["fork"]])
def test_it_ends_within_ten_seconds_of_a_parent_that_is_killed(fork):
    with subprocess.Popen([sys.executable, "-c", PARENT, *fork], stdout=subprocess.PIPE, cwd=ROOT) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        forks = [process for process in psutil.Process(parent.pid).children() if process != child]
        assert len(forks) == len(fork)
        parent.kill()
        try:
            wait_until(lambda: not child.is_running(), seconds=10)
        finally:
            for process in forks:
                process.kill()


def test_a_module_that_knows_nothing_of_it_ends_with_its_parent(tmp_path):
    (tmp_path / "sleeper.py").write_text("import sys, time\nprint(sys.argv[1:], flush=True)\ntime.sleep(100)\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", path)
        child = ChildProcess("tsk_core.runtime.child_process", "sleeper", "a", "b")
    assert child.wait_until_ready(60) == b"['a', 'b']"
    child.close(10)
    assert not child.is_alive()
