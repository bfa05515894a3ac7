"""results.csv says what is known, survives being cut off, and is refused where it is something else."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import wait_until
from tsk_core.errors import DataError
from tsk_study.names import ALGORITHMS, DATASETS
from tsk_study.results import Result, append_results, read_results

share = st.integers(0, 10**6).map(lambda n: n / 10**6)
one = st.builds(
    Result,
    st.sampled_from(list(DATASETS)), st.sampled_from(list(ALGORITHMS)), st.integers(0, 99), share, share,
    st.integers(0, 10**7).map(lambda n: n / 1000), st.none() | st.sampled_from([0.1, 1.0, 10.0, 20.0, 50.0]),
    st.none() | st.integers(1, 2000), st.integers(0, 99), st.just("0.1.0"), st.none() | st.integers(0, 3000),
)  # fmt: skip


@given(st.lists(one, unique_by=lambda result: result.key), st.data())
def test_what_was_written_is_read_again_however_often_it_was_begun(tmp_path_factory, results, data):
    path = tmp_path_factory.mktemp("study") / "results.csv"
    cut = data.draw(st.integers(0, len(results)))
    append_results(path, results[:cut])
    append_results(path, results[cut:])
    assert list(read_results(path).values()) == results


def test_a_line_that_was_cut_off_is_computed_again(tmp_path):
    path = tmp_path / "results.csv"
    results = [Result("yeast", "CART", split, 0.5, 0.25, 1.0, None, None, split, "0.1.0") for split in range(3)]
    append_results(path, results)
    whole = path.read_bytes()
    last = whole.rfind(b"\n", 0, -1) + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        assert list(read_results(path).values()) == results[:2]
        append_results(path, results[2:])
        assert path.read_bytes() == whole


def test_several_processes_append_to_one_file(tmp_path):
    path = tmp_path / "results.csv"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(append_many, [(path, first) for first in (0, 200)]))
    assert sorted(read_results(path)) == [("yeast", "CART", split) for split in range(400)]
    assert len(path.read_text().splitlines()) == 401


def append_many(where):
    path, first = where
    (path.parent / f"{first}.begun").touch()
    wait_until(lambda: len(list(path.parent.glob("*.begun"))) == 2)  # a process takes seconds to start: they would come in turn
    for start in range(first, first + 200, 25):
        splits = range(start, start + 25)
        append_results(path, [Result("yeast", "CART", split, 0.5, 0.25, 1.0, None, None, split, "0.1.0") for split in splits])


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "dataset,algorithm,split\nvehicle,CART,0\n"])
def test_another_file_is_refused_by_the_column_it_lacks(tmp_path, content):
    path = tmp_path / "results.csv"
    path.write_text(content)
    with pytest.raises(DataError, match="'results.csv' is not a study's file: it lacks the column ('algorithm'|'bca')"):
        read_results(path)


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "results.csv"
    append_results(path, [Result("yeast", "CART", split, 0.5, 0.25, 1.0, None, None, split, "0.1.0") for split in range(3)])
    path.write_text(path.read_text().replace("yeast,CART,1,0.5", "yeast,CART,1,half"))
    with pytest.raises(DataError, match="Line 3 of 'results.csv' is not a result of a study; delete the line."):
        read_results(path)
