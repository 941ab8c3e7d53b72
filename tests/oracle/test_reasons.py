"""Reasons for leaving a query to Spark that no other test meets; scripts/check_reasons.py lists all there are."""

import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle import (
    assert_equal_rows,
    assert_spark,
    explained,
    failure,
    normalised,
    operators,
    plain,
    plain_failure,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

import check_reasons

pytestmark = pytest.mark.spark41


def test_every_reason_is_named_by_a_test() -> None:
    found = check_reasons.reasons()
    assert len(found) > 100
    assert [reason.text for reason in check_reasons.unnamed(found)] == []
    assert check_reasons.stale_guards(found) == []


def test_reasons_are_found_in_every_form(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('if (x) call.refuse("of no values");\nthrow_unsupported("one " + b + " of this");\n')
    (tmp_path / "a.scala").write_text('Option.when(a(b) && c)(s"dd ${e} of f")\nOption.when(a)(b)\nSome(s"ghi $j")\n')
    literals = [reason.literals for name in ("a.h", "a.scala") for reason in check_reasons.reasons_of(tmp_path / name)]
    assert literals == [("of no values",), ("one ", " of this"), ("dd ", " of f"), ("ghi ",)]


@pytest.fixture(scope="module")
def lists(spark: SparkSession, numbers: DataFrame, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    folder = str(tmp_path_factory.mktemp("lists") / "t")
    with plain(spark):
        numbers.selectExpr("id", "n", "array(id % 7) as a", "array(id % 5) as b").write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("lists")
    return df


def assert_left(spark: SparkSession, query: Callable[[], DataFrame], reason: str) -> None:
    """Fails unless a query is Spark's, or becomes so when it runs, for a reason, and ends as on plain Spark."""
    with settings(spark, spark__accelerant__bridge="false", spark__accelerant__islands="false"):
        df = query()
        with plain(spark):
            try:
                expected = normalised(query().collect())
            except Exception:
                expected = None
        if expected is None:
            assert failure(df.collect) == plain_failure(spark, query)
        else:
            assert normalised(df.collect()) == expected
        assert_spark(df)
        assert reason in explained(df), explained(df)


REASONS = {
    "Reverse(binary)": "select id, reverse(z) as r from numbers",
    "group by a column of type map<double,": "select count(*) from values (map(1D, 2)) as t(m) group by m",
    "generator JsonTuple": "select id, json_tuple(s, 'a') as c from numbers",
    "generator Stack of as many rows": "select id, stack(1001, id) as c from lists where id < 9",
    "try_cast from timestamp to timestamp_ntz": "select id, try_cast(u as timestamp_ntz) as v from numbers",
    "Like with an invalid pattern": "select id from numbers where s like 'row%\\\\'",
    "to such places": "select id, round(d, -40) as r from numbers",
    "ArraySort by a comparison of one's own": "select id, array_sort(a, (x, y) -> int(y - x)) as r from lists",
    "Sequence of dates by a step other than constant days": (
        "select id, sequence(t, date_add(t, 90), interval 1 month) as r from numbers"
    ),
    "SortArray of floats in ascending order": (
        "select id, transform(array(array(coalesce(x, 0D), -1D)), e -> sort_array(e)) as r from numbers"
    ),
    "StringSplit at a pattern that is no constant": "select id, split(s, s) as r from numbers",
    "StringSplit at a pattern that stands for more than one text": "select id, split(s, '[ow]') as r from numbers",
    "ArrayTransform of a lambda with rows for Spark": (
        "select id, transform(array(s, '2024-02-29'), x -> try_cast(x as timestamp)) as r from numbers"
    ),
    "ArrayJoin with a replacement that is no constant": (
        "select id, array_join(array(s, null), '-', s) as r from numbers"
    ),
    "ArrayJoin of values that may fail, in a lambda": (
        "select id, transform(a, x -> array_join(array(null, cast(1 div x as string)), '-', '?')) as r"
        " from lists where a[0] > 0"
    ),
    "Cast of nested values with rows for Spark": "select id, try_cast(array(s) as array<timestamp>) as r from numbers",
    "DateFormatClass with a pattern that only Spark knows": "select id, date_format(u, 'VV') as r from numbers",
    "a frame of values with an offset that is null": (
        "select id, sum(n) over (order by id range between null preceding and current row) as r from numbers"
    ),
}
# By settings of old, or as Spark plans without rules of its optimizer.
OLD = "spark.sql.legacy."
WITHOUT_RULES = {
    "spark.sql.optimizer.excludedRules": ",".join(
        f"org.apache.spark.sql.catalyst.optimizer.{rule}" for rule in ("ConstantFolding", "NullPropagation")
    )
}
REASONS_OF_SETTINGS = {
    "ArrayExists of two truth values": (
        "select id, exists(a, x -> x > 3) as r from lists",
        {f"{OLD}followThreeValuedLogicInArrayExists": "false"},
    ),
    "ArrayInsert that counts from the end as it once did": (
        "select id, array_insert(a, -1, 5L) as r from lists",
        {f"{OLD}negativeIndexInArrayInsert": "true"},
    ),
    "ArraysZip of no arrays": ("select id, arrays_zip() as r from lists", WITHOUT_RULES),
    "CreateArray of no values": ("select id, array() as r from lists", WITHOUT_RULES),
    "CreateMap of no entries": ("select id, map() as r from lists", WITHOUT_RULES),
    "DateFormatClass with no pattern": ("select id, date_format(u, null) as r from numbers", WITHOUT_RULES),
}
# Such queries take Spark long to plan.
LONG_REASONS = {
    "COALESCE of 65,535 values or more": f"coalesce({', '.join(['n'] * 65535)})",
    "CASE with 65,535 branches or more": f"case {' '.join(f'when n = {i} then {i}' for i in range(65535))} end",
}


@pytest.mark.parametrize("reason", REASONS)
def test_queries(spark: SparkSession, numbers: DataFrame, lists: DataFrame, reason: str) -> None:
    if reason == "Reverse(binary)" and spark.version < "4.3":
        pytest.skip("Spark before 4.3 takes the bytes for a string")
    if reason.endswith("a replacement that is no constant") and spark.version >= "4.3":
        pytest.skip("Spark before 4.3 makes null of such rows")
    assert_left(spark, lambda: spark.sql(REASONS[reason]), reason)


@pytest.mark.parametrize("reason", REASONS_OF_SETTINGS)
def test_queries_by_settings(spark: SparkSession, numbers: DataFrame, lists: DataFrame, reason: str) -> None:
    sql, changes = REASONS_OF_SETTINGS[reason]
    with settings(spark, **{name.replace(".", "__"): value for name, value in changes.items()}):
        assert_left(spark, lambda: spark.sql(sql), reason)


@pytest.mark.skipif("ACCELERANT_THOROUGH_TESTS" not in os.environ, reason="Spark plans such queries for a while")
@pytest.mark.parametrize("reason", LONG_REASONS)
def test_long_queries(spark: SparkSession, numbers: DataFrame, reason: str) -> None:
    assert_left(spark, lambda: spark.sql(f"select id, {LONG_REASONS[reason]} as r from numbers"), reason)


def test_deep_types(spark: SparkSession, numbers: DataFrame) -> None:
    deep = f"{'array(' * 65}n{')' * 65}"
    with settings(spark, spark__accelerant__strict="false"):
        assert_left(spark, lambda: spark.sql(f"select id, {deep} as r from numbers"), "types nested deeper than 64")
        df = spark.sql(f"select {deep} as r from numbers")
        assert "not tried: conversion failed: " in explained(df)


@pytest.mark.parametrize("function", ["upper", "lower"])
def test_case_before_43(spark: SparkSession, numbers: DataFrame, function: str) -> None:
    if spark.version.startswith("4.3"):
        pytest.skip("4.3 knows the Unicode that the engine does")
    query = f"select id, {function}(s) as r from numbers"
    assert_left(spark, lambda: spark.sql(query), "by another version of Unicode")


def test_orders_that_spark_counts_on(spark: SparkSession, numbers: DataFrame) -> None:
    """Spark's operators above take the rows in parts, and have no sort of their own."""
    spark.udf.register("plus_one", lambda value: value + 1, "bigint")
    sql = "select plus_one(a.id) as r from numbers a join numbers b on a.id = b.id"
    with settings(spark, spark__sql__adaptive__enabled="false", spark__sql__autoBroadcastJoinThreshold="-1"):
        df = spark.sql(sql)
        assert [name for name in operators(df) if name.startswith("Native")]
        rows = normalised(df.collect())
        reason = "without adaptive execution Spark may count on the order of rows in each partition"
        assert f"reverted to Spark: {reason}" in explained(df), explained(df)
        with plain(spark):
            assert rows == normalised(spark.sql(sql).collect())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"spark__accelerant__library": "/nowhere/libaccelerant.so"}, "the native library can't be used: "),
        ({"spark__master": "local-cluster[1,1,1024]"}, "only local[N] is supported: start it with --master local[*]"),
    ],
)
def test_applications(submit: Callable, changes: dict[str, str], reason: str) -> None:
    done = submit(Path(__file__).with_name("explained_job.py"), **changes)
    assert "total 45" in done.stdout, done.stderr[-3000:]
    assert f"! not tried: {reason}" in done.stdout or f", {reason}" in done.stdout, done.stdout


@pytest.mark.parametrize("key", ["x", "coalesce(x, 9D)", "array(coalesce(x, 9D))"])
def test_not_in_of_floats(spark: SparkSession, numbers: DataFrame, key: str) -> None:
    """Spark tells -0.0 from 0.0 there, but on 4.3 where it asks for nulls."""
    sql = f"select id, x from numbers where {key} not in (select {key} from numbers where id < 50 and x is not null)"
    if key == "x" and spark.version >= "4.3":
        assert_equal_rows(spark, lambda: spark.sql(sql))
    else:
        assert_left(spark, lambda: spark.sql(sql), "NOT IN of floats as Spark")


def test_dates_of_the_old_calendar(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark), settings(spark, spark__sql__parquet__datetimeRebaseModeInWrite="LEGACY"):
        numbers.select("id", "t").write.parquet(str(tmp_path / "t"))
    read = spark.read.parquet(str(tmp_path / "t"))
    assert_left(
        spark, lambda: read.selectExpr("id + 1 as i", "t"), "dates of the old hybrid calendar (written by Spark "
    )


def test_columns_of_one_name(spark: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", "A"]), tmp_path / "t.parquet")

    def query() -> DataFrame:
        return spark.read.schema("a long").parquet(str(tmp_path / "t.parquet")).selectExpr("a + 1 as b")

    assert_left(spark, query, "several columns of the file have the name")


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("id string", "reading INT64 (None) as string"),
        ("id array<long>", "reading the field id as array<bigint>"),
        ("a long", "reading a nested column as bigint"),
    ],
)
def test_columns_of_another_type(spark: SparkSession, lists: DataFrame, schema: str, reason: str) -> None:
    folder = lists.inputFiles()[0]

    def query() -> DataFrame:
        return spark.read.schema(schema).parquet(folder).selectExpr(f"{schema.split()[0]} is null as c")

    assert_left(spark, query, reason)


def test_lists_in_the_old_format(spark: SparkSession, lists: DataFrame, tmp_path: Path) -> None:
    with settings(spark, spark__sql__parquet__writeLegacyFormat="true"):
        lists.write.parquet(str(tmp_path / "t"))
        assert "nested columns with spark.sql.parquet.writeLegacyFormat=true" in last_execution(spark)
    with plain(spark):
        assert normalised(spark.read.parquet(str(tmp_path / "t")).collect()) == normalised(lists.collect())


def test_buckets_sorted_by_lists(spark: SparkSession, lists: DataFrame) -> None:
    try:
        lists.write.bucketBy(2, "id").sortBy("a").saveAsTable("sorted_lists")
        assert "sortBy a column of type array<bigint>" in last_execution(spark)
        with plain(spark):
            assert normalised(spark.table("sorted_lists").collect()) == normalised(lists.collect())
    finally:
        spark.sql("drop table if exists sorted_lists")


def test_inserts_of_floats(spark: SparkSession, numbers: DataFrame) -> None:
    try:
        spark.sql("create table inserted_floats (d decimal(9,2)) using parquet")
        with settings(spark, spark__accelerant__bridge="false", spark__accelerant__islands="false"):
            spark.sql("insert into inserted_floats select x from numbers")
        assert "CheckOverflowInTableInsert of floats as decimals" in last_execution(spark)
        with plain(spark):
            expected = normalised(spark.sql("select cast(x as decimal(9,2)) from numbers").collect())
            assert normalised(spark.table("inserted_floats").collect()) == expected
    finally:
        spark.sql("drop table if exists inserted_floats")


def last_execution(spark: SparkSession) -> str:
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    return executions.last().physicalPlanDescription()
