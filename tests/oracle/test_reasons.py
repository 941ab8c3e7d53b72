"""Reasons for leaving a query to Spark that no other test meets; scripts/check_reasons.py lists all there are."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle import assert_spark, explained, failure, normalised, plain, plain_failure, settings
from pyspark.sql import DataFrame, SparkSession

import check_reasons

pytestmark = pytest.mark.spark41


def test_every_reason_is_named_by_a_test() -> None:
    found = check_reasons.reasons()
    assert len(found) > 100
    assert [reason.text for reason in check_reasons.unnamed(found)] == []


@pytest.fixture(scope="module")
def lists(spark: SparkSession, numbers: DataFrame, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    folder = str(tmp_path_factory.mktemp("lists") / "t")
    with plain(spark):
        numbers.selectExpr("id", "n", "array(id % 7) as a", "array(id % 5) as b").write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("lists")
    return df


def assert_left(spark: SparkSession, query: Callable[[], DataFrame], reason: str) -> None:
    """Fails unless a query is Spark's, or becomes so when it runs, for a reason, and ends as on plain Spark."""
    with settings(spark, spark__accelerant__bridge="false", spark__accelerant__islands="false"):
        df = query()
        with plain(spark):
            try:
                expected = normalised(query().collect())
            except Exception:
                expected = None
        if expected is None:
            assert failure(df.collect) == plain_failure(spark, query)
        else:
            assert normalised(df.collect()) == expected
        assert_spark(df)
        assert reason in explained(df), explained(df)


REASONS = {
    "Reverse(binary)": "select id, reverse(z) as r from numbers",
    "group by a column of type map<double,": "select count(*) from values (map(1D, 2)) as t(m) group by m",
    "generator JsonTuple": "select id, json_tuple(s, 'a') as c from numbers",
    "generator Stack of as many rows": "select id, stack(1001, id) as c from lists where id < 9",
    "try_cast from timestamp to timestamp_ntz": "select id, try_cast(u as timestamp_ntz) as v from numbers",
    "Like with an invalid pattern": "select id from numbers where s like 'row%\\\\'",
    "to such places": "select id, round(d, -40) as r from numbers",
}


@pytest.mark.parametrize("reason", REASONS)
def test_queries(spark: SparkSession, numbers: DataFrame, lists: DataFrame, reason: str) -> None:
    if reason == "Reverse(binary)" and spark.version < "4.3":
        pytest.skip("Spark before 4.3 takes the bytes for a string")
    assert_left(spark, lambda: spark.sql(REASONS[reason]), reason)


def test_not_in_before_43(spark: SparkSession, numbers: DataFrame) -> None:
    if spark.version.startswith("4.3"):
        pytest.skip("4.3 compares them as all other joins do")
    sql = "select id from numbers where x not in (select x from numbers where id < 50 and x is not null)"
    assert_left(spark, lambda: spark.sql(sql), "NOT IN of floats as Spark")


def test_dates_of_the_old_calendar(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark), settings(spark, spark__sql__parquet__datetimeRebaseModeInWrite="LEGACY"):
        numbers.select("id", "t").write.parquet(str(tmp_path / "t"))
    read = spark.read.parquet(str(tmp_path / "t"))
    assert_left(
        spark, lambda: read.selectExpr("id + 1 as i", "t"), "dates of the old hybrid calendar (written by Spark "
    )


def test_columns_of_one_name(spark: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", "A"]), tmp_path / "t.parquet")

    def query() -> DataFrame:
        return spark.read.schema("a long").parquet(str(tmp_path / "t.parquet")).selectExpr("a + 1 as b")

    assert_left(spark, query, "several columns of the file have the name")


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("id string", "reading INT64 (None) as string"),
        ("id array<long>", "reading the field id as array<bigint>"),
        ("a long", "as bigint"),
    ],
)
def test_columns_of_another_type(spark: SparkSession, lists: DataFrame, schema: str, reason: str) -> None:
    folder = lists.inputFiles()[0]

    def query() -> DataFrame:
        return spark.read.schema(schema).parquet(folder).selectExpr(f"{schema.split()[0]} is null as c")

    assert_left(spark, query, reason)


def test_lists_in_the_old_format(spark: SparkSession, lists: DataFrame, tmp_path: Path) -> None:
    with settings(spark, spark__sql__parquet__writeLegacyFormat="true"):
        lists.write.parquet(str(tmp_path / "t"))
        assert "nested columns with spark.sql.parquet.writeLegacyFormat=true" in last_execution(spark)
    with plain(spark):
        assert normalised(spark.read.parquet(str(tmp_path / "t")).collect()) == normalised(lists.collect())


def test_buckets_sorted_by_lists(spark: SparkSession, lists: DataFrame) -> None:
    try:
        lists.write.bucketBy(2, "id").sortBy("a").saveAsTable("sorted_lists")
        assert "sortBy a column of type array<bigint>" in last_execution(spark)
        with plain(spark):
            assert normalised(spark.table("sorted_lists").collect()) == normalised(lists.collect())
    finally:
        spark.sql("drop table if exists sorted_lists")


def last_execution(spark: SparkSession) -> str:
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    return executions.last().physicalPlanDescription()
