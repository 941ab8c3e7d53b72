"""Measures ten queries over a cached relation, and filling it, in one session, plain and native.

CPU seconds; of several interleaved runs the least counts. Written as JSON where a file is named.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from one_session import engine, least_cpu, make_session, record, show_ratios

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench" / "cached"

TABLE = """select id, cast(id % 1000 as int) k, hash(id) h, id * 0.5D x, cast(id % 100000 as decimal(12, 2)) d,
    date_add(date'2020-01-01', cast(id % 3000 as int)) t, timestamp_micros(id * 1000003) u, concat('n', id % 50) s,
    concat('customer number ', hash(id)) l from range(0, {rows}, 1, 4)"""

QUERIES = {
    "few batches": "select count(*) from kept where id < 1000",
    "a hundred rows": "select id, x from kept where id between 500000 and 500100",
    "a part of all batches": "select count(*), max(x) from kept where h < -1500000000",
    "50 groups of strings": "select s, count(*), sum(d) from kept group by s",
    "1,000 groups of numbers": "select k, avg(x), max(u) from kept group by k",
    "one group": "select sum(x), sum(d), min(t), max(u) from kept",
    "like": "select count(*) from kept where l like '%77%'",
    "a join": "select a.s, count(*) from kept a join (select id from kept where k = 7) b on a.id = b.id group by a.s",
    "ten strings of all": "select id, l from kept order by l limit 10",
    "a count": "select count(*) from kept",
}


def cost_of_filling(spark: SparkSession, df: DataFrame, runs: int) -> dict[str, float]:
    """Returns what it takes to cache a frame. Leaves it cached."""

    def empty() -> Callable[[], object]:
        df.unpersist(blocking=True)
        return lambda: df.cache().count()

    return least_cpu(spark, empty, runs)


def main() -> None:
    """Measures, prints and records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    spark = make_session()
    folder = DATA / str(options.rows)
    if not (folder / "_SUCCESS").exists():
        with engine(spark, "plain"):
            spark.sql(TABLE.format(rows=options.rows)).write.mode("overwrite").parquet(str(folder))
    df = spark.read.parquet(str(folder))
    filling = cost_of_filling(spark, df, options.runs)
    df.createOrReplaceTempView("kept")
    found = {"filling": filling} | {
        name: least_cpu(spark, lambda query=query: spark.sql(query).collect, options.runs)
        for name, query in QUERIES.items()
    }
    show_ratios(found)
    record(options.json, {"rows": options.rows, "cpu_s": found})
    spark.stop()


if __name__ == "__main__":
    main()
