"""The paper's twelve tables, where TSK_DATA_DIR has them: the constants of the code, recomputed."""

import io
import os
from pathlib import Path

import pandas as pd
import pytest

from tsk_core.data import load_dataset
from tsk_core.data.gallery import GALLERY, is_available_offline, openml, paper
from tsk_core.data.gallery.fetch import fetch_table
from tsk_core.data.gallery.paper import DIGESTS, PAPER, PINS, canonical_hash

FOLDERS = [Path(folder) for folder in os.environ.get("TSK_DATA_DIR", "").split(os.pathsep) if folder]


def file_of(name):
    for folder in FOLDERS:
        if (folder / f"{name}.csv").exists():
            return folder / f"{name}.csv"
    pytest.skip(f"TSK_DATA_DIR has no {name}.csv")


def test_all_twelve_are_pinned_and_known():
    names = [entry.name for entry in PAPER]
    assert len(names) == 12
    assert names == list(PINS) == list(DIGESTS)
    assert all(len(digest) == 64 for digest in DIGESTS.values())
    assert {name for name, pin in PINS.items() if not pin.verified} == {"drd", "clave"}  # as data_id is not known
    assert all((pin.data_id is not None) == pin.verified for pin in PINS.values())
    assert len({(pin.name, pin.version) for pin in PINS.values()}) == 12


@pytest.mark.soak  # needs the folder
@pytest.mark.parametrize("name", DIGESTS)
def test_the_papers_table_has_the_hash_in_the_code_and_loads_without_a_difference(name):
    frame = pd.read_csv(file_of(name))
    assert canonical_hash(frame) == DIGESTS[name]
    entry = GALLERY[name]
    assert entry.counts == tuple(sorted(frame["class"].value_counts(), reverse=True))
    assert entry.features == frame.shape[1] - 1
    ds = load_dataset(name)
    assert is_available_offline(name)
    assert len(ds.frame) == GALLERY[name].rows
    assert not [f for f in ds.findings if "paper" in f.fact]


NUMBERS = {  # of classes, as OpenML has them
    "biodeg": ["1", "2"], "drd": ["0", "1"], "page-blocks": ["1", "2", "3", "4", "5"], "waveform": ["0", "1", "2"],
    "satellite": [1.0, 2.0, 3.0, 4.0, 5.0, 7.0],
}  # fmt: skip
NAMES = {
    "biodeg": ["not_ready_biodegradable", "ready_biodegradable"], "drd": ["no_signs", "signs_of_DR"],
    "page-blocks": ["text", "horizontal_line", "picture", "vertical_line", "graphic"], "waveform": ["wave_0", "wave_1", "wave_2"],
    "satellite": ["red_soil", "cotton_crop", "grey_soil", "damp_grey_soil", "vegetation_stubble", "very_damp_grey_soil"],
}  # fmt: skip


def as_openml_has_it(name, frame):
    """The paper's table with what our shapes take away: numbers for names, other columns, other orders."""
    frame = frame.sample(frac=1, random_state=0).reset_index(drop=True)
    labels = frame.pop("class")
    if name in NAMES:
        labels = labels.map(dict(zip(NAMES[name], NUMBERS[name], strict=True)))
    if name == "abalone":
        labels = labels.map({"rings_le_9": "9", "rings_10_15": "10", "rings_ge_16": "16"})
    if name == "magic":
        frame.insert(0, "ID", range(len(frame)))
        labels = labels.str[0]
    if name == "waveform":
        frame = frame.join(pd.DataFrame(0.5, index=frame.index, columns=[f"x{k}" for k in range(22, 41)]))
    if name == "clave":
        outputs = ["neutral", "reverse_clave", "forward_clave", "incoherent"]
        return frame.assign(**{f"out{k}": (labels == output) * 1 for k, output in enumerate(outputs)})
    return frame.assign(Target=labels)


@pytest.mark.soak  # needs the folder
@pytest.mark.parametrize("name", DIGESTS)
def test_the_papers_table_is_restored_from_openml(name, server, tmp_path, monkeypatch):
    original = pd.read_csv(file_of(name))
    server.keep(77, "any", as_openml_has_it(name, original))
    asked = {"arguments": {"data_id": 77}, "home": str(tmp_path), "marker": str(tmp_path / "mark"), "server": openml._SERVER}
    wrong, content = fetch_table(asked | {"megabytes": 20})
    assert wrong == ""
    monkeypatch.delenv("TSK_DATA_DIR")
    monkeypatch.setattr(paper, "fetch", lambda pin, name: pd.read_feather(io.BytesIO(content)))
    frame, findings = GALLERY[name].loader()
    assert [f for f in findings if f.kind == "warning"] == []
    assert frame["class"].value_counts().to_dict() == original["class"].value_counts().to_dict()
