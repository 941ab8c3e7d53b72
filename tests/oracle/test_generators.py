"""Generators that are no collection's: made of columns, or by Spark's own code inside native queries."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, assert_native, explained, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

STACKS = (
    "select id, stack(2, n, h, int(y)) as (a, b) from numbers",
    "select stack(3, 'n', n, 'h', int(h), 'y', int(y)) as (name, value), id from numbers",
    "select id, name, value from numbers lateral view stack(2, 's', s, 'none', null) e as name, value",
    "select id, name, value from numbers lateral view outer stack(2, 's', s, 'id', string(id)) e as name, value",
    "select id, stack(1, d, w, t) from numbers where n > 2",
    "select id, stack(4, x) from numbers where id < 99",
    "select name, count(*), sum(value) from (select stack(2, 'n', n, 'h', int(h)) as (name, value) from numbers) "
    "group by name",
    "select count(*), max(b) from (select stack(2, 1, 'a', 2, 'b') as (a, b))",
    "select id, stack(2, soundex(s), s) as text from numbers",
)
NESTED_STACKS = (
    "select n, count(*), max(m.label) from (select n, stack(2, point, point) m from nested) group by n",
    "select id, stack(2, tags, sizes, tags, null) as (tags, sizes) from nested",
)
OF_SPARK = (
    "select id, a, c from numbers lateral view "
    "json_tuple(concat('{\"a\":', n, ',\"c\":\"', s, '\"}'), 'a', 'c') e as a, c",
    "select id, json_tuple(s, 'a') from numbers",
    "select id, json_tuple(concat('{\"', n, '\": ', id, '}'), string(n)) from numbers",
    "select a, count(*) from (select json_tuple(concat('{\"a\":', n, '}'), 'a') as a from numbers) group by a",
    "select id, c, e from numbers lateral view json_tuple('{\"c\": [1, 2]}', 'c') j as c "
    "lateral view explode(split(c, ',')) x as e where id < 50",
    "select count(*), max(keyword) from sql_keywords()",
)
OF_SPARK_NESTED = (
    "select id, c0, point from nested lateral view json_tuple(to_json(point), 'label') e as c0 order by id, c0"
)


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", STACKS + OF_SPARK)
def test_rows(spark: SparkSession, numbers: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("query", (*NESTED_STACKS, OF_SPARK_NESTED))
def test_rows_with_nested_values(spark: SparkSession, nested: DataFrame, query: str) -> None:
    assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


@pytest.mark.parametrize("query", STACKS[:2])
def test_stacks_are_the_engines_own(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    df = spark.sql(query)
    assert_native(df)
    assert "bridged" not in explained(df)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("codegen", ["CODEGEN_ONLY", "NO_CODEGEN"])
def test_sparks_code_is_called_in_any_way(spark: SparkSession, numbers: DataFrame, adaptive: str, codegen: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive, spark__sql__codegen__factoryMode=codegen):
        assert "(bridged: json_tuple" in explained(spark.sql(OF_SPARK[0]))
        assert assert_equal_rows(spark, lambda: spark.sql(OF_SPARK[0]))


def test_rows_stay_in_order(spark: SparkSession, numbers: DataFrame) -> None:
    query = (
        "select id, k, v from (select * from numbers order by id) lateral view "
        "stack(3, 1, id, 2, id + 1, 3, null) e as k, v limit 500"
    )
    assert len(assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)) == 500


def test_few_rows(spark: SparkSession, numbers: DataFrame, capsys: pytest.CaptureFixture) -> None:
    spark.sql("select id, json_tuple('{\"a\": 7}', 'a') as a from numbers").show(3)
    assert "7" in capsys.readouterr().out


@pytest.mark.parametrize(
    "query",
    (
        "select id, stack(2, 1D, 1 / (n - 3)) from numbers",
        "select id, json_tuple(concat('{\"a\": ', 1 / (n - 3), '}'), 'a') from numbers",
    ),
)
def test_failures_of_values(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_equal_failure(spark, lambda: spark.sql(query))
