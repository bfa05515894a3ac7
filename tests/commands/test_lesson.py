"""The command ``lesson``: a sentence on a good file, one error on any other."""

import pytest

from tests.lessons.test_playlist import GOOD
from tsk_core.__main__ import main
from tsk_core.lessons import BUILT_IN


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("4-ur.yaml", "a lesson of 7 screens and 5 trainings, 'UR equalises the average firing levels'."),
        ("6-batch.yaml", "a lesson of 7 screens and 34 trainings, 'Batch size and luck'."),  # 6 sizes × 5 seeds, 4 for play
    ],
)
def test_a_lesson_is_described_in_a_sentence(name, sentence, capsys):
    assert main(["lesson", str(BUILT_IN / name)]) == 0
    assert capsys.readouterr() == (f"{name}: {sentence}\n", "")


def test_a_playlist_is_described_in_a_sentence(tmp_path, capsys):
    path = tmp_path / "week.yaml"
    path.write_text(GOOD, "utf-8")
    assert main(["lesson", str(path)]) == 0
    assert capsys.readouterr() == ("week.yaml: a playlist of 2 steps, 'UR in five minutes'.\n", "")


def test_wrong_and_missing_files_are_errors_with_line_and_key(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text((BUILT_IN / "4-ur.yaml").read_text("utf-8").replace("minutes: 9", "minutes: nine"), "utf-8")
    assert main(["lesson", str(path)]) == 1
    assert capsys.readouterr() == ("", "error: mine.yaml, line 5, 'minutes': 'nine' is not of type 'integer'.\n")
    assert main(["lesson", str(tmp_path / "none.yaml")]) == 1
    assert main(["lesson", str(tmp_path)]) == 1
    missing, folder = capsys.readouterr().err.splitlines()
    assert missing == "error: none.yaml cannot be read: no such file or directory."
    assert folder == f"error: {tmp_path.name} cannot be read: it is a folder."
