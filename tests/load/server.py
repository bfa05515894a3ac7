"""The app in a process of its own, on a free port of this machine, with a folder of runs of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

import tsk_core
from tests.network import answers, free_port
from tests.proxy import SECRET, Proxy

ROOT = Path(tsk_core.__file__).parents[1]
START_SECONDS = 60
SERVE = ("-m", "tsk_core", "serve", "--address", "127.0.0.1", "--port")


class Server:
    """The app, from ``start`` to ``end``; it may be killed and started again on the same folder.

    folder: gets ``runs/`` and ``server.log``. processes: that draw pages; more than one stand behind nginx. command: Python's
    arguments, but for the port, where it is not started as usual. environment: more variables, such as TSK_WORKERS="2".
    """

    def __init__(self, folder: Path, processes: int = 1, command: Sequence[str] | None = None, **environment: str) -> None:
        self.folder, self.runs, self.log = folder, folder / "runs", folder / "server.log"
        self._environment = os.environ | {"TSK_RUNS_DIR": str(self.runs), "TSK_PROXY_SECRET": SECRET} | environment
        self._port, self._processes, self._command = free_port(), processes, command or SERVE
        self._process: subprocess.Popen | None = None
        self._apps = [f"http://127.0.0.1:{self._port + number}" for number in range(processes)]
        self._proxy = Proxy(folder / "nginx", self._apps, https=False) if processes > 1 else None
        self.address = self._proxy.address if self._proxy else self._apps[0]

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def start(self) -> None:
        """Start the app and wait until it answers."""
        command = [*self._command, str(self._port)]
        if self._proxy:
            self._proxy.start()
            several = ["--processes", str(self._processes)]
            command = ["-m", "tsk_core", "serve", *several, "--address", "127.0.0.1", "--port", str(self._port)]
        environment = self._environment | {"STREAMLIT_SERVER_HEADLESS": "true"}
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, *command], cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while not all(answers(f"{app}/_stcore/health") for app in self._apps):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The app does not start:\n{self.log.read_text()}")
            time.sleep(0.05)

    @property
    def process(self) -> psutil.Process:
        """The app's own process."""
        return psutil.Process(self._process.pid)

    def parts(self) -> dict[str, list[psutil.Process]]:
        """The app's processes, see ``parts_of``."""
        return parts_of(self.process)

    def kill(self) -> list[psutil.Process]:
        """Kill -9 the app alone, and return the processes that it leaves for a moment."""
        children = self.process.children(recursive=True)
        self._process.kill()
        self._process.wait()
        return children

    def end(self) -> list[psutil.Process]:
        """End the app as Ctrl-C does; returns the processes it left behind (and kills them)."""
        if self._proxy:
            self._proxy.end()
        if self._process is None or self._process.poll() is not None:
            return []
        children = self.process.children(recursive=True)
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        left = gone(children, 10)
        for process in left:
            process.kill()
        return left


def parts_of(process: psutil.Process) -> dict[str, list[psutil.Process]]:
    """A process that has an Engine, and those below it, by what they do: app, cluster, workers, others."""
    found: dict[str, list[psutil.Process]] = {"app": [process], "engine": [], "cluster": [], "workers": [], "others": []}
    for child in process.children(recursive=True):
        try:
            found[_part(child.cmdline(), child.parent())].append(child)
        except psutil.Error:  # ended while we looked
            continue
    return found


def gone(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Wait up to ``seconds`` for processes to end; returns those that did not."""
    return psutil.wait_procs(processes, timeout=seconds)[1]


def memory_mb(processes: list[psutil.Process]) -> float:
    """Resident memory, summed."""
    return sum(process.memory_info().rss for process in processes) / 1e6


def _part(command: list[str], parent: psutil.Process | None) -> str:
    for part, word in (
        ("cluster", "tsk_core.jobs.cluster"),
        ("engine", "tsk_core.jobs.shared"),
        ("app", "ui.platform.web.server"),
    ):
        if word in command:
            return part
    in_cluster = parent is not None and "tsk_core.jobs.cluster" in parent.cmdline()
    return "workers" if in_cluster and any("spawn_main" in word for word in command) else "others"
