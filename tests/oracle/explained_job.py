"""Runs a query and prints what `explain` says of it."""

from pyspark.sql import SparkSession

df = SparkSession.builder.getOrCreate().range(10).selectExpr("sum(id) as total")
print("total", df.collect()[0].total)
df.explain()
