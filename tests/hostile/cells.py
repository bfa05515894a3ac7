"""Hostile tables: cells and targets that are sound CSV, and nothing else about them is."""

from tests.hostile.catalogue import csv_of, either, reads, refused


def more_columns_than_rows():
    rows = [[str((k * j + j) % 11) for k in range(400)] + ["yn"[j % 2]] for j in range(8)]
    return "\n".join(",".join(row) for row in [[f"f{k}" for k in range(400)] + ["class"], *rows]).encode()


FILES = {
    # Cells that take a bad pattern quadratic time.
    "very long numbers": either(lambda: csv_of(["1" * 100_000, "2" * 100_000])),
    "a number of five thousand digits a row": either(lambda: csv_of(["9" * 5_000 + "{k}"])),
    "numbers that are nothing but zeros": either(lambda: csv_of(["0" * 100_000 + "{k}", "0." + "0" * 100_000 + "{k}"])),
    "thousands separators without end": either(lambda: csv_of(['"' + "1," * 50_000 + '"', '"' + "1,000" * 20_000 + '"'])),
    "separators without numbers": either(lambda: csv_of(['",,,,"', '"' + "," * 100_000 + '"', '"' + ".,'" * 30_000 + '"'])),
    "units without end": either(lambda: csv_of(["1" + "kg" * 50_000, "1" + " " * 100_000 + "kg", "<" * 100_000])),
    "dates without end": either(lambda: csv_of(["1-" * 50_000, "2020-01-01 " * 10_000, "Jan" * 30_000, ":" * 100_000])),
    "exponents without end": either(lambda: csv_of(["1" + "e1" * 50_000, "1e" + "9" * 50_000, "1e+-" * 30_000])),
    "spaces without end": either(lambda: csv_of([" " * 100_000 + "{k}", "{k}" + " " * 100_000, "{k}" + "\u00a0" * 30_000])),
    "apostrophes and dashes without end": either(lambda: csv_of(["'" * 100_000, "-" * 100_000, "=" * 100_000, "'=" * 50_000])),
    # Numbers at and beyond the edge.
    "a number too large for a float": reads(lambda: csv_of(["1e400", "-1e400", "{k}.5", "{k}.25", "{k}"]), "b", "class"),
    "infinity and nothing in words": reads(lambda: csv_of(["inf", "-Infinity", "NaN", "{k}.5"]), "b", "class"),
    "whole numbers beyond 64 bits": reads(
        lambda: csv_of(["18446744073709551616", "-9223372036854775809", "99999999999999999999999999", "{k}"]), "b", "class"
    ),
    "the sixteen bytes and more that crashed a reader": reads(
        lambda: csv_of(["4e492493924924", "4e49249392492{k}"]), "b", "class"
    ),
    "the sixteen bytes alone": either(lambda: b"h\n4e492493924924"),
    "a line of digits that crashed a reader": either(
        lambda: (
            b"00000000895e440025563900000000000000000000000000f7b3a602c4540000e0b20300bebd510000000000011001040170010c0000000000"
        )
    ),
    "underscores hexadecimal and other spellings": reads(
        lambda: csv_of(["1_000", "0x10", "0b1", "0o7", "1e5", "１２", "٣", "½", "Ⅷ"]), "a", "b", "class"
    ),
    "the smallest and largest floats": either(
        lambda: csv_of(["5e-324", "1.7976931348623157e308", "-1.7976931348623157e308", "1e-400", "-0.0"])
    ),
    "exponents of many digits": either(lambda: csv_of(["1e999999999", "1e-999999999", "0e99999999999"])),
    "minus signs of all kinds": reads(lambda: csv_of(["−{k}", "-{k}", "–{k}", "﹣{k}", "+{k}"]), "b", "class"),
    # Dates.
    "dates of the years 0 and 9999999": either(
        lambda: csv_of(["0000-00-00", "9999999-12-31", "-4712-01-01", "0000-01-01", "9999-12-31"])
    ),
    "days that never were": either(lambda: csv_of(["2021-02-30", "31.04.2020", "2020-13-01", "24:61:99"])),
    "timestamps beyond nanoseconds": either(
        lambda: csv_of(["1600-01-01T00:00:00", "2300-01-01T00:00:00", "2020-01-01T00:00:00.{k}"])
    ),
    "unix times beyond 64 bits": either(lambda: csv_of(["9223372036854775807", "9223372036854775808", "253402300800000000{k}"])),
    "times with zones of all kinds": either(
        lambda: csv_of(["2020-01-0{k}T10:00:00Z", "2020-01-01T10:00:00+99:99", "2020-01-01 10:00 Europe/Nowhere", "now", "today"])
    ),
    # Gaps.
    "all cells missing": refused(lambda: b"a,b,class\n" + b"?,NA,\n" * 40, "column|empty|missing"),
    "a target without a single value": refused(
        lambda: b"a,b,class\n" + b"".join(b"%d,%d,\n" % (k, k % 7) for k in range(40)), "empty|missing", target="class"
    ),
    "a column without a single value": reads(lambda: csv_of(["", "NA", "?"]), "b", "class"),
    "gaps in every row": either(
        lambda: b"a,b,class\n" + b"".join((b"%d,,x\n", b",%d,y\n", b"?,%d,y\n")[k % 3] % k for k in range(60))
    ),
    # Targets.
    "one class": refused(lambda: csv_of().replace(b",n\n", b",y\n"), "single class"),
    "one row": refused(lambda: csv_of(rows=1), "row|class"),
    "two rows of one class each": refused(lambda: csv_of(rows=2), "row|class"),
    "a target of 200 000 values": refused(
        lambda: b"a,class\n" + b"".join(b"%d,v%d\n" % (k % 9, k) for k in range(200_000)), "class|value", slow=True
    ),
    "a target of a million values": refused(
        lambda: b"a,class\n" + b"".join(b"%d,v%d\n" % (k % 9, k) for k in range(1_000_000)), "Rows", slow=True
    ),
    "five hundred classes": refused(
        lambda: b"a,class\n" + b"".join(b"%d,v%d\n" % (k % 9, k % 500) for k in range(1_500)), "classes|values", target="class"
    ),
    "a target of measurements": refused(
        lambda: b"a,class\n" + b"".join(b"%d,%d.%d\n" % (k % 9, k, k * k % 97) for k in range(300)),
        "number|regression|range",
        target="class",
    ),
    "a target of dates": either(
        lambda: b"a,class\n" + b"".join(b"%d,2020-%02d-%02d\n" % (k % 9, k % 12 + 1, k % 28 + 1) for k in range(300))
    ),
    "classes that differ by case and spaces": either(
        lambda: csv_of().replace(b",y\n", b", Y \n", 3).replace(b",n\n", b",N\n", 2)
    ),
    "classes of one row each beside a large one": either(
        lambda: csv_of(rows=100).replace(b",n\n", b",y\n") + b"".join(b"1,2,rare %d\n" % k for k in range(60))
    ),
    "more columns than rows": reads(more_columns_than_rows, "class", slow=True),
    "a feature of 200 000 texts": either(
        lambda: b"a,b,class\n" + b"".join(b"text %d,%d,%s\n" % (k, k % 13, b"yn"[k % 2 : k % 2 + 1]) for k in range(199_000)),
        slow=True,
    ),
    "features that are all constant": refused(lambda: b"a,b,class\n" + b"1,x,y\n1,x,n\n" * 20, "column|feature"),
}
