"""Every way a result leaves a native query."""

import time
from pathlib import Path

import pytest
from oracle import assert_equal_rows, assert_native, explained, operators, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

ALL = "select * from numbers"
SOME = "select id, s, d from numbers where id < 4000 and n > 1"


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_all_types_in_file_order(spark: SparkSession, numbers: DataFrame, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        rows = assert_equal_rows(spark, lambda: spark.sql(ALL + " where id >= 0"), ordered=True)
    assert len(rows) == 5550


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_plans_with_and_without_adaptive_execution(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert_equal_rows(spark, lambda: spark.sql("select n, sum(d), count(*) from numbers where id > 7 group by n"))
        assert_equal_rows(spark, lambda: spark.sql(SOME), ordered=True)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("keys", [[], ["n"]], ids=["all", "n"])
def test_groups_reach_pandas_whole(spark: SparkSession, numbers: DataFrame, adaptive: str, keys: list[str]) -> None:
    def sizes() -> DataFrame:
        groups = spark.sql("select n, x from numbers where id >= 0").groupBy(*keys)
        return groups.applyInPandas(lambda frame: frame.iloc[:1][[]].assign(size=len(frame)), "size long")

    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert "NativeFilter" in explained(sizes())
        native = sorted(sizes().collect())
        with plain(spark):
            assert native == sorted(sizes().collect())


@pytest.mark.parametrize("sensitive", ["false", "TRUE", " True "])
def test_case_of_column_names(spark: SparkSession, tmp_path: Path, sensitive: str) -> None:
    with plain(spark):
        spark.range(3).selectExpr("id as A", "id as b").write.parquet(str(tmp_path / "t"))
    with settings(spark, spark__sql__caseSensitive=sensitive):
        reader = spark.read.schema("a long, b long")
        assert_equal_rows(spark, lambda: reader.parquet(str(tmp_path / "t")).where("b >= 0"))


def test_first_and_last_rows(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SOME)
    rows = df.collect()
    assert df.take(5) == rows[:5]
    assert df.head() == rows[0]
    assert df.tail(4) == rows[-4:]
    assert spark.sql(SOME + " limit 7").collect() == rows[:7]
    assert df.take(0) == []


def test_a_second_action_runs_again(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SOME)
    assert df.collect() == df.collect()
    assert df.rdd.count() == df.rdd.count() == len(df.collect())


def test_pandas(spark: SparkSession, numbers: DataFrame) -> None:
    native = spark.sql(SOME).toPandas()
    with plain(spark):
        expected = spark.sql(SOME).toPandas()
    assert native.equals(expected)


def test_rdd_has_as_many_partitions_as_cores(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SOME)
    assert_native(df)
    assert df.rdd.getNumPartitions() == 2
    sizes = df.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect()
    assert sum(sizes) == len(df.collect())
    assert min(sizes) > 0


def test_write(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    target = str(tmp_path / "out")
    df = spark.sql(SOME)
    df.write.parquet(target)
    assert len(list(Path(target).glob("*.parquet"))) == 2
    with plain(spark):
        assert sorted(spark.read.parquet(target).collect()) == sorted(spark.sql(SOME).collect())


def test_python_above(spark: SparkSession, numbers: DataFrame) -> None:
    def same(batches):
        yield from batches

    def query() -> DataFrame:
        return spark.sql(SOME).mapInPandas(same, "id long, s string, d decimal(12,3)")

    df = query()
    assert operators(df)[0] == "MapInPandas"
    assert operators(df)[1].startswith("Native")
    native = df.collect()
    with plain(spark):
        assert sorted(native) == sorted(query().collect())


def test_cache(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SOME).cache()
    try:
        assert df.count() == len(df.collect())
        assert "Native" in df._jdf.queryExecution().executedPlan().toString()
        with plain(spark):
            expected = spark.table("numbers").where("id < 4000 and n > 1").select("id", "s", "d").collect()
        assert sorted(df.collect()) == sorted(expected)
    finally:
        df.unpersist()


def test_local_iterator_may_be_abandoned(spark: SparkSession, numbers: DataFrame) -> None:
    first = spark.sql(ALL).head()
    for _ in range(3):
        iterator = spark.sql(ALL).toLocalIterator()
        assert next(iterator) == first
        del iterator
    rows = spark.sql(SOME).collect()
    assert list(spark.sql(SOME).toLocalIterator()) == rows


def test_many_queries_one_after_another(spark: SparkSession, numbers: DataFrame) -> None:
    expected = spark.sql(SOME).count()
    started = time.monotonic()
    for _ in range(30):
        assert len(spark.sql(SOME).collect()) == expected
    assert time.monotonic() - started < 60


def test_metrics_of_the_nodes(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SOME)
    rows = df.collect()
    top = df._jdf.queryExecution().executedPlan()
    assert top.metrics().apply("numOutputRows").value() == len(rows)
    scan = top.collectLeaves().head()
    assert scan.nodeName().startswith("NativeScan")
    assert scan.metrics().apply("bytesRead").value() > 0
    assert scan.metrics().apply("numFiles").value() == 5


def test_only_the_task_is_broadcast(spark: SparkSession, numbers: DataFrame) -> None:
    """What Spark makes to read a scan's files, with a broadcast of Hadoop's settings, has no reader here."""

    def broadcasts() -> int:
        return spark.sparkContext._jsc.broadcast("").id()

    join = f"select a.id, b.s from ({SOME}) as a join numbers as b on a.id = b.id"
    df = spark.sql(join)
    assert_native(df)
    before = broadcasts()
    df.collect()
    assert broadcasts() - before - 1 == 1


def test_result_larger_than_the_driver_allows(spark: SparkSession, numbers: DataFrame) -> None:
    conf = spark.sparkContext._jsc.sc().conf()
    conf.set("spark.driver.maxResultSize", "1k")
    try:
        with pytest.raises(Exception, match="maxResultSize"):
            spark.sql(ALL).collect()
    finally:
        conf.set("spark.driver.maxResultSize", "1g")
