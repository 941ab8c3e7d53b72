"""Nested columns of Parquet files: layouts, settings of writers, members that files lack, rows that are left out."""

import datetime
import decimal
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle import assert_equal_rows, plain, settings
from parquet_groups import GroupWriter
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark41

SEED = "nested 20261126"
ROWS = 400
EPOCH = datetime.datetime(1970, 1, 1)

# Every type of a leaf that pyarrow writes and Spark reads, with a value for a small number.
VALUES: dict[str, tuple[pa.DataType, Callable[[int], object]]] = {
    "flag": (pa.bool_(), lambda i: i % 3 == 0),
    "tiny": (pa.int8(), lambda i: i % 100 - 50),
    "small": (pa.int16(), lambda i: i * 31 - 100),
    "number": (pa.int32(), lambda i: i * 1_000_003 % 2**32 - 2**31),
    "big": (pa.int64(), lambda i: i * 1_000_000_000_039),
    "single": (pa.float32(), lambda i: i / 8),
    "double": (pa.float64(), lambda i: i / 7),
    "cents": (pa.decimal128(7, 2), lambda i: decimal.Decimal(i) / 100),
    "amount": (pa.decimal128(15, 3), lambda i: decimal.Decimal(i * 7_919 - 10**6) / 1000),
    "huge": (pa.decimal128(38, 4), lambda i: decimal.Decimal(i) * 10**25 - 10**28),
    "word": (pa.string(), lambda i: f"word {i % 40}" if i % 5 else ""),
    "text": (pa.string(), lambda i: f"a text of some length, é, {i}"),
    "bytes": (pa.binary(), lambda i: bytes([i % 256, 255, 0]) * (i % 9)),
    "day": (pa.date32(), lambda i: datetime.date(1600, 1, 1) + datetime.timedelta(days=i * 37)),
    "instant": (pa.timestamp("us", "UTC"), lambda i: EPOCH + datetime.timedelta(microseconds=i * 10**12 + i)),
    "local": (pa.timestamp("us"), lambda i: EPOCH + datetime.timedelta(microseconds=i * 10**12 + i)),
}

PAIR = pa.struct([("a", pa.int64()), ("b", pa.list_(pa.string()))])
SHAPES: dict[str, pa.DataType] = {
    **{f"list_{name}": pa.list_(kind) for name, (kind, _) in VALUES.items()},
    "struct_all": pa.struct([(name, kind) for name, (kind, _) in VALUES.items()]),
    "map_text": pa.map_(pa.string(), pa.int64()),
    "map_lists": pa.map_(pa.int32(), pa.list_(PAIR)),
    "pairs": pa.list_(PAIR),
    "lists_of_lists": pa.list_(pa.list_(pa.list_(pa.int32()))),
    "deep": pa.struct([("pairs", pa.list_(PAIR)), ("inner", pa.struct([("m", pa.map_(pa.string(), PAIR))]))]),
    "large": pa.large_list(pa.int64()),
}


class RandomValues:
    """Makes values of a type, in which nulls and empty lists occur as often as told."""

    def __init__(self, nulls: float) -> None:
        self.nulls = nulls
        self.random = random.Random(f"{SEED} {nulls}")

    def of(self, kind: pa.DataType, nullable: bool = True) -> object:
        """Returns a value, or None where it may be null."""
        if nullable and self.random.random() < self.nulls:
            return None
        if pa.types.is_struct(kind):
            return {field.name: self.of(field.type) for field in kind}
        if pa.types.is_map(kind):
            keys = dict.fromkeys(self.of(kind.key_type, False) for _ in range(self._length()))
            return [(key, self.of(kind.item_type)) for key in keys]
        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            return [self.of(kind.value_type) for _ in range(self._length())]
        value_of = next(value_of for other, value_of in VALUES.values() if other == kind)
        return value_of(self.random.randrange(300))

    def _length(self) -> int:
        return 30 if self.random.random() < 0.02 else self.random.choice([0, 1, 1, 2, 3])


def table_of(nulls: float, rows: int = ROWS) -> pa.Table:
    """Returns a number, the row's, and columns of all shapes."""
    values = RandomValues(nulls)
    columns = {"id": pa.array(range(rows), pa.int64())}
    for name, kind in SHAPES.items():
        columns[name] = pa.array([values.of(kind) for _ in range(rows)], kind)
    return pa.table(columns)


WRITINGS = {
    "defaults": {},
    "plain": {"use_dictionary": False},
    "version 2": {"data_page_version": "2.0"},
    "version 2, plain": {"data_page_version": "2.0", "use_dictionary": False, "compression": "none"},
    "small pages": {"data_page_size": 200, "write_batch_size": 10},
    "small pages of version 2": {"data_page_size": 200, "write_batch_size": 10, "data_page_version": "2.0"},
    "small dictionaries": {"dictionary_pagesize_limit": 300, "data_page_size": 400, "write_batch_size": 20},
    "small row groups": {"row_group_size": 170},
    "page index": {"write_page_index": True, "data_page_size": 500, "write_batch_size": 50},
    "names of older lists": {"use_compliant_nested_type": False},
    "decimals as integers": {"store_decimal_as_integer": True},
    "zstd": {"compression": "zstd", "data_page_version": "2.0"},
}


@pytest.mark.parametrize("nulls", [0.0, 0.15, 0.95, 1.0])
@pytest.mark.parametrize("writing", WRITINGS)
def test_settings_of_pyarrow(spark: SparkSession, tmp_path: Path, writing: str, nulls: float) -> None:
    if nulls not in (0.15, 1.0) and writing not in ("defaults", "version 2", "small pages"):
        pytest.skip("these settings do not depend on how many values are null")
    pq.write_table(table_of(nulls), tmp_path / "table.parquet", **WRITINGS[writing])
    rows = assert_equal_rows(spark, lambda: spark.read.parquet(str(tmp_path)))
    assert len(rows) == ROWS


@pytest.mark.parametrize("batch_rows", ["1", "7"])
def test_small_batches(spark: SparkSession, tmp_path: Path, batch_rows: str) -> None:
    pq.write_table(table_of(0.15, 90), tmp_path / "table.parquet", data_page_size=100, write_batch_size=5)
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.read.parquet(str(tmp_path)))


FILTERS = ("id between 130 and 290", "id = 399", "id in (3, 300)", "id % 90 = 7 and id > 100", "id < 0")


@pytest.mark.parametrize("writing", ["small pages", "small pages of version 2", "page index"])
def test_rows_that_are_left_out(spark: SparkSession, tmp_path: Path, writing: str) -> None:
    pq.write_table(table_of(0.15), tmp_path / "table.parquet", **WRITINGS[writing])
    for condition in FILTERS:
        rows = assert_equal_rows(spark, lambda condition=condition: spark.read.parquet(str(tmp_path)).where(condition))
        assert rows or condition == "id < 0"


MEMBERS = (
    "select id, struct_all.word, struct_all.amount, struct_all.day from members",
    "select id, deep.inner.m, deep.pairs from members where deep.inner is not null",
    "select struct_all.word, count(*), sum(struct_all.big), max(struct_all.text) from members"
    " where struct_all.number > -2000000000 and struct_all.word is not null group by struct_all.word",
    "select struct_all.flag, count(struct_all.text), min(struct_all.day) from members group by struct_all.flag",
    "select id, upper(struct_all.word), struct_all.text from members where struct_all.tiny between -5 and 5",
    "select count(*), max(struct_all.huge) from members where struct_all.number < -2147483648 or struct_all.big > 1e18",
    "select id, struct_all from members where struct_all.word = 'word 7'",
    "select id, struct_all.word, size(pairs), deep.pairs.a from members where struct_all is not null and id % 7 < 3",
    "select a.id, a.struct_all.word, b.struct_all.text from members a join members b"
    " on a.struct_all.word = b.struct_all.word and a.id < b.id where b.struct_all.flag",
)


@pytest.mark.parametrize("writing", ["defaults", "version 2, plain", "small dictionaries", "page index"])
def test_members_of_structs(spark: SparkSession, tmp_path: Path, writing: str) -> None:
    pq.write_table(table_of(0.15), tmp_path / "table.parquet", **WRITINGS[writing])
    spark.read.parquet(str(tmp_path)).createOrReplaceTempView("members")
    for query in MEMBERS:
        rows = assert_equal_rows(spark, lambda query=query: spark.sql(query))
        assert rows, query


WRITINGS_OF_SPARK = {
    "defaults": {},
    "delta and version 2": {"parquet.writer.version": "v2"},
    "small pages": {"parquet.page.size": "300", "parquet.page.row.count.limit": "37"},
    "plain": {"parquet.enable.dictionary": "false", "parquet.page.size": "300"},
    "legacy": {"spark.sql.parquet.writeLegacyFormat": "true"},
    "INT96": {"spark.sql.parquet.outputTimestampType": "INT96"},
    "milliseconds": {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS"},
}


@pytest.mark.parametrize("writing", WRITINGS_OF_SPARK)
def test_settings_of_spark(spark: SparkSession, tmp_path: Path, writing: str) -> None:
    pq.write_table(table_of(0.15), tmp_path / "source.parquet")
    options = WRITINGS_OF_SPARK[writing]
    session = {name: value for name, value in options.items() if name.startswith("spark.")}
    others = {name: value for name, value in options.items() if name not in session}
    path = str(tmp_path / "written")
    with plain(spark), settings(spark, **session):
        spark.read.parquet(str(tmp_path / "source.parquet")).write.options(**others).parquet(path)
    assert assert_equal_rows(spark, lambda: spark.read.parquet(path))
    assert assert_equal_rows(spark, lambda: spark.read.parquet(path).where("id between 200 and 230"))


# Fields of a file in layouts that Spark knows.
LAYOUTS = {
    "three levels": "optional group c (LIST) { repeated group list { optional int32 element; } }",
    "three levels, never null": "required group c (LIST) { repeated group list { required binary e (STRING); } }",
    "two levels": "optional group c (LIST) { repeated int32 element; }",
    "two levels of texts": "optional group c (LIST) { repeated binary array (STRING); }",
    "two levels of pairs": """optional group c (LIST) { repeated group e {
        optional binary s (STRING); optional int32 n; } }""",
    "two levels, array": "optional group c (LIST) { repeated group array { optional int32 n; } }",
    "two levels, tuple": "optional group c (LIST) { repeated group c_tuple { optional int32 n; } }",
    "bag": "optional group c (LIST) { repeated group bag { optional int32 array; } }",
    "lists of lists": "optional group c (LIST) { repeated group array (LIST) { repeated int32 array; } }",
    "repeated": "repeated int32 c;",
    "repeated groups": "repeated group c { optional binary s (STRING); repeated int32 ns; }",
    "repeated in a struct": "optional group c { repeated group d { required int32 x; } optional int32 y; }",
    "map": """optional group c (MAP) { repeated group map (MAP_KEY_VALUE) {
        required int32 key; optional int32 value; } }""",
    "map of lists": """optional group c (MAP_KEY_VALUE) { repeated group map {
        required binary key (STRING); optional group value (LIST) { repeated int32 array; } } }""",
}


@pytest.mark.parametrize("version", ["PARQUET_1_0", "PARQUET_2_0"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(spark: SparkSession, tmp_path: Path, layout: str, version: str) -> None:
    schema = f"message m {{ required int32 id; {LAYOUTS[layout]} }}"
    GroupWriter(spark, f"{SEED} {layout}").write(tmp_path / "groups.parquet", schema, 300, version)
    # Spark's vectorised reader finds other texts than were written where DELTA_BYTE_ARRAY encodes elements.
    vectorised = str(version == "PARQUET_1_0").lower()
    with settings(spark, spark__sql__parquet__enableNestedColumnVectorizedReader=vectorised):
        assert len(assert_equal_rows(spark, lambda: spark.read.parquet(str(tmp_path)))) == 300


# Schemas to read members by that differ from the file's, which has struct<a:int,b:array<int>,d:struct<x:int>>.
READ_SCHEMAS = (
    "s struct<a: int>",
    "s struct<d: struct<x: int>, B: array<int>>",
    "s struct<lacking: string, a: int>",
    "s struct<lacking: string>",
    "s struct<d: struct<lacking: int>>",
    "s struct<d: struct<lacking: int>, b: array<int>>",
    "ss array<struct<lacking: int>>",
    "ss array<struct<b: array<int>>>, s struct<lacking: array<struct<y: int>>>",
    "m map<int, struct<lacking: int>>",
    "s struct<a: bigint, b: array<bigint>>",
)


@pytest.mark.parametrize("schema", READ_SCHEMAS)
def test_members(spark: SparkSession, tmp_path: Path, schema: str) -> None:
    pair = "struct<a:int,b:array<int>,d:struct<x:int>>"
    struct = (
        "if(n % 3 = 0, null, named_struct('a', if(n % 5 = 0, null, n), 'b', if(n % 7 = 0, null, array(n, null)), "
        "'d', if(n % 2 = 0, null, named_struct('x', n))))"
    )
    columns = [f"cast({struct} as {pair}) s", f"array({struct}, null, {struct}) ss", f"map(n, {struct}) m"]
    path = str(tmp_path / "written")
    with plain(spark):
        spark.range(100).selectExpr("cast(id as int) n").selectExpr(*columns).write.parquet(path)
    assert assert_equal_rows(spark, lambda: spark.read.schema(schema).parquet(path))


PRUNED = ("s.a", "s.d.x", "ss.b", "ss[0].d.x", "size(ss)", "m[1].a", "s.d is null, s.a + 1", "count(s.d.x), sum(s.a)")


@pytest.mark.parametrize("columns", PRUNED)
def test_members_of_a_query(spark: SparkSession, tmp_path: Path, columns: str) -> None:
    struct = "named_struct('a', id, 'b', array(id), 'd', if(id % 2 = 0, null, named_struct('x', id, 'y', 'text')))"
    path = str(tmp_path / "written")
    with plain(spark):
        spark.range(200).selectExpr(
            f"if(id % 3 = 0, null, {struct}) s", f"array({struct}) ss", f"map(1L, {struct}) m"
        ).write.parquet(path)
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert assert_equal_rows(spark, lambda: spark.read.parquet(path).selectExpr(*split_columns(columns)))


def split_columns(text: str) -> list[str]:
    """Returns expressions apart, of which none has a comma inside."""
    return [part.strip() for part in text.split(",")]
