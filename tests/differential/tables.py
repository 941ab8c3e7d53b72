"""Seeded tables that hold every type the engine has, with the values that break things, as Parquet files.

All tables have the same columns. `id` is unique and never null; `k` and `g` are keys with few values.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import kinds
import pyarrow as pa
import pyarrow.parquet as pq
import values
from values import DOUBLES, Make, integer, number, small_number, text


@dataclass(frozen=True)
class Column:
    """A column: kind, how it is stored, how usual and how extreme values are made."""

    name: str
    kind: str
    arrow: pa.DataType
    usual: Make
    extreme: Make

    @property
    def type(self) -> str:
        """Returns its SQL type."""
        return str(self.arrow).replace("128", "") if self.kind == "decimal" else self.kind


FLAT_COLUMNS = [
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
    Column("s", "string", pa.string(), text, values.any_bytes),
    Column("z", "binary", pa.binary(), text, values.any_bytes),
    Column("dt", "date", pa.date32(), values.usual_day, values.day),
    Column("ts", "timestamp", pa.timestamp("us", "UTC"), values.usual_micros, values.micros),
    Column("tn", "timestamp_ntz", pa.timestamp("us"), values.usual_micros, values.micros),
]

FLAT_TYPES = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "decimal(18,4)": pa.decimal128(18, 4),
    "string": pa.string(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
}

NESTED_KINDS = {
    "xs": "array<int>",
    "ws": "array<string>",
    "fs": "array<double>",
    "ds": "array<decimal(18,4)>",
    "days": "array<date>",
    "xss": "array<array<bigint>>",
    "m": "map<string,int>",
    "mt": "map<int,timestamp>",
    "ml": "map<date,array<string>>",
    "p": "struct<x:int,y:string,z:double>",
    "q": "struct<a:bigint,d:struct<e:date,f:decimal(18,4)>>",
    "ps": "array<struct<x:int,y:string>>",
    "deep": "array<struct<n:bigint,l:array<boolean>>>",
    "far": "struct<n:int,l:array<map<string,double>>>",
}


def arrow_type(kind: str) -> pa.DataType:
    """Returns how a kind is stored."""
    if kinds.is_array(kind):
        return pa.list_(arrow_type(kinds.element_of(kind)))
    if kinds.is_map(kind):
        return pa.map_(*map(arrow_type, kinds.entry_of(kind)))
    if kinds.is_struct(kind):
        return pa.struct([(name, arrow_type(member)) for name, member in kinds.members_of(kind).items()])
    return FLAT_TYPES[kind]


NESTED_COLUMNS = [
    Column(name, kind, arrow_type(kind), values.nested(kind, False), values.nested(kind, True))
    for name, kind in NESTED_KINDS.items()
]
COLUMNS = [*FLAT_COLUMNS, *NESTED_COLUMNS]


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
# Of nested values a large table repeats so many.
MOST_NESTED = 500


def column_values(r: random.Random, column: Column, table: Table) -> list:
    """Makes a column; every ninth value is null."""
    make = column.extreme if table.extreme else column.usual
    key = make(r) if column.name in ("k", "g") else None
    return [
        None if r.random() < 0.11 else key if key is not None and r.random() < table.skew else make(r)
        for _ in range(table.rows)
    ]


def column_array(r: random.Random, column: Column, table: Table) -> pa.Array:
    """Makes a column as Arrow has it."""
    if not kinds.is_nested(column.kind) or table.rows <= 2 * MOST_NESTED:
        return array(column.arrow, column_values(r, column, table))
    few = array(column.arrow, column_values(r, column, Table(table.name, MOST_NESTED, table.extreme)))
    return few.take(pa.array(r.choices(range(MOST_NESTED), k=table.rows)))


def array(kind: pa.DataType, data: list) -> pa.Array:
    """Returns values as Arrow, text byte for byte; of a map pairs, of a struct members by name."""
    if pa.types.is_string(kind):
        buffers = pa.array(data, pa.binary()).buffers()
        return pa.StringArray.from_buffers(len(data), buffers[1], buffers[2], buffers[0])
    if pa.types.is_timestamp(kind):
        return pa.array(data, pa.int64()).cast(pa.timestamp("us")).cast(kind)
    if pa.types.is_date32(kind):
        return pa.array(data, pa.int32()).cast(kind)
    if pa.types.is_map(kind):
        entries = [entry for entries in data if entries is not None for entry in entries]
        keys, items = (
            array(of, [entry[i] for entry in entries]) for i, of in enumerate((kind.key_type, kind.item_type))
        )
        return pa.MapArray.from_arrays(offsets(data), keys, items)
    if pa.types.is_list(kind):
        elements = [element for elements in data if elements is not None for element in elements]
        return pa.ListArray.from_arrays(offsets(data), array(kind.value_type, elements))
    if pa.types.is_struct(kind):
        return struct_array(kind, data)
    return pa.array(data, kind)


def struct_array(kind: pa.DataType, data: list) -> pa.Array:
    """Returns structs as Arrow."""
    members = [array(field.type, [None if row is None else row[field.name] for row in data]) for field in kind]
    nulls = pa.array([row is None for row in data], pa.bool_())
    return pa.StructArray.from_arrays(members, fields=list(kind), mask=nulls)


def offsets(data: list) -> pa.Array:
    """Returns where each list begins, null where it is null, and where the last one ends."""
    found, end = [], 0
    for elements in data:
        found.append(None if elements is None else end)
        end += len(elements or ())
    return pa.array([*found, end], pa.int32())


def write(folder: Path, seed: int) -> dict[str, Path]:
    """Writes all tables and returns their files."""
    files = {}
    for table in TABLES:
        r = random.Random(f"{seed} {table.name}")
        arrays = [pa.array(range(table.rows), pa.int64())]
        arrays += [column_array(r, column, table) for column in COLUMNS]
        names = ["id", *(column.name for column in COLUMNS)]
        files[table.name] = folder / f"{table.name}.parquet"
        groups = max(table.rows // 3, 1) if table.rows < 1000 else 20_000
        pq.write_table(
            pa.table(arrays, names),
            files[table.name],
            row_group_size=groups,
            use_dictionary=["g", "s", "d9", "ws.list.element", "m.key_value.key"],
            store_decimal_as_integer=table.extreme,
        )
    return files
