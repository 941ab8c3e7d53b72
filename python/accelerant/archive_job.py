"""Uses what many Spark programs use, for `accelerant archive`: Java keeps the classes that this loads."""

import tempfile

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f


def use(spark: SparkSession, folder: str) -> None:
    """Reads, writes, joins, aggregates and shows."""
    spark.range(5_000).selectExpr(
        "id", "id % 7 as k", "id * 1.5 as d", "cast(id as decimal(12, 2)) as m", "concat('t', id % 50) as s",
        "date_add('2020-01-01', cast(id % 400 as int)) as day", "timestamp_seconds(id) as at", "array(id) as a",
    ).write.mode("overwrite").partitionBy("k").parquet(f"{folder}/t")  # fmt: skip
    for form in ("csv", "json", "orc"):
        spark.range(10).selectExpr("id", "cast(id as string) as s").write.mode("overwrite").format(form).save(
            f"{folder}/{form}"
        )
        spark.read.format(form).option("inferSchema", "true").load(f"{folder}/{form}").collect()
    rows = spark.read.parquet(f"{folder}/t").cache()
    rows.createOrReplaceTempView("t")
    small = spark.createDataFrame([(1, "one"), (2, "two")], "k long, name string")
    ranked = f.row_number().over(Window.partitionBy("k").orderBy("id"))
    joined = rows.join(small, "k", "left").withColumn("n", ranked).where("n < 9")
    joined.groupBy("name", "day").agg(f.sum("d"), f.countDistinct("s"), f.collect_list("id")).orderBy("day").show(3)
    rows.select(f.explode("a"), f.upper("s"), f.to_date("at"), f.udf(lambda x: x, "long")("id")).repartition(3).count()
    spark.sql("select k, avg(m) as x from t group by cube (k, s) having x > 1 order by x limit 5").collect()
    rows.rdd.map(lambda row: row.id).take(2)
    rows.explain()


with tempfile.TemporaryDirectory() as scratch:
    session = SparkSession.builder.appName("accelerant archive").getOrCreate()
    for enabled in ("true", "false"):
        session.conf.set("spark.accelerant.enabled", enabled)
        use(session, scratch)
    session.stop()
