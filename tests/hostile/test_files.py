"""Each hostile file ends in a table or in one sentence, before the timeout and within memory; the next file is read as ever."""

import re

import pytest

from tests.hostile.catalogue import csv_of
from tests.hostile.judge import MOST_MB, plain, trainable, watched
from tests.hostile.sources import FILES, SOURCES
from tsk_core.data import Dataset, read_csv, read_table
from tsk_core.errors import TSKError

pytestmark = pytest.mark.timeout(60)  # the app's own limit is nearer to 5 s; a busy machine gets the rest
LAST = {next(reversed(files)) for files in SOURCES.values()}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if file.slow else ()) for name, file in FILES.items()]
)
def test_a_hostile_file_ends_in_a_table_or_in_one_sentence(name):
    file = FILES[name]
    content = file.make()
    with watched() as watch:
        try:
            outcome = read_csv(content, file.target)
        except TSKError as error:  # any other exception is a failure
            outcome = error
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
    if name in LAST:
        assert len(read_table(csv_of()).frame) == 24  # an ordinary file is read as ever


def test_the_watch_measures_the_parsing_process():
    with watched() as watch:
        read_csv(csv_of(rows=50_000))
    assert 20 < watch.parser < MOST_MB


def test_no_source_hides_a_file_of_another():
    assert len(FILES) == sum(map(len, SOURCES.values()))
    assert {file.reads for file in FILES.values()} == {True, False, None}
