"""Hostile text: line ends, quotes, separators, too little and too much of everything."""

import codecs

from tests.hostile.catalogue import csv_of, either, reads, refused

# Nothing in it.


@refused("empty")
def nothing():
    return b""


@refused("empty")
def only_newlines():
    return b"\n\r\n" * 500_000


@refused("empty")
def only_spaces():
    return b" \t" * 1_000_000


@refused("empty")
def only_a_mark():
    return codecs.BOM_UTF8


@refused("empty")
def only_marks_and_newlines():
    return codecs.BOM_UTF8 + b"\n\n\n"


@refused("binary|empty|UTF-16")
def only_a_utf_16_mark():
    return codecs.BOM_UTF16_LE


@refused("no data rows")
def header_only():
    return b"a,b,class\n"


@refused("no data rows|no column|column")
def one_letter():
    return b"x"


@refused("column")
def only_separators():
    return b",,,,\n" * 50


# NUL and other control bytes.


@refused("binary")
def nul_bytes():
    return csv_of().replace(b"3.5", b"3\x00.5")


@refused("binary")
def only_nul_bytes():
    return bytes(1_000_000)


@refused("binary")
def control_bytes():
    return csv_of().replace(b".5", b"\x01\x02\x1b")


@either()
def one_escape_byte():
    return csv_of(["red", "\x1b[2Jblue"])


# Quotes.


@refused("quot|no data rows")
def a_lone_quote():
    return b'"'


@refused("quot|cell|line|column|row")
def a_quote_left_open_at_the_end():
    return csv_of() + b'1,2,"y\n'


@refused("quot|long")
def a_quote_left_open_deep_in_the_file():
    return csv_of(rows=50_000) + b'"1,2,y\n' + csv_of(rows=50_000).split(b"\n", 1)[1]


@reads("a", "b", "class")
def quotes_inside_cells_without_quotes():
    return csv_of(['5" pipe', '7" pipe', 'the "big" one'])


@reads("a", "b", "class")
def separators_and_newlines_in_quotes():
    return csv_of(['"red;, and\nblue"', '"red;;;;, or\r\nblue"'])


@either()
def a_million_quotes():
    return b"a,b,class\n" + b'"' * 1_000_000 + b",1,y\n"


@either()
def a_quote_at_each_cell_and_none_closed():
    return b'"a,"b,"class\n' + b'"1,"2,"y\n' * 40


@reads("a", "b", "class")
def quotes_doubled_in_quotes():
    return csv_of(['"say ""yes"""', '"""no"""'])


# Line ends.


@reads("a", "b", "class")
def lone_carriage_returns():
    return csv_of().replace(b"\n", b"\r")


@reads("a", "b", "class")
def all_line_ends_in_turn():
    lines = csv_of().split(b"\n")
    return b"".join(line + (b"\n", b"\r\n", b"\r")[k % 3] for k, line in enumerate(lines) if line)


@reads("a", "b", "class")
def line_ends_of_unicode_inside_cells():
    return csv_of(["red\u2028one", "blue\x85two", "green\u2029three"])


@either()
def lines_that_end_in_unicode_line_separators():
    return csv_of().decode().replace("\n", "\u2028").encode()


@either()
def form_feeds_and_vertical_tabs():
    return csv_of(["red\x0c", "\x0bblue"])


# Separators.


@refused("Line 20,003 has 4 cells")
def a_ragged_row_deep_in_the_file():
    return csv_of(rows=20_001) + b"1,2,3,y\n" + csv_of(rows=20_000).split(b"\n", 1)[1]


@refused("Lines? 2")
def rows_that_all_differ_in_length():
    return b"a,b,class\n" + b"".join(b"1," * k + b"y\n" for k in range(3, 200))


@reads("a", "b", "class")
def a_separator_at_the_end_of_each_line():
    return csv_of().replace(b"\n", b",\n")


@either()
def a_separator_at_the_end_of_each_data_row():
    head, rest = csv_of().split(b"\n", 1)
    return head + b"\n" + rest.replace(b"\n", b",\n")


@either()
def comment_lines():
    return b"# made by hand\n# with care\n" + csv_of() + b"# the end\n"


@either()
def a_hint_that_names_the_wrong_separator():
    return b"sep=;\n" + csv_of()


@either()
def a_hint_that_names_a_quote():
    return b'sep="\n' + csv_of()


@either()
def a_hint_and_nothing_else():
    return b"sep=;\n"


@refused("column|cells")
def separators_repeated_a_thousandfold():
    return (b"1" + b"," * 1000 + b"y\n") * 500


@either()
def tabs_semicolons_and_commas_in_turn():
    return b"a,b;c\td|class\n" + b"1,2;3\t4|y\n5;6,7|8\tn\n" * 20


@either()
def words_apart_by_spaces():
    return csv_of().replace(b",", b"   ")


# Too much.


@refused("Columns: 1,000,000")
def a_million_columns():
    return b",".join([b"a"] * 1_000_000) + b"\n" + b",".join([b"1"] * 1_000_000)


@refused("Columns|Line 2")
def a_million_columns_in_the_second_row_only():
    return b"a,b,class\n" + b"1," * 1_000_000 + b"y\n"


@refused("column")
def five_hundred_and_one_columns():
    return b",".join(b"c%d" % k for k in range(501)) + b"\n" + (b"1," * 500 + b"y\n") * 20


@refused("Rows")
def one_row_too_many():
    return b"a,class\n" + b"1,y\n2,n\n" * 100_000 + b"3,y\n"


@refused("Rows")
def two_million_short_rows():
    return b"1,y\n" * 2_000_000


@refused("long|megabytes|large")
def a_cell_of_15_megabytes():
    return b"a,b,class\n" + b"x" * 15_000_000 + b",1,y\n2,3,n\n"


@refused("long")
def a_quoted_cell_of_15_megabytes_of_newlines():
    return b'a,b,class\n"' + b"x\n" * 7_500_000 + b'",1,y\n2,3,n\n'


@either()
def a_cell_of_130_000_letters():
    return csv_of(["x" * 130_000, "short", "y" * 10])


@either()
def headers_of_100_000_letters():
    return csv_of(header=",".join(["a" * 100_000, "b" * 100_000, "class"]))


@refused("Megabytes")
def more_than_may_be_uploaded():
    return csv_of() + b"1,2,y\n" * 3_500_000


@either()
def fifteen_megabytes_of_newlines_and_a_table():
    return b"\n" * 15_000_000 + csv_of()
