"""What the files of requirements and pyproject.toml name.

``python -m tests.requirements`` prints the library's oldest versions for pip; it needs nothing but Python itself.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FILES = sorted(path.name for path in ROOT.glob("requirements*.txt") if path.name != "requirements-bench.txt")


def lines(*files: str) -> list[str]:
    """The lines that name a library."""
    stripped = (line.split("#")[0].strip() for file in files for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return [line for line in stripped if line and not line.startswith("-")]


def pins(*files: str) -> dict[str, str]:
    """Library -> the version that these files pin."""
    return dict(line.split(";")[0].strip().split("==") for line in lines(*files))


def ranges() -> "dict[str, list[Requirement]]":
    """Each extra's requirements, the library's under ""; what an extra takes over from another one is left out."""
    from packaging.requirements import Requirement

    project = _project()
    named = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: [Requirement(text) for text in texts if not text.startswith("tsk-explorer")] for extra, texts in named.items()}


def lowest() -> dict[str, str]:
    """Library -> the lower bound of its range in pyproject.toml."""
    return dict(re.fullmatch(r"([a-z0-9-]+)>=([0-9.]+)", text).groups() for text in _project()["dependencies"])


def _project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}=={version}\n" for name, version in lowest().items())
