"""The smallest .xlsx files that spreadsheets open, written part by part, so that the parts can also lie."""

import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from xml.sax.saxutils import escape

_SCHEMA = "http://schemas.openxmlformats.org"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
DATE, DURATION = 1, 2  # styles of cells whose number is a day, or days


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]], hidden: Collection[str] = ()) -> bytes:
    """A workbook of these sheets, each a list of rows; None is an empty cell, text is written inline. hidden: some of them."""
    return packed({name: sheet(rows) for name, rows in sheets.items()}, hidden=hidden)


def packed(
    sheets: Mapping[str, str | bytes], shared: str | bytes = "", hidden: Collection[str] = (), **parts: str | bytes
) -> bytes:
    """A workbook of these sheets' XML and of the shared strings' XML; ``parts``: further files, "/" written as "__"."""
    states = ['state="hidden"' if name in hidden else "" for name in sheets]
    entries = "".join(
        f'<sheet name="{escape(n)}" sheetId="{k}" {state} r:id="rId{k}"/>'
        for k, (n, state) in enumerate(zip(sheets, states, strict=True), 1)
    )
    links = "".join(_link(f"rId{k}", "worksheet", f"worksheets/sheet{k}.xml") for k in range(1, len(sheets) + 1))
    links += _link("rIdS", "styles", "styles.xml") + (_link("rIdT", "sharedStrings", "sharedStrings.xml") if shared else "")
    kinds = "".join(_kind(f"/xl/worksheets/sheet{k}.xml", "worksheet") for k in range(1, len(sheets) + 1))
    kinds += _kind("/xl/workbook.xml", "sheet.main") + _kind("/xl/styles.xml", "styles")
    kinds += _kind("/xl/sharedStrings.xml", "sharedStrings") if shared else ""
    files = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_SCHEMA}/package/2006/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{kinds}</Types>',
        "_rels/.rels": f"{_HEAD}{_links(_link('rId1', 'officeDocument', 'xl/workbook.xml'))}",
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_SCHEMA}/spreadsheetml/2006/main" xmlns:r="{_SCHEMA}/officeDocument/2006/'
        f'relationships"><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"{_HEAD}{_links(links)}",
        "xl/styles.xml": f'{_HEAD}<styleSheet xmlns="{_SCHEMA}/spreadsheetml/2006/main"><cellXfs count="3"><xf numFmtId="0"/>'
        '<xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="46" applyNumberFormat="1"/></cellXfs></styleSheet>',
        **{f"xl/worksheets/sheet{k}.xml": content for k, content in enumerate(sheets.values(), 1)},
        **({"xl/sharedStrings.xml": shared} if shared else {}),
        **{name.replace("__", "/"): content for name, content in parts.items()},
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def sheet(rows: Sequence[Sequence[object]], merged: Sequence[str] = ()) -> str:
    """The XML of a sheet. merged: ranges of cells such as A2:A4."""
    lines = (
        f'<row r="{r}">{"".join(_cell(f"{column_letters(c)}{r}", v) for c, v in enumerate(row, 1) if v is not None)}</row>'
        for r, row in enumerate(rows, 1)
    )
    ranges = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    after = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
    data = f"<sheetData>{''.join(lines)}</sheetData>"
    return f'{_HEAD}<worksheet xmlns="{_SCHEMA}/spreadsheetml/2006/main">{data}{after}</worksheet>'


def column_letters(position: int) -> str:
    """1 -> A, 26 -> Z, 27 -> AA."""
    letters = ""
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _cell(place: str, value: object) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    if isinstance(value, timedelta):
        return f'<c r="{place}" s="{DURATION}"><v>{value / timedelta(days=1)}</v></c>'
    if hasattr(value, "toordinal"):
        return f'<c r="{place}" s="{DATE}"><v>{value.toordinal() - 693594}</v></c>'  # days since 30 December 1899
    return f'<c r="{place}"><v>{value}</v></c>'


def _link(key: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{key}" Type="{_SCHEMA}/officeDocument/2006/relationships/{kind}" Target="{target}"/>'


def _links(links: str) -> str:
    return f'<Relationships xmlns="{_SCHEMA}/package/2006/relationships">{links}</Relationships>'


def _kind(part: str, kind: str) -> str:
    return f'<Override PartName="{part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
