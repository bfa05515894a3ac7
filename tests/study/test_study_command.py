"""``python -m tsk_core study``: killed half-way it goes on where it was, for every algorithm; bad input is one sentence."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
from filelock import FileLock

from tests.waiting import wait_until
from tsk_core.__main__ import main
from tsk_study import ALGORITHMS, Result, availability, read_results, running
from tsk_study.names import MBGD


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Small tables under the names of two of the twelve; no feature says anything of the class, so that trainings stop early."""
    folder = tmp_path / "data"
    folder.mkdir()
    random = np.random.default_rng(0)
    for name in ("vehicle", "yeast"):
        frame = pd.DataFrame(random.integers(0, 4, (60, 2)), columns=["x", "z"])
        frame.assign(**{"class": random.choice(["a", "b"], 60)}).to_csv(folder / f"{name}.csv", index=False)
    monkeypatch.setenv("TSK_DATA_DIR", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    monkeypatch.chdir(tmp_path)
    return folder


def study(*arguments):
    """A study of both tables, as a process of its own."""
    command = [sys.executable, "-m", "tsk_core", "study", "--datasets", "vehicle,yeast", "--splits", "2", *arguments]
    heeds_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # also where a shell in the background ignores it
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=heeds_ctrl_c)


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def command_of(process):
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return ""


def kill_half_way(process, path, enough):
    """SIGKILL, once so many results are there; its workers end as well."""
    wait_until(lambda: len(lines(path)) > enough or process.poll() is not None, seconds=240)
    workers = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    process.stdout.close()
    gone, alive = psutil.wait_procs(workers, timeout=30)
    assert gone and not alive


def finish(*arguments):
    process = study(*arguments)
    output, _ = process.communicate(timeout=560)
    assert process.returncode == 0, output
    return output


def _is_slow(name):
    return name == "EBM" or name.startswith(("TSK-tuned", "Readable")) or (name in MBGD and name != "TSK-MBGD")


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_killed_half_way_every_algorithm_is_computed_once(data, tmp_path):
    """Of those that do not train for minutes, which other tests try one by one."""
    path = tmp_path / "out" / "results.csv"
    algorithms = [name for name in ALGORITHMS if not availability(name) and not _is_slow(name)]
    arguments = ("--algorithms", ",".join(algorithms), "--workers", "2", "--out", "out", "--no-figures")
    kill_half_way(study(*arguments), path, enough=10)
    before = lines(path)
    assert 10 < len(before) < 1 + 4 * len(algorithms)
    output = finish(*arguments)
    found = read_results(path)
    assert set(found) == {(dataset, name, k) for dataset in ("vehicle", "yeast") for name in algorithms for k in (0, 1)}
    assert lines(path)[: len(before) - 1] == before[:-1], "what was there stays as it was"
    assert len(lines(path)) == 1 + len(found), "and nothing is computed twice"
    assert all(0 <= one.rca <= 1 and 0 <= one.bca <= 1 and one.seconds > 0 for one in found.values())
    assert f"tables are in {Path('out', 'tables')}" in output
    assert finish(*arguments) == output, "a third time there is nothing to do"


@pytest.mark.slow
def test_ctrl_c_ends_it_in_one_sentence_with_its_workers(data):
    process = study("--algorithms", "TSK-tuned", "--workers", "1", "--out", "out")
    workers = []

    def began():
        workers[:] = [one for one in psutil.Process(process.pid).children() if "spawn_main" in command_of(one)]
        return workers

    wait_until(began)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1 and "Traceback" not in output
    assert (
        f"error: Interrupted. The results so far are in '{Path('out', 'results.csv')}'; run the same command to compute the rest."
        in output
    )
    assert not psutil.wait_procs(workers, timeout=30)[1]


@pytest.mark.slow
def test_a_study_that_was_interrupted_has_the_results_of_one_that_a_dask_cluster_computed_in_one_go(data, tmp_path):
    from distributed import LocalCluster

    arguments = ["study", "--datasets", "vehicle", "--algorithms", "CART,RF,TSK-FCM-LSE", "--no-figures"]
    for splits, workers in (("1", "1"), ("2", "2")):
        assert main([*arguments, "--splits", splits, "--workers", workers, "--out", "parts"]) == 0
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        assert main([*arguments, "--splits", "2", "--scheduler", cluster.scheduler_address, "--out", "whole"]) == 0
    found = [
        {key: (one.rca, one.bca, one.epochs) for key, one in read_results(tmp_path / name / "results.csv").items()}
        for name in ("parts", "whole")
    ]
    assert found[0] == found[1] and len(found[0]) == 6


@pytest.mark.slow
def test_as_the_authors_ran_it_has_a_file_of_its_own(data, tmp_path):
    arguments = ["--datasets", "vehicle", "--algorithms", "CART,TSK-MBGD", "--splits", "1", "--workers", "1", "--out", "out"]
    assert main(["study", *arguments, "--as-the-authors"]) == 0
    assert set(read_results(tmp_path / "out" / "authors.csv")) == {("vehicle", "TSK-MBGD", 0)}
    assert not (tmp_path / "out" / "results.csv").exists()


def test_an_algorithm_that_fails_is_named_and_the_others_go_on(data, tmp_path, monkeypatch, capsys):
    def compute(unit, as_the_authors):
        ((algorithm, split),) = unit.cells
        if algorithm == "HistGB":
            raise ValueError("it has no oil")
        return [Result(unit.dataset, algorithm, split, 0.5, 0.5, 1.0, None, None, split, "0")]

    monkeypatch.setattr(running, "_compute_unit", compute)
    monkeypatch.setattr(running, "_executor", lambda workers, scheduler: ThreadPoolExecutor(workers))
    arguments = ["--datasets", "vehicle", "--algorithms", "CART,HistGB", "--splits", "1", "--workers", "1", "--out", "out"]
    assert main(["study", *arguments, "--no-figures"]) == 1
    assert capsys.readouterr().out.endswith("error: HistGB on vehicle failed: it has no oil\n")
    assert set(read_results(tmp_path / "out" / "results.csv")) == {("vehicle", "CART", 0)}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--datasets", "iris", "--out", "x"], "error: The study has no dataset 'iris'; it has vehicle, "),
        (["--algorithms", "SVM", "--out", "x"], "error: The study has no algorithm 'SVM'; "),
        (["--as-the-authors", "--algorithms", "CART", "--out", "x"], "error: --as-the-authors is for TSK-MBGD, "),
        (["--splits", "0", "--out", "x"], "error: --splits is 0; it must be at least 1."),
        (["--workers", "-1", "--out", "x"], "error: --workers is -1; it must be at least 1."),
        (["--datasets", "vehicle", "--out", "data/vehicle.csv"], "error: The folder 'data/vehicle.csv' cannot be written to: "),
    ],
)
def test_bad_input_is_one_sentence(data, capsys, arguments, sentence):
    assert main(["study", *arguments]) == 1
    said = capsys.readouterr().err
    assert said.startswith(sentence) and said.count("\n") == 1


def test_two_studies_do_not_write_into_one_folder(data, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    with FileLock(tmp_path / "out" / ".study.lock"):
        assert main(["study", "--datasets", "vehicle", "--algorithms", "CART", "--splits", "1", "--out", "out"]) == 1
    assert capsys.readouterr().err.startswith(f"error: Another study is writing to '{Path('out', 'results.csv')}'; ")
    assert (tmp_path / "out" / "results.csv").stat().st_size == 0
