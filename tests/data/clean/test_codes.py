"""Codes for missing values: declared cells are missing, in training and in new rows; no other cell changes."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tsk_core.data import Choices, CleaningPipeline, make_dataset, read_csv
from tsk_core.data.choices import EVERY
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.errors import DataError, TSKError

N = 40
CLASSES = ["x", "y"] * (N // 2)


def table(cells, **more):
    return pd.DataFrame({"a": cells, "b": np.arange(N) / 8, "class": CLASSES, **more})


def dataset(cells, codes, **choices):
    return make_dataset(table(cells), "class", name="t", choices=Choices(codes=codes, **choices))


def about_codes(ds):
    return [str(finding) for finding in ds.findings if finding.choice == "codes" and finding.remedy is None]


def test_a_declared_number_is_missing_and_counted():
    ds = dataset([-99, *range(1, N - 2), -99, -99.0], {"a": ("-99",)})
    assert np.flatnonzero(ds.X["a"].isna()).tolist() == [0, N - 2, N - 1]
    assert about_codes(ds) == ["Column 'a': 3 cells are −99. Counted as missing, as you chose."]
    assert ds.columns[0].missing == 3


@pytest.mark.parametrize("code", ["-99", "-99.0", "−99,0", " -99 ", "−99"])
@pytest.mark.parametrize("cell", ["-99", "-99,0", "− 99", "-99.00"])
def test_numbers_are_compared_by_value(code, cell):
    ds = dataset([cell, "k. A.", *(f"{k},5" for k in range(N - 2))], {"a": (code,)})
    assert np.flatnonzero(ds.X["a"].isna()).tolist() == [0, 1]
    assert ds.X["a"].iloc[2] == 0.5


def test_a_decimal_comma_is_no_thousands_separator():
    cells = ["9,999", "1,5", "9999", *(f"{k},25" for k in range(N - 3))]
    assert np.flatnonzero(dataset([*cells[:-1], "-"], {"a": ("9999",)}).X["a"].isna()).tolist() == [2, N - 1]


@pytest.mark.parametrize("code", ["refused to say", "Refused to say", " REFUSED TO SAY"])
def test_a_column_of_numbers_with_a_word_is_read_as_numbers(code):
    cells = ["Refused to say", "refused to say"] * 10 + [str(k % 15) for k in range(N - 20)]
    assert dataset(cells, {}).cleaning.steps[0].role == "category"
    ds = dataset(cells, {"a": (code,)})
    assert ds.cleaning.steps[0].role == "number"
    assert ds.X["a"].iloc[20:].tolist() == [k % 15 for k in range(N - 20)]
    assert ds.X["a"].isna().sum() == 20


def test_a_category_is_missing_whatever_its_case():
    ds = dataset(["red", "Unknown", "blue", "unknown"] * 10, {"a": ("unknown",)})
    assert ds.X["a"].tolist()[:4] == ["red", ds.X["a"].iloc[1], "blue", ds.X["a"].iloc[3]]
    assert ds.X["a"].isna().sum() == 20


def test_a_code_of_the_file_counts_in_every_column_and_the_target():
    frame = table([-9, *range(N - 1)], c=["-9", "low", "high", "low"] * 10)
    frame.loc[N - 1, "class"] = "-9"
    ds = make_dataset(frame, "class", name="t", choices=Choices(codes={EVERY: ("-9",)}))
    assert len(ds.frame) == N - 1
    assert ds.classes == ["x", "y"]
    assert ds.X["a"].isna().sum() == 1
    assert about_codes(ds) == ["12 cells are −9: 'c' 10, 'a' 1, 'class' 1. Counted as missing, as you chose."]


def test_dates_can_be_codes():
    days = pd.date_range("2020-01-01", periods=N - 2)
    texts = ["9999-12-31", "1900-01-01", *days.strftime("%Y-%m-%d")]
    typed = pd.Series([pd.Timestamp("1900-01-01"), pd.Timestamp("1900-01-01"), *days])
    for cells, codes in ((texts, ("9999-12-31", "1900-01-01")), (typed, ("1900-01-01",)), (typed, ("01.01.1900",))):
        ds = dataset(cells, {"a": codes})
        assert ds.cleaning.steps[0].feature == "a (days since 2020-01-01)"
        assert ds.X.iloc[:, 0].isna().tolist() == [True, True] + [False] * (N - 2)


def test_a_code_that_no_cell_has_is_named():
    ds = dataset(range(N), {"a": ("-99", "none"), EVERY: ("77",)})
    warned = [finding for finding in ds.findings if finding.kind == "warning" and finding.choice == "codes"]
    assert [finding.fact for finding in warned] == ["No cell of column 'a' is −99 or 'none'.", "No cell of the table is 77."]
    assert dataset(range(N), {"nowhere": ("1",)}).notes[0].startswith("There is no column 'nowhere'")


def test_a_column_of_codes_alone_is_left_out():
    ds = dataset([-99] * 30 + [None] * 10, {"a": ("-99",)})
    assert ds.cleaning.feature_names == ["b"]


def test_codes_come_before_flags_and_categories_of_missing_values():
    ds = dataset([0, *range(30, 29 + N)], {"a": ("0",)}, flags=("a",))
    assert ds.X["a is missing"].tolist() == ["yes"] + ["no"] * (N - 1)
    ds = dataset(["?", "no answer", "low", "high"] * 10, {"a": ("no answer",)}, missing=("a",))
    assert ds.X["a"].tolist()[:4] == ["missing", "missing", "low", "high"]


@pytest.mark.parametrize("codes", [[1], "-99", [None]])
def test_codes_that_are_not_lists_of_text_are_refused(codes):
    with pytest.raises(DataError, match="not lists of text"):
        Choices.from_dict({"codes": {"a": codes}})


@pytest.mark.parametrize("codes", [[1], "-99", None, {"a": 1}])
def test_a_pipeline_with_other_codes_is_refused(codes):
    values = json.loads(json.dumps(dataset(range(N), {}).cleaning.to_dict()))
    values["steps"][0]["codes"] = codes
    with pytest.raises(DataError, match="cannot be read"):
        CleaningPipeline.from_dict(values)


def test_a_file_with_decimal_commas_has_codes_too():
    rows = "\n".join(f"{k},5;{'ab'[k % 2]}" for k in range(1, 30))
    ds = read_csv(f"alter;class\n{rows}\n-99,0;a\n-99;b\n".encode(), name="t", choices=Choices(codes={"alter": ("-99",)}))
    assert ds.X["alter"].isna().sum() == 2


CODES = ["-99", "-9", "0", "9999", "9,999", "k. A.", "Unknown", "1900-01-01", "nan", ""]
CELLS = st.sampled_from([
    *CODES, "-99.0", "−9,0", "UNKNOWN", "k. a.", "0,0", "9.999", "9999 kg", "<9999", "1.5", "2,5", "red", "2024-01-05", "True",
    None,
])  # fmt: skip
NUMBERS = st.sampled_from([-99, -9, 0, 1, 2.5, 9999, 9.999, -99.5, np.nan, np.inf, 10**19])


@given(st.lists(CELLS, max_size=12) | st.lists(NUMBERS, max_size=12), st.sets(st.sampled_from(CODES)))
def test_declared_codes_change_no_other_cell(values, codes):
    before = Cells.of(pd.Series(values, name="a", dtype=object))
    after = without_codes(before, tuple(sorted(codes)))
    gone = after.missing & ~before.missing
    words, kept = before.as_text(), after.as_text()
    for n in range(len(values)):
        if not after.missing[n]:
            assert words.words[words.codes[n]] == kept.words[kept.codes[n]]
        if gone[n]:
            assert _is_code(words.words[words.codes[n]], codes)
        elif not before.missing[n]:
            assert words.words[words.codes[n]].casefold() not in {code.casefold() for code in codes}
    assert sum(after.coded.values()) == gone.sum()
    assert set(after.coded) == codes


def _is_code(word, codes):
    """By its letters, or as a number with one decimal sign, whatever its unit."""
    plain = {word.casefold()} | {word.replace("−", "-").replace(",", ".").removesuffix(" kg").removesuffix(".0")}
    return bool(plain & {code.casefold() for code in codes})


@st.composite
def coded_tables(draw):
    rows = draw(st.integers(6, 14))
    kinds = [
        CELLS, NUMBERS, st.sampled_from(["1,5", "2,25", "-99", "k. A."]), st.sampled_from(["low", "high", "Unknown"]),
        st.dates().map(str) | st.just("1900-01-01"), st.sampled_from([1, 2, -9]),
    ]  # fmt: skip
    columns = {
        f"c{k}": pd.Series(draw(st.lists(draw(st.sampled_from(kinds)), min_size=rows, max_size=rows)), dtype=object)
        for k in range(draw(st.integers(1, 3)))
    }
    columns["class"] = ["x", "y"] * 2 + draw(st.lists(st.sampled_from(["x", "y", "-9"]), min_size=rows - 4, max_size=rows - 4))
    codes = st.lists(st.sampled_from(CODES), unique=True, max_size=3).map(tuple)
    return pd.DataFrame(columns), draw(st.dictionaries(st.sampled_from([EVERY, *columns]), codes, max_size=3))


@given(coded_tables())
@example(
    (pd.DataFrame({"c0": pd.Series([-99] * 5 + [9999], dtype=object), "c1": "red", "class": list("xyxyxx")}), {EVERY: ("9,999",)})
)
@example((pd.DataFrame({"c0": pd.Series([-99] * 8 + ["9999 kg"], dtype=object), "class": list("xyxyxxxxx")}), {EVERY: ("9999",)}))
def test_new_rows_are_read_as_in_training_also_after_json(drawn):
    raw, codes = drawn
    choices = Choices(codes=codes)
    assert Choices.from_dict(json.loads(json.dumps(choices.to_dict()))) == choices
    try:
        ds = make_dataset(raw, "class", name="t", choices=choices)
    except TSKError:
        return
    cleaning = CleaningPipeline.from_dict(json.loads(json.dumps(ds.cleaning.to_dict())))
    assert cleaning == ds.cleaning
    kept = ~without_codes(Cells.of(raw["class"]), choices.codes_of("class")).missing
    pd.testing.assert_frame_equal(cleaning.apply(raw)[kept].reset_index(drop=True), ds.X, check_dtype=False)
    pd.testing.assert_frame_equal(cleaning.apply(ds.X), ds.X)
    for n in range(min(3, len(ds.X))):
        one = cleaning.apply(raw[kept].iloc[[n]].reset_index(drop=True))
        pd.testing.assert_frame_equal(one.astype(object), ds.X.iloc[[n]].reset_index(drop=True).astype(object), check_dtype=False)


def test_a_finding_names_five_columns_with_the_most_cells():
    columns = {f"c{k}": [-9] * (k + 1) + list(range(N - k - 1)) for k in range(7)}
    ds = make_dataset(pd.DataFrame({**columns, "class": CLASSES}), "class", name="t", choices=Choices(codes={EVERY: ("-9",)}))
    (told,) = about_codes(ds)
    assert told.startswith("28 cells are −9: 'c6' 7, 'c5' 6, 'c4' 5, 'c3' 4, 'c2' 3 and 2 more columns. ")
