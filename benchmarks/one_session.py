"""A session with Accelerant on two cores, for measures of plain Spark and the engine beside each other."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from accelerant import artifacts, spark_settings

ENABLED = "spark.accelerant.enabled"


def make_session() -> SparkSession:
    """Starts a session with Accelerant on two cores."""
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
    )
    builder = builder.config("spark.driver.memory", "3g").config("spark.log.level", "ERROR")
    for name, value in spark_settings.settings(artifacts.find()).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@contextmanager
def engine(spark: SparkSession, name: str) -> Iterator[None]:
    """Runs queries planned inside on plain Spark, or natively."""
    spark.conf.set(ENABLED, str(name == "native").lower())
    yield
    spark.conf.set(ENABLED, "true")


def cpu_of(spark: SparkSession, run: Callable[[], object]) -> float:
    """Returns the CPU seconds that the JVM takes for something."""
    statistics = Path(f"/proc/{spark._jvm.java.lang.ProcessHandle.current().pid()}/stat")

    def ticks() -> int:
        user, system = statistics.read_text().rsplit(")", 1)[1].split()[11:13]
        return int(user) + int(system)

    before = ticks()
    run()
    return (ticks() - before) / os.sysconf("SC_CLK_TCK")
