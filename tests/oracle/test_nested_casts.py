"""Casts of arrays, maps and structs, computed natively: no call of theirs is bridged."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, assert_native, assert_unbridged, explained, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

CASTS = (
    "cast(numbers as array<int>)",
    "cast(numbers as array<string>)",
    "cast(numbers as array<decimal(12,2)>)",
    "cast(flags as array<int>)",
    "cast(prices as array<double>)",
    "cast(prices as array<decimal(10,1)>)",
    "cast(wide as array<string>)",
    "cast(days as array<timestamp>)",
    "cast(times as array<date>)",
    "cast(times as array<bigint>)",
    "cast(tags as array<binary>)",
    "cast(sizes as map<string,double>)",
    "cast(map(id, numbers) as map<string,array<string>>)",
    "cast(point as struct<a:string,b:binary,c:bigint>)",
    "cast(point as struct<x:float,label:string,n:decimal(8,3)>)",
    "cast(deep as array<struct<a:array<string>,b:map<string,array<string>>>>)",
    "cast(array(point, null) as array<struct<x:int,y:string,z:int>>)",
    "cast(struct(tags, sizes, n) as struct<a:array<string>,b:map<string,int>,c:bigint>)",
    "cast(array(n, id) as array<bigint>)",
    "cast(if(n = 1, array(), array(n)) as array<bigint>)",
    "transform(deep, d -> cast(d.xs as array<string>))",
)
TEXTS = ("tags", "numbers", "flags", "prices", "wide", "days", "times", "point", "sizes", "deep", "array(point, null)")


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("batch_rows", ["0", "7"])
def test_casts(spark: SparkSession, nested: DataFrame, ansi: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        for cast in CASTS:
            query = f"select id, {cast} as c from nested"
            assert_unbridged(spark.sql(query))
            assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_texts(spark: SparkSession, nested: DataFrame, ansi: str) -> None:
    query = f"select id, {', '.join(f'cast({column} as string)' for column in TEXTS)} from nested"
    for zone in ("UTC", "America/Los_Angeles"):
        with settings(spark, spark__sql__ansi__enabled=ansi, spark__sql__session__timeZone=zone):
            assert_unbridged(spark.sql(query))
            assert assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_texts_of_values_within(spark: SparkSession, numbers: DataFrame, ansi: str) -> None:
    """A value within a nested one is written as it is alone, binary values as they are."""
    texts = (
        "cast(array(z, null) as string), cast(struct(x, y, b, s, t, u, d) as string), cast(map(id, w) as string)",
        "cast(array(x, double('nan'), -0.0D) as string), cast(array(cast(x as float)) as string)",
        "cast(array(cast(id as decimal(20,10)), null) as string), cast(struct(id, null, array()) as string)",
    )
    with settings(spark, spark__sql__ansi__enabled=ansi):
        for text in texts:
            query = f"select id, {text} from numbers"
            assert_unbridged(spark.sql(query))
            assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_tries(spark: SparkSession, nested: DataFrame) -> None:
    """An element that cannot be cast is null where a cast is tried."""
    query = (
        "select id, try_cast(numbers as array<tinyint>), try_cast(tags as array<int>),"
        " try_cast(sizes as map<string,tinyint>), try_cast(point as struct<a:tinyint,b:int,c:tinyint>),"
        " try_cast(array(tags, array('1', '2')) as array<array<int>>)"
        " from nested"
    )
    assert_unbridged(spark.sql(query))
    assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_what_does_not_fit_outside_ansi_mode(spark: SparkSession, nested: DataFrame) -> None:
    query = (
        "select id, cast(numbers as array<tinyint>), cast(tags as array<int>), cast(sizes as map<string,tinyint>),"
        " cast(point as struct<a:tinyint,b:int,c:tinyint>), cast(map(id, n) as map<tinyint,string>) from nested"
    )
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


FAILURES = (
    "select cast(numbers as array<tinyint>) from nested where id = 500",
    "select cast(tags as array<int>) from nested where id = 13",
    "select cast(sizes as map<string,tinyint>) from nested where id = 3001",
    "select cast(point as struct<a:int,b:string,c:tinyint>) from nested where id = 300",
    "select cast(array(point, null) as array<struct<a:int,b:int,c:int>>) from nested where id = 302",
    "select sum(size(cast(array(numbers) as array<array<tinyint>>))) from nested where id = 500",
)


@pytest.mark.parametrize("query", FAILURES)
def test_failures(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_equal_failure(spark, lambda: spark.sql(query))


def test_failures_that_do_not_count(spark: SparkSession, nested: DataFrame) -> None:
    query = "select id, if(id < 60, cast(numbers as array<tinyint>), null), coalesce(n, size(cast(tags as array<int>)))"
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_unbridged(spark.sql(f"{query} from nested where n is not null"))
        assert assert_equal_rows(spark, lambda: spark.sql(f"{query} from nested where n is not null"))


def test_texts_of_older_versions_are_bridged(spark: SparkSession, nested: DataFrame) -> None:
    query = "select id, cast(tags as string), cast(point as string) from nested"
    with settings(spark, spark__sql__legacy__castComplexTypesToString__enabled="true"):
        assert_native(spark.sql(query))
        assert "bridged: " in explained(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_unions(spark: SparkSession, nested: DataFrame) -> None:
    """Spark casts where branches of a union have other types."""
    other = "select id, array(n), struct(id as n, array() as tags) from nested"
    query = f"select id, numbers, struct(n, tags) s from nested union all {other}"
    assert_unbridged(spark.sql(query))
    assert assert_equal_rows(spark, lambda: spark.sql(query))
