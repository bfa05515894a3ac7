"""Everything around a CSV file's rows: comments, titles, separators too many, spaces, and lines that do not fit."""

import pytest

from tests.data.reading.in_process import parse_bytes, read_here
from tsk_core.data.reading import ReadOptions
from tsk_core.errors import DataError

ROWS = "1,5,x\n2,6,y\n3,7,x\n4,8,y\n"


def findings_of(content, read_options=None):
    return " ".join(map(str, read_here(content.encode(), read_options).findings))


@pytest.mark.parametrize("sign", ["#", "%"])
def test_comments_above_and_between_rows_are_left_out_with_a_note(sign):
    text = f"{sign} made by hand, in 2020\n{sign} twice\na,b,class\n1,5,x\n{sign} a note, with, commas\n2,6,y\n"
    raw = read_here(text.encode())
    assert raw.frame["a"].tolist() == [1, 2]
    assert raw.read_options.comment == sign
    assert f"Left out 3 comment lines that begin with {sign}." in map(str, raw.findings)


def test_a_single_comment_between_rows_is_recognised_by_its_width():
    raw = read_here(b"a,b\n#1,5\n# only one cell\n#2,6\n")
    assert raw.frame["a"].tolist() == ["#1", "#2"]
    assert "1 comment line that begins with #" in findings_of("a,b\n#1,5\n# only one cell\n#2,6\n")


def test_the_comment_character_can_be_set():
    content = "a,b\n#1,5\n2,6\n3,7\n"
    assert read_here(content.encode(), ReadOptions(comment="#")).frame["b"].tolist() == [6, 7]
    assert read_here(content.encode(), ReadOptions(comment="")).frame["b"].tolist() == [5, 6, 7]


def test_names_in_a_comment_are_the_header():
    raw = read_here(b"# saved today\n# a,b,c\n1,2,3\n4,5,6\n")
    assert list(raw.frame.columns) == ["a", "b", "c"]
    assert "1 comment line" in " ".join(map(str, raw.findings))


@pytest.mark.parametrize("first", ["#", "#id"])
def test_a_header_that_begins_with_a_comment_character_is_a_header(first):
    raw = read_here(f"{first},b,class\n#1,5,x\n#2,6,y\n".encode())
    assert list(raw.frame.columns) == [first, "b", "class"]
    assert len(raw.frame) == 2
    assert "comment" not in " ".join(map(str, raw.findings))


def test_a_file_whose_lines_all_begin_with_a_comment_character_is_data():
    assert read_here(b"#1,5\n#2,6\n").frame.shape in {(1, 2), (2, 2)}


@pytest.mark.parametrize("title", ["Report 2024\n\n", "Report 2024,,\n,,\n", "Report\nby us\n", "\n\nReport,,\n"])
def test_a_title_above_the_header_is_left_out_with_a_note(title):
    raw = read_here(f"{title}a,b,class\n{ROWS}".encode())
    assert list(raw.frame.columns) == ["a", "b", "class"]
    assert len(raw.frame) == 4
    assert "above the table: 'Report" in " ".join(map(str, raw.findings))


@pytest.mark.parametrize("title", ["Survey of 2024,Institute X\n", "Survey,2024,,\n", "Survey\npatient,,laboratory,\n"])
def test_a_title_of_two_cells_is_left_out_where_names_of_all_columns_follow(title):
    raw = read_here(f"{title}id,height,weight,class\n1,170,60,x\n2,180,70,y\n3,175,65,x\n".encode())
    assert list(raw.frame.columns) == ["id", "height", "weight", "class"]
    assert len(raw.frame) == 3


@pytest.mark.parametrize("below", ["1,170,60,x", "a,b,c,d\na,b,c,e", "a,b,,d", "a,b,b,d"])
def test_a_header_that_lacks_names_is_a_header_where_no_names_follow(below):
    raw = read_here(f"id,height,,\n{below}\n2,180,70,y\n".encode())
    assert list(raw.frame.columns)[:2] == ["id", "height"]


def test_a_first_row_with_missing_cells_is_not_a_title():
    assert len(read_here(b"a,b,class\n,,x\n1,2,y\n").frame) == 2
    assert len(read_here(b"1,2,3\n,,5\n1,2,4\n").frame) == 3


@pytest.mark.parametrize("text", ["a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n", "a,b,\n1,2\n3,4\n", "a,b\n1,2\n3,4,\n"])
def test_separators_at_the_end_of_rows_make_no_column(text):
    raw = read_here(text.encode())
    assert raw.frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_a_trailing_column_without_name_and_cells_is_noted():
    assert "Left out a column without a name and without cells." in findings_of("a,b,\n1,2,\n3,4,\n")
    assert "Left out 2 columns without a name" in findings_of("a,b,,\n1,2,,\n3,4,,\n")
    assert "1 row ends with a separator" in findings_of("a,b\n1,2\n3,4,\n")


def test_a_file_without_header_loses_its_empty_last_column():
    raw = read_here(b"1,2,\n3,4,\n")
    assert list(raw.frame.columns) == ["column 1", "column 2"]


def test_a_header_one_name_short_leaves_the_first_column_for_row_names():
    raw = read_here(b'"a","b"\n"r1",1,2\n"r2",3,4\n')
    assert raw.frame.columns.tolist()[1:] == ["a", "b"]
    assert raw.frame["a"].tolist() == [1, 3]
    assert "read as row names" in " ".join(map(str, raw.findings))


def test_what_r_writes_by_default_is_separated_by_spaces():
    raw = read_here(b'"x1" "x2" "class"\n"r0" 0.5 1 "a"\n"r1" 1.5 2 "b b"\n"r2" 2.5 3 "a"\n')
    assert raw.frame.columns.tolist()[1:] == ["x1", "x2", "class"]
    assert raw.frame["class"].tolist() == ["a", "b b", "a"]
    frame, _ = parse_bytes(b"name\nAda Byron\nAlan Turing\nGrace Hopper\n")
    assert frame.shape == (3, 1)


def test_quoted_numbers_above_numbers_are_names():
    raw = read_here(b'"1","2"\n5,6\n7,8\n')
    assert list(raw.frame.columns) == ["1", "2"]


def test_a_space_after_each_separator_is_not_part_of_a_cell():
    frame, _ = parse_bytes(b'a, b, class\n1, NA, x\n2, 6, "y, z"\n')
    assert frame.to_dict("list")["class"] == ["x", "y, z"]
    assert frame["b"].isna().tolist() == [True, False]
    frame, _ = parse_bytes(b"a, b, class\n1, ?, x\n2, 6, y\n")
    assert frame["class"].tolist() == ["x", "y"]
    assert frame["b"].isna().tolist() == [True, False]


def test_a_space_before_a_few_quotation_marks_is_not_part_of_a_cell():
    frame, _ = parse_bytes(b'a,b,class\n1,5,x\n2,6,"y"\n3,7,  "x, z"\n "4",8,y\n')
    assert frame["class"].tolist() == ["x", "y", "x, z", "y"]
    assert frame["a"].tolist() == [1, 2, 3, 4]


def test_a_file_separated_by_runs_of_spaces_is_read():
    frame, notes = parse_bytes(b"5.1   3  a\n 4 2 b\n3  1 a\n")
    assert frame.shape == (3, 3)
    assert "separated by spaces" in notes[0]


def test_sentences_are_not_split_at_their_spaces():
    frame, _ = parse_bytes(b"good day\nbad day\nno\n")
    assert frame.shape[1] == 1


def test_lines_of_spaces_are_blank():
    frame, _ = parse_bytes(b"a,b\n1,2\n   \n3,4\n  ")
    assert frame["a"].tolist() == [1, 3]


def test_cells_quoted_by_apostrophes_are_read():
    raw = read_here(b"a,b\n'x, y',1\n'z',2\n")
    assert raw.frame["a"].tolist() == ["x, y", "z"]
    assert raw.read_options.quote == "'"


def test_dates_and_times_keep_their_spelling():
    frame, _ = parse_bytes(b"day,at,when\n2020-01-01,12:30,2020-01-01 10:00\n2020-02-01,12:31,2020-01-01 11:00\n")
    assert frame.iloc[0].tolist() == ["2020-01-01", "12:30", "2020-01-01 10:00"]


def test_decimals_keep_their_last_digit():
    frame, _ = parse_bytes(b"a\n0.1234567890123456789\n7.038531e-26\n1.7976931348623157e308\n")
    assert frame["a"].tolist() == [0.1234567890123456789, 7.038531e-26, 1.7976931348623157e308]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n3\n", "Line 3 has 1 cell where the first row has 2; every row needs the same number."),
        ("a,b\n1,2\n3\n1,2,3\n", "Lines 3 and 4 have 1 and 3 cells where the first row has 2; every row needs the same number."),
        ("a,b\n1,2\n3\n4\n5\n6\n7\n", "Lines 3, 4 and 5 (and 2 more) have 1, 1 and 1 cells where the first row has 2; "
                                        "every row needs the same number."),
        ("# x\n\na,b\n\n1,2\n1,2,3\n", "Line 6 has 3 cells where the first row has 2; every row needs the same number."),
        ('a,b\n"1\n\n1",2\n1,2,3\n', "Line 5 has 3 cells where the first row has 2; every row needs the same number."),
        ("1,2\n3,4\n5\n", "Line 3 has 1 cell where the first row has 2; every row needs the same number."),
    ],
)  # fmt: skip
def test_ragged_lines_are_named(text, sentence):
    with pytest.raises(DataError) as caught:
        parse_bytes(text.encode())
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "text, fact",
    [
        ('n,k,s\n1,a,"foo\n2,b,"bar"\n3,a,baz\n4,b,x\n', "The row that begins in line 2 spans several lines and has"),
        ("n,s\n" + '1,"foo\n2,"bar"\n3,x\n' * 5, "Rows that begin in lines 2, 5 and 8 (and 2 more) span several lines and have"),
        ('n,s\n1,"foo, or\n""bar"", he said"\n2,x\n3,"a ""b"""\n', None),
        ('n,s\n1,5" pipe\n2,"6"" pipe"\n3,"7" pipe\n', None),
    ],
)  # fmt: skip
def test_a_missing_closing_quotation_mark_that_makes_rows_one_is_said(text, fact):
    findings = read_here(text.encode()).findings
    wanted = [f"{fact} a misplaced quotation mark."] if fact else []
    assert [found.fact for found in findings if found.kind == "warning"] == wanted


def test_the_read_options_of_a_result_read_the_file_again():
    raw = read_here("a;b\n1,5;x\n2,5;y\n".encode("utf-16"))
    assert raw.read_options == ReadOptions("utf-16", ";", ",", True, '"', "")
    again = read_here("a;b\n1,5;x\n2,5;y\n".encode("utf-16"), raw.read_options)
    assert again.read_options == raw.read_options
    assert again.frame.equals(raw.frame)


@pytest.mark.parametrize("read_options", [{"delimiter": "x"}, {"decimal": ";"}, {"quote": "x"}, {"comment": "//"}])
def test_an_unsupported_read_option_is_refused(read_options):
    with pytest.raises(DataError, match="must be"):
        ReadOptions(**read_options)


@pytest.mark.parametrize("encoding", ["klingon", "hex", "a\0b", "utf-16"])
def test_a_wrong_encoding_is_refused(encoding):
    with pytest.raises(DataError, match="encoding|cannot be read as|binary"):
        parse_bytes(b"a,b\n1,2\n3,5\n1", ReadOptions(encoding=encoding))
