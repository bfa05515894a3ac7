"""``python -m tsk_core`` on real files: in a process of its own, or where that makes no difference in this one."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import tsk_core
from tsk_core import TrainConfig, TSKClassifier
from tsk_core.__main__ import main, tsk_explorer
from tsk_core.commands.common import write_output
from tsk_core.commands.export import NAMES
from tsk_core.commands.tune import _effort
from tsk_core.errors import TSKError
from tsk_core.explain import FORMATS
from tsk_core.predict import load_model
from tsk_core.runs import RunStore

CSV = "size;colour;kind\n" + "\n".join(
    f"{'' if i == 3 else f'{i % 17},5'};{('red', 'green', 'blue')[i % 3]};{'small' if i % 17 < 8 else 'big'}" for i in range(120)
)

GRIDS = {"logistic_regression": {"C": [0.1, 1.0]}}  # of tuned baselines: a forest takes seconds


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


def test_train_ends_with_one_json_object(tmp_path, command):
    done = command(
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
    ("arguments", "start"),
    [
        ((), TrainConfig()),
        (("--from", "recommended"), TrainConfig()),
        (("--from", "paper"), TrainConfig.paper()),
        (("--from", "paper", "--firing", "htsk", "--shrink", "0.5"), TrainConfig.paper(firing="htsk", shrinkage=0.5)),
    ],
)
def test_settings_that_are_not_given_are_those_of_the_starting_point(command, arguments, start):
    done = command("train", "toys.csv", "--rules", "3", "--epochs", "2", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    config = TrainConfig.from_dict(json.loads(done.stdout)["config"])
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


@pytest.mark.parametrize("option", ["--patience", "--validation-fraction"])
def test_a_sweep_in_which_nothing_stops_early_has_no_options_of_early_stopping(option, capsys):
    with pytest.raises(SystemExit):
        main(["sweep", "iris", "--axis", "batch=16", option, "0.5"])
    assert f"unrecognized arguments: {option}" in capsys.readouterr().err


def test_an_unknown_starting_point_is_an_error_of_usage(capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(["train", "toys.csv", "--from", "nowhere"])
    assert "invalid choice: 'nowhere'" in capsys.readouterr().err


def test_tune_ends_with_one_json_object_and_its_settings_train(command, monkeypatch):
    monkeypatch.setattr("tsk_core.tuning.portfolio.RUNGS", (5,))
    monkeypatch.setattr("tsk_core.tuning.portfolio.MostAccurate.rounds", 0)
    monkeypatch.setattr("tsk_core.tuning.portfolio.MostAccurate.repeats", 1)  # so that the search ends long before its budget
    monkeypatch.setattr("tsk_core.evaluate.tuned_baselines.GRIDS", GRIDS)
    done = command("tune", "toys.csv", "--target", "kind", "--budget", "300", "--folds", "2", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert list(result) == ["run", "best", "cv_bca", "rca", "bca", "baselines", "seconds", "trials"]
    assert 0.5 < result["cv_bca"] <= 1 and 0.5 < result["bca"] <= 1 and "majority" in result["baselines"]
    assert result["seconds"] < 300 and result["trials"] == 12
    report = command("tune", "toys.csv", "--target", "kind", "--budget", "300", "--folds", "2").stdout
    assert "On the test rows" in report and "logistic regression" in report
    train = report.splitlines()[-1].removeprefix("python -m tsk_core ").split()
    config = TrainConfig.from_dict(json.loads(command(*train, "--json").stdout)["config"])
    assert config.differing(TrainConfig.from_dict(result["best"])) == [] and config.random_state == 0


def test_tune_by_another_score_prints_it_beside_those_of_baselines_tuned_by_it(command, monkeypatch):
    monkeypatch.setattr("tsk_core.tuning.portfolio.RUNGS", (5,))
    monkeypatch.setattr("tsk_core.tuning.portfolio.MostAccurate.rounds", 0)
    monkeypatch.setattr("tsk_core.tuning.portfolio.MostAccurate.repeats", 1)
    monkeypatch.setattr("tsk_core.evaluate.tuned_baselines.GRIDS", GRIDS)
    given = ("toys.csv", "--target", "kind", "--budget", "300", "--folds", "2", "--scoring", "neg_log_loss")
    result = json.loads(command("tune", *given, "--json").stdout.splitlines()[-1])
    assert (result["scoring"], result["cv_bca"]) == ("neg_log_loss", None) and result["cv_score"] < 0
    scored = [result["scored"], result["baselines"]["logistic_regression"]["scored"]]
    lines = command("tune", *given).stdout.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("On the test rows")]
    assert lines[at].endswith("RCA    BCA    AUC    negative log loss")
    assert [line.split()[-1] for line in lines[at + 1 : at + 4] if "majority" not in line] == [f"{score:.3f}" for score in scored]


def test_tune_says_which_baselines_were_tuned():
    keys = ("majority", "logistic_regression", "weighted_logistic_regression", "random_forest")
    tuned = {"random_forest": {"tried": 3, "seconds": 1.5}}
    assert _effort({"baselines": dict.fromkeys(keys), "baselines_tuned": tuned}) == (
        "Baselines tuned on folds of the training rows, too: random forest 3 settings in 1.5 s."
        " With default settings: logistic regression, class-weighted logistic regression."
    )


def test_tune_readable_prints_the_curve_and_its_settings_train_from_the_readable_ones(command, monkeypatch):
    monkeypatch.setattr("tsk_core.tuning.readable.Readable.repeats", 1)
    monkeypatch.setattr("tsk_core.tuning.readable.Readable.rounds", 0)
    monkeypatch.setattr("tsk_core.tuning.readable.SIZES", ((4, 2), (2, 1), (3, 2)))
    monkeypatch.setattr("tsk_core.evaluate.tuned_baselines.GRIDS", GRIDS)
    given = ("toys.csv", "--target", "kind", "--budget", "300", "--folds", "2", "--readable")
    result = json.loads(command("tune", *given, "--json").stdout.splitlines()[-1])
    assert list(result)[-2:] == ["conditions", "curve"]
    (taken,) = [point for point in result["curve"] if point["config"] == result["best"]]
    assert 0 < taken["conditions"] == result["conditions"] <= taken["rules"] * taken["max_conditions"]
    report = command("tune", *given, "--aim", "best").stdout
    lines = report.splitlines()
    marked = [line for line in lines if line.endswith("  taken")]
    (heading,) = [at for at, line in enumerate(lines) if line.startswith("Conditions  Rules")]
    assert marked == [lines[heading + len(result["curve"])]]  # the best is at the end of the curve
    assert "--from readable" in lines[-1]
    train = lines[-1].removeprefix("python -m tsk_core ").split()
    config = TrainConfig.from_dict(json.loads(command(*train, "--json").stdout)["config"])
    assert config.differing(TrainConfig.from_dict(result["curve"][-1]["config"])) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("train", "nowhere.csv"), "cannot be opened"),
        (("train", "nonsense"), "no dataset of that name"),
        (("train", "toys.csv", "--target", "nope"), "There is no column 'nope'"),
        (("train", "toys.csv", "--ur", "much"), "ur_weight is 'much'; it must be a number."),
        (("train", "toys.csv", "--tau", "x"), "--tau: ur_target is 'x'; it must be 1/C, 1/R or a number."),
        (("train", "toys.csv", "--rules", "0"), "--rules: n_rules is 0; it must be at least 1."),
        (("train", "toys.csv", "--test", "1"), "must be a share between 0 and 1"),
        (("train", "iris", "--opt", "adam", "--lr", "1e30"), "Training diverged in its first epoch"),
        (("tune", "nowhere.csv"), "cannot be opened"),
        (("tune", "toys.csv", "--seed", "x"), "random_state is 'x'; it must be a number."),
        (("tune", "toys.csv", "--budget", "0"), "budget is 0.0; it must be a number of seconds above 0."),
        (("tune", "toys.csv", "--budget", "nan"), "budget is nan; it must be a number of seconds above 0."),
        (("tune", "toys.csv", "--scoring", "AUC"), "scoring is 'AUC'; it must be one of balanced_accuracy, accuracy, roc_auc"),
        (
            ("check", "toys.csv", "--sheet", "Data"),
            "--sheet has no effect with 'toys.csv', which is not a workbook; leave it out.",
        ),
        (("check", "iris", "--sheet", "Data"), "--sheet has no effect with 'iris', which is not a workbook; leave it out."),
        (("tune", "toys.csv", "--folds", "1"), "--folds is 1; it must be a whole number of at least 2."),
        (("train", "toys.csv", "--validation-fraction", "0.3"), "--validation-fraction has no effect without --es;"),
        (("tune", "toys.csv", "--aim", "best"), "--aim has no effect without --readable; give both or neither."),
        (("tune", "toys.csv", "--readable", "--trainings", "2"), "--trainings has no effect with --readable;"),
        (("train", "toys.csv", "--lr", "1e200"), "Training diverged in its first epoch"),
        (("train", "toys.csv", "--test-file", "toys.csv", "--test", "0.5"), "--test has no effect with --test-file"),
        (("train", "toys.csv", "--split-column", "colour", "--test", "0.5"), "--test has no effect with --split-column"),
        (("compare", "toys.csv", "--validation-fraction", "0.3"), "--validation-fraction has no effect without a variant"),
        (("sweep", "toys.csv", "--axis", "rules=2", "--out", "toys.csv"), "name another with --out."),
        (("predict", "nonsense", "toys.csv"), "There is no run and no saved model at 'nonsense'."),
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
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


def test_ctrl_c_ends_the_training_and_keeps_the_model(tmp_path):
    arguments = ["train", "toys.csv", "--epochs", "100000", "--json"]
    process = subprocess.Popen([sys.executable, "-m", "tsk_core", *arguments], stdout=subprocess.PIPE, text=True)
    runs = tmp_path / "runs"
    while process.poll() is None and not any(len(f.read_bytes().splitlines()) > 1 for f in runs.glob("*/epochs.jsonl")):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 0
    assert 0 < json.loads(output)["epochs"] < 100_000


def test_compare_ends_with_one_json_object(command):
    arguments = ("compare", "toys.csv", "--target", "kind", "--variants", "none,ur-bn,rules=3", "--seeds", "3", "--epochs", "5")
    done = command(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert list(result) == ["variants", "runs", "pairs"] and result["variants"] == ["none", "ur-bn", "rules=3"]
    assert [list(run) for run in result["runs"]] == [["variant", "seed", "split", "rca", "bca", "ur_weight", "seconds_share"]] * 9
    assert [(run["variant"], run["seed"], run["split"]) for run in result["runs"][2:4]] == [("none", 2, 0), ("ur-bn", 0, 0)]
    pair = result["pairs"][0]
    assert list(pair) == [
        "a", "b", "wins", "losses", "of", "difference", "low", "high", "level", "p_value", "p_adjusted", "detectable",
        "p_above_1_point",
    ]  # fmt: skip
    scores = {name: [run["bca"] for run in result["runs"] if run["variant"] == name] for name in ("none", "ur-bn")}
    gains = [a - b for a, b in zip(scores["ur-bn"], scores["none"], strict=True)]
    assert (pair["a"], pair["b"], pair["of"]) == ("ur-bn", "none", 3)
    assert pair["difference"] == pytest.approx(sum(gains) / 3) and pair["wins"] == sum(gain > 0 for gain in gains)
    assert pair["low"] <= pair["difference"] <= pair["high"] and 0 <= pair["p_above_1_point"] <= 1
    again = json.loads(command(*arguments, "--json").stdout.splitlines()[-1])
    assert again["runs"] == result["runs"]  # the same points, seconds included
    report = command(*arguments)
    assert "UR-BN" in report.stdout and "over 3 seeds" in report.stdout and "Nadeau and Bengio" in report.stdout


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


def test_a_run_of_a_comparison_is_that_of_train(command):
    settings = ("toys.csv", "--target", "kind", "--rules", "3", "--epochs", "5", "--json")
    compared = json.loads(command("compare", *settings, "--variants", "base", "--seeds", "2").stdout.splitlines()[-1])
    for run in compared["runs"]:
        own = json.loads(command("train", *settings, "--seed", str(run["seed"])).stdout.splitlines()[-1])
        assert (own["rca"], own["bca"]) == pytest.approx((run["rca"], run["bca"]), abs=1e-9)


def test_sweep_writes_its_results_and_continues_from_its_folder(tmp_path, command, monkeypatch):
    arguments = (
        "sweep",
        "toys.csv",
        "--target",
        "kind",
        "--axis",
        "batch=16,32",
        "--axis",
        "ur=0,1",
        "--seeds",
        "2",
        "--epochs",
        "4",
    )
    done = command(*arguments, "--out", "out", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["axes"] == {"batch": [16, 32], "ur": [0, 1]} and len(result["runs"]) == 8
    rows = (tmp_path / "out" / "results.csv").read_text().splitlines()
    assert rows[0] == "batch,ur,seed,split,rca,bca,entropy,dead,fidelity,conditions,seconds_share,diverged" and len(rows) == 9
    from tsk_core.tasks import experiment

    monkeypatch.setattr(experiment, "train_together", None)  # nothing is left to train
    again = command(*arguments, "--out", "out", "--json")
    assert json.loads(again.stdout.splitlines()[-1]) == result
    report = command(*arguments, "--out", "out")
    assert "Highest: " in report.stdout and "batch size 16, λ 0" in report.stdout.lower()


def test_a_sweep_of_equal_gradient_steps_has_one_cell_of_all_training_rows(command):
    settings = ("--axis", "batch=16,64,2048", "--seeds", "1", "--rules", "3", "--epochs", "2", "--batch", "16")
    report = command("sweep", "iris", *settings, "--equal", "steps")
    assert "batch size 64" in report.stdout and "batch size ≥ 105 (full batch)" in report.stdout, report.stderr
    assert "Equal gradient steps: 14 in 2 to 14 epochs." in report.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("compare", "iris", "--variants", "nonsense"), "no variant"), (("compare", "iris", "--seeds", "31"), "from 1 to 30"),
     (("sweep", "iris", "--axis", "colour=1"), "no axis"), (("sweep", "iris", "--axis", "batch=a"), "numbers"),
     (("compare", "iris", "--ur", "-1"), "at least 0"), (("sweep", "nowhere", "--axis", "batch=16"), "no dataset")],
)  # fmt: skip
def test_what_cannot_be_compared_is_one_sentence(command, arguments, words):
    done = command(*arguments)
    assert done.returncode == 1 and words in done.stderr and done.stderr.count("\n") == 1


def test_python_gives_the_same_as_the_command(command):
    import tsk_core

    config = TrainConfig(n_rules=3, max_epochs=5)
    frame = tsk_core.compare("iris", ["none", "ur-bn"], config=config, seeds=2)
    shell = json.loads(
        command("compare", "iris", "--variants", "none,ur-bn", "--seeds", "2", "--rules", "3", "--epochs", "5", "--json").stdout
    )
    assert frame.drop(columns=["seconds_share", "test_per_train"]).to_dict("records") == [
        {name: value for name, value in run.items() if name != "seconds_share"} for run in shell["runs"]
    ]
    assert tsk_core.compare_pairs(frame).to_dict("records") == shell["pairs"] and not frame.attrs
    swept = tsk_core.sweep("iris", {"batch": [16, 32]}, config=config, seeds=2)
    assert list(swept["batch"]) == [16, 16, 32, 32] and swept["bca"].between(0, 1).all()
    same = [
        tsk_core.sweep("iris", axes, config=replace(config, max_epochs=9), epochs=5, seeds=2)
        for axes in ("batch=16,32", ["batch=16,32"])
    ]
    assert all(one.drop(columns="seconds_share").equals(swept.drop(columns="seconds_share")) for one in same)
    from_file = tsk_core.compare("toys.csv", "none,bn", seeds=1, epochs=2)
    assert list(from_file["variant"]) == ["none", "bn"] and tsk_core.compare_pairs(from_file)["low"].isna().all()
    for call in (
        lambda: tsk_core.compare("iris", score="first"),
        lambda: tsk_core.compare("nowhere.csv"),
        lambda: tsk_core.sweep("iris", {}),
    ):
        with pytest.raises(TSKError):
            call()


def test_a_readable_rule_base_is_printed_in_full(command):
    settings = ("--target", "kind", "--rules", "3", "--conditions", "1", "--epochs", "5")
    done = command("train", "toys.csv", "--from", "readable", *settings)
    assert done.returncode == 0, done.stderr
    text = done.stdout.partition("The rules in full")[2]
    assert 1 <= text.count("\nRule ") == text.count("\n  THEN big ") <= 3 and " ± " in text
    assert "The rules in full" not in command("train", "toys.csv", *settings).stdout
