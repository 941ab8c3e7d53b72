"""Writes Parquet files of one column `value` each, one for each type and encoding, for engine_bench.

Those of `bigints` are lists.
"""

import random
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 1 << 20
DISTINCT = 1000

NUMBERS = ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]
ENCODINGS = {
    "int": ["DICTIONARY", *NUMBERS],
    "bigint": ["DICTIONARY", *NUMBERS],
    "double": ["DICTIONARY", "PLAIN", "BYTE_STREAM_SPLIT"],
    "decimal": ["DICTIONARY", "PLAIN"],
    "string": ["DICTIONARY", "PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
    "bigints": ["DICTIONARY", "PLAIN"],
}
# Rows that a list is made of.
LIST_ROWS = 5


def values(kind: str) -> pa.Array:
    """Returns the column of a type: DISTINCT values in no order, one in sixteen null."""
    numbers = [None if (number := random.randrange(DISTINCT * 16)) % 16 == 0 else number // 16 for _ in range(ROWS)]
    make = {
        "int": (int, pa.int32()),
        "bigint": (lambda number: number * 1_000_003, pa.int64()),
        "double": (lambda number: number / 7, pa.float64()),
        "decimal": (lambda number: Decimal(number) / 100, pa.decimal128(12, 2)),
        "string": (lambda number: f"furious packages {number}", pa.string()),
    }
    convert, kind_of_arrow = make[kind]
    return pa.array([None if number is None else convert(number) for number in numbers], kind_of_arrow)


def lists() -> pa.Array:
    """Returns lists of numbers, of which there are LIST_ROWS times fewer: of lengths in no order, one in 32 null."""
    ends = sorted(random.sample(range(1, ROWS), ROWS // LIST_ROWS - 1))
    offsets = [None if random.randrange(32) == 0 else offset for offset in [0, *ends]]
    return pa.ListArray.from_arrays(pa.array([*offsets, ROWS], pa.int32()), values("bigint"))


def write(folder: Path, kind: str) -> None:
    """Writes the files of a type that are missing."""
    paths = {encoding: folder / f"{kind}_{encoding.lower()}.parquet" for encoding in ENCODINGS[kind]}
    missing = {encoding: path for encoding, path in paths.items() if not path.is_file()}
    if not missing:
        return
    random.seed(7)
    is_list = kind == "bigints"
    table = pa.table({"value": lists() if is_list else values(kind)})
    leaf = "value.list.element" if is_list else "value"
    for encoding, path in missing.items():
        chosen = {} if encoding == "DICTIONARY" else {"use_dictionary": False, "column_encoding": {leaf: encoding}}
        pq.write_table(table, path, compression="snappy", store_decimal_as_integer=True, **chosen)


def make_all(folder: Path) -> None:
    """Writes all files that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ENCODINGS:
        write(folder, kind)
