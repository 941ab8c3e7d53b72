"""Java functions of users inside native queries: threads, class loaders, settings, failures, sleep."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_process import eventually, worker_seconds
from java_classes import add_jar
from oracle import (
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    both_answers,
    explained,
    nodes,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

ROWS = 200_000
FUNCTIONS = {
    "user_sum": ("Sum", "double"),
    "user_format": ("Format", "string"),
    "user_counted": ("Counted", "string"),
    "user_fails_once": ("FailsOnce", "long"),
    "user_sleeps": ("Sleeps", "long"),
    "user_setting": ("Setting", "string"),
    "user_of_task": ("OfTask", "int"),
    "user_not_copied": ("NotCopied", "long"),
}


@pytest.fixture(scope="module")
def udf_numbers(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataFrame]:
    """Table `udf_numbers` of ids and texts in many row groups, and functions from a jar that the session adds."""
    folder = tmp_path_factory.mktemp("udfs")
    add_jar(spark, Path(__file__).parent / "udfs" / "Functions.java", folder)
    for name, (java_class, result) in FUNCTIONS.items():
        spark.udf.registerJavaFunction(name, f"accelerant.test.Functions${java_class}", result)
    with plain(spark), settings(spark, spark__sql__parquet__block__size=str(64 << 10)):
        table = spark.range(ROWS).selectExpr("id", "if(id % 10 = 0, null, concat('t', id % 777)) s", "id / 4.0D x")
        table.repartitionByRange(4, "id").sortWithinPartitions("id").write.parquet(str(folder / "udf_numbers"))
    df = spark.read.parquet(str(folder / "udf_numbers"))
    df.createOrReplaceTempView("udf_numbers")
    yield df


def calls(spark: SparkSession) -> int:
    """Returns how often counted functions were called since the last call of this, through the class that they use."""
    loader = spark._jsparkSession.artifactManager().classloader()
    jvm, new_array = spark._jvm, spark.sparkContext._gateway.new_array
    take = loader.loadClass("accelerant.test.Functions").getMethod("takeCalls", new_array(jvm.java.lang.Class, 0))
    return take.invoke(None, new_array(jvm.java.lang.Object, 0))


def is_asleep(spark: SparkSession) -> bool:
    """Says whether some thread is in a call that sleeps."""
    stacks = spark._jvm.java.lang.Thread.getAllStackTraces().values()
    return any("Functions$Sleeps" in frame.getClassName() for stack in stacks for frame in stack)


def test_values(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """Values and nulls, in every place; a function that threads must not share gives each worker its own."""
    for query in [
        "select id, user_sum(id, x), user_format(id * 3571), user_counted(s) from udf_numbers where id <> 7",
        "select user_format(id div 1000), count(*) from udf_numbers group by 1",
        "select id from udf_numbers where user_counted(s) = 't77' || 3 or id > 7 and user_sum(id, x) < 100",
        "select a.id, b.id from udf_numbers a join udf_numbers b on user_counted(a.s) = user_counted(b.s)"
        " and a.id = b.id + 777",
    ]:
        assert_equal_rows(spark, lambda text=query: spark.sql(text))


def test_settings_of_the_session(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """A function sees the session's settings."""
    with settings(spark, spark__sql__session__timeZone="Asia/Kolkata"):
        rows = assert_equal_rows(spark, lambda: spark.sql("select distinct user_setting(id) from udf_numbers"))
        assert [row[0] for row in rows] == ["Asia/Kolkata"]


def test_failures(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """The exception of the user is the cause, as on Spark; one that happens once is kept."""

    def query() -> DataFrame:
        return spark.sql("select user_sum(id, x) from udf_numbers where id < 100")

    assert_native(query())
    with pytest.raises(Exception, match="IllegalStateException: seven") as native:
        query().collect()
    with plain(spark), pytest.raises(Exception, match="IllegalStateException: seven") as expected:
        query().collect()
    assert type(native.value) is type(expected.value)
    assert "[FAILED_EXECUTE_UDF]" in str(native.value)
    assert "[FAILED_EXECUTE_UDF]" in str(expected.value)
    with pytest.raises(Exception, match="the first time"):
        spark.sql("select sum(user_fails_once(id)) from udf_numbers where id < 1000").collect()


def test_what_tasks_cannot_be_sent(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """It can't be copied for the workers either."""
    query = "select user_not_copied(id) from udf_numbers where id < 100"
    assert_failure_of_spark(spark, lambda: spark.sql(query), "a function that can't be copied: ")


def test_rows_that_count(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """A function is called on the rows that reach it, once each."""
    calls(spark)
    df = spark.sql("select user_counted(s) from udf_numbers where id between 1000 and 1999 and s is not null")
    assert_native(df)
    assert len(df.collect()) == 900
    assert calls(spark) == 900
    df = spark.sql("select case when id % 4 = 0 then user_counted(s) end from udf_numbers where id < 1000")
    assert len(df.collect()) == 1000
    assert calls(spark) == 250


def test_what_looks_at_its_task_is_sparks(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """A partition's number is one of Spark's partitions."""
    df = spark.sql("select user_of_task(id) from udf_numbers")
    assert "bridged" not in explained(df)


@pytest.mark.parametrize(
    "query", ["select user_counted(s) from udf_numbers", "select id from udf_numbers where user_counted(s) > ''"]
)
def test_show_calls_few(spark: SparkSession, udf_numbers: DataFrame, query: str) -> None:
    """What a notebook shows costs no more calls than some screens of rows."""
    calls(spark)
    df = spark.sql(query)
    df._jdf.showString(20, 20, False)
    assert 0 < calls(spark) <= 1000


def test_time_is_cpu_time(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """What a call waits for is no time that Spark's code took."""
    df = spark.sql("select user_sleeps(id) from udf_numbers where id = 6")
    assert df.collect() == [(6,)]
    assert_native(df)
    metrics = [node.metrics() for node in nodes(df._jdf.queryExecution().executedPlan())]
    (taken,) = [each for each in metrics if each.contains("bridgedTime")]
    assert 0 < taken.apply("bridgedTime").value() < 2e9


def test_sleeping_call(spark: SparkSession, udf_numbers: DataFrame) -> None:
    """While every worker sleeps in a call, other queries run; cancelling interrupts the call."""
    context = spark.sparkContext
    failures: list[str] = []

    def run() -> None:
        context.setJobGroup("sleepers", "calls that sleep", interruptOnCancel=True)
        try:
            spark.sql("select sum(user_sleeps(id % 10)) from udf_numbers").collect()
        except Exception as error:
            failures.append(str(error))

    calls(spark)
    sleeper = threading.Thread(target=run)
    sleeper.start()
    while calls(spark) == 0:
        time.sleep(0.05)
    assert is_asleep(spark)
    native, expected = both_answers(spark, lambda: spark.sql("select count(*), sum(id) from udf_numbers"))
    assert native == expected
    context.cancelJobGroup("sleepers")
    sleeper.join(timeout=60)
    assert not sleeper.is_alive()
    assert failures and "cancel" in failures[0].lower()
    assert eventually(lambda: not is_asleep(spark)), "the call goes on"
    assert eventually(lambda: len(worker_seconds(spark)) == spark.sparkContext.defaultParallelism)
