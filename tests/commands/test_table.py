"""The options that say how a table is used, and ``check``, which names them."""

import json
import shlex
from dataclasses import replace

import pytest

from tsk_core.__main__ import _parser, main
from tsk_core.commands.table import given_options, load_table, notes_of, options_of
from tsk_core.data import Choices, Finding, Remedy, read_csv
from tsk_core.data.choices import EVERY
from tsk_core.errors import FindingWarning, SettingError

COLUMNS = ("patient", "day", "age", "risk", "a=b", "part", "outcome")


def row(k):
    risk, part, outcome = ("low", "medium, or so", "high")[k % 3], "uv"[k % 5 == 0], ("no", "yes")[k * k % 7 < 2]
    day, age = f"2023-{1 + k % 12:02d}-{1 + k % 28:02d}", -99 if k % 9 == 0 else 20 + k % 50
    return f'p{k // 4},{day},{age},"{risk}",{k * 7 % 11},{part},{outcome}'


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A table, its last rows as a second file, and one with a numeric target."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path / "runs"))
    header = ",".join(COLUMNS)
    (tmp_path / "visits.csv").write_text("\n".join([header, *map(row, range(90))]))
    (tmp_path / "later.csv").write_text("\n".join([header, *map(row, range(90, 120))]))
    (tmp_path / "prices.csv").write_text("x,price\n" + "".join(f"{k * 3 % 50},{k * 1.5}\n" for k in range(60)))


def loaded(*options, file="visits.csv", command="check"):
    return load_table(_parser().parse_args([command, file, *options]))


def failed(capsys, *arguments):
    """The sentence of a command that fails."""
    assert main(list(arguments)) == 1
    written = capsys.readouterr()
    assert written.out == "" and written.err.startswith("error: ") and written.err.count("\n") == 1
    return written.err.removeprefix("error: ").rstrip("\n")


REQUIRED = {"sweep": ("--axis", "ur=0")}


@pytest.mark.parametrize("command", ["check", "train", "tune", "compare", "sweep"])
def test_each_command_that_reads_a_table_takes_the_same_options(command):
    options = ("--group", "patient", "--missing", "age=-99", "--leave-out", "day", *REQUIRED.get(command, ()))
    dataset = loaded(*options, command=command)
    assert loaded("--leave-out", "petal length (cm)", file="iris").X.shape == (150, 3)  # of the gallery, too
    assert dataset.split_column.kind == "group" and dataset.split_column.column == "patient"
    assert dataset.choices.roles == {"patient": "group", "day": "ignored"} and dataset.choices.codes == {"age": ("-99",)}
    assert "day" not in {report.name for report in dataset.columns if report.role != "ignored"}


@pytest.mark.parametrize(
    ("options", "decided"),
    [
        (("--time", "day"), {"roles": {"day": "time"}}),
        (("--split-column", "part"), {"roles": {"part": "split"}}),
        (("--role", "age=category", "--role", "a=b=number"), {"roles": {"age": "category", "a=b": "number"}}),
        (("--leave-out", "age", "--leave-out", "a=b"), {"roles": {"age": "ignored", "a=b": "ignored"}}),
        (("--missing", "-99", "--missing", "k. A."), {"codes": {EVERY: ("-99", "k. A.")}}),
        (("--missing", "a=b=-1", "--missing", "=x=y"), {"codes": {"a=b": ("-1",), EVERY: ("x=y",)}}),
        (("--repeated", "drop", "--rare", "merge"), {"repeated": "drop", "rare": "merge"}),
        (("--mark-missing", "age", "--missing-category", "risk"), {"flags": ("age",), "missing": ("risk",)}),
        (("--one-spelling", "risk"), {"spellings": ("risk",)}),
    ],
)
def test_options_become_choices(options, decided):
    assert loaded(*options).choices.decided == decided


def test_an_order_makes_its_column_ordinal_and_bins_group_a_target_of_numbers(capsys):
    choices = loaded("--order", 'risk=low,"medium, or so",high').choices
    assert choices.roles == {"risk": "ordinal"} and choices.orders == {"risk": ("low", "medium, or so", "high")}
    assert failed(capsys, "check", "prices.csv", "--target", "price").endswith("or group the numbers into ranges by --bins 4.")
    assert len(loaded("--target", "price", "--bins", "3", file="prices.csv").classes) == 3


def test_the_rows_of_a_second_file_are_the_test_rows(capsys):
    dataset = loaded("--test-file", "later.csv", "--leave-out", "part")
    split = dataset.split()
    assert (split.train.tolist(), split.test.tolist()) == (list(range(90)), list(range(90, 120)))
    (part,) = (name for name, role in dataset.choices.roles.items() if role == "split")
    assert part not in dataset.X
    assert "lacks 'patient'" in failed(capsys, "check", "visits.csv", "--test-file", "prices.csv")
    assert "cannot be opened" in failed(capsys, "check", "visits.csv", "--test-file", "nowhere.csv")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--group", "patien"), "--group: there is no column 'patien'; the columns are 'patient', 'day',"),
        (("--mark-missing", "x"), "--mark-missing: there is no column 'x'"),
        (("--role", "age"), "--role is 'age'; it must be COL=VALUE"),
        (("--role", "ages=number"), "--role: there is no column 'ages'"),
        (("--role", "age=nothing"), "A column's role is 'nothing'; the roles are number,"),
        (("--order", "risk=low,high"), "Column 'risk' cannot have the role 'ordinal': its order lacks 'medium"),
        (("--group", "patient", "--time", "day"), "More than one column decides the split"),
        (("--group", "patient", "--test-file", "later.csv"), "More than one column decides the split"),
        (
            ("--group", "patient", "--leave-out", "patient"),
            "Column 'patient' is given the roles 'group' and 'ignored'; it can have only one.",
        ),
        (
            ("--leave-out", "outcome"),
            "Column 'outcome' is the target and cannot have another role; name another target",
        ),
        (("--missing", "ages=-99"), "--missing: there is no column 'ages'; the columns are 'patient'"),
        (("--missing", "age="), "--missing is 'age='; an empty cell is missing already"),
        (("--order", "risk=low"), "--order of 'risk' is 'low'; it must be two or more different categories"),
        (("--bins", "1"), "A target can be grouped into 2 to 20 ranges, not 1."),
    ],
)
def test_a_value_that_does_not_fit_is_one_sentence(capsys, options, sentence):
    said = failed(capsys, "check", "visits.csv", *options)
    assert sentence in said and len(said) < 300


CHANGES = [
    {"roles": {"patient": "group"}},
    {"roles": {"day": "time"}},
    {"roles": {"age": "ignored", "a=b": "category"}},
    {"codes": {"age": ("-99", "-1"), EVERY: ("k. A.", "x=y", "-")}},
    {"not_missing": {"risk": ("NA", "na")}},
    {"roles": {"risk": "ordinal"}, "orders": {"risk": ("low", "medium, or so", 'so "high"')}},
    {"flags": ("age",), "missing": ("risk",), "spellings": ("risk", "day"), "repeated": "together", "rare": "drop", "bins": 4},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_the_options_of_a_remedy_are_read_as_that_remedy(monkeypatch, changes):
    monkeypatch.setattr("tsk_core.commands.table._check_roles", lambda *_: None)
    options = options_of(changes)
    assert replace(loaded(*options).choices, target=None) == Choices().with_changes(changes)
    assert sorted(given_options(_parser().parse_args(["train", "visits.csv", *options]))) == sorted(options)
    assert shlex.split(shlex.join(options)) == options


REMEDY = Remedy("Count them as missing", {"codes": {"age": ("-99",)}})
FOUND = Finding(
    "10 cells of 'age' are -99.", "", "They may stand for missing.", "warning", ("age",), "codes", "missing code", REMEDY
)
OFFER = Finding("Missing values of 'age' depend on the class.", "", "Add a column.", "offer", ("age",), "flags")


@pytest.fixture
def found(monkeypatch):
    """``check`` finds these."""
    findings = (Finding("Read as UTF-8.", kind="note"), OFFER, FOUND)
    monkeypatch.setattr("tsk_core.commands.check.load_table", lambda options: replace(load_table(options), findings=findings))
    return findings


def test_check_prints_what_asks_for_a_decision_first_with_the_option_that_mends_it(found, capsys):
    assert main(["check", "visits.csv"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Dataset 'visits': 90 rows, 5 features, target 'outcome' with 2 classes.\nData check: 2 findings")
    assert text.index("1. warning: 10 cells") < text.index("2. offer: Missing") < text.index("3. note: Read")
    assert "   They may stand for missing.\n   → Count them as missing: --missing=age=-99\n" in text
    assert "   → --mark-missing=age\n" in text and text.count("→") == 2


def test_the_options_that_check_prints_mend_what_it_found(capsys):
    def checked(*options):
        assert main(["check", "visits.csv", "--target", "outcome", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)["findings"]

    found = [finding for finding in checked() if finding["options"]]
    assert "missing code" in {finding["check"] for finding in found}
    for finding in found:
        again = checked(*finding["options"])
        assert (finding["fact"], finding["options"]) not in [(one["fact"], one["options"]) for one in again], finding


def test_check_json_has_the_same(found, capsys):
    assert main(["check", "visits.csv", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["table"], values["rows"], values["features"], values["target"]) == ("visits", 90, 5, "outcome")
    assert sum(values["classes"].values()) == 90
    warning, offer, note = values["findings"]
    assert warning == {
        "kind": "warning", "check": "missing code", "fact": FOUND.fact, "done": "", "advice": FOUND.advice, "columns": ["age"],
        "remedy": "Count them as missing", "options": ["--missing=age=-99"],
    }  # fmt: skip
    assert offer["options"] == ["--mark-missing=age"] and note["options"] == []


def test_names_from_a_file_steer_no_terminal(found, capsys, monkeypatch):
    hostile = replace(FOUND, remedy=Remedy("Leave it out", {"roles": {"a\x1b[2Jb": "ignored"}}))
    monkeypatch.setattr("tsk_core.commands.check.load_table", lambda options: replace(load_table(options), findings=(hostile,)))
    assert main(["check", "visits.csv"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_report_says_how_many_findings_ask_for_a_decision_and_where_they_are():
    dataset = replace(loaded(), findings=(Finding("Read as UTF-8.", kind="note"), OFFER, FOUND))
    options = _parser().parse_args(["train", "visits.csv", "--group", "patient"])
    assert notes_of(dataset, options) == [
        *dataset.notes,
        "2 findings ask for a decision; for the options that fix them, run: python -m tsk_core check visits.csv --group=patient",
    ]
    assert notes_of(replace(dataset, findings=()), options) == []


def test_a_dataset_shows_its_findings_in_python():
    with pytest.warns(FindingWarning) as said:
        dataset = read_csv(b"size,y\n" + b"X,u\nx,v\nX,u\ny,v\n" * 10)
    (warning,) = said
    assert str(warning.message).startswith("Column 'size': 'X' (20) and 'x' (10) differ only in capital letters.")
    assert str(warning.message).endswith("print(dataset.check()) shows this.") and warning.filename == __file__
    assert repr(dataset).endswith("1 finding for you to decide: print(dataset.check()).")
    mended = replace(dataset, findings=(OFFER, FOUND))
    assert "→ Count them as missing: dataset.with_remedy(1)" in str(mended.check())
    assert "<code>dataset.with_remedy(2)</code>" in mended._repr_html_()
    assert mended.check().to_frame()["kind"].tolist() == ["warning", "offer"]


def test_remedies_are_taken_by_their_numbers():
    dataset = read_csv("visits.csv", "outcome")
    found = replace(dataset, findings=(Finding("Read as UTF-8.", kind="note"), OFFER, FOUND))
    mended = found.with_remedy(1, 2)
    assert mended.choices.decided == {"codes": {"age": ("-99",)}, "flags": ("age",)}
    assert dataset.choices.decided == {}
    for number in (0, 3, 4):
        with pytest.raises(SettingError, match=f"No remedy has the number {number};"):
            found.with_remedy(number)
