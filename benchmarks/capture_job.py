"""Captures queries over lineitem for replay; to be run by `accelerant submit`."""

import argparse
import json

from pyspark.sql import SparkSession


def main() -> None:
    """Asks each question once, with a folder of its own for its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lineitem")
    parser.add_argument("folder")
    parser.add_argument("questions", help="JSON object: name to SQL")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("capture").getOrCreate()
    spark.read.parquet(options.lineitem).createOrReplaceTempView("lineitem")
    for name, sql in json.loads(options.questions).items():
        spark.conf.set("spark.accelerant.capture.dir", f"{options.folder}/{name}")
        spark.sql(sql).toPandas()
    spark.stop()


if __name__ == "__main__":
    main()
