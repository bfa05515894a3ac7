"""Commands that the documentation names exist, with their options."""

import re
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "benchmarks").glob("*.py"),
    *(ROOT / "tests/load").glob("*.py"),
]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in DOCS)
COMMANDS = sorted(set(re.findall(r"python -m ([a-z_.]+[a-z_])((?: (?![#|])[^\s`#|]+)*)", TEXT)))
OURS = ("tsk_core", "tsk_study", "tests", "benchmarks")


@pytest.mark.parametrize(("module", "arguments"), COMMANDS, ids=lambda part: part.strip())
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_a_command_exists_and_has_the_options(module, arguments, monkeypatch, capsys):
    if module.split(".")[0] not in OURS:
        assert find_spec(module)
        return
    subcommand = arguments.split()[:1] if module == "tsk_core" else []
    monkeypatch.setattr(sys, "argv", [module, *subcommand, "--help"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module(module, run_name="__main__")
    assert end.value.code == 0
    assert set(re.findall(r"(?<!\S)\[?(-{1,2}[a-z-]+)", arguments)) <= set(re.findall(r"-{1,2}[a-z-]+", capsys.readouterr().out))


def test_each_target_of_make_exists():
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", TEXT, re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"run", "test"} <= named <= targets
    assert len(COMMANDS) > 8


def anchors(page):
    """What a link can name in a page, as GitHub makes it of a heading."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "study").rglob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_leads_to_a_file_and_a_heading(page):
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL))
    for link in (link for link in links if "://" not in link):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_is_short_and_its_python_runs(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(code, {})
    assert "IF" in capsys.readouterr().out
