"""A job of a short query and one that would take hours and is cancelled."""

import threading

from pyspark.sql import SparkSession

SECONDS = 5

spark = SparkSession.builder.getOrCreate()


def total(rows: int) -> int:
    return spark.range(rows).selectExpr("sum(id % 7 * (id % 11)) as total").head().total


print(f"short: {total(1000)}", flush=True)
threading.Timer(SECONDS, spark.sparkContext.cancelAllJobs).start()
try:
    total(10**13)
except Exception as error:
    print(f"cancelled: {'cancel' in str(error).lower()}", flush=True)
spark.stop()
