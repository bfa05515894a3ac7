"""The gallery, generated tables, and folders of CSV files."""

import os
from dataclasses import replace

import numpy as np
import pytest

from tsk_core import limits
from tsk_core.config import STARTING_POINTS
from tsk_core.data import dataset_names, load_dataset
from tsk_core.data.gallery import GALLERY, entries, is_available_offline, titles
from tsk_core.data.gallery.bundled import MEASURED, spirals, waveform21, waveform_bases, xor
from tsk_core.data.gallery.entry import GROUPS
from tsk_core.errors import DataError

SHAPES = {
    "iris": (150, 4, 3), "wine": (178, 13, 3), "breast_cancer": (569, 30, 2), "digits": (1797, 61, 10),
    "moons": (600, 2, 2), "circles": (600, 2, 2), "spirals": (900, 2, 3), "xor": (600, 2, 2), "blobs": (1000, 2, 3),
    "rich_get_richer": (4000, 2, 2), "waveform21": (5000, 21, 3),
}  # fmt: skip


PAPER = [
    "vehicle", "biodeg", "drd", "yeast", "steel", "segment", "abalone", "waveform", "page-blocks", "satellite", "clave", "magic",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_folders(monkeypatch):
    monkeypatch.delenv("TSK_DATA_DIR", raising=False)


@pytest.mark.parametrize("name", SHAPES)
def test_a_gallery_table_has_its_known_shape_and_source(name):
    ds = load_dataset(name)
    assert (*ds.X.shape, len(ds.classes)) == SHAPES[name]
    assert ds.target == "class"
    assert ds.source
    assert ds.licence
    assert ds.sha256 == load_dataset(name.upper()).sha256
    assert is_available_offline(name)


@pytest.mark.parametrize("name", SHAPES)
def test_a_card_describes_the_table(name):
    entry = GALLERY[name]
    frame, _ = entry.loader()
    assert entry.counts == tuple(sorted(frame["class"].value_counts(), reverse=True))
    assert (entry.rows, entry.features, entry.classes) == (len(frame), frame.shape[1] - 1, frame["class"].nunique())


@pytest.mark.parametrize("name", MEASURED)
def test_settings_that_a_card_names_are_settings(name):
    measured = GALLERY[name].measured
    assert measured is MEASURED[name] and measured.figures.endswith(".")
    config = replace(STARTING_POINTS[measured.start], **measured.settings)
    assert set(config.differing(STARTING_POINTS[measured.start])) == set(measured.settings)


@pytest.mark.parametrize("entry", GALLERY.values(), ids=GALLERY)
def test_a_card_is_complete(entry):
    assert entry.description.endswith((".", "?"))
    assert entry.good_for.endswith(".")
    assert len(entry.good_for) <= 140
    assert entry.group in GROUPS
    assert all((entry.title, entry.source, entry.licence, entry.features))
    assert entry.counts == tuple(sorted(entry.counts, reverse=True))
    limits.check("rows", entry.rows, "Rows")
    limits.check("classes", entry.classes, "Classes")


def test_the_gallery_is_complete():
    assert dataset_names() == [*SHAPES, *PAPER]
    assert [GROUPS.index(entry.group) for entry in entries()] == sorted(GROUPS.index(entry.group) for entry in entries())
    assert titles()["breast_cancer"] == "Breast cancer"
    assert load_dataset("iris").classes == ["setosa", "versicolor", "virginica"]
    assert load_dataset("digits").classes == [str(k) for k in range(10)]


def test_files_of_the_data_folders_are_datasets(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (first / "New-Blocks.csv").write_text("a,class\n" + "1,x\n2,y\n" * 4)
    (second / "new-blocks.csv").write_text("other,class\n" + "1,x\n2,y\n" * 4)
    (second / "iris.csv").write_text("a,class\n" + "1,x\n2,y\n" * 4)
    (second / "more.csv").write_text("a;class\n" + "1,5;x\n2,5;y\n" * 4)
    monkeypatch.setenv("TSK_DATA_DIR", os.pathsep.join([str(first), str(tmp_path / "none"), str(second), ""]))
    assert dataset_names() == [*SHAPES, *PAPER, "New-Blocks", "more"]
    assert titles()["New-Blocks"] == "New blocks"
    card = entries()[-1]
    assert (card.group, card.rows, card.features, card.classes) == ("folder", None, None, None) and is_available_offline("more")
    ds = load_dataset("new-BLOCKS")
    assert (ds.name, ds.target, list(ds.X.columns)) == ("New-Blocks", "class", ["a"])  # the first folder wins
    assert load_dataset("iris").X.shape == (150, 4)  # the gallery wins
    assert load_dataset("more").X["a"].tolist()[:2] == [1.5, 2.5]


@pytest.mark.parametrize("name", ["../iris", "a/b", "a\\b", "/etc/passwd", "iris\0"])
def test_a_name_with_a_path_is_refused(name):
    with pytest.raises(DataError, match="path"):
        load_dataset(name)


def test_an_unknown_name_is_refused_with_the_names():
    with pytest.raises(DataError, match="no dataset 'nothing'; the names are iris, wine"):
        load_dataset("nothing")


def test_generated_tables_are_the_same_each_time_and_xor_has_a_blurred_boundary():
    assert waveform21().equals(waveform21())
    assert spirals().equals(spirals())
    assert set(spirals(arms=2)["class"]) == {"arm 1", "arm 2"}
    frame = xor()
    inside = frame[frame[["x", "y"]].abs().min(axis=1) > 0.2]  # four standard deviations
    assert len(inside) > 300
    assert ((inside["x"] * inside["y"] > 0) == (inside["class"] == "same")).all()


def test_waveform_class_means_follow_the_definition():
    h1 = [max(6 - abs(i - 7), 0) for i in range(1, 22)]
    h2 = [max(6 - abs(i - 8 - 7), 0) for i in range(1, 22)]  # h1(i − 8)
    h3 = [max(6 - abs(i - 4 - 7), 0) for i in range(1, 22)]  # h1(i − 4)
    assert waveform_bases().tolist() == [h1, h2, h3]
    frame = waveform21(30_000)
    means = frame.groupby("class").mean().to_numpy()
    expected = np.array([np.add(h1, h2), np.add(h1, h3), np.add(h2, h3)]) / 2  # E[u] = 1/2
    assert np.abs(means - expected).max() < 0.08  # five standard errors
    # Where only h1 is not 0, x = u·6 + noise: variance 36/12 + 1.
    assert frame.loc[frame["class"] == 1, "x7"].var() == pytest.approx(4, abs=0.15)
