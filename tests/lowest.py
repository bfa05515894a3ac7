"""The oldest version of each requirement of the library, one line each for pip: ``python -m tests.lowest``."""

import re
import sys
import tomllib
from pathlib import Path

__all__ = ["lowest"]

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest() -> dict[str, str]:
    """Library -> the lower bound of its range in pyproject.toml."""
    ranges = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    return dict(re.fullmatch(r"([a-z0-9-]+)>=([0-9.]+)", text).groups() for text in ranges)


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}=={version}\n" for name, version in lowest().items())
