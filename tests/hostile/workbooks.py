"""Hostile Excel workbooks: bombs in the sheet and in its strings, entities, far cells, and workbooks that are none."""

from tests.hostile.catalogue import csv_of, either, reads, refused
from tests.realworld.workbook import column_letters, packed, sheet, workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TOO_MUCH = "unpack|large|limit|Megabytes|MB|memory|long|Rows|Columns|rows|columns"
TABLE = [["a", "b", "class"], *([k, k % 7 + 0.5, "yn"[k % 2]] for k in range(24))]


def sheet_of(rows: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def strings_of(*items: str, before: str = "") -> str:
    return f'<?xml version="1.0"?>{before}<sst xmlns="{MAIN}">{"".join(f"<si><t>{item}</t></si>" for item in items)}</sst>'


def sheet_with_strings(rows: int = 24) -> str:
    """Cells that name the shared strings 0 to 4: a, class, y, n and a hostile one."""
    head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    return sheet_of(
        head
        + "".join(
            f'<row r="{r}"><c r="A{r}" t="s"><v>4</v></c><c r="B{r}" t="s"><v>{2 + r % 2}</v></c></row>' for r in range(2, rows)
        )
    )


def workbook_of_a_billion_laughs():
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    laughs = f'<!DOCTYPE sst [<!ENTITY l0 "ha">{entities}]>'
    return packed({"Sheet1": sheet_with_strings()}, strings_of("a", "class", "y", "n", "&l9;", before=laughs))


def workbook_that_names_a_file_of_the_server():
    outside = '<!DOCTYPE sst [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    return packed({"Sheet1": sheet_with_strings()}, strings_of("a", "class", "y", "n", "&f;", before=outside))


def workbook_of_16_384_columns():
    cells = "".join(f'<c r="{column_letters(c)}{{r}}"><v>{c}</v></c>' for c in range(1, 16_385))
    return packed({"Sheet1": sheet_of("".join(f'<row r="{r}">{cells.replace("{r}", str(r))}</row>' for r in range(1, 9)))})


def workbook_of_a_row_too_many():
    row = '<row><c><v>1</v></c><c t="inlineStr"><is><t>y</t></is></c></row>'
    return packed({"Sheet1": sheet_of(row * 200_002)})


def rows_of(inside: str, attributes: str, values=("",)) -> bytes:
    """A workbook whose first column holds these cells; {r}: the row, {}: one of the values in turn."""
    head = "".join(f'<c r="{c}1" t="str"><v>{n}</v></c>' for c, n in zip("ABC", ("a", "b", "class"), strict=True))
    rows = "".join(
        f'<row r="{r}"><c r="A{r}" {attributes}>{inside.format(values[r % len(values)], r=r)}</c><c r="B{r}"><v>{r % 7}</v></c>'
        f'<c r="C{r}" t="str"><v>{"yn"[r % 2]}</v></c></row>'
        for r in range(2, 40)
    )
    return packed({"Sheet1": sheet_of(f'<row r="1">{head}</row>{rows}')})


def workbook_with_bytes_changed():
    content = bytearray(workbook({"Sheet1": TABLE}))
    at = content.index(b"xl/worksheets/sheet1.xml") + 40
    content[at : at + 60] = b"\xff" * 60
    return bytes(content)


def workbook_with_a_password():
    name = "EncryptedPackage".encode("utf-16-le")
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + name + bytes(4_000)


def workbook_whose_rows_stand_backwards():
    rows = "".join(f'<row r="{r}"><c r="B{r}"><v>{r}</v></c><c r="A{r}"><v>{r % 2}</v></c></row>' for r in range(60, 0, -1))
    return packed({"Sheet1": sheet_of(rows)})


FILES = {
    "workbook of a table": reads(lambda: workbook({"Sheet1": TABLE}), "a", "b", "class"),
    "workbook with a sheet of 100 megabytes": refused(
        lambda: packed({"Sheet1": sheet_of('<row><c t="inlineStr"><is><t>y</t></is></c><c><v>1</v></c></row>' * 1_600_000)}),
        TOO_MUCH,
        slow=True,
    ),
    "workbook with a sheet of spaces": refused(
        lambda: packed({"Sheet1": sheet_of(" " * 100_000_000)}), TOO_MUCH + "|empty", slow=True
    ),
    "workbook with a huge shared string": refused(
        lambda: packed({"Sheet1": sheet_with_strings()}, strings_of("a", "class", "y", "n", "x" * 100_000_000)),
        TOO_MUCH,
        slow=True,
    ),
    # A string of 30,000 letters, stored once and named by 100,000 cells: 3 GB where it is written out.
    "workbook whose cells share a long string": refused(
        lambda: packed({"Sheet1": sheet_with_strings(100_000)}, strings_of("a", "class", "y", "n", "x" * 30_000)),
        TOO_MUCH,
        slow=True,
    ),
    "workbook of a billion laughs": either(workbook_of_a_billion_laughs),
    "workbook that names a file of the server": either(workbook_that_names_a_file_of_the_server),
    "workbook with one cell far away": either(
        lambda: packed(
            {"Sheet1": sheet_of('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')}
        )
    ),
    "workbook with a cell beyond all rows": either(
        lambda: packed({"Sheet1": sheet_of('<row r="4294967296"><c r="ZZZZZZ4294967296"><v>1</v></c></row>')}), slow=True
    ),
    "workbook that says it is vast": either(
        lambda: packed({"Sheet1": sheet(TABLE).replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')})
    ),
    "workbook of 16 384 columns": refused(workbook_of_16_384_columns, "Columns|columns"),
    "workbook of a row too many": refused(workbook_of_a_row_too_many, "Rows|rows", slow=True),
    "workbook whose cells name strings that are not there": either(
        lambda: packed({"Sheet1": sheet_with_strings()}, strings_of("a"))
    ),
    "workbook without its strings": either(lambda: packed({"Sheet1": sheet_with_strings()})),
    "workbook of formulas": either(lambda: rows_of("<f>WEBSERVICE(&quot;http://localhost/&quot;)</f><v>{r}</v>", "")),
    "workbook of errors": either(lambda: rows_of("<v>{}</v>", 't="e"', ("#DIV/0!", "#N/A", "#REF!", "#VALUE!"))),
    "workbook of days that never were": either(lambda: rows_of("<v>{}</v>", 's="1"', (-5, 1e300, 60, 2958466, 0.5))),
    "workbook of an empty sheet": refused(lambda: workbook({"Sheet1": []}), "empty|no |sheet"),
    "workbook without sheets": refused(lambda: packed({}), "sheet|empty|Excel|damaged|cannot"),
    "workbook of broken xml": refused(
        lambda: packed({"Sheet1": sheet(TABLE)[:400] + "<<<&&&"}), "Excel|damaged|cannot|sheet|zip|workbook|read"
    ),
    "workbook cut short": refused(lambda: workbook({"Sheet1": TABLE})[:-200], "Excel|damaged|cannot|sheet|zip|workbook|read"),
    "workbook with bytes changed": refused(workbook_with_bytes_changed, "Excel|damaged|cannot|sheet|zip|workbook|read"),
    "workbook with a password": refused(workbook_with_a_password, "password|protected|encrypted|Excel"),
    "workbook of a thousand sheets": either(lambda: workbook({f"Sheet{k}": [] for k in range(999)} | {"Data": TABLE})),
    "workbook of hostile names": either(
        lambda: workbook({"<b>=1</b>": [["<img src=x onerror=alert(1)>", "=cmd()", "class"], *TABLE[1:]]})
    ),
    "workbook whose rows stand backwards": either(workbook_whose_rows_stand_backwards),
    "table called a workbook": either(lambda: b"PK,b,class\n" + csv_of().split(b"\n", 1)[1]),
}
