"""Hostile text: line ends, quotes, separators, too little and too much of everything."""

import codecs

from tests.hostile.catalogue import csv_of, either, reads, refused


def all_line_ends_in_turn():
    lines = csv_of().split(b"\n")
    return b"".join(line + (b"\n", b"\r\n", b"\r")[k % 3] for k, line in enumerate(lines) if line)


def a_separator_at_the_end_of_each_data_row():
    head, rest = csv_of().split(b"\n", 1)
    return head + b"\n" + rest.replace(b"\n", b",\n")


FILES = {
    # Nothing in it.
    "nothing": refused(lambda: b"", "empty"),
    "only newlines": refused(lambda: b"\n\r\n" * 500_000, "empty"),
    "only spaces": refused(lambda: b" \t" * 1_000_000, "empty"),
    "only a mark": refused(lambda: codecs.BOM_UTF8, "empty"),
    "only marks and newlines": refused(lambda: codecs.BOM_UTF8 + b"\n\n\n", "empty"),
    "only a utf 16 mark": refused(lambda: codecs.BOM_UTF16_LE, "binary|empty|UTF-16"),
    "header only": refused(lambda: b"a,b,class\n", "no data rows"),
    "one letter": refused(lambda: b"x", "no data rows|no column|column"),
    "only separators": refused(lambda: b",,,,\n" * 50, "column"),
    # NUL and other control bytes.
    "nul bytes": refused(lambda: csv_of().replace(b"3.5", b"3\x00.5"), "binary"),
    "only nul bytes": refused(lambda: bytes(1_000_000), "binary"),
    "control bytes": refused(lambda: csv_of().replace(b".5", b"\x01\x02\x1b"), "binary"),
    "one escape byte": either(lambda: csv_of(["red", "\x1b[2Jblue"])),
    # Quotes.
    "a lone quote": refused(lambda: b'"', "quot|no data rows"),
    "a quote left open at the end": refused(lambda: csv_of() + b'1,2,"y\n', "quot|cell|line|column|row"),
    "a quote left open deep in the file": refused(
        lambda: csv_of(rows=50_000) + b'"1,2,y\n' + csv_of(rows=50_000).split(b"\n", 1)[1], "quot|long"
    ),
    "quotes inside cells without quotes": reads(lambda: csv_of(['5" pipe', '7" pipe', 'the "big" one']), "a", "b", "class"),
    "separators and newlines in quotes": reads(lambda: csv_of(['"red;, and\nblue"', '"red;;;;, or\r\nblue"']), "a", "b", "class"),
    "a million quotes": either(lambda: b"a,b,class\n" + b'"' * 1_000_000 + b",1,y\n"),
    "a quote at each cell and none closed": either(lambda: b'"a,"b,"class\n' + b'"1,"2,"y\n' * 40),
    "quotes doubled in quotes": reads(lambda: csv_of(['"say ""yes"""', '"""no"""']), "a", "b", "class"),
    # Line ends.
    "lone carriage returns": reads(lambda: csv_of().replace(b"\n", b"\r"), "a", "b", "class"),
    "all line ends in turn": reads(all_line_ends_in_turn, "a", "b", "class"),
    "line ends of unicode inside cells": reads(
        lambda: csv_of(["red\u2028one", "blue\x85two", "green\u2029three"]), "a", "b", "class"
    ),
    "lines that end in unicode line separators": either(lambda: csv_of().decode().replace("\n", "\u2028").encode()),
    "form feeds and vertical tabs": either(lambda: csv_of(["red\x0c", "\x0bblue"])),
    # Separators.
    "a ragged row deep in the file": refused(
        lambda: csv_of(rows=20_001) + b"1,2,3,y\n" + csv_of(rows=20_000).split(b"\n", 1)[1], "Line 20,003 has 4 cells"
    ),
    "rows that all differ in length": refused(
        lambda: b"a,b,class\n" + b"".join(b"1," * k + b"y\n" for k in range(3, 200)), "Lines? 2"
    ),
    "a separator at the end of each line": reads(lambda: csv_of().replace(b"\n", b",\n"), "a", "b", "class"),
    "a separator at the end of each data row": either(a_separator_at_the_end_of_each_data_row),
    "comment lines": either(lambda: b"# made by hand\n# with care\n" + csv_of() + b"# the end\n"),
    "a hint that names the wrong separator": either(lambda: b"sep=;\n" + csv_of()),
    "a hint that names a quote": either(lambda: b'sep="\n' + csv_of()),
    "a hint and nothing else": either(lambda: b"sep=;\n"),
    "separators repeated a thousandfold": refused(lambda: (b"1" + b"," * 1000 + b"y\n") * 500, "column|cells"),
    "tabs semicolons and commas in turn": either(lambda: b"a,b;c\td|class\n" + b"1,2;3\t4|y\n5;6,7|8\tn\n" * 20),
    "words apart by spaces": either(lambda: csv_of().replace(b",", b"   ")),
    # Too much.
    "a million columns": refused(
        lambda: b",".join([b"a"] * 1_000_000) + b"\n" + b",".join([b"1"] * 1_000_000), "Columns: 1,000,000", slow=True
    ),
    "a million columns in the second row only": refused(lambda: b"a,b,class\n" + b"1," * 1_000_000 + b"y\n", "Columns|Line 2"),
    "five hundred and one columns": refused(
        lambda: b",".join(b"c%d" % k for k in range(501)) + b"\n" + (b"1," * 500 + b"y\n") * 20, "column"
    ),
    "one row too many": refused(lambda: b"a,class\n" + b"1,y\n2,n\n" * 100_000 + b"3,y\n", "Rows"),
    "two million short rows": refused(lambda: b"1,y\n" * 2_000_000, "Rows", slow=True),
    "a cell of 15 megabytes": refused(lambda: b"a,b,class\n" + b"x" * 15_000_000 + b",1,y\n2,3,n\n", "long|megabytes|large"),
    "a quoted cell of 15 megabytes of newlines": refused(
        lambda: b'a,b,class\n"' + b"x\n" * 7_500_000 + b'",1,y\n2,3,n\n', "long"
    ),
    "a cell of 130 000 letters": either(lambda: csv_of(["x" * 130_000, "short", "y" * 10])),
    "headers of 100 000 letters": either(lambda: csv_of(header=",".join(["a" * 100_000, "b" * 100_000, "class"]))),
    "more than may be uploaded": refused(lambda: csv_of() + b"1,2,y\n" * 3_500_000, "Megabytes"),
    "fifteen megabytes of newlines and a table": either(lambda: b"\n" * 15_000_000 + csv_of()),
}
