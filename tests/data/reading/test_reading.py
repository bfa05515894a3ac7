"""Reading CSV: every way people write one, and every file that is none."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.data.reading.in_process import parse_bytes, read_here
from tsk_core import data as tsk_data
from tsk_core.data import Choices, make_dataset, read_csv
from tsk_core.data.reading import ReadOptions
from tsk_core.errors import DataError, LimitError

PLAIN = "size;colour;class\n1,5;rot;größer\n2,5;blau;kleiner\n3,5;rot;größer\n4,5;blau;kleiner\n"
COMMA = "a,b,class\n1,5,x\n2,6,y\n3,7,x\n4,8,y\n"


def test_a_semicolon_file_with_decimal_commas_is_read():
    frame, notes = parse_bytes(PLAIN.encode())
    assert frame["size"].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert notes == ["Read as UTF-8, separated by semicolons, decimal comma."]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8-sig", "UTF-8,"), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16-LE"), ("utf-16-be", "UTF-16-BE"), ("utf-32", "UTF-32"),
     ("latin-1", "Latin-1"), ("cp1252", "Latin-1")],
)  # fmt: skip
def test_every_common_encoding_is_read(encoding, name):
    frame, notes = parse_bytes(PLAIN.encode(encoding))
    assert list(frame.columns) == ["size", "colour", "class"]
    assert frame["class"].tolist() == ["größer", "kleiner", "größer", "kleiner"]
    assert name in notes[0]


def test_a_short_latin_1_file_of_non_ascii_letters_is_read():
    frame, _ = parse_bytes("x;y\nä;1\nö;2\nü;3\n".encode("latin-1"))
    assert frame["x"].tolist() == ["ä", "ö", "ü"]


def test_a_long_latin_1_file_is_read():
    text = "name;class\n" + "".join(f"Straße {k} über Köln;{'schön' if k % 2 else 'häßlich'}\n" for k in range(3000))
    frame, _ = parse_bytes(text.encode("latin-1"))
    assert set(frame["class"]) == {"schön", "häßlich"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_separator_is_found(delimiter):
    frame, _ = parse_bytes(COMMA.replace(",", delimiter).encode())
    assert frame["b"].tolist() == [5, 6, 7, 8]


def test_a_separator_inside_quotes_does_not_count():
    frame, _ = parse_bytes(b'a,b,class\n"1;2;3",5,x\n"4;5;6",6,y\n')
    assert frame.shape == (2, 3)


def test_numbers_with_decimal_commas_beside_text_keep_their_value():
    frame, _ = parse_bytes(b"a;class\n1,5;x\nunbekannt;y\n1.234,5;x\n2,25;y\n")
    assert frame["a"].tolist() == ["1.5", "unbekannt", "1234.5", "2.25"]


def test_quoted_newlines_stay_in_their_cell():
    frame, _ = parse_bytes(b'text,class\n"two\nlines",x\n"three\r\nmore\nlines",y\n')
    assert frame["text"].tolist() == ["two\nlines", "three\r\nmore\nlines"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_is_read(newline):
    frame, _ = parse_bytes(COMMA.replace("\n", newline).encode())
    assert frame.shape == (4, 3)


def test_blank_lines_are_skipped():
    frame, _ = parse_bytes(b"\n\na,b,class\n\n1,2,x\n\n\n3,4,y\n\n")
    assert frame.shape == (2, 3)


def test_the_separator_hint_of_spreadsheets_is_used():
    frame, _ = parse_bytes(b"sep=;\na;b\n1;2\n")
    assert list(frame.columns) == ["a", "b"]


def test_a_file_of_numbers_only_has_no_header():
    frame, notes = parse_bytes(b"5.1,3.5,0\n4.9,3.0,1\n")
    assert list(frame.columns) == ["column 1", "column 2", "column 3"]
    assert len(frame) == 2
    assert "no header row" in notes[0]


def test_a_first_row_of_numbers_and_a_repeated_class_is_not_a_header():
    frame, _ = parse_bytes(b"5.1,3.5,1.4,setosa\n4.9,3.0,1.4,setosa\n6.0,2.2,4.0,virginica\n")
    assert len(frame) == 3


@pytest.mark.parametrize("start", [0, 1])
def test_numbers_that_count_the_columns_are_a_header(start):
    frame, _ = parse_bytes(pd.DataFrame(np.eye(6), columns=range(start, start + 6)).to_csv(index=False).encode())
    assert frame.shape == (6, 6)
    assert list(frame.columns) == [str(k) for k in range(start, start + 6)]


def test_years_as_column_names_are_a_header():
    frame, _ = parse_bytes(b"country,2000,2001,2002\nDE,1,2,3\nFR,4,5,6\n")
    assert list(frame.columns) == ["country", "2000", "2001", "2002"]


def test_read_options_override_detection():
    frame, notes = parse_bytes(b"1,5;2\n2,5;3\n", ReadOptions(delimiter=",", header=True, decimal="."))
    assert list(frame.columns) == ["1", "5;2"]
    assert "commas" in notes[0]


def test_repeated_and_empty_names_reach_the_table_as_they_are():
    frame, _ = parse_bytes(b"a,a,,class\n1,2,3,x\n4,5,6,y\n")
    assert list(frame.columns) == ["a", "a", "", "class"]
    assert frame.iloc[0].tolist() == [1, 2, 3, "x"]


def test_whole_numbers_beyond_64_bits_are_read():
    frame, _ = parse_bytes(f"a,class\n{10**30},x\n{10**31},y\n".encode())
    assert frame["a"].astype(float).tolist() == [1e30, 1e31]


def test_the_word_none_is_a_category_and_not_missing():
    frame, _ = parse_bytes(b"a,b\nNone,1\nNA,2\n")
    assert frame["a"].tolist()[0] == "None"
    assert frame["a"].isna().tolist() == [False, True]


BAD = {
    "empty": (b"", "empty"),
    "blank": (b" \n \n", "empty"),
    "pdf": (b"%PDF-1.7\n1 0 obj", "PDF"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG"),
    "gif": (b"GIF89a\x01\0\x01\0", "GIF"),
    "zip": (b"PK\x03\x04\x14\0\0\0\x08\0data.csv", "ZIP"),
    "gzip": (b"\x1f\x8b\x08\0\0\0\0\0", "gzip"),
    "parquet": (b"PAR1\x15\x04", "Parquet"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
    "html": (b"<!DOCTYPE html><html></html>", "HTML"),
    "json": (b'[{"a": 1}]', "JSON"),
    "arff": (b"% comment\n@RELATION iris\n@ATTRIBUTE a NUMERIC\n", "ARFF"),
    "nul": (b"a,b\n1,\x002\n3,4\n", "binary"),
    "nul in utf-16": ("a,b\n1,\x002\n".encode("utf-16"), "binary"),
    "random": (np.random.default_rng(0).bytes(5000), "binary"),
    "random without nul": (np.random.default_rng(0).bytes(5000).replace(b"\0", b"\1"), "binary"),
    "header only": (b"a,b,class\n", "no data rows"),
    "ragged": (b"a,b,class\n1,2,x\n1,2\n", "Line 3 has 2 cells where the first row has 3"),
    "ragged after a quoted newline": (b'a,b\n"1\n1",2\n1,2,3\n', "Line 4 has 3 cells"),
    "broken utf-16": (b"\xff\xfea\0,\0b", "UTF-16"),
    "open quote": (b'a,b\n1,"2\n' + b"3,4\n" * 50_000, "quotation mark"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_not_a_table_is_refused_in_one_sentence(kind):
    content, word = BAD[kind]
    with pytest.raises(DataError) as caught:
        parse_bytes(content)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_quotation_mark_left_open_in_the_last_row_is_refused():
    with pytest.raises(DataError):
        parse_bytes(b'a,b\n1,2\n1,"2\n')


def test_an_unknown_encoding_is_refused():
    with pytest.raises(DataError, match="is unknown"):
        parse_bytes(COMMA.encode(), ReadOptions(encoding="klingon"))


def test_an_unknown_separator_is_refused():
    with pytest.raises(DataError, match="separator"):
        ReadOptions(delimiter="x")


def test_a_million_columns_are_refused_before_they_are_parsed(monkeypatch):
    monkeypatch.setattr("pyarrow.csv.read_csv", lambda *given, **options: pytest.fail("the table is parsed"))
    with pytest.raises(LimitError, match="Columns: 1,000,000"):
        parse_bytes(b",".join([b"a"] * 1_000_000) + b"\n" + b",".join([b"1"] * 1_000_000))


def test_too_many_rows_are_refused(monkeypatch):
    monkeypatch.setenv("TSK_MAX_ROWS", "3")
    parse_bytes(COMMA.replace("4,8,y\n", "").encode())
    with pytest.raises(LimitError, match="Rows"):
        parse_bytes(COMMA.encode())


# Through the process of its own: what the app does.


def test_bytes_are_read_in_a_separate_process():
    ds = read_csv(PLAIN.encode("utf-16"), name="colours")
    assert ds.name == "colours"
    assert ds.target == "class"
    assert ds.classes == ["größer", "kleiner"]
    assert ds.X["size"].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert ds.notes[0] == "Read as UTF-16, separated by semicolons, decimal comma."


def test_a_path_names_the_dataset_and_has_no_size_limit(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_UPLOAD_MB", "1")
    path = tmp_path / "my table.csv"
    path.write_text("a,b,class\n" + "1.25,2,x\n3,4,y\n" * 100_000)
    monkeypatch.chdir(tmp_path)
    assert read_csv("my table.csv", target="class").name == "my table"
    with pytest.raises(LimitError, match="Megabytes"):
        read_csv(path.read_bytes())


def test_errors_of_the_process_are_raised_again():
    with pytest.raises(DataError, match="Line 3 has 2 cells"):
        read_csv(BAD["ragged"][0])


def test_repeated_names_are_numbered():
    ds = read_csv(b"a,a,,class\n1,2,3,x\n4,5,7,y\n6,6,6,x\n7,7,7,y\n")
    assert list(ds.X.columns) == ["a", "a (2)", "column 3"]


def test_long_lines_with_one_non_ascii_letter_are_read():
    """A pattern that takes quadratic time for them does not end before the timeout."""
    frame, _ = parse_bytes(b"a,b\n" + (b"x" * 120_000 + b",\xfc\n") * 50)
    assert frame["b"].tolist() == ["ü"] * 50


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="nowhere.csv"):
        read_csv(tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match="directory"):
        read_csv(tmp_path)


def test_what_is_written_is_read_back():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=50), "b": rng.choice(["x", "y;z", 'q"q'], 50), "class": rng.integers(2, size=50)})
    buffer = io.BytesIO()
    frame.to_csv(buffer, index=False)
    back, _ = parse_bytes(buffer.getvalue())
    pd.testing.assert_frame_equal(back, frame, check_dtype=False, check_exact=True)


def test_the_package_lists_and_loads_its_public_names():
    assert dir(tsk_data) == sorted(tsk_data.__all__)
    assert all(getattr(tsk_data, name) is not None for name in tsk_data.__all__)
    with pytest.raises(AttributeError):
        tsk_data.nothing  # noqa: B018


SCRIPTS = {
    "shift_jis": "日本語 文章 東京 大阪 京都 名前 学校",
    "gb18030": "北京 上海 广州 数据 文本 学校 名字",
    "cp1251": "Москва Новосибирск Екатеринбург Казань Челябинск Самара Красноярск",
}


@pytest.mark.parametrize("encoding", SCRIPTS)
def test_files_in_other_scripts_are_read(encoding):
    words = SCRIPTS[encoding].split()
    text = "name,class\n" + "".join(f"{word},{words[k % 2]}\n" for word in words for k in range(10))
    frame, _ = parse_bytes(text.encode(encoding))
    assert frame["name"][0] == words[0]


@pytest.mark.parametrize("end", [b"2,\xff,b\n", b"2,3,\xc3"])
@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_a_few_wrong_bytes_in_utf_8_are_replaced_with_a_warning(end, encoding):
    rows = "".join(f"1,{'äöü'[k % 3]},{'xy'[k % 2]}\n" for k in range(30))
    raw = read_here(f"a,größe,class\n{rows}".encode() + end, ReadOptions(encoding))
    assert list(raw.frame.columns) == ["a", "größe", "class"]
    assert raw.read_options.encoding == "utf-8"
    (warning,) = (finding for finding in raw.findings if finding.kind == "warning")
    assert str(warning) == "1 byte of this file is not UTF-8, in line 32. Replaced by '\ufffd'."


def test_two_letters_of_a_name_are_enough_to_tell_that_a_file_is_in_utf_8():
    rows = "".join(f"{k},{'xy'[k % 2]}\n" for k in range(30)).encode()
    frame, _ = parse_bytes("größe,class\n".encode() + rows + b"31\xff,x\n")
    assert list(frame.columns) == ["größe", "class"]


@pytest.mark.parametrize("end", [b"\x1a", b"\n\x1a", b"\n\x1a\x1a", b"\n\t\n"])
def test_what_follows_the_last_row_is_no_row(end):
    frame, _ = parse_bytes(COMMA.strip().encode() + end)
    assert frame["class"].tolist() == ["x", "y", "x", "y"]


def test_whole_numbers_with_leading_zeros_keep_them():
    frame, _ = parse_bytes(b'zip,code,n,day\n01000,"007",1,01.02.2024\n99999,10,20,02.03.2024\nNA,8,0,03.03.2024\n')
    assert frame["zip"].tolist()[:2] == ["01000", "99999"] and frame["zip"].isna()[2]
    assert frame["code"].tolist() == ["007", "10", "8"]
    assert frame["n"].tolist() == [1, 20, 0]


def test_whole_numbers_of_more_digits_than_a_number_holds_are_ids_and_codes_not_rounded_numbers():
    rows = [f"{10**21 + (k % 2) * 7},{10**21 + k // 2 * 60_000},{k % 5}" for k in range(40)]
    data = read_csv(
        ("code,patient,size\n" + "\n".join(rows)).encode(), target="code", choices=Choices(roles={"patient": "group"})
    )
    assert data.classes == [str(10**21), str(10**21 + 7)]
    assert "20 groups" in " ".join(data.notes)
    floats = read_csv(b"x,y\n" + b"1e30,a\n2.5,b\n" * 10 + b"100000000000000000000,a\n", target="y")
    assert floats.X["x"].dtype == float and floats.X["x"].max() == 1e30


def test_classes_keep_their_leading_zeros_and_features_can():
    rows = "".join(f"0{1000 + k},{k % 7},{('01', '1', '02', '2')[k % 4]}\n" for k in range(40))
    raw = read_here(f"zip,x,class\n{rows}".encode())
    ds = make_dataset(raw.frame, name="t")
    assert ds.classes == ["01", "1", "02", "2"]
    read = "Column 'zip': numbers written as text. Read as numbers: leading zeros ignored."
    (finding,) = (finding for finding in ds.findings if str(finding) == read)
    assert finding.advice == "Set its role to 'category' to keep the text."
    kept = ds.with_choices(Choices(roles={"zip": "category"}))
    assert kept.X["zip"][0] == "01000"
