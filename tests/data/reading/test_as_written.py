"""Each file is read as it is written, or a finding says how it was read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reading_matrix import misread
from benchmarks.traps.written_file import OPTIONS, Style, drawn_style, written_file
from tests.data.reading.in_process import parse_bytes, read_here

STYLES = st.builds(Style, **{name: st.sampled_from(options) for name, options in OPTIONS.items()})


@given(STYLES, st.integers(0, 2**32))
def test_a_file_is_read_as_it_is_written_or_a_finding_says_how(style, seed):
    assert [wrong for wrong in misread(written_file(style, seed)) if not wrong.said] == []


def test_a_wrong_cell_is_noticed():
    file = written_file(drawn_style(np.random.default_rng(0)), 0)
    for kind in file.order:
        file.values[kind][:] = file.values[kind][::-1].copy()
    assert {wrong.kind for wrong in misread(file)} == set(file.order)


@pytest.mark.parametrize(
    "rows",
    [
        "12.03.2024;1,5 kg;rot\n14.03.2024;2,5 kg;blau\n15.03.2024;3,5 kg;rot\n",
        "14:30,$5,p\n15:10,$7,q\n16:20,$9,p\n",
        "p|n/a|5 %\nq|1.5|7 %\np|2.5|8 %\n",
        "a,x,yes\nb,x,no\na,z,no\nb,z,yes\n",
        '"p","10,754.50kg"\n"q","1,754.50kg"\n"p","754.50kg"\n',
        '"p","1,5",n/a\n"q",n/a,"2,5"\n"p","2,5","3,5"\n',
    ],
)
def test_a_first_row_like_the_rows_below_is_not_a_header(rows):
    raw = read_here(rows.encode())
    assert raw.read_options.header is False
    assert len(raw.frame) == rows.count("\n")


@pytest.mark.parametrize("names", ["date,mass,class", "2024,5 kg,p", "2024-01,1st,x", "length,12 kg,y", "Datum,1.5,p"])
def test_names_over_other_cells_are_a_header(names):
    frame, _ = parse_bytes(f"{names}\n2024-03-05,1.5,p\n2024-03-06,2.5,q\n2024-03-07,3.5,p\n".encode())
    assert list(frame.columns) == names.split(",")


@pytest.mark.parametrize(
    ("cells", "delimiter", "numbers"),
    [
        (["14.464", "2.693", "850", "33.100", "1.001", "12.500"], ",", [14464, 2693, 850, 33100, 1001, 12500]),
        (["14,464", "2,693", "850", "33,100", "1,001", "12,500"], ";", [14464, 2693, 850, 33100, 1001, 12500]),
        (["14.464", "2.693", "8.5", "33.100", "1.001", "850"], ";", [14.464, 2.693, 8.5, 33.1, 1.001, 850]),
        (["0.464", "2.693", "850", "33.100", "1.001", "12.500"], ",", [0.464, 2.693, 850, 33.1, 1.001, 12.5]),
        (["14.464", "2.693", "850.125", "33.100", "1.001", "12.500"], ",", [14.464, 2.693, 850.125, 33.1, 1.001, 12.5]),
    ],
)
def test_three_digits_everywhere_beside_whole_numbers_below_1000_are_thousands(cells, delimiter, numbers):
    lines = [delimiter.join((cell, "pq"[k % 2])) for k, cell in enumerate(cells)]
    frame = read_here("\n".join([f"a{delimiter}class", *lines, ""]).encode()).frame
    assert [float(str(cell).replace(",", "")) for cell in frame["a"]] == numbers


def test_signs_beside_numbers_say_nothing_about_the_encoding():
    rows = [f"Größe {k % 3};1\xa0{k + 100},5 m²;{k} €" for k in range(60)]
    raw = read_here("\r\n".join(["art;a;b", *rows]).encode("cp1252"))
    assert raw.read_options.encoding == "cp1252"
    assert raw.frame.iloc[1].tolist() == ["Größe 1", "1101.5 m²", "1 €"]
