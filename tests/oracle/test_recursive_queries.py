"""Recursive queries: Spark runs their steps, each a query of its own, and the engine what is above them."""

import pytest
from oracle import explained, normalised, operators, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

QUERIES = (
    "with recursive r(n) as (select 1 union all select n + 1 from r where n < 90) "
    "select n % 7 k, count(*), sum(n) from r group by 1",
    "with recursive r(id, depth) as (select id, 0 from numbers where id in (1, 3) union all "
    "select a.id, depth + 1 from numbers a join r on a.id = r.id * 2 where depth < 9) "
    "select depth, count(*), max(id), sum(id) from r group by depth",
    "with recursive r(n) as (select 1L union all select n * 2 from r where n < 4000) "
    "select a.n, b.s from r a join numbers b on a.n = b.id order by a.n",
)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("query", QUERIES)
def test_above_a_recursive_query(spark: SparkSession, numbers: DataFrame, query: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = spark.sql(query)
        rows = df.collect()
        assert any(name.startswith("Native") for name in operators(df)), explained(df)
        assert "operator UnionLoop" in explained(df)
        with plain(spark):
            assert normalised(rows) == normalised(spark.sql(query).collect())
