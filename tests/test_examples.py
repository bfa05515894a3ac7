"""The examples in docstrings and on the pages of the documentation do what they say."""

import doctest
import re
from functools import partial
from pathlib import Path

import pytest

import tsk_core
from tsk_core import TSKClassifierCV
from tsk_core.estimators import classifier, settings_search, surrogate
from tsk_core.tuning import portfolio, readable

DOCS = Path(__file__).parents[1] / "docs"
PUBLIC = [name for name in dir(tsk_core) if callable(getattr(tsk_core, name))]
# "python" has five searches
PAGES = ["first-minutes", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tables", "reading", "comparing", "python"))]


@pytest.fixture(autouse=True)
def budget_of_work(monkeypatch):
    """A search ends by the work that it counts, not by the clock of a busy machine."""
    monkeypatch.setitem(TSKClassifierCV.fit_iter.__kwdefaults__, "clock", lambda: 0.0)


def test_the_public_names_are_those_of_the_stub():
    stub = (Path(tsk_core.__file__).with_suffix(".pyi")).read_text(encoding="utf-8")
    assert set(re.findall(r" as (\w+)$", stub, re.MULTILINE)) == set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_example_of_a_public_name_runs(name):
    (found,) = doctest.DocTestFinder(recurse=False).find(getattr(tsk_core, name), name, globs={})
    assert any(name in example.source for example in found.examples), f"the docstring of {name} has no example of it"
    failures = []
    doctest.DocTestRunner().run(found, out=failures.append)
    assert not failures, "".join(failures)


def _shorten_searches(monkeypatch):
    """Few candidates, and work alone counts: a busy machine would end some before any score."""
    monkeypatch.setattr(portfolio, "RUNGS", (5,))
    for strategy in (portfolio.MostAccurate, readable.Readable):
        monkeypatch.setattr(strategy, "repeats", 1)
        monkeypatch.setattr(strategy, "rounds", 0)
    monkeypatch.setattr(readable, "SIZES", readable.SIZES[:6])
    search = partial(settings_search.shortest_config, clock=lambda: 0.0)
    monkeypatch.setattr(classifier, "shortest_config", search)
    monkeypatch.setattr(surrogate, "shortest_config", search)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _shorten_searches(monkeypatch)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    code = re.sub(r"TSKClassifierCV\((budget=\d+, |\d+, )?", "TSKClassifierCV(4, ", "\n".join(blocks))
    exec(code.replace("search=True)", "search=True, budget=4)"), {})
