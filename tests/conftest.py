import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from java_names import remember_java_names
from pyspark.sql import SparkSession
from short_queries import JAVA_OPTIONS

from accelerant import artifacts, spark_home, spark_settings

os.environ["PYSPARK_PYTHON"] = sys.executable
remember_java_names()

Submit = Callable[..., subprocess.CompletedProcess]
# Of the cases of one test, how many are run where a sample of them is asked for: one in so many, and the first.
SAMPLED = int(os.environ.get("ACCELERANT_SAMPLED", "1"))


# Last: the first case of a test is the first that the command line leaves in.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out of each test's cases what is not of the sample, which is the same each time."""
    first = {item.nodeid.partition("[")[0]: item for item in reversed(items)}
    chosen = {*first.values(), *(item for item in items if zlib.crc32(item.nodeid.encode()) % SAMPLED == 0)}
    if left_out := [item for item in items if item not in chosen]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item in chosen]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two cores with the plugin, in which a conversion that throws fails the query."""
    builder = SparkSession.builder.master("local[2]").appName("oracle")
    fixed = {
        # Spark keeps the results of local iterators and its parser's states for as long as the application runs.
        "spark.driver.memory": "2g",
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.accelerant.strict": "true",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.sql.session.timeZone": "UTC",
    }
    for name, value in (spark_settings.settings(artifacts.find()) | fixed).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def submit(tmp_path: Path) -> Submit:
    """Returns a function that runs a job through spark-submit with Accelerant, in a folder of its own."""

    def run(job: Path, *arguments: object, **more: str) -> subprocess.CompletedProcess:
        confs = spark_settings.settings(artifacts.find()) | {"spark.ui.enabled": "false", "spark.master": "local[2]"}
        confs |= {"spark.driver.extraJavaOptions": JAVA_OPTIONS}
        confs |= {name.replace("__", "."): value for name, value in more.items()}
        options = [word for name, value in confs.items() for word in ("--conf", f"{name}={value}")]
        command = [spark_home.spark_home() / "bin" / "spark-submit", *options, job, *arguments]
        done = subprocess.run(
            [str(word) for word in command],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        )
        # As text, subprocess would make line feeds of what moves a terminal's cursor back.
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
