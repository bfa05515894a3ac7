"""Fetching from OpenML: what is fetched, what is stored, and the errors."""

import io
import re
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from tsk_core.data import load_dataset
from tsk_core.data.gallery import is_available_offline, openml, paper
from tsk_core.data.gallery.fetch import fetch_table
from tsk_core.data.gallery.openml import Pin, fetch, is_fetched
from tsk_core.data.gallery.paper import canonical_hash
from tsk_core.errors import DataError

PIN = Pin("vehicle", 1, 54)
ARFF = "/data/v1/download/54/vehicle.arff"
INFO = "/api/v1/json/data/54"
TRIES_AGAIN = pytest.mark.filterwarnings("ignore:Invalid cache", "ignore:A network error occurred")


@pytest.fixture(autouse=True)
def _no_folders(monkeypatch):
    monkeypatch.delenv("TSK_DATA_DIR", raising=False)


@pytest.fixture
def without_process(monkeypatch):
    """The process that fetches is a call in this one: it takes seconds to start."""

    def answer(process, job, *limits):
        failure, content = fetch_table(job)
        return (None, failure) if failure else (pd.read_feather(io.BytesIO(content)), "")

    monkeypatch.setattr(openml, "ChildProcess", lambda *_, **__: nullcontext())
    monkeypatch.setattr(openml, "_answer", answer)
    monkeypatch.setattr("sklearn.datasets._openml.time", SimpleNamespace(sleep=lambda seconds: None))  # before it tries again


def refused(name="vehicle"):
    with pytest.raises(DataError) as caught:
        load_dataset(name)
    sentence = str(caught.value)
    assert re.search(rf"put {name}\.csv.*TSK_DATA_DIR\.$", sentence)
    assert not is_available_offline(name)
    return sentence


def test_a_dataset_is_fetched_once_and_then_needs_no_server(server, table, monkeypatch):
    server.keep(54, "vehicle", table)
    assert not is_fetched(PIN)
    assert_frame_equal(fetch(PIN, "vehicle"), table, check_dtype=False)
    assert is_fetched(PIN)
    asked = len(server.asked)
    monkeypatch.setattr(openml, "_SERVER", "http://127.0.0.1:9")  # nobody listens there
    assert_frame_equal(fetch(PIN, "vehicle"), table, check_dtype=False)
    assert len(server.asked) == asked


@pytest.mark.usefixtures("without_process")
def test_a_dataset_without_a_number_is_found_by_name_and_version(server, table):
    server.keep(998, "Some_Name", table.head(9))
    server.keep(999, "Some_Name", table, version=2)
    assert_frame_equal(fetch(Pin("Some_Name", 2), "clave"), table, check_dtype=False)


@pytest.mark.parametrize("classes", [["0", "1", "2"], ["'a b'", "c", "d"], [0, 1, 2]])
def test_classes_may_be_numbers_or_several_words(server, table, fetch_here, classes):
    server.keep(54, "vehicle", table.assign(Class=np.resize(classes, len(table))))
    assert fetch_here() == ""
    assert list(fetch_here.table["Class"].astype(str).str.removesuffix(".0").unique()) == [str(c).strip("'") for c in classes]


def test_the_papers_table_comes_with_its_source_and_no_warning(table, monkeypatch):
    monkeypatch.setattr(paper, "fetch", lambda pin, name: table)
    monkeypatch.setitem(paper.DIGESTS, "vehicle", canonical_hash(table, "Class"))
    ds = load_dataset("vehicle")
    assert (ds.target, ds.classes, ds.X.shape) == ("class", ["x", "y", "z"], (60, 2))
    assert ds.licence == "CC BY 4.0"
    assert "archive.ics.uci.edu" in ds.source
    assert "OpenML's dataset 'vehicle' (number 54, version 1)" in ds.notes[0]
    assert [f for f in ds.findings if f.kind == "warning"] == []


def test_a_table_other_than_the_papers_and_an_unconfirmed_number_are_warned_of(table, monkeypatch):
    monkeypatch.setattr(paper, "fetch", lambda pin, name: table)
    (warning,) = [f for f in load_dataset("vehicle").findings if f.kind == "warning"]
    assert "60 rows instead of 846 and 2 features instead of 18 and 3 classes instead of 4" in warning.fact
    assert "vehicle.csv" in warning.advice
    changed = table.assign(**{"a b": table["a b"].where(table["n"] != 3, 1.5)})
    monkeypatch.setattr(paper, "fetch", lambda pin, name: changed)
    monkeypatch.setitem(paper.DIGESTS, "drd", canonical_hash(table, "Class"))
    (warning,) = [f for f in load_dataset("drd").findings if f.kind == "warning"]
    assert "is not confirmed" in warning.fact


@pytest.mark.usefixtures("without_process")
def test_a_dataset_that_openml_lacks_is_an_error_without_an_immediate_retry(server, table):
    assert "OpenML has no such dataset" in refused()  # it says 412
    asked = len(server.asked)
    server.keep(54, "vehicle", table)
    refused()
    assert len(server.asked) == asked


def test_a_server_that_sends_a_byte_now_and_then_is_abandoned_in_time(server, table, monkeypatch):
    monkeypatch.setenv("TSK_MAX_FETCH_SECONDS", "1")
    server.keep(54, "vehicle", table)
    server.wrong[ARFF] = "drip"
    assert "did not answer in time" in refused()
    assert not list(openml._marker(PIN).parent.parent.rglob("tmp*"))  # nothing half fetched stays behind


@TRIES_AGAIN
@pytest.mark.usefixtures("without_process")
def test_without_internet_the_sentence_says_how_to_supply_the_file(server, monkeypatch):
    monkeypatch.setattr(openml, "_SERVER", "http://127.0.0.1:9")
    assert "OpenML cannot be reached" in refused("satellite")


@pytest.mark.usefixtures("without_process")
def test_a_folder_that_cannot_be_written_is_an_error(server, table, tmp_path, monkeypatch):
    (tmp_path / "kept").write_text("a file where the folder should be")
    server.keep(54, "vehicle", table)
    assert "cannot be stored on disk" in refused()


def test_a_file_of_the_data_folder_comes_before_openml(server, table, tmp_path, monkeypatch):
    table.rename(columns={"Class": "class"}).to_csv(tmp_path / "Vehicle.csv", index=False)
    monkeypatch.setenv("TSK_DATA_DIR", str(tmp_path))
    assert is_available_offline("vehicle")
    ds = load_dataset("vehicle")
    assert server.asked == []
    assert (ds.name, len(ds.frame)) == ("vehicle", 60)
    assert any("60 rows instead of 846" in f.fact for f in ds.findings if f.kind == "warning")


# What the process does is tested here without one: it takes seconds to start.


@pytest.fixture
def fetch_here(server, tmp_path, monkeypatch):
    """Fetch number 54 in this process; returns the kind of failure, "" for none, and stores the table as ``.table``."""
    mark = tmp_path / "mark"
    monkeypatch.setattr("sklearn.datasets._openml.time", SimpleNamespace(sleep=lambda seconds: None))  # before it tries again

    def fetch_here(megabytes=1):
        asked = {"arguments": {"data_id": 54}, "home": str(tmp_path / "kept"), "marker": str(mark), "server": openml._SERVER}
        wrong, content = fetch_table(asked | {"megabytes": megabytes})
        assert bool(content) == mark.exists() == (not wrong)
        if content:
            fetch_here.table = pd.read_feather(io.BytesIO(content))
        return wrong

    return fetch_here


@TRIES_AGAIN
@pytest.mark.parametrize(
    ("path", "wrong", "word"),
    [
        (ARFF, "404", "missing"),
        (ARFF, "500", "failing"),
        (ARFF, "cut", "broken"),
        (INFO, "cut", "broken"),
        (INFO, "nonsense", "broken"),
        (ARFF, "gzip", "broken"),
        (ARFF, "flood", "large"),
    ],
)
def test_a_bad_answer_is_classified(server, table, fetch_here, path, wrong, word):
    server.keep(54, "vehicle", table)
    server.wrong[path] = wrong
    assert fetch_here() == word
    server.wrong.clear()
    assert fetch_here() == ""  # nothing bad was kept


@TRIES_AGAIN
def test_a_checksum_that_does_not_match_is_refused(server, table, fetch_here):
    server.keep(54, "vehicle", table, md5="0" * 32)
    assert fetch_here() == "broken"


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(server, table, fetch_here):
    server.keep(54, "vehicle", table)
    largest = max(map(len, server.answers.values()))
    assert fetch_here((largest - 1) / 1e6) == "large"
    assert fetch_here(largest / 1e6) == ""


@TRIES_AGAIN
def test_an_answer_cannot_lead_to_a_file_of_this_machine(server, table, fetch_here, tmp_path):
    server.keep(54, "vehicle", table)
    secret = tmp_path / "secret.arff"
    secret.write_bytes(server.answers[ARFF])
    server.keep(54, "vehicle", table, url=secret.as_uri())
    assert fetch_here() == "unreachable"


def test_an_answer_cannot_choose_where_it_is_stored(server, table, fetch_here, tmp_path):
    server.keep(54, "vehicle", table, url="https://api.openml.org/../../../outside.arff")
    server.answers["/../../../outside.arff"] = server.answers[ARFF]
    assert fetch_here() == "broken"
    assert not list(tmp_path.rglob("outside*"))
