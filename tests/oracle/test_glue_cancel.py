"""Cancelled queries, two at once, and JVMs that end in mid-query."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from engine_process import eventually, worker_seconds
from oracle import assert_native
from pyspark.sql import DataFrame, SparkSession

from accelerant import artifacts, spark_settings


@pytest.fixture(scope="module")
def large(spark: SparkSession, numbers: DataFrame, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """A table that takes seconds to read in batches of three rows."""
    folder = str(tmp_path_factory.mktemp("large") / "table")
    spark.conf.set("spark.accelerant.enabled", "false")
    spark.range(0, 4_000_000, 1, 4).selectExpr("id", "id % 1000 as k").write.parquet(folder)
    spark.conf.set("spark.accelerant.enabled", "true")
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("large")
    return df


def test_workers_leave_a_cancelled_join(spark: SparkSession, large: DataFrame) -> None:
    sql = "select count(*) from large a left anti join large b on a.id > b.id + 1000000000000"
    assert_native(spark.sql(sql))
    context = spark.sparkContext

    def work() -> None:
        context.setJobGroup("cancelled join", "a join of sixteen trillion pairs")
        with pytest.raises(Exception, match="cancel"):
            spark.sql(sql).collect()

    def used() -> float:
        return sum(worker_seconds(spark).values())

    thread = threading.Thread(target=work)
    thread.start()
    before = used()
    assert eventually(lambda: used() > before + 1)
    context.cancelJobGroup("cancelled join")
    thread.join()

    def idle() -> bool:
        start = used()
        time.sleep(0.2)
        return used() < start + 0.1

    assert eventually(idle, 10)


def test_a_stopped_consumer_does_not_stop_another_query(spark: SparkSession, large: DataFrame) -> None:
    stopped = spark.sql("select id from large where id >= 0").toLocalIterator()
    assert next(stopped)
    assert spark.sql("select count(*), sum(k) from large where id >= 0").collect()[0][0] == 4_000_000
    assert sum(1 for _ in stopped) == 3_999_999


JOB = """
import os, sys, threading, time
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.accelerant.batch.rows", "3")
df = spark.read.parquet(sys.argv[1]).where("id >= 0")
assert "Native" in df._jdf.queryExecution().executedPlan().toString()
def run():
    try:
        df.collect()
    except BaseException:
        pass
threading.Thread(target=run, daemon=True).start()
time.sleep(1)
print("ends", flush=True)
if sys.argv[2] == "exit":
    spark._jvm.System.exit(0)
os._exit(0)
"""


@pytest.mark.parametrize("way", ["exit", "return"])
def test_jvm_ends_in_mid_query(large: DataFrame, tmp_path: Path, way: str) -> None:
    table = large.inputFiles()[0].rsplit("/", 1)[0]
    script = tmp_path / "job.py"
    script.write_text(JOB)
    confs = spark_settings.settings(artifacts.find()) | {"spark.ui.enabled": "false", "spark.master": "local[2]"}
    options = [item for name, value in confs.items() for item in ("--conf", f"{name}={value}")]
    submit = Path(sys.executable).with_name("spark-submit")
    command = [str(submit), *options, str(script), table, way]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "ends" in run.stdout, run.stderr
    assert run.returncode == 0, run.stderr
    assert not list(tmp_path.glob("hs_err_pid*"))
