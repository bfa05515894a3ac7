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

from tests.data.reading.cases import Case, check, check_refusal
from tests.data.reading.in_process import read_here
from tests.realworld.workbook import packed, sheet, workbook
from tsk_core.data import read_csv
from tsk_core.errors import LimitError

CSV = b"a,b,class\n1,5,x\n2,6,y\n3,7,x\n4,8,y\n"
TABLE = [["a", "colour", "class"], [1, "red", "x"], [2.5, "blue", "y"], [None, "red", "x"]]
CELLS = {"a": [1, 2.5, None], "colour": ["red", "blue", "red"], "class": ["x", "y", "x"]}
MORE = [["u", "v"], [1, 2]]
BODY = [[1, 170.5, 60, "x"], [2, 160, 70, "y"], [3, 180, 80, "x"]]


def zipped(files, **options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def in_zip(content):
    return zipped({"folder/my table.csv": content})


def as_parquet(table, **options):
    out = io.BytesIO()
    parquet.write_table(table if isinstance(table, pa.Table) else pa.table(table), out, **options)
    return out.getvalue()


def arff(attributes, rows):
    return "".join(["@relation r\n", *(f"@attribute {one}\n" for one in attributes.split("; ")), "@data\n", rows])


def with_password():
    content = bytearray(zipped({"x": CSV}))
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(sign) + place] |= 1
    return bytes(content)


def tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("x"))
    return out.getvalue()


def opendocument():
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
    kind = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": "<m/>"}
    return zipped(kind | {"content.xml": content})


IRIS = """% Iris, shortened
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
MERGED = [["Survey", None, None], ["patient", "value", "class"], ["p1", 1, "x"], [None, 2, None], [None, 3, None], ["p2", 4, "y"]]
HOURS = [2.5, 20, 24, 30.25]
HIDDEN = workbook({"Lists": [["unit"], ["kg"]], "Data": [["a", "class"], [1, "x"], [2, "y"]]}, hidden=["Lists"])
NESTED = {
    "a": [1, 2], "lists": [[1], [2]], "records": [{"x": 1, "y": 2}] * 2, "b": pa.array(["x", "y"]).dictionary_encode(),
    "when": pa.array([0, 1], pa.timestamp("ns", "UTC")), "money": pa.array([1, 2], pa.decimal128(5, 2)), "bytes": [b"a", b"b"],
    "flag": [True, None], "z": ["u", "v"], "maps": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int8())), "last": [1, 2],
}  # fmt: skip
FAR, NEAR = 10**15, 10**9  # seconds since 1970: in microseconds, the former are more than 64 bits hold
BEYOND = {
    "when": pa.array([FAR, NEAR, -FAR], pa.timestamp("s", "UTC")),
    "day": pa.array([2**31 - 1, 0, None], pa.int32()).cast(pa.date32()), "length": pa.array([FAR, 60, None], pa.duration("s")),
}  # fmt: skip
TIERS = pd.DataFrame({"tier": pd.Categorical(["Gold", "Bronze", None, "Silver"], ["Bronze", "Silver", "Gold"], ordered=True),
                      "text": pd.Categorical(["1 kg", "2 kg"] * 2)})  # fmt: skip

CASES = {
    # Workbooks.
    "a workbook": Case(workbook({"Data": TABLE}), TABLE[0], CELLS, kind="Excel",
                       said=["Read as an Excel workbook, sheet 'Data'."],
                       options={"header": True, "sheet": "Data", "delimiter": None, "encoding": None}),
    "whole numbers": Case(workbook({"S": [["n", "mixed", "class"], [1, 2000, "x"], [2, "many", "y"]]}),
                          cells={"n": [1, 2], "mixed": ["2000", "many"]}),
    "days": Case(workbook({"S": [["day", "class"], [date(2020, 1, 31), "x"], [date(2021, 2, 1), "y"]]}),
                 cells={"day": [datetime(2020, 1, 31), datetime(2021, 2, 1)]}),
    "durations, some of them shorter than a day": Case(
        workbook({"S": [["dur", "class"], *([timedelta(hours=h), "xy"[k % 2]] for k, h in enumerate(HOURS))]}),
        cells={"dur": [pd.Timedelta(hours=h) for h in HOURS]}, roles={"dur": "number"}),
    "a title": Case(workbook({"S": [["Sales 2024"], [], *TABLE]}), TABLE[0],
                    said=["Left out 1 line above the table: 'Sales 2024'."]),
    "merged cells": Case(packed({"S": sheet(MERGED, ["A1:C1", "A3:A5", "C3:C5"])}),
                         cells={"patient": ["p1", "p1", "p1", "p2"], "value": [1, 2, 3, 4], "class": ["x", "x", "x", "y"]},
                         said=["4 cells got the value of their merged cell"]),
    "names of groups above the names": Case(
        packed({"S": sheet([["who", "measured", None, None], ["id", "height", "weight", "class"], *BODY], ["B1:C1"])}),
        ["id", "height", "weight", "class"], rows=3, said=["Left out 1 line above the table: 'who' and 'measured'."]),
    "names in two rows": Case(packed({"S": sheet([["id", "measured", None, "class"], [None, "height", "weight", None], *BODY],
                                                 ["A1:A2", "B1:C1", "D1:D2"])}), ["id", "height", "weight", "class"], rows=3),
    "numbers only": Case(workbook({"S": [[1, 2], [3, 4], [5, 6]]}), ["column 1", "column 2"], rows=3),
    **{f"the largest of {list(sheets)}": Case(workbook(sheets), TABLE[0], rows=3, said=["'Data' is read", f"be chosen: {others}"])
       for others, sheets in (
           ("'Notes' and 'More'", {"Notes": [], "Data": TABLE, "More": MORE}),
           ("'Cover'", {"Cover": [["Of 2024"]], "Data": TABLE}),
           ("'Key'", {"Key": [["code", "what"], ["1", "once"], ["2", "twice"]], "Data": TABLE}),
           ("'Grid'", {"Grid": [[k % 3, k, 7] for k in range(9)], "Data": TABLE}))},
    "lines around a sheet's table": Case(
        workbook({"S": [["Box:", "Ulm", None], TABLE[0], ["kg", None, None], *TABLE[1:], TABLE[0], *TABLE[1:], ["Source: Ulm"]]}),
        TABLE[0], {"a": CELLS["a"] * 2},
        said=["above the table", "between the names", "repeats the names", "below the table, line 11"]),
    "a transposed sheet": Case(workbook({"S": [["n", 3, 2.5, 1], ["class", "x", "y", "x"]]}), cells={"n": [3, 2.5, 1]}),
    "after a hidden sheet": Case(HIDDEN, ["a", "class"], options={"sheet": "Data"}),
    "a hidden sheet that is chosen": Case(HIDDEN, cells={"unit": ["kg"]}, given={"sheet": "Lists"}),
    "another sheet": Case(workbook({"Data": TABLE, "More": MORE}), ["u", "v"], given={"sheet": "More"}),
    "an OpenDocument sheet": Case(opendocument(), kind="OpenDocument", cells={0: [0, 1, 2], 2: ["x", "y", "x"]}),
    # ARFF. As Weka writes it: escapes within quotes, comments behind a type and among the rows, no space before the categories.
    "ARFF": Case(IRIS, ["petal length", "count", "note", "day", "class"], kind="ARFF", target="class",
                 said=["Read as an ARFF file"],
                 cells={"count": [3, 4, 5, 6], "petal length": [1.5, None, 2.5, 3], "note": ["it, was", "plain", None, "x"],
                        "class": ["Iris setosa", "virginica", "virginica", "Iris setosa"]}),
    "ARFF of Weka": Case(arff("p{u,v}; y {'< 50\\%','>= 50\\%'} % the share; s string",
                              "% don't sort\nu,'< 50\\%','high, dose'\nv,'>= 50%','C:\\\\tmp'\n"),
                         cells={"p": ["u", "v"], "y": ["< 50%", ">= 50%"], "s": ["high, dose", "C:\\tmp"]}),
    "quotation marks in ARFF": Case(arff("a {'driver\\'s, car',x}; b string", "'driver\\'s, car','\\\"q\\\"'\nx,y\n"),
                                    cells={"a": ["driver's, car", "x"], "b": ['"q"', "y"]}),
    "the only nominal attribute": Case(arff("V {0,1}; F1 integer; F2 integer",
                                            "".join(f"{k % 2},{k},{k % 3}\n" for k in range(20))), target="V"),
    "the last nominal attribute": Case(arff("V {0,1}; F1 integer; F2 {0,1,2}",
                                            "".join(f"{k % 2},{k},{k % 3}\n" for k in range(20))), target="F2"),
    # Parquet.
    "Parquet without its nested columns": Case(
        as_parquet(NESTED), ["a", "b", "when", "money", "flag", "z", "last"], kind="Parquet",
        cells={"z": ["u", "v"], "money": [1.0, 2.0], "flag": ["True", None], "last": [1, 2]},
        said=["'lists', 'records', 'bytes' and 'maps'"], options={"header": None, "encoding": None}),
    "a name twice": Case(as_parquet(pa.Table.from_arrays([pa.array([1, 2]), pa.array([3, 4])], ["a", "a"])),
                         cells={0: [1, 2], 1: [3, 4]}),
    "days beyond the year 9999": Case(as_parquet(BEYOND), cells={0: [None, pd.Timestamp(NEAR, unit="s"), None]}, said=[
        "Column 'when': 2 cells are outside the years 1 to 9999. Counted as missing.",
        "Column 'day': 1 cell is outside the years 1 to 9999. Counted as missing.",
        "Column 'length': 1 cell is beyond 100 million days. Counted as missing."]),
    "row numbers of pandas": Case(as_parquet(pa.Table.from_pandas(pd.DataFrame({"a": [1, 2, 3]}).iloc[[0, 2]])), ["a"]),
    # Archives, and columns that are called like the first bytes of another file.
    **{f"{kind} in {pack.__name__}": Case(pack(inner), kind=kind, said=["npacked"], cells={"class": classes})
       for pack in (gzip.compress, in_zip)
       for kind, inner, classes in (
           ("CSV", CSV, ["x", "y", "x", "y"]), ("Excel", workbook({"S": TABLE}), CELLS["class"]),
           ("ARFF", arff("a numeric; class {x,y}", "1,x\n2,y\n").encode(), ["x", "y"]),
           ("Parquet", as_parquet({"a": [1, 2], "class": ["x", "y"]}), ["x", "y"]))},
    "ZIP of macOS": Case(zipped({"my.csv": CSV, "__MACOSX/._my.csv": b"\0", ".DS_Store": b"\0", "folder/": b""}), rows=4,
                         said=["Unpacked 'my.csv' from a ZIP archive."]),
    **{f"names {names}": Case(f"{names}\n1,2\n3,4\n", names.split(","))
       for names in ("PAR1,PAR2", "ID3,ID4", "MZ,x", "RDX,b", "GIF8,b", "BZh,b", "PK,b", "Obj,b")},
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_read_by_what_is_in_it(name):
    check(CASES[name])


REFUSED = {
    "an empty workbook": (workbook({"S": []}), "empty"), "a sheet of names": (workbook({"S": [["a", "b"]]}), "no data rows"),
    "a cover page alone": (workbook({"Cover": [["Measurements of 2024"]], "Empty": []}),
                           "The sheet 'Cover' has a header row and no data rows"),
    "no attributes": ("@relation r\n@data\n1\n", "no attributes"),
    "no data": ("@relation r\n@attribute a numeric\n", "no line @data"),
    "no type": (arff("a", "1\n"), "Line 2"), "relational": (arff("a relational", "1\n"), "relational"),
    "a ragged row": (arff("a numeric; b numeric", "1,2\n1\n"), "Line 6 has 1 cell"),
    "attributes too few": (arff("a numeric", "1,2\n3,4\n"), "have 2 cells, but it declares 1 attributes"),
    "a word": (arff("a numeric", "many\n"), "not a number"), "sparse": (arff("a numeric", "{0 1}\n"), "sparse"),
    "ARFF without rows": (arff("a numeric", ""), "no data rows"),
    "the start of Parquet": (b"PAR1\x15", "Parquet"), "cut Parquet": (as_parquet({"a": [1]})[:-20], "Parquet"),
    "Parquet without rows": (as_parquet({"a": pa.array([], pa.int64())}), "Parquet"),
    "two tables": (zipped({"a.csv": CSV, "b.csv": CSV}), "contains 2 files ('a.csv' and 'b.csv')"),
    "an empty ZIP": (zipped({}), "contains no file"), "a folder": (zipped({"folder/": b""}), "contains no file"),
    **{f"{one.__name__} in {two.__name__}": (two(one(CSV)), "another archive")
       for one in (gzip.compress, in_zip) for two in (gzip.compress, in_zip)},
    **{f"{pack.__name__} cut at {cut}": (pack(CSV * 50)[:cut], "damaged")
       for pack in (gzip.compress, lambda content: zipped({"x": content})) for cut in (20, 40, -4)},
    "a password": (with_password(), "password"),
    "Word": (zipped({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}), "Word"),
    "OpenDocument text": (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "OpenDocument"),
    "a workbook without one": (zipped({"[Content_Types].xml": "<x/>", "xl/nothing.xml": "<x/>"}), "damaged"),
    "zeros of an old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "damaged or of another kind"),
    "bzip2": (bz2.compress(CSV), "bzip2"), "tar": (tar(), "tar"), "pickle": (b"\x80\x04\x95\x00", "pickle"),
    "ogg": (b"OggS\0\2", "media"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_cannot_be_read_is_refused_with_its_kind_and_line(kind):
    check_refusal(*REFUSED[kind])


def test_a_sheet_that_is_not_there_is_refused():
    check_refusal(workbook({"A": TABLE, "B": MORE}), "There is no sheet 'Gone'; the sheets are 'A' and 'B'", sheet="Gone")


def test_ranges_of_merged_cells_may_overlap_and_lie_outside():
    ranges = [f"A3:A{last}" for last in range(4, 60_000)] + ["ZZ1:ZZ9", "XFD1:XFD1048576"]
    assert read_here(packed({"S": sheet(MERGED, ranges)})).frame["patient"].tolist()[:2] == ["p1", "p1"]


def test_declared_categories_keep_their_order_and_stay_categories():
    raw = read_here(arff("size {low,medium,high}; n {1,2}", "high,1\nlow,2\nother,1\n").encode()).frame
    assert list(raw["size"].cat.categories) == ["low", "medium", "high", "other"]
    assert list(raw["n"].cat.categories) == ["1", "2"]
    tiers = read_here(as_parquet(pa.Table.from_pandas(TIERS))).frame
    assert tiers["tier"].cat.ordered and list(tiers["tier"].cat.categories) == ["Bronze", "Silver", "Gold"]
    assert tiers["tier"].cat.codes.tolist() == [2, 0, -1, 1]
    assert not isinstance(tiers["text"].dtype, pd.CategoricalDtype)


@pytest.mark.parametrize(
    ("variable", "limit", "small", "large", "said"),
    [
        ("TSK_MAX_ROWS", 4, CSV, CSV + b"5,9,x\n", "Rows"),
        ("TSK_MAX_ROWS", 3, workbook({"S": TABLE}), workbook({"S": [*TABLE, [1, "red", "x"]]}), "Rows: 4"),
        ("TSK_MAX_ROWS", 1000, as_parquet({"a": range(1000)}), as_parquet({"a": range(1001)}), "Rows: 1,001"),
        ("TSK_MAX_UNPACKED_MB", 1, in_zip(CSV * 10), in_zip(CSV * 60_000), "when unpacked"),
        ("TSK_MAX_UNPACKED_MB", 1, gzip.compress(CSV * 10, mtime=0), gzip.compress(CSV * 60_000, mtime=0), "when unpacked"),
        ("TSK_MAX_UNPACKED_MB", 1, workbook({"S": TABLE}), workbook({"S": [["x" * 1000] * 100] * 20}), "when unpacked"),
    ],
)
def test_a_file_is_bounded_before_and_while_it_is_unpacked(monkeypatch, variable, limit, small, large, said):
    monkeypatch.setenv(variable, str(limit))
    read_here(small)
    with pytest.raises(LimitError, match=said):
        read_here(large)


@pytest.mark.parametrize(
    ("name", "content"),
    [("t.tsv", CSV.replace(b",", b"\t")), ("t.zip", zipped({"x.csv": CSV})),
     ("t.xlsx", workbook({"S": [["a", "class"], [1, "x"], [2, "y"], [3, "x"], [4, "y"]]})),
     ("t.parquet", as_parquet({"a": [1, 2, 3, 4], "class": ["x", "y"] * 2})), ("t", CSV)],
)  # fmt: skip
def test_every_format_is_read_by_its_path_whatever_its_name(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    dataset = read_csv(path, target="class")
    assert (dataset.name, len(dataset.frame)) == ("t", 4)
