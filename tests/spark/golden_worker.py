"""Runs files of statements in one Spark process: `golden_worker.py TASK`, TASK being a JSON file (golden_shards.py).

Appends a line of JSON to the task's `out` for each statement. What runs at the moment stands in `out` + ".now", so that
a statement that never ends can be named.
"""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import golden_input
import golden_session
from pyspark.sql import SparkSession

from accelerant import artifacts, spark_settings


@dataclass(frozen=True)
class Task:
    """What a process runs, and where things lie."""

    out: Path
    work: Path
    classes: Path
    resources: Path
    native: bool
    runs: list[tuple[str, str]]
    unset: frozenset[str]


def read_task(path: Path) -> Task:
    """Reads a task."""
    content = json.loads(path.read_text())
    folders = {name: Path(content[name]) for name in ("out", "work", "classes", "resources")}
    return Task(
        **folders,
        native=content["native"],
        runs=[(file, folding) for file, folding in content["runs"]],
        unset=frozenset(content["unset"]),
    )


def start(task: Task) -> SparkSession:
    """Starts Spark, with or without Accelerant, and makes the tables."""
    values = golden_session.process_settings(task.work)
    values["spark.driver.extraClassPath"] = str(task.classes)
    if task.native:
        values |= spark_settings.settings(artifacts.find())
    builder = SparkSession.builder.master("local[2]").appName("golden")
    for name, value in values.items():
        if name not in task.unset:
            builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    golden_session.make_tables(spark, task.resources / "test-data" / "postgresql")
    return spark


def run_file(spark: SparkSession, task: Task, name: str, folding: str) -> None:
    """Runs a file in all its variants."""
    file = golden_input.read(task.resources / "sql-tests" / "inputs", name)
    for variant in range(len(file.variants)):
        run_variant(spark, task, file, (variant, folding))


def run_variant(spark: SparkSession, task: Task, file: golden_input.InputFile, run: tuple[int, str]) -> None:
    """Runs a file once in a new session."""
    variant, folding = run
    try:
        session = golden_session.new_session(spark, file, run, task.unset)
    except Exception as error:
        if "SparkNoSuchElement" not in type(error).__name__ and "Analysis" not in type(error).__name__:
            raise
        return  # a setting that this version of Spark does not have
    runner = spark._jvm.io.accelerant.tests.StatementRunner
    now = Path(f"{task.out}.now")
    with task.out.open("a") as out:
        for number, sql in enumerate(file.statements):
            head = {"file": file.name, "variant": variant, "folding": folding, "number": number, "sql": sql}
            now.write_text(json.dumps(head))
            answer = json.loads(runner.run(session._jsparkSession, sql))
            out.write(json.dumps(head | answer) + "\n")
            out.flush()
    golden_session.clean(spark)


def process_cpu() -> float:
    """Returns the seconds of processor time that the JVM, a child of this process, has taken."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    times = (Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split() for child in children)
    return sum(int(ticks) for fields in times for ticks in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Runs a task."""
    task = read_task(Path(sys.argv[1]))
    os.chdir(task.work)
    spark = start(task)
    try:
        for name, folding in task.runs:
            run_file(spark, task, name, folding)
        print(f"{process_cpu():.0f} CPU seconds", flush=True)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
