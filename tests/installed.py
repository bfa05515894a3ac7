"""What a person gets from a built package: ``python -m tests.installed dist/*`` installs each file and uses it.

Each file of dist/ goes into two empty environments, once as the library and once with the app. The library trains, reads its
rules, saves and loads outside the repository; the app starts and answers. Versions are those of requirements.txt and
constraints.txt, or, with ``--newest``, whatever pip takes. Printed: seconds and megabytes of each. The first failure ends it with
status 1.
"""

import argparse
import json
import subprocess
import tempfile
import time
import venv
from pathlib import Path

from tests.network import answers, free_port
from tests.waiting import wait_until

ROOT = Path(__file__).parents[1]
PINS = ("-c", str(ROOT / "requirements.txt"), "-c", str(ROOT / "constraints.txt"))
PATIENCE = 120.0  # seconds until the app answers
LIBRARY = """
import json, sys
from importlib.metadata import version
from pathlib import Path
import tsk_core
from tsk_core import TSKClassifier, load_dataset, read_csv
table = Path("flowers.csv")
dataset = load_dataset("iris")
dataset.frame.to_csv(table, index=False)
data = read_csv(table, dataset.target)
classifier = TSKClassifier(random_state=0, max_epochs=30).fit(data.X, data.y)
saved = Path("flowers.safetensors")
classifier.save(saved)
again = TSKClassifier.load(saved)
assert (again.predict(data.X) == classifier.predict(data.X)).all()
assert "IF" in str(classifier.rules(3)) and "def predict" in classifier.export("python")
assert not {"streamlit", "dask", "matplotlib"} & set(sys.modules)
print(json.dumps({"score": round(classifier.score(data.X, data.y), 3), "from": str(Path(tsk_core.__file__).parents[1]),
    "versions": {name: version(name) for name in ("torch", "numpy", "pandas", "scikit-learn", "pyarrow")}}))
"""


class Environment:
    """An empty virtual environment with one built package in it."""

    def __init__(self, folder: Path, package: str, *constraints: str) -> None:
        venv.create(folder, with_pip=True)
        self._bin, self._folder = folder / "bin", folder
        began = time.monotonic()
        self.run("python", "-m", "pip", "install", "--quiet", package, *constraints)
        self.seconds = time.monotonic() - began

    def run(self, program: str, *arguments: str, cwd: Path | None = None) -> str:
        """Run one of its programs to its end and return what it printed."""
        return subprocess.run([self._bin / program, *arguments], cwd=cwd, stdout=subprocess.PIPE, text=True, check=True).stdout

    def start(self, program: str, *arguments: str, cwd: Path, stderr: int | None = None) -> subprocess.Popen:
        """Start one of its programs. stderr: as for ``Popen``."""
        return subprocess.Popen([self._bin / program, *arguments], cwd=cwd, stderr=stderr)

    @property
    def megabytes(self) -> float:
        """Its size on disk."""
        return sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def use_library(environment: Environment, work: Path) -> str:
    """Train, read the rules, save and load; then the command line. The app's command says what it would need."""
    seen = json.loads(environment.run("python", "-W", "error::DeprecationWarning:tsk_core", "-c", LIBRARY, cwd=work))
    assert not Path(seen["from"]).is_relative_to(ROOT), seen["from"]
    trained = environment.run("python", "-m", "tsk_core", "train", "flowers.csv", "--epochs", "5", "--json", cwd=work)
    assert json.loads(trained.splitlines()[-1])
    refused = environment.start("tsk-explorer", cwd=work, stderr=subprocess.PIPE)
    assert b"pip install 'tsk-explorer[app]'" in refused.communicate(timeout=PATIENCE)[1] and refused.returncode == 1
    return f"score {seen['score']}, {seen['versions']}"


def use_app(environment: Environment, work: Path) -> str:
    """Start it and ask for its first page, and that of its documentation."""
    port = free_port()
    server = environment.start("tsk-explorer", "--port", str(port), cwd=work)
    try:
        began = time.monotonic()
        wait_until(lambda: server.poll() is not None or answers(f"http://localhost:{port}/_stcore/health"), PATIENCE)
        assert answers(f"http://localhost:{port}/") and answers(f"http://localhost:{port}/docs/")
        return f"answered after {time.monotonic() - began:.1f} s"
    finally:
        server.terminate()
        server.wait(30)


def main() -> None:
    """Read the arguments, install, use, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.installed", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="what `python -m build` wrote")
    parser.add_argument("--newest", action="store_true", help="take what pip takes, not the pinned versions")
    options = parser.parse_args()
    pins = () if options.newest else PINS
    for file in options.files:
        for extra, use in (("", use_library), ("[app]", use_app)):
            with tempfile.TemporaryDirectory() as folder:
                work = Path(folder, "work")
                work.mkdir()
                environment = Environment(Path(folder, "environment"), f"{file.resolve()}{extra}", *pins)
                used = use(environment, work)
                print(
                    f"{file.name}{extra}: installed in {environment.seconds:.0f} s, {environment.megabytes:,.0f} MB; {used}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
