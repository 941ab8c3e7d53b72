"""Ends its JVM in mid-query, in the way it is told.

Argument 1 is a table, 2 where it is read from (files, cache), 3 the way, 4 the seconds to wait.
"""

import os
import sys
import threading
import time
from functools import reduce

from pyspark.sql import DataFrame, SparkSession


def main() -> None:
    table, place, way, delay = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
    spark = SparkSession.builder.getOrCreate()
    spark.conf.set("spark.accelerant.batch.rows", "3")
    lines = spark.read.parquet(table)
    if place == "cache":
        lines = lines.select("l_quantity", "l_orderkey", "l_comment").cache()
        lines.count()
    df = reduce(DataFrame.unionAll, [lines] * 20).where("l_quantity > 1").select("l_orderkey", "l_comment")
    assert "Native" in df._jdf.queryExecution().executedPlan().toString()

    def work() -> None:
        try:
            df.write.format("noop").mode("overwrite").save()
            print("finished", flush=True)
        except BaseException:
            print("interrupted", flush=True)

    threading.Thread(target=work, daemon=True).start()
    while not spark.sparkContext.statusTracker().getActiveStageIds():
        time.sleep(0.001)
    time.sleep(delay)
    print("ends in mid-query", flush=True)
    if way == "exit":
        spark._jvm.System.exit(0)
    elif way == "stop":
        spark.stop()
    elif way == "leave":
        os._exit(0)
    # "return": the script ends, and Spark's own hook stops the context.


if __name__ == "__main__":
    main()
