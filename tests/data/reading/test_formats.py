"""Files that are no CSV: workbooks, ARFF, Parquet, archives; each told by what is in it."""

import bz2
import gzip
import io
import tarfile
import zipfile
from datetime import date, datetime, timedelta

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.data.reading.in_process import read_here
from tests.realworld.workbook import packed, sheet, workbook
from tsk_core.data import ReadOptions, read_csv
from tsk_core.errors import DataError, LimitError

CSV = b"a,b,class\n1,5,x\n2,6,y\n3,7,x\n4,8,y\n"
TABLE = [["a", "colour", "class"], [1, "red", "x"], [2.5, "blue", "y"], [None, "red", "x"]]


def zipped(files, **options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def as_parquet(table, **options):
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


def findings_of(raw):
    return " ".join(map(str, raw.findings))


def test_a_workbook_is_read():
    raw = read_here(workbook({"Data": TABLE}))
    assert raw.frame["colour"].tolist() == ["red", "blue", "red"]
    assert raw.frame["a"].tolist()[:2] == [1, 2.5]
    assert raw.frame["a"].isna().sum() == 1
    assert (raw.kind, raw.sheets, raw.read_options) == ("Excel", ("Data",), ReadOptions(header=True, sheet="Data"))
    assert raw.findings[0].fact == "Read as an Excel workbook, sheet 'Data'."


def test_whole_numbers_of_a_workbook_stay_whole():
    frame = read_here(workbook({"S": [["n", "mixed", "class"], [1, 2000, "x"], [2, "many", "y"]]})).frame
    assert frame["n"].dtype == "int64"
    assert frame["mixed"].tolist() == ["2000", "many"]


def test_days_of_a_workbook_are_dates():
    frame = read_here(workbook({"S": [["day", "class"], [date(2020, 1, 31), "x"], [date(2021, 2, 1), "y"]]})).frame
    assert frame["day"].tolist() == [datetime(2020, 1, 31), datetime(2021, 2, 1)]


def test_a_title_above_a_sheet_is_left_out():
    raw = read_here(workbook({"S": [["Sales 2024"], [], *TABLE]}))
    assert list(raw.frame.columns) == TABLE[0]
    assert "Left out 1 line above the table: 'Sales 2024'." in findings_of(raw)


def test_each_row_of_a_merged_cell_has_its_value():
    rows = [
        ["Survey", None, None],
        ["patient", "value", "class"],
        ["p1", 1, "x"],
        [None, 2, None],
        [None, 3, None],
        ["p2", 4, "y"],
    ]
    raw = read_here(packed({"S": sheet(rows, ["A1:C1", "A3:A5", "C3:C5"])}))
    assert raw.frame.to_dict("list") == {
        "patient": ["p1", "p1", "p1", "p2"],
        "value": [1, 2, 3, 4],
        "class": ["x", "x", "x", "y"],
    }
    assert "4 cells got the value of their merged cell" in findings_of(raw)
    overlapping = [f"A3:A{last}" for last in range(4, 60_000)] + ["ZZ1:ZZ9", "XFD1:XFD1048576"]
    assert read_here(packed({"S": sheet(rows, overlapping)})).frame["patient"].tolist()[:2] == ["p1", "p1"]


def test_names_of_groups_above_the_names_of_columns_are_left_out():
    names, body = ["id", "height", "weight", "class"], [[1, 170.5, 60, "x"], [2, 160, 70, "y"], [3, 180, 80, "x"]]
    raw = read_here(packed({"S": sheet([["who", "measured", None, None], names, *body], ["B1:C1"])}))
    assert list(raw.frame.columns) == names and len(raw.frame) == 3
    assert "Left out 1 line above the table: 'who' and 'measured'." in findings_of(raw)
    two_rows = packed(
        {"S": sheet([["id", "measured", None, "class"], [None, *names[1:3], None], *body], ["A1:A2", "B1:C1", "D1:D2"])}
    )
    assert list(read_here(two_rows).frame.columns)[1:3] == names[1:3]


def test_a_sheet_of_numbers_has_no_header():
    raw = read_here(workbook({"S": [[1, 2], [3, 4], [5, 6]]}))
    assert list(raw.frame.columns) == ["column 1", "column 2"]
    assert len(raw.frame) == 3


def test_the_first_filled_sheet_is_read_and_the_others_are_named():
    raw = read_here(workbook({"Notes": [], "Data": TABLE, "More": [["u", "v"], [1, 2]]}))
    assert raw.read_options.sheet == "Data"
    assert raw.sheets == ("Notes", "Data", "More")
    (found,) = (f for f in raw.findings if f.advice)
    assert "'Notes' and 'More'" in found.advice


def test_durations_of_a_workbook_are_one_column_though_some_are_shorter_than_a_day():
    hours = [2.5, 20, 24, 30.25]
    raw = read_here(workbook({"S": [["dur", "class"], *([timedelta(hours=h), "xy"[k % 2]] for k, h in enumerate(hours))]}))
    assert (raw.frame["dur"] / pd.Timedelta(hours=1)).tolist() == hours


def test_a_cover_page_and_hidden_sheets_are_not_the_table():
    data = [["a", "class"], [1, "x"], [2, "y"]]
    assert read_here(workbook({"Cover": [["Measurements of 2024"]], "Data": data})).read_options.sheet == "Data"
    hidden = workbook({"Lists": [["unit"], ["kg"]], "Data": data}, hidden=["Lists"])
    raw = read_here(hidden)
    assert raw.read_options.sheet == "Data" and raw.sheets == ("Lists", "Data")
    assert read_here(hidden, ReadOptions(sheet="Lists")).frame["unit"].tolist() == ["kg"]
    with pytest.raises(DataError, match="The sheet 'Cover' has a header row and no data rows"):
        read_here(workbook({"Cover": [["Measurements of 2024"]], "Empty": []}))


def test_another_sheet_can_be_chosen():
    book = workbook({"Data": TABLE, "More": [["u", "v"], [1, 2]]})
    assert list(read_here(book, ReadOptions(sheet="More")).frame.columns) == ["u", "v"]
    with pytest.raises(DataError, match="There is no sheet 'Gone'; the sheets are 'Data' and 'More'"):
        read_here(book, ReadOptions(sheet="Gone"))


def test_an_empty_workbook_is_refused():
    with pytest.raises(DataError, match="empty"):
        read_here(workbook({"S": []}))
    with pytest.raises(DataError, match="no data rows"):
        read_here(workbook({"S": [["a", "b"]]}))


def test_a_sheet_with_too_many_rows_is_refused(monkeypatch):
    monkeypatch.setenv("TSK_MAX_ROWS", "2")
    with pytest.raises(LimitError, match="Rows: 3"):
        read_here(workbook({"S": TABLE}))


def test_an_opendocument_sheet_is_read():
    number = "<table:table-cell office:value-type='float' office:value='{}'/>"
    rows = "".join(
        f"<table:table-row>{number.format(k) * 2}"
        f"<table:table-cell office:value-type='string'><text:p>{'xy'[k % 2]}</text:p></table:table-cell></table:table-row>"
        for k in range(3)
    )
    spaces = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="T">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    raw = read_here(zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content,
                            "META-INF/manifest.xml": "<m/>"}))  # fmt: skip
    assert raw.kind == "OpenDocument"
    assert raw.frame.iloc[:, 2].tolist() == ["x", "y", "x"]


ARFF = """% Iris, shortened
% and described
@RELATION iris

@attribute 'petal length' numeric   % in cm
@ATTRIBUTE\tcount\tINTEGER
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute class {'Iris setosa', virginica,"none at all"}

@DATA
% a comment
1.5,3,'it, was',"2020-01-01",'Iris setosa'
?, 4, plain, 2020-01-02, virginica
2.5,5,?,2020-01-03,virginica
3,6,x,2020-01-04,'Iris setosa'
"""


def test_an_arff_file_is_read():
    raw = read_here(ARFF.encode())
    assert list(raw.frame.columns) == ["petal length", "count", "note", "day", "class"]
    assert raw.frame["count"].tolist() == [3, 4, 5, 6]
    assert raw.frame["petal length"].isna().tolist() == [False, True, False, False]
    assert raw.frame["note"].tolist()[:2] == ["it, was", "plain"]
    assert raw.frame["class"].tolist() == ["Iris setosa", "virginica", "virginica", "Iris setosa"]
    assert (raw.kind, findings_of(raw).split(".")[0]) == ("ARFF", "Read as an ARFF file")


def test_nominal_attributes_keep_their_declared_order_and_stay_categories():
    raw = read_here(b"@relation r\n@attribute size {low,medium,high}\n@attribute n {1,2}\n@data\nhigh,1\nlow,2\nother,1\n")
    assert list(raw.frame["size"].cat.categories) == ["low", "medium", "high", "other"]
    assert list(raw.frame["n"].cat.categories) == ["1", "2"]


def test_arff_as_weka_writes_it_is_read():
    """Escapes within quotes, comments behind a type and among the rows, and no space before the categories."""
    raw = read_here(
        b"@relation r\n@attribute p{u,v}\n@attribute y {'< 50\\%','>= 50\\%'} % the share\n@attribute s string\n@data\n"
        b"% don't sort\nu,'< 50\\%','high, dose'\nv,'>= 50%','C:\\\\tmp'\n"
    )
    assert raw.frame.to_numpy().tolist() == [["u", "< 50%", "high, dose"], ["v", ">= 50%", "C:\\tmp"]]
    assert list(raw.frame["y"].cat.categories) == ["< 50%", ">= 50%"]


def test_quotation_marks_within_quotes_are_read_in_arff_spelling():
    raw = read_here(
        b"@relation r\n@attribute a {'driver\\'s, car',x}\n@attribute b string\n@data\n'driver\\'s, car','\\\"q\\\"'\nx,y\n"
    )
    assert raw.frame.iloc[0].tolist() == ["driver's, car", '"q"']
    assert list(raw.frame["a"].cat.categories) == ["driver's, car", "x"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("@relation r\n@data\n1\n", "no attributes"),
        ("@relation r\n@attribute a numeric\n", "no line @data"),
        ("@relation r\n@attribute a\n@data\n1\n", "Line 2"),
        ("@relation r\n@attribute a relational\n@data\n1\n", "relational"),
        ("@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n1\n", "Line 6 has 1 cell"),
        ("@relation r\n@attribute a numeric\n@data\n1,2\n3,4\n", "have 2 cells, but it declares 1 attributes"),
        ("@relation r\n@attribute a numeric\n@data\nmany\n", "not a number"),
        ("@relation r\n@attribute a numeric\n@data\n{0 1}\n", "sparse"),
        ("@relation r\n@attribute a numeric\n@data\n", "no data rows"),
    ],
)
def test_a_broken_arff_file_is_refused_with_its_line(text, word):
    with pytest.raises(DataError, match=word):
        read_here(text.encode())


def test_a_parquet_file_is_read_without_its_nested_columns():
    table = pa.table({
        "a": [1, 2], "lists": [[1], [2]], "records": [{"x": 1, "y": 2}] * 2, "b": pa.array(["x", "y"]).dictionary_encode(),
        "when": pa.array([0, 1], pa.timestamp("ns", "UTC")), "money": pa.array([1, 2], pa.decimal128(5, 2)),
        "bytes": [b"a", b"b"], "flag": [True, None], "z": ["u", "v"],
        "maps": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int8())), "last": [1, 2],
    })  # fmt: skip
    raw = read_here(as_parquet(table))
    assert list(raw.frame.columns) == ["a", "b", "when", "money", "flag", "z", "last"]
    assert raw.frame["z"].tolist() == ["u", "v"]
    assert raw.frame["money"].tolist() == [1.0, 2.0]
    assert raw.frame["flag"].tolist()[0] == "True"
    assert (raw.kind, raw.read_options) == ("Parquet", ReadOptions())
    assert "'lists', 'records', 'bytes' and 'maps'" in findings_of(raw)


def test_categories_of_a_parquet_file_keep_their_order():
    tier = pd.Categorical(["Gold", "Bronze", None, "Silver"], ["Bronze", "Silver", "Gold"], ordered=True)
    frame = pd.DataFrame({"tier": tier, "text": pd.Categorical(["1 kg", "2 kg"] * 2)})
    raw = read_here(as_parquet(pa.Table.from_pandas(frame)))
    assert raw.frame["tier"].cat.ordered and list(raw.frame["tier"].cat.categories) == ["Bronze", "Silver", "Gold"]
    assert raw.frame["tier"].tolist()[:2] == ["Gold", "Bronze"] and raw.frame["tier"].isna().tolist() == [
        False,
        False,
        True,
        False,
    ]
    assert not isinstance(raw.frame["text"].dtype, pd.CategoricalDtype)


def test_a_parquet_file_with_a_name_twice_keeps_both_columns():
    raw = read_here(as_parquet(pa.Table.from_arrays([pa.array([1, 2]), pa.array([3, 4])], ["a", "a"])))
    assert raw.frame.iloc[0].tolist() == [1, 3]


def test_dates_of_a_parquet_file_beyond_the_year_9999_are_missing():
    far, near = 10**15, 10**9  # seconds since 1970: in microseconds, the former are more than 64 bits hold
    days = pa.array([2**31 - 1, 0, None], pa.int32()).cast(pa.date32())
    lengths = pa.array([far, 60, None], pa.duration("s"))
    table = pa.table({"when": pa.array([far, near, -far], pa.timestamp("s", "UTC")), "day": days, "length": lengths})
    raw = read_here(as_parquet(table))
    assert raw.frame.isna().to_numpy().tolist() == [[True] * 3, [False] * 3, [True] * 3]
    assert [str(finding) for finding in raw.findings[1:]] == [
        "Column 'when': 2 cells are outside the years 1 to 9999. Counted as missing.",
        "Column 'day': 1 cell is outside the years 1 to 9999. Counted as missing.",
        "Column 'length': 1 cell is beyond 100 million days. Counted as missing.",
    ]


def test_the_row_numbers_of_pandas_are_not_a_column():
    frame = pd.DataFrame({"a": [1, 2, 3]}).iloc[[0, 2]]
    assert list(read_here(as_parquet(pa.Table.from_pandas(frame))).frame.columns) == ["a"]


def test_a_parquet_file_with_too_many_rows_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setenv("TSK_MAX_ROWS", "1000")
    with pytest.raises(LimitError, match="Rows: 1,001"):
        read_here(as_parquet(pa.table({"a": range(1001)})))


@pytest.mark.parametrize(
    "content", [b"PAR1\x15", as_parquet(pa.table({"a": [1]}))[:-20], as_parquet(pa.table({"a": pa.array([], pa.int64())}))]
)
def test_a_parquet_file_without_rows_or_end_is_refused(content):
    with pytest.raises(DataError, match="Parquet"):
        read_here(content)


@pytest.mark.parametrize(
    "inner", [CSV, workbook({"S": TABLE}), ARFF.encode(), as_parquet(pa.table({"a": [1, 2], "class": ["x", "y"]}))]
)
@pytest.mark.parametrize("packed", [gzip.compress, lambda content: zipped({"folder/my table.csv": content})])
def test_a_table_inside_an_archive_is_read(inner, packed):
    raw = read_here(packed(inner))
    assert "class" in raw.frame.columns
    assert "npacked" in findings_of(raw)


def test_files_that_macos_adds_to_an_archive_are_ignored():
    raw = read_here(zipped({"my.csv": CSV, "__MACOSX/._my.csv": b"\0", ".DS_Store": b"\0", "folder/": b""}))
    assert "Unpacked 'my.csv' from a ZIP archive." in findings_of(raw)


def test_two_tables_in_an_archive_are_named():
    with pytest.raises(DataError, match=r"contains 2 files \('a.csv' and 'b.csv'\)"):
        read_here(zipped({"a.csv": CSV, "b.csv": CSV}))


def test_an_archive_without_a_file_is_refused():
    for content in (zipped({}), zipped({"folder/": b""})):
        with pytest.raises(DataError, match="contains no file"):
            read_here(content)


@pytest.mark.parametrize("outer", [gzip.compress, lambda content: zipped({"x": content})])
@pytest.mark.parametrize("inner", [gzip.compress, lambda content: zipped({"x": content})])
def test_an_archive_in_an_archive_is_refused(outer, inner):
    with pytest.raises(DataError, match="another archive"):
        read_here(outer(inner(CSV)))


@pytest.mark.parametrize("packed", [gzip.compress, lambda content: zipped({"x": content})])
def test_an_archive_is_bounded_while_it_is_unpacked(packed, monkeypatch):
    monkeypatch.setenv("TSK_MAX_UNPACKED_MB", "1")
    assert len(read_here(packed(b"a,b\n" + b"1,2\n" * 1000)).frame) == 1000
    with pytest.raises(LimitError, match="when unpacked"):
        read_here(packed(b"a,b\n" + b"1,2\n" * 300_000))


def test_a_workbook_is_bounded_before_it_is_unpacked(monkeypatch):
    monkeypatch.setenv("TSK_MAX_UNPACKED_MB", "1")
    with pytest.raises(LimitError, match="when unpacked"):
        read_here(workbook({"S": [["x" * 1000] * 100] * 20}))


@pytest.mark.parametrize("cut", [20, 40, -4])
@pytest.mark.parametrize("packed", [gzip.compress, lambda content: zipped({"x": content})])
def test_a_damaged_archive_is_refused(packed, cut):
    with pytest.raises(DataError, match="damaged"):
        read_here(packed(CSV * 50)[:cut])


def test_an_archive_with_a_password_is_refused():
    content = bytearray(zipped({"x": CSV}))
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(sign) + place] |= 1
    with pytest.raises(DataError, match="password"):
        read_here(bytes(content))


def tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("x"))
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (zipped({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}), "Word"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "OpenDocument"),
        (zipped({"[Content_Types].xml": "<x/>", "xl/nothing.xml": "<x/>"}), "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "damaged or of another kind"),
        (bz2.compress(CSV), "bzip2"), (tar(), "tar"), (b"\x80\x04\x95\x00", "pickle"), (b"OggS\0\2", "media"),
    ],
)  # fmt: skip
def test_other_files_are_refused_with_their_kind(content, word):
    with pytest.raises(DataError, match=word):
        read_here(content)


@pytest.mark.parametrize("header", ["PAR1,PAR2", "ID3,ID4", "MZ,x", "RDX,b", "GIF8,b", "BZh,b", "PK,b", "Obj,b"])
def test_a_column_named_like_a_signature_is_read(header):
    assert list(read_here(f"{header}\n1,2\n3,4\n".encode()).frame.columns) == header.split(",")


@pytest.mark.parametrize(
    ("name", "content"),
    [("t.tsv", CSV.replace(b",", b"\t")), ("t.csv.gz", gzip.compress(CSV, mtime=0)), ("t.zip", zipped({"x.csv": CSV})),
     ("t.xlsx", workbook({"S": [["a", "class"], [1, "x"], [2, "y"], [3, "x"], [4, "y"]]})),
     ("t.arff", ARFF.replace("?", "9").encode()),
     ("t.parquet", as_parquet(pa.table({"a": [1, 2, 3, 4], "class": ["x", "y"] * 2}))), ("t", CSV)],
)  # fmt: skip
def test_every_format_is_read_by_its_path_whatever_its_name(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    dataset = read_csv(path, target="class")
    assert dataset.name == "t"
    assert len(dataset.frame) == 4
