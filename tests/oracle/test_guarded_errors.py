"""A row that would fail, and does not because Spark's plan never gets to it: guards, filters and limits."""

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    explained,
    normalised,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

BAD = "10 div (id - 700)"
TEXT_OF_BAD = f"cast({BAD} as string)"
TOO_LARGE = "if(id = 700, 9223372036854775807, 0)"
NOTHING = "(select max(id) from numbers where id < 0)"

GUARDED = {
    "filter before": "select 10 / (id - 700) as q from numbers where id <> 700",
    "and": "select id from numbers where id <> 700 and 10 / (id - 700) > 0.01",
    "or": "select id from numbers where id = 700 or 10 / (id - 700) > 0.01",
    "and, decimal": "select id from numbers where d <> 3 and 10 / (d - 3) > 0.01",
    "overflow": "select id from numbers where id < 5 and id + 9223372036854775802 > 0",
    "aggregate": "select sum(10 div (id - 700)) from numbers where id <> 700",
    "locate without a start": f"select locate('1', {TEXT_OF_BAD}, if(id = 700, null, 1)) from numbers",
    "locate without a part": f"select locate(if(id = 700, null, '1'), {TEXT_OF_BAD}) from numbers",
    "trunc by no format": f"select trunc(cast({TEXT_OF_BAD} as date), 'xx') from numbers",
    "not null, asked before": "select id from numbers where 10 / (id - 706) > n and n is not null",
    "null beside it": f"select if(id <> 700, (10 div (id - 700) + {NOTHING}) * 2, 0) from numbers",
    "array_insert at no place": f"select array_insert(array(1L), if(id = 700, null, 1), {BAD}) from numbers",
    "array_append to nothing": f"select array_append(if(id = 700, null, array(1L)), {BAD}) from numbers",
    "aggregate of nothing": f"select aggregate(if(id = 700, null, array(1L)), {BAD}, (x, y) -> x + y) from numbers",
    "array_join, null for nulls": f"select array_join(array({TEXT_OF_BAD}), '-', if(id = 700, null, 'x')) from numbers",
    "array_join in a lambda": "select transform_values(map('k', id - 700), (k, v) -> array_join(if(v = 0, null, "
    "array('')), '', string(10 div v))) from numbers",
    "covar_pop of a null": f"select covar_pop(if(id = 700, null, 1), {BAD}) from numbers",
    "regr_slope beside a null": f"select b, regr_slope({BAD}, if(id = 700, null, id)) from numbers group by b",
    "date_trunc by no format": f"select date_trunc('xx', cast({TEXT_OF_BAD} as timestamp)) from numbers",
}

# Without a guard, or with one that comes too late.
UNGUARDED = {
    "and, too late": "select id from numbers where 10 / (id - 700) > 0.01 and id <> 700 + 0 * id",
    "projection": "select 10 / (id - 700) as q from numbers",
    "decimal overflow": "select w * 100000000000000000000000000000 as much from numbers",
    "concat_ws without a separator": f"select concat_ws(if(id = 700, null, '-'), {TEXT_OF_BAD}, 'x') from numbers",
    "count": "select count(10 / (id - 700)) from numbers",
    "count of groups": "select b, count(10 div (id - 700)) from numbers group by b",
    "coalesced with null": f"select coalesce(10 div (id - 700) + {NOTHING}, 0) from numbers",
    "array_join, for nulls": f"select array_join(if(id = 700, null, array('')), '', {TEXT_OF_BAD}) from numbers",
    "array_join, two": f"select array_join(array({TEXT_OF_BAD}), '', string(10L + {TOO_LARGE})) from numbers",
    "long overflow beside": f"select timestamp_seconds({TOO_LARGE}), {BAD} from numbers",
    "corr, two": f"select corr({BAD}, 10L + {TOO_LARGE}) from numbers",
    "regr_slope, two": f"select regr_slope({BAD}, 10L + {TOO_LARGE}) from numbers",
    "order of a list": f"select listagg(string(id)) within group (order by h, {BAD}) from numbers",
    "key of a map beside a value": f"select map(if(id = 700, null, id), 1, -1L, {BAD}) from numbers",
    "between nulls": f"select * from numbers where 10 div (id - 700) between {NOTHING} and {NOTHING}",
    "not null, asked last": "select id from numbers where n is not null and 10 / (id - 706) > 1",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_sum_of_decimals(spark: SparkSession, numbers: DataFrame, batch_rows: str) -> None:
    """How Spark fails depends on where the sum first leaves its type."""
    query = "select sum(w * 1000000000000000000) from numbers"
    changes = {"spark__accelerant__batch__rows": batch_rows, "spark__sql__files__minPartitionNum": "1"}
    with settings(spark, **changes):
        error = assert_failure_of_spark(spark, lambda: spark.sql(query), "arithmetic overflow")
    assert error.condition


# Values that fail in rows where Spark does not look at them, which depends on its partitions.
SKIPPED = {
    "first": "select first(10 / (id - 700)) from numbers where id > 60",
    "first of groups": "select n, first(10 / (id - 700)) from numbers where id > 60 group by n",
    "min_by": "select min_by(10 / (id - 700), id) from numbers where id > 60",
    "beside a sum": "select any_value(w * 100000000000000000000000000000), sum(id) from numbers where id < 50",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", GUARDED)
def test_guarded(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(GUARDED[name]))


@pytest.mark.parametrize("thresh", [1, 2])
def test_rows_with_enough_values(spark: SparkSession, numbers: DataFrame, thresh: int) -> None:
    """Spark counts no further than it needs to."""

    def query() -> DataFrame:
        columns = spark.sql("select id, id * 2 as n, 10 div (id - 700) as q from numbers")
        return columns.na.drop(thresh=thresh).select("id")

    assert len(assert_equal_rows(spark, query)) == 5550


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", UNGUARDED)
def test_unguarded(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str, record_property) -> None:
    # One partition: with more, plain Spark shows the error of the task that fails first.
    changes = {"spark__accelerant__batch__rows": batch_rows, "spark__sql__files__minPartitionNum": "1"}
    with settings(spark, **changes):
        error = assert_equal_failure(spark, lambda: spark.sql(UNGUARDED[name]))
    record_property("figure", f"{error.python_class} {error.condition}")


# Rows below a join: whether their errors count depends on Spark's plan, which takes over.
BELOW_JOINS = {
    "semi join": "select id from numbers left semi join numbers b using (id) where 10 / (id - 700) > -9",
    "anti join": "select id from numbers left anti join numbers b using (id) where 10 / (id - 700) > -9",
    "existence join": "select id from numbers where 1 / (id - 700) > -9 and (id in (select h from numbers) or b)",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", BELOW_JOINS)
def test_below_a_join(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        reason = "division by zero in a row below a join"
        error = assert_failure_of_spark(spark, lambda: spark.sql(BELOW_JOINS[name]), reason)
    assert error.condition == "DIVIDE_BY_ZERO"


# Keys of which Spark computes as many as it compares rows by, which depends on its partitions.
SORTED = {
    "order": f"select id from numbers order by b, {BAD}",
    "order of the first": f"select id from numbers order by {BAD} limit 3",
}
UNCOMPARED = {
    "later key": f"select id, h from numbers order by id, {BAD} limit 3",
    "later key behind an offset": f"select id, h from numbers order by id, {BAD} limit 3 offset 2",
    "one row": f"select id from numbers where id = 700 order by {BAD} limit 3",
}


@pytest.mark.parametrize("name", SORTED)
def test_failing_key_of_a_sort(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    error = assert_failure_of_spark(spark, lambda: spark.sql(SORTED[name]), "division by zero in a key of a sort")
    assert error.condition == "DIVIDE_BY_ZERO"


@pytest.mark.parametrize("name", UNCOMPARED)
def test_key_of_a_sort_that_is_not_compared(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    df = spark.sql(UNCOMPARED[name])
    assert_native(df)
    with plain(spark):
        expected = spark.sql(UNCOMPARED[name]).collect()
    assert df.collect() == expected
    assert "reverted to Spark: division by zero in a key of a sort" in explained(df)


@pytest.mark.parametrize("fails", ["sum(10 div (id - 700))", "sum(distinct 10 div (id - 700))"])
def test_below_a_sort_based_aggregate(spark: SparkSession, numbers: DataFrame, fails: str) -> None:
    """Spark takes all rows in before it computes a key or an argument: a later row may fail in the filter first."""
    sql = f"select n, max(string(h)), {fails} from numbers where cast(if(id = 900, 'x', '1') as int) > 0 group by n"
    with settings(spark, spark__sql__files__minPartitionNum="1"):
        reason = "a row fails in an aggregate for which Spark sorts first"
        error = assert_failure_of_spark(spark, lambda: spark.sql(sql), reason)
    assert error.condition == "CAST_INVALID_INPUT"


# Rows that a join drops.
QUOTIENTS = "(select id, 10 div (id - 700) as q from numbers)"
DROPPED = {
    "inner join": f"select a.id, q from {QUOTIENTS} a join numbers b on a.id = b.id + 701",
    "left join": f"select a.id, q from {QUOTIENTS} a left join numbers b on a.id = b.id where b.id is null",
    "semi join": f"select id, q from {QUOTIENTS} a left semi join numbers b on a.id = b.id + 701",
}


@pytest.mark.parametrize("name", DROPPED)
def test_dropped_by_a_join(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    df = spark.sql(DROPPED[name])
    assert_native(df)
    with plain(spark):
        expected = normalised(spark.sql(DROPPED[name]).collect())
    assert normalised(df.collect()) == expected
    assert "reverted to Spark: division by zero in a row below a join" in explained(df)


# What Spark leaves out beside a broadcast side without rows, for those who read rows in parts: none has left before.
NO_ROWS = "(select /*+ broadcast */ id, y from numbers where y < 0)"
BAD_KEY = "10 div (a.id - 700)"
SPARED = {
    "key of an inner join": f"select a.id from numbers a join {NO_ROWS} b on {BAD_KEY} = b.id",
    "key of a semi join": f"select id from numbers a left semi join {NO_ROWS} b on {BAD_KEY} = b.id",
    "key of an anti join": f"select id from numbers a left anti join {NO_ROWS} b on {BAD_KEY} = b.id",
    "key of NOT IN": f"select id from numbers where {BAD} not in (select id from {NO_ROWS})",
}
SPARED_IF_ADAPTIVE = {
    "key of an outer join": f"select a.id, b.y from numbers a left join {NO_ROWS} b on {BAD_KEY} = b.id",
    "small side": "select l.id from numbers l join numbers r using (id) where 10 div (l.id - 700) > 0 and r.y < 0",
    "row of an inner join": f"select a.id from {QUOTIENTS} a join {NO_ROWS} b on a.id = b.id where q is not null",
    "row of a join of pairs": f"select a.id from {QUOTIENTS} a join {NO_ROWS} b where q is not null",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", SPARED)
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_spared_beside_no_rows(
    spark: SparkSession, numbers: DataFrame, adaptive: str, name: str, batch_rows: str
) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive, spark__accelerant__batch__rows=batch_rows):
        assert_equal_parts(spark, SPARED[name])


@pytest.mark.parametrize("name", SPARED_IF_ADAPTIVE)
def test_spared_by_adaptive_execution(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    assert_equal_parts(spark, SPARED_IF_ADAPTIVE[name])


def assert_equal_parts(spark: SparkSession, sql: str) -> None:
    df = spark.sql(sql)
    assert_native(df)
    with plain(spark):
        expected = normalised(spark.sql(sql).rdd.collect())
    assert normalised(df.rdd.collect()) == expected
    assert "reverted" not in explained(df)


@pytest.mark.parametrize("name", SKIPPED)
def test_skipped(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    df = spark.sql(SKIPPED[name])
    assert_native(df)
    found = df.collect()
    assert "reverted to Spark: first, max_by or min_by beside an argument that fails" in explained(df)
    with plain(spark):
        assert normalised(found) == normalised(spark.sql(SKIPPED[name]).collect())


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_limit_before_and_after_the_bad_row(spark: SparkSession, numbers: DataFrame, batch_rows: str) -> None:
    sql = "select id, 10 / (id - 3010) as q from numbers limit {}"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert len(assert_equal_rows(spark, lambda: spark.sql(sql.format(7)), ordered=True)) == 7
        assert_equal_failure(spark, lambda: spark.sql(sql.format(5550)))
