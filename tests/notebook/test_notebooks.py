"""The notebooks of docs/notebooks: they run from top to bottom, and stand in the repository without outputs."""

import warnings
from pathlib import Path

import matplotlib as mpl
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path):
    return nbformat.read(path, nbformat.NO_CONVERT).cells


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch, capsys):
    """In this process, so that it waits for no kernel: each cell as IPython runs it, with the display of its last value."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setitem(mpl.rcParams, "figure.max_open_warning", 0)
    mpl.use("Agg", force=True)
    shell = InteractiveShell()
    for cell in cells(path):
        if cell.cell_type == "code":
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                shell.run_cell(cell.source, store_history=True).raise_error()
    assert "Traceback" not in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS[:1], ids=lambda path: path.stem)
def test_a_notebook_runs_in_a_kernel(path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parents[1]))
    notebook = nbformat.read(path, nbformat.NO_CONVERT)
    done = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert any(cell.get("outputs") for cell in done.cells)


def test_notebooks_have_no_outputs_and_no_long_lines_and_are_valid():
    for path in NOTEBOOKS:
        nbformat.validate(nbformat.read(path, nbformat.NO_CONVERT))
        code = [cell for cell in cells(path) if cell.cell_type == "code"]
        assert not any(cell.outputs or cell.execution_count for cell in code), path.name
        assert max(len(line) for cell in cells(path) for line in cell.source.splitlines()) <= 140, path.name
