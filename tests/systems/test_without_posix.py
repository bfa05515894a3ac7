"""TSK Explorer where Python has no POSIX, as on Windows: the library, the command line, and the app in a real browser.

``without_posix/sitecustomize.py`` hides modules and functions from this project's code, in every process that takes part. What
else is different on Windows is not seen here: no test of this project has run there.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect
from sklearn.datasets import load_iris, load_wine

from tests.browser.conftest import serving
from tests.browser.helpers import button, choice, choose, live_metric, progress, rules, stop, train_to_the_end, upload
from tests.browser.test_explore import LONG
from tests.tables import pets
from tests.waiting import wait_until
from tsk_core.runtime.child_process import ChildError, ChildProcess

ROOT = Path(__file__).parents[2]
HIDING = {"PYTHONPATH": f"{ROOT / 'tests' / 'systems' / 'without_posix'}{os.pathsep}{ROOT}", "PYTHONWARNDEFAULTENCODING": "1"}
IMPORT_ALL = """
import importlib, os, pkgutil, sys
import tsk_core, ui
for package in (tsk_core, ui):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith(("__main__", "jobs.preload", "wsgi")):
            importlib.import_module(module.name)
from tsk_core.runtime import child_process
from tsk_core.data.reading import process
assert not hasattr(child_process.os, "killpg") and not hasattr(process.os, "fork"), "nothing is hidden"
assert hasattr(os, "fork"), "too much is hidden"
"""
LIBRARY = """
from tsk_core import TSKClassifier, read_csv
data = read_csv("flowers.csv", "species")
classifier = TSKClassifier(random_state=0, max_epochs=20).fit(data.X, data.y)
classifier.save("flowers.safetensors")
print(TSKClassifier.load("flowers.safetensors").score(data.X, data.y), "IF" in str(classifier.rules(3)))
"""


@pytest.fixture
def work(tmp_path):
    """A folder with a table."""
    iris = load_iris(as_frame=True)
    iris.frame.assign(species=iris.target_names[iris.target]).drop(columns="target").to_csv(tmp_path / "flowers.csv", index=False)
    return tmp_path


def python(work, *arguments, **variables):
    """What a Python process without POSIX prints; its output is a pipe, which has another encoding on Windows."""
    environment = os.environ | HIDING | {"PYTHONIOENCODING": "cp1252", "TSK_RUNS_DIR": str(work / "runs")} | variables
    done = subprocess.run([sys.executable, *arguments], cwd=work, env=environment, capture_output=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode()


@pytest.mark.slow
def test_every_module_can_be_imported_and_the_library_reads_trains_and_saves(work):
    score, has_rules = python(work, "-c", IMPORT_ALL + LIBRARY).split()
    assert float(score) > 0.9 and has_rules == "True"


@pytest.mark.slow
def test_the_command_line_trains_and_writes_what_it_says_in_utf_8(work):
    command = ("-m", "tsk_core", "train", "flowers.csv", "--target", "species", "--epochs", "20", "--json")
    assert json.loads(python(work, *command).splitlines()[-1])["rca"] > 0.8
    assert "λ" in python(work, "-m", "tsk_core", "train", "--help")


@pytest.fixture
def hidden(monkeypatch):
    """Processes that this one starts are without POSIX; its own module of child processes, too, as the test chooses."""
    for name, value in HIDING.items():
        monkeypatch.setenv(name, value)


def test_a_child_process_ends_with_its_parent_and_is_killed_with_what_it_started(hidden, monkeypatch):
    with ChildProcess("tests.runtime.child", "work") as child:
        child.wait_until_ready(60)
    assert not child.is_alive()
    monkeypatch.delattr(os, "killpg")
    with ChildProcess("tests.runtime.child", "spawn") as child:
        grandchild = psutil.Process(int(child.wait_until_ready(60)))
        with pytest.raises(ChildError, match="^took longer than 0 s$"), child.deadline(0.1):
            child.read_line()
    wait_until(lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE, seconds=10)


def test_a_child_process_that_takes_too_much_memory_is_killed_where_the_system_sets_no_limit(monkeypatch):
    monkeypatch.setattr("tsk_core.runtime.child_process.SYSTEM_LIMITS_MEMORY", False)
    with ChildProcess("tests.runtime.child", "grow") as child:
        child.wait_until_ready(60)
        with pytest.raises(ChildError, match="^was ended by SIGKILL$"), child.deadline(60, megabytes=200):
            child.write(b"grow\n")
            child.read_line()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_study_computes_and_goes_on(work):
    folder = work / "data"
    folder.mkdir()
    frame = load_wine(as_frame=True).frame.rename(columns={"target": "class"})
    frame = frame.iloc[::4]
    frame.assign(**{"class": "c" + frame["class"].astype(str)}).to_csv(folder / "vehicle.csv", index=False)
    algorithms = "CART,TSK-FCM-LSE"
    command = ("-m", "tsk_core", "study", "--datasets", "vehicle", "--algorithms", algorithms, "--out", "out", "--no-figures")
    for splits in ("1", "2"):
        python(work, *command, "--splits", splits, "--workers", "2", TSK_DATA_DIR=str(folder))
        assert len((work / "out" / "results.csv").read_text().splitlines()) == 1 + 2 * int(splits)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of the app, as ``tsk-explorer`` serves it where no process can be replaced by another."""
    command = ["-m", "tsk_core", "serve", "--address", "127.0.0.1", "--port"]
    with serving(tmp_path_factory.mktemp("app"), command, HIDING) as address:
        yield address


@pytest.mark.slow
@pytest.mark.browser
def test_the_app_reads_a_file_trains_shows_and_stops(visit):
    page = visit("/?rules=3&epochs=30")
    choose(page, "Data", "Your table (upload)")
    upload(page, "my pets.csv", pets())
    expect(choice(page, "Target column")).to_have_value("species")
    train_to_the_end(page)
    expect(page.locator(".tsk-stage canvas").first).to_be_visible()
    expect(rules(page).first).to_have_text(re.compile("THEN (cat|dog)$"))
    page = visit(f"/?{LONG}")
    button(page, "Train").click()
    expect(live_metric(page, "Epoch")).to_have_text(re.compile(r"^[1-9]"))
    stop(page)
    expect(progress(page)).to_contain_text("Stopped")
