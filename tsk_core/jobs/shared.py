"""One engine for several processes of this machine: one process has it, the others call it.

``python -m tsk_core.jobs.shared SOCKET`` is the process that has it, as long as its parent wants it. SOCKET: the path of a socket
that it makes, in a folder that only this account can enter, or on Windows the name of a pipe.
TSK_ENGINE_KEY: a secret that callers have to know as well.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.managers import BaseManager, MakeProxyType  # type: ignore[attr-defined]  # typeshed lacks it
from typing import Any

from tsk_core.errors import RunError
from tsk_core.jobs.engine import Engine
from tsk_core.runs.result import Result
from tsk_core.runs.store import RunStore
from tsk_core.runtime.child_process import wait_for_parent

SOCKET, KEY = "TSK_ENGINE", "TSK_ENGINE_KEY"  # environment variables of a process that shares an engine
_CALLS = (
    "submit", "submit_task", "stop", "pause", "step", "resume", "slow_down", "watch", "keep",
    "wait_estimate", "open_runs", "workers", "status", "records", "lines", "head", "history", "tell", "told", "block",
)  # fmt: skip


class _Served(Engine):
    """The engine as the others call it."""

    def block(self) -> None:
        """Return never: a caller that waits for it learns when this process ends."""
        threading.Event().wait()


class _Manager(BaseManager):
    """Connections to the process that has the engine; each thread that calls has one of its own."""


_Manager.register("engine", proxytype=MakeProxyType("EngineProxy", _CALLS), callable=lambda: _engine[0])
_engine: list[Engine] = []


def _end_this_process() -> None:
    signal.raise_signal(signal.SIGTERM)


class SharedEngine:
    """The engine of another process: the calls of ``Engine`` and its ``store``, but for ``follow``. Any thread may call.

    on_end: called where that process ends. By default this one ends too (SIGTERM), since no page could go on.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ, on_end: Callable[[], None] = _end_this_process) -> None:
        manager = _Manager(environment[SOCKET], bytes.fromhex(environment[KEY]))
        try:
            manager.connect()
        except OSError as error:
            raise RunError("The process that trains does not answer; start the server again.") from error
        self.store = RunStore(recover=False)
        self._engine: Any = manager.engine()  # type: ignore[attr-defined]  # registered below its class
        threading.Thread(target=self._wait_for_end, args=(on_end,), name="tsk-engine", daemon=True).start()

    @staticmethod
    def is_there() -> bool:
        """Whether this process was started to share an engine."""
        return SOCKET in os.environ

    def __getattr__(self, name: str) -> Any:
        if name not in _CALLS:
            raise AttributeError(name)
        return getattr(self._engine, name)

    def result(self, run: str, timeout: float | None = None) -> Result:
        """As of ``Engine``; what the run left is read here, not sent."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self.status(run).ended and (deadline is None or time.monotonic() < deadline):
            time.sleep(0.2)
        return self.store.result(run)

    def close(self) -> None:
        """Nothing: the engine is others' too."""

    def _wait_for_end(self, on_end: Callable[[], None]) -> None:
        try:
            self._engine.block()
        except (EOFError, OSError):
            on_end()


def main() -> None:
    """Serve an engine until the process that started this one closes its input, or is gone."""
    _engine.append(_Served())
    server = _Manager(sys.argv[1], bytes.fromhex(os.environ[KEY])).get_server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", flush=True)
    wait_for_parent()
    _engine.pop().close()


if __name__ == "__main__":
    main()
