"""Asks the queries of a task on Spark, with Accelerant or without; to be run by spark-submit.

Arguments: the task's file and the report's.
"""

import contextlib
import io
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from accelerant.benchmark.costs import measured
from accelerant.benchmark.progress import tell
from accelerant.benchmark.summary import of_frame, of_rows
from accelerant.benchmark.task import PANDAS, WRITE, Report, Task, write_reports


def explanation(frame: DataFrame) -> str:
    """Returns what `explain()` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        frame.explain()
    return printed.getvalue()


def jvm_pid(spark: SparkSession) -> int:
    """Returns the process that runs the queries."""
    return spark._jvm.java.lang.ProcessHandle.current().pid()


def read(spark: SparkSession, path: str) -> DataFrame:
    """Reads a table of Parquet files, or of CSV as text."""
    return spark.read.csv(path, header=True) if path.endswith(".csv") else spark.read.parquet(path)


def ask(spark: SparkSession, task: Task, name: str) -> tuple[DataFrame, object]:
    """Plans and runs a query; returns its frame, which explains itself as it ran, and its answer."""
    query = task.queries[name]
    frame = spark.sql(query.sql)
    if query.action == PANDAS:
        return frame, frame.toPandas()
    if query.action == WRITE:
        return frame, frame.write.mode("overwrite").parquet(task.output(name))
    return frame, frame.collect()


def report(spark: SparkSession, task: Task, name: str) -> Report:
    """Measures a query, each time planned anew; what it has written is a table from then on."""
    (frame, answer), costs = measured(jvm_pid(spark), task.runs_of(name), lambda: ask(spark, task, name))
    found = Report(name, costs, [], explanation(frame))
    action = task.queries[name].action
    if action == WRITE:
        read(spark, task.output(name)).createOrReplaceTempView(name)
        return found
    return of_frame(found, answer) if action == PANDAS else of_rows(found, answer)


def main() -> None:
    """Asks every query."""
    task = Task.read(Path(sys.argv[1]))
    spark = SparkSession.builder.appName("benchmark").getOrCreate()
    for table, path in task.tables.items():
        read(spark, path).createOrReplaceTempView(table)
    reports = []
    for name in task.queries:
        tell(name)
        if task.captures:
            spark.conf.set("spark.accelerant.capture.dir", f"{task.captures}/{name}")
        reports.append(report(spark, task, name))
    write_reports(Path(sys.argv[2]), reports)
    spark.stop()


if __name__ == "__main__":
    main()
