"""Hypothesis strategies: bytes of any kind, tables almost as people write them, and other formats with bytes changed."""

import gzip
from collections.abc import Callable

from hypothesis import strategies as st

from tests.hostile.archives import zipped
from tests.hostile.catalogue import csv_of
from tests.hostile.sources import FILES

_NUMBERS = [
    "1e400", "-1e400", "nan", "inf", "0x10", "1_000", "1,234", "1.234,5", "1'234", "12 kg", "<5", "€ 3", "50 %", "−7",
    "9" * 30, "9" * 400, "1e-400", "00012", "1.2.3", "+", "-", ".", ",", "e5", "٣", "½", "1e5e5",
    "2020-01-01", "31.12.1999", "12/31/99", "25:61", "0000-00-00",
]  # fmt: skip
_MARKS = [
    ",", ";", "\t", "|", '"', '""', "'", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\ufeff", "\u200b", "\u202e",
    "\x00", "\x1b", "\\", "\\n", "#", "%", "=", "@", " ", "\u00a0", "sep=;\n", "# note\n", "🐈\u200d⬛", "é", "e\u0301", "ß",
    "\ud800", "<b>", "$x$", "=cmd()", ",,,,,,", '"""', "\n\n\n", "NA", "?", "yes", "True", "class", "id", "train", "test",
]  # fmt: skip
_LINES = {
    "plain": "size,colour,class\n" + "".join(f"{k}.5,{'red' if k % 3 else 'blue'},{'yn'[k % 2]}\n" for k in range(12)),
    "german": "Größe;Farbe;Klasse\n"
    + "".join(f"{k},5;{'rot' if k % 3 else 'blau'};{'ja' if k % 2 else 'nein'}\n" for k in range(12)),
    "quoted": '"a b","c,d","class"\r\n' + "".join(f'"{k}","x,""{k % 4}""\nz","{"yn"[k % 2]}"\r\n' for k in range(10)),
    "tabs": "id\tday\tamount\tclass\n" + "".join(f"{k}\t2020-01-{k + 1:02d}\t1,{k}34.5\t{k % 3}\n" for k in range(12)),
    "numbers": "".join(f"{k}.25|{k * k % 7}|{k % 2}\n" for k in range(12)),
    "missing": "a,b,c,class\n" + "".join(f"{k if k % 3 else '?'},{'NA' if k % 4 else k},,{'yn'[k % 2]}\n" for k in range(12)),
    "short": "a,b\n1,x\n2,y\n3,x\n4,y\n",
    "one column": "a\n1\n2\n1\n2\n",
}
_ENCODINGS = (
    "utf-8", "utf-8", "utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "gb18030", "shift_jis", "utf-7",
)  # fmt: skip

any_bytes = st.binary(max_size=300) | st.text(alphabet="01a,;\t|\n\r\"' .é\x00", max_size=200).map(str.encode)


@st.composite
def near_csv(draw: st.DrawFn) -> bytes:
    """A sound table after one to eight slips of the pen, in some encoding."""
    text = _LINES[draw(st.sampled_from(sorted(_LINES)))]
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.integers(1, 40)))
        text = draw(st.sampled_from(_SLIPS))(draw, text, at, until)
    return text.encode(draw(st.sampled_from(_ENCODINGS)), "replace" if draw(st.booleans()) else "ignore")


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """A file of another format, or a CSV in some encoding, with bytes changed, cut or repeated."""
    content = bytearray(draw(st.sampled_from(_formats()))())
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        until = at + draw(st.integers(1, 16))
        match draw(st.integers(0, 3)):
            case 0:
                content[at:until] = draw(st.binary(min_size=1, max_size=16))
            case 1:
                del content[at:until]
            case 2:
                content[at:at] = content[at:until]
            case _:
                del content[at:]
    return bytes(content)


def _formats() -> list[Callable[[], bytes]]:
    return [
        csv_of,
        lambda: csv_of().decode().encode("utf-16"),
        lambda: gzip.compress(csv_of(), mtime=0),
        lambda: zipped({"a.csv": csv_of()}),
        *(FILES[f"{kind} of a table"].make for kind in ("parquet", "workbook", "arff")),
    ]


def _insert(draw: st.DrawFn, text: str, at: int, until: int) -> str:
    return text[:at] + draw(st.sampled_from(_MARKS) | st.text(max_size=5)) + text[at:]


def _replace(draw: st.DrawFn, text: str, at: int, until: int) -> str:
    return text[:at] + draw(st.sampled_from(_NUMBERS)) + text[until:]


def _delete(draw: st.DrawFn, text: str, at: int, until: int) -> str:
    return text[:at] + text[until:]


def _repeat(draw: st.DrawFn, text: str, at: int, until: int) -> str:
    return text[:at] + text[at:until] * draw(st.sampled_from([2, 3, 50])) + text[until:]


def _exchange(draw: st.DrawFn, text: str, at: int, until: int) -> str:
    """One mark for another, everywhere."""
    return text.replace(draw(st.sampled_from(',;\t|"\n.y1')), draw(st.sampled_from(_MARKS)))


def _cell(draw: st.DrawFn, text: str, at: int, until: int) -> str:
    """A whole cell becomes another number, word or date."""
    start, end = text.rfind(",", 0, at) + 1, text.find(",", at)
    return text[:start] + draw(st.sampled_from(_NUMBERS + _MARKS)) + (text[end:] if end >= 0 else "")


_SLIPS = (_insert, _insert, _replace, _delete, _repeat, _exchange, _cell, _cell)
