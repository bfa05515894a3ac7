"""Hostile Parquet and ARFF files."""

import io
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.catalogue import either, reads, refused

N = 40
CLASSES = ["y", "n"] * (N // 2)


def parquet(**columns) -> bytes:
    return parquet_of(pa.table(columns))


def parquet_of(table: pa.Table, times: int = 1, **options) -> bytes:
    """``table`` as Parquet, ``times`` over, in as many row groups."""
    file = io.BytesIO()
    with pq.ParquetWriter(file, table.schema, compression="zstd", **options) as writer:
        for _ in range(times):
            writer.write_table(table)
    return file.getvalue()


def plain_parquet() -> bytes:
    return parquet(a=np.arange(N) * 1.5, b=np.arange(N) % 7, **{"class": CLASSES})


# Parquet.


@reads("a", "b", "class")
def parquet_of_a_table():
    return plain_parquet()


@either()
def parquet_of_lists_and_structures():
    return parquet(a=[[1, 2]] * N, s=[{"x": 1, "y": {"z": 2}}] * N, b=np.arange(N) % 7, **{"class": CLASSES})


@refused("column|list|nested|cell")
def parquet_of_lists_only():
    return parquet(a=[[1, 2]] * N, **{"class": [["y"]] * N})


@either()
def parquet_of_bytes_decimals_days_and_durations():
    day = np.datetime64("2020-01-01") + np.arange(N)
    return parquet(
        a=pa.array([b"\xff\xfe"] * N),
        d=pa.array(range(N), pa.decimal128(38, 10)),
        day=day,
        t=pa.array(range(N), pa.duration("ns")),
        h=pa.array(range(N), pa.float16()),
        u=pa.array([2**64 - 1 - k for k in range(N)], pa.uint64()),
        **{"class": CLASSES},
    )


@either()
def parquet_of_days_beyond_the_calendar():
    days = pa.array([2**31 - 1, -(2**31)] * (N // 2), pa.date32())
    times = pa.array([2**63 - 1, -(2**63)] * (N // 2), pa.timestamp("us"))
    return parquet(d=days, t=times, b=np.arange(N) % 7, **{"class": CLASSES})


@either()
def parquet_of_nothing_but_nulls():
    return parquet(a=pa.nulls(N), b=np.arange(N) % 7, **{"class": CLASSES})


@refused("Rows|rows|limit|large|MB")
def parquet_bomb_of_forty_million_rows():
    return parquet_of(pa.table({"a": np.zeros(2_000_000), "class": pa.repeat("y", 2_000_000).dictionary_encode()}), 20)


@refused("unpack|large|limit|MB|memory|long|cell")
def parquet_bomb_of_long_texts():
    """A text of a megabyte, stored once and named 100,000 times: 100 GB where it is written out."""
    long = pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), ["x" * 1_000_000])
    return parquet(a=long, b=np.arange(100_000) % 7, **{"class": ["y", "n"] * 50_000})


@refused("Columns|columns")
def parquet_of_5_000_columns():
    return parquet_of(pa.table({f"c{k}": [1, 2] for k in range(5_000)}), write_statistics=False)


@refused("row|empty")
def parquet_without_rows():
    return parquet_of(pa.table({"a": pa.array([], pa.float64()), "class": pa.array([], pa.string())}))


@refused("column|row|empty")
def parquet_without_columns():
    return parquet_of(pa.table({}))


@reads("a", "class")
def parquet_with_a_name_twice():
    return parquet_of(
        pa.Table.from_arrays([pa.array(range(N)), pa.array([k % 7 for k in range(N)]), pa.array(CLASSES)], ["a", "a", "class"])
    )


@either()
def parquet_with_lies_of_pandas_in_it():
    """Metadata that another reader would follow: it names an index, types and column names that are not there."""
    table = pa.table({"a": range(N), "b": [k % 7 for k in range(N)], "class": CLASSES})
    lies = b'{"index_columns": ["nowhere"], "column_indexes": [1], '
    lies += b'"columns": [{"name": "a", "pandas_type": "object", "numpy_type": "M8[zz]"}]}'
    return parquet_of(table.replace_schema_metadata({"pandas": lies}))


@refused("Parquet|damaged|cannot")
def parquet_cut_short():
    return plain_parquet()[:-100]


@refused("Parquet|damaged|cannot")
def parquet_of_a_head_only():
    return b"PAR1\x15\x04\x15\x00"


@refused("Parquet|damaged|cannot")
def parquet_with_a_broken_footer():
    content = bytearray(plain_parquet())
    content[-60:-20] = b"\xff" * 40
    return bytes(content)


@refused("Parquet|damaged|cannot")
def parquet_whose_footer_says_it_is_vast():
    return plain_parquet()[:-8] + struct.pack("<I", 0xFFFFFFF0) + b"PAR1"


@refused("Parquet|damaged|cannot")
def parquet_with_broken_pages():
    content = bytearray(plain_parquet())
    content[4:300] = b"\xff" * 296
    return bytes(content)


@refused("Parquet|damaged|cannot|encrypted|password")
def parquet_with_a_password():
    return b"PARE" + plain_parquet()[4:-4] + b"PARE"


# ARFF.


def arff(attributes: str, data: str) -> bytes:
    return f"% made by hand\n@RELATION t\n\n{attributes}\n@DATA\n{data}".encode()


ROWS = "".join(f"{k % 7}.5,{'yn'[k % 2]}\n" for k in range(N))


@reads("a", "class")
def arff_of_a_table():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", ROWS)


@either(slow=True)
def arff_of_a_million_nominal_values():
    return arff(
        f"@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {{{','.join(f'v{k}' for k in range(1_000_000))}}}",
        ROWS.replace("y", "v1").replace("n", "v2"),
    )


@refused("Columns|columns")
def arff_of_100_000_attributes():
    return arff("\n".join(f"@ATTRIBUTE a{k} NUMERIC" for k in range(100_000)), "1,2,3\n")


@refused("row|data|empty")
def arff_without_data():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", "")


@refused("ARFF|attribute|column|data")
def arff_of_a_head_only():
    return b"@relation t\n"


@refused("ARFF|Line|line|cells|values|row")
def arff_of_ragged_rows():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", ROWS + "1,2,3,4\n")


@either()
def arff_of_values_that_were_not_declared():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", ROWS + "1,maybe\n" * 4)


@either()
def arff_of_words_where_numbers_were_declared():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", ROWS + "many,y\n" * 2)


@either()
def arff_of_sparse_rows():
    return arff(
        "@ATTRIBUTE a NUMERIC\n@ATTRIBUTE b NUMERIC\n@ATTRIBUTE class {y,n}",
        "".join(f"{{0 {k},2 {'yn'[k % 2]}}}\n" for k in range(N)),
    )


@either()
def arff_of_sparse_rows_that_point_far_away():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", "{999999999999 1}\n{-1 2}\n" * 20)


@either()
def arff_of_relational_and_date_attributes():
    return arff(
        '@ATTRIBUTE bag RELATIONAL\n@ATTRIBUTE x NUMERIC\n@END bag\n@ATTRIBUTE d DATE "yyyy-MM-dd"\n@ATTRIBUTE class {y,n}',
        "".join(f'"1\\n2","2020-01-{k % 28 + 1:02d}",{"yn"[k % 2]}\n' for k in range(N)),
    )


@either()
def arff_of_open_quotes():
    return arff("@ATTRIBUTE 'a NUMERIC\n@ATTRIBUTE class {y,'n}", ROWS + "'" * 50_000)


@either()
def arff_of_quotes_and_backslashes_without_end():
    return arff("@ATTRIBUTE 'it\\'s a' NUMERIC\n@ATTRIBUTE class {'" + "\\'" * 50_000 + "',n}", ROWS)


@either()
def arff_with_a_name_twice():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", "".join(f"1,{r}\n" for r in ROWS.split()))


@refused("Rows|rows")
def arff_of_a_row_too_many():
    return arff("@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", "1,y\n2,n\n" * 100_001)
