"""Seeded tables that hold every type the engine has, with the values that break things, as Parquet files.

All tables have the same columns. `id` is unique and never null; `k` and `g` are keys with few values.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

# Days around which calendars and clocks differ: 0001, the Gregorian reform, local mean time, daylight saving, 9999.
DAYS = [-719162, -141428, -141427, -141418, -25568, -25567, -1, 0, 58, 59, 10956, 11016, 18293, 19782, 20088, 2932896]
MICROS_PER_DAY = 86_400_000_000
STRINGS = ["", "a", "A", "abc", "ABC", " pad ", "%", "_a%", "0", "-12", "3.50", "1e3", "2024-02-29", "true", "é"]
STRINGS += ["Straße", "日本語", "\U0001f600", "a\u0301", "1582-10-10 11:12:13", "x" * 300, "longer text", "\0", "\t\n"]
# Spark reads what lies behind a text that ends inside a character, so none does.
INVALID_UTF8 = [b"\xff", b"ab\xc3z", b"\xed\xa0\x80", b"\xf0\x9f\x98z", b"\xc0\x80z"]
DOUBLES = [0.0, -0.0, 1.5, -2.25, float("nan"), float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308, 1e15, 0.1]

Make = Callable[[random.Random], object]


@dataclass(frozen=True)
class Column:
    """A column: SQL type, how it is stored, how usual and how extreme values are made."""

    name: str
    kind: str
    arrow: pa.DataType
    usual: Make
    extreme: Make


def integer(bits: int) -> Make:
    """Returns a maker of integers at and near the ends of their range."""
    most = 2 ** (bits - 1) - 1
    return lambda r: r.choice([-most - 1, -most, most, most - 1, 0, 1, -1, 7, r.randint(-most - 1, most)])


def number(digits: int, scale: int) -> Make:
    """Returns a maker of decimals of any size that fits."""
    most = 10**digits - 1

    def make(r: random.Random) -> Decimal:
        unscaled = r.choice([most, -most, 0, 1, -1, 5, r.randint(-most, most)])
        return Decimal((unscaled < 0, tuple(map(int, str(abs(unscaled)))), -scale))

    return make


def small_number(scale: int) -> Make:
    """Returns a maker of decimals that sums and products will hold."""
    return lambda r: Decimal(r.randint(-9999, 9999)).scaleb(-scale)


def day(r: random.Random) -> int:
    """Returns a day at or near one that matters."""
    return min(max(r.choice(DAYS) + r.choice([0, 0, 0, 1, -1, 15]), DAYS[0]), DAYS[-1])


def micros(r: random.Random) -> int:
    """Returns an instant, often at the edge of a day."""
    return r.choice(DAYS[1:-1]) * MICROS_PER_DAY + r.choice([0, 1, -1, 7_200_000_000, r.randint(0, MICROS_PER_DAY)])


def text(r: random.Random) -> bytes:
    """Returns UTF-8."""
    return r.choice(STRINGS).encode()


COLUMNS = [
    Column("k", "int", pa.int32(), lambda r: r.randint(0, 12), lambda r: r.randint(0, 3)),
    Column("g", "string", pa.string(), lambda r: r.choice(["red", "green", "blue", "", "re"]).encode(), text),
    Column("b", "boolean", pa.bool_(), lambda r: r.random() < 0.5, lambda r: r.random() < 0.5),
    Column("i8", "tinyint", pa.int8(), lambda r: r.randint(-9, 9), integer(8)),
    Column("i16", "smallint", pa.int16(), lambda r: r.randint(-99, 99), integer(16)),
    Column("i32", "int", pa.int32(), lambda r: r.randint(-999, 999), integer(32)),
    Column("i64", "bigint", pa.int64(), lambda r: r.randint(-9999, 9999), integer(64)),
    Column("f32", "float", pa.float32(), lambda r: r.randint(-999, 999) / 8, lambda r: r.choice(DOUBLES)),
    Column("f64", "double", pa.float64(), lambda r: r.randint(-9999, 9999) / 8, lambda r: r.choice(DOUBLES)),
    Column("d9", "decimal", pa.decimal128(9, 2), small_number(2), number(9, 2)),
    Column("d18", "decimal", pa.decimal128(18, 4), small_number(4), number(18, 4)),
    Column("d38", "decimal", pa.decimal128(38, 10), small_number(10), number(38, 10)),
    Column("s", "string", pa.string(), text, lambda r: r.choice([text(r), r.choice(INVALID_UTF8)])),
    Column("z", "binary", pa.binary(), text, lambda r: r.choice([text(r), r.choice(INVALID_UTF8)])),
    Column("dt", "date", pa.date32(), lambda r: r.randint(8000, 20000), day),
    Column("ts", "timestamp", pa.timestamp("us", "UTC"), lambda r: r.randint(0, 2 * 10**15), micros),
    Column("tn", "timestamp_ntz", pa.timestamp("us"), lambda r: r.randint(0, 2 * 10**15), micros),
]


@dataclass(frozen=True)
class Table:
    """A table to be made.

    Its rows, whether values are extreme, the share of rows with one and the same key, and whether Spark caches it.
    """

    name: str
    rows: int
    extreme: bool = False
    skew: float = 0.0
    cached: bool = False


TABLES = [
    Table("usual", 120),
    Table("usual2", 75, cached=True),
    Table("extreme", 60, extreme=True),
    Table("extreme2", 40, extreme=True, cached=True),
    Table("skewed", 700, skew=0.95),
    Table("single", 1),
    Table("nothing", 0),
    Table("large", 2**16 + 1),
]


def values(r: random.Random, column: Column, table: Table) -> list:
    """Makes a column; every ninth value is null."""
    make = column.extreme if table.extreme else column.usual
    key = make(r) if column.name in ("k", "g") else None
    return [
        None if r.random() < 0.11 else key if key is not None and r.random() < table.skew else make(r)
        for _ in range(table.rows)
    ]


def array(column: Column, data: list) -> pa.Array:
    """Returns values as Arrow, text byte for byte."""
    if column.kind == "string":
        buffers = pa.array(data, pa.binary()).buffers()
        return pa.StringArray.from_buffers(len(data), buffers[1], buffers[2], buffers[0])
    if column.kind in ("timestamp", "timestamp_ntz"):
        return pa.array(data, pa.int64()).cast(pa.timestamp("us")).cast(column.arrow)
    return pa.array(data, pa.int32()).cast(column.arrow) if column.kind == "date" else pa.array(data, column.arrow)


def write(folder: Path, seed: int) -> dict[str, Path]:
    """Writes all tables and returns their files."""
    files = {}
    for table in TABLES:
        r = random.Random(f"{seed} {table.name}")
        arrays = [pa.array(range(table.rows), pa.int64())]
        arrays += [array(column, values(r, column, table)) for column in COLUMNS]
        names = ["id", *(column.name for column in COLUMNS)]
        files[table.name] = folder / f"{table.name}.parquet"
        groups = max(table.rows // 3, 1) if table.rows < 1000 else 20_000
        pq.write_table(
            pa.table(arrays, names),
            files[table.name],
            row_group_size=groups,
            use_dictionary=["g", "s", "d9"],
            store_decimal_as_integer=table.extreme,
        )
    return files
