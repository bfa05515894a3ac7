"""The command ``completion``: files of this server are valid, others are not, and two of one browser are told."""

import pytest

from tsk_core.__main__ import main
from tsk_core.classroom import Classroom, Completion


@pytest.fixture
def handed_in(tmp_path):
    """A function that writes a completion, as this server does; the folder of the server."""

    def write(name, learner="1a2b3c4d5e6f", folder=tmp_path / "runs", **more):
        done = Completion("ur", learner, {"predict": [0.5], "see": [0.0]}, "2026-05-31", **more)
        path = tmp_path / name
        path.write_text(done.to_json(Classroom(folder).secret))
        return str(path)

    return write, str(tmp_path / "runs")


def test_a_file_of_this_server_is_valid(handed_in, capsys):
    write, runs = handed_in
    assert main(["completion", "--runs", runs, write("ann.json", distance=0.125, right=False, class_code="AB3CD")]) == 0
    assert capsys.readouterr().out == (
        "valid: ann.json: lesson ur, 2026-05-31, learner 1a2b3c4d5e6f, prediction off by 12.5% of its range, item wrong,"
        " class AB3CD\n"
    )


def test_a_changed_file_and_one_of_another_server_are_not(handed_in, capsys, tmp_path):
    write, runs = handed_in
    changed = tmp_path / write("ann.json", distance=0.125)
    changed.write_text(changed.read_text().replace("0.125", "0.001"))
    other = write("ben.json", folder=tmp_path / "other")
    assert main(["completion", "--runs", runs, str(changed), other, str(tmp_path / "none.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["not valid"] * 3


def test_two_files_of_one_browser_are_told_and_csv_has_a_line_for_each(handed_in, capsys):
    write, runs = handed_in
    files = [write("ann.json"), write("=ben.json"), write("cid.json", learner="000000000000"), write("＝dan.json", learner="1")]
    assert main(["completion", "--runs", runs, *files]) == 1
    assert "ann.json and =ben.json come from the same browser." in capsys.readouterr().out
    assert main(["completion", "--runs", runs, "--csv", *files]) == 1
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "file,valid,learner,lesson,date,distance,right,class"
    assert [line.split(",")[0] for line in lines] == ["ann.json", "'=ben.json", "cid.json", "'＝dan.json"]
    assert {line.count(",") for line in lines} == {head.count(",")}
