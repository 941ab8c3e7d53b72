"""What benchmarks/tpcds takes for the sort keys and the limit of a query."""

import pytest
from pyspark.sql import DataFrame, SparkSession

from tpcds.worker import order_of

pytestmark = pytest.mark.spark41

ORDERS = {
    "select n, id from numbers order by id desc, n limit 5": ([1, 0], True, 5),
    "select n, count(*) c from numbers group by n order by c, n": ([1, 0], True, None),
    "select n, sum(id) from numbers group by n order by sum(id) limit 7": ([1], True, 7),
    "with t as (select n, id from numbers) select * from t order by id limit 2": ([1], True, 2),
    "select n, n as m from numbers order by n limit 2": ([0], True, 2),
    "select n from numbers order by n, id limit 3": ([0], False, 3),
    "select n, id from numbers order by n + id, id limit 3": ([], False, 3),
    "select substr(s, 1, 3) as t, n from numbers order by substr(s, 1, 3), n limit 3": ([0, 1], True, 3),
    "select n from numbers limit 4": ([], False, 4),
    "select n from numbers": ([], False, None),
}


@pytest.mark.parametrize("sql", ORDERS)
def test_order(spark: SparkSession, numbers: DataFrame, sql: str) -> None:
    found = order_of(spark.sql(sql))
    assert (found["keys"], found["is_ordered_by_columns"], found["limit"]) == ORDERS[sql]
