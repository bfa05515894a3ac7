"""The app in a process of its own, and a browser that tells on it: no request may leave the machine, no error be logged."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import psutil
import pytest

import tsk_core
from tests.chromium import PATIENCE, browser
from tests.network import answers, free_port

__all__ = ["browser", "command_line", "folder", "page", "server", "serving", "visit"]

ROOT = Path(tsk_core.__file__).parents[1]
LOCAL = ("127.0.0.1", "localhost")


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    """Where the app keeps its runs, in ``runs``, and its log."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="package")
def server(folder, browser):
    """The address of the app."""
    command = ["-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.address", "127.0.0.1", "--server.port"]
    with serving(folder, command) as address:
        yield address


@contextmanager
def serving(folder, command, variables=MappingProxyType({})):
    """The address of the app; at the end it has to take all its processes along.

    folder: for its runs and its log. command: Python's arguments, but for the port. variables: of its environment.
    """
    port = free_port()
    environment = os.environ | {"TSK_RUNS_DIR": str(folder / "runs"), "TSK_WORKERS": "1"} | variables
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen([sys.executable, *command, str(port)], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        _wait_for_health(process, f"http://127.0.0.1:{port}/_stcore/health", folder / "server.log")
        yield f"http://127.0.0.1:{port}"
        children = psutil.Process(process.pid).children(recursive=True)
        log = (folder / "server.log").read_text()
        process.terminate()
        process.wait(30)
        _, left = psutil.wait_procs(children, timeout=10)
        assert not left, "the app left processes behind"
        assert "The page failed" not in log, log
    finally:
        _end(process)


@pytest.fixture
def command_line(folder):
    """A function that runs ``python -m tsk_core`` on the app's runs, and returns what it writes."""

    def command_line(*arguments):
        environment = os.environ | {"TSK_RUNS_DIR": str(folder / "runs")}
        command = [sys.executable, "-m", "tsk_core", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout

    return command_line


class Trouble(list):
    """What a browser noticed that no visit may have."""

    def watch(self, visitor):
        """Note what happens in a browser's context from now on."""
        visitor.on("request", self._request)
        visitor.on("requestfailed", self._failure)
        visitor.on("response", self._response)
        visitor.on("console", self._message)
        visitor.on("dialog", self._dialog)
        visitor.on("weberror", lambda error: self.append(f"script: {error.error}"))

    def socket(self, socket):
        if urlsplit(socket.url).hostname not in LOCAL:
            self.append(f"left the machine: {socket.url}")

    def _request(self, request):
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname not in LOCAL:
            self.append(f"left the machine: {request.url}")

    def _failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # by the browser itself, where it leaves a page
            self.append(f"failed: {request.url} {request.failure}")

    def _response(self, response):
        if response.status >= 400:
            self.append(f"status {response.status}: {response.url}")

    def _message(self, message):
        if message.type == "error":
            self.append(f"console: {message.text} {message.location}")

    def _dialog(self, dialog):
        self.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def visit(browser, server):
    """A function that opens a path of the app as a visitor of its own; what the browser noticed is judged at the end."""
    visitors, trouble = [], Trouble()

    def visit(path="/", **options):
        visitor = browser.new_context(base_url=server, **options)
        visitor.set_default_timeout(PATIENCE)
        visitors.append(visitor)
        trouble.watch(visitor)
        page = visitor.new_page()
        page.on("websocket", trouble.socket)
        page.goto(path)
        return page

    yield visit
    for visitor in visitors:
        visitor.close()
    assert not trouble


@pytest.fixture
def page(visit):
    """The app as a new visitor sees it."""
    return visit()


def _wait_for_health(process, address, log, seconds=60):
    deadline = time.monotonic() + seconds
    while not answers(address):
        assert process.poll() is None and time.monotonic() < deadline, f"the app does not start:\n{log.read_text()}"
        time.sleep(0.05)


def _end(process):
    """Whatever happened, nothing stays."""
    if process.poll() is None:
        children = psutil.Process(process.pid).children(recursive=True)
        for left in [psutil.Process(process.pid), *children]:
            left.kill()
        process.wait()
