"""Uncorrelated scalar subqueries: part of the one native query, each computed once."""

import threading
from collections.abc import Callable

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_native,
    essence,
    explained,
    normalised,
    plain,
    settings,
)
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

QUERIES = {
    "filter": "select id, s from numbers where x > (select avg(x) from numbers)",
    "no row": "select id from numbers where id > (select max(id) from numbers where id < 0)",
    "projection": "select id - (select min(id) from numbers where id > 7) d, (select max(s) from numbers) from numbers",
    "equal ones": "select (select max(id) from numbers) a, (select max(id) from numbers) b from numbers where id < 3",
    "nested": """select id from numbers
        where id > (select avg(id) from numbers where id < (select max(id) / 2 from numbers))""",
    "having": "select n, sum(id) from numbers group by n having sum(id) > (select sum(id) / 8 from numbers)",
    "above a join": "select a.id from numbers a join numbers b on a.id = b.id where a.n < (select max(n) from numbers)",
    "of a join": "select id from numbers where id = (select max(a.id) from numbers a join numbers b on a.id = b.id)",
    "decimal": "select id from numbers where w > (select avg(w) from numbers)",
    "aggregate": "select sum(id + (select max(n) from numbers)) from numbers",
    "sorted": "select id, n from numbers order by n * (select min(id) - 1 from numbers), id limit 9",
}


@pytest.mark.parametrize(("batch_rows", "adaptive"), [("0", "true"), ("3", "true"), ("0", "false")])
@pytest.mark.parametrize("name", QUERIES)
def test_values(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str, adaptive: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows, spark__sql__adaptive__enabled=adaptive):
        assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]))


def test_no_extra_job(spark: SparkSession, numbers: DataFrame) -> None:
    spark.sparkContext.setJobGroup("subquery", "", False)
    df = spark.sql(QUERIES["filter"])
    assert_native(df)
    df.collect()
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("subquery")
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    assert len(jobs) == 1


CORRELATED = {
    "one match": "select id, (select s from numbers b where b.id = a.n) from numbers a",
    "two keys": "select id, n, (select w from numbers b where b.id = a.n and b.h = a.n + 1) from numbers a",
    "condition": "select id, (select s from numbers b where b.n = a.n and b.id = a.id + a.y - a.y) from numbers a",
    "no equality": "select id, (select h from numbers b where b.id between a.n and a.n and b.id < 9) from numbers a",
    "filter": "select id from numbers a where x > (select x from numbers b where b.id = a.n)",
    "no match": "select id, (select s from numbers b where b.id = a.id + 1000000) from numbers a",
    "above a limit": "select id, (select s from numbers b where b.id = a.n) from (select * from numbers limit 9) a",
    "first rows": "select id, (select s from numbers b where b.n = a.id) v from numbers a where id > 9 limit 5",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", CORRELATED)
def test_correlated_values(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(CORRELATED[name]))


@pytest.mark.parametrize(
    "query",
    [
        "select id, (select s from numbers b where b.n = a.id) from numbers a",
        "select id, (select s from numbers b where b.id < a.n - 1) from numbers a where id < 100",
        "select id, (select s from numbers b where b.n = a.n and b.h < 2) from numbers a where n = 1",
    ],
)
def test_several_correlated_rows(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    failed = assert_equal_failure(spark, lambda: spark.sql(query))
    assert failed.condition == "SCALAR_SUBQUERY_TOO_MANY_ROWS"


FAILING = [
    ("SCALAR_SUBQUERY_TOO_MANY_ROWS", "select id from numbers where id > (select id from numbers)"),
    # Spark makes one subquery of both.
    ("SCALAR_SUBQUERY_TOO_MANY_ROWS", "select (select id from numbers) + (select n from numbers) from numbers"),
    ("DIVIDE_BY_ZERO", "select id from numbers where id > (select max(1 / (id - 7)) from numbers)"),
]


def last_cause(run: Callable[[], object]) -> tuple[str, str]:
    """Runs something that must fail; returns the class and the message of the last cause."""
    try:
        run()
    except PySparkException as error:
        cause = error._origin
    except Py4JJavaError as error:
        cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    return cause.getClass().getName(), essence(cause.getMessage())


@pytest.mark.parametrize(("condition", "query"), FAILING)
def test_errors(spark: SparkSession, numbers: DataFrame, condition: str, query: str) -> None:
    """Plain Spark runs subqueries in threads of their own, whose errors it wraps."""
    df = spark.sql(query)
    assert_native(df)
    native = last_cause(df.collect)
    assert_native(df)
    assert condition in native[1]
    with plain(spark):
        assert native == last_cause(spark.sql(query).collect)


@pytest.mark.parametrize(
    "query", ["select second_row() from numbers", "select id from numbers where id > second_row() + 1"]
)
def test_errors_in_functions(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    """The message shows the function's text, since Spark 4.3."""
    spark.sql("create or replace temporary function second_row() returns bigint return (select id from numbers)")
    df = spark.sql(query)
    assert_native(df)
    native = last_cause(df.collect)
    assert_native(df)
    assert ("second_row" in native[1]) == (spark.version >= "4.3")
    with plain(spark):
        assert native == last_cause(spark.sql(query).collect)


@pytest.mark.parametrize(
    ("condition", "query"),
    [
        ("DIVIDE_BY_ZERO", "select id from numbers where 1 / (id - (select max(id) - 77 from numbers)) > 0"),
        (
            "CAST_INVALID_INPUT",
            "select cast(concat(s, (select max(s) from numbers)) as int) from numbers where id between 50 and 3000",
        ),
        ("DIVIDE_BY_ZERO", "select sum(1 / ((select min(id) + 8 from numbers) - id)) from numbers"),
    ],
)
def test_errors_with_values(spark: SparkSession, numbers: DataFrame, condition: str, query: str) -> None:
    """The message is built of the row and the values of subqueries."""
    assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == condition


# Of rows that only Spark has: with an operator that is worth it above them, without, and two rows where one may be.
OF_SPARKS = {
    "aggregate": "select count(*), max(id) from numbers where x > (select avg(d) from items)",
    "projection": "select n, count(*) from numbers group by n having count(*) > (select d - 2 from items where p = 3)",
    "two rows": "select id from numbers where id = (select p from items where p < 3)",
    "sorts": "select count(*) from numbers where x > "
    "(select approx_percentile(a.x, 0.5) from numbers a join numbers b on a.id = b.id)",
    "no row": "select id from numbers where id = (select p from items where p > 1000)",
}


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("name", OF_SPARKS)
def test_values_of_sparks_rows(spark: SparkSession, numbers: DataFrame, name: str, adaptive: str) -> None:
    """What a value comes from costs only itself."""
    rows = spark.sparkContext.parallelize([(i, float(i)) for i in range(50)], 2)
    spark.createDataFrame(rows, "p int, d double").createOrReplaceTempView("items")
    with settings(spark, spark__sql__adaptive__enabled=adaptive, spark__sql__autoBroadcastJoinThreshold="-1"):
        df = spark.sql(OF_SPARKS[name])
        assert "* Filter" in explained(df), explained(df)
        assert "reverted" not in explained(df)
        if name == "two rows":
            assert_equal_failure(spark, lambda: spark.sql(OF_SPARKS[name]))
        else:
            found = df.collect()
            with plain(spark):
                assert normalised(found) == normalised(spark.sql(OF_SPARKS[name]).collect())


def test_several_that_turn_to_spark_at_once(spark: SparkSession) -> None:
    """They show what became of them in the SQL tab, each while it holds locks of its own operators."""
    for name in ("one", "two"):
        rows = spark.createDataFrame([(i, f"v{i}") for i in range(50)], "k int, v string")
        ranked = rows.selectExpr("k", "v", "row_number() over (order by k) n")
        ranked.where("n = 7").repartition(20).createOrReplaceTempView(name)
    sql = """select k, (select first(map(k, 'x'), true) from one)[k], (select first(map(k + 1, 'x'), true) from two)[k],
        (select first(map(k + 2, 'x'), true) from two)[k] from one"""
    found: list[tuple] = []
    with settings(spark, spark__sql__adaptive__enabled="false"):
        for _ in range(5):
            worker = threading.Thread(target=lambda: found.append(tuple(spark.sql(sql).collect()[0])), daemon=True)
            worker.start()
            worker.join(60)
            assert not worker.is_alive(), "the query hangs"
    assert found == [(6, "x", None, None)] * 5
