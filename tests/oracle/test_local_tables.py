"""Rows that come with the query: VALUES, small DataFrames, empty relations."""

import pytest
from edge_values import COLUMNS, shown, values_of
from oracle import assert_equal_rows, assert_native, assert_spark, explained, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.mark.parametrize("batch_rows", ["0", "2"])
def test_values_arrive_bit_for_bit(spark: SparkSession, numbers: DataFrame, batch_rows: str) -> None:
    # The join keeps Spark from computing what is shown while it plans.
    query = f"select i0, {shown()} from {values_of(list(COLUMNS))} join (select id from numbers) on id = i0"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert len(assert_equal_rows(spark, lambda: spark.sql(query))) == 5


QUERIES = (
    "select k, s, count(*) from (values (1, 'x'), (2, null), (1, 'x')) as t(k, s) group by k, s",
    "select v.t, n.id from numbers n join (values (1, 'one'), (2, 'two'), (null, 'none')) as v(k, t) on n.n = v.k",
    "select * from (values (1, 2)) as t(a, a) union all select id, n from numbers where id < 3",
    "select id from numbers where id < 9 union all select * from (values (5L), (7L))",
    "select count(*) from (values (1), (2)) as t(a) cross join (values (1), (2), (3)) as u(b)",
    "select sum(a), count(*) from (select 1 as a where false)",
    "select n.id from numbers n left join (select 1L as id where false) e on n.id = e.id where n.id < 5",
    "select (select max(a) from values (1), (3) as t(a)), id from numbers where id < 2",
)


def test_queries(spark: SparkSession, numbers: DataFrame) -> None:
    for query in QUERIES:
        assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


def local_frame(spark: SparkSession, num_rows: int) -> DataFrame:
    """Returns a frame whose rows are in its plan."""
    rows = spark.range(num_rows).selectExpr("id", "concat('row ', id) as s").toPandas()
    with settings(spark, spark__sql__execution__arrow__pyspark__enabled="true"):
        return spark.createDataFrame(rows)


def test_many_rows_keep_their_order(spark: SparkSession) -> None:
    frame = local_frame(spark, 150_000)
    rows = assert_equal_rows(spark, lambda: frame.unionAll(spark.range(9).selectExpr("id", "'x'")), ordered=True)
    assert len(rows) == 150_009
    assert frame.unionAll(spark.range(9).selectExpr("id", "'x'")).rdd.collect() == rows


def test_a_second_run_reads_the_rows_again(spark: SparkSession) -> None:
    df = spark.sql("select a, count(*) from values (1), (2), (1) as t(a) group by a order by a")
    assert_native(df)
    assert [tuple(row) for row in df.collect()] == [(1, 2), (2, 1)]
    assert df.collect() == df.rdd.collect()


def test_rows_alone_stay_with_spark(spark: SparkSession) -> None:
    for query in ("values (1), (2)", "select * from values (1, 'a'), (2, null) as t(n, s) where n > 0"):
        df = spark.sql(query)
        assert_spark(df)
        assert "Spark has the rows at hand" in explained(df)


def test_types_that_the_engine_lacks(spark: SparkSession) -> None:
    query = "select count(*) from values (make_interval(1)), (make_interval(2)) as t(a) group by a"
    df = spark.sql(query)
    assert_spark(df)
    assert "column a of type interval" in explained(df)
    with plain(spark):
        expected = spark.sql(query).collect()
    assert sorted(df.collect(), key=repr) == sorted(expected, key=repr)


def test_rows_of_python_stay_with_spark(spark: SparkSession) -> None:
    with settings(spark, spark__accelerant__islands="false"):
        df = spark.createDataFrame([(1, "a"), (2, "b")], "n int, s string").groupBy("s").count()
        assert_spark(df)
    assert "rows of an RDD" in explained(df)
    assert len(df.collect()) == 2
