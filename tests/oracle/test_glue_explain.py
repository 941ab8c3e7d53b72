"""What a user is told: what runs natively, and why the rest does not."""

import re

import pytest
from oracle import assert_equal_rows, assert_native, assert_spark, explained, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

SIMPLE = "select id + 1 from numbers where n = 3"


def test_everything_native(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SIMPLE)
    assert_native(df)
    text = explained(df)
    assert "3 of 3 operators run natively" in text
    assert "NativeProject" in text
    assert "NativeFilter" in text


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_rows_stand_beside_estimates_after_a_run(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = spark.sql("select n, count(*) from numbers where id < 1000 group by n")
        assert " estimated)" not in explained(df)
        rows = len(df.collect())
        # What the engine does without, such as exchanges, has no rows of its own.
        lines = [line for line in explained(df).splitlines() if "Native" in line]
        assert re.search(rf"\({rows} rows, \d+ estimated\)$", lines[0]), lines
        scanned = next(line for line in lines if "NativeFileScan" in line)
        assert re.search(r"\(\d+ rows, \d+ estimated\)$", scanned), lines


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize(
    "sql", ["select id, soundex(s) from numbers", "select soundex(s), count(*) from numbers group by 1"]
)
def test_an_unsupported_function_is_named(spark: SparkSession, numbers: DataFrame, sql: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = spark.sql(sql)
        assert_spark(df)
        for _ in range(2):
            text = explained(df)
            assert "0 of " in text
            assert "SoundEx" in text.split("Accelerant")[1]
            assert text.count("operators run natively") == 1
            df.collect()


@pytest.mark.parametrize(
    ("sql", "operator"),
    [
        ("select id, row_number() over (order by id) from numbers", "Window"),
        ("select * from numbers tablesample (10 percent)", "Sample"),
    ],
)
def test_an_unsupported_operator_is_named(spark: SparkSession, numbers: DataFrame, sql: str, operator: str) -> None:
    df = spark.sql(sql)
    assert_spark(df)
    assert f"operator {operator}" in explained(df)
    df.collect()


def test_switched_off(spark: SparkSession, numbers: DataFrame) -> None:
    with plain(spark):
        df = spark.sql(SIMPLE)
        assert_spark(df)
        assert "natively" not in explained(df)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("spark.accelerant.batchrows", "3", "unknown setting spark.accelerant.batchrows"),
        ("spark.accelerant.enabled", "off", "setting spark.accelerant.enabled can't be 'off'"),
        ("spark.accelerant.batch.rows", "many", "setting spark.accelerant.batch.rows can't be 'many'"),
        ("spark.accelerant.library", "/elsewhere.so", "can only be set when the application starts"),
    ],
)
def test_bad_settings_are_named(spark: SparkSession, numbers: DataFrame, name: str, value: str, reason: str) -> None:
    with settings(spark, **{name.replace(".", "__"): value}):
        df = spark.sql(SIMPLE)
        assert_spark(df)
        assert reason in explained(df)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("spark.sql.files.ignoreCorruptFiles", "true", "set it to false to run natively"),
        ("spark.sql.legacy.timeParserPolicy", "LEGACY", "the engine does not know what it changes"),
    ],
)
def test_a_setting_that_may_change_answers_is_named(
    spark: SparkSession, numbers: DataFrame, name: str, value: str, reason: str
) -> None:
    with settings(spark, **{name.replace(".", "__"): value}):
        df = spark.sql(SIMPLE)
        assert_spark(df)
        assert f"! setting {name}: {reason}" in explained(df)


def test_a_setting_of_planning_changes_nothing(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(
        spark, spark__sql__optimizer__disableHints="true", spark__sql__legacy__viewSchemaCompensation="false"
    ):
        assert_native(spark.sql(SIMPLE))


def test_subquery_plans_run_natively(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select id from numbers where id > (select max(id) - 3 from numbers)"
    assert len(assert_equal_rows(spark, lambda: spark.sql(sql))) == 3


def test_streams_and_commands_stay_as_they_are(spark: SparkSession, numbers: DataFrame) -> None:
    assert spark.sql("show tables").collect()
    stream = spark.readStream.format("rate").load().where("value > 1")
    assert "Native" not in explained(stream)


def test_wide_deep_and_long_expressions_run_or_revert(spark: SparkSession, numbers: DataFrame) -> None:
    terms = " or ".join(f"(id = {3 * i} and n < {i})" for i in range(2500))
    long_list = ",".join(str(3 * i) for i in range(10000))
    wide = [(F.col("id") + i).alias(f"c{i}") for i in range(2000)]
    queries = [
        lambda: spark.sql(f"select id from numbers where {terms}"),
        lambda: spark.sql(f"select id from numbers where id in ({long_list})"),
        lambda: spark.table("numbers").where("id < 20").select(*wide),
    ]
    for query in queries:
        df = query()
        native = df.collect()
        assert "natively" in explained(df)
        with plain(spark):
            assert native == query().collect()
