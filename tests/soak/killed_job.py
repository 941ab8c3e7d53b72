"""Has its JVM killed while rows of a query are on disk.

Argument 1 is a table, 2 a file for what happened, as output would go through the JVM.
"""

import os
import signal
import sys
import threading
from pathlib import Path

from engine_process import eventually, jvm_pid, spill_files
from pyspark.sql import SparkSession


def main() -> None:
    told = Path(sys.argv[2])
    spark = SparkSession.builder.getOrCreate()
    lines = spark.read.parquet(sys.argv[1]).unionAll(spark.read.parquet(sys.argv[1]))
    df = lines.orderBy("l_comment", "l_orderkey", "l_linenumber")
    assert "NativeSort" in df._jdf.queryExecution().executedPlan().toString()

    def work() -> None:
        df.write.format("noop").mode("overwrite").save()
        told.write_text("finished")

    threading.Thread(target=work, daemon=True).start()
    if eventually(lambda: spill_files(spark) > 0):
        told.write_text("spills")
    os.kill(jvm_pid(spark), signal.SIGKILL)


if __name__ == "__main__":
    main()
