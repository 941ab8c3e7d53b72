"""Reports of a shop: orders as ORC, a budget as CSV, tickets as JSON; what is sent around on Mondays."""

import pandas as pd
from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F


def orders_of(spark: SparkSession, data: str) -> DataFrame:
    """Reads the orders that count."""
    return spark.read.orc(f"{data}/orders").filter("status != 'cancelled'")


def against_budget(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Months and regions against the budget, with running totals, written as one CSV."""
    budget = spark.read.csv(f"{data}/budget", header=True, inferSchema=True)
    actual = (
        orders_of(spark, data)
        .groupBy("region", F.month("ordered_at").alias("month"))
        .agg(F.sum("amount").alias("actual"), F.sum(F.coalesce("shipping", F.lit(0))).alias("shipping"))
    )
    table = budget.join(actual, ["region", "month"], "left").fillna(0, ["shipping"])
    so_far = Window.partitionBy("region").orderBy("month")
    table = table.withColumn("so_far", F.sum("actual").over(so_far)).withColumn(
        "share", F.round(100 * F.col("actual") / F.col("budget"), 1)
    )
    table.orderBy("region", "month").show(60)
    table.orderBy("region", "month").coalesce(1).write.mode("overwrite").csv(f"{out}/budget", header=True)
    return table.groupBy("region").agg(F.sum("actual"), F.max("share")).orderBy("region").collect()


def weekly_pivot(spark: SparkSession, data: str, out: str) -> list[object]:
    """Weeks by channels as pandas tables, of a cached and of a sampled frame."""
    orders = orders_of(spark, data).withColumn("week", F.weekofyear("ordered_at")).cache()
    pivot = orders.groupBy("week").pivot("channel").agg(F.round(F.avg("amount"), 2))
    pandas: pd.DataFrame = pivot.orderBy("week").toPandas()
    returned = orders.groupBy("region", "channel").agg(
        (F.sum((F.col("status") == "returned").cast("int")) / F.count("*")).alias("returned"),
        F.avg("amount").alias("amount"),
        F.skewness(F.col("amount").cast("double")).alias("skewness"),
    )
    returned.orderBy("region", "channel").show()
    print(orders.filter("amount > 4000").count(), orders.select("customer").distinct().count())
    orders.filter(F.col("ordered_at").between("2024-02-01", "2024-02-03")).orderBy("order_id").select(
        "order_id", "ordered_at", "amount"
    ).show(4, vertical=True)
    orders.unpersist()
    return [pandas]


def customer_service(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Tickets against what their customers bought: a JSON and an ORC joined, words of subjects counted."""
    tickets = spark.read.json(f"{data}/tickets").withColumns(
        {"opened": F.to_date("opened"), "closed": F.to_date("closed"), "priority": F.lower("priority")}
    )
    customers = (
        orders_of(spark, data)
        .groupBy("customer")
        .agg(F.sum("amount").alias("bought"), F.max("ordered_at").alias("last"))
    )
    joined = tickets.join(customers, "customer", "left")
    days = F.greatest(F.datediff("closed", "opened"), F.lit(0))
    joined.withColumn("days", days).groupBy("priority").agg(
        F.count("*").alias("tickets"),
        F.avg("days").alias("days"),
        F.count("closed").alias("closed"),
        F.sum(F.coalesce("bought", F.lit(0))).alias("bought"),
    ).orderBy("priority").show()
    words = tickets.select(F.explode(F.split("subject", " ")).alias("word")).filter("word rlike '^[a-z]+$'")
    words.groupBy("word").count().orderBy(F.desc("count"), "word").show()
    return joined.filter("bought is null and closed is null").groupBy(F.month("opened").alias("m")).count().collect()


def archive(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Orders by region and month into folders, in order within files, then read with a filter on the folders."""
    orders = spark.read.orc(f"{data}/orders").withColumn("month", F.date_format("ordered_at", "yyyy-MM"))
    (
        orders.filter("amount > 50")
        .repartition("region")
        .sortWithinPartitions("ordered_at", "order_id")
        .write.mode("overwrite")
        .partitionBy("region", "month")
        .parquet(f"{out}/archive")
    )
    again = spark.read.parquet(f"{out}/archive")
    again.filter("region = 'EU' and month in ('2024-02', '2024-03')").groupBy("month", "status").agg(
        F.count("*").alias("n"), F.sum("amount").alias("amount"), F.min("ordered_at").alias("first")
    ).orderBy("month", "status").show(truncate=False)
    best = orders.orderBy(F.desc("amount"), "order_id").limit(100)
    return best.groupBy("region").agg(F.count("*"), F.sum("amount")).collect()


JOBS = [against_budget, weekly_pivot, customer_service, archive]
