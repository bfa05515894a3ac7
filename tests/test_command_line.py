"""``python -m tsk_core`` on real files: in a process of its own, or where that makes no difference in this one."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tsk_core import TrainConfig
from tsk_core.__main__ import main

CSV = "size;colour;kind\n" + "\n".join(
    f"{'' if i == 3 else f'{i % 17},5'};{('red', 'green', 'blue')[i % 3]};{'small' if i % 17 < 8 else 'big'}" for i in range(120)
)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Tables in the current folder, and a folder for runs."""
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path / "runs"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toys.csv").write_text(CSV)
    (tmp_path / "four.csv").write_text("x,kind\n1,a\n2,a\n3,b\n4,b\n")
    (tmp_path / "classes.csv").write_text("x,kind\n" + "".join(f"{k},{'abcdefghijklmnopqrstu'[k % 21]}\n" for k in range(60)))


def process(*arguments):
    """Run one command as a person does; returns the finished process."""
    return subprocess.run([sys.executable, "-m", "tsk_core", *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def command(capsys):
    """Run one command in this process; returns what ``process`` does."""

    def command(*arguments):
        status = main(list(arguments))
        return subprocess.CompletedProcess(arguments, status, *capsys.readouterr())

    return command


def test_train_ends_with_one_json_object(tmp_path):
    done = process(
        "train", "toys.csv", "--target", "kind", "--rules", "5", "--ur", "10", "--bn", "rbn", "--epochs", "15", "--json"
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert list(result) == ["run", "rca", "bca", "epochs", "best_epoch", "seconds", "rules_alive", "config"]
    assert result["epochs"] == result["best_epoch"] == 15
    assert 0.5 < result["rca"] <= 1 and 0 < result["rules_alive"] <= 5
    config = TrainConfig.from_dict(result["config"])
    assert (config.n_rules, config.ur_weight, config.batch_norm, config.random_state) == (5, 10.0, "rbn", 0)
    assert (tmp_path / "runs" / result["run"] / "model" / "model.json").exists()


@pytest.mark.slow
def test_the_same_command_gives_the_same_numbers():
    arguments = ("train", "toys.csv", "--target", "kind", "--rules", "4", "--epochs", "5", "--json")
    one, two = (json.loads(process(*arguments).stdout) for _ in range(2))
    assert (one["rca"], one["bca"]) == (two["rca"], two["bca"])
    assert one["run"] != two["run"]


def test_the_report_says_how_the_file_was_read_and_prints_rules(command):
    done = command("train", "toys.csv", "--target", "kind", "--rules", "3", "--epochs", "20")
    assert "separated by semicolons" in done.stdout and "decimal comma" in done.stdout
    assert "logistic regression" in done.stdout
    assert "IF " in done.stdout and "size is" in done.stdout and "THEN small" in done.stdout
    assert "epoch/s" not in done.stderr  # no progress bar where there is no terminal


def test_many_classes_bring_no_warning(command):
    done = command("train", "classes.csv", "--rules", "2", "--epochs", "2", "--test", "0.4")
    assert done.returncode == 0 and done.stderr == ""


def test_early_stopping_and_its_settings_are_options(command):
    done = command("train", "iris", "--rules", "3", "--epochs", "30", "--es", "--patience", "3", "--json")
    result = json.loads(done.stdout)
    assert result["config"]["early_stopping"] is True and result["config"]["patience"] == 3
    assert result["epochs"] == result["best_epoch"] <= 30


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("train", "nowhere.csv"), "cannot be opened"),
        (("train", "nonsense"), "no dataset of that name"),
        (("train", "toys.csv", "--target", "nope"), "There is no column 'nope'"),
        (("train", "toys.csv", "--rules", "0"), "n_rules is 0; it must be at least 1."),
        (("train", "toys.csv", "--ur", "much"), "ur_weight is 'much'; it must be a number."),
        (("train", "toys.csv", "--tau", "x"), "ur_target is 'x'; it must be a number."),
        (("train", "toys.csv", "--test", "1"), "must be a share between 0 and 1"),
        (("train", "iris", "--opt", "adam", "--lr", "1e30"), "Training diverged in its first epoch"),
        (("train", "four.csv", "--test", "0.5", "--es"), "Early stopping needs at least 3 training rows, got 2"),
    ],
)
def test_an_error_is_one_sentence_and_exit_status_1(command, arguments, sentence):
    done = command(*arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert sentence in done.stderr


def test_an_error_leaves_the_process_as_one_sentence_and_exit_status_1():
    done = process("train", "nowhere.csv")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("error: ") and "cannot be opened" in done.stderr


def test_ctrl_c_ends_the_training_and_keeps_the_model(tmp_path):
    arguments = ["train", "digits", "--epochs", "2000", "--json"]
    process = subprocess.Popen([sys.executable, "-m", "tsk_core", *arguments], stdout=subprocess.PIPE, text=True)
    runs = tmp_path / "runs"
    while process.poll() is None and not any(len(f.read_bytes().splitlines()) > 1 for f in runs.glob("*/epochs.jsonl")):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 0
    assert 0 < json.loads(output)["epochs"] < 2000
