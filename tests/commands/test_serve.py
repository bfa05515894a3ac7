"""``tsk-explorer`` and ``python -m tsk_core serve``: the same server, from a checkout or from an installed wheel."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from tests.browser.helpers import run_of, train_to_the_end
from tests.chromium import running
from tests.network import answers, free_port, two_free_ports
from tests.waiting import wait_until
from tsk_core import __main__, limits
from tsk_core.commands import serve
from tsk_core.runtime.child_process import ChildError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def started(monkeypatch):
    """The command and the environment of the server; nothing is started."""
    calls = []
    monkeypatch.setattr(os, "execve", lambda path, command, environment: calls.append((command, environment)))
    return calls


@pytest.mark.parametrize("main", [serve.main, lambda options: __main__.main(["serve", *options])])
def test_both_commands_start_the_server_of_the_checkout(main, started):
    main(["--port", "8123", "--address", "0.0.0.0"])
    command, environment = started[0]
    assert command[:3] == [sys.executable, "-m", "ui.platform.web.server"]
    assert environment["PYTHONPATH"].split(os.pathsep)[0] == str(ROOT)
    assert {"--server.port=8123", "--server.address=0.0.0.0"} <= set(command)


def test_only_this_machine_is_served_unless_another_address_is_given(started):
    serve.main([])
    assert {"--server.port=8501", "--server.address=localhost"} <= set(started[0][0])


@pytest.mark.parametrize("number", ["0", "65", "-1", "x", "1.5"])
def test_what_is_no_number_of_processes_is_refused(number, started, capsys):
    with pytest.raises(SystemExit):
        serve.main([f"--processes={number}"])
    assert "is not a number of processes; give one from 1 to 64" in capsys.readouterr().err
    assert not started


@pytest.fixture
def two_processes(tmp_path):
    """``serve --processes 2``: its process, and the addresses of the two."""
    port = two_free_ports()
    command = [sys.executable, "-m", "tsk_core", "serve", "--processes", "2", "--port", str(port), "--address", "127.0.0.1"]
    environment = os.environ | {"TSK_RUNS_DIR": str(tmp_path / "runs"), "TSK_WORKERS": "1", "STREAMLIT_SERVER_HEADLESS": "true"}
    with (tmp_path / "log").open("w") as log:
        process = psutil.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    addresses = [f"http://127.0.0.1:{port + number}" for number in range(2)]
    try:
        wait_until(lambda: all(answers(f"{address}/_stcore/health") for address in addresses))
        yield process, addresses
    finally:
        children = process.children(recursive=True) if process.is_running() else []
        process.terminate()
        process.wait(60)
        assert not psutil.wait_procs(children, timeout=20)[1]


def trained_at(page, address):
    """The run that is trained on a page of the server at this address."""
    page.goto(f"{address}/?epochs=3")
    train_to_the_end(page)
    return run_of(page)


@pytest.mark.slow
def test_several_processes_keep_to_the_bounds_of_one_together_and_none_is_left_where_nobody_visited(two_processes):
    process, _ = two_processes
    pages = [child.environ() for child in process.children() if "ui.platform.web.server" in child.cmdline()]
    assert [2 * int(page[limits.LIMITS["tables_mb"].variable]) for page in pages] == 2 * [limits.value("tables_mb")]
    children = process.children(recursive=True)
    process.kill()
    assert not psutil.wait_procs(children, timeout=20)[1]


@pytest.mark.slow
def test_several_processes_show_the_same_runs_and_end_together(two_processes):
    process, (one, other) = two_processes
    with running() as browser:
        page = browser.new_page()
        run = trained_at(page, one)
        page.goto(f"{other}/?run={run}")
        page.get_by_text("Finished in").wait_for(timeout=60_000)
        (killed,) = (child for child in process.children() if f"--server.port={one.rpartition(':')[2]}" in child.cmdline())
        killed.kill()
        wait_until(lambda: not answers(f"{one}/_stcore/health"))
        wait_until(lambda: answers(f"{one}/_stcore/health"))  # it is started again
        assert trained_at(page, one) != trained_at(page, other)
    children = process.children(recursive=True)
    process.kill()
    assert not psutil.wait_procs(children, timeout=30)[1]


class Mortal:
    """A server's process that ends when the test says so."""

    def __init__(self):
        self.alive = True

    def is_alive(self):
        return self.alive

    def failure(self):
        return ChildError("ended with status 1")


@pytest.fixture
def lives():
    """The processes that ``server`` started."""
    return []


@pytest.fixture
def server(lives):
    def start():
        lives.append(Mortal())
        return lives[-1]

    return serve.Server("server on port 8501", start)


def starts(server, lives, seconds, life=0):
    """The whole seconds at which the server is started, where each process lives for ``life`` seconds."""
    found, born = [], 0
    for now in range(seconds):
        if lives and now - born >= life:
            lives[-1].alive = False
        before = len(lives)
        server.check(now)
        if len(lives) > before:
            found.append(now)
            born = now
    return found


def test_a_server_that_ends_again_and_again_is_started_later_and_later(server, lives):
    gaps = np.diff(starts(server, lives, 600))
    assert gaps[:7].tolist() == [1, 2, 3, 5, 9, 17, 33]  # each end is seen a second after the start
    assert set(gaps[7:]) == {61} and len(gaps) < 16


def test_each_end_of_a_server_is_one_line(server, lives, capsys):
    starts(server, lives, 4)
    assert capsys.readouterr().err.splitlines() == [
        "error: The server on port 8501 ended with status 1; restarting it now.",
        "error: The server on port 8501 ended with status 1; restarting it in 1 s.",
    ]


def test_a_server_that_cannot_be_started_is_tried_again(capsys):
    def start():
        raise ChildError("cannot be started (cannot allocate memory)")

    server = serve.Server("server on port 8501", start)
    for now in range(60):
        server.check(now)
    assert 2 < len(capsys.readouterr().err.splitlines()) < 10


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x", "8501.5"])
def test_what_is_no_port_is_refused(port, started, capsys):
    with pytest.raises(SystemExit):
        serve.main([f"--port={port}"])
    assert "is not a port; give a number from 1 to 65535" in capsys.readouterr().err
    assert not started


@pytest.mark.parametrize(
    ("arguments", "variable", "sentence"),
    [
        (["--port=65534", "--processes=4"], "7", "4 processes need as many ports from --port on; choose one of at most 65532."),
        ([], "ten", "The environment variable TSK_MAX_RULES is 'ten'"),
    ],
)
def test_what_would_fail_after_the_start_is_refused_before_it(arguments, variable, sentence, started, monkeypatch, capsys):
    monkeypatch.setenv("TSK_MAX_RULES", variable)
    assert serve.main(arguments) == 1
    assert capsys.readouterr().err.startswith(f"error: {sentence}")
    assert not started


def test_a_library_without_the_app_says_how_to_install_it(started, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(serve, "__file__", str(tmp_path / "tsk_core" / "serve.py"))
    assert serve.main([]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: The app's files are missing") and error.count("\n") == 1
    assert not started


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder that the wheel of this checkout was installed into, without its dependencies."""
    work = tmp_path_factory.mktemp("wheel")
    source, target = work / "source", work / "target"
    source.mkdir()
    files = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE", "app.py")
    for name in (*files, "MANIFEST.in", ".streamlit", "pages", "ui", "study", "tsk_core", "tsk_study"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(source)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def address(installed, tmp_path):
    """The address of the installed app, started in a folder whose files have the names of modules."""
    for name in ("ui", "pages", "statistics", "torch", "tsk_core", "tsk_study"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} was imported from the current folder')")
    port = free_port()
    environment = os.environ | {"PYTHONPATH": str(installed), "TSK_WORKERS": "1", "STREAMLIT_SERVER_HEADLESS": "true"}
    command = [installed / "bin" / "tsk-explorer", "--port", str(port), "--address", "127.0.0.1"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 60
        while not answers(f"http://127.0.0.1:{port}/_stcore/health"):
            assert process.poll() is None and time.monotonic() < deadline, (tmp_path / "log").read_text()
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        children = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        process.wait(30)
        assert not psutil.wait_procs(children, timeout=10)[1]


def files(folder):
    """All files but those that Python itself keeps."""
    return sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)


def visited(browser, address):
    """Train, and look at the list of runs; what was fetched, as pairs of path and status."""
    page = browser.new_page(base_url=address)
    fetched = []
    page.on("response", lambda response: fetched.append((response.url.removeprefix(address), response.status)))
    page.goto("/")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_text("Finished in").wait_for()
    page.locator(".tsk-stage canvas").first.wait_for()
    page.get_by_role("tab", name="Training", exact=True).click()
    page.locator(".js-plotly-plot").first.wait_for()
    page.goto("/paper?values=Paper")
    page.get_by_text("Table II of the paper").wait_for()  # its numbers are in a file of the wheel
    page.goto("/runs")
    page.locator("td", has_text="iris").first.wait_for(state="attached")  # the table itself is drawn on a canvas
    page.close()
    return fetched


@pytest.mark.slow
def test_an_installed_app_serves_its_pages_from_any_folder_and_writes_only_there(installed, address, tmp_path):
    before = files(installed)
    with running() as browser:
        fetched = visited(browser, address)
    ours = {path: status for path, status in fetched if path.startswith("/app/static/")}
    assert {"client.js", "plotly-cartesian.min.js"} <= {path.partition("?")[0].rsplit("/", 1)[1] for path in ours}
    assert set(ours.values()) <= {200, 304}
    assert files(installed) == before
    assert (tmp_path / "runs" / "runs.sqlite").exists()
