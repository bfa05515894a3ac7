"""The app in a process of its own, and a browser that tells on it: no request may leave the machine, no error be logged."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

import tsk_core
from tests.chromium import PATIENCE, browser
from tests.network import answers, free_port

__all__ = ["browser", "command_line", "folder", "page", "server", "visit"]

ROOT = Path(tsk_core.__file__).parents[1]
LOCAL = ("127.0.0.1", "localhost")


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    """Where the app keeps its runs, in ``runs``, and its log."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="package")
def server(folder, browser):
    """The address of the app; at the end it has to take all its processes along."""
    port = free_port()
    command = ["-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.address", "127.0.0.1"]
    environment = os.environ | {"TSK_RUNS_DIR": str(folder / "runs"), "TSK_WORKERS": "1"}
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *command, "--server.port", str(port)], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
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


@pytest.fixture
def visit(browser, server):
    """A function that opens a path of the app as a visitor of its own; what the browser noticed is judged at the end."""
    visitors, trouble = [], []

    def note_request(request):
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname not in LOCAL:
            trouble.append(f"left the machine: {request.url}")

    def note_socket(socket):
        if urlsplit(socket.url).hostname not in LOCAL:
            trouble.append(f"left the machine: {socket.url}")

    def note_message(message):
        # On a page other than the first, Streamlit looks for its server below the page's own address before it looks above.
        looks = "404" in message.text and re.search(r"/[a-z]+/_stcore/", message.location.get("url", ""))
        if message.type == "error" and not looks:
            trouble.append(f"console: {message.text} {message.location}")

    def note_dialog(dialog):
        trouble.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def visit(path="/", **options):
        visitor = browser.new_context(base_url=server, **options)
        visitor.set_default_timeout(PATIENCE)
        visitors.append(visitor)
        visitor.on("request", note_request)
        visitor.on("console", note_message)
        visitor.on("dialog", note_dialog)
        visitor.on("weberror", lambda error: trouble.append(f"script: {error.error}"))
        page = visitor.new_page()
        page.on("websocket", note_socket)
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
