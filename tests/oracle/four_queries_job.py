"""Asks queries at once, then each alone, and prints what became of them as JSON; the arguments are names of QUERIES.

The session has no memory limit of its own: what the queries compete for is the application's, the process's.
"""

import json
import re
import sys
import threading

from engine_process import eventually, held_bytes
from oracle import assert_native, explained
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch

SCALE = 0.1
QUERIES = {name: tpch.query(name, SCALE) for name in ("q1", "q3", "q9", "q18")} | {
    # Holds the larger part of the table, more than any of the others.
    "oversized": "select l_orderkey, l_linenumber, max(l_comment) as c from lineitem group by l_orderkey, l_linenumber",
}
# Only a query that hangs takes so long.
SECONDS = 240


def outcome(df: DataFrame) -> dict[str, str]:
    """Runs a query that starts natively and returns its answer as text, or how it failed, and why it left."""
    try:
        rows = df.collect()
    except (PySparkException, Py4JJavaError) as error:
        return {"error": str(error)}
    reverted = re.search(r"reverted to Spark: (.*)", explained(df))
    if reverted:
        return {"answer": repr(rows), "reverted": reverted.group(1)}
    assert_native(df)
    return {"answer": repr(rows)}


def at_once(plans: dict[str, DataFrame]) -> dict[str, dict[str, str]]:
    """Runs all queries at the same time; one that hangs, or does not run natively, has no outcome."""
    found: dict[str, dict[str, str]] = {}
    start = threading.Barrier(len(plans))

    def work(name: str) -> None:
        start.wait()
        found[name] = outcome(plans[name])

    threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    return dict(found)


def native(spark: SparkSession, name: str) -> DataFrame:
    """Returns a query that will run natively."""
    df = spark.sql(QUERIES[name])
    assert_native(df)
    return df


def main() -> None:
    names = sys.argv[1:]
    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.conf.set("spark.accelerant.memory.limit", "0")
    for table, path in tpch.generate(SCALE).items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)
    together = at_once({name: native(spark, name) for name in names})
    eventually(lambda: held_bytes(spark) == 0)
    found = {"together": together, "held": held_bytes(spark)}
    if len(together) == len(names):
        found["alone"] = {name: outcome(native(spark, name)) for name in names}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
