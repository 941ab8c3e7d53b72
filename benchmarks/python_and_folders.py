"""Measures functions of Python over batches of rows, and files in folders, in one session, plain and native.

CPU seconds of the JVM and its workers; of several interleaved runs the least counts. Written as JSON where a file is
named.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, pandas_udf

from one_session import engine, least_cpu, make_session, record, show_ratios

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench" / "python"

TABLE = """select id, cast(id % 1000 as int) k, id * 0.5D x, cast(id % 100000 as decimal(12, 2)) d,
    date_add(date'2020-01-01', cast(id % 100 as int)) t, timestamp_micros(id * 1000003) u, concat('n', id % 50) s,
    concat('customer number ', hash(id)) l from range(0, {rows}, 1, 4)"""


def measure(spark: SparkSession, folder: Path, runs: int) -> dict[str, dict[str, float]]:
    """Returns CPU seconds on each engine."""
    df = spark.read.parquet(str(folder / "rows"))

    def batches(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in rows:
            yield batch.select(["id", "x", "s"])

    def frames(rows: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in rows:
            yield frame[["id", "x"]]

    def less_mean(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(x=frame["x"] - frame["x"].mean())

    def same(table: pa.Table) -> pa.Table:
        return table

    @pandas_udf("double")
    def mean(values: pd.Series) -> float:
        return float(values.mean())

    half = pandas_udf(lambda values: values / 2, "double")
    keyed, all_of = df.select("k", "x"), df.select("id", "k", "x", "l")
    jobs = {
        "mapInArrow": lambda: df.mapInArrow(batches, "id long, x double, s string").agg({"id": "sum", "s": "count"}),
        "mapInPandas": lambda: df.select("id", "x", "s").mapInPandas(frames, "id long, x double").agg({"x": "sum"}),
        "a scalar pandas UDF": lambda: df.select(half(col("x")).alias("y"), "k").groupBy("k").agg({"y": "sum"}),
        "applyInPandas": lambda: keyed.groupBy("k").applyInPandas(less_mean, "k int, x double").agg({"x": "sum"}),
        "applyInArrow": lambda: all_of.groupBy("k").applyInArrow(same, all_of.schema).agg({"x": "sum"}),
        "a pandas aggregate": lambda: df.groupBy("k").agg(mean("x").alias("m")).agg({"m": "sum"}),
    }
    found = {name: least_cpu(spark, lambda job=job: job().collect, runs) for name, job in jobs.items()}
    write = df.write.mode("overwrite").partitionBy("t").parquet
    found["files in folders"] = least_cpu(spark, lambda: lambda: write(str(folder / "written")), runs)
    return found


def main() -> None:
    """Measures, prints and records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    spark = make_session()
    folder = DATA / str(options.rows)
    if not (folder / "rows" / "_SUCCESS").exists():
        with engine(spark, "plain"):
            spark.sql(TABLE.format(rows=options.rows)).write.mode("overwrite").parquet(str(folder / "rows"))
    found = measure(spark, folder, options.runs)
    show_ratios(found)
    record(options.json, {"rows": options.rows, "cpu_s": found})
    spark.stop()


if __name__ == "__main__":
    main()
