"""How far a long native query is, while it runs: in the SQL tab, and on the terminal."""

import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from engine_process import eventually
from oracle import assert_native
from pyspark.sql import SparkSession

Submit = Callable[..., subprocess.CompletedProcess]

JOB = Path(__file__).with_name("long_query_job.py")
LINE = re.compile(r"\[native query (\d+): ([\d,]+)( of about [\d,]+)? rows taken in\]")


def rows_shown(spark: SparkSession) -> int:
    """Returns the largest number of rows that the SQL tab shows of an operator of the newest execution."""
    store = spark._jsparkSession.sharedState().statusStore()
    executions = store.executionsList()
    if executions.isEmpty():
        return 0
    execution = executions.last()
    values, metrics = store.executionMetrics(execution.executionId()), execution.metrics()
    shown = [0]
    for k in range(metrics.size() if values and values.nonEmpty() else 0):
        value = values.get(metrics.apply(k).accumulatorId())
        if metrics.apply(k).name() == "number of output rows" and value.isDefined():
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
        assert eventually(lambda: seen.add(rows_shown(spark)) or len(seen) > 3)
        seconds = time.monotonic() - start
    finally:
        while thread.is_alive():
            spark.sparkContext.cancelAllJobs()
            thread.join(1)
    assert seconds < 9, seen


def test_a_line_on_the_terminal(submit: Submit) -> None:
    ran = submit(JOB, spark__ui__showConsoleProgress="true", spark__log__level="ERROR")
    assert ran.returncode == 0, ran.stderr
    assert "cancelled: True" in ran.stdout
    text = ran.stderr
    # On a busy machine the short query, the first of its process, may take long too.
    lines = [line for line in LINE.finditer(text) if line[1] == "2"]
    counts = [int(line[2].replace(",", "")) for line in lines]
    assert len(counts) > 2, text
    assert counts == sorted(counts)
    assert {line[3] for line in lines} == {" of about 10,000,000,000,000"}
    # Each stands where the one before stood, and nothing is left of the last one.
    assert all(text[line.start() - 1] == "\r" for line in lines)
    assert re.search(r"\r {60,}\r", text[lines[-1].end() :]), text


def test_no_line_where_spark_has_none(submit: Submit) -> None:
    ran = submit(JOB, spark__ui__showConsoleProgress="false", spark__log__level="ERROR")
    assert ran.returncode == 0, ran.stderr
    assert "cancelled: True" in ran.stdout
    assert "native query" not in ran.stderr
