"""What a query that stays with Spark loses: the time that it took to find that out.

The time is measured here and bounded by `make acceptance`; that nothing else is lost is asserted.
"""

import statistics
import time
from collections.abc import Iterator

import pytest
from engine_process import collect_garbage, eventually, held_bytes, open_queries
from oracle import assert_spark, operators, plain, settings
from pyspark.sql import DataFrame, SparkSession

# Wide and deep, and reverted for what stands at its top: everything below was bound for nothing.
SQL = """
    select a.id, a.total,
        count(*) over (partition by a.n order by b.id rows between 2000000000 preceding and current row) as place
    from (select id, n, sum(d) as total from numbers where x > 1 and s like 'row%' group by id, n) as a
    join numbers as b on a.id = b.id and a.n < b.h
    where b.t > date'1500-02-01' and (b.y in (1, 2, 3) or b.r > 2)"""
PLANS = 30


@pytest.fixture(scope="module", autouse=True)
def without_islands(spark: SparkSession) -> Iterator[None]:
    """Has the whole plan stay with Spark."""
    with settings(spark, spark__accelerant__islands="false"):
        yield


def planning_seconds(spark: SparkSession) -> float:
    """Plans the query anew and returns how long that took."""
    start = time.perf_counter()
    spark.sql(SQL)._jdf.queryExecution().executedPlan()
    return time.perf_counter() - start


@pytest.fixture
def job_group(spark: SparkSession) -> Iterator[str]:
    """Spark's jobs of this test, by the name of their group."""
    name = "a reverted plan"
    spark.sparkContext.setJobGroup(name, name)
    yield name
    for each in ("spark.jobGroup.id", "spark.job.description"):
        spark.sparkContext.setLocalProperty(each, None)


def test_a_reverted_plan_leaves_nothing_behind(spark: SparkSession, numbers: DataFrame, job_group: str) -> None:
    collect_garbage(spark)
    tracker = spark.sparkContext.statusTracker()
    before = open_queries(spark)
    df = spark.sql(SQL)
    assert_spark(df)
    with plain(spark):
        assert operators(df) == operators(spark.sql(SQL))
    assert not tracker.getJobIdsForGroup(job_group)
    assert open_queries(spark) <= before
    assert eventually(lambda: collect_garbage(spark) or held_bytes(spark) == 0)
    df.collect()
    assert tracker.getJobIdsForGroup(job_group)
    assert open_queries(spark) <= before


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
