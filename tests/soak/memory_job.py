"""Asks many queries in one JVM and prints what its process holds, as JSON; argument 1 is a table, 2 a count."""

import json
import re
import subprocess
import sys

from engine_process import collect_garbage, eventually, held_bytes, jvm_pid, open_queries, resident_bytes
from pyspark.sql import SparkSession

from accelerant import tpch

FAILING = "select 1 / (l_orderkey - 69985) from lineitem"
MIX = [
    tpch.query("q1"),
    tpch.query("q6"),
    """select l_orderkey, l_shipdate, l_shipmode, l_extendedprice * (1 - l_discount) as price
       from lineitem where l_shipdate >= date '1998-09-01' and l_quantity >= 45""",
    "select l_partkey, count(*), max(l_comment) from lineitem group by l_partkey order by 2 desc, 1 limit 10",
    "select * from lineitem where l_quantity > 2 limit 3000",
    FAILING,
]


def outside_bytes(pid: int) -> int:
    """Returns what a JVM's process has in memory beyond what the JVM accounts for: heap, classes, compiled code."""
    command = ["jcmd", str(pid), "VM.native_memory", "summary"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return resident_bytes(pid) - int(re.search(r"Total:.*committed=(\d+)KB", shown).group(1)) * 1024


def ask(spark: SparkSession, sql: str) -> None:
    df = spark.sql(sql)
    assert "Native" in df._jdf.queryExecution().executedPlan().toString()
    try:
        df.collect()
        assert sql != FAILING
    except Exception:
        assert sql == FAILING


def main() -> None:
    table, count = sys.argv[1], int(sys.argv[2])
    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.read.parquet(table).createOrReplaceTempView("lineitem")
    readings = []
    for turn in range(count):
        ask(spark, MIX[turn % len(MIX)])
        if turn % len(MIX) == len(MIX) - 1:
            collect_garbage(spark)
            eventually(lambda: not open_queries(spark))
            pid, left = jvm_pid(spark), len(open_queries(spark))
            outside, rss, held = outside_bytes(pid), resident_bytes(pid), held_bytes(spark)
            readings.append({"queries": turn + 1, "outside": outside, "rss": rss, "held": held, "open": left})
    print(json.dumps(readings))


if __name__ == "__main__":
    main()
