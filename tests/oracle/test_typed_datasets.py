"""Typed programs in Java around native queries, and Java functions that take and return nested values."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from java_classes import add_jar
from oracle import assert_equal_rows, assert_native, explained, normalised, plain, settings
from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame, SparkSession
from report_marks import native_operators

pytestmark = pytest.mark.spark41

FUNCTIONS = {
    "of_row": ("OfRow", "string"),
    "to_row": ("ToRow", "struct<a:bigint,b:string>"),
    "to_array": ("ToArray", "array<string>"),
    "to_map": ("ToMap", "map<string,bigint>"),
    "scaled": ("Scaled", "decimal(30,10)"),
    "classes": ("Classes", "string"),
}
QUERIES = {
    "rows": "select id, of_row(r), to_row(id) from typed",
    "arrays and maps": "select id, to_array(id), to_map(id) from typed",
    "parts of results": "select to_row(id).b v, count(*), max(to_array(id)[0]) from typed where id < 500 group by 1",
    "exploded": "select e, count(*) from (select explode(to_array(id)) e from typed) group by e",
    "decimals": "select id, scaled(d) from typed",
}
# What of a program is native: what is below Spark's objects, and what is above them where that takes real work.
PROGRAMS = {
    "filter and map": {"FileSourceScan"},
    "flat map": {"FileSourceScan"},
    "groups": {"FileSourceScan"},
    "cogroup": {"FileSourceScan"},
    "join": {"FileSourceScan"},
    "aggregate": set(),
}


@pytest.fixture(scope="module", autouse=True)
def datasets(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable]:
    """Table `typed`, the functions, and what calls a static method of the class of programs."""
    folder = tmp_path_factory.mktemp("typed")
    add_jar(spark, Path(__file__).parent / "udfs" / "Datasets.java", folder)
    for name, (java_class, result) in FUNCTIONS.items():
        spark.udf.registerJavaFunction(name, f"accelerant.test.Datasets${java_class}", result)
    columns = ["id", "concat('t', id % 77) s", "if(id % 7 = 0, null, id / 4.0D) x", "cast(id / 3 as decimal(20,5)) d"]
    with plain(spark):
        rows = spark.range(0, 12_000, 1, 3).selectExpr(*columns, "if(id % 5 = 0, null, struct(id as p, 'é' as q)) r")
        rows.write.parquet(str(folder / "typed"))
    spark.read.parquet(str(folder / "typed")).createOrReplaceTempView("typed")

    def call(method: str, *arguments: object) -> JavaObject:
        loader = spark._jsparkSession.artifactManager().classloader()
        methods = loader.loadClass("accelerant.test.Datasets").getMethods()
        found = next(each for each in methods if each.getName() == method)
        array = spark.sparkContext._gateway.new_array(spark._jvm.java.lang.Object, len(arguments))
        for i, argument in enumerate(arguments):
            array[i] = argument
        return found.invoke(None, array)

    call("registerLongest", spark._jsparkSession)
    call("registerJoined", spark._jsparkSession)
    yield call


@pytest.mark.parametrize("name", QUERIES)
def test_nested_values(spark: SparkSession, name: str) -> None:
    assert "(bridged:" in explained(spark.sql(QUERIES[name]))
    assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]))


@pytest.mark.parametrize("java8", ["true", "false"])
def test_classes_of_times(spark: SparkSession, numbers: DataFrame, java8: str) -> None:
    """A function gets the classes for dates and times that the session asks for."""
    with settings(spark, spark__sql__datetime__java8API__enabled=java8):
        rows = assert_equal_rows(spark, lambda: spark.sql("select distinct classes(t, u) from numbers"))
        assert any(("java.time.Instant" in row[0]) == (java8 == "true") for row in rows if row[0].strip())


def test_a_function_of_scala_is_bridged(spark: SparkSession) -> None:
    sql = "select joined(s, id % 3) as j, count(*) from typed where joined(s, id) > 't2' group by 1"
    df = spark.sql(sql)
    assert_native(df)
    assert "(bridged: joined)" in explained(df)
    assert_equal_rows(spark, lambda: spark.sql(sql))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(spark: SparkSession, datasets: Callable, name: str) -> None:
    def query() -> DataFrame:
        left = spark.sql("select id, s, x from typed where id % 3 = 1")
        right = spark.sql("select id, s, x from typed where id > 500")
        return DataFrame(datasets("run", name, left._jdf, right._jdf), spark)

    df = query()
    rows = df.collect()
    assert rows
    assert native_operators(df) >= PROGRAMS[name], explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


def test_groups_of_objects(spark: SparkSession, datasets: Callable) -> None:
    """Rows that objects were made of and into are an island of a native aggregate."""

    def query() -> DataFrame:
        table = spark.sql("select id, s, x from typed")._jdf
        return DataFrame(datasets("run", "filter and map", table, table), spark).groupBy("s").count()

    df = query()
    rows = df.collect()
    assert len(rows) == 77
    assert "SerializeFromObject (island)" in explained(df)
    assert "HashAggregate" in native_operators(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


def test_an_aggregate_of_users(spark: SparkSession) -> None:
    """Spark computes it; what is above is native."""
    sql = "select l, count(*), max(k) from (select id % 11 k, longest(s) l, sum(x) v from typed group by 1) group by l"
    df = spark.sql(sql)
    rows = normalised(df.collect())
    assert "HashAggregate" in native_operators(df), explained(df)
    assert "ScalaAggregator" in explained(df)
    with plain(spark):
        assert rows == normalised(spark.sql(sql).collect())
