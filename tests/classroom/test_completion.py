"""Resume tokens, completions and summaries: what this server made is taken, everything else is refused in a sentence."""

import json
import string

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tsk_core.classroom import Classroom, Completion, read_completion, summary
from tsk_core.classroom.completion import Secret
from tsk_core.classroom.schema import person_of
from tsk_core.errors import ClassError

SECRET = Secret(b"k" * 32)
DONE = Completion("ur", "1a2b3c4d5e6f", {"predict": [0.5, 0.25], "see": [1.0]}, "2026-05-31", 0.125, True, "AB3CD")


def test_a_token_continues_as_its_person_on_this_server_alone(tmp_path):
    person = person_of("ann")
    token = Classroom(tmp_path).secret.token(person)
    assert Classroom(tmp_path).secret.person(token) == person  # the key is kept
    with pytest.raises(ClassError, match="resume link"):
        SECRET.person(token)


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "0" * 10**6, None, "é" * 64, person_of("ann"), person_of("ann") * 2])
def test_a_forged_token_is_refused(token):
    with pytest.raises(ClassError, match="incomplete, or from another server"):
        SECRET.person(token)


@given(st.integers(0, 63), st.sampled_from(string.hexdigits.lower()))
def test_a_token_with_another_digit_is_refused(place, digit):
    token = SECRET.token(person_of("ann"))
    assume(token[place] != digit)
    with pytest.raises(ClassError):
        SECRET.person(token[:place] + digit + token[place + 1 :])


def test_a_completion_is_read_again_also_with_other_spaces_and_order(tmp_path):
    text = DONE.to_json(SECRET)
    assert read_completion(text, SECRET) == DONE
    values = json.loads(text)
    path = tmp_path / "completion.json"
    path.write_text(json.dumps(dict(sorted(values.items(), reverse=True))))
    assert read_completion(path, SECRET) == DONE
    with pytest.raises(ClassError, match="cannot be read"):
        read_completion(tmp_path / "none.json", SECRET)
    assert DONE.cells() == ("1a2b3c4d5e6f", "ur", "2026-05-31", "0.125", "yes", "AB3CD")


@pytest.mark.parametrize("change", [
    {"lesson": "bn"}, {"distance": 0.0}, {"date": "2026-06-01"}, {"learner": "x"}, {"answers": {}}, {"right": None}, {"more": 1},
    {"signature": "0" * 64}, {"signature": None}, {"signature": "é"}, {"format": 2},
])  # fmt: skip
def test_a_changed_completion_is_refused(change):
    with pytest.raises(ClassError, match="changed after it was written"):
        read_completion(json.dumps(json.loads(DONE.to_json(SECRET)) | change), SECRET)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "1", "{", "\x00", "[" * 100_000, '"signature"', b"\xff\xfe"])
def test_what_is_no_completion_is_refused(text):
    with pytest.raises(ClassError, match="not a lesson completion file"):
        read_completion(text, SECRET)


def test_a_summary_is_what_one_counts_by_hand():
    assert summary("choice", [[0], [2], [2], [9], [0.5], [1, 1], [-1]], 3).counts == (1, 0, 2)
    bars = [[k / 10, 5.0] for k in range(11)]
    found = summary("bars", [*bars, [1.0]], 2)
    assert (found.n, found.median) == (11, (0.5, 1.0))
    assert (*found.low, *found.high) == pytest.approx((0.1, 1.0, 0.9, 1.0))
    assert summary("region", [[0, 1], [1, 1], [1, 0], [1, 0], [1]], 2).share == (0.75, 0.5)
    assert summary("curve", [[1]], 2).n == 0


@given(st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=1, max_size=30))
def test_a_band_lies_around_the_median_and_agrees_with_sorting(values):
    found = summary("curve", values, 3, -5, 5)
    for k in range(3):
        column = sorted(value[k] for value in values)
        assert found.low[k] <= found.median[k] <= found.high[k]
        middle = (column[(len(column) - 1) // 2] + column[len(column) // 2]) / 2
        assert np.isclose(found.median[k], middle)
