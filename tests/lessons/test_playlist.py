"""Playlists: a teacher's settings with notes, from a file; a mistake is one sentence with line and key."""

import pytest

from tsk_core.config import TrainConfig
from tsk_core.errors import LessonError
from tsk_core.lessons import lessons, playlists, read_playlist

GOOD = """format: 1
name: week-3
title: UR in five minutes
steps:
  - title: Without UR
    data: rich_get_richer
    settings: {rules: 10, ur: 0, bn: none}
    tab: Firing
    note: "Ask: who wins?"
    why: More firing, more gradient.
  - title: With UR
    data: moons
    test: 0.4
    settings: {ur: 10}
    note: Every bar is near 1/R.
"""


def test_each_step_has_its_data_settings_and_note():
    playlist = read_playlist(GOOD)
    assert (playlist.name, playlist.title) == ("week-3", "UR in five minutes")
    first, second = playlist.steps
    assert (first.title, first.note, first.why, first.data, first.tab) == (
        "Without UR", "Ask: who wins?", "More firing, more gradient.", "rich_get_richer", "Firing",
    )  # fmt: skip
    assert (first.config.n_rules, first.config.ur_weight, first.config.batch_norm, first.test_size) == (10, 0, "none", 0.3)
    assert (second.why, second.tab, second.test_size) == ("", "Training", 0.4)
    changed = TrainConfig.paper().to_dict() | {"ur_weight": 10.0, "random_state": 0}
    assert second.config == TrainConfig.from_dict(changed)


@pytest.mark.parametrize(
    ("said", "meant", "sentence"),
    [
        ("data: moons", "data: mooons", r"line 12, 'steps\[2\].data': no dataset 'mooons' is available"),
        ("{ur: 10}", "{ux: 10}", r"line 14, 'steps\[2\].settings.ux': there is no setting 'ux'"),
        ("{ur: 10}", "{ur: -1}", r"line 14, 'steps\[2\].settings'"),
        ("tab: Firing", "tab: Fire", r"line 8, 'steps\[1\].tab'"),
        ("test: 0.4", "test: 1.4", r"line 13, 'steps\[2\].test'"),
        ("    note: Every bar is near 1/R.\n", "", r"line 11, 'steps\[2\]': 'note' is a required property"),
        ("steps:", "topic: x\nsteps:", "line 4, 'topic': there is no such key here; the keys are format, name, title, steps"),
        ("name: week-3", "name: Week 3", "line 2, 'name'"),
    ],
)
def test_a_mistake_is_one_sentence_with_line_and_key(said, meant, sentence):
    assert GOOD.count(said) == 1
    with pytest.raises(LessonError, match=sentence):
        read_playlist(GOOD.replace(said, meant))


def test_a_folder_has_lessons_and_playlists_and_each_file_is_one_of_them(tmp_path):
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "b.yml").write_text(GOOD.replace("name: week-3", "name: other"))
    (tmp_path / "wrong-playlist.yaml").write_text(GOOD.replace("data: moons", "data: nowhere"))
    (tmp_path / "wrong-lesson.yaml").write_text("format: 1\nname: x\n")
    (tmp_path / "no.yaml").write_text("[")
    known, wrong = playlists(tmp_path)
    assert list(known) == ["week-3", "other"] and len(wrong) == 1 and wrong[0].startswith("wrong-playlist.yaml, line 12")
    found, faults = lessons(tmp_path)
    assert not {"week-3", "other"} & set(found)
    assert sorted(one.split(",")[0].split(":")[0] for one in faults) == ["no.yaml", "wrong-lesson.yaml"]
