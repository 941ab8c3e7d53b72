"""Reading bucketed tables: operators above them that have no exchange, as Spark counts on buckets."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from oracle import assert_equal_rows, assert_native, explained, normalised, operators, plain, settings
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession) -> Iterator[None]:
    def write(name: str, rows: int, buckets: int, *columns: str) -> None:
        df = spark.range(rows).selectExpr("if(id % 17 = 0, null, id % 23) k", "string(id % 5) s", "id v")
        df.repartition(3).write.bucketBy(buckets, *columns).sortBy(columns[0]).saveAsTable(name)

    with plain(spark):
        write("b8", 2000, 8, "k")
        write("b4", 300, 4, "k")
        write("b8_ks", 500, 8, "k", "s")
        spark.table("b8").repartition(8, "k").write.bucketBy(8, "k").sortBy("k").saveAsTable("sorted")
    yield
    for name in ("b8", "b4", "b8_ks", "sorted"):
        spark.sql(f"drop table {name}")


QUERIES = {
    "rows": "select * from b8",
    "groups": "select k, count(*), sum(v) from b8 group by k",
    "groups by more": "select k, s, max(v) from b8 group by k, s",
    "groups by less": "select s, count(distinct k) from b8_ks group by s",
    "join": "select * from b8 join b8_ks using (k) where b8.v < 50",
    "join of unlike buckets": "select b8.k, b4.v from b8 join b4 on b8.k = b4.k where b8.v < 90",
    "full join": "select b8.k, b8.v, b8_ks.v from (select * from b8 where v < 99) b8 full join b8_ks on b8.k = b8_ks.k",
    "window": "select k, v, row_number() over (partition by k order by v) from b8",
    "one bucket": "select * from b8 where k = 3",
    "some buckets": "select sum(v) from b8 where k in (3, 5, 7)",
    "no bucket": "select * from b8 where k is null",
    "subquery": "select * from b8 where k in (select k from b8_ks where v < 4)",
    "distinct": "select distinct k from b8",
    "order": "select k, v from b8 order by k, v limit 20",
}


@pytest.fixture(autouse=True)
def without_adaptive_execution(spark: SparkSession) -> Iterator[None]:
    """Spark knows then whether buckets are read as such when the engine gets the plan."""
    with settings(spark, spark__sql__adaptive__enabled="false"):
        yield


@pytest.mark.parametrize("threshold", ["-1", "10m"], ids=["sort merge join", "broadcast join"])
@pytest.mark.parametrize("name", QUERIES)
def test_queries(spark: SparkSession, name: str, threshold: str) -> None:
    with settings(spark, spark__sql__autoBroadcastJoinThreshold=threshold):
        assert assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]))


@pytest.mark.parametrize("name", [*QUERIES, "limit"])
def test_under_adaptive_execution(spark: SparkSession, name: str) -> None:
    """Its rules may read all files instead, in another order."""
    sql = QUERIES.get(name, "select b8.k, b8.v from b8 join (select explode(array(1, 2, 3)) k) t using (k) limit 7")
    with settings(spark, spark__sql__adaptive__enabled="true"):
        with plain(spark):
            expected = normalised(spark.sql(sql).collect())
        df = spark.sql(sql)
        assert normalised(df.collect()) == expected
        if name == "groups":
            assert "a bucketed table, of which adaptive execution is to say how" in explained(df)


@pytest.mark.parametrize(
    "change",
    [
        {"spark__sql__bucketing__coalesceBucketsInJoin__enabled": "true"},
        {"spark__sql__legacy__bucketedTableScan__outputOrdering": "true"},
        {"spark__sql__sources__bucketing__enabled": "false"},
        {"spark__sql__sources__bucketing__autoBucketedScan__enabled": "false"},
    ],
    ids=str,
)
def test_settings(spark: SparkSession, change: dict[str, str]) -> None:
    with settings(spark, spark__sql__autoBroadcastJoinThreshold="-1", **change):
        for name in ("rows", "groups", "join", "join of unlike buckets", "window"):
            assert assert_equal_rows(spark, lambda name=name: spark.sql(QUERIES[name]))


def test_files_of_one_sorted_bucket_each(spark: SparkSession) -> None:
    """Spark counts on their order: it has no sort below a join, a window and an aggregate by sorting."""
    sqls = [
        "select * from sorted a join b8 b on a.k = b.k where a.v < 40",
        "select k, v, row_number() over (partition by k order by v) r from sorted",
        "select k, max(s) from sorted group by k",
    ]
    changes = {"legacy__bucketedTableScan__outputOrdering": "true", "autoBroadcastJoinThreshold": "-1"}
    with settings(spark, **{f"spark__sql__{name}": value for name, value in changes.items()}):
        for sql in sqls:
            assert assert_equal_rows(spark, lambda sql=sql: spark.sql(sql))


def outcome(query: DataFrame) -> list[tuple] | str:
    """Returns the rows of a query, or the condition that it fails with."""
    try:
        return normalised(query.collect())
    except (PySparkException, Py4JJavaError) as error:
        return re.search(r"\[[A-Z_]+\]", str(error)).group()


# Under adaptive execution the island is planned anew, alone: nothing asks for buckets, so it reads all files.
@pytest.mark.parametrize(("adaptive", "keys"), [("true", ["s"]), ("false", ["s", "k"])])
def test_a_file_of_no_bucket(spark: SparkSession, adaptive: str, keys: list[str]) -> None:
    """Spark fails where it reads buckets as such, and reads it where it does not."""
    spark.sql("create table stray using parquet clustered by (k) into 4 buckets as select * from b4")
    try:
        folder = Path(spark.sql("describe formatted stray").where("col_name = 'Location'").first()[1].split(":", 1)[1])
        shutil.copy(next(folder.glob("part-*.parquet")), folder / "extra.parquet")
        with settings(spark, spark__sql__adaptive__enabled=adaptive):
            for key in keys:
                found = outcome(spark.table("stray").groupBy(key).count())
                with plain(spark):
                    assert found == outcome(spark.table("stray").groupBy(key).count())
    finally:
        spark.sql("drop table stray")


def test_first_rows_are_those_of_the_first_buckets(spark: SparkSession) -> None:
    for query in (lambda: spark.table("b8").limit(7), lambda: spark.table("b8").where("v > 3").limit(7)):
        assert assert_equal_rows(spark, query, ordered=True)


def test_groups_of_python_are_whole(spark: SparkSession) -> None:
    """Python's operator asks for no exchange above buckets: native parts are no buckets."""

    def total(part: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"k": [part["k"].iloc[0]], "n": [len(part)], "v": [part["v"].sum()]})

    def query() -> DataFrame:
        return spark.table("b8").where("v % 3 = 0").groupBy("k").applyInPandas(total, "k bigint, n bigint, v bigint")

    with plain(spark):
        expected = normalised(query().collect())
    found = query()
    assert any(name.startswith("Native") for name in operators(found))
    assert normalised(found.collect()) == expected


def test_rows_by_bucket(spark: SparkSession) -> None:
    df = spark.table("b8").where("v >= 0")
    with plain(spark):
        expected = normalised(spark.table("b8").where("v >= 0").rdd.map(tuple).collect())
    assert_native(df)
    assert normalised(df.rdd.map(tuple).collect()) == expected
