"""``python -m tsk_core`` on real files: in a process of its own, or where that makes no difference in this one."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import tsk_core
from tests.waiting import wait_until
from tsk_core import TrainConfig, TSKClassifier
from tsk_core.__main__ import main, tsk_explorer
from tsk_core.commands import tune
from tsk_core.commands.common import write_output
from tsk_core.commands.export import NAMES
from tsk_core.errors import TSKError
from tsk_core.explain import FORMATS
from tsk_core.predict import load_model
from tsk_core.runs import RunStore

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


@pytest.fixture
def result(command):
    """The JSON object that a command ends with."""

    def result(*arguments):
        done = command(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return result


def test_train_ends_with_one_json_object(tmp_path, result):
    given = ("--target", "kind", "--rules", "5", "--ur", "10", "--bn", "rbn", "--epochs", "15")
    found = result("train", "toys.csv", *given)
    assert list(found) == ["run", "rca", "bca", "epochs", "best_epoch", "seconds", "rules_alive", "config"]
    assert found["epochs"] == found["best_epoch"] == 15
    assert 0.5 < found["rca"] <= 1 and 0 < found["rules_alive"] <= 5
    config = TrainConfig.from_dict(found["config"])
    assert (config.n_rules, config.ur_weight, config.batch_norm, config.random_state) == (5, 10.0, "rbn", 0)
    assert (tmp_path / "runs" / found["run"] / "model" / "model.json").exists()


@pytest.mark.slow
def test_a_process_gives_the_numbers_of_its_seed_or_one_sentence_and_exit_status_1(result):
    arguments = ("train", "toys.csv", "--target", "kind", "--rules", "4", "--epochs", "5")
    one, here = json.loads(process(*arguments, "--json").stdout), result(*arguments)
    assert (one["rca"], one["bca"]) == (here["rca"], here["bca"]) and one["run"] != here["run"]
    done = process("train", "nowhere.csv")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("error: ") and "cannot be opened" in done.stderr


def test_the_report_says_how_the_file_was_read_and_prints_rules(command):
    done = command("train", "toys.csv", "--target", "kind", "--rules", "3", "--epochs", "20")
    assert "separated by semicolons" in done.stdout and "decimal comma" in done.stdout
    assert "logistic regression" in done.stdout
    assert "IF " in done.stdout and "size is" in done.stdout and "THEN small" in done.stdout
    assert "epoch/s" not in done.stderr  # no progress bar where there is no terminal


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        ((), TrainConfig()),
        (("--from", "recommended"), TrainConfig()),
        (("--from", "paper"), TrainConfig.paper()),
        (("--from", "paper", "--firing", "htsk", "--shrink", "0.5"), TrainConfig.paper(firing="htsk", shrinkage=0.5)),
    ],
)
def test_settings_that_are_not_given_are_those_of_the_starting_point(result, arguments, start):
    config = TrainConfig.from_dict(result("train", "toys.csv", "--rules", "3", "--epochs", "2", *arguments)["config"])
    assert config == replace(start, n_rules=3, max_epochs=2, random_state=0)


def test_help_says_the_defaults_of_all_starting_points_where_they_differ(capsys):
    with pytest.raises(SystemExit, match="^0$"):
        main(["train", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--from {recommended,readable,paper}" in text
    assert "(default 8; from readable 12; from paper 20)" in text and "(default 0; from readable 3)" in text
    assert "(default scaled; from readable softmax; from paper softmax)" in text
    assert "(default bn; from readable none)" in text and "(default 64)" in text


@pytest.mark.parametrize("run", [lambda: main(["--version"]), tsk_explorer])
def test_the_version_is_that_of_the_package(run, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["tsk-explorer", "--version"])
    with pytest.raises(SystemExit, match="^0$"):
        run()
    assert capsys.readouterr().out == f"tsk_core {tsk_core.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sweep", "iris", "--axis", "batch=16", "--patience", "0.5"), "unrecognized arguments: --patience"),
        (("sweep", "iris", "--axis", "batch=16", "--validation-fraction", "1"), "unrecognized arguments: --validation-fraction"),
        (("train", "toys.csv", "--from", "nowhere"), "invalid choice: 'nowhere'"),
    ],
)
def test_an_unknown_option_or_starting_point_is_an_error_of_usage(arguments, said, capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(list(arguments))
    assert said in capsys.readouterr().err


@pytest.fixture
def searched_once(monkeypatch):
    """Small searches, of which ``tune`` does the first and then shows the run again."""
    for strategy in ("portfolio.MostAccurate", "readable.Readable"):
        monkeypatch.setattr(f"tsk_core.tuning.{strategy}.rounds", 0)
        monkeypatch.setattr(f"tsk_core.tuning.{strategy}.repeats", 1)  # so that the search ends long before its budget
    monkeypatch.setattr("tsk_core.tuning.portfolio.RUNGS", (5,))
    monkeypatch.setattr("tsk_core.tuning.readable.SIZES", ((4, 2), (2, 1), (3, 2)))
    monkeypatch.setattr("tsk_core.evaluate.baselines.GRIDS", {"logistic_regression": {"C": [0.1, 1.0]}})
    run_task, found = tune.run_task, []

    def once(*arguments):
        if not found:
            found.append(run_task(*arguments))
        return found[0]

    monkeypatch.setattr(tune, "run_task", once)


TUNED = ("toys.csv", "--target", "kind", "--budget", "300", "--folds", "2")


def trained_by(result, report):
    """The settings of a training by the command that a report ends with."""
    train = report.splitlines()[-1].removeprefix("python -m tsk_core ").split()
    return TrainConfig.from_dict(result(*train)["config"])


def test_tune_ends_with_one_json_object_and_its_settings_train(command, result, searched_once):
    found = result("tune", *TUNED)
    assert list(found) == ["run", "best", "cv_bca", "rca", "bca", "baselines", "seconds", "trials"]
    assert 0.5 < found["cv_bca"] <= 1 and 0.5 < found["bca"] <= 1 and "majority" in found["baselines"]
    assert found["seconds"] < 300 and found["trials"] == 12
    report = command("tune", *TUNED).stdout
    assert "On the test rows" in report and "logistic regression" in report
    config = trained_by(result, report)
    assert config.differing(TrainConfig.from_dict(found["best"])) == [] and config.random_state == 0


def test_tune_by_another_score_prints_it_beside_those_of_baselines_tuned_by_it(command, result, searched_once):
    given = (*TUNED, "--scoring", "neg_log_loss")
    found = result("tune", *given)
    assert (found["scoring"], found["cv_bca"]) == ("neg_log_loss", None) and found["cv_score"] < 0
    scored = [found["scored"], found["baselines"]["logistic_regression"]["scored"]]
    lines = command("tune", *given).stdout.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("On the test rows")]
    assert lines[at].endswith("RCA    BCA    AUC    negative log loss")
    assert [line.split()[-1] for line in lines[at + 1 : at + 4] if "majority" not in line] == [f"{score:.3f}" for score in scored]


def test_tune_readable_prints_the_curve_and_its_settings_train_from_the_readable_ones(command, result, searched_once):
    given = (*TUNED, "--readable", "--aim", "best")
    found = result("tune", *given)
    assert list(found)[-2:] == ["conditions", "curve"]
    taken = found["curve"][-1]  # where the best is
    assert taken["config"] == found["best"]
    assert 0 < taken["conditions"] == found["conditions"] <= taken["rules"] * taken["max_conditions"]
    report = command("tune", *given).stdout
    lines = report.splitlines()
    (heading,) = [at for at, line in enumerate(lines) if line.startswith("Conditions  Rules")]
    assert [line for line in lines if line.endswith("  taken")] == [lines[heading + len(found["curve"])]]
    assert "--from readable" in lines[-1]
    assert trained_by(result, report).differing(TrainConfig.from_dict(taken["config"])) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("train", "nowhere.csv"), "cannot be opened"),
        (("train", "toys.csv", "--target", "nope"), "There is no column 'nope'"),
        (("train", "toys.csv", "--ur", "much"), "ur_weight is 'much'; it must be a number."),
        (("train", "toys.csv", "--tau", "x"), "--tau: ur_target is 'x'; it must be 1/C, 1/R or a number."),
        (("train", "toys.csv", "--rules", "0"), "--rules: n_rules is 0; it must be at least 1."),
        (("train", "toys.csv", "--test", "1"), "must be a share between 0 and 1"),
        (("tune", "toys.csv", "--budget", "0"), "budget is 0.0; it must be a number of seconds above 0."),
        (("tune", "toys.csv", "--scoring", "AUC"), "scoring is 'AUC'; it must be one of balanced_accuracy, accuracy, roc_auc"),
        (
            ("check", "toys.csv", "--sheet", "Data"),
            "--sheet has no effect with 'toys.csv', which is not a workbook; leave it out.",
        ),
        (("tune", "toys.csv", "--folds", "1"), "--folds is 1; it must be a whole number of at least 2."),
        (("train", "toys.csv", "--validation-fraction", "0.3"), "--validation-fraction has no effect without --es;"),
        (("tune", "toys.csv", "--aim", "best"), "--aim has no effect without --readable; give both or neither."),
        (("tune", "toys.csv", "--readable", "--trainings", "2"), "--trainings has no effect with --readable;"),
        (("train", "toys.csv", "--lr", "1e200"), "Training diverged in its first epoch"),
        (("train", "toys.csv", "--test-file", "toys.csv", "--test", "0.5"), "--test has no effect with --test-file"),
        (("train", "toys.csv", "--split-column", "colour", "--test", "0.5"), "--test has no effect with --split-column"),
        (("compare", "toys.csv", "--validation-fraction", "0.3"), "--validation-fraction has no effect without a variant"),
        (("sweep", "toys.csv", "--axis", "rules=2", "--out", "toys.csv"), "name another with --out."),
        (("compare", "iris", "--variants", "nonsense"), "no variant"),
        (("sweep", "iris", "--axis", "colour=1"), "no axis"),
        (("train", "four.csv", "--test", "0.5", "--es"), "Early stopping needs at least 3 training rows, got 2"),
    ],
)
def test_an_error_is_one_sentence_and_exit_status_1(command, arguments, sentence):
    done = command(*arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert sentence in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_output_that_cannot_be_written_is_one_sentence_and_a_reader_that_has_enough_is_none(unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    prints_much = "m._bench = lambda _: print('x' * 100_000) or 0"
    much = f"import sys; from tsk_core import __main__ as m; {prints_much}; sys.exit(m.main(['bench']))"
    command = [sys.executable, "-c", much]  # a command that loads nothing, and prints more than a pipe holds
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "error: Standard output cannot be written: no space left on device.\n")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait(60) == 1


def test_output_that_is_taken_in_parts_is_whole(monkeypatch):
    taken = []

    class InParts:
        def write(self, content):
            taken.append(bytes(content[:3]))
            return len(taken[-1])

    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=InParts()))
    write_output(b"0123456789", None)
    assert b"".join(taken) == b"0123456789"


def test_an_interruption_is_one_word(monkeypatch, capsys):
    def interrupted(path, sheet):
        raise KeyboardInterrupt

    monkeypatch.setattr("tsk_core.commands.table._raw_table", interrupted)
    assert main(["check", "toys.csv"]) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_export_writes_a_run_in_every_format(tmp_path, capfdbinary):
    assert main(["train", "toys.csv", "--epochs", "3", "--rules", "2", "--json"]) == 0
    run = json.loads(capfdbinary.readouterr().out.splitlines()[-1])["run"]
    classifier = load_model(run, RunStore(recover=False))
    assert NAMES.split(", ") == [*FORMATS]
    for name, one in FORMATS.items():
        if one.installed:
            assert main(["export", run, "--format", name, "-o", "exported"]) == 0
            made = classifier.export(name)
            assert (tmp_path / "exported").read_bytes() == (made if isinstance(made, bytes) else made.encode())
    assert main(["export", run, "--format", "python", "--conditions", "1"]) == 0
    assert capfdbinary.readouterr().out.decode() == classifier.rules(1).export("python")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--format", "pmml"), "The format is 'pmml'; it must be one of text, markdown, latex"),
        (("--format", "c", "--conditions", "0"), "--conditions is 0; it must be at least 1."),
        (("--format", "c", "-o", "no/folder/here"), "cannot be written"),
    ],
)
def test_what_cannot_be_exported_is_one_sentence(command, tmp_path, arguments, sentence):
    TSKClassifier(2, max_epochs=1, random_state=0).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).save(tmp_path / "model")
    done = command("export", "model", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1) and sentence in done.stderr


def test_ctrl_c_ends_the_training_and_keeps_the_model(tmp_path, result, monkeypatch):
    monkeypatch.setattr("tsk_core.tasks.task.CHECKPOINT_SECONDS", 0)

    def press():
        wait_until(lambda: any(len(f.read_bytes().splitlines()) > 1 for f in (tmp_path / "runs").glob("*/epochs.jsonl")))
        os.kill(os.getpid(), signal.SIGINT)

    pressing = threading.Thread(target=press, daemon=True)
    pressing.start()
    assert 0 < result("train", "toys.csv", "--epochs", "100000")["epochs"] < 100_000
    pressing.join()


def test_compare_ends_with_one_json_object(command, result):
    given = ("compare", "toys.csv", "--target", "kind", "--variants", "none,ur-bn,rules=3", "--seeds", "3", "--epochs", "5")
    found = result(*given)
    assert list(found) == ["variants", "runs", "pairs"] and found["variants"] == ["none", "ur-bn", "rules=3"]
    assert [list(run) for run in found["runs"]] == [["variant", "seed", "split", "rca", "bca", "ur_weight", "seconds_share"]] * 9
    assert [(run["variant"], run["seed"], run["split"]) for run in found["runs"][2:4]] == [("none", 2, 0), ("ur-bn", 0, 0)]
    pair = found["pairs"][0]
    assert list(pair) == [
        "a", "b", "wins", "losses", "of", "difference", "low", "high", "level", "p_value", "p_adjusted", "detectable",
        "p_above_1_point",
    ]  # fmt: skip
    scores = {name: [run["bca"] for run in found["runs"] if run["variant"] == name] for name in ("none", "ur-bn")}
    gains = [a - b for a, b in zip(scores["ur-bn"], scores["none"], strict=True)]
    assert (pair["a"], pair["b"], pair["of"]) == ("ur-bn", "none", 3)
    assert pair["difference"] == pytest.approx(sum(gains) / 3) and pair["wins"] == sum(gain > 0 for gain in gains)
    assert pair["low"] <= pair["difference"] <= pair["high"] and 0 <= pair["p_above_1_point"] <= 1
    assert result(*given)["runs"] == found["runs"]  # the same points, seconds included
    report = command(*given).stdout
    assert "UR-BN" in report and "over 3 seeds" in report and "Nadeau and Bengio" in report


def test_a_training_without_a_score_is_left_out_of_the_means_of_a_comparison(monkeypatch, capsys):
    from tsk_core.commands import compare

    scores = [[{"best": None}, {"best": [0.75, 0.5]}, {"best": [0.5, 0.25]}], [{"best": None}] * 3]
    points = [
        {"variant": k, "seed": seed, "split": 0, "scores": scores[k][seed], "seconds_share": 1.0, "message": "Diverged."}
        for k in range(2) for seed in range(3)
    ]  # fmt: skip
    monkeypatch.setattr(compare, "run_experiment", lambda task: points)
    assert main(["compare", "iris", "--variants", "none,bn", "--seeds", "3", "--score", "best"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.endswith("3 of 3 diverged")]
    assert [row[:5] for row in rows] == [["MBGD", "0.625", "(0.177)", "0.375", "(0.177)"], ["BN", "–", "–", "1.00", "3"]]


def test_sweep_writes_its_results_and_continues_from_its_folder(tmp_path, command, result, monkeypatch):
    axes = ("--axis", "batch=16,32", "--axis", "ur=0,1")
    given = ("sweep", "toys.csv", "--target", "kind", *axes, "--seeds", "2", "--epochs", "4", "--out", "out")
    found = result(*given)
    assert found["axes"] == {"batch": [16, 32], "ur": [0, 1]} and len(found["runs"]) == 8
    rows = (tmp_path / "out" / "results.csv").read_text().splitlines()
    assert rows[0] == "batch,ur,seed,split,rca,bca,entropy,dead,fidelity,conditions,seconds_share,diverged" and len(rows) == 9
    from tsk_core.tasks import experiment

    monkeypatch.setattr(experiment, "train_together", None)  # nothing is left to train
    assert result(*given) == found
    report = command(*given).stdout
    assert "Highest: " in report and "batch size 16, λ 0" in report.lower()


def test_python_gives_the_same_as_the_command(result):
    config = TrainConfig(n_rules=3, max_epochs=5)
    frame = tsk_core.compare("iris", ["none", "ur-bn"], config=config, seeds=2)
    shell = result("compare", "iris", "--variants", "none,ur-bn", "--seeds", "2", "--rules", "3", "--epochs", "5")
    assert frame.drop(columns=["seconds_share", "test_per_train"]).to_dict("records") == [
        {name: value for name, value in run.items() if name != "seconds_share"} for run in shell["runs"]
    ]
    assert tsk_core.compare_pairs(frame).to_dict("records") == shell["pairs"] and not frame.attrs
    swept = tsk_core.sweep("iris", {"batch": [16, 32]}, config=config, seeds=2)
    assert list(swept["batch"]) == [16, 16, 32, 32] and swept["bca"].between(0, 1).all()
    for axes in ("batch=16,32", ["batch=16,32"]):
        same = tsk_core.sweep("iris", axes, config=replace(config, max_epochs=9), epochs=5, seeds=2)
        assert same.drop(columns="seconds_share").equals(swept.drop(columns="seconds_share"))
    from_file = tsk_core.compare("toys.csv", "none,bn", seeds=1, epochs=2)
    assert list(from_file["variant"]) == ["none", "bn"] and tsk_core.compare_pairs(from_file)["low"].isna().all()
    for call in (
        lambda: tsk_core.compare("iris", score="first"), lambda: tsk_core.compare("nowhere.csv"),
        lambda: tsk_core.sweep("iris", {}),
    ):  # fmt: skip
        with pytest.raises(TSKError):
            call()


def test_a_readable_rule_base_is_printed_in_full(command):
    settings = ("--target", "kind", "--rules", "3", "--conditions", "1", "--epochs", "5")
    done = command("train", "toys.csv", "--from", "readable", *settings)
    assert done.returncode == 0, done.stderr
    text = done.stdout.partition("The rules in full")[2]
    assert 1 <= text.count("\nRule ") == text.count("\n  THEN big ") <= 3 and " ± " in text
    assert "The rules in full" not in command("train", "toys.csv", *settings).stdout
