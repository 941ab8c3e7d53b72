import os
import sys
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from accelerant import artifacts, spark_settings

os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two cores with the plugin, in which a conversion that throws fails the query."""
    builder = SparkSession.builder.master("local[2]").appName("oracle")
    fixed = {
        # Spark keeps the results of local iterators and its parser's states for as long as the application runs.
        "spark.driver.memory": "2g",
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
