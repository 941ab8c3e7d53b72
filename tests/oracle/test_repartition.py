"""Numbers of partitions that a program asks for, over native queries and below writes: Spark's own, row by row."""

from pathlib import Path

import pytest
from oracle import operators, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from accelerant import tpch

pytestmark = pytest.mark.spark41

GROUPS = (
    "select l_suppkey as k, l_shipmode as mode, sum(l_quantity) as total, count(*) as n from lineitem "
    "group by l_suppkey, l_shipmode"
)

SHAPES = {
    "n": lambda df: df.repartition(7),
    "by keys": lambda df: df.repartition(6, "k"),
    "by a string and an expression": lambda df: df.repartition(5, "mode", f.expr("k % 10")),
    "by range": lambda df: df.repartitionByRange(4, "k", "mode"),
    "coalesce": lambda df: df.repartition(6, "k").coalesce(2),
}
# Those in which a row's place follows from its values.
PLACED = ("by keys", "by a string and an expression", "coalesce")


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(0.1)["lineitem"])).createOrReplaceTempView("lineitem")


def places(df: DataFrame) -> list[tuple]:
    """Returns each row with the partition that it is in."""
    return sorted(map(tuple, df.select("k", "mode", "total", "n", f.spark_partition_id()).collect()))


def count_of(shape: str) -> int:
    return {"n": 7, "by keys": 6, "by a string and an expression": 5, "by range": 4, "coalesce": 2}[shape]


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("shape", SHAPES)
def test_partitions(spark: SparkSession, shape: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = SHAPES[shape](spark.sql(GROUPS))
        found = places(df)
        assert df.rdd.getNumPartitions() == count_of(shape)
        assert any(name.startswith("Native") for name in operators(df))
        with plain(spark):
            expected = places(SHAPES[shape](spark.sql(GROUPS)))
    assert {row[-1] for row in found} == {row[-1] for row in expected} == set(range(count_of(shape)))
    assert [row[:-1] for row in found] == [row[:-1] for row in expected]
    if shape in PLACED:
        assert found == expected


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("shape", SHAPES)
def test_files(spark: SparkSession, tmp_path: Path, shape: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        SHAPES[shape](spark.sql(GROUPS)).write.parquet(str(tmp_path / "t"))
        with plain(spark):
            SHAPES[shape](spark.sql(GROUPS)).write.parquet(str(tmp_path / "expected"))
    files = sorted((tmp_path / "t").glob("*.parquet"))
    assert len(files) == count_of(shape)
    with plain(spark):
        keys = [
            {(row.k, row.mode) for row in spark.read.parquet(str(path)).select("k", "mode").collect()} for path in files
        ]
        expected = {tuple(row) for row in spark.read.parquet(str(tmp_path / "expected")).select("k", "mode").collect()}
    assert set().union(*keys) == expected
    assert sum(map(len, keys)) == len(expected)
    if shape == "by keys":
        suppliers = [{k for k, _ in part} for part in keys]
        assert sum(map(len, suppliers)) == len(set().union(*suppliers))
    if shape == "by range":
        assert all(max(a) < min(b) for a, b in zip(keys, keys[1:], strict=False))


def test_coalesce_of_a_native_query(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.sql(GROUPS).coalesce(1)
    assert df.rdd.getNumPartitions() == 1
    df.write.parquet(str(tmp_path / "t"))
    assert len(list((tmp_path / "t").glob("*.parquet"))) == 1
    with plain(spark):
        assert spark.read.parquet(str(tmp_path / "t")).count() == spark.sql(GROUPS).count()


def test_folders_of_a_partitioning(spark: SparkSession, tmp_path: Path) -> None:
    """Rows of a folder that are in one partition make one file."""
    spark.sql(GROUPS).repartition(3, "mode").write.partitionBy("mode").parquet(str(tmp_path / "t"))
    folders = [path for path in (tmp_path / "t").iterdir() if path.is_dir()]
    assert len(folders) == 7
    assert all(len(list(folder.glob("*.parquet"))) == 1 for folder in folders)
