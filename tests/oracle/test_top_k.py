"""The first rows in an order, which are found without sorting the others."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, assert_native, plain, scans, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

ORDERS = ["n, id", "s desc, id", "x nulls last, id desc", "r desc nulls first, id", "d, w, id", "w desc, id", "z, id"]


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("order", [*ORDERS, "h, y desc, id", "b desc, t, id", "u, id", "length(s), id % 10, id"])
@pytest.mark.parametrize("limit", ["1", "10", "200 offset 60", "10 offset 5545", "9000"])
def test_first_rows(spark: SparkSession, numbers: DataFrame, order: str, limit: str, batch_rows: str) -> None:
    query = f"select *, id + 1 as next from numbers order by {order} limit {limit}"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)


@pytest.mark.parametrize("limit", [1, 100, 1500])
def test_ties(spark: SparkSession, numbers: DataFrame, limit: int) -> None:
    """Which of equal rows come is any choice: their keys are Spark's, and the rows exist."""
    query = f"select n, id from numbers order by n limit {limit}"
    df = spark.sql(query)
    assert_native(df)
    rows = df.collect()
    with plain(spark):
        assert [row.n for row in rows] == [row.n for row in spark.sql(query).collect()]
    assert len(set(rows)) == limit
    assert set(rows) <= set(numbers.select("n", "id").collect())


def test_within_queries(spark: SparkSession, numbers: DataFrame) -> None:
    for query in [
        "select sum(id), count(*) from (select id from numbers order by x, id limit 77)",
        "select n, count(*) from (select n from numbers order by s desc, id limit 500 offset 3) group by n",
        "select a.id, b.id from (select * from numbers order by id desc limit 9) a join numbers b on a.n = b.id",
        "(select id from numbers order by w, id limit 3) union all (select id from numbers order by id limit 4)",
        "select id from (select * from numbers order by s, id limit 50) where n = 2 order by id desc limit 5",
        "select id from numbers where x > (select x from numbers order by id desc nulls last limit 1 offset 7)",
        "select n, sum(d) t from numbers group by n order by t desc limit 3",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_partitions_and_actions(spark: SparkSession, numbers: DataFrame, tmp_path) -> None:
    df = spark.sql("select id from numbers order by s, id limit 20")
    rows = df.collect()
    assert df.rdd.collect() == rows
    assert df.take(4) == rows[:4]
    assert df.count() == 20
    df.write.parquet(str(tmp_path / "first"))
    assert sorted(spark.read.parquet(str(tmp_path / "first")).collect()) == sorted(rows)


def test_errors_of_rows_that_do_not_come(spark: SparkSession, numbers: DataFrame) -> None:
    query = "select 1 / (id - 2000) q from numbers order by q limit 3"
    assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == "DIVIDE_BY_ZERO"


@pytest.fixture(scope="module")
def log(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `log`: 40,000 rows in the order of time, in 20 files; `maybe` is the time, or null in every 90th row."""
    path = str(tmp_path_factory.mktemp("log") / "log")
    columns = [
        "id",
        "timestamp_micros(id * 1000000007) at",
        "date_add(date'2001-01-01', cast(id / 100 as int)) day",
        "if(id % 90 = 7, null, id) maybe",
        "concat('w', id % 13) word",
    ]
    with plain(spark):
        spark.range(0, 40000, 1, 20).selectExpr(*columns).write.parquet(path)
    spark.read.parquet(path).createOrReplaceTempView("log")
    return spark.table("log")


def rows_read(df: DataFrame) -> int:
    """Returns how many rows the scan of a query has emitted."""
    df.collect()
    (scan,) = scans(df._jdf.queryExecution().executedPlan())
    return scan.metrics().apply("numOutputRows").value()


@pytest.mark.parametrize("batch_rows", ["0", "100"])
@pytest.mark.parametrize(
    "query",
    [
        "select * from log order by at, id limit 10",
        "select day, id from log where word <> 'w3' order by day, id limit 10",
        "select id, word from log where word like '%1%' order by day desc, id limit 10 offset 20",
        "select m, word from (select maybe m, word from log where id % 3 = 1) order by m nulls last limit 5",
        "select maybe, id from log order by maybe nulls first, id limit 460",
    ],
)
def test_scans_leave_out_later_rows(spark: SparkSession, log: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)
        assert rows_read(spark.sql(query)) <= 20000


def test_scans_give_all_rows_that_may_be_among_the_first(spark: SparkSession, log: DataFrame) -> None:
    for query in [
        "select id, word from log order by word, id limit 30",  # not a number
        "select id + 1, maybe from log order by at limit 5",  # may overflow
        "select * from log order by at desc, id limit 10",  # each file's rows come before those of the one before
        "select id, maybe from log order by maybe desc limit 5",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query), ordered=True)
    assert rows_read(spark.sql("select id, word from log order by word, id limit 30")) == 40000


def test_scans_give_all_rows_that_may_fail(spark: SparkSession, log: DataFrame) -> None:
    for query in [
        "select id, 1 / (id - 39999) q from log order by at limit 3",
        "select id from log where 1 / (id - 39999) < 0 order by at limit 3",
    ]:
        assert assert_equal_failure(spark, lambda query=query: spark.sql(query)).condition == "DIVIDE_BY_ZERO"
