"""What runs in a night before a release: ``make soak``, or ``python -m tests.soak STEP…`` for some steps.

Each step is a command. All run, whatever fails; docs/project/soak.md keeps the last result of each, with its date and commit.
"""

import argparse
import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "project" / "soak.md"
PYTHON = sys.executable
PYTEST = [PYTHON, "-m", "pytest", "-n", "2", "--dist", "worksteal", "-q", "--hypothesis-profile", "soak"]
STEPS = {
    "soak": [*PYTEST, "-m", "soak"],
    "properties": [*PYTEST, "-m", "not slow and not soak"],
    "mutations": [PYTHON, "-m", "tests.mutations", "--tier"],
    "kernels": ["make", "test-kernels"],
    "recount": ["make", "recount"],
    "claims": [PYTHON, "-m", "benchmarks.claims"],
    "load-50": [PYTHON, "-m", "tests.load.fifty"],
    "load-300": [PYTHON, "-m", "tests.load.fifty", "--sessions", "300", "--seconds", "1800"],
    "visits": [PYTHON, "-m", "tests.load.soak"],
    "kills": [PYTHON, "-m", "tests.load.kills"],
    "class": [PYTHON, "-m", "tests.load.teaching"],
    "wheel": ["make", "dist"],
    "lowest": ["make", "test-lowest"],
    "newest": ["make", "test-newest"],
    "image": ["docker", "build", "--tag", "tsk-explorer:soak", "."],
}
HEAD = """# The last soak

`make soak` runs, in a night before a release, what takes too long for each change: every property with 200 examples, thousands of
hostile files, crowds of visitors, kills, all mutations against their whole tier, other kernels, the oldest and newest versions,
the image. The last result of each step:

| Step | Command | Result | Minutes | Date | Commit |
|---|---|---|---|---|---|
"""


def available(command: list[str]) -> str:
    """Why a step cannot run here; "" where it can."""
    if command[0] != "docker":
        return ""
    if shutil.which("docker") is None or subprocess.run(["docker", "info"], capture_output=True, check=False).returncode:
        return "not run: no Docker engine"
    return ""


def run(name: str, command: list[str]) -> dict[str, str]:
    """Run one step; its last line says what it found."""
    began, shown = time.monotonic(), " ".join(command).replace(PYTHON, "python")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    result = available(command)
    if not result:
        print(f"== {name}: {shown}", flush=True)
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(done.stdout, flush=True)
        last = next((line for line in reversed(done.stdout.splitlines()) if line.strip()), "").strip("= ").replace("|", "/")[:120]
        result = last if done.returncode == 0 else f"**failed** ({done.returncode}): {last}"
    minutes = f"{(time.monotonic() - began) / 60:.1f}"
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    return {"Command": f"`{shown}`", "Result": result, "Minutes": minutes, "Date": date, "Commit": commit.strip()}


def kept() -> dict[str, str]:
    """The rows that the record has, by step."""
    text = RECORD.read_text() if RECORD.exists() else ""
    return {found[1]: found[0] for found in re.finditer(r"^\| ([a-z0-9-]+) \|.*$", text, re.MULTILINE)}


def record(name: str, found: dict[str, str]) -> None:
    """Replace the row of a step."""
    rows = kept() | {name: f"| {name} | {' | '.join(found.values())} |"}
    RECORD.write_text(HEAD + "".join(f"{rows[step]}\n" for step in STEPS if step in rows))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"of {', '.join(STEPS)} (default: all)")
    steps = parser.parse_args().steps or list(STEPS)
    if unknown := set(steps) - STEPS.keys():
        parser.error(f"there is no step {', '.join(sorted(unknown))}")
    failed = []
    for name in steps:
        found = run(name, STEPS[name])
        record(name, found)
        failed += [name] if "**failed**" in found["Result"] else []
    sys.exit(f"failed: {', '.join(failed)}" if failed else None)


if __name__ == "__main__":
    main()
