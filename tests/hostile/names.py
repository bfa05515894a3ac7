"""Hostile column names: repeated, invisible, or with a meaning to browsers, spreadsheets, Markdown or Python."""

from tests.hostile.catalogue import csv_of, either, reads

FILES = {
    "a column called class twice": reads(lambda: csv_of(header="class,b,class", cells=["red", "blue"]), "class", "class (2)"),
    "names equal after stripping": reads(lambda: csv_of(header=" a,a\u00a0,class"), "a", "a (2)"),
    "one name five hundred times": either(
        lambda: b",".join([b"a"] * 500) + b"\n" + (b"1,2," * 249 + b"3,y\n" + b"2,1," * 249 + b"4,n\n") * 20, slow=True
    ),
    "no names five hundred times": either(
        lambda: b"," * 499 + b"\n" + (b"1,2," * 249 + b"3,y\n" + b"2,1," * 249 + b"4,n\n") * 20, slow=True
    ),
    "names that are already numbered": either(lambda: csv_of(header="a,a (2),a").replace(b"class", b"a")),
    "names that browsers and markdown would run": reads(
        lambda: csv_of(header="<img src=x onerror=alert(1)>,$x$,[x](javascript:alert(1))"),
        "<img src=x onerror=alert(1)>",
        "$x$",
        "[x](javascript:alert(1))",
    ),
    "names that spreadsheets would run": either(
        lambda: csv_of(["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3"], header="=cmd(),+b,@class")
    ),
    "names that run from right to left": either(
        lambda: csv_of(["\u202eevil", "\u2066x\u2069", "\u200ftxt"], header="\u202ea,\u2067b\u2069,\u200fclass")
    ),
    "names without width": either(lambda: csv_of(["\u200b", "\u200c", "\u2060\ufeff"], header="\u200b,\u200c\u200d,\u2060")),
    "names of emoji": reads(lambda: csv_of(["🔥", "💧", "e\u0301" * 50], header="🐈‍⬛,👩🏽‍🔬,class"), "🐈‍⬛", "👩🏽‍🔬", "class"),
    "names that python and json give a meaning": either(
        lambda: csv_of(["__class__", "{0.__init__}", "%s%n", "\\u0000", "null"], header="__class__,{b},%(class)s")
    ),
    "names with newlines": either(lambda: csv_of(["{k}.25"], header='"a\nTraceback (most recent call last):\n  File",b,class')),
    "cells with newlines and tracebacks": either(lambda: csv_of(['"Traceback\nValueError: x"', '"Error\r\n\r\nE"'])),
    "marks stacked on one letter": either(
        lambda: csv_of(["Z" + "\u0335\u0321" * 2_000, "a"], header="Z" + "\u0335" * 2_000 + ",b,class")
    ),
}
