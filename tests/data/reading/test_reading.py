"""Reading text: every way people write encodings, separators, names and cells, and every file that is no table."""

import numpy as np
import pandas as pd
import pytest

from tests.data.reading.cases import Case, check, check_refusal
from tests.data.reading.in_process import read_here
from tsk_core import data as tsk_data
from tsk_core.data import Choices, make_dataset, read_csv
from tsk_core.data.reading import ReadOptions
from tsk_core.errors import DataError, LimitError

PLAIN = "size;colour;class\n1,5;rot;größer\n2,5;blau;kleiner\n3,5;rot;größer\n4,5;blau;kleiner\n"
COMMA = "a,b,class\n1,5,x\n2,6,y\n3,7,x\n4,8,y\n"
GROSS = {"size": [1.5, 2.5, 3.5, 4.5], "class": ["größer", "kleiner", "größer", "kleiner"]}
OF_COMMA = {"b": [5, 6, 7, 8], "class": ["x", "y", "x", "y"]}
SCRIPTS = {
    "shift_jis": "日本語 文章 東京 大阪 京都 名前 学校", "gb18030": "北京 上海 广州 数据 文本 学校 名字",
    "cp1251": "Москва Новосибирск Екатеринбург Казань Челябинск Самара Красноярск",
}  # fmt: skip
UMLAUTS = "a,größe,class\n" + "".join(f"1,{'äöü'[k % 3]},{'xy'[k % 2]}\n" for k in range(30))
WRONG_BYTE = {"cells": {0: [1] * 30 + [2]}, "names": ["a", "größe", "class"], "options": {"encoding": "utf-8"},
              "said": ["1 byte of this file is not UTF-8, in line 32. Replaced by '\ufffd'."]}  # fmt: skip


def thousands(cells, delimiter):
    return "\n".join([f"a{delimiter}class", *(f"{cell}{delimiter}{'pq'[k % 2]}" for k, cell in enumerate(cells.split())), ""])


CASES = {
    # Encodings.
    **{f"in {encoding}": Case(PLAIN.encode(encoding), ["size", "colour", "class"], GROSS,
                              said=[f"Read as {name}, separated by semicolons, decimal comma."],
                              target="class", roles={"size": "number", "colour": "category"})
       for encoding, name in [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16-LE"),
                              ("utf-16-be", "UTF-16-BE"), ("utf-32", "UTF-32"), ("latin-1", "Latin-1 (Windows-1252)"),
                              ("cp1252", "Latin-1 (Windows-1252)")]},
    **{f"a script in {encoding}": Case("".join(["name,class\n", *(f"{word},{words.split()[k % 2]}\n"
                                                                for word in words.split() for k in range(10))]).encode(encoding),
                                       ["name", "class"], {"name": np.repeat(words.split(), 10).tolist()})
       for encoding, words in SCRIPTS.items()},
    "short latin-1": Case("x;y\nä;1\nö;2\nü;3\n".encode("latin-1"), cells={"x": ["ä", "ö", "ü"]}),
    "long latin-1": Case(("name;class\n" + "".join(f"Straße {k} über Köln;{('häßlich', 'schön')[k % 2]}\n" for k in range(3000))
                          ).encode("latin-1"), cells={"class": ["häßlich", "schön"] * 1500}),
    "signs beside numbers": Case("\r\n".join(["art;a;b", *(f"Größe {k % 3};1\xa0{k + 100},5 m²;{k} €" for k in range(60))]
                                             ).encode("cp1252"),
                                 cells={"a": [f"1{k + 100}.5 m²" for k in range(60)], "b": [f"{k} €" for k in range(60)]},
                                 options={"encoding": "cp1252"}),
    "a wrong byte in utf-8": Case(UMLAUTS.encode() + b"2,\xff,b\n", **WRONG_BYTE),
    "half a letter at the end of utf-8": Case(UMLAUTS.encode() + b"2,3,\xc3", **WRONG_BYTE),
    "a wrong byte where utf-8 is asked for": Case(UMLAUTS.encode() + b"2,\xff,b\n", given={"encoding": "utf-8"}, **WRONG_BYTE),
    "two letters of a name in utf-8": Case(
        "größe,class\n".encode() + "".join(f"{k},{'xy'[k % 2]}\n" for k in range(30)).encode() + b"31\xff,x\n",
        ["größe", "class"]),
    "long lines and one letter": Case(b"a,b\n" + (b"x" * 120_000 + b",\xfc\n") * 50, cells={"b": ["ü"] * 50}),  # in linear time
    # Separators and line ends.
    **{f"separated by {delimiter!r}": Case(COMMA.replace(",", delimiter), cells=OF_COMMA, options={"delimiter": delimiter})
       for delimiter in (",", ";", "\t", "|")},
    **{f"lines that end in {end!r}": Case(COMMA.replace("\n", end), cells=OF_COMMA) for end in ("\n", "\r\n", "\r")},
    **{f"{end!r} after the last row": Case(COMMA.strip() + end, cells=OF_COMMA)
       for end in ("\x1a", "\n\x1a", "\n\x1a\x1a", "\n\t\n")},
    "a separator inside quotes": Case('a,b,class\n"1;2;3",5,x\n"4;5;6",6,y\n', ["a", "b", "class"], {"a": ["1;2;3", "4;5;6"]}),
    "quoted newlines": Case('text,class\n"two\nlines",x\n"three\r\nmore\nlines",y\n',
                            cells={"text": ["two\nlines", "three\r\nmore\nlines"]}),
    "blank lines": Case("\n\na,b,class\n\n1,2,x\n\n\n3,4,y\n\n", ["a", "b", "class"], {"a": [1, 3]}),
    "the hint of a spreadsheet": Case("sep=;\na;b\n1;2\n", ["a", "b"], rows=1),
    "options before detection": Case("1,5;2\n2,5;3\n", ["1", "5;2"], rows=1, said=["commas"],
                                     given={"delimiter": ",", "header": True, "decimal": "."}),
    # A header or none.
    "numbers only": Case("5.1,3.5,0\n4.9,3.0,1\n", ["column 1", "column 2", "column 3"], rows=2, said=["no header row"]),
    "numbers and a repeated class": Case("5.1,3.5,1.4,setosa\n4.9,3.0,1.4,setosa\n6.0,2.2,4.0,virginica\n", rows=3),
    **{f"names of pandas from {start}, {index=}": Case(
        pd.DataFrame(np.eye(5, 4) / 3, columns=range(start, start + 4)).to_csv(index=index),
        [*["column 1"] * index, *(str(start + k) for k in range(4))], rows=5) for start in (0, 1, 2000) for index in (0, 1)
       if start < 2000 or index},
    "three of them and classes": Case("0,1,2\n.5,7,x\n.6,7,y\n", ["0", "1", "2"], rows=2),
    "a missing cell and no names": Case(",3.5,a\n4.9,3,b\n6,2.5,a\n", rows=3, options={"header": False}),
    "years": Case("country,2000,2001,2002\nDE,1,2,3\nFR,4,5,6\n", ["country", "2000", "2001", "2002"]),
    "quoted numbers above numbers": Case('"1","2"\n5,6\n7,8\n', ["1", "2"], rows=2),
    **{f"first row {rows[:14]!r}": Case(rows, rows=rows.count("\n"), options={"header": False}) for rows in (
        "12.03.2024;1,5 kg;rot\n14.03.2024;2,5 kg;blau\n15.03.2024;3,5 kg;rot\n", "14:30,$5,p\n15:10,$7,q\n16:20,$9,p\n",
        "p|n/a|5 %\nq|1.5|7 %\np|2.5|8 %\n", "a,x,yes\nb,x,no\na,z,no\nb,z,yes\n",
        '"p","10,754.50kg"\n"q","1,754.50kg"\n"p","754.50kg"\n', '"p","1,5",n/a\n"q",n/a,"2,5"\n"p","2,5","3,5"\n')},
    **{f"names {names}": Case(f"{names}\n2024-03-05,1.5,p\n2024-03-06,2.5,q\n2024-03-07,3.5,p\n", names.split(","), rows=3)
       for names in ("date,mass,class", "2024,5 kg,p", "2024-01,1st,x", "length,12 kg,y", "Datum,1.5,p")},
    "repeated and empty names": Case("a,a,,class\n1,2,3,x\n4,5,7,y\n6,6,6,x\n7,7,7,y\n", ["a", "a (2)", "column 3", "class"],
                                     {1: [2, 5, 6, 7]}),
    # Cells.
    "decimal commas beside text": Case("a;class\n1,5;x\nunbekannt;y\n1.234,5;x\n2,25;y\n",
                                       cells={"a": ["1.5", "unbekannt", "1234.5", "2.25"]}),
    "whole numbers beyond 64 bits": Case(f"a,class\n{10**30},x\n{10**31},y\n", cells={"a": [str(10**30), str(10**31)]}),
    "NA among words may be a code": Case("a,b\nNone,1\nNA,2\n,NA\n", cells={"a": ["None", "NA", None], "b": [1, 2, None]}),
    "leading zeros": Case('zip,code,n,day\n01000,"007",1,01.02.2024\n99999,10,20,02.03.2024\nNA,8,0,03.03.2024\n',
                          cells={"zip": ["01000", "99999", None], "code": ["007", "10", "8"], "n": [1, 20, 0]}),
    "dates and times keep their spelling": Case(
        "day,at,when\n2020-01-01,12:30,2020-01-01 10:00\n2020-02-01,12:31,2020-01-01 11:00\n",
        cells={0: ["2020-01-01", "2020-02-01"], 1: ["12:30", "12:31"], 2: ["2020-01-01 10:00", "2020-01-01 11:00"]}),
    "codes of digits and an E": Case("a,b\n5E1,1E3\n70,2.5\n", cells={"a": ["5E1", "70"], "b": [1000, 2.5]}),
    "decimals to their last digit": Case("a\n0.1234567890123456789\n7.038531e-26\n1.7976931348623157e308\n",
                                         cells={"a": [0.1234567890123456789, 7.038531e-26, 1.7976931348623157e308]}),
    # Three digits behind each sign are thousands, where all numbers without one are below 1000 and all others have three.
    "points as thousands": Case(thousands("14.464 2.693 850 33.100 1.001 12.500", ","),
                                cells={"a": ["14464", "2693", "850", "33100", "1001", "12500"]}),
    "commas as thousands": Case(thousands("14,464 2,693 850 33,100 1,001 12,500", ";"),
                                cells={"a": ["14,464", "2,693", "850", "33,100", "1,001", "12,500"]}),
    "points, but 8.5": Case(thousands("14.464 2.693 8.5 33.100 1.001 850", ";"),
                            cells={"a": [14.464, 2.693, 8.5, 33.1, 1.001, 850]}),
    "points, but 0.464": Case(thousands("0.464 2.693 850 33.100 1.001 12.500", ","),
                              cells={"a": [0.464, 2.693, 850, 33.1, 1.001, 12.5]}),
    "points, but 850.125": Case(thousands("14.464 2.693 850.125 33.100 1.001 12.500", ","),
                                cells={"a": [14.464, 2.693, 850.125, 33.1, 1.001, 12.5]}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_text_is_read_as_it_is_written(name):
    check(CASES[name])


NOISE = np.random.default_rng(0).bytes(5000)
REFUSED = {
    "empty": (b"", "empty"), "blank": (b" \n \n", "empty"), "header only": (b"a,b,class\n", "no data rows"),
    "pdf": (b"%PDF-1.7\n1 0 obj", "PDF"), "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG"), "gif": (b"GIF89a\x01\0\x01\0", "GIF"),
    "zip": (b"PK\x03\x04\x14\0\0\0\x08\0data.csv", "ZIP"), "gzip": (b"\x1f\x8b\x08\0\0\0\0\0", "gzip"),
    "parquet": (b"PAR1\x15\x04", "Parquet"), "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
    "html": (b"<!DOCTYPE html><html></html>", "HTML"), "json": (b'[{"a": 1}]', "JSON"),
    "nul": (b"a,b\n1,\x002\n3,4\n", "binary"), "nul in utf-16": ("a,b\n1,\x002\n".encode("utf-16"), "binary"),
    "random": (NOISE, "binary"), "random without nul": (NOISE.replace(b"\0", b"\1"), "binary"),
    "broken utf-16": (b"\xff\xfea\0,\0b", "UTF-16"), "open quote": (b'a,b\n1,"2\n' + b"3,4\n" * 50_000, "quotation mark"),
    "open quote in the last row": (b'a,b\n1,2\n1,"2\n', ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_is_not_a_table_is_refused_in_one_sentence(kind):
    check_refusal(*REFUSED[kind])


@pytest.mark.parametrize("encoding", ["klingon", "hex", "a\0b", "utf-16"])
def test_a_wrong_encoding_is_refused(encoding):
    with pytest.raises(DataError, match="encoding .* is unknown|cannot be read as|binary"):
        read_here(b"a,b\n1,2\n3,5\n1", ReadOptions(encoding=encoding))


@pytest.mark.parametrize("read_options", [{"delimiter": "x"}, {"decimal": ";"}, {"quote": "x"}, {"comment": "//"}])
def test_an_unsupported_read_option_is_refused(read_options):
    with pytest.raises(DataError, match="must be"):
        ReadOptions(**read_options)


def test_the_read_options_of_a_result_read_the_file_again():
    content = "a;b\n1,5;x\n2,5;y\n".encode("utf-16")
    raw = read_here(content)
    assert raw.read_options == ReadOptions("utf-16", ";", ",", True, '"', "")
    again = read_here(content, raw.read_options)
    assert again.read_options == raw.read_options and again.frame.equals(raw.frame)


def test_a_million_columns_are_refused_before_they_are_parsed(monkeypatch):
    monkeypatch.setattr("pyarrow.csv.read_csv", lambda *given, **options: pytest.fail("the table is parsed"))
    with pytest.raises(LimitError, match="Columns: 1,000,000"):
        read_here(b",".join([b"a"] * 1_000_000) + b"\n" + b",".join([b"1"] * 1_000_000))


def test_what_is_written_is_read_back():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=50), "b": rng.choice(["x", "y;z", 'q"q'], 50), "class": rng.integers(2, size=50)})
    back = read_here(frame.to_csv(index=False).encode()).frame
    pd.testing.assert_frame_equal(back, frame, check_dtype=False, check_exact=True)


# Through the process of its own: what the app does.


def test_bytes_are_read_in_a_separate_process():
    ds = read_csv(PLAIN.encode("utf-16"), name="colours")
    assert (ds.name, ds.target, ds.classes) == ("colours", "class", ["größer", "kleiner"])
    assert ds.X["size"].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert ds.notes[0] == "Read as UTF-16, separated by semicolons, decimal comma."
    with pytest.raises(DataError, match="Line 3 has 2 cells"):
        read_csv(b"a,b,class\n1,2,x\n1,2\n")


def test_a_path_names_the_dataset_and_has_no_size_limit(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_UPLOAD_MB", "1")
    path = tmp_path / "my table.csv"
    path.write_text("a,b,class\n" + f"1.25,{'w' * 1_000},x\n3,4,y\n" * 1_000)
    monkeypatch.chdir(tmp_path)
    assert read_csv("my table.csv", target="class").name == "my table"
    with pytest.raises(LimitError, match="Megabytes"):
        read_csv(path.read_bytes())


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="nowhere.csv"):
        read_csv(tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match="directory"):
        read_csv(tmp_path)


def test_the_package_lists_and_loads_its_public_names():
    assert dir(tsk_data) == sorted(tsk_data.__all__)
    assert all(getattr(tsk_data, name) is not None for name in tsk_data.__all__)
    with pytest.raises(AttributeError):
        tsk_data.nothing  # noqa: B018


def test_whole_numbers_of_more_digits_than_a_number_holds_are_ids_and_codes_not_rounded_numbers():
    rows = [f"{10**21 + (k % 2) * 7},{10**21 + k // 2 * 60_000},{k % 5}" for k in range(40)]
    raw = read_here(("code,patient,size\n" + "\n".join(rows)).encode()).frame
    data = make_dataset(raw, "code", choices=Choices(roles={"patient": "group"}))
    assert data.classes == [str(10**21), str(10**21 + 7)]
    assert "20 groups" in " ".join(data.notes)
    floats = make_dataset(read_here(b"x,y\n" + b"1e30,a\n2.5,b\n" * 10 + b"100000000000000000000,a\n").frame, "y")
    assert floats.X["x"].dtype == float and floats.X["x"].max() == 1e30


def test_classes_keep_their_leading_zeros_and_features_can():
    rows = "".join(f"0{1000 + k},{k % 7},{('01', '1', '02', '2')[k % 4]}\n" for k in range(40))
    ds = make_dataset(read_here(f"zip,x,class\n{rows}".encode()).frame, name="t")
    assert ds.classes == ["01", "1", "02", "2"]
    read = "Column 'zip': numbers written as text. Read as numbers: leading zeros ignored."
    (finding,) = (finding for finding in ds.findings if str(finding) == read)
    assert finding.advice == "Set its role to 'category' to keep the text."
    assert ds.with_choices(Choices(roles={"zip": "category"})).X["zip"][0] == "01000"
