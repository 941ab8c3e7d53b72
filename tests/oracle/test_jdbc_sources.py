"""Tables behind JDBC (Derby, in memory): read as islands, joined with files, written from native results."""

from collections.abc import Callable

import pytest
from oracle import essence, explained, normalised, operators, plain, plain_failure
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from report_marks import assert_divided

pytestmark = pytest.mark.spark41

URL = "jdbc:derby:memory:accelerant;create=true"
SCAN = {"Scan", "RowDataSourceScan"}
ROWS = "id, n, s, d, x, t, u, b"
QUERIES = {
    "groups": "select n, count(*), sum(d), max(s), max(u), min(t) from stored group by n",
    "one of four partitions": "select b, count(*), sum(d) from in_parts where id > 5000 and s is not null group by b",
    "distinct": "select n, count(distinct t), count(x) from in_parts group by n",
    "join with files": "select f.n, sum(j.d), count(*) from numbers f join in_parts j on f.id = j.id group by f.n",
    "build side": "select name, count(*), max(u) from numbers join names using (n) group by name",
    "anti join": "select count(*), max(f.id) from numbers f left anti join in_parts j on f.id = j.id + 7",
    "union": "select n, count(*) from (select n from numbers union all select n from in_parts) group by n",
    "window": "select n, max(r) from (select n, row_number() over (partition by n order by id) r from in_parts)"
    " group by n",
    "top": "select * from in_parts order by u desc nulls last, id limit 5",
    "table of the catalog": "select b, count(*) from catalogued where d is null group by b",
}


@pytest.fixture(scope="module", autouse=True)
def stored(spark: SparkSession, numbers: DataFrame) -> None:
    """Tables `stored` and `in_parts`, one table of Derby's read in one part or in four, and `names`, a small one."""
    with plain(spark):
        numbers.selectExpr(*ROWS.split(", ")).coalesce(1).write.jdbc(URL, "stored", mode="overwrite")
        names = spark.range(5).selectExpr("cast(id as int) n", "concat('name ', id) name")
        names.coalesce(1).write.jdbc(URL, "names", mode="overwrite")
    spark.read.jdbc(URL, "stored").createOrReplaceTempView("stored")
    parts = {"column": "id", "lowerBound": 0, "upperBound": 5550, "numPartitions": 4}
    spark.read.jdbc(URL, "stored", **parts).createOrReplaceTempView("in_parts")
    spark.read.jdbc(URL, "names").createOrReplaceTempView("names")
    spark.sql(f"create or replace temporary view catalogued using jdbc options (url '{URL}', dbtable 'stored')")


@pytest.mark.parametrize("name", QUERIES)
def test_queries(spark: SparkSession, name: str) -> None:
    df = assert_divided(spark, lambda: spark.sql(QUERIES[name]), set(), SCAN)
    assert "Island" in operators(df)


@pytest.mark.parametrize("take", [lambda df: df.take(3), lambda df: [df.first()], lambda df: df.limit(7).collect()])
def test_few_rows(spark: SparkSession, take: Callable[[DataFrame], list]) -> None:
    """A limit above a join with a table that is read in parts."""
    sql = "select f.id, j.s from numbers f join in_parts j on f.id = j.id"
    found = take(spark.sql(sql))
    with plain(spark):
        all_rows = normalised(spark.sql(sql).collect())
    assert len(found) in (1, 3, 7)
    assert set(normalised(found)) <= set(all_rows)


def test_writes_of_native_rows(spark: SparkSession) -> None:
    """As many rows, with the same values and types, arrive from native queries as from Spark's."""

    def written(table: str) -> list[tuple]:
        groups = spark.sql("select n, sum(d) d, max(s) s, max(u) u, max(t) t, count(*) c from numbers group by n")
        groups.write.jdbc(URL, table, mode="overwrite")
        some = spark.sql("select n, w d, s, u, t, id c from numbers where id between 100 and 900")
        some.write.option("batchsize", 70).jdbc(URL, table, mode="append")
        assert ("NativeFileScan" in operators(some)) == table.startswith("native")
        return normalised(spark.read.jdbc(URL, table).collect())

    native = written("native")
    with plain(spark):
        assert native == written("plain")
    assert len(native) == 807


def test_a_failing_write(spark: SparkSession) -> None:
    query = "select id, 1 / (id - 4000) as z from numbers"

    def message(table: str) -> str:
        with pytest.raises(PySparkException) as error:
            spark.sql(query).write.jdbc(URL, table, mode="overwrite")
        return essence(str(error.value))

    native = message("failing")
    with plain(spark):
        assert native == message("failing_plain")
    assert "DIVIDE_BY_ZERO" in native


def test_a_failure_above(spark: SparkSession) -> None:
    df = spark.sql("select sum(1 / (id - 4000)) from in_parts")
    assert "* HashAggregate" in explained(df)
    with pytest.raises(PySparkException) as error:
        df.collect()
    expected = plain_failure(spark, lambda: spark.sql("select sum(1 / (id - 4000)) from in_parts"))
    assert (type(error.value).__name__, error.value.getCondition()) == (expected.python_class, expected.condition)
    assert essence(str(error.value)) == expected.message
