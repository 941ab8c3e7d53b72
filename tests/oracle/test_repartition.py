"""Numbers of partitions that a program asks for, over native queries and below writes: Spark's own, row by row."""

from pathlib import Path

import pytest
from oracle import assert_equal_rows, assert_native, explained, last_execution, operators, plain, settings
from pyarrow import parquet
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import LongType

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


@pytest.fixture(scope="module")
def numbered(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    folder = str(tmp_path_factory.mktemp("numbered") / "t")
    with plain(spark):
        spark.sql(GROUPS).limit(500).write.parquet(folder)
    return spark.read.parquet(folder)


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


@f.udf(LongType())
def as_python(value: int) -> int:
    return value


UNIONS = {
    "partitions": (7, lambda even, odd: even.repartition(3, "k").union(odd.repartition(4, "k"))),
    "order": (4, lambda even, odd: even.repartition(2).sortWithinPartitions("k").union(odd.repartition(2))),
    "Python above": (7, lambda even, odd: even.repartition(3).union(odd.repartition(4)).select(as_python("k"), "n")),
}


@pytest.mark.parametrize("shape", UNIONS)
def test_files_of_a_union(spark: SparkSession, tmp_path: Path, shape: str) -> None:
    """Each of Spark's partitions has a file, in its order."""
    count, united = UNIONS[shape]

    def files(name: str) -> list[list]:
        rows = spark.sql(GROUPS)
        united(rows.where("k % 2 = 0"), rows.where("k % 2 = 1")).write.parquet(str(tmp_path / name))
        return [parquet.read_table(path)[0].to_pylist() for path in sorted((tmp_path / name).glob("*.parquet"))]

    found = files("t")
    assert "* HashAggregate" in last_execution(spark)
    with plain(spark):
        expected = files("expected")
    assert len(found) == len(expected) == count
    assert [key == sorted(key) for key in found] == [key == sorted(key) for key in expected]
    assert sorted(sum(found, [])) == sorted(sum(expected, []))


SINGLE = {
    "coalesce": lambda df: df.where("k % 3 = 0").coalesce(1),
    "repartition": lambda df: df.repartition(1),
    "sorted": lambda df: df.orderBy(f.desc("k"), "mode").coalesce(1),
    "grouped": lambda df: df.coalesce(1).groupBy("mode").agg(f.sum("total").alias("t"), f.min("k").alias("k")),
}


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("shape", SINGLE)
def test_a_single_partition_is_native(spark: SparkSession, tmp_path: Path, shape: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = SINGLE[shape](spark.sql(GROUPS))
        assert df.rdd.getNumPartitions() == 1
        df.write.parquet(str(tmp_path / "t"))
        assert_native(df)
        with plain(spark):
            expected = SINGLE[shape](spark.sql(GROUPS)).collect()
    assert len(list((tmp_path / "t").glob("*.parquet"))) == 1
    with plain(spark):
        written = spark.read.parquet(str(tmp_path / "t")).collect()
    assert written == expected if shape == "sorted" else sorted(written) == sorted(expected)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_partitions_that_nobody_sees_are_not_made(spark: SparkSession, adaptive: str) -> None:
    lines = ["l_orderkey as k", "l_linenumber as n", "l_quantity as q"]
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert_equal_rows(
            spark, lambda: spark.table("lineitem").selectExpr(*lines).repartition(9).groupBy("n").agg(f.sum("q"))
        )
        assert_equal_rows(
            spark,
            lambda: spark.table("lineitem").selectExpr(*lines).coalesce(3).orderBy("k", "n", "q").where("k < 1000"),
            ordered=True,
        )


@pytest.mark.parametrize(
    "query",
    [
        lambda df: df.repartition(3, "k").groupBy("k").count(),
        lambda df: df.repartition(3).groupBy("k").agg(f.first("mode")),
        lambda df: df.repartition(3).limit(5),
        lambda df: df.coalesce(3).select("k"),
    ],
)
def test_partitions_that_show_are_sparks(spark: SparkSession, numbered: DataFrame, query) -> None:
    df = query(numbered)
    df.collect()
    assert "a repartition that the program asks for, whose partitions are Spark's" in explained(df)


def test_folders_of_a_partitioning(spark: SparkSession, tmp_path: Path) -> None:
    """Rows of a folder that are in one partition make one file."""
    spark.sql(GROUPS).repartition(3, "mode").write.partitionBy("mode").parquet(str(tmp_path / "t"))
    folders = [path for path in (tmp_path / "t").iterdir() if path.is_dir()]
    assert len(folders) == 7
    assert all(len(list(folder.glob("*.parquet"))) == 1 for folder in folders)


@pytest.mark.parametrize("columns", [["k"], ["mode", "n"]])
def test_folders_have_as_many_files_as_partitions(spark: SparkSession, tmp_path: Path, columns: list[str]) -> None:
    for name in ("native", "plain"):
        with settings(spark, spark__accelerant__enabled=str(name == "native").lower()):
            rows = spark.sql(GROUPS).repartition(5, *columns)
            rows.write.partitionBy("mode").parquet(str(tmp_path / name))
    counts = [len(list((tmp_path / name).glob("*/*.parquet"))) for name in ("native", "plain")]
    assert counts[0] == counts[1] > 7


@pytest.mark.parametrize("order", [[], ["l_shipdate", "l_orderkey"]])
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_write_into_folders_of_a_repartition_is_native(
    spark: SparkSession, tmp_path: Path, adaptive: str, order: list[str]
) -> None:
    """As engineers write it for one file a day."""
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        lines = spark.table("lineitem").where("l_shipdate < '1993-01-01'").select("l_shipdate", "l_orderkey", "l_tax")
        parted = lines.repartition("l_shipdate")
        parted = parted.sortWithinPartitions(*order) if order else parted
        parted.write.partitionBy("l_shipdate").parquet(str(tmp_path / "t"))
        assert "* WriteFiles" in last_execution(spark)
        with plain(spark):
            written = spark.read.parquet(str(tmp_path / "t"))
            days = lines.select("l_shipdate").distinct().count()
            assert written.count() == lines.count()
            assert written.agg(f.sum("l_orderkey"), f.sum("l_tax")).collect() == (
                lines.agg(f.sum("l_orderkey"), f.sum("l_tax")).collect()
            )
    files = list((tmp_path / "t").glob("*/*.parquet"))
    assert len(files) == days
    keys = [parquet.ParquetFile(file).read(["l_orderkey"])["l_orderkey"].to_pylist() for file in files]
    assert not order or all(each == sorted(each) for each in keys)
