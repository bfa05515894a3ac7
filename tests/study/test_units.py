"""What is left to compute is parted so that stacks are full, nothing is computed twice, and first splits come first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.errors import SettingError
from tsk_study.names import ALGORITHMS, BEYOND, DATASETS, MBGD, PAPER, READABLE, parse_algorithms, parse_datasets
from tsk_study.running import families, unfinished

ROWS = dict.fromkeys(DATASETS, 1000)
names = st.lists(st.sampled_from(list(ALGORITHMS)), min_size=1, unique=True)


@given(names, st.integers(1, 8), st.data())
def test_every_missing_cell_is_in_one_unit_and_no_other_is_in_any(algorithms, splits, data):
    cells = [(dataset, name, k) for dataset in ("vehicle", "magic") for name in algorithms for k in range(splits)]
    done = set(data.draw(st.lists(st.sampled_from(cells), unique=True)))
    units = unfinished(("vehicle", "magic"), algorithms, splits, done, ROWS)
    found = [(unit.dataset, *cell) for unit in units for cell in unit.cells]
    assert sorted(found) == sorted(set(cells) - done)


@given(names)
def test_algorithms_of_a_unit_share_their_stacks(algorithms):
    together = [family for family in families(algorithms) if len(family) > 1]
    stacked = [family for family in together if not set(family) <= set(READABLE)]  # those share a search
    assert all({ALGORITHMS[name].batch_norm for name in family} <= {"none", "bn"} for family in stacked)
    assert sorted(name for family in families(algorithms) for name in family) == sorted(algorithms)


def test_first_splits_of_all_datasets_come_first_and_of_these_the_longest():
    units = unfinished(tuple(DATASETS), PAPER, 30, set(), ROWS)
    blocks = [unit.cells[0][1] // 5 for unit in units]
    assert blocks == sorted(blocks)
    units = unfinished(("vehicle", "magic"), ("CART", "TSK-MBGD-UR"), 5, set(), {"vehicle": 846, "magic": 19020})
    assert [unit.work for unit in units] == sorted((unit.work for unit in units), reverse=True)
    assert units[0].dataset == "magic"


def test_algorithms_are_named_one_by_one_or_as_sets():
    assert parse_algorithms("all") == PAPER and len(PAPER) == 11
    assert parse_algorithms("beyond") == BEYOND
    assert parse_algorithms("all,beyond") == tuple(ALGORITHMS)
    assert parse_algorithms(" tsk-mbgd , CART ") == ("CART", "TSK-MBGD")
    assert set(parse_algorithms("mbgd")) == set(MBGD) & set(PAPER) and len(parse_algorithms("mbgd")) == 6
    assert parse_datasets("magic,vehicle") == ("vehicle", "magic") and parse_datasets("all") == tuple(DATASETS)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("SVM", "The study has no algorithm 'SVM'; it has CART, RF, "),
        (",", "Name at least one algorithm: CART, "),
    ],
)
def test_unknown_names_are_refused_with_those_there_are(text, sentence):
    with pytest.raises(SettingError) as refused:
        parse_algorithms(text)
    assert str(refused.value).startswith(sentence)
