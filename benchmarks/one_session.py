"""A session with Accelerant on two cores, for measures of plain Spark and the engine beside each other."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from accelerant import artifacts, spark_settings
from accelerant.bench import machine

ENABLED = "spark.accelerant.enabled"
WARM_UP_RUNS = 2


def make_session(more: dict[str, str] | None = None) -> SparkSession:
    """Starts a session with Accelerant on two cores, whose Python workers are of the Python that runs this.

    `more`: further settings.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
    )
    builder = builder.config("spark.driver.memory", "3g").config("spark.log.level", "ERROR")
    for name, value in (spark_settings.settings(artifacts.find()) | (more or {})).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@contextmanager
def engine(spark: SparkSession, name: str) -> Iterator[None]:
    """Runs queries planned inside on plain Spark, or natively."""
    spark.conf.set(ENABLED, str(name == "native").lower())
    yield
    spark.conf.set(ENABLED, "true")


def least_cpu(spark: SparkSession, prepare: Callable[[], Callable[[], object]], runs: int) -> dict[str, float]:
    """Returns the least CPU seconds of several runs on each engine, in turns, after those in which the JIT compiles.

    What `prepare` returns is measured; it prepares with the engine that is to run it.
    """
    least: dict[str, float] = {}
    for run in range(runs + WARM_UP_RUNS):
        for name in ("plain", "native"):
            with engine(spark, name):
                seconds = cpu_of(spark, prepare())
            if run >= WARM_UP_RUNS:
                least[name] = min(seconds, least.get(name, seconds))
    return least


def cpu_of(spark: SparkSession, run: Callable[[], object]) -> float:
    """Returns the CPU seconds that the JVM and its processes, such as Python's workers, take for something."""
    jvm = spark._jvm.java.lang.ProcessHandle.current().pid()
    before = ticks_of_tree(jvm)
    run()
    return (ticks_of_tree(jvm) - before) / os.sysconf("SC_CLK_TCK")


def ticks_of_tree(root: int) -> int:
    """Returns the ticks of a process and of those below it, also of ended ones that were waited for."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    total, left = 0, [root]
    while left:
        process = left.pop()
        total += ticks.get(process, 0)
        left += children.get(process, [])
    return total


def record(file: Path | None, figures: dict) -> None:
    """Writes figures, with the machine, as JSON where a file is named."""
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"machine": machine()} | figures, indent=2) + "\n")


def show_ratios(seconds: dict[str, dict[str, float]]) -> None:
    """Prints what least_cpu found."""
    for name, cpu in seconds.items():
        plain, native = cpu["plain"], cpu["native"]
        print(f"{name}: {plain:.2f} CPU s on Spark, {native:.2f} natively, {native / plain:.2f}")
