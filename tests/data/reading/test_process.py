"""The process that reads files: warm, bounded, replaced when it dies, and gone when its parent is."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from tests.waiting import wait_until
from tsk_core import limits
from tsk_core.data.reading import pool, read_table, warm
from tsk_core.errors import DataError, LimitError, TSKError

CSV = b"a,b,class\n1,5,x\n2,6,y\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory and orphans are looked after by Linux's means")


@pytest.fixture
def own(monkeypatch):
    """A pool of this test's own."""
    fresh = pool._Pool()
    monkeypatch.setattr(pool, "_POOL", fresh)
    yield fresh
    fresh.close()


@pytest.fixture
def stuck(tmp_path):
    """A file that takes for ever: a pipe that nobody writes into."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def asked(path, seconds):
    return {"read_options": {}, "limits": {}, "seconds": seconds, "megabytes": 500, "path": str(path)}


def reads_a_file():
    return len(read_table(CSV).frame) == 2


@linux
def test_repeated_warming_starts_one_process_of_one_thread_that_reads_all_files(own):
    for _ in range(3):
        warm()
    assert len(own._idle) == 1
    pid = own._idle[0].pid
    assert psutil.Process(pid).num_threads() == 1  # it forks
    served = set()
    for _ in range(3):
        served.update(wait_until(lambda: set(psutil.Process(pid).children()) - served))  # waits for a file, or has just read one
        assert reads_a_file()
    assert [process.pid for process in own._idle] == [pid]
    assert len(served) >= 3  # each by a new child
    wait_until(lambda: not any(child.is_running() for child in served))


def test_many_files_at_once_are_read_by_two_processes(own):
    def column(k):
        return read_table(f"a,class\n{k},x\n{k + 1},y\n".encode()).frame["a"].tolist()

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(column, range(16))) == [[k, k + 1] for k in range(16)]
    assert 1 <= len(own._idle) <= 2


def test_a_process_that_died_while_idle_is_replaced(own):
    assert reads_a_file()
    own._idle[0].kill()
    psutil.Process(own._idle[0].pid).wait(10)
    assert reads_a_file()


@linux
def test_a_file_that_takes_too_long_is_refused_and_the_next_is_read(own, stuck):
    assert reads_a_file()
    pid = own._idle[0].pid
    with pytest.raises(LimitError, match="longer than 0.2 s"):
        own.send(asked(stuck, 0.2), b"")
    assert not psutil.pid_exists(pid)
    assert reads_a_file()


def crashed(pid):
    """Crash each child of a process; yields until it ended of that."""
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(pid).children():
            child.send_signal(signal.SIGSEGV)
        yield psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@linux
def test_a_crash_while_reading_is_one_sentence_and_the_next_file_is_read(own, stuck):
    assert reads_a_file()
    process = own._idle[0]

    def crash():
        wait_until(lambda: not own._idle)
        wait_until(lambda: not any(crashed(process.pid)))

    thread = threading.Thread(target=crash)
    thread.start()
    with pytest.raises(DataError, match="cannot be read: it is damaged, or needs more than"):
        own.send(asked(stuck, 60), b"")
    thread.join()
    assert reads_a_file()


@linux
def test_memory_and_quotas_are_those_in_force_when_a_file_is_read(own, monkeypatch):
    content = b"a,b,class\n" + b"1.5,text,x\n2.5,more,y\n" * 90_000
    for variable, limit, said in (("TSK_MAX_PARSE_MB", "60", "MB of memory"), ("TSK_MAX_ROWS", "1000", "Rows")):
        with monkeypatch.context() as bounded, pytest.raises(TSKError, match=said):
            bounded.setenv(variable, limit)
            read_table(content)
    assert len(read_table(content).frame) == 180_000


def cannot_fork(*_, **__):
    raise OSError(errno.EAGAIN, "Resource temporarily unavailable")


@pytest.mark.parametrize("starts", ["fail", "end at once", "are not there"])
def test_failed_starts_are_one_sentence_and_cost_no_later_file_its_process(own, monkeypatch, starts):
    monkeypatch.setattr(pool, "_WAIT", 1)
    with monkeypatch.context() as failing:
        if starts == "fail":
            failing.setattr(subprocess, "Popen", cannot_fork)
        else:
            failing.setattr(sys, "executable", "/bin/false" if starts == "end at once" else "/nowhere/python")
        for _ in range(pool.READERS + 2):
            with pytest.raises(DataError, match="cannot be started"):
                read_table(CSV)
    wait_until(lambda: not any(process.is_alive() for process in own._idle))  # the replacement started meanwhile ends too
    assert all(reads_a_file() for _ in range(pool.READERS + 2))


@linux
def test_a_replacement_that_cannot_start_hides_no_answer_and_costs_no_later_file_its_process(own, monkeypatch, stuck):
    monkeypatch.setattr(pool, "_WAIT", 1)
    for _ in range(pool.READERS + 1):
        assert reads_a_file()
        with monkeypatch.context() as failing:
            failing.setattr(subprocess, "Popen", cannot_fork)
            with pytest.raises(LimitError, match="longer than 0.1 s"):
                own.send(asked(stuck, 0.1), b"")
    assert reads_a_file()


def test_waiting_too_long_for_a_process_is_an_error(own, monkeypatch):
    monkeypatch.setattr(pool, "_WAIT", 0.01)
    for _ in range(2):
        own._free.acquire()
    with pytest.raises(LimitError, match="try again"):
        read_table(CSV)


def test_a_larger_file_has_more_time_and_memory():
    small, large = limits.for_file(1), limits.for_file(80)
    assert small == {name: limits.value(name) for name in small}
    assert large == {name: 4 * value for name, value in small.items()}


PARENT = """
import os, signal, sys, threading
from tsk_core.data.reading import pool, read_table
read_table(b"a,b,class\\n1,5,x\\n2,6,y\\n")
print(pool._POOL._idle[0].pid, flush=True)
if len(sys.argv) > 1:
    request = {"read_options": {}, "limits": {}, "seconds": 100, "megabytes": 500, "path": sys.argv[1]}
    threading.Thread(target=pool._POOL.send, args=(request, b""), daemon=True).start()
    while pool._POOL._idle:
        pass
    threading.Event().wait(0.3)
os.kill(os.getpid(), signal.SIGKILL)
"""


@linux
@pytest.mark.slow
@pytest.mark.parametrize("busy", [False, True])
def test_the_process_ends_when_its_parent_is_killed(busy, stuck):
    command = [sys.executable, "-c", PARENT, *([str(stuck)] if busy else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # waits for whoever holds its output
    assert done.returncode == -signal.SIGKILL, done.stderr
    group = int(done.stdout)
    wait_until(lambda: not [p for p in psutil.process_iter() if same_group(p, group)])


def same_group(process, group):
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.Error):
        return False


@pytest.mark.slow
def test_the_command_line_leaves_no_process_and_prints_nothing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(CSV)
    code = f"from tsk_core.data.reading import pool, read_table; read_table({str(path)!r}); print(pool._POOL._idle[0].pid)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert not psutil.pid_exists(int(done.stdout))


def test_the_process_starts_and_reads_files_without_pandas():
    code = (
        "import io, sys; from tsk_core.data.reading import ReadOptions, process;"
        "print({'pandas', 'sklearn', 'scipy', 'torch'} & set(sys.modules)); process.leave_out_pandas();"
        "from tsk_core.data.reading.process import parse; parsed = parse(io.BytesIO(b'a,b\\n1.5,x\\n2.5,y\\n'), ReadOptions());"
        "print(parsed.table.num_rows, 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["set()", "2 False"]
