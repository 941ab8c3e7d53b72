"""A job of a short query and one that would take hours and is cancelled; over a Parquet file where one is named."""

import sys
import threading
import time

from pyspark.sql import DataFrame, SparkSession

SECONDS = 5
# A row takes some milliseconds.
SLOW = "aggregate(sequence(0, 200000 + id % 2), 0L, (sum, i) -> sum + i)"

spark = SparkSession.builder.getOrCreate()


def total(rows: int) -> DataFrame:
    return spark.range(rows).selectExpr("sum(id % 7 * (id % 11)) as total")


def cancel() -> None:
    while not spark.sparkContext.statusTracker().getActiveStageIds():
        time.sleep(0.1)
    time.sleep(SECONDS)
    spark.sparkContext.cancelAllJobs()


print(f"short: {total(1000).head().total}", flush=True)
long = spark.read.parquet(sys.argv[1]).selectExpr(f"sum({SLOW}) as total") if len(sys.argv) > 1 else total(10**13)
threading.Thread(target=cancel).start()
try:
    long.head()
except Exception as error:
    print(f"cancelled: {'cancel' in str(error).lower()}", flush=True)
spark.stop()
