"""Whatever the bytes: a table fit for training, or one sentence."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.hostile.judge import plain, trainable
from tests.hostile.strategies import any_bytes, damaged_files, near_csv
from tsk_core.data import read_csv
from tsk_core.errors import TSKError

FILES = near_csv() | near_csv() | near_csv() | damaged_files() | any_bytes
BROKEN = "damaged, or needs more than"


def check(content):
    try:
        dataset = read_csv(content)
    except TSKError as error:
        assert plain(str(error)), str(error)
        # These are small, so the process that reads them has no reason to break down, but for other people's decoders.
        assert BROKEN not in str(error) or content.startswith((b"PAR1", b"PK"))
    else:
        assert all(plain(note) for note in dataset.notes), dataset.notes
        assert trainable(dataset)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(FILES)
def test_any_file_ends_in_a_table_or_in_one_sentence(content):
    check(content)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@settings(suppress_health_check=list(HealthCheck), max_examples=10_000)
@given(FILES)
def test_ten_thousand_files_end_in_a_table_or_in_one_sentence(content):
    check(content)
