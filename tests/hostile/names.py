"""Hostile column names: repeated, invisible, or with a meaning to browsers, spreadsheets, Markdown or Python."""

from tests.hostile.catalogue import csv_of, either, reads


@reads("class", "class (2)")
def a_column_called_class_twice():
    return csv_of(header="class,b,class", cells=["red", "blue"])


@reads("a", "a (2)")
def names_equal_after_stripping():
    return csv_of(header=" a,a\u00a0,class")


@either()
def one_name_five_hundred_times():
    return b",".join([b"a"] * 500) + b"\n" + (b"1,2," * 249 + b"3,y\n" + b"2,1," * 249 + b"4,n\n") * 20


@either()
def no_names_five_hundred_times():
    return b"," * 499 + b"\n" + (b"1,2," * 249 + b"3,y\n" + b"2,1," * 249 + b"4,n\n") * 20


@either()
def names_that_are_already_numbered():
    return csv_of(header="a,a (2),a").replace(b"class", b"a")


@reads("<img src=x onerror=alert(1)>", "$x$", "[x](javascript:alert(1))")
def names_that_browsers_and_markdown_would_run():
    return csv_of(header="<img src=x onerror=alert(1)>,$x$,[x](javascript:alert(1))")


@either()
def names_that_spreadsheets_would_run():
    return csv_of(["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3"], header="=cmd(),+b,@class")


@either()
def names_that_run_from_right_to_left():
    return csv_of(["\u202eevil", "\u2066x\u2069", "\u200ftxt"], header="\u202ea,\u2067b\u2069,\u200fclass")


@either()
def names_without_width():
    return csv_of(["\u200b", "\u200c", "\u2060\ufeff"], header="\u200b,\u200c\u200d,\u2060")


@reads("🐈‍⬛", "👩🏽‍🔬", "class")
def names_of_emoji():
    return csv_of(["🔥", "💧", "e\u0301" * 50], header="🐈‍⬛,👩🏽‍🔬,class")


@either()
def names_that_python_and_json_give_a_meaning():
    return csv_of(["__class__", "{0.__init__}", "%s%n", "\\u0000", "null"], header="__class__,{b},%(class)s")


@either()
def names_with_newlines():
    return csv_of(["{k}.25"], header='"a\nTraceback (most recent call last):\n  File",b,class')


@either()
def cells_with_newlines_and_tracebacks():
    return csv_of(['"Traceback\nValueError: x"', '"Error\r\n\r\nE"'])


@either()
def marks_stacked_on_one_letter():
    return csv_of(["Z" + "\u0335\u0321" * 2_000, "a"], header="Z" + "\u0335" * 2_000 + ",b,class")
