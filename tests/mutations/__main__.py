"""Faults that the tests have to notice: ``python -m tests.mutations [NAME…] [--tier]``.

Each ``.patch`` beside this file is a fault that somebody could make: a sentence, the tests that notice it, their tier, and the
change. It is made in a copy of the working tree, where its tests then run, or with ``--tier`` its whole tier. Ends with 1 where a
fault is not noticed, or where a patch no longer applies: write it anew for the code as it is now.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SHARED = (".venv", "node_modules", "static")  # made by `make`, not part of the tree
EXPRESSIONS = {"test": "not slow and not soak", "slow": "slow and not soak"}
PATIENCE = 3600.0  # seconds; a fault that hangs is noticed, too


@dataclass(frozen=True)
class Mutation:
    """One fault. sentence: what it is for a user. tests: that catch it. tier: "test" or "slow". files: that it changes."""

    name: str
    sentence: str
    tests: tuple[str, ...]
    tier: str
    files: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> "Mutation":
        """From its patch."""
        text = path.read_text("utf-8")
        head = dict(re.findall(r"^(Tests|Tier): (.*)$", text, re.MULTILINE))
        files = re.findall(r"^\+\+\+ b/(.*)$", text, re.MULTILINE)
        return cls(path.stem, text.split("\n", 1)[0], tuple(head["Tests"].split()), head["Tier"], tuple(files))

    @property
    def patch(self) -> Path:
        """Its file."""
        return HERE / f"{self.name}.patch"

    def apply(self, folder: Path, *options: str) -> bool:
        """Make the fault in a copy of the tree; False where the code has changed too much."""
        command = ["git", "apply", "-C1", "--recount", *options, str(self.patch)]
        return not subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


def mutations() -> list[Mutation]:
    """All of them."""
    return [Mutation.read(path) for path in sorted(HERE.glob("*.patch"))]


@contextmanager
def copy_of_tree() -> Iterator[Path]:
    """The files of the working tree in a folder of their own, outside any repository."""
    with tempfile.TemporaryDirectory(prefix="tsk-mutation-") as place:
        folder = Path(place) / "tree"
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for name in SHARED:
            if (ROOT / name).exists() and not (folder / name).exists():
                (folder / name).symlink_to(ROOT / name)
        yield folder


def noticed(mutation: Mutation, folder: Path, whole_tier: bool) -> str:
    """The first test that fails with the fault; "" where none does."""
    python, node = sys.executable, [test for test in mutation.tests if test.endswith(".js")]
    pytest = [python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    commands = [["node", "--test", *node]] if node else []
    if whole_tier:
        commands.append([*pytest, "-n", "2", "--dist", "worksteal", "-m", EXPRESSIONS[mutation.tier]])
    elif files := [test for test in mutation.tests if not test.endswith(".js")]:
        commands.append([*pytest, "-n0", "-m", EXPRESSIONS[mutation.tier], *files])
    environment = os.environ | {"PATH": os.pathsep.join([str(Path(python).parent), os.environ["PATH"]])}
    for command in commands:
        try:
            options = {"cwd": folder, "env": environment, "capture_output": True, "text": True, "timeout": PATIENCE}
            done = subprocess.run(command, check=False, **options)
        except subprocess.TimeoutExpired:
            return "a test that does not end"
        if done.returncode not in (0, 5):
            failed = re.search(r"^(?:FAILED|ERROR) (\S+)|^(?:✖|not ok \d+ -) (.*?)(?: \(|$)", done.stdout, re.MULTILINE)
            return next(filter(None, failed.groups()), "") if failed else done.stdout[-200:] + done.stderr[-200:]
    return ""


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="of patches (default: all)")
    parser.add_argument("--tier", action="store_true", help="run each one's whole tier, not only its own tests")
    options = parser.parse_args()
    chosen = [one for one in mutations() if not options.names or one.name in options.names]
    missed = []
    for mutation in chosen:
        began = time.monotonic()
        with copy_of_tree() as folder:
            found = noticed(mutation, folder, options.tier) if mutation.apply(folder) else "ERROR: the patch does not apply"
        if not found or found.startswith("ERROR"):
            missed.append(mutation.name)
        said = f"noticed by {found}" if found else "NOT NOTICED"
        print(f"{mutation.name:34} {mutation.tier:4} {time.monotonic() - began:5.0f} s  {said}", flush=True)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults are noticed.")
    sys.exit(f"Not noticed: {', '.join(missed)}" if missed else None)


if __name__ == "__main__":
    main()
