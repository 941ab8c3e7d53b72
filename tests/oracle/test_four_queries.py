"""Four queries at once with little memory: each finishes with the right answer or fails by name, and none hangs."""

import re
import threading

import pytest
from oracle import plain
from outcome import condition_of
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession
from sessions import new_session

from accelerant import tpch

NAMES = ["q1", "q3", "q9", "q18"]
SCALE = 0.1
# A query that hangs would do so for good.
SECONDS = 240
OUT_OF_MEMORY = re.compile(r"out of memory: \w+ \(.*budget of ")


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession) -> None:
    for table, path in tpch.generate(SCALE).items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)


@pytest.mark.parametrize("limit", ["8m", "24m", "64m"])
def test_finish_or_fail_by_name(spark: SparkSession, limit: str, record_property) -> None:
    with plain(spark):
        expected = {name: spark.sql(tpch.query(name, SCALE)).collect() for name in NAMES}
    found: dict[str, list[Row] | Exception] = {}

    def ask(name: str) -> None:
        session = new_session(spark, {"spark.accelerant.memory.limit": limit})
        for table, path in tpch.generate(SCALE).items():
            session.read.parquet(str(path)).createOrReplaceTempView(table)
        try:
            found[name] = session.sql(tpch.query(name, SCALE)).collect()
        except (PySparkException, Py4JJavaError) as error:
            found[name] = error

    threads = [threading.Thread(target=ask, args=(name,), daemon=True) for name in NAMES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert sorted(found) == sorted(NAMES), "a query hangs"
    failed = {name: error for name, error in found.items() if isinstance(error, Exception)}
    for name, error in failed.items():
        assert OUT_OF_MEMORY.search(str(error)), f"{name}: {condition_of(error)}: {error}"
    assert all(found[name] == expected[name] for name in NAMES if name not in failed)
    record_property("figure", f"{limit}: {4 - len(failed)} finished, {len(failed)} out of memory by name")
