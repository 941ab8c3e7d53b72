"""ORC files that few writers make, and damaged ones: answers are plain Spark's, who reads what the engine does not."""

import datetime
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import raw_orc as raw
from oracle import Query, assert_native, comparable, explained, failure, plain, plain_failure
from pyarrow import orc
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

REVERTED = "reverted to Spark: "
BIGINT = raw.Type("long")
LONGS = ("data", raw.integers([1, 2]))


def in_order(rows: list) -> list[tuple]:
    return [tuple(map(comparable, row)) for row in rows]


def why_reverted(df: DataFrame) -> str:
    """Returns why Spark ran a query that was native; nothing where it did not."""
    return "".join(explained(df).split(REVERTED)[1:])


def assert_rows(spark: SparkSession, query: Query, reason: str = "") -> list[tuple]:
    """Fails unless a query gives plain Spark's rows natively or, where a reason is given, on Spark; returns them."""
    df = query()
    assert_native(df)
    rows = in_order(df.collect())
    why = why_reverted(df)
    assert reason in why if reason else not why, why
    with plain(spark):
        assert rows == in_order(query().collect())
    return rows


def assert_failure(spark: SparkSession, query: Query, reason: str) -> None:
    """Fails unless a query fails as on plain Spark, to which it goes for a reason."""
    df = query()
    assert_native(df)
    native = failure(df.collect)
    assert reason in why_reverted(df)
    assert native == plain_failure(spark, query)


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[raw.File], str]:
    def store(file: raw.File) -> str:
        path = tmp_path / "odd.orc"
        path.write_bytes(file.bytes())
        return str(path)

    return store


def one_column(
    kind: raw.Type, rows: int, *streams: tuple[str, bytes], encoding: tuple[str, int] = ("direct", 0)
) -> raw.File:
    """Returns a file of one column `a`."""
    placed = [(1, name, data) for name, data in streams]
    return raw.File(raw.columns({"a": kind}), rows, placed, [("direct", 0), encoding])


def decimals(values: list[int], scales: list[int], precision: int = 10, scale: int = 2) -> raw.File:
    data = b"".join(map(raw.signed, values))
    kind = raw.Type("decimal", precision=precision, scale=scale)
    return one_column(kind, len(values), ("data", data), ("secondary", raw.integers(scales)))


# Arrow writes a fraction of a second before 1970 as a negative number.
def test_values_that_fail_where_nobody_asks_for_them(spark: SparkSession, tmp_path: Path) -> None:
    moments = [datetime.datetime(2020, 1, 1), datetime.datetime(1965, 1, 1, 0, 0, 0, 500000), None]
    file = str(tmp_path / "arrow.orc")
    orc.write_table(pa.table({"id": range(3), "t": pa.array(moments, pa.timestamp("us"))}), file)
    reason = "a timestamp's fraction is corrupt"

    def table() -> DataFrame:
        return spark.read.orc(file)

    assert_rows(spark, lambda: table().where("id = 0").selectExpr("unix_micros(t)"), reason)
    assert_rows(spark, lambda: table().selectExpr("unix_micros(t)").limit(1), reason)
    assert_rows(spark, lambda: table().select("id"))
    assert_failure(spark, lambda: table().selectExpr("unix_micros(t)"), reason)


def test_values_that_fail_when_rows_may_have_left(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    path = stored(decimals([100, 10**12], [2, 2]))
    message = failure(lambda: spark.read.orc(path).rdd.count()).message
    assert f"can't read column a of file://{path}: a decimal has more digits than its type" in message
    assert "parts of the result have left" in message


def test_decimals_of_other_scales(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    path = stored(decimals([123456, -55555, 12345, -5, 12344, 5, 7], [4, 3, 3, 3, 3, 38, 0]))
    rows = assert_rows(spark, lambda: spark.read.orc(path).selectExpr("cast(a as string)"))
    assert [row[0] for row in rows] == ["12.35", "-55.56", "12.35", "-0.01", "12.34", "0.00", "7.00"]


def test_decimals_of_more_than_38_digits(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    path = stored(decimals([10**50, 1], [2, 2], 38, 2))
    assert assert_rows(spark, lambda: spark.read.orc(path).selectExpr("a is null"), "a decimal is corrupt")[0] == (
        True,
    )


@pytest.mark.parametrize(("value", "precision"), [(10**12, 10), (10**38, 38), (10**39 + 7, 38)])
def test_decimals_that_do_not_fit(
    spark: SparkSession, stored: Callable[[raw.File], str], value: int, precision: int
) -> None:
    path = stored(decimals([100, value], [2, 2], precision, 2))
    assert_failure(spark, lambda: spark.read.orc(path), "a decimal ")


@pytest.mark.parametrize(
    ("codes", "texts", "size"), [([0, 0], [], 0), ([0, 2], [2, 1], 2)], ids=["no dictionary", "one beyond"]
)
def test_codes_beyond_dictionaries(
    spark: SparkSession, stored: Callable[[raw.File], str], codes: list[int], texts: list[int], size: int
) -> None:
    streams = [("data", raw.lengths(codes)), ("length", raw.lengths(texts)), ("dictionary", b"abc"[: sum(texts)])]
    path = stored(one_column(raw.Type("string"), 2, *streams, encoding=("dictionary", size)))
    assert_rows(spark, lambda: spark.read.orc(path), "an index is beyond the dictionary")


ODD_RUNS = {
    "a number of twelve bytes": ("direct", b"\xff" + b"\x80" * 11 + b"\x01", 1),
    "one value with differences": ("direct_v2", b"\xc4\x00" + raw.signed(5) + raw.signed(-1) + b"\0\0", 1),
}

ODD_ENCODINGS = {
    "a dictionary of numbers": (BIGINT, raw.integers([1, 2]), "dictionary"),
    "booleans of the second version": (raw.Type("boolean"), raw.bits([1, 0]), "direct_v2"),
}


@pytest.mark.parametrize("name", ODD_ENCODINGS)
def test_encodings_of_other_types(spark: SparkSession, stored: Callable[[raw.File], str], name: str) -> None:
    kind, data, encoding = ODD_ENCODINGS[name]
    path = stored(one_column(kind, 2, ("data", data), encoding=(encoding, 0)))
    assert_failure(spark, lambda: spark.read.orc(path), "its encoding is not one of its type")


def test_index_behind_values(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    path = stored(one_column(BIGINT, 2, LONGS, ("index", b"xx")))
    assert_rows(spark, lambda: spark.read.orc(path), "an index is behind values")


@pytest.mark.parametrize("name", ODD_RUNS)
def test_odd_runs(spark: SparkSession, stored: Callable[[raw.File], str], name: str) -> None:
    encoding, data, rows = ODD_RUNS[name]
    path = stored(one_column(BIGINT, rows, ("data", data), encoding=(encoding, 0)))
    assert_rows(spark, lambda: spark.read.orc(path), "a run of integers is corrupt")


ODD_LAYOUTS = {
    "a union": ([raw.Type("union", [3, 4]), BIGINT, raw.Type("string")], "an ORC file with a union"),
    "large decimals": ([raw.Type("decimal", precision=50, scale=2)], "an ORC file with decimals of an unknown size"),
    "a type of nobody": ([raw.Type("long", spark_type="no type")], "an ORC file with Spark's type no type"),
    "a number of numbers": ([raw.Type("long", [3]), BIGINT], "an ORC file with types that are none"),
}


@pytest.mark.parametrize("name", ODD_LAYOUTS)
def test_types_that_spark_fails_on_wherever_they_stand(
    spark: SparkSession, stored: Callable[[raw.File], str], name: str
) -> None:
    others, reason = ODD_LAYOUTS[name]
    types = [raw.Type("struct", [1, 2], ["a", "odd"]), BIGINT, *others]
    path = stored(raw.File(types, 2, [(1, *LONGS)]))
    assert_failure(spark, lambda: spark.read.schema("a long").orc(path), reason)
    assert_failure(spark, lambda: spark.read.schema("a long").orc(path).selectExpr("count(*)"), reason)


def test_timestamps_with_a_local_time_zone_beside_others(spark: SparkSession, tmp_path: Path) -> None:
    file = str(tmp_path / "arrow.orc")
    moments = pa.array([datetime.datetime(2020, 1, 1), None], pa.timestamp("us", tz="UTC"))
    orc.write_table(pa.table({"a": [1, 2], "t": moments}), file)

    def query() -> DataFrame:
        return spark.read.schema("a long").orc(file)

    if spark.version.startswith("4.1."):
        assert_failure(spark, query, "an ORC file with timestamps with a local time zone")
    else:
        assert_rows(spark, query)


def test_tables_of_transactions(spark: SparkSession, tmp_path: Path) -> None:
    file = str(tmp_path / "hive.orc")
    ints = {name: pa.array([0, 1], pa.int32()) for name in ("operation", "bucket")}
    longs = {name: pa.array([0, 1]) for name in ("originalTransaction", "rowId", "currentTransaction")}
    columns = ints | longs | {"row": [{"a": 1}, {"a": 2}]}
    names = ["operation", "originalTransaction", "bucket", "rowId", "currentTransaction", "row"]
    orc.write_table(pa.table({name: columns[name] for name in names}), file)
    reason = "an ORC file of a transactional table of Hive"
    assert_rows(spark, lambda: spark.read.orc(file), reason)
    assert_failure(spark, lambda: spark.read.orc(file).select("row.a"), reason)


def test_rows_that_are_numbers(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    path = stored(raw.File([BIGINT], 2, [(0, *LONGS)]))
    assert_failure(spark, lambda: spark.read.schema("a long").orc(path), "an ORC file whose rows are no structs")


def varchars(texts: list[str], most_characters: int) -> raw.File:
    encoded = [text.encode() for text in texts]
    streams = [("data", b"".join(encoded)), ("length", raw.lengths(map(len, encoded)))]
    return one_column(raw.Type("varchar", most_characters=most_characters), len(texts), *streams)


def test_texts_longer_than_their_type(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    path = stored(varchars(["abc", "ééé"], 3))
    assert assert_rows(spark, lambda: spark.read.orc(path)) == [("abc",), ("ééé",)]
    path = stored(varchars(["abc", "éééé"], 3))
    rows = assert_rows(spark, lambda: spark.read.orc(path), "a text is longer than its type")
    assert rows == [("abc",), ("ééé",)]


def test_statistics_that_do_not_count_values(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    file = one_column(BIGINT, 2, LONGS)
    file.statistics = [raw.number(1, 2), b""]
    path = stored(file)
    assert assert_rows(spark, lambda: spark.read.orc(path).where("a is not null")) == [(1,), (2,)]
    assert assert_rows(spark, lambda: spark.read.orc(path).where("a > 1")) == [(2,)]


def test_old_days_that_statistics_do_not_count(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    file = one_column(raw.Type("date"), 1, ("data", raw.integers([-200000])))
    file.statistics, file.calendar = [raw.number(1, 1), b""], raw.NEW_CALENDAR
    path = stored(file)
    reason = "dates before 1582-10-15 of a file that counts by the new calendar"
    assert_rows(spark, lambda: spark.read.orc(path).selectExpr("cast(a as string)"), reason)


@pytest.mark.parametrize(
    ("block_bytes", "reason"), [((1 << 23) - 1, ""), (1 << 23, "an ORC file of large compressed blocks")]
)
def test_large_blocks(spark: SparkSession, stored: Callable[[raw.File], str], block_bytes: int, reason: str) -> None:
    file = one_column(BIGINT, 2, LONGS)
    file.compression, file.block_bytes, file.stored = raw.ZLIB, block_bytes, raw.in_chunks(1000)
    path = stored(file)
    assert assert_rows(spark, lambda: spark.read.orc(path), reason) == [(1,), (2,)]


def test_more_columns_than_the_engine_reads(spark: SparkSession, stored: Callable[[raw.File], str]) -> None:
    file = one_column(BIGINT, 2, LONGS)
    file.types = [*file.types, *[raw.Type("boolean")] * 100_000]
    file.encodings = ()
    path = stored(file)
    rows = assert_rows(spark, lambda: spark.read.schema("a long").orc(path), "its metadata is too large")
    assert rows == [(1,), (2,)]
