"""Each hostile file ends in a table or in one sentence, before the timeout and within memory; the next file is read as ever."""

import re

import pytest

from tests.hostile import archives, cells, columnar, encodings, kinds, names, texts, workbooks
from tests.hostile.catalogue import FILES, csv_of
from tests.hostile.judge import MOST_MB, plain, trainable, watched
from tsk_core.data import Dataset, read_csv, read_table
from tsk_core.errors import TSKError

pytestmark = pytest.mark.timeout(60)  # the app's own limit is nearer to 5 s; a busy machine gets the rest
SOURCES = (archives, cells, columnar, encodings, kinds, names, texts, workbooks)


def read(content: bytes, target: str | None) -> Dataset | TSKError:
    """What becomes of the bytes; any other exception is a failure."""
    try:
        return read_csv(content, target)
    except TSKError as error:
        return error


def listed():
    return [pytest.param(name, marks=pytest.mark.slow if file.slow else ()) for name, file in FILES.items()]


@pytest.mark.parametrize("name", listed())
def test_a_hostile_file_ends_in_a_table_or_in_one_sentence(name):
    file = FILES[name]
    content = file.make()
    with watched() as watch:
        outcome = read(content, file.target)
    if isinstance(outcome, Dataset):
        assert file.reads is not False, outcome.notes
        assert set(file.columns) <= set(outcome.frame.columns)
        assert all(plain(note) for note in outcome.notes), outcome.notes
        assert trainable(outcome)
    else:
        assert file.reads is not True, outcome
        assert plain(str(outcome)), str(outcome)
        assert re.search(file.says, str(outcome), re.IGNORECASE), str(outcome)
    assert watch.parser < MOST_MB and watch.here < MOST_MB, watch


@pytest.mark.parametrize("source", SOURCES, ids=[source.__name__.rpartition(".")[2] for source in SOURCES])
def test_an_ordinary_file_is_read_as_ever_after_the_hostile_ones_of_a_source(source):
    ours = [file for file in FILES.values() if file.make.__module__ == source.__name__ and not file.slow]
    for file in (ours[0], ours[-1]):
        read(file.make(), file.target)
    assert len(read_table(csv_of()).frame) == 24


def test_the_watch_measures_the_parsing_process():
    with watched() as watch:
        read_csv(csv_of(rows=150_000))
    assert 20 < watch.parser < MOST_MB


def test_the_catalogue_has_every_file_of_its_sources():
    homes = {file.make.__module__ for file in FILES.values()}
    assert homes == {source.__name__ for source in SOURCES}
    assert len(FILES) >= 40
    assert {file.reads for file in FILES.values()} == {True, False, None}
