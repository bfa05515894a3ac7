"""Any bytes end in a table or in one sentence; whatever a CSV writer writes is read as it was, or a finding says how."""

import csv
import io

import numpy as np
import pandas as pd
from hypothesis import example, given
from hypothesis import strategies as st

from tests.data.reading.in_process import read_here
from tests.data.traps.written_file import OPTIONS, Style, drawn_style, misread, written_file
from tsk_core.data import ReadOptions
from tsk_core.data.export import unescape_formulas
from tsk_core.data.reading.process import parse
from tsk_core.errors import TSKError

STARTS = [b"", b"PAR1\x15", b"PK\x03\x04", b"\x1f\x8b\x08", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xef\xbb\xbf",
          b"@relation r\n", b"sep=;\n", b"# a,b\n"]  # fmt: skip
PIECES = st.sampled_from(
    ["a", "b,c", "1", "-2.5", "1,5", '"', '""', "'", ",", ";", "\t", "|", " ", "\n", "\r\n", "\r", "#", "%", "NA", "?", "é",
     "\u2028", "=1+1", "'=1", "1e400", "inf", "0x1F", "2020-01-01", "12:30", "True", "\x0c", "\x1a", "\ufeff", "@data\n",
     "@attribute a {x,y}\n", "x" * 300]
)  # fmt: skip
TEXTS = st.tuples(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
FILES = st.tuples(st.sampled_from(STARTS), st.binary(max_size=300)).map(b"".join) | TEXTS.map(
    lambda drawn: drawn[0].encode(drawn[1], errors="replace")
)
OPTIONS_GIVEN = st.builds(
    ReadOptions,
    st.sampled_from([None, "utf-8", "latin-1", "utf-16", "cp037"]),
    st.sampled_from([None, ",", ";", "\t", "|", " "]),
    st.sampled_from([None, ".", ","]), st.sampled_from([None, True, False]), st.sampled_from([None, '"', "'"]),
    st.sampled_from([None, "", "#", "%"]),
)  # fmt: skip


@example("a\n\ufeff".encode(), ReadOptions(delimiter=" "))  # the only row is a byte order mark, which pyarrow leaves out
@given(FILES, st.none() | OPTIONS_GIVEN)
def test_any_bytes_end_in_a_table_or_in_one_sentence(content, read_options):
    try:
        table = parse(content, read_options).table
    except TSKError as error:
        assert "\n" not in str(error) and len(str(error)) < 400
    else:
        assert len(table) > 0 and table.num_columns > 0


CELLS = st.text(st.sampled_from("xyZ ,;\t|\"'\n\r#%=é中"), max_size=6).map(lambda text: f"x{text}x")


@given(
    st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=2, max_size=6)),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_a_csv_writer_writes_is_read_as_it_was(rows, delimiter, newline, encoding):
    out = io.StringIO(newline="")
    names = [f"column of {k}" for k in range(len(rows[0]))]
    csv.writer(out, delimiter=delimiter, lineterminator=newline, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    raw = read_here(out.getvalue().encode(encoding), ReadOptions(delimiter=delimiter))
    assert list(raw.frame.columns) == names
    expected, _ = unescape_formulas(pd.DataFrame(rows))  # a cell may hold an apostrophe as our own exports write it
    assert raw.frame.to_numpy().tolist() == expected.to_numpy().tolist()


@given(st.builds(Style, **{name: st.sampled_from(options) for name, options in OPTIONS.items()}), st.integers(0, 2**32))
def test_a_file_is_read_as_it_is_written_or_a_finding_says_how(style, seed):
    assert [wrong for wrong in misread(written_file(style, seed)) if not wrong.said] == []


def test_a_wrong_cell_is_noticed():
    file = written_file(drawn_style(np.random.default_rng(0)), 0)
    for kind in file.order:
        file.values[kind][:] = file.values[kind][::-1].copy()
    assert {wrong.kind for wrong in misread(file)} == set(file.order)
