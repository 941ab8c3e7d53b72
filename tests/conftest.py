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
# A sample, where one is asked for: of the tests one in so many, of each test's cases one in so many and at least one.
# Which they are follows from the draw, so that a sample can be run again, and another one is drawn for the next commit.
SAMPLED_TESTS = int(os.environ.get("ACCELERANT_SAMPLED_TESTS", "1"))
SAMPLED_CASES = int(os.environ.get("ACCELERANT_SAMPLED_CASES", "1"))
DRAW = os.environ.get("ACCELERANT_SAMPLE_DRAW", "")


# Last: a sample is of what the command line leaves in.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is not of the sample; of tests that the command line names nothing."""
    if any("::" in argument for argument in config.args):
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = set()
    for test, members in cases.items():
        if drawn_number(test) % SAMPLED_TESTS == 0:
            chosen.add(min(members, key=lambda item: drawn_number(item.nodeid)))
            chosen.update(item for item in members if drawn_number(item.nodeid) % SAMPLED_CASES == 0)
    if left_out := [item for item in items if item not in chosen]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item in chosen]


def drawn_number(name: str) -> int:
    """Returns a number that is the name's own in a draw."""
    return zlib.crc32(f"{DRAW} {name}".encode())


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
