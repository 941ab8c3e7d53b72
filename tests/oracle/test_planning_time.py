"""What a query that stays with Spark loses: the time that it took to find that out."""

import statistics
import time

from oracle import assert_spark, plain
from pyspark.sql import DataFrame, SparkSession

# Wide and deep, and reverted for what stands at its top: everything below was bound for nothing.
SQL = """
    select a.id, row_number() over (partition by a.n order by b.id) as place, a.total
    from (select id, n, sum(d) as total from numbers where x > 1 and s like 'row%' group by id, n) as a
    join numbers as b on a.id = b.id and a.n < b.h
    where b.t > date'1500-02-01' and (b.y in (1, 2, 3) or b.r > 2)"""
PLANS = 30


def planning_seconds(spark: SparkSession) -> float:
    """Plans the query anew and returns how long that took."""
    start = time.perf_counter()
    spark.sql(SQL)._jdf.queryExecution().executedPlan()
    return time.perf_counter() - start


def test_a_reverted_plan_costs_little(spark: SparkSession, numbers: DataFrame, record_property) -> None:
    assert_spark(spark.sql(SQL))
    ours, theirs = [], []
    # By turns, so that what disturbs one disturbs the other.
    for _ in range(PLANS):
        ours.append(planning_seconds(spark))
        with plain(spark):
            theirs.append(planning_seconds(spark))
    hot = PLANS // 3
    more = (statistics.median(ours[hot:]) - statistics.median(theirs[hot:])) * 1000
    record_property("milliseconds", f"{more:.2f}")
    record_property("figure", f"{more:.1f} ms more than {statistics.median(theirs[hot:]) * 1000:.0f} ms")
