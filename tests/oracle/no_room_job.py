"""Runs queries over their budget in a process that may write no spill file, and prints what became of them as JSON."""

import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from engine_process import collect_garbage, eventually, held_bytes
from oracle import explained, failure, plain, settings
from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch

GROUPS = "select l_orderkey, sum(l_quantity) as total, max(l_comment) as words from lineitem group by l_orderkey"
ISLAND = GROUPS.replace("lineitem", "lines_csv")
REVERTED = re.compile(r"reverted to Spark: (.*)")


def written(df: DataFrame, folder: str) -> list:
    df.write.mode("overwrite").parquet(folder)
    with plain(df.sparkSession):
        return sorted(df.sparkSession.read.parquet(folder).collect())


def collected(df: DataFrame, _: str) -> list:
    return sorted(df.collect())


def outcome(spark: SparkSession, sql: str, take: Callable, folder: str) -> dict:
    """Says whether a query gives plain Spark's rows, and why it left."""
    with plain(spark):
        expected = take(spark.sql(sql), folder)
    store = spark._jsparkSession.sharedState().statusStore()
    before = store.executionsCount()
    rows = take(spark.sql(sql), folder)
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    executions = store.executionsList()
    texts = [executions.apply(i).physicalPlanDescription() for i in range(before, executions.size())]
    return {"equal": rows == expected, "reasons": REVERTED.findall("\n".join(texts))}


def copied(df: DataFrame, folder: Path) -> dict:
    """Says why a copy fails that has less memory than the writer's encoder holds, and what it leaves behind."""
    with settings(df.sparkSession, spark__accelerant__memory__limit="200k"):
        error = failure(lambda: df.write.parquet(str(folder))).message
    collect_garbage(df.sparkSession)
    is_given_back = eventually(lambda: held_bytes(df.sparkSession) == 0)
    return {"error": error, "files": len(list(folder.rglob("*.parquet"))), "is_given_back": is_given_back}


def with_words(frames):
    for frame in frames:
        yield frame.assign(words=frame.l_orderkey.astype(str) + "-" * 80)


def main() -> None:
    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    lines = spark.read.parquet(str(tpch.generate(0.1)["lineitem"]))
    lines.createOrReplaceTempView("lineitem")
    with tempfile.TemporaryDirectory() as folder:
        csv = str(Path(folder) / "csv")
        with plain(spark):
            lines.select("l_orderkey", "l_linenumber", "l_quantity", "l_comment").write.csv(csv, header=True)
        spark.read.csv(csv, header=True, inferSchema=True, mode="FAILFAST").createOrReplaceTempView("lines_csv")
        to = str(Path(folder) / "written")
        found = {
            f"{name}, {take.__name__}": outcome(spark, sql, take, to)
            for name, sql in (("groups", GROUPS), ("island", ISLAND))
            for take in (written, collected)
        }
        found["copied"] = copied(lines, Path(folder) / "copied")
    python = lines.select("l_orderkey").mapInPandas(with_words, "l_orderkey long, words string")
    df = python.groupBy("l_orderkey").agg({"words": "max"})
    assert "MapInPandas (island)" in explained(df)
    found["python"] = {"error": failure(df.collect).message}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
