"""What a user is told: what runs natively, and why the rest does not."""

import re
from pathlib import Path

import pytest
from lacking import PLACE, REASON
from oracle import assert_equal_rows, assert_native, assert_spark, explained, last_execution, plain, settings
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
def test_what_crossings_cost_is_told_after_a_run(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    windowed = f"select *, {PLACE} as place from numbers"
    sql = f"select max(soundex(s)) as x, count(*) from ({windowed}) group by place"
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = spark.sql(sql)
        assert " ms" not in explained(df)
        df.collect()
        brought = r"Island Window .*\(5550 rows, \d+ estimated, brought here in \d+ ms\)$"
        assert re.search(brought, explained(df), re.MULTILINE), explained(df)
        bridged = r"Native\w*Aggregate.*rows, .*, 5550 computed by Spark's code in \d+ ms\)$"
        assert re.search(bridged, explained(df), re.MULTILINE), explained(df)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize(
    "sql", ["select id, soundex(s) from numbers", "select soundex(s), count(*) from numbers group by 1"]
)
def test_an_unsupported_function_is_named(spark: SparkSession, numbers: DataFrame, sql: str, adaptive: str) -> None:
    off = {"spark__accelerant__bridge": "false", "spark__accelerant__islands": "false"}
    with settings(spark, spark__sql__adaptive__enabled=adaptive, **off):
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
    [("select * from numbers tablesample (10 percent)", "Sample")],
)
def test_an_unsupported_operator_is_named(spark: SparkSession, numbers: DataFrame, sql: str, operator: str) -> None:
    with settings(spark, spark__accelerant__islands="false"):
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
        ("spark.accelerant.enabled", "off", "setting spark.accelerant.enabled can't be 'off': true or false"),
        (
            "spark.accelerant.batch.rows",
            "many",
            "setting spark.accelerant.batch.rows can't be 'many': a number, 0 for the engine's choice",
        ),
        (
            "spark.accelerant.interruptions",
            "-1",
            "setting spark.accelerant.interruptions can't be '-1': a number, 0 for none",
        ),
        (
            "spark.accelerant.memory.limit",
            "much",
            "setting spark.accelerant.memory.limit can't be 'much': bytes, or a size like 2g",
        ),
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
        ("spark.sql.ofTomorrow", "true", "the engine does not know what it changes"),
    ],
)
def test_a_setting_that_may_change_answers_is_named(
    spark: SparkSession, numbers: DataFrame, name: str, value: str, reason: str
) -> None:
    with settings(spark, **{name.replace(".", "__"): value}):
        df = spark.sql(SIMPLE)
        assert_spark(df)
        assert f"setting {name}: {reason}" in explained(df)


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
    terms = " or ".join(f"(id = {3 * i} and n < {i})" for i in range(5000))
    long_list = ",".join(str(3 * i) for i in range(10000))
    wide = [(F.col("id") + i).alias(f"c{i}") for i in range(1000)]
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


def report(df: DataFrame) -> list[str]:
    """Returns the lines of what the explanation says of Accelerant."""
    return explained(df).split("(Accelerant) ==\n")[1].strip().splitlines()


def test_causes_come_first_by_what_they_cost(spark: SparkSession, numbers: DataFrame) -> None:
    sql = """select n, log1p(id) as l, soundex(s) as x from numbers where soundex(s) > 'a' union all
        select n, log1p(total), 'one' from (select n, sum(id) as total from numbers group by n)"""
    with settings(spark, spark__accelerant__bridge="false", spark__accelerant__islands="false"):
        lines = report(spark.sql(sql))
    assert lines[0] == "0 of 7 operators run natively"
    others = [line for line in lines if line.startswith("@ ")]
    assert others == ["@ Union", "@ HashAggregate", "@ FileSourceScan", "@ FileSourceScan"]
    # Each of them costs these four.
    assert lines[1:3] == [
        "- 6 on Spark, 5 of them with others: expression Log1p",
        "- 6 on Spark, 5 of them with others: expression SoundEx",
    ]
    assert re.match(r"[*!@] ", lines[3])
    with settings(spark, spark__accelerant__bridge="false"):
        lines = report(spark.sql(sql))
    costs = [int(line.split()[1]) for line in lines if line.startswith("- ")]
    assert costs
    assert costs == sorted(costs, reverse=True)


def test_columns_of_one_type_are_one_cause(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark):
        lists = (f"array(parse_json('1')) {name}" for name in "ab")
        spark.range(3).selectExpr("id", *lists).write.parquet(str(tmp_path / "t"))
    df = spark.read.parquet(str(tmp_path / "t")).selectExpr("id + 1 as c", "b")
    both = df.union(spark.read.parquet(str(tmp_path / "t")).selectExpr("id + 1 as c", "a"))
    lines = report(both)
    assert "0 of 5 operators run natively" in lines
    assert "- 5 on Spark: column of type array<variant>" in lines, lines


def test_what_an_island_keeps_on_spark_is_said_once(spark: SparkSession, numbers: DataFrame) -> None:
    windowed = f"select *, {PLACE} as place from numbers where id > 3"
    df = spark.sql(f"select place, count(*) from ({windowed}) group by place")
    before = report(df)
    df.collect()
    assert before == report(df)
    assert before[:2] == ["6 of 7 operators run natively", f"- 1 on Spark: {REASON}"]
    assert [line[:8] for line in before[2:]] == [
        "* HashAg",
        "* HashAg",
        "* Projec",
        "! Window",
        "* Projec",
        "* Filter",
        "* FileSo",
    ]


def test_a_file_that_is_left_to_spark_is_named_once(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark):
        spark.range(5).selectExpr("id as n", "concat('name ', id) as name").write.csv(str(tmp_path / "csv"))
    spark.read.schema("n long, name string").csv(str(tmp_path / "csv"), mode="FAILFAST").createOrReplaceTempView(
        "named"
    )
    df = spark.sql("select name, sum(d) from numbers join named using (n) where name > 'a' group by name")
    before = report(df)
    df.collect()
    assert before == report(df)
    assert before[:2] == ["9 of 10 operators run natively", "- 1 on Spark: read option mode=FAILFAST"]
    assert sum(line.startswith(("!", "@")) for line in before) == 1


def test_operators_above_a_native_piece_are_counted(spark: SparkSession, numbers: DataFrame) -> None:
    plus_one = F.udf(lambda value: value + 1, "long")
    df = numbers.groupBy("n").agg(F.sum("id").alias("total")).select("n", plus_one("total"))
    for _ in range(2):
        lines = report(df)
        assert lines[0] == "3 of 5 operators run natively"
        assert re.fullmatch(r"- 2 on Spark: operator \w+EvalPython", lines[1])
        assert lines[2] == "@ Project"
        df.collect()


def test_a_reason_found_when_the_query_runs_costs_all_of_it(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__accelerant__bridge="false"):
        df = spark.sql("select id, cast(cast(t as string) as timestamp) as u from numbers")
        assert_native(df)
    df.rdd.count()
    lines = report(df)
    assert lines[0] == "0 of 2 operators run natively"
    assert lines[1].startswith("- 2 on Spark: reverted to Spark: ")


def test_an_rdd_is_explained(spark: SparkSession, numbers: DataFrame) -> None:
    """It is no execution of the SQL tab; the plan of the frame that it was made of says what ran, and how many rows."""
    df = spark.sql("select n, count(*) from numbers where id < 1000 group by n")
    assert " estimated)" not in explained(df)
    rows = df.rdd.count()
    assert_native(df)
    assert report(df)[0] == "5 of 5 operators run natively"
    assert re.search(rf"NativeHashAggregate.*\({rows} rows, \d+ estimated\)", explained(df)), explained(df)


def test_what_stays_sparks_of_a_stream_is_named(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark):
        numbers.select("id", "n").write.parquet(str(tmp_path / "t"))
    stream = spark.readStream.schema("id long, n int").parquet(str(tmp_path / "t"))
    assert "! StreamingRelation: operator StreamingRelation" in "".join(report(stream.where("id > 3")))
    counts = stream.groupBy("n").count().writeStream.format("memory").queryName("counted").outputMode("complete")
    query = counts.trigger(availableNow=True).start()
    query.awaitTermination()
    text = query._jsq.explainInternal(False)
    assert "! StateStoreSave: operator StateStoreSave" in text
    assert "* FileSourceScan" in text
    assert spark.table("counted").count() == 6


def test_a_batch_is_a_query_of_its_own(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark):
        numbers.select("id", "n").write.parquet(str(tmp_path / "t"))
    stream = spark.readStream.schema("id long, n int").parquet(str(tmp_path / "t"))
    batches = []

    def note(batch: DataFrame, number: int) -> None:
        df = batch.groupBy("n").count()
        batches.append((len(df.collect()), report(df)))

    stream.writeStream.foreachBatch(note).trigger(availableNow=True).start().awaitTermination()
    assert batches[0][0] == 6
    assert "* HashAggregate" in batches[0][1]


def test_a_native_run_after_a_reverted_one_is_shown_as_native(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__accelerant__bridge="false"):
        df = spark.sql("select id, cast(cast(t as string) as timestamp) as u from numbers")
        assert_native(df)
    assert len(list(df.toLocalIterator())) == 5550
    assert "! reverted to Spark: " in last_execution(spark)
    df.collect()
    assert_native(df)
    assert "reverted" not in last_execution(spark)
    assert "2 of 2 operators run natively" in last_execution(spark)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_native_insert_is_reported_as_native(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        spark.sql("create table inserted (id bigint, c bigint) using parquet")
        try:
            insert = spark.sql("insert into inserted select id, count(*) from numbers group by id")
            for text in (explained(insert), last_execution(spark)):
                report = text.split("Accelerant")[-1]
                headline = re.search(r"(\d+) of (\d+) operators run natively", report)
                assert headline, text
                assert headline.group(1) == headline.group(2)
                assert "!" not in report
                assert report.count("operators run natively") == 1
        finally:
            spark.sql("drop table inserted")


@pytest.mark.parametrize(
    "command", ["show tables", "show namespaces", "set spark.sql.ansi.enabled", "describe numbers"]
)
def test_a_command_is_no_obstacle(spark: SparkSession, numbers: DataFrame, command: str) -> None:
    assert "!" not in explained(spark.sql(command)).split("Accelerant")[-1]
