"""How far a long native query is, while it runs: in the SQL tab, and on the terminal."""

import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engine_process import eventually
from oracle import assert_native
from pyspark.sql import DataFrame, SparkSession

Submit = Callable[..., subprocess.CompletedProcess]

GROUPS = 1200
JOB = Path(__file__).with_name("long_query_job.py")
LINE = re.compile(r"\[native query (\d+): ([\d,]+)( of about [\d,]+)? rows taken in\]")
LINE_OF_FILES = re.compile(r"\[native query (\d+): ([\d,]+)( of [\d,]+) parts of files done\]")


def largest_shown(spark: SparkSession, metric: str = "number of output rows") -> int:
    """Returns the largest number that the SQL tab shows of a metric of the newest execution's operators."""
    store = spark._jsparkSession.sharedState().statusStore()
    executions = store.executionsList()
    if executions.isEmpty():
        return 0
    execution = executions.last()
    values, metrics = store.executionMetrics(execution.executionId()), execution.metrics()
    shown = [0]
    for k in range(metrics.size() if values and values.nonEmpty() else 0):
        value = values.get(metrics.apply(k).accumulatorId())
        if metrics.apply(k).name() == metric and value.isDefined():
            shown.append(int(value.get().replace(",", "")))
    return max(shown)


def test_the_sql_tab_counts_along(spark: SparkSession) -> None:
    """The one task of a query takes long; Spark's heartbeats, which bring a task's counts, come every ten seconds."""
    df = spark.range(10**13).selectExpr("sum(id % 7 * (id % 11)) as total")
    assert_native(df)

    def run() -> None:
        with pytest.raises(Exception, match="(?i)cancel"):
            df.collect()

    thread = threading.Thread(target=run)
    thread.start()
    start = time.monotonic()
    seen = set()
    try:
        assert eventually(lambda: seen.add(largest_shown(spark)) or len(seen) > 3)
        seconds = time.monotonic() - start
    finally:
        while thread.is_alive():
            spark.sparkContext.cancelAllJobs()
            thread.join(1)
    assert seconds < 9, seen


def test_row_groups_in_the_sql_tab(spark: SparkSession, numbers: DataFrame) -> None:
    """Those that are skipped are done."""
    for sql in ("select count(s) from numbers", "select count(s) from numbers where id between 100 and 700"):
        df = spark.sql(sql)
        assert_native(df)
        df.collect()
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        groups = sum(pq.read_metadata(file[len("file://") :]).num_row_groups for file in numbers.inputFiles())
        assert groups > 20
        assert largest_shown(spark, "number of parts of files") == groups
        assert largest_shown(spark, "number of parts of files done") == groups


def test_row_groups_count_along(spark: SparkSession, tmp_path: Path) -> None:
    path = write_small_groups(tmp_path / "slow.parquet")
    slow = "aggregate(sequence(0, 10000 + id % 2), 0L, (sum, i) -> sum + i)"
    df = spark.read.parquet(path).selectExpr(f"sum({slow}) as total")
    assert_native(df)
    thread = threading.Thread(target=df.collect)
    thread.start()
    seen = set()
    while thread.is_alive():
        seen.add(
            (largest_shown(spark, "number of parts of files done"), largest_shown(spark, "number of parts of files"))
        )
        thread.join(0.05)
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    assert largest_shown(spark, "number of parts of files done") == GROUPS
    assert len([done for done, groups in seen if 0 < done < groups == GROUPS]) > 1, seen


def write_small_groups(path: Path) -> str:
    pq.write_table(pa.table({"id": range(5 * GROUPS)}), path, row_group_size=5)
    return str(path)


@pytest.mark.parametrize("of_files", [False, True])
def test_a_line_on_the_terminal(submit: Submit, tmp_path: Path, of_files: bool) -> None:
    arguments = [write_small_groups(tmp_path / "slow.parquet")] if of_files else []
    ran = submit(JOB, *arguments, spark__ui__showConsoleProgress="true", spark__log__level="ERROR")
    assert ran.returncode == 0, ran.stderr
    assert "cancelled: True" in ran.stdout
    text = ran.stderr
    # On a busy machine the short query, the first of its process, may take long too.
    lines = [line for line in (LINE_OF_FILES if of_files else LINE).finditer(text) if line[1] == "2"]
    counts = [int(line[2].replace(",", "")) for line in lines]
    assert len(counts) > 2, text
    assert counts == sorted(counts)
    assert {line[3] for line in lines} == {f" of {GROUPS:,}" if of_files else " of about 10,000,000,000,000"}
    # Each stands where the one before stood, and nothing is left of the last one.
    assert all(text[line.start() - 1] == "\r" for line in lines)
    assert re.search(r"\r {60,}\r", text[lines[-1].end() :]), text


def test_no_line_where_spark_has_none(submit: Submit) -> None:
    ran = submit(JOB, spark__ui__showConsoleProgress="false", spark__log__level="ERROR")
    assert ran.returncode == 0, ran.stderr
    assert "cancelled: True" in ran.stdout
    assert "native query" not in ran.stderr
