"""The widget in a real JupyterLab, driven by a browser: while it trains, interrupted, dark, and in a saved notebook."""

import contextlib
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from tests.chromium import PATIENCE
from tests.network import answers, free_port
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SETUP = """
from sklearn.model_selection import train_test_split
from tsk_core import TSKClassifier, load_dataset
wine = load_dataset("wine")
X, X_test, y, y_test = train_test_split(wine.X, wine.y, test_size=0.3, random_state=0)
"""
CELLS = [
    SETUP,
    "clf = TSKClassifier(n_rules=5, max_epochs=100_000, random_state=0)\nclf.watch(X, y, X_test, y_test)",
    "clf.show(X_test, y_test)",
]
ROOT = Path(__file__).parents[2]
TOKEN = "token"
NEWS = "@jupyterlab/apputils-extension:notification"  # would ask for leave to fetch news


class Lab:
    """JupyterLab on this machine, with nothing but what a test gives it. folder: of its notebooks."""

    def __init__(self, folder):
        self.folder, self.address = folder, f"http://127.0.0.1:{(port := free_port())}"
        own = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
        own |= {
            "IPYTHONDIR": str(folder / "ipython"),
            "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
            "PYTHONPATH": str(ROOT),
        }
        settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        (settings / "notification.jupyterlab-settings").write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
            "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}",
        ]  # fmt: skip
        with (folder / "lab.log").open("w") as log:
            self.process = subprocess.Popen(command, cwd=folder, env=os.environ | own, stdout=log, stderr=log)
        wait_until(lambda: answers(f"{self.address}/api"))

    def save(self, name, cells):
        """Write a notebook with these cells of code."""
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells], metadata=kernel)
        nbformat.write(notebook, self.folder / name)

    def outputs(self, name):
        """The MIME bundles that the file of a notebook holds."""
        cells = json.loads((self.folder / name).read_text())["cells"]
        return [output.get("data", {}) for cell in cells for output in cell["outputs"]]

    def end_kernels(self):
        """End all kernels, as a restart of the machine would."""
        with urllib.request.urlopen(f"{self.address}/api/sessions?token={TOKEN}") as answer:
            for session in json.load(answer):
                address = f"{self.address}/api/sessions/{session['id']}?token={TOKEN}"
                urllib.request.urlopen(urllib.request.Request(address, method="DELETE")).close()

    def open(self, page, name):
        """Open a notebook in the browser."""
        page.goto(f"{self.address}/lab/tree/{name}?token={TOKEN}&reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        return page


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    made = Lab(tmp_path_factory.mktemp("lab"))
    yield made
    made.process.terminate()
    made.process.wait(60)


@pytest.fixture
def page(browser, lab):
    """A page on which no script may fail, and from which no request may leave the machine."""
    context, trouble = browser.new_context(viewport={"width": 1280, "height": 1000}), []
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: trouble.append(str(error.error)))
    local = (lab.address, lab.address.replace("http", "ws"), "data:", "blob:")
    context.on("request", lambda request: None if request.url.startswith(local) else trouble.append(request.url))
    yield context.new_page()
    context.close()
    assert not trouble


def run_all(page):
    """Run all cells, once the kernel is there."""
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()  # before, JupyterLab would ask for a kernel
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()


def interrupt(page):
    page.locator("[data-command='notebook:interrupt-kernel'], [data-jp-item-name='interrupt']").first.click()


def test_a_training_is_watched_interrupted_shown_and_saved(lab, page):
    lab.save("wine.ipynb", CELLS)
    lab.open(page, "wine.ipynb")
    run_all(page)
    first = page.locator(".tsk-notebook").first
    status = first.locator(".tsk-status")
    expect(status).to_contain_text("Training: epoch")
    expect(first.locator(".tsk-view-loss .main-svg").first).to_be_visible()
    seen = status.inner_text()
    expect(status).not_to_have_text(seen)  # the kernel is busy, and the charts go on
    expect(status).to_contain_text("Training: epoch")
    first.get_by_role("tab", name="Rules").click()
    expect(first.locator(".tsk-card").first).to_be_visible()

    interrupt(page)
    expect(status).to_contain_text("Interrupted after")
    expect(page.locator(".tsk-notebook")).to_have_count(2)  # the cell after it runs; no cell shows its view twice
    second = page.locator(".tsk-notebook").nth(1)
    expect(second.locator(".tsk-status")).to_contain_text("Trained for")
    second.get_by_role("tab", name="Samples").click()
    expect(second.locator(".tsk-view-plane canvas").first).to_be_visible()
    expect(first.get_by_role("tab", name="Rules")).to_have_attribute("aria-selected", "true")  # each has a state of its own
    first.get_by_role("tab", name="Training").click()
    first.get_by_role("button", name="Previous epoch").click()
    last = [view.locator(".tsk-epoch").inner_text() for view in (first, second)]
    assert last[0] != last[1]
    expect(page.locator(".jp-RenderedHTML table:visible")).to_have_count(0)  # the copies are hidden

    def saved():
        page.keyboard.press("Control+s")
        page.wait_for_timeout(500)
        with contextlib.suppress(ValueError):  # the file is being written
            return sum("data:image/png;base64," in str(bundle.get("text/html")) for bundle in lab.outputs("wine.ipynb")) == 2
        return False

    wait_until(saved)
    texts = [str(bundle) for bundle in lab.outputs("wine.ipynb")]
    assert sum("widget-view+json" in text for text in texts) == 2


def test_a_saved_notebook_shows_its_copy_where_no_kernel_knows_the_widget(lab, page):
    lab.end_kernels()
    lab.open(page, "wine.ipynb")
    expect(page.get_by_alt_text("Training loss").first).to_be_visible()
    expect(page.get_by_text("Interrupted after").first).to_be_visible()
    expect(page.get_by_text("Error displaying widget")).to_have_count(2)
    expect(page.get_by_text("Error displaying widget").first).to_be_hidden()


def test_the_widget_is_dark_in_a_dark_notebook(lab, page):
    lab.save("iris.ipynb", [SETUP.replace("wine", "iris"), "TSKClassifier(max_epochs=20, random_state=0).watch(X, y)"])
    lab.open(page, "iris.ipynb")
    run_all(page)
    widget = page.locator(".tsk-notebook")
    expect(widget.locator(".tsk-status")).to_contain_text("Finished after 20 epochs")

    def letters():
        return widget.locator(".tsk-view-loss .xtitle").evaluate("(node) => getComputedStyle(node).fill")

    light = letters()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_text("Theme", exact=True).hover()
    page.get_by_text("JupyterLab Dark", exact=True).click()
    wait_until(lambda: widget.evaluate("(node) => node.style.colorScheme") == "dark")
    wait_until(lambda: letters() != light)
