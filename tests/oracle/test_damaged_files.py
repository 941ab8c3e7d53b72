"""Files that changed under a planned query: the error names the file, or Spark runs the query and says so itself."""

import random
import shutil
from pathlib import Path

import pytest
from oracle import assert_native, explained, failure, normalised, plain, settings
from pyspark.sql import DataFrame, Row, SparkSession

SEED = 20251121
REVERTED = "reverted to Spark: "
COLUMNS = ["id", "s", "d", "x"]


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of several types and encodings, made once; tests damage copies."""
    target = tmp_path_factory.mktemp("whole") / "table"
    columns = ["id", "concat('word ', id % 50) as s", "cast(id as decimal(12,2)) as d", "id / 7 as x"]
    with plain(spark):
        spark.range(0, 4000, 1, 2).selectExpr(*columns).write.parquet(str(target))
    return target


@pytest.fixture
def copied(table: Path, tmp_path: Path) -> Path:
    target = tmp_path / "table"
    shutil.copytree(table, target)
    for checksum in target.glob(".*.crc"):
        checksum.unlink()
    return target


def planned(spark: SparkSession, folder: Path) -> DataFrame:
    df = spark.read.parquet(str(folder)).select(*COLUMNS)
    assert_native(df)
    return df


def outcome(df: DataFrame) -> list[Row] | str:
    """Returns the rows, or the message of the error."""
    rows: list[Row] = []
    try:
        rows = df.collect()
    except Exception:
        return failure(df.collect).message
    return rows


def assert_as_it_must(spark: SparkSession, df: DataFrame, victim: Path, whole: list[tuple]) -> str:
    """Fails unless the damage shows as it must; returns how it showed."""
    native = outcome(df)
    if isinstance(native, str):
        assert victim.name in native, native
        return "the error names the file"
    with plain(spark):
        expected = outcome(spark.read.schema(df.schema).parquet(str(victim.parent)).select(*COLUMNS))
    if REVERTED in explained(df):
        return "Spark ran it"
    if isinstance(expected, str):
        assert normalised(native) == whole, f"rows from a file that Spark cannot read: {expected}"
        return "the damage was not read"
    assert normalised(native) == normalised(expected)
    return "same rows as Spark's"


@pytest.mark.parametrize("cut", [1, 8, 100, 2000, 100000])
def test_truncated(spark: SparkSession, copied: Path, cut: int) -> None:
    df = planned(spark, copied)
    whole = normalised(df.collect())
    victim = sorted(copied.glob("*.parquet"))[0]
    data = victim.read_bytes()
    victim.write_bytes(data[: max(len(data) - cut, 0)])
    assert assert_as_it_must(spark, df, victim, whole) == "the error names the file"


def test_emptied_and_removed(spark: SparkSession, copied: Path) -> None:
    victim = sorted(copied.glob("*.parquet"))[1]
    df = planned(spark, copied)
    whole = normalised(df.collect())
    victim.write_bytes(b"")
    assert assert_as_it_must(spark, df, victim, whole) == "the error names the file"
    victim.unlink()
    assert assert_as_it_must(spark, df, victim, whole) == "the error names the file"


def test_flipped_bytes(spark: SparkSession, copied: Path, record_property) -> None:
    victim = sorted(copied.glob("*.parquet"))[0]
    data = victim.read_bytes()
    df = planned(spark, copied)
    whole = normalised(df.collect())
    randomness = random.Random(SEED)
    seen: dict[str, int] = {}
    for _ in range(60):
        position = randomness.randrange(len(data))
        damaged = bytearray(data)
        damaged[position] ^= randomness.randrange(1, 256)
        victim.write_bytes(damaged)
        print(f"byte {position} of {len(data)} is {damaged[position]} instead of {data[position]}, seed {SEED}")
        how = assert_as_it_must(spark, planned_again(spark, df, copied), victim, whole)
        seen[how] = seen.get(how, 0) + 1
    assert seen["the error names the file"] > 0
    record_property("figure", "60 flips: " + ", ".join(f"{how} {count}×" for how, count in seen.items()))


def planned_again(spark: SparkSession, df: DataFrame, folder: Path) -> DataFrame:
    """Plans with the schema that the undamaged files had: the footer that Spark would read may be the damaged one."""
    found = spark.read.schema(df.schema).parquet(str(folder)).select(*COLUMNS)
    assert_native(found)
    return found


@pytest.mark.parametrize(
    "columns",
    [
        ["cast(id as int) as id", "s", "d", "x"],
        ["id", "id as s", "d", "x"],
        ["id", "s", "cast(d as decimal(38, 10)) as d", "x"],
        ["id", "s", "cast(d as double) as d", "x"],
        ["id", "s", "d", "cast(x as float) as x"],
        ["id", "array(s) as s", "d", "x"],
        ["id", "s"],
    ],
)
def test_another_schema_appears(spark: SparkSession, copied: Path, tmp_path: Path, columns: list[str]) -> None:
    df = planned(spark, copied)
    other = tmp_path / "other"
    with plain(spark):
        spark.read.parquet(str(copied)).selectExpr(*columns).coalesce(1).write.parquet(str(other))
    intruder = sorted(copied.glob("*.parquet"))[0]
    shutil.copy(next(other.glob("*.parquet")), intruder)
    native = outcome(df)
    with plain(spark):
        expected = outcome(spark.read.schema(df.schema).parquet(str(copied)).select(*COLUMNS))
    if isinstance(native, str):
        assert intruder.name in native, native
    elif REVERTED not in explained(df):
        assert not isinstance(expected, str), expected
        assert normalised(native) == normalised(expected)
    else:
        assert intruder.name in explained(df).split(REVERTED)[1]


def test_limit_before_a_file_without_a_footer(spark: SparkSession, copied: Path) -> None:
    last = min(copied.glob("*.parquet"), key=lambda path: path.stat().st_size)
    df = planned(spark, copied).limit(3)
    last.write_bytes(b"no Parquet file" * 100)
    found = df.collect()
    assert last.name in explained(df).split(REVERTED)[1]
    with plain(spark):
        expected = spark.read.schema(df.schema).parquet(str(copied)).select(*COLUMNS).limit(3).collect()
    assert normalised(found) == normalised(expected)


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_limit_before_the_damage(spark: SparkSession, copied: Path, batch_rows: str) -> None:
    # Spark reads the larger file first, and asks for no more.
    last = min(copied.glob("*.parquet"), key=lambda path: path.stat().st_size)
    df = planned(spark, copied).limit(3)
    data = last.read_bytes()
    last.write_bytes(data[:50] + bytes(len(data) // 2) + data[50 + len(data) // 2 :])
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        found = df.collect()
    assert REVERTED not in explained(df)
    with plain(spark):
        expected = spark.read.schema(df.schema).parquet(str(copied)).select(*COLUMNS).limit(3).collect()
    assert normalised(found) == normalised(expected)


@pytest.mark.parametrize("name", ["parquet", "orc", "csv", "json", "text"])
def test_vanished(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """Spark says so, with its condition, as it takes over."""
    with plain(spark):
        spark.range(9).selectExpr("string(id) as value").coalesce(1).write.format(name).save(str(tmp_path / "t"))
    reader = spark.read.schema("value string").format(name)
    df, other = (reader.load(str(tmp_path / "t")).where("value > 3").groupBy("value").count() for _ in range(2))
    assert_native(df)
    for file in (tmp_path / "t").glob("part-*"):
        file.unlink()
    failed = failure(df.collect)
    assert "[FAILED_READ_FILE.FILE_NOT_EXIST]" in failed.message
    with plain(spark):
        assert failed == failure(other.collect)
