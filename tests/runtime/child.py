"""``python -m tests.runtime.child KIND``: a child process for test_child_process.py, of the kind that a test needs."""

import subprocess
import sys
import time

from tsk_core.runtime.child_process import end_with_parent, requests


def echo():
    """Answers with what it was asked."""
    print("ready", flush=True)
    for line in sys.stdin:
        print(line, end="", flush=True)


def fail():
    """Says why, and ends."""
    print("it has no fuel", file=sys.stderr)
    print("it has no oil", file=sys.stderr)
    sys.exit(3)


def spawn():
    """Starts another process, and never answers."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    print(process.pid, flush=True)
    time.sleep(100)


def work():
    """Is busy, but ends with its parent."""
    end_with_parent()
    print("ready", flush=True)
    while True:
        sum(range(1000))


def grow():
    """Takes 800 MB when it is asked to, and keeps them."""
    print("ready", flush=True)
    next(requests())
    taken = bytes(800_000_000).replace(b"\0", b"1")
    time.sleep(100)
    print(len(taken))


def deaf():
    """Does not notice that its input ends."""
    print("ready", flush=True)
    time.sleep(100)


if __name__ == "__main__":
    {"echo": echo, "fail": fail, "spawn": spawn, "work": work, "deaf": deaf, "grow": grow}[sys.argv[1]]()
