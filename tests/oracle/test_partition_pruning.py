"""Files of partitions that only the running query can leave out: by a subquery's value, or by a join's keys."""

from pathlib import Path

import pytest
from lacking import PLACE
from oracle import assert_equal_rows, assert_native, explained, failure, normalised, operators, plain, scans, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.fixture(scope="module")
def facts(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `facts`, 2,000 rows in ten days and as many files, beside those of no day; and `days`, one row a day."""
    folder = tmp_path_factory.mktemp("pruning")
    with plain(spark):
        rows = spark.range(0, 2000, 1, 1).selectExpr("id", "id % 10 as day", "concat('m', id % 2) as month")
        more = spark.range(2000, 2010, 1, 1).selectExpr("id", "cast(null as bigint) as day", "'m0' as month")
        rows.union(more).coalesce(1).write.partitionBy("day", "month").parquet(str(folder / "facts"))
        days = spark.range(10).selectExpr("id as day", "id % 3 = 0 as chosen", "concat('d', id) as name")
        days.write.parquet(str(folder / "days"))
    for name in ("facts", "days"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    return spark.table("facts")


def files_read(df: DataFrame) -> list[int]:
    """Returns how many files each scan of a query has opened."""
    df.collect()
    plan = df._jdf.queryExecution().executedPlan()
    return [scan.metrics().apply("filesRead").value() for scan in scans(plan) if scan.metrics().contains("filesRead")]


BY_SUBQUERY = {
    "select id from facts where day = (select max(day) - 3 from facts)": 1,
    "select id, month from facts where day > (select max(day) - 3 from facts) and id % 7 = 1": 3,
    "select count(*) from facts where day <= (select min(day) from days where chosen)": 1,
    "select id from facts where day = (select max(day) from days where day > 100)": 0,
    "select sum(id) from facts where month = (select concat('m', min(day)) from days)": 6,
    "select id from facts where day <> (select 3) and month = (select max('m1') from days)": 4,
}


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("query", BY_SUBQUERY)
def test_subqueries(spark: SparkSession, facts: DataFrame, query: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert_equal_rows(spark, lambda: spark.sql(query))
        assert files_read(spark.sql(query)) == [BY_SUBQUERY[query]]


def test_failing_filter(spark: SparkSession, facts: DataFrame) -> None:
    """Plain Spark fails while it lists the files, outside any task; the condition is the same."""
    query = "select id from facts where 1 / (day - (select min(day) from days)) > 0"
    df = spark.sql(query)
    assert_native(df)
    assert failure(df.collect).condition == "DIVIDE_BY_ZERO"
    with plain(spark), pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        spark.sql(query).collect()


def test_reverted(spark: SparkSession, facts: DataFrame, tmp_path: Path) -> None:
    """Spark plans the pruning anew that adaptive execution had prepared."""
    time = "cast(concat('2020-01-0', 1 + id % 9) as timestamp) as t"
    query = f"select id, {time} from facts join days on facts.day = days.day where days.name in ('d1', 'd2')"
    with plain(spark):
        expected = sorted(spark.sql(query).collect())
    with settings(spark, spark__accelerant__bridge="false"):
        df = spark.sql(query)
        assert_native(df)
        assert sorted(df.rdd.map(tuple).collect()) == expected
        assert "reverted to Spark: " in explained(df)
    df.write.parquet(str(tmp_path / "out"))
    assert sorted(spark.read.parquet(str(tmp_path / "out")).collect()) == expected


CHOSEN = "facts join days on facts.day = days.day where days.chosen"
BY_JOIN = {
    f"select id, facts.day, name from {CHOSEN}": 4,
    f"select count(*), sum(id) from {CHOSEN} and id % 2 = 0": 4,
    "select id from facts where day in (select day from days where name in ('d1', 'd2'))": 2,
    "select id from facts where day not in (select day from days where name in ('d1', 'd2'))": 11,
    "select id, name from facts left join days on facts.day = days.day and chosen": 11,
    "select id, name from (select * from facts where id < 9) f right join days on f.day = days.day and chosen": 10,
    "select id, d from (select id, day + 0 d from facts) f join days on f.d = days.day where chosen": 4,
    "select id, d from (select id, day d from facts) f join days on f.d = days.day where name = 'd7'": 1,
    "select id from facts join (select * from days where day < 0) d on facts.day = d.day": 0,
    """select id from facts join (select day, 'm1' month from days where chosen) d
       on facts.day = d.day and facts.month = d.month""": 2,
    "select id, name from facts join days on facts.day = try_cast(days.name as bigint)": 0,
    "select id from facts left semi join days on facts.day = nullif(days.day, days.day) and id > days.day": 0,
}


@pytest.mark.parametrize("pruning", ["true", "false"])
@pytest.mark.parametrize("query", BY_JOIN)
def test_joins(spark: SparkSession, facts: DataFrame, query: str, pruning: str) -> None:
    """Natively whether or not Spark itself plans to prune."""
    changes = {
        "spark__sql__optimizer__dynamicPartitionPruning__enabled": pruning,
        "spark__sql__optimizer__dynamicPartitionPruning__reuseBroadcastOnly": pruning,
    }
    with settings(spark, **changes):
        assert_equal_rows(spark, lambda: spark.sql(query))
        assert BY_JOIN[query] in files_read(spark.sql(query))


def assert_native_above(spark: SparkSession, query: str, island: str) -> DataFrame:
    """Fails unless a query aggregates natively above an operator of Spark's, and equals plain Spark's."""
    df = spark.sql(query)
    rows = df.collect()
    assert f"{island} (island)" in explained(df)
    assert "NativeHashAggregate" in operators(df)
    with plain(spark):
        assert normalised(rows) == normalised(spark.sql(query).collect())
    return df


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_join_that_stays_sparks(spark: SparkSession, facts: DataFrame, adaptive: str) -> None:
    """It chooses partitions of its own scan, which is planned again when the other side is there."""
    key = "soundex(string({}))"  # which the engine lacks, and without the bridge can't have
    query = (
        f"select facts.day, count(*), max(id) from facts join days on {key.format('facts.day')}"
        f" = {key.format('days.day')} where name in ('d3', 'd6') group by facts.day"
    )
    with settings(spark, spark__sql__adaptive__enabled=adaptive, spark__accelerant__bridge="false"):
        df = assert_native_above(spark, query, "BroadcastHashJoin")
        assert "@ FileSourceScan" in explained(df), explained(df)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_joins_of_sorted_rows_above_islands(spark: SparkSession, facts: DataFrame, adaptive: str) -> None:
    """When Spark's own join ends, each task walks through the plan below it, islands included."""
    windowed = f"select day, {PLACE.replace('by n', 'by month')} as place from facts"
    sums = f"select place, sum(day) as total from ({windowed}) group by place"
    on = "string(a.place) collate UTF8_LCASE = string(b.total) collate UTF8_LCASE"
    query = f"select count(*), sum(a.total) from ({sums}) a left join ({sums}) b on {on}"
    with settings(spark, spark__sql__autoBroadcastJoinThreshold="-1", spark__sql__adaptive__enabled=adaptive):
        assert_native_above(spark, query, "SortMergeJoin")
