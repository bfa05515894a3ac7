"""Which Pythons and which versions the files of the repository name, and what ``make`` does with them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import tsk_core
from tests.requirements import lowest, pins, ranges
from tsk_core.runtime.extras import EXTRAS, missing_extra

ROOT = Path(__file__).parents[1]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
MAKE = shutil.which("make")

# Stands for an interpreter: writes down how it is called, and "makes" an environment with itself in it.
FAKE = """#!/bin/sh
echo "$(basename $0)" "$@" >> "{log}"
if [ "$2" = venv ]; then rm -rf .venv && mkdir -p .venv/bin && cp "$0" .venv/bin/python; fi
exit {status}
"""


@pytest.fixture
def checkout(tmp_path):
    """A folder with what ``make .venv/installed`` needs; ``bin`` is for interpreters."""
    for name in ("Makefile", "requirements.txt", "constraints.txt"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    return tmp_path


def add_python(checkout, name, status=0):
    python = checkout / "bin" / name
    python.write_text(FAKE.format(log=checkout / "log", status=status))
    python.chmod(0o755)


def make(checkout, *arguments, tools="/usr/bin:/bin"):
    """Run make; returns the finished process and the environments that were made, by the name of their Python."""
    environment = {"PATH": f"{checkout / 'bin'}:{tools}"}
    command = [MAKE, ".venv/installed", *arguments]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    log = checkout / "log"
    return done, [line.split()[0] for line in log.read_text().splitlines() if " venv " in line] if log.exists() else []


def test_make_takes_the_newest_python_that_works_or_the_one_that_it_is_given(checkout):
    add_python(checkout, "python3.14", status=1)
    for name in ("python3.11", "python3.13", "python3.12"):
        add_python(checkout, name)
    done, made = make(checkout)
    assert done.returncode == 0, done.stderr
    assert made == ["python3.13"]
    shutil.rmtree(checkout / ".venv")
    (checkout / "log").unlink()
    add_python(checkout, "mine")
    assert make(checkout, "PYTHON=mine")[1] == ["mine"]


def test_an_environment_is_kept_until_its_python_has_gone(checkout):
    add_python(checkout, "python3.12")
    make(checkout)
    assert make(checkout)[1] == ["python3.12"]
    (checkout / "requirements.txt").touch()
    assert make(checkout)[1] == ["python3.12"]  # it installs again, in the same environment
    (checkout / ".venv" / "bin" / "python").unlink()
    (checkout / ".venv" / "bin" / "python").symlink_to(checkout / "gone")
    done, made = make(checkout)
    assert done.returncode == 0, done.stderr
    assert made == ["python3.12", "python3.12"]


@pytest.mark.parametrize("arguments", [(), ("PYTHON=old",)])
def test_without_a_usable_python_make_says_what_is_needed(checkout, arguments):
    add_python(checkout, "old", status=1)
    done, made = make(checkout, *arguments, tools="")
    assert done.returncode != 0 and not made
    assert "TSK Explorer needs Python 3.11 to 3.14 with venv, and none was found" in done.stderr


def test_all_files_name_the_same_pythons():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11,<3.15"
    classifiers = [text.rsplit(" ", 1)[1] for text in project["classifiers"] if re.search(r"Python :: 3\.\d", text)]
    assert classifiers == PYTHONS
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^PYTHONS := (.*)$", makefile, re.MULTILINE)[1].split() == PYTHONS[::-1]
    assert "(3, 11) <= sys.version_info < (3, 15)" in makefile


def test_what_is_pinned_lies_in_the_ranges_of_the_package_builds_its_wheel_and_shuts_no_newer_version_out():
    extras = [f"requirements-{name}.txt" for name in ("login", "notebook", "onnx")]
    pinned = pins("requirements.txt", *extras)
    named = {one.name: one for of in ranges().values() for one in of}
    assert set(named) == set(pinned)
    assert [name for name, one in named.items() if pinned[name] not in one.specifier] == []
    pinned = (ROOT / "requirements.txt").read_text().split() + (ROOT / "constraints.txt").read_text().split()
    assert set(tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]) <= set(pinned)
    assert all([specifier.operator for specifier in one.specifier] == [">="] for one in ranges()[""])
    assert set(lowest()) == {one.name for one in ranges()[""]}


def test_every_extra_has_the_libraries_that_errors_name_it_for():
    sold_as = packages_distributions()  # import yaml: pyyaml
    named = {extra: {one.name for one in of} for extra, of in ranges().items()}
    found = {extra: {name.lower().replace("_", "-") for one in names for name in sold_as[one]} for extra, names in EXTRAS.items()}
    assert found == {extra: names for extra, names in named.items() if extra}


# In a process in which no extra is installed: the library at work, then what the command line says of the rest.
WITHOUT_EXTRAS = """
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from tsk_core import TSKClassifier, compare, load_dataset, rule_stability, sweep
from tsk_core.__main__ import main
data = load_dataset("iris")
classifier = TSKClassifier(random_state=0, max_epochs=3).fit(data.X, data.y)
print(classifier.rules(3, X=data.X), classifier.explain(data.X.iloc[0]), classifier.export("python"))
classifier.save("model.safetensors")
data.frame.to_csv("flowers.csv", index=False)
assert main(["train", "flowers.csv", "--epochs", "2", "--json"]) == 0
assert main(["compare", "flowers.csv", "--epochs", "2", "--seeds", "2"]) == 0
assert main(["lesson", "lesson.yaml"]) == 1
"""


@pytest.mark.slow
def test_the_library_works_without_the_libraries_of_the_app_and_says_what_the_app_needs(tmp_path):
    blocked = {name for names in EXTRAS.values() for name in names}
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TSK_RUNS_DIR": str(tmp_path / "runs")}
    command = [sys.executable, "-c", WITHOUT_EXTRAS.format(blocked=blocked)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].endswith("which is not installed: pip install 'tsk-explorer[app]'.")


def test_no_extra_is_named_for_what_none_of_them_has():
    assert missing_extra(None) is None and missing_extra("torch") is None
    assert "tsk-explorer[study]" in str(missing_extra("matplotlib.pyplot"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The names of the files in a wheel that is built of a copy, with the tools of this environment."""
    copy, out = (tmp_path_factory.mktemp(name) for name in ("checkout", "wheel"))
    for name in [
        "pyproject.toml",
        "setup.py",
        "MANIFEST.in",
        "README.md",
        "LICENSE",
        "requirements.txt",
        "constraints.txt",
        "app.py",
    ]:
        shutil.copyfile(ROOT / name, copy / name)
    for name in ("tsk_core", "ui", "pages", "study", ".streamlit"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "static/docs").mkdir(parents=True)
    (copy / "static/docs/index.html").write_text("what `make docs` built")
    code = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, out], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next(out.glob("*.whl"))) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_wheel_has_the_types_the_documentation_and_what_browsers_fetch(wheel):
    stubs = {str(path.relative_to(ROOT)) for path in (ROOT / "tsk_core").rglob("*.pyi")}
    assert stubs and stubs | {"tsk_core/py.typed", "tsk_study/published.csv"} <= wheel
    assert {"tsk_explorer/static/docs/index.html", "tsk_explorer/static/plotly.min.js"} <= wheel


def test_the_citation_names_this_version():
    citation, bibtex = ((ROOT / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "docs/project/citing.md"))
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == tsk_core.__version__
    assert re.search(r"version = \{(.*)\}", bibtex)[1] == tsk_core.__version__
