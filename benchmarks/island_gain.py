"""Measures what a row gains that Spark's operators make and the engine takes over, by what is above, in one session.

The gain is the CPU time of plain Spark less that with a native piece above Spark's operators, crossing and all. Of
several interleaved runs the least counts. Nanoseconds a row, written as JSON where a file is named.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession

from one_session import engine, least_cpu, make_session, record

ROOT = Path(__file__).resolve().parent.parent
SMALL = ROOT / "build" / "bench" / "small"


def queries(spark: SparkSession, rows: int, columns: int, text: bool) -> dict[str, Callable[[], object]]:
    """Returns what is done with rows of Spark's: a key, and columns that are numbers or texts of some length."""
    form = "concat('some text of the column ', id + {})" if text else "id * {}"
    given = ", ".join(f"{form.format(i + 1)} c{i}" for i in range(columns))
    made = f"(select id, cast(id as int) i, {given} from range({rows}) where rand(7) >= 0)"
    largest = ", ".join(f"max(c{i})" for i in range(columns))

    def collect(sql: str) -> Callable[[], object]:
        return spark.sql(sql).collect

    def drop(sql: str) -> Callable[[], object]:
        return spark.sql(sql).write.format("noop").mode("overwrite").save

    return {
        "one group": collect(f"select {largest} from {made}"),
        "1,000 groups": collect(f"select id % 1000, {largest} from {made} group by 1"),
        "broadcast join": drop(f"select m.*, v from {made} m left join small on i = k"),
        "sort merge join": drop(
            f"select /*+ merge(a) */ a.*, b.v from {made} a join (select id k, id v from range({rows})) b on a.id = b.k"
        ),
        "top k": collect(f"select * from {made} order by i desc limit 10"),
        "sort": drop(f"select * from {made} order by i desc"),
    }


def main() -> None:
    """Measures, prints and records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    spark = make_session()
    with engine(spark, "plain"):
        spark.range(10_000).selectExpr("cast(id as int) k", "id v").write.mode("overwrite").parquet(str(SMALL))
    spark.read.parquet(str(SMALL)).createOrReplaceTempView("small")
    found = {}
    for columns, text in ((1, False), (20, False), (20, True)):
        for name in queries(spark, 1, columns, text):
            cpu = least_cpu(
                spark, lambda n=name, c=columns, t=text: queries(spark, options.rows, c, t)[n], options.runs
            )
            gain = (cpu["plain"] - cpu["native"]) / options.rows * 1e9
            found[f"{name}, {columns} columns of {'text' if text else 'numbers'}"] = gain
            print(f"{name}, {columns} columns of {'text' if text else 'numbers'}: {gain:.0f} ns a row", flush=True)
    record(options.json, {"rows": options.rows, "gain_ns": found})
    spark.stop()


if __name__ == "__main__":
    main()
