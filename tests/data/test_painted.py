"""Painted points: the text of a link and back, a table and back, shapes by formula, and what is refused."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import make_dataset, read_csv, to_csv
from tsk_core.data.gallery import bundled
from tsk_core.data.painted import (
    CLASSES,
    IN_LINK,
    LONGEST,
    MOST,
    PRESETS,
    STEPS,
    TARGET,
    Points,
    as_dataset,
    as_frame,
    as_text,
    from_frame,
    from_text,
    preset,
    resampled,
)  # fmt: skip
from tsk_core.errors import DataError, SettingError

VECTORS = Path(__file__).parents[1] / "vectors" / "painted_points.json"
one_point = st.tuples(st.integers(0, STEPS), st.integers(0, STEPS), st.integers(0, len(CLASSES) - 1))


def points_of(rows):
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Points(table[:, :2], table[:, 2])


def rows_of(points):
    return [(*map(int, place), int(c)) for place, c in zip(points.places, points.classes, strict=True)]


def text_by_bits(rows):
    """The encoding written down once more, with strings of binary digits."""
    bits = "".join(f"{x:010b}{y:010b}{c:04b}" for x, y, c in rows)
    return "1." + base64.urlsafe_b64encode(bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits), 8))).decode()


@given(st.lists(one_point, max_size=40))
def test_a_text_has_the_bits_of_its_points_and_gives_them_back(rows):
    text = as_text(points_of(rows))
    assert text == text_by_bits(rows)
    assert rows_of(from_text(text)) == rows


def test_texts_are_those_that_the_browser_makes():
    for one in json.loads(VECTORS.read_text(encoding="utf-8")):
        assert as_text(points_of(one["points"])) == one["text"] == text_by_bits(one["points"])


@given(st.lists(one_point, min_size=1, max_size=40))
def test_a_table_gives_its_points_back(rows):
    frame = as_frame(points_of(rows))
    assert list(frame.columns) == ["x1", "x2", "class"]
    assert rows_of(from_frame(frame)) == rows


@given(st.text(max_size=60))
def test_whatever_stands_in_a_link_is_points_or_one_sentence(text):
    for given_text in (text, f"1.{text}"):
        try:
            assert as_text(from_text(given_text)) == given_text
        except DataError as error:
            assert str(error).endswith(".") and "\n" not in str(error)


def test_a_link_has_room_for_some_hundred_points():
    many = preset("moons", IN_LINK, 0.05)
    assert IN_LINK == 374 and len(as_text(many)) <= LONGEST
    assert rows_of(from_text(as_text(many))) == rows_of(many)
    with pytest.raises(DataError, match=r"has 1,502 letters; at most 1,500 are possible\.$"):
        from_text(as_text(preset("moons", IN_LINK + 1, 0.05)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not begin with “1.”"),
        ("2.AAAA", "does not begin with “1.”"),
        ("AAAA", "does not begin with “1.”"),
        ("1.AAA", "damaged or cut off"),
        ("1.AA==", "damaged or cut off"),
        ("1.AA+/", "damaged or cut off"),
        ("1.AAAÄ", "damaged or cut off"),
        ("1.AAA\n", "damaged or cut off"),
        ("1.٣٣٣٣", "damaged or cut off"),
        ("1._AAA", "place of a painted point"),
        ("1.AAAP", "class of a painted point"),
    ],
)
def test_a_bad_text_is_refused_in_one_sentence(text, said):
    with pytest.raises(DataError, match=said) as refused:
        from_text(text)
    assert str(refused.value).count(". ") == 0 and str(refused.value).endswith(".")


def test_coordinates_go_to_the_nearest_place_and_those_outside_to_the_edge():
    points = Points.at([[0.1234, 0.9996], [-3, 7], [np.inf, 0.5]], [0, 1, 7])
    assert rows_of(points) == [(123, 1000, 0), (0, 1000, 1), (1000, 500, 7)]
    with pytest.raises(DataError, match="not a number"):
        Points.at([[np.nan, 0.5]], [0])
    with pytest.raises(DataError, match="x1, x2 and a class"):
        Points.at([[0.5, 0.5]], [0, 1])
    with pytest.raises(DataError, match="class of a painted point"):
        Points.at([[0.5, 0.5]], [8])
    with pytest.raises(DataError, match=f"at most {MOST:,}"):
        Points.at(np.zeros((MOST + 1, 2)), np.zeros(MOST + 1))


def test_a_dataset_of_points_is_the_one_that_its_csv_has():
    dataset = as_dataset(preset("islands", 90, 0.02))
    assert (dataset.name, dataset.target, dataset.classes) == ("Painted points", "class", ["blue", "green", "orange"])
    again = read_csv(to_csv(dataset.frame), target="class")
    assert again.sha256 == dataset.sha256
    assert rows_of(from_frame(again.frame)) == rows_of(preset("islands", 90, 0.02))


def test_an_axis_that_separates_painted_points_is_no_leak():
    rng = np.random.default_rng(0)
    places = np.concatenate([rng.normal((at, 0), (0.05, 0.2), (60, 2)) for at in (-0.5, 0.5)])
    points = Points.at(places, [0] * 60 + [1] * 60)
    assert not as_dataset(points).check().open
    assert "alone predicts the class" in str(make_dataset(as_frame(points), TARGET, name="a table").check())


def test_points_of_fewer_than_two_classes_are_no_dataset_and_other_tables_no_points():
    with pytest.raises(DataError, match=r"^There are no points; paint points of two classes at least\.$"):
        as_dataset(points_of([]))
    with pytest.raises(DataError, match=r"^All painted points are green; paint points of two classes at least\.$"):
        as_dataset(points_of([(1, 2, 2), (3, 4, 2)]))
    frame = as_frame(points_of([(1, 2, 0), (3, 4, 1)]))
    for other in (frame.rename(columns={"x1": "x"}), frame.assign(**{"class": "cat"})):
        with pytest.raises(DataError, match="has no painted points"):
            from_frame(other)


@pytest.mark.parametrize("name", PRESETS)
def test_a_shape_has_its_rows_in_the_plane_and_the_same_ones_again(name):
    for rows in (20, 333):
        points = preset(name, rows, 0.0, seed=3)
        assert len(points) == rows and len(points.counts()) >= 2
        assert rows_of(points) == rows_of(preset(name, rows, 0.0, seed=3)) != rows_of(preset(name, rows, 0.0, seed=4))
    moved = preset(name, 2000, 0.05, seed=3).places - preset(name, 2000, 0.0, seed=3).places
    inside = np.abs(moved) < STEPS * 0.15  # of those at the edge, a few are moved back
    assert inside.mean() > 0.95 and abs(moved.std() / STEPS - 0.05) < 0.005


def test_a_shape_of_the_gallery_has_its_formula():
    frame = bundled.moons(40, 0.0, seed=5)
    x, points = frame[["x", "y"]].to_numpy(), preset("moons", 40, 0.0, seed=5)
    scaled = points.places / STEPS
    ratio = (scaled[1:] - scaled[0]) / np.where(np.abs(x[1:] - x[0]) > 0.05, x[1:] - x[0], np.nan)
    assert np.nanstd(ratio) < 0.02 * np.nanmean(ratio)  # one scale for both axes
    assert [("lower", "upper")[c] for c in points.classes] == list(frame["class"])


def test_points_are_drawn_again_as_often_as_each_other():
    few = points_of([(100, 100, 0), (500, 500, 1), (900, 900, 2)])
    more = resampled(few, 31, 0.0)
    assert sorted(rows_of(more).count(row) for row in rows_of(few)) == [10, 10, 11]
    assert len(set(rows_of(resampled(few, 31, 0.05)))) > 25
    with pytest.raises(DataError, match="no points to draw from"):
        resampled(points_of([]), 30, 0.0)


@pytest.mark.parametrize(
    ("name", "rows", "noise", "said"),
    [
        *(("xor", *size, "must be from") for size in [(19, 0.0), (MOST + 1, 0.0), (50, -0.1), (50, 0.3), (50, np.nan)]),
        ("<b>star</b>", 50, 0.0, "the shapes are moons, circles"),
    ],
)
def test_shapes_rows_and_noise_have_bounds(name, rows, noise, said):
    with pytest.raises(SettingError, match=said):
        preset(name, rows, noise)
