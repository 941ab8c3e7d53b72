"""Values whose types differ in which elements, values and members may be null meet natively."""

from pathlib import Path

import pytest
from oracle import assert_equal_rows, assert_native, assert_unbridged, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

# Of the first side nothing within is null.
QUERIES = {
    "arrays": "select array(id, 1L) x from nested union all select numbers from nested",
    "arrays the other way": "select numbers x from nested union all select array(id, 1L) from nested",
    "maps": "select map('k1', id) x from nested union all select sizes from nested",
    "structs": "select struct(id as a, n as b) x from nested union all select struct(point.n + id, n) from nested",
    "deep": "select array(array(id)) x from nested union all select deep.xs from nested",
    "three": "select array(1L) x from nested union all select array(null, 2L) from nested"
    " union all select numbers from nested",
    "distinct": "select array(id % 3) x from nested union select numbers from nested",
    "intersect": "select array(0L, null) x from nested intersect select numbers from nested",
    "except": "select numbers x from nested except select array(0L) from nested",
    "sorted": "select x from (select array(id) x from nested union all select numbers from nested) order by x limit 90",
    "grouped": "select x, count(*) from (select array(id % 3) x from nested union all select numbers from nested)"
    " group by x",
    "exploded": "select explode(x) from (select array(id) x from nested union all select numbers from nested)",
    "joined": "select a.id, b.id from nested a join (select id, array(0L) x from nested where id < 50) b"
    " on a.numbers = b.x",
    "branches": "select if(n > 2, array(id), numbers), coalesce(numbers, array(id)), case when n = 1 then array(id)"
    " when n = 2 then numbers end from nested",
    "lists": "select id from nested where numbers in (array(0L), array(id, 0L)) or array(id) in (numbers, array(7L))",
    "lags": "select id, lag(numbers, 1, array(id)) over (order by id), lead(array(id), 2, numbers) over (order by id)"
    " from nested",
    "stacks": "select stack(2, array(id), id, numbers, id + n) from nested where id < 100",
    "collected": "select n, collect_list(x), max(x), first(array(n)) from (select id, n, array(id) x from nested)"
    " group by n",
    "sorted floats": "select sort_array(x) from (select array(0D, -0D, id / 3) x from nested"
    " union all select array(0D, -0D, null, double('nan')) from nested)",
    "sorted floats without nulls": "select sort_array(array(0D, -0D, id / 3, double('nan'), -1D)) from nested",
    "expanded": "select n, x, count(distinct id), count(distinct n) from (select id, n, array(n) x from nested"
    " union all select id, n, array(null, n) from nested) group by n, x",
    "sets": "select x, n, count(*) from (select n, array(n) x from nested union all select n, array(null, 1) from"
    " nested) group by cube(x, n)",
    "subqueries": "select id, (select max(x) from (select array(1) x union all select array(null))) from nested",
}


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("name", QUERIES)
def test_values_meet(spark: SparkSession, nested: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__accelerant__batch__rows=batch_rows):
        if name not in ("sorted floats", "sorted floats without nulls"):
            assert_unbridged(spark.sql(QUERIES[name]))
        assert_native(spark.sql(QUERIES[name]))
        assert assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]), ordered=name == "sorted")


WRITTEN = (
    "select array(id) x, array(array(n)) y from nested union all select numbers, array(null, array(null)) from nested",
    "select if(n > 2, array(array(id)), deep.xs) x, map('k', n) y from nested",
    "select map('k', array(id)) x, array(struct(id as a)) y from nested"
    " union all select map('k', numbers), array(struct(if(n > 2, null, id))) from nested",
)


@pytest.mark.parametrize("query", WRITTEN)
def test_nulls_of_either_are_written(spark: SparkSession, nested: DataFrame, tmp_path: Path, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false"):
        spark.sql(query).write.parquet(str(tmp_path / "native"))
        with plain(spark):
            expected = sorted(map(repr, spark.sql(query).collect()))
            assert sorted(map(repr, spark.read.parquet(str(tmp_path / "native")).collect())) == expected
