"""Hostile tables: cells and targets that are sound CSV, and nothing else about them is."""

from tests.hostile.catalogue import csv_of, either, reads, refused

# Cells that take a bad pattern quadratic time.


@either()
def very_long_numbers():
    return csv_of(["1" * 100_000, "2" * 100_000])


@either()
def a_number_of_five_thousand_digits_a_row():
    return csv_of(["9" * 5_000 + "{k}"])


@either()
def numbers_that_are_nothing_but_zeros():
    return csv_of(["0" * 100_000 + "{k}", "0." + "0" * 100_000 + "{k}"])


@either()
def thousands_separators_without_end():
    return csv_of(['"' + "1," * 50_000 + '"', '"' + "1,000" * 20_000 + '"'])


@either()
def separators_without_numbers():
    return csv_of(['",,,,"', '"' + "," * 100_000 + '"', '"' + ".,'" * 30_000 + '"'])


@either()
def units_without_end():
    return csv_of(["1" + "kg" * 50_000, "1" + " " * 100_000 + "kg", "<" * 100_000])


@either()
def dates_without_end():
    return csv_of(["1-" * 50_000, "2020-01-01 " * 10_000, "Jan" * 30_000, ":" * 100_000])


@either()
def exponents_without_end():
    return csv_of(["1" + "e1" * 50_000, "1e" + "9" * 50_000, "1e+-" * 30_000])


@either()
def spaces_without_end():
    return csv_of([" " * 100_000 + "{k}", "{k}" + " " * 100_000, "{k}" + "\u00a0" * 30_000])


@either()
def apostrophes_and_dashes_without_end():
    return csv_of(["'" * 100_000, "-" * 100_000, "=" * 100_000, "'=" * 50_000])


# Numbers at and beyond the edge.


@reads("b", "class")
def a_number_too_large_for_a_float():
    return csv_of(["1e400", "-1e400", "{k}.5", "{k}.25", "{k}"])


@reads("b", "class")
def infinity_and_nothing_in_words():
    return csv_of(["inf", "-Infinity", "NaN", "{k}.5"])


@reads("b", "class")
def whole_numbers_beyond_64_bits():
    return csv_of(["18446744073709551616", "-9223372036854775809", "99999999999999999999999999", "{k}"])


@reads("b", "class")
def the_sixteen_bytes_and_more_that_crashed_a_reader():
    return csv_of(["4e492493924924", "4e49249392492{k}"])


@either()
def the_sixteen_bytes_alone():
    return b"h\n4e492493924924"


@either()
def a_line_of_digits_that_crashed_a_reader():
    return b"00000000895e440025563900000000000000000000000000f7b3a602c4540000e0b20300bebd510000000000011001040170010c0000000000"


@reads("a", "b", "class")
def underscores_hexadecimal_and_other_spellings():
    return csv_of(["1_000", "0x10", "0b1", "0o7", "1e5", "１２", "٣", "½", "Ⅷ"])


@either()
def the_smallest_and_largest_floats():
    return csv_of(["5e-324", "1.7976931348623157e308", "-1.7976931348623157e308", "1e-400", "-0.0"])


@either()
def exponents_of_many_digits():
    return csv_of(["1e999999999", "1e-999999999", "0e99999999999"])


@reads("b", "class")
def minus_signs_of_all_kinds():
    return csv_of(["−{k}", "-{k}", "–{k}", "﹣{k}", "+{k}"])


# Dates.


@either()
def dates_of_the_years_0_and_9999999():
    return csv_of(["0000-00-00", "9999999-12-31", "-4712-01-01", "0000-01-01", "9999-12-31"])


@either()
def days_that_never_were():
    return csv_of(["2021-02-30", "31.04.2020", "2020-13-01", "24:61:99"])


@either()
def timestamps_beyond_nanoseconds():
    return csv_of(["1600-01-01T00:00:00", "2300-01-01T00:00:00", "2020-01-01T00:00:00.{k}"])


@either()
def unix_times_beyond_64_bits():
    return csv_of(["9223372036854775807", "9223372036854775808", "253402300800000000{k}"])


@either()
def times_with_zones_of_all_kinds():
    return csv_of(["2020-01-0{k}T10:00:00Z", "2020-01-01T10:00:00+99:99", "2020-01-01 10:00 Europe/Nowhere", "now", "today"])


# Gaps.


@refused("column|empty|missing")
def all_cells_missing():
    return b"a,b,class\n" + b"?,NA,\n" * 40


@refused("empty|missing", target="class")
def a_target_without_a_single_value():
    return b"a,b,class\n" + b"".join(b"%d,%d,\n" % (k, k % 7) for k in range(40))


@reads("b", "class")
def a_column_without_a_single_value():
    return csv_of(["", "NA", "?"])


@either()
def gaps_in_every_row():
    return b"a,b,class\n" + b"".join((b"%d,,x\n", b",%d,y\n", b"?,%d,y\n")[k % 3] % k for k in range(60))


# Targets.


@refused("single class")
def one_class():
    return csv_of().replace(b",n\n", b",y\n")


@refused("row|class")
def one_row():
    return csv_of(rows=1)


@refused("row|class")
def two_rows_of_one_class_each():
    return csv_of(rows=2)


@refused("class|value")
def a_target_of_200_000_values():
    return b"a,class\n" + b"".join(b"%d,v%d\n" % (k % 9, k) for k in range(200_000))


@refused("Rows")
def a_target_of_a_million_values():
    return b"a,class\n" + b"".join(b"%d,v%d\n" % (k % 9, k) for k in range(1_000_000))


@refused("classes|values", target="class")
def five_hundred_classes():
    return b"a,class\n" + b"".join(b"%d,v%d\n" % (k % 9, k % 500) for k in range(1_500))


@refused("number|regression|range", target="class")
def a_target_of_measurements():
    return b"a,class\n" + b"".join(b"%d,%d.%d\n" % (k % 9, k, k * k % 97) for k in range(300))


@either()
def a_target_of_dates():
    return b"a,class\n" + b"".join(b"%d,2020-%02d-%02d\n" % (k % 9, k % 12 + 1, k % 28 + 1) for k in range(300))


@either()
def classes_that_differ_by_case_and_spaces():
    return csv_of().replace(b",y\n", b", Y \n", 3).replace(b",n\n", b",N\n", 2)


@either()
def classes_of_one_row_each_beside_a_large_one():
    return csv_of(rows=100).replace(b",n\n", b",y\n") + b"".join(b"1,2,rare %d\n" % k for k in range(60))


@reads("class")
def more_columns_than_rows():
    rows = [[str((k * j + j) % 11) for k in range(400)] + ["yn"[j % 2]] for j in range(8)]
    return "\n".join(",".join(row) for row in [[f"f{k}" for k in range(400)] + ["class"], *rows]).encode()


@either()
def a_feature_of_200_000_texts():
    return b"a,b,class\n" + b"".join(b"text %d,%d,%s\n" % (k, k % 13, b"yn"[k % 2 : k % 2 + 1]) for k in range(199_000))


@refused("column|feature")
def features_that_are_all_constant():
    return b"a,b,class\n" + b"1,x,y\n1,x,n\n" * 20
