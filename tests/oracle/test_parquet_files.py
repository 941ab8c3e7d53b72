"""Parquet files of several writers with many settings: native rows equal those of plain Spark and of pyarrow."""

import datetime
import decimal
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle import assert_equal_rows, assert_native, explained, normalised, plain, settings
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, functions

pytestmark = pytest.mark.spark41

SEED = 20261122
ROWS = 3000
EPOCH = datetime.datetime(1970, 1, 1)

# Every flat type that pyarrow writes and Spark reads, with a value for a small number.
VALUES: dict[str, tuple[pa.DataType, Callable[[int], object]]] = {
    "flag": (pa.bool_(), lambda i: i % 3 == 0),
    "tiny": (pa.int8(), lambda i: i % 256 - 128),
    "small": (pa.int16(), lambda i: i * 31 % 65536 - 32768),
    "number": (pa.int32(), lambda i: i * 1_000_003 % 2**32 - 2**31),
    "big": (pa.int64(), lambda i: i * 1_000_000_000_039 % 2**64 - 2**63),
    "ascending": (pa.int64(), lambda i: 10**12 + i * 3),
    "single": (pa.float32(), lambda i: i / 8),
    "double": (pa.float64(), lambda i: float("nan") if i % 11 == 0 else -0.0 if i % 13 == 0 else i / 7),
    "cents": (pa.decimal128(7, 2), lambda i: decimal.Decimal(i % 10**7) / 100),
    "amount": (pa.decimal128(15, 3), lambda i: decimal.Decimal(i * 7_919 - 10**9) / 1000),
    "huge": (pa.decimal128(38, 4), lambda i: decimal.Decimal(i) * 10**25 - 10**28),
    "word": (pa.string(), lambda i: f"word {i % 40}" if i % 5 else ""),
    "text": (pa.string(), lambda i: f"a text of some length, é, {i}" * (1 + i % 3)),
    "bytes": (pa.binary(), lambda i: bytes([i % 256, 255, 0]) * (i % 9)),
    "day": (pa.date32(), lambda i: datetime.date(1600, 1, 1) + datetime.timedelta(days=i * 37)),
    "instant": (pa.timestamp("us", "UTC"), lambda i: EPOCH + datetime.timedelta(microseconds=(i - 800) * 10**12 + i)),
    "local": (pa.timestamp("us"), lambda i: EPOCH + datetime.timedelta(microseconds=(i - 800) * 10**12 + i)),
}
NULLS = {"none": 0.0, "some": 0.1, "most": 0.97, "all": 1.0}


def table_of(nulls: str, names: list[str]) -> pa.Table:
    """Returns columns of random values in which runs, repeats and nulls occur."""
    randomness = random.Random(f"{SEED} {nulls}")
    columns = {}
    for name in names:
        kind, value = VALUES[name]
        rows: list[object] = []
        while len(rows) < ROWS:
            run = randomness.choice([1, 1, 1, 2, 40])
            i = len(rows) if name == "ascending" else randomness.randrange(2000)
            rows += [value(i)] * run
        kept = [None if randomness.random() < NULLS[nulls] else row for row in rows[:ROWS]]
        columns[name] = pa.array(kept, kind)
    fields = [pa.field(name, column.type, nulls != "none") for name, column in columns.items()]
    return pa.table(list(columns.values()), schema=pa.schema(fields))


def as_spark(value: object) -> object:
    """Returns a value of pyarrow as a row of Spark has it, in UTC."""
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None)
    return bytearray(value) if isinstance(value, bytes) else value


def assert_equal_to_all(spark: SparkSession, path: Path) -> None:
    """Fails unless a file's rows are the same natively, on plain Spark and in pyarrow."""
    native = assert_equal_rows(spark, lambda: spark.read.parquet(str(path)))
    expected = [tuple(map(as_spark, row.values())) for row in pq.read_table(path).to_pylist()]
    assert len(native) == ROWS
    assert normalised(native) == normalised(expected)


NAMES = list(VALUES)
INTEGERS = ["number", "big", "ascending"]
TEXTS = ["word", "text", "bytes"]

WRITINGS = {
    "defaults": {},
    "plain": {"use_dictionary": False},
    "version 2": {"data_page_version": "2.0"},
    "version 2, plain": {"data_page_version": "2.0", "use_dictionary": False},
    "version 1.0 of the format": {"version": "1.0"},
    "small pages": {"data_page_size": 200, "write_batch_size": 10},
    "small pages of version 2": {"data_page_size": 200, "write_batch_size": 10, "data_page_version": "2.0"},
    "small dictionaries": {"dictionary_pagesize_limit": 300, "data_page_size": 400, "write_batch_size": 20},
    "small row groups": {"row_group_size": 170},
    "page index": {"write_page_index": True, "data_page_size": 500, "write_batch_size": 50},
    "decimals as integers": {"store_decimal_as_integer": True},
    "decimals as plain integers": {"store_decimal_as_integer": True, "use_dictionary": False},
    "uncompressed": {"compression": "none"},
    "uncompressed version 2": {"compression": "none", "data_page_version": "2.0"},
    "gzip": {"compression": "gzip"},
    "zstd": {"compression": "zstd", "data_page_version": "2.0"},
    "lz4": {"compression": "lz4"},
}


@pytest.mark.parametrize("writing", WRITINGS)
def test_settings_of_pyarrow(spark: SparkSession, tmp_path: Path, writing: str) -> None:
    pq.write_table(table_of("some", NAMES), tmp_path / "table.parquet", **WRITINGS[writing])
    assert_equal_to_all(spark, tmp_path / "table.parquet")


@pytest.mark.parametrize("nulls", NULLS)
@pytest.mark.parametrize("dictionary", [True, False])
def test_densities_of_nulls(spark: SparkSession, tmp_path: Path, nulls: str, dictionary: bool) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(table_of(nulls, NAMES), path, use_dictionary=dictionary, data_page_size=600, write_batch_size=64)
    assert_equal_to_all(spark, path)


ENCODED = {
    "DELTA_BINARY_PACKED": INTEGERS,
    "DELTA_LENGTH_BYTE_ARRAY": TEXTS,
    "DELTA_BYTE_ARRAY": [*TEXTS, "huge"],
    "RLE": ["flag"],
}


def write_encoded(path: Path, encoding: str, names: list[str], nulls: str, page_version: str) -> None:
    pq.write_table(
        table_of(nulls, names),
        path,
        use_dictionary=False,
        column_encoding=dict.fromkeys(names, encoding),
        data_page_version=page_version,
        data_page_size=3000,
        write_batch_size=100,
    )


@pytest.mark.parametrize("page_version", ["1.0", "2.0"])
@pytest.mark.parametrize("nulls", ["none", "some"])
@pytest.mark.parametrize("encoding", ENCODED)
def test_encodings(spark: SparkSession, tmp_path: Path, encoding: str, nulls: str, page_version: str) -> None:
    path = tmp_path / "table.parquet"
    write_encoded(path, encoding, ENCODED[encoding], nulls, page_version)
    assert_equal_to_all(spark, path)


@pytest.mark.parametrize("page_version", ["1.0", "2.0"])
def test_split_streams(spark: SparkSession, tmp_path: Path, page_version: str) -> None:
    path = tmp_path / "table.parquet"
    write_encoded(path, "BYTE_STREAM_SPLIT", [*INTEGERS, "single", "double", "huge"], "some", page_version)
    if spark.version >= "4.3":
        assert_equal_to_all(spark, path)
        return
    # Lower versions of Spark refuse this encoding; the engine reads it.
    df = spark.read.parquet(str(path))
    expected = [tuple(map(as_spark, row.values())) for row in pq.read_table(path).to_pylist()]
    assert normalised(df.collect()) == normalised(expected)
    assert_native(df)


def test_int96(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(table_of("some", ["instant"]), path, use_deprecated_int96_timestamps=True)
    assert_equal_rows(spark, lambda: spark.read.parquet(str(path)))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "source.parquet"
    pq.write_table(table_of("some", NAMES), path)
    return path


SPARK_WRITINGS = {
    "defaults": {},
    "version 2": {"parquet.writer.version": "v2"},
    "version 2, no dictionary": {"parquet.writer.version": "v2", "parquet.enable.dictionary": "false"},
    "split streams": {"parquet.enable.bytestreamsplit": "true", "parquet.enable.dictionary": "false"},
    "no dictionary": {"parquet.enable.dictionary": "false"},
    "small pages": {"parquet.page.size": "500", "parquet.page.row.count.limit": "100"},
    "gzip": {"compression": "gzip"},
    "zstd": {"compression": "zstd"},
    "lz4raw": {"compression": "lz4_raw"},
    "uncompressed": {"compression": "none", "parquet.writer.version": "v2"},
    "Bloom filters": {"parquet.bloom.filter.enabled": "true", "parquet.block.row.count.limit": "500"},
}


def written_by_spark(spark: SparkSession, source: Path, target: Path, options: dict[str, str]) -> str:
    with plain(spark):
        spark.read.parquet(str(source)).coalesce(1).write.options(**options).parquet(str(target))
    return str(target)


@pytest.mark.parametrize("writing", SPARK_WRITINGS)
def test_settings_of_spark(spark: SparkSession, source: Path, tmp_path: Path, writing: str) -> None:
    if writing == "split streams" and spark.version < "4.3":
        pytest.skip("Spark reads BYTE_STREAM_SPLIT from 4.3 on")
    path = written_by_spark(spark, source, tmp_path / "table", SPARK_WRITINGS[writing])
    assert len(assert_equal_rows(spark, lambda: spark.read.parquet(path))) == ROWS


def test_hadoops_lz4_with_pages_of_several_chunks(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "table")
    with plain(spark):
        df = spark.range(100000).selectExpr("concat('a value of a large dictionary, ', id % 10000) as k")
        df.coalesce(1).write.option("compression", "lz4").parquet(path)
    assert_equal_rows(spark, lambda: spark.read.parquet(path).groupBy("k").count())


@pytest.mark.parametrize("output", ["INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"])
def test_legacy_forms_of_spark(spark: SparkSession, source: Path, tmp_path: Path, output: str) -> None:
    written = {"spark__sql__parquet__outputTimestampType": output, "spark__sql__parquet__writeLegacyFormat": "true"}
    with settings(spark, **written):
        path = written_by_spark(spark, source, tmp_path / "table", {})
    assert_equal_rows(spark, lambda: spark.read.parquet(path))


def test_calendar_of_old_sparks(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    legacy = {
        "spark__sql__parquet__datetimeRebaseModeInWrite": "LEGACY",
        "spark__sql__parquet__int96RebaseModeInWrite": "LEGACY",
    }
    with settings(spark, **legacy):
        path = written_by_spark(spark, source, tmp_path / "table", {})
    # All days are such that both calendars count alike, as the file shows; of instants it shows nothing.
    assert_equal_rows(spark, lambda: spark.read.parquet(path).select("day", "number"))
    df = spark.read.parquet(path).select("day", "instant")
    rows = df.collect()
    assert "dates of the old hybrid calendar" in explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(spark.read.parquet(path).select("day", "instant").collect())


def outcome_of(df: DataFrame) -> object:
    """Returns a query's rows, or the condition that it fails with."""
    try:
        return df.collect()
    except PySparkException as error:
        return error.getCondition()


@pytest.mark.parametrize("mode", ["LEGACY", "EXCEPTION", "CORRECTED"])
@pytest.mark.parametrize("by", ["settings", "options"])
def test_modes_of_calendars(spark: SparkSession, source: Path, tmp_path: Path, by: str, mode: str) -> None:
    """What Spark wrote says by which calendar; files of others are read as the mode says."""
    names = ["datetimeRebaseMode", "int96RebaseMode"]
    changes = {f"spark__sql__parquet__{name}InRead": mode for name in names} if by == "settings" else {}
    options = dict.fromkeys(names, mode) if by == "options" else {}
    path = written_by_spark(spark, source, tmp_path / "table", {})

    def read(table: str) -> DataFrame:
        return spark.read.options(**options).parquet(table).select("day", "instant")

    for year in (2020, 1500):
        instant = datetime.datetime(year, 2, 28, tzinfo=datetime.UTC)
        pq.write_table(pa.table({"day": [instant.date()], "instant": [instant]}), tmp_path / f"{year}.parquet")
    with settings(spark, **changes):
        assert_equal_rows(spark, lambda: read(path))
        assert_equal_rows(spark, lambda: read(str(tmp_path / "2020.parquet")))
        df = read(str(tmp_path / "1500.parquet"))
        mine = outcome_of(df)
        reason = "dates of a file that names no version of Spark, by another mode than CORRECTED"
        assert (reason in explained(df)) == (mode != "CORRECTED")
        with plain(spark):
            assert mine == outcome_of(read(str(tmp_path / "1500.parquet")))


# What depends on the values of all columns, and on which rows they are in, and is computed on a device.
DIGESTS = [
    "sum(case when flag then tiny else small end)",
    "sum(number * 3 % 1000)",
    "sum(big % 1000003)",
    "max(ascending)",
    "sum(case when word = 'word 3' then ascending end)",
    "min(single)",
    "max(case when flag then single end)",
    "count(case when double > 100 then 1 when double <= 100 then null end)",
    "sum(cents * 2)",
    "sum(amount)",
    "sum(huge)",
    "sum(length(word))",
    "count(case when text like '%7%' then 1 end)",
    "sum(length(bytes) * small)",
    "sum(datediff(day, date'2000-01-01'))",
    "min(instant)",
    "max(case when local > timestamp_ntz'1980-01-01' then number end)",
    *(f"count({name})" for name in NAMES),
]


def assert_equal_on_a_device(spark: SparkSession, path: str) -> None:
    """Fails unless an emulated device takes in all row groups and finds the values of plain Spark in every column."""
    emulated = {"spark__accelerant__device": "emu", "spark__accelerant__strict": "true"}
    with settings(spark, spark__sql__ansi__enabled="false", **emulated):
        assert_equal_rows(spark, lambda: spark.read.parquet(path).selectExpr(*DIGESTS))


@pytest.mark.parametrize("writing", ["version 2, plain", "small dictionaries", "decimals as plain integers"])
def test_settings_of_pyarrow_on_a_device(spark: SparkSession, tmp_path: Path, writing: str) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(table_of("some", NAMES), path, **WRITINGS[writing])
    assert_equal_on_a_device(spark, str(path))


@pytest.mark.parametrize("nulls", ["none", "all"])
def test_densities_of_nulls_on_a_device(spark: SparkSession, tmp_path: Path, nulls: str) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(table_of(nulls, NAMES), path, data_page_size=600, write_batch_size=64)
    assert_equal_on_a_device(spark, str(path))


@pytest.mark.parametrize("writing", ["defaults", "version 2"])
def test_settings_of_spark_on_a_device(spark: SparkSession, source: Path, tmp_path: Path, writing: str) -> None:
    assert_equal_on_a_device(spark, written_by_spark(spark, source, tmp_path / "table", SPARK_WRITINGS[writing]))


DUCKDB_WRITINGS = {
    "defaults": "",
    "version 2": ", parquet_version v2",
    "small row groups": ", row_group_size 2048, compression zstd",
    "small dictionaries": ", dictionary_size_limit 10, compression gzip",
    "uncompressed": ", compression uncompressed, parquet_version v2",
    "lz4": ", compression lz4_raw",
}


@pytest.mark.parametrize("writing", DUCKDB_WRITINGS)
def test_settings_of_duckdb(spark: SparkSession, source: Path, tmp_path: Path, writing: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is installed beside the newest Spark only")
    path = tmp_path / "table.parquet"
    columns = ", ".join(NAMES)
    duckdb.sql(f"copy (select {columns} from '{source}') to '{path}' (format parquet{DUCKDB_WRITINGS[writing]})")
    assert_equal_to_all(spark, path)


POLARS_WRITINGS = {
    "defaults": {},
    "snappy": {"compression": "snappy"},
    "small pages": {"data_page_size": 300, "statistics": "full"},
    "small row groups": {"row_group_size": 100, "compression": "gzip"},
    "lz4": {"compression": "lz4"},
    "uncompressed": {"compression": "uncompressed"},
}


@pytest.mark.parametrize("writing", POLARS_WRITINGS)
def test_settings_of_polars(spark: SparkSession, source: Path, tmp_path: Path, writing: str) -> None:
    polars = pytest.importorskip("polars", reason="Polars is installed beside the newest Spark only")
    path = tmp_path / "table.parquet"
    polars.read_parquet(source).write_parquet(path, **POLARS_WRITINGS[writing])
    assert_equal_to_all(spark, path)


def test_filters_on_every_column(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(table_of("some", NAMES), path, write_page_index=True, data_page_size=500, write_batch_size=50)

    def filtered(name: str, value: object) -> DataFrame:
        df = spark.read.parquet(str(path))
        return df.where(df[name] == functions.lit(value))

    for name in NAMES:
        with plain(spark):
            value = spark.read.parquet(str(path)).where(f"{name} is not null").first()[name]
        assert assert_equal_rows(spark, partial(filtered, name, value)), name


def test_bloom_filters(spark: SparkSession, source: Path, tmp_path: Path) -> None:
    path = written_by_spark(spark, source, tmp_path / "table", SPARK_WRITINGS["Bloom filters"])
    with plain(spark):
        row = spark.read.parquet(path).where("number is not null and big is not null and text is not null").first()
    conditions = [
        f"number = {row.number}",
        f"number = {row.number + 1}",
        f"big in ({row.big}, 17)",
        "big in (17, 18)",
        f"text = '{row.text}'",
        "text = 'none such'",
        "day = date'1600-01-01'",
    ]
    for condition in conditions:
        assert_equal_rows(spark, lambda condition=condition: spark.read.parquet(path).where(condition))


@pytest.mark.parametrize("name", ["parquet", "orc", "json"])
def test_options_of_other_formats(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """People set what CSV files ask for on every reader."""
    options = {"header": True, "inferSchema": "true", "sep": ";", "nullValue": "0", "quote": "'"}
    if name != "json":
        options |= {"multiLine": True, "mode": "FAILFAST", "encoding": "latin1", "dateFormat": "yy"}
    with plain(spark):
        spark.range(9).selectExpr("id", "string(id) as s").write.format(name).save(str(tmp_path / "rows"))
    read = spark.read.schema("id long, s string").options(**options).format(name)
    assert_equal_rows(spark, lambda: read.load(str(tmp_path / "rows")).where("id > 3"))
