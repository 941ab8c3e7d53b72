"""The greatest and the least of nested values, and of rows by them, in groups and windows, natively."""

import pytest
from oracle import assert_equal_rows, assert_unbridged, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

GROUPS = (
    "select n, max(tags), min(tags), max(numbers), min(numbers) from nested group by n",
    "select max(tags), min(point), max(deep.xs), min(days) from nested",
    "select n, max(flags), min(prices), max(wide), min(times) from nested group by n",
    "select n, max(point), min(point) from nested where id < 40 group by n",
    "select n, max(struct(id % 3, tags)), min(struct(n, id % 5, point.label)) from nested group by n",
    "select id % 400 k, max(tags), min(struct(-id, tags)) from nested group by k",
    "select n, max(tags) filter (where id % 3 = 0), min(tags) filter (where id < 0) from nested group by n",
    "select n, max(distinct tags), count(distinct point), min(distinct deep.xs) from nested group by n",
    "select n, max(tags), sum(distinct id % 7), min(point) from nested group by n",
    "select n, max_by(id, struct(n, id)), min_by(tags, array(-id)), max_by(sizes, array(id, null)) from nested"
    " group by n",
    "select n, max_by(deep, struct(point.label, id)), min_by(null, tags), max_by(id, array(null, id)) from nested"
    " group by n",
    "select max(tags), max_by(id, tags), min(deep.xs) from nested where id < 0",
    "select n, max(tags) from nested where id < 0 group by n",
    "select max(array(x)), min(struct(x)), max(array(array(x), null)) from (select id / 7 - 30 as x from nested)",
    "select n, id % 2 b, max(tags), grouping_id() from nested group by cube(n, id % 2)",
    "select max(m), min(m) from (select n, max(tags) m from nested group by n)",
    "select k, max(v) from (select id % 11 k, tags v from nested union all select n, array('x') from nested)"
    " group by k",
)

WINDOWS = (
    "select id, max(tags) over (partition by n), min(point) over (partition by n order by id) from nested",
    "select id, max(numbers) over (order by id rows between 3 preceding and 1 following) from nested",
    "select id, min(tags) over (partition by n order by id desc rows between unbounded preceding and 2 preceding)"
    " from nested",
    "select id, max(tags) over (partition by n order by id rows between 40 preceding and 3 preceding),"
    " min(struct(id % 13, id)) over (order by id rows between 70 preceding and 60 following) from nested",
    "select id, max_by(id, struct(id % 13, id)) over (partition by n order by id),"
    " min_by(tags, array(id % 7, id)) over (partition by n order by id) from nested",
    "select id, min_by(tags, id) over (partition by n order by id), max_by(point, -id) over (order by id) from nested",
    "select id, min_by(deep, id % 17 * 1000 + id) over (partition by n order by id) from nested",
)


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", GROUPS)
def test_groups(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__accelerant__batch__rows=batch_rows):
        assert_unbridged(spark.sql(query))
        rows = assert_equal_rows(spark, lambda: spark.sql(query))
        assert rows or "where id < 0 group by" in query


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", WINDOWS)
def test_windows(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__accelerant__batch__rows=batch_rows):
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))
