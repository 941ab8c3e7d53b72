"""Asks the queries of a task on Spark, with Accelerant or without; to be run by spark-submit.

Arguments: the task's file and the report's.
"""

import contextlib
import io
import sys
from pathlib import Path

from pyspark.sql import DataFrame, Row, SparkSession

from accelerant.benchmark.costs import measured
from accelerant.benchmark.task import Report, Task, texts, write_reports


def explanation(frame: DataFrame) -> str:
    """Returns what `explain()` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        frame.explain()
    return printed.getvalue()


def jvm_pid(spark: SparkSession) -> int:
    """Returns the process that runs the queries."""
    return spark._jvm.java.lang.ProcessHandle.current().pid()


def asked(spark: SparkSession, sql: str) -> tuple[DataFrame, list[Row]]:
    """Plans and runs a query; what has run explains itself as it ran."""
    frame = spark.sql(sql)
    return frame, frame.collect()


def main() -> None:
    """Asks every query, each time planned anew."""
    task = Task.read(Path(sys.argv[1]))
    spark = SparkSession.builder.appName("benchmark").getOrCreate()
    for table, path in task.tables.items():
        spark.read.parquet(path).createOrReplaceTempView(table)
    reports = []
    for name, sql in task.queries.items():
        if task.captures:
            spark.conf.set("spark.accelerant.capture.dir", f"{task.captures}/{name}")
        (frame, rows), costs = measured(jvm_pid(spark), task.runs + 1, lambda sql=sql: asked(spark, sql))
        reports.append(Report(name, costs, texts(rows), explanation(frame)))
    write_reports(Path(sys.argv[2]), reports)
    spark.stop()


if __name__ == "__main__":
    main()
