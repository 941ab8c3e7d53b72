"""Collects, caches and reads rows where Kryo has to know every class beforehand; prints what came."""

import json

from pyspark.sql import SparkSession


def main() -> None:
    spark = SparkSession.builder.getOrCreate()
    spark.range(1000).selectExpr("id", "string(id) as s").write.parquet("table")
    table = spark.read.parquet("table")
    some = table.where("id > 9")
    found = {"collected": len(some.collect()), "written": table.groupBy("s").count().count()}
    kept = table.where("id < 900").cache()
    found |= {"cached": kept.count(), "read": kept.where("s like '%7'").count(), "first": kept.orderBy("id").first().id}
    found["native"] = "NativeFilter" in some._jdf.queryExecution().toString()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
