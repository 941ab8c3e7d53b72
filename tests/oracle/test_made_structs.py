"""Members of structs that a query makes itself: the structs are not made."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, assert_unbridged, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

STRUCTS = (
    "select s.a, s.b from (select named_struct('a', id + 1, 'b', tags) s from nested where id > 3)",
    "select s.a, count(*) from (select named_struct('a', id % 7, 'b', id) s from nested) where s.b > 9 group by s.a",
    "select s.a.x, s from (select named_struct('a', struct(id as x, n as y), 'b', n) s from nested)",
    "select s.a.x, s.b from (select named_struct('a', struct(id as x, n as y), 'b', n) s from nested) where s.a.y > 2",
    "select max(s.a), min(s.b) from (select named_struct('a', id, 'b', n) s from nested)",
)


@pytest.mark.parametrize("query", STRUCTS)
def test_members_of_made_structs(spark: SparkSession, nested: DataFrame, query: str) -> None:
    collapse = "org.apache.spark.sql.catalyst.optimizer.CollapseProject"
    with settings(spark, spark__sql__ansi__enabled="false", spark__sql__optimizer__excludedRules=collapse):
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_members_that_nothing_asks_for_fail_all_the_same(spark: SparkSession, nested: DataFrame) -> None:
    query = "select s.a from (select named_struct('a', id, 'b', 10 div n) s from nested)"
    collapse = "org.apache.spark.sql.catalyst.optimizer.CollapseProject"
    with settings(spark, spark__sql__ansi__enabled="true", spark__sql__optimizer__excludedRules=collapse):
        assert_equal_failure(spark, lambda: spark.sql(query))
