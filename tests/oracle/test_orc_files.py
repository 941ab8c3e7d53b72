"""ORC files of Spark's writer and of pyarrow's: native rows equal those of plain Spark, in the same order."""

import datetime
import decimal
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from oracle import (
    Query,
    assert_native,
    assert_spark,
    both_answers,
    comparable,
    explained,
    failure,
    plain,
    settings,
)
from pyarrow import orc
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

SEED = 20261126
REVERTED = "reverted to Spark: "
SMALL_STRIPES = {"orc.stripe.size": "20000", "orc.rows.between.memory.checks": "100", "orc.compress.size": "1024"}


def some(column: Column, shift: int) -> Column:
    """Returns a column that is null in every seventh row, and in a long run."""
    i = F.col("id")
    return F.when((i + shift) % 7 != 0, column).otherwise(None)


def all_types(spark: SparkSession, rows: int) -> DataFrame:
    i = F.col("id")
    mixed = F.xxhash64(i)
    return spark.range(0, rows, 1, 1).select(
        i,
        some(i % 3 == 0, 0).alias("flag"),
        (i % 64 < 60).alias("mostly"),
        some((mixed % 128).cast("byte"), 1).alias("tiny"),
        (i % 300 / 100).cast("byte").alias("runs"),
        some((mixed % 32768).cast("short"), 2).alias("small"),
        some((mixed % 2**31).cast("int"), 3).alias("number"),
        some(mixed, 4).alias("big"),
        F.when(i % 100 == 5, mixed).otherwise(i % 50).alias("patched"),
        F.when(i % 100 == 7, F.lit(10**12)).otherwise(-(i % 50)).alias("patched_below"),
        (F.lit(10**15) - i * 3).alias("falling"),
        (i * i).alias("growing"),
        some(F.lit(-7).cast("long"), 5).alias("constant"),
        some((mixed / 7).cast("float"), 5).alias("single"),
        F.when(i % 11 == 0, float("nan")).when(i % 13 == 0, -0.0).otherwise(i / 7).alias("double"),
        some((i * 7919 - 10**6).cast("decimal(15,3)") / 1000, 6).cast("decimal(15,3)").alias("amount"),
        some(mixed.cast("decimal(38,4)"), 0).alias("huge"),
        some((i % 100).cast("decimal(5,2)") / 4, 1).cast("decimal(5,2)").alias("cents"),
        some(F.concat(F.lit("word "), (i % 40).cast("string")), 1).alias("word"),
        some(F.concat(F.lit("a text of some length, é "), mixed.cast("string")), 2).alias("text"),
        F.repeat(F.lit("x"), (i % 30).cast("int")).alias("lengths"),
        F.lit(None).cast("string").alias("nothing"),
        some(F.encode(F.repeat(mixed.cast("string"), (i % 3).cast("int")), "UTF-8"), 3).alias("bytes"),
        some(F.date_add(F.lit("1970-01-01").cast("date"), (mixed % 300000).cast("int")), 4).alias("day"),
        some(F.timestamp_micros(mixed % 10**15), 5).alias("recent"),
        some(F.timestamp_seconds(mixed % 10**9), 6).alias("second"),
        some(F.timestamp_micros(mixed % 10**15).cast("timestamp_ntz"), 0).alias("local"),
        F.expr("make_dt_interval(0, 0, 0, id % 1000)").alias("duration"),
        F.expr("make_ym_interval(0, cast(id % 90 as int))").alias("months"),
    )


def nested(spark: SparkSession, rows: int) -> DataFrame:
    return all_types(spark, rows).select(
        "id",
        some(F.struct("number", "word", F.struct("text", "amount").alias("inner")), 0).alias("s"),
        some(F.array("number", "tiny"), 1).alias("pair"),
        some(F.sequence(F.lit(0), (F.col("id") % 9).cast("int")), 2).alias("list"),
        F.array_repeat(F.col("word"), (F.col("id") % 4).cast("int")).alias("words"),
        some(F.map_from_arrays(F.array("id", F.col("id") + 1), F.array("text", "word")), 3).alias("m"),
        F.array(
            F.struct("flag", F.array("double").alias("d")), F.struct("flag", F.array().cast("array<double>").alias("d"))
        ).alias("deep"),
    )


def written(df: DataFrame, folder: Path, **options: str) -> str:
    """Writes files on plain Spark."""
    target = str(folder / "table")
    with plain(df.sparkSession):
        df.write.options(**{**SMALL_STRIPES, **options}).orc(target)
    return target


def shown(column: tuple[str, str]) -> str:
    """Returns an expression of a column that Python has a value for, whatever the column has."""
    name, kind = column
    if kind in ("date", "timestamp", "timestamp_ntz"):
        return f"cast({name} as string) {name}"
    return f"cast({name} as int) {name}" if kind.startswith("interval year") else name


def in_order(rows: list) -> list[tuple]:
    return [tuple(map(comparable, row)) for row in rows]


def assert_equal(spark: SparkSession, path: str, *columns: str, schema: str | None = None) -> list[tuple]:
    """Fails unless a scan runs natively and gives plain Spark's rows in their order."""

    def query() -> DataFrame:
        reader = spark.read if schema is None else spark.read.schema(schema)
        df = reader.orc(path)
        return df.selectExpr(*(columns or map(shown, df.dtypes)))

    df = query()
    native, expected = both_answers(spark, query)
    df.collect()
    assert REVERTED not in explained(df), explained(df)
    assert in_order(native) == in_order(expected)
    return in_order(native)


def assert_left_to_spark(spark: SparkSession, query: Query, reason: str) -> list[tuple]:
    """Fails unless Spark runs a query, for a reason, when it comes to the files; returns the rows."""
    df = query()
    assert_native(df)
    rows = in_order(df.collect())
    assert reason in explained(df).split(REVERTED)[1], explained(df)
    with plain(spark):
        assert rows == in_order(query().collect())
    return rows


@pytest.mark.parametrize("codec", ["none", "zlib", "snappy", "lz4", "zstd"])
def test_types_and_codecs(spark: SparkSession, tmp_path: Path, codec: str) -> None:
    path = written(all_types(spark, 4000), tmp_path, compression=codec)
    for batch_rows in ("0", "100", "7"):
        with settings(spark, spark__accelerant__batch__rows=batch_rows):
            assert len(assert_equal(spark, path)) == 4000
    (file,) = Path(path).glob("*.orc")
    assert orc.ORCFile(file).nstripes > 1


def test_large_blocks_and_old_runs(spark: SparkSession, tmp_path: Path) -> None:
    path = written(all_types(spark, 30000), tmp_path, **{"orc.stripe.size": "67108864", "orc.compress.size": "262144"})
    assert_equal(spark, path)
    old = written(all_types(spark, 4000), tmp_path / "old", **{"orc.write.format": "0.11"})
    assert_equal(spark, old)


def test_dictionaries(spark: SparkSession, tmp_path: Path) -> None:
    always = written(all_types(spark, 3000), tmp_path, **{"orc.dictionary.key.threshold": "1"})
    assert_equal(spark, always)
    never = written(all_types(spark, 3000), tmp_path / "never", **{"orc.dictionary.key.threshold": "0"})
    assert_equal(spark, never)


@pytest.mark.parametrize("codec", ["none", "zstd"])
def test_nested(spark: SparkSession, tmp_path: Path, codec: str) -> None:
    path = written(nested(spark, 3000), tmp_path, compression=codec)
    assert_equal(spark, path)
    assert_equal(spark, path, "id", "s.inner.text", "get(list, 2)", "deep[0].d", "m[id]", "size(words)")
    assert_equal(spark, path, "s.number", "s.inner")


def test_nested_columns_that_change(spark: SparkSession, tmp_path: Path) -> None:
    path = written(nested(spark, 500), tmp_path)
    schema = "id long, s struct<WORD: string, new: int, number: bigint>, gone int, pair array<bigint>"
    assert_equal(spark, path, schema=schema)
    assert_equal(spark, path, schema="s struct<none: int>, m map<bigint, string>")


def test_columns_that_change(spark: SparkSession, tmp_path: Path) -> None:
    path = written(all_types(spark, 1000), tmp_path)
    assert_equal(spark, path, schema="ID long, tiny short, small int, number long, missing string, Word string")
    assert_equal(spark, path, schema="tiny long, gone date")
    with settings(spark, spark__sql__caseSensitive="true"):
        assert_equal(spark, path, schema="ID long, id long, Word string")


def test_names_that_case_alone_tells_apart(spark: SparkSession, tmp_path: Path) -> None:
    file = str(tmp_path / "part.orc")
    both = pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], names=["n", "N"])
    orc.write_table(
        pa.table([pa.array([1]), pa.array([2]), pa.array([3]), both], names=["Some", "some", "É", "s"]), file
    )
    assert_equal(spark, file, "`é`", "gone", schema="`é` long, gone long")
    with settings(spark, spark__sql__caseSensitive="true"):
        schema = "some long, Some long, `É` long, s struct<N: bigint, n: bigint>"
        assert_equal(spark, file, "some", "Some", "`É`", "s", schema=schema)
    reason = "several columns of the file have the name "
    assert_left_to_spark(spark, lambda: spark.read.schema("s struct<n: bigint>").orc(file), reason + "n")
    df = spark.read.schema("SOME long").orc(file)
    failure(df.collect)
    assert reason + "SOME" in explained(df)


def test_filters_and_counts(spark: SparkSession, tmp_path: Path) -> None:
    path = written(all_types(spark, 5000), tmp_path, **{"orc.bloom.filter.columns": "id,word"})
    for condition in [
        "id = 4321",
        "id between 1000 and 1010 and word is not null",
        "word = 'word 7' and number > 0",
        "amount > 10000 or double is null",
        "id < 0",
        "day > date'1990-01-01' and recent < timestamp'1985-01-01 00:00:00'",
    ]:

        def query(condition: str = condition) -> DataFrame:
            df = spark.read.orc(path)
            return df.where(condition).selectExpr(*map(shown, df.dtypes))

        native, expected = both_answers(spark, query)
        assert in_order(native) == in_order(expected)
    native, expected = both_answers(spark, lambda: spark.read.orc(path).groupBy().count())
    assert native == expected == [(5000,)]
    native, expected = both_answers(
        spark, lambda: spark.read.orc(path).groupBy("word").agg(F.sum("id"), F.max("text")).orderBy("word")
    )
    assert native == expected


@pytest.mark.parametrize("bytes_", ["3000", "17000", "100000"])
def test_splits(spark: SparkSession, tmp_path: Path, bytes_: str) -> None:
    path = written(all_types(spark, 5000), tmp_path)
    with settings(spark, spark__sql__files__maxPartitionBytes=bytes_, spark__sql__files__openCostInBytes="0"):
        rows = assert_equal(spark, path)
        partitions = assert_equal(spark, path, "id", "_metadata.file_block_start")
    assert len(rows) == len(partitions) == 5000
    assert len({row[1] for row in partitions}) > 1


def test_partitions(spark: SparkSession, tmp_path: Path) -> None:
    target = str(tmp_path / "table")
    with plain(spark):
        df = all_types(spark, 600).withColumn("p", F.col("id") % 3).withColumn("q", F.lit("é"))
        df.write.partitionBy("p", "q").orc(target)
    assert_equal(spark, target)
    assert_equal(spark, target, "p", "q", "id", "_metadata.file_name", "_metadata.file_size")

    def query() -> DataFrame:
        return spark.read.orc(target).where("p > 0 and id % 2 = 0").select("id", "p")

    native, expected = both_answers(spark, query)
    assert in_order(native) == in_order(expected)


MOMENTS = [
    "0001-01-01 00:00:00",
    "1000-02-28 12:00:00.5",
    "1499-12-31 23:59:59.999999",
    "1500-03-01 00:00:00",
    "1582-10-04 23:59:59.999999",
    "1582-10-15 00:00:00.000001",
    "1883-11-18 12:00:00",
    "1899-12-31 23:59:59.5",
    "1900-01-01 00:00:00",
    "1969-12-31 23:59:58.000001",
    "1969-12-31 23:59:58.999999",
    "1969-12-31 23:59:59",
    "1969-12-31 23:59:59.000999",
    "1969-12-31 23:59:59.001",
    "1969-12-31 23:59:59.5",
    "1970-01-01 00:00:00",
    "1970-01-01 00:00:00.1",
    "2014-12-31 23:59:59.99",
    "2015-01-01 00:00:00",
    "2024-10-27 02:30:00",
    "9999-12-31 23:59:59.999999",
]


def test_old_dates_and_timestamps(spark: SparkSession, tmp_path: Path) -> None:
    days = [moment[:10] for moment in MOMENTS]
    with plain(spark):
        df = spark.createDataFrame(list(zip(MOMENTS, days, strict=True)), "u string, d string").coalesce(1)
        df = df.selectExpr("u", "cast(u as timestamp) t", "cast(u as timestamp_ntz) n", "cast(d as date) d")
    path = written(df.where("t is not null"), tmp_path)
    columns = ["u", "unix_micros(t)", "cast(n as string)", "datediff(d, date'1970-01-01')"]
    for zone in ("UTC", "Europe/Berlin", "America/Los_Angeles"):
        with settings(spark, spark__sql__session__timeZone=zone):
            assert len(assert_equal(spark, path, *columns)) >= 20


@contextmanager
def java_zone(spark: SparkSession, name: str) -> Iterator[None]:
    """Has Java be in a time zone for a while."""
    zones = spark._jvm.java.util.TimeZone
    before = zones.getDefault()
    zones.setDefault(zones.getTimeZone(name))
    try:
        yield
    finally:
        zones.setDefault(before)


def test_time_zones_of_java(spark: SparkSession, tmp_path: Path) -> None:
    # Both hours of the night in which clocks are set back, and years of other rules.
    instants = "timestamp_seconds(1729987200 + id * 600 - (id % 7) * 300000000)"

    def query() -> DataFrame:
        return spark.read.orc(path).select("id", F.unix_micros("t"))

    with java_zone(spark, "Europe/Berlin"):
        path = written(spark.range(200).selectExpr("id", f"{instants} as t"), tmp_path)
        native, expected = both_answers(spark, query)
        assert in_order(native) == in_order(expected)
        assert (0, 1729987200 * 10**6) in native
        df = query()
        df.collect()
        assert REVERTED not in explained(df)
        old = written(spark.sql("select 1L id, timestamp'1880-01-01 00:00:00' t"), tmp_path / "old")
        assert_left_to_spark(
            spark, lambda: spark.read.orc(old), "timestamps before 1900 in the time zone Europe/Berlin"
        )
    assert_left_to_spark(spark, query, "timestamps of the time zone Europe/Berlin read in")


def test_files_of_pyarrow(spark: SparkSession, tmp_path: Path) -> None:
    randomness = random.Random(SEED)
    n = 5000
    numbers = [randomness.choice([None, i, randomness.randrange(-(2**63), 2**63)]) for i in range(n)]
    epoch = datetime.datetime(1990, 1, 1)
    table = pa.table(
        {
            "big": pa.array(numbers, pa.int64()),
            "tiny": pa.array([None if x is None else x % 100 for x in numbers], pa.int8()),
            "flag": pa.array([None if x is None else x % 3 == 0 for x in numbers], pa.bool_()),
            "x": pa.array([None if x is None else x / 7 for x in numbers], pa.float64()),
            "r": pa.array([None if x is None else x / 7 for x in numbers], pa.float32()),
            "word": pa.array([None if x is None else f"word {x % 9}" for x in numbers], pa.string()),
            "bytes": pa.array([None if x is None else bytes([x % 256]) * (x % 20) for x in numbers], pa.binary()),
            "d": pa.array(
                [None if x is None else decimal.Decimal(x % 10**9) / 100 for x in numbers], pa.decimal128(12, 2)
            ),
            "w": pa.array([None if x is None else decimal.Decimal(x) for x in numbers], pa.decimal128(38, 0)),
            "day": pa.array(
                [None if x is None else datetime.date(2000, 1, 1) + datetime.timedelta(x % 9999) for x in numbers],
                pa.date32(),
            ),
            "t": pa.array(
                [None if x is None else epoch + datetime.timedelta(microseconds=x % 10**15) for x in numbers],
                pa.timestamp("ns"),
            ),
            "list": pa.array([None if x is None else [x, None][: x % 3] for x in numbers], pa.list_(pa.int64())),
        }
    )
    for codec in ("uncompressed", "zlib", "snappy", "lz4", "zstd"):
        file = tmp_path / f"{codec}.orc"
        orc.write_table(table, file, compression=codec, stripe_size=65536, dictionary_key_size_threshold=0.5)
        assert len(assert_equal(spark, str(file))) == n


def test_columns_without_names(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "hive.orc"
    orc.write_table(pa.table({"_col0": [1, 2], "_col1": ["a", "b"]}), file)
    rows = assert_left_to_spark(
        spark, lambda: spark.read.schema("n long, s string").orc(str(file)), "an ORC file without names of columns"
    )
    assert rows == [(1, "a"), (2, "b")]


def test_types_that_spark_converts(spark: SparkSession, tmp_path: Path) -> None:
    path = written(all_types(spark, 50), tmp_path)
    for schema in ["number string", "big int", "amount decimal(20, 5)", "single double"]:
        assert_left_to_spark(spark, partial(spark.read.schema(schema).orc, path), "reading ORC's type")


def test_hadoops_settings(spark: SparkSession, tmp_path: Path) -> None:
    path = written(all_types(spark, 50).select("id", "flag"), tmp_path)
    with settings(spark, orc__force__positional__evolution="true"):
        df = spark.read.schema("a long, b boolean").orc(path)
        assert_spark(df)
        assert "orc.force.positional.evolution" in explained(df)
        assert df.count() == 50
    with settings(spark, orc__stripe__size="100000"):
        assert_equal(spark, path)


def test_maps_of_rows(spark: SparkSession, tmp_path: Path) -> None:
    path = written(nested(spark, 200), tmp_path)
    with settings(spark, spark__sql__orc__enableVectorizedReader="false"):
        assert_equal(spark, path, "id", "s", "list")
        assert_left_to_spark(spark, lambda: spark.read.orc(path).select("m"), "a map that is not read in batches")


def test_tables(spark: SparkSession) -> None:
    spark.sql("create table chars (c char(5), v varchar(5), n int) using orc tblproperties ('orc.compress' = 'zlib')")
    try:
        with plain(spark):
            spark.sql("insert into chars values ('ab', 'ab', 1), ('é', null, 2), (null, 'abcde', 3)")
            spark.sql("alter table chars add columns (added bigint)")
        for sql in ["select c, v, n, added from chars", "select n from chars where c = 'ab' and v = 'ab'"]:
            native, expected = both_answers(spark, lambda sql=sql: spark.sql(sql))
            assert in_order(native) == in_order(expected)
    finally:
        spark.sql("drop table chars")


def test_files_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    path = written(all_types(spark, 10).where("id < 0"), tmp_path)
    schema = "id long, word string"
    assert assert_equal(spark, path, schema=schema) == []
    (Path(path) / "empty.orc").write_bytes(b"")
    assert assert_equal(spark, path, schema=schema) == []


COLUMNS = ["id", "number", "word", "text", "amount", "double", "day", "recent", "flag", "tiny", "bytes"]


@pytest.fixture
def copied(spark: SparkSession, tmp_path: Path) -> Path:
    written(all_types(spark, 2000).select(*COLUMNS), tmp_path, compression="none")
    folder = tmp_path / "table"
    for checksum in folder.glob(".*.crc"):
        checksum.unlink()
    return folder


def outcome(df: DataFrame) -> list | str:
    """Returns the rows, or the message of the error."""
    rows = None
    try:
        rows = df.collect()
    except Exception:
        return failure(df.collect).message
    return in_order(rows)


def assert_as_it_must(spark: SparkSession, query: Query, victim: Path) -> str:
    """Fails unless damage shows as it must; returns how it showed."""
    df = query()
    assert_native(df)
    native = outcome(df)
    if REVERTED in explained(df):
        assert victim.name in explained(df).split(REVERTED)[1]
        return "Spark ran it"
    assert not isinstance(native, str), native
    with plain(spark):
        expected = outcome(query())
    if isinstance(expected, str):
        return "rows of a file that Spark cannot read"
    assert native == expected
    return "same rows as Spark's"


@pytest.mark.parametrize("cut", [1, 8, 100, 2000, 100000])
def test_truncated(spark: SparkSession, copied: Path, cut: int) -> None:
    df = spark.read.orc(str(copied))
    df.collect()
    (victim,) = copied.glob("*.orc")
    data = victim.read_bytes()
    victim.write_bytes(data[: max(len(data) - cut, 0)])
    assert isinstance(outcome(df), str) or len(data) <= cut


def test_flipped_bytes(spark: SparkSession, copied: Path, record_property) -> None:
    (victim,) = copied.glob("*.orc")
    data = victim.read_bytes()
    whole = spark.read.orc(str(copied))
    # Damaged texts need not be any.
    columns = [
        f"cast({name} as binary) {name}" if kind == "string" else shown((name, kind)) for name, kind in whole.dtypes
    ]
    randomness = random.Random(SEED)
    seen: dict[str, int] = {}
    for _ in range(60):
        position = randomness.randrange(len(data))
        damaged = bytearray(data)
        damaged[position] ^= randomness.randrange(1, 256)
        victim.write_bytes(damaged)
        print(f"byte {position} of {len(data)} is {damaged[position]} instead of {data[position]}, seed {SEED}")
        how = assert_as_it_must(
            spark, lambda: spark.read.schema(whole.schema).orc(str(copied)).selectExpr(*columns), victim
        )
        seen[how] = seen.get(how, 0) + 1
    assert seen["Spark ran it"] > 0
    record_property("figure", "60 flips: " + ", ".join(f"{how} {count}×" for how, count in seen.items()))


def test_no_orc_file(spark: SparkSession, copied: Path) -> None:
    schema = spark.read.orc(str(copied)).schema
    (victim,) = copied.glob("*.orc")
    shutil.copy(victim, copied / "zzz.orc")
    (copied / "zzz.orc").write_bytes(b"no ORC file" * 100)
    df = spark.read.schema(schema).orc(str(copied))
    assert_native(df)
    assert "zzz.orc" in str(outcome(df))
