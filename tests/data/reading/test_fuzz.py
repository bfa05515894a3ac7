"""Any bytes end in a table or in one sentence; whatever a CSV writer writes is read as it was."""

import csv
import io

import pandas as pd
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.data.reading.in_process import read_here
from tsk_core.data import ReadOptions
from tsk_core.data.export import unescape_formulas
from tsk_core.data.reading.parse import parse
from tsk_core.errors import TSKError

STARTS = [b"", b"PAR1\x15", b"PK\x03\x04", b"\x1f\x8b\x08", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xef\xbb\xbf",
          b"@relation r\n", b"sep=;\n", b"# a,b\n"]  # fmt: skip
PIECES = st.sampled_from(
    ["a", "b,c", "1", "-2.5", "1,5", '"', '""', "'", ",", ";", "\t", "|", " ", "\n", "\r\n", "\r", "#", "%", "NA", "?", "é",
     "\u2028", "=1+1", "'=1", "1e400", "inf", "0x1F", "2020-01-01", "12:30", "True", "\x0c", "\x1a", "\ufeff", "@data\n",
     "@attribute a {x,y}\n", "x" * 300]
)  # fmt: skip
quick = settings(max_examples=300)


def ends_well(content, read_options=None):
    try:
        table = parse(content, read_options).table
    except TSKError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        assert len(table) > 0
        assert table.num_columns > 0


@quick
@given(st.sampled_from(STARTS), st.binary(max_size=300))
def test_any_bytes_end_in_a_table_or_in_one_sentence(start, rest):
    ends_well(start + rest)


@quick
@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_any_text_ends_in_a_table_or_in_one_sentence(text, encoding):
    ends_well(text.encode(encoding, errors="replace"))


WISHES = st.builds(
    ReadOptions,
    st.sampled_from([None, "utf-8", "latin-1", "utf-16", "cp037"]),
    st.sampled_from([None, ",", ";", "\t", "|", " "]),
    st.sampled_from([None, ".", ","]), st.sampled_from([None, True, False]), st.sampled_from([None, '"', "'"]),
    st.sampled_from([None, "", "#", "%"]),
)  # fmt: skip


@quick
@example("a\n\ufeff", ReadOptions(delimiter=" "))  # the only row is a byte order mark, which pyarrow leaves out
@given(st.lists(PIECES, max_size=25).map("".join), WISHES)
def test_any_read_options_end_in_a_table_or_in_one_sentence(text, read_options):
    ends_well(text.encode(), read_options)


CELLS = st.text(st.sampled_from("xyZ ,;\t|\"'\n\r#%=é中"), max_size=6).map(lambda text: f"x{text}x")


@quick
@given(
    st.data(), st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])
)
def test_what_a_csv_writer_writes_is_read_as_it_was(data, delimiter, newline, encoding):
    width = data.draw(st.integers(2, 5))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=2, max_size=6))
    out = io.StringIO(newline="")
    names = [f"column of {k}" for k in range(width)]
    csv.writer(out, delimiter=delimiter, lineterminator=newline, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    raw = read_here(out.getvalue().encode(encoding), ReadOptions(delimiter=delimiter))
    assert list(raw.frame.columns) == names
    expected, _ = unescape_formulas(pd.DataFrame(rows))  # a cell may hold an apostrophe as our own exports write it
    assert raw.frame.to_numpy().tolist() == expected.to_numpy().tolist()


def test_a_line_break_of_another_kind_inside_a_cell_is_a_part_of_it():
    """Beside a quotation mark, with which the file is written anew before it is parsed."""
    text = '"one";"two"\n"xx";"x\rx"\n"xx";"x; ""x"\n'
    assert read_here(text.encode(), ReadOptions(delimiter=";")).frame["two"].tolist() == ["x\rx", 'x; "x']
