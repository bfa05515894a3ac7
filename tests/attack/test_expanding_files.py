"""A small file that becomes a large table is refused before the table leaves the process that reads it."""

import pytest

from tests.load.memory import FILES, digits
from tsk_core.data import read_table
from tsk_core.errors import TSKError


@pytest.mark.parametrize("name", ["coded Parquet", pytest.param("packed CSV", marks=pytest.mark.slow)])
def test_a_file_of_kilobytes_does_not_become_a_table_of_hundreds_of_megabytes(name):
    content = FILES[name]()
    assert len(content) < 500_000
    with pytest.raises(TSKError) as refused:
        read_table(content)
    assert "\n" not in str(refused.value)


def test_cells_and_memory_have_bounds_of_their_own(monkeypatch):
    content = b"a,b,c\n" + b"1,2,some text\n" * 1_000
    monkeypatch.setenv("TSK_MAX_TABLE_CELLS", "3000")
    assert read_table(content).frame.shape == (1_000, 3)
    monkeypatch.setenv("TSK_MAX_TABLE_CELLS", "2999")
    with pytest.raises(TSKError, match="Cells of this table: 3,000 is above"):
        read_table(content)
    monkeypatch.delenv("TSK_MAX_TABLE_CELLS")
    monkeypatch.setenv("TSK_MAX_TABLE_MB", "1")
    assert read_table(content).frame.shape == (1_000, 3)
    with pytest.raises(TSKError, match="Megabytes of this table in memory: .* TSK_MAX_TABLE_MB"):
        read_table(b"a,b\n" + b"1,text\n" * 100_000)


def test_a_large_honest_table_is_read():
    table = read_table(digits()).frame
    assert table.shape == (12_000, 250)
