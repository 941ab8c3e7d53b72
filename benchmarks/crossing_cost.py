"""Measures what crossings between Spark and the engine cost a row, in one session, plain and native.

The cost of a call is the CPU time of a sum over it, less that of a sum over its arguments alone; bridged calls are
compared with Spark's own generated code. The cost of a row that flows from Spark's operators into the engine is the CPU
time of a native aggregate over them, less that of plain Spark for the same rows when nobody takes them. Of several
interleaved runs the least counts. Nanoseconds a row, written as JSON where a file is named.
"""

import argparse
from pathlib import Path

from pyspark.sql import SparkSession

from one_session import WARM_UP_RUNS, cpu_of, engine, least_cpu, make_session, record

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench" / "bridge"

# A call, and what reads the same columns without it.
CALLS = {
    "of two numbers": ("sum(hypot(x, y))", "sum(x + y)"),
    "of strings": ("sum(length(soundex(s)))", "sum(length(s))"),
    "that gives strings": ("max(mask(s))", "max(s)"),
}

# Rows of eight columns that one of Spark's operators makes, as one of them depends on its partitions, and what the
# engine does with them.
MADE = """select id, cast(id as int) i, id * rand(7) x, cast(id % 1000 as decimal(12, 2)) d,
    date_add(date'2020-01-01', cast(id % 3000 as int)) t, timestamp_micros(id * 1000003) u, concat('n', id % 5000) s,
    concat('customer number ', id) l from range({rows})"""
TAKEN = "select max(id), max(i), max(x), max(d), max(t), max(u), max(s), max(l) from ({made})"


def measure(spark: SparkSession, rows: int, runs: int) -> dict[str, dict[str, float]]:
    """Returns nanoseconds a row of each call, on each engine, and their difference."""
    found = {}
    for name, queries in CALLS.items():
        with_call, without = (
            least_cpu(spark, lambda query=query: spark.sql(f"select {query} from bridge").collect, runs)
            for query in queries
        )
        cost = {where: (with_call[where] - without[where]) / rows * 1e9 for where in ("plain", "native")}
        found[name] = cost | {"difference": cost["native"] - cost["plain"]}
    return found


def rows_in(spark: SparkSession, rows: int, runs: int) -> float:
    """Returns the nanoseconds that a row from Spark's operators into the engine takes."""
    made = MADE.format(rows=rows)
    given, taken = [], []
    for _ in range(runs + WARM_UP_RUNS):
        with engine(spark, "plain"):
            given.append(cpu_of(spark, spark.sql(made).write.format("noop").mode("overwrite").save))
        with engine(spark, "native"):
            taken.append(cpu_of(spark, spark.sql(TAKEN.format(made=made)).collect))
    return (min(taken) - min(given)) / rows * 1e9


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
        table = spark.range(options.rows).selectExpr("id / 7.0D x", "id * 0.5D y", "concat('customer ', hash(id)) s")
        table.write.mode("overwrite").parquet(str(folder))
    spark.read.parquet(str(folder)).createOrReplaceTempView("bridge")
    found = measure(spark, options.rows, options.runs)
    for name, cost in found.items():
        print(f"a call {name}: {cost['plain']:.0f} ns a row on Spark, {cost['native']:.0f} bridged")
    into = rows_in(spark, options.rows, options.runs)
    print(f"a row of eight columns from Spark into the engine: {into:.0f} ns, {1e3 / into:.1f} M a second and core")
    record(options.json, {"rows": options.rows, "ns": found, "row_in_ns": into})
    spark.stop()


if __name__ == "__main__":
    main()
