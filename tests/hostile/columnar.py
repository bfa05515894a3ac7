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


def parquet_of_days_beyond_the_calendar():
    days = pa.array([2**31 - 1, -(2**31)] * (N // 2), pa.date32())
    times = pa.array([2**63 - 1, -(2**63)] * (N // 2), pa.timestamp("us"))
    return parquet(d=days, t=times, b=np.arange(N) % 7, **{"class": CLASSES})


def parquet_bomb_of_long_texts():
    """A text of a megabyte, stored once and named 100,000 times: 100 GB where it is written out."""
    long = pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), ["x" * 1_000_000])
    return parquet(a=long, b=np.arange(100_000) % 7, **{"class": ["y", "n"] * 50_000})


def parquet_with_lies_of_pandas_in_it():
    """Metadata that another reader would follow: it names an index, types and column names that are not there."""
    table = pa.table({"a": range(N), "b": [k % 7 for k in range(N)], "class": CLASSES})
    lies = b'{"index_columns": ["nowhere"], "column_indexes": [1], '
    lies += b'"columns": [{"name": "a", "pandas_type": "object", "numpy_type": "M8[zz]"}]}'
    return parquet_of(table.replace_schema_metadata({"pandas": lies}))


def parquet_with_a_broken_footer():
    content = bytearray(plain_parquet())
    content[-60:-20] = b"\xff" * 40
    return bytes(content)


def parquet_with_broken_pages():
    content = bytearray(plain_parquet())
    content[4:300] = b"\xff" * 296
    return bytes(content)


def arff(attributes: str, data: str) -> bytes:
    return f"% made by hand\n@RELATION t\n\n{attributes}\n@DATA\n{data}".encode()


PLAIN = "@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}"
ROWS = "".join(f"{k % 7}.5,{'yn'[k % 2]}\n" for k in range(N))

FILES = {
    # Parquet.
    "parquet of a table": reads(plain_parquet, "a", "b", "class"),
    "parquet of lists and structures": either(
        lambda: parquet(a=[[1, 2]] * N, s=[{"x": 1, "y": {"z": 2}}] * N, b=np.arange(N) % 7, **{"class": CLASSES})
    ),
    "parquet of lists only": refused(lambda: parquet(a=[[1, 2]] * N, **{"class": [["y"]] * N}), "column|list|nested|cell"),
    "parquet of bytes decimals days and durations": either(parquet_of_bytes_decimals_days_and_durations),
    "parquet of days beyond the calendar": either(parquet_of_days_beyond_the_calendar),
    "parquet of nothing but nulls": either(lambda: parquet(a=pa.nulls(N), b=np.arange(N) % 7, **{"class": CLASSES})),
    "parquet bomb of forty million rows": refused(
        lambda: parquet_of(pa.table({"a": np.zeros(2_000_000), "class": pa.repeat("y", 2_000_000).dictionary_encode()}), 20),
        "Rows|rows|limit|large|MB",
        slow=True,
    ),
    "parquet bomb of long texts": refused(parquet_bomb_of_long_texts, "unpack|large|limit|MB|memory|long|cell"),
    "parquet of 5 000 columns": refused(
        lambda: parquet_of(pa.table({f"c{k}": [1, 2] for k in range(5_000)}), write_statistics=False),
        "Columns|columns",
        slow=True,
    ),
    "parquet without rows": refused(
        lambda: parquet_of(pa.table({"a": pa.array([], pa.float64()), "class": pa.array([], pa.string())})), "row|empty"
    ),
    "parquet without columns": refused(lambda: parquet_of(pa.table({})), "column|row|empty"),
    "parquet with a name twice": reads(
        lambda: parquet_of(
            pa.Table.from_arrays(
                [pa.array(range(N)), pa.array([k % 7 for k in range(N)]), pa.array(CLASSES)], ["a", "a", "class"]
            )
        ),
        "a",
        "class",
    ),
    "parquet with lies of pandas in it": either(parquet_with_lies_of_pandas_in_it),
    "parquet cut short": refused(lambda: plain_parquet()[:-100], "Parquet|damaged|cannot"),
    "parquet of a head only": refused(lambda: b"PAR1\x15\x04\x15\x00", "Parquet|damaged|cannot"),
    "parquet with a broken footer": refused(parquet_with_a_broken_footer, "Parquet|damaged|cannot"),
    "parquet whose footer says it is vast": refused(
        lambda: plain_parquet()[:-8] + struct.pack("<I", 0xFFFFFFF0) + b"PAR1", "Parquet|damaged|cannot"
    ),
    "parquet with broken pages": refused(parquet_with_broken_pages, "Parquet|damaged|cannot"),
    "parquet with a password": refused(
        lambda: b"PARE" + plain_parquet()[4:-4] + b"PARE", "Parquet|damaged|cannot|encrypted|password"
    ),
    "arff of a table": reads(lambda: arff(PLAIN, ROWS), "a", "class"),
    "arff of a million nominal values": either(
        lambda: arff(
            f"@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {{{','.join(f'v{k}' for k in range(1_000_000))}}}",
            ROWS.replace("y", "v1").replace("n", "v2"),
        ),
        slow=True,
    ),
    "arff of 100 000 attributes": refused(
        lambda: arff("\n".join(f"@ATTRIBUTE a{k} NUMERIC" for k in range(100_000)), "1,2,3\n"), "Columns|columns"
    ),
    "arff without data": refused(lambda: arff(PLAIN, ""), "row|data|empty"),
    "arff of a head only": refused(lambda: b"@relation t\n", "ARFF|attribute|column|data"),
    "arff of ragged rows": refused(lambda: arff(PLAIN, ROWS + "1,2,3,4\n"), "ARFF|Line|line|cells|values|row"),
    "arff of values that were not declared": either(lambda: arff(PLAIN, ROWS + "1,maybe\n" * 4)),
    "arff of words where numbers were declared": either(lambda: arff(PLAIN, ROWS + "many,y\n" * 2)),
    "arff of sparse rows": either(
        lambda: arff(
            "@ATTRIBUTE a NUMERIC\n@ATTRIBUTE b NUMERIC\n@ATTRIBUTE class {y,n}",
            "".join(f"{{0 {k},2 {'yn'[k % 2]}}}\n" for k in range(N)),
        )
    ),
    "arff of sparse rows that point far away": either(lambda: arff(PLAIN, "{999999999999 1}\n{-1 2}\n" * 20)),
    "arff of relational and date attributes": either(
        lambda: arff(
            '@ATTRIBUTE bag RELATIONAL\n@ATTRIBUTE x NUMERIC\n@END bag\n@ATTRIBUTE d DATE "yyyy-MM-dd"\n@ATTRIBUTE class {y,n}',
            "".join(f'"1\\n2","2020-01-{k % 28 + 1:02d}",{"yn"[k % 2]}\n' for k in range(N)),
        )
    ),
    "arff of open quotes": either(lambda: arff("@ATTRIBUTE 'a NUMERIC\n@ATTRIBUTE class {y,'n}", ROWS + "'" * 50_000)),
    "arff of quotes and backslashes without end": either(
        lambda: arff("@ATTRIBUTE 'it\\'s a' NUMERIC\n@ATTRIBUTE class {'" + "\\'" * 50_000 + "',n}", ROWS)
    ),
    "arff with a name twice": either(
        lambda: arff(
            "@ATTRIBUTE a NUMERIC\n@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class {y,n}", "".join(f"1,{r}\n" for r in ROWS.split())
        )
    ),
    "arff of a row too many": refused(lambda: arff(PLAIN, "1,y\n2,n\n" * 100_001), "Rows|rows", slow=True),
}
