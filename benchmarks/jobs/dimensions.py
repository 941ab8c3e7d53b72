"""Slowly changing dimensions: a table of customers, a feed of changes as CSV, orders as ORC."""

from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

TRACKED = ["name", "email", "address", "city", "tier"]


def changes_of(spark: SparkSession, data: str) -> DataFrame:
    """Reads the feed: tidied, the last change of each customer and day."""
    raw = spark.read.csv(f"{data}/changes", header=True)
    tidy = raw.select(
        F.expr("try_cast(customer_id as bigint)").alias("customer_id"),
        F.initcap(F.trim("name")).alias("name"),
        F.lower("email").alias("email"),
        "address",
        "city",
        F.lower("tier").alias("tier"),
        F.to_timestamp("changed_at").alias("changed_at"),
        "op",
    ).filter("customer_id is not null")
    newest = Window.partitionBy("customer_id").orderBy(F.desc("changed_at"))
    return tidy.withColumn("n", F.row_number().over(newest)).filter("n = 1").drop("n")


def overwritten(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Type 1: the newest values win; a full outer join and coalesce."""
    current = spark.read.parquet(f"{data}/current").select("customer_id", *TRACKED)
    changes = changes_of(spark, data)
    new = changes.select("customer_id", "op", *(F.col(c).alias(f"new_{c}") for c in TRACKED))
    merged = (
        current.join(new, "customer_id", "full_outer")
        .filter("op is null or op != 'D'")
        .select(
            "customer_id",
            *(F.coalesce(f"new_{c}", c).alias(c) for c in TRACKED),
            F.col("op").isNotNull().alias("is_new"),
        )
    )
    merged.write.mode("overwrite").parquet(f"{out}/customers")
    result = spark.read.parquet(f"{out}/customers")
    result.groupBy("tier", "is_new").count().orderBy("tier", "is_new").show()
    return result.filter("customer_id % 20011 = 7").orderBy("customer_id").collect()


def versioned(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Type 2: old versions are closed, new ones opened, by hashes of what is tracked."""
    current = spark.read.parquet(f"{data}/current")
    changes = changes_of(spark, data).filter("op != 'D'")

    def digest(frame: DataFrame) -> DataFrame:
        return frame.withColumn("digest", F.sha2(F.concat_ws("|", *(F.coalesce(c, F.lit("")) for c in TRACKED)), 256))

    old, new = digest(current), digest(changes)
    changed = old.alias("o").join(new.alias("n"), "customer_id").filter("o.digest != n.digest")
    closed = changed.select(
        "customer_id",
        *(f"o.{c}" for c in TRACKED),
        "valid_from",
        F.to_date("changed_at").alias("valid_to"),
        F.lit(False).alias("is_current"),
    )
    opened = changed.select(
        "customer_id",
        *(f"n.{c}" for c in TRACKED),
        F.to_date("changed_at").alias("valid_from"),
        F.lit(None).cast("date").alias("valid_to"),
        F.lit(True).alias("is_current"),
    )
    born = new.join(old, "customer_id", "left_anti").select(
        "customer_id",
        *TRACKED,
        F.to_date("changed_at").alias("valid_from"),
        F.lit(None).cast("date").alias("valid_to"),
        F.lit(True).alias("is_current"),
    )
    untouched = old.join(changed.select("customer_id"), "customer_id", "left_anti").drop("digest")
    versions = untouched.unionByName(closed).unionByName(opened).unionByName(born)
    versions.write.mode("overwrite").partitionBy("is_current").parquet(f"{out}/versions")
    again = spark.read.parquet(f"{out}/versions")
    again.groupBy("is_current", "tier").agg(F.count("*").alias("n"), F.max("valid_from").alias("last")).orderBy(
        "is_current", "tier"
    ).show()
    return again.filter("customer_id < 20").orderBy("customer_id", "valid_from", "is_current").collect()


def orders_as_of(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Orders with the customer's tier of their day: a join on ranges of dates."""
    history = spark.read.parquet(f"{data}/current").select("customer_id", "tier", "city", "valid_from")
    later = changes_of(spark, data).select("customer_id", "tier", "city", F.to_date("changed_at").alias("valid_from"))
    versions = history.unionByName(later).withColumn(
        "valid_to", F.lead("valid_from").over(Window.partitionBy("customer_id").orderBy("valid_from", "tier", "city"))
    )
    orders = spark.read.orc(f"{data}/orders")
    joined = orders.join(versions, "customer_id").filter(
        "ordered >= valid_from and (ordered < valid_to or valid_to is null)"
    )
    joined.groupBy("tier").agg(F.count("*").alias("orders"), F.sum("amount").alias("amount")).orderBy("tier").show()
    monthly = joined.groupBy(F.trunc("ordered", "month").alias("month"), "tier").agg(F.sum("amount").alias("amount"))
    monthly.orderBy("month", "tier").show(6)
    return monthly.groupBy("tier").agg(F.max("amount"), F.count("*")).collect()


JOBS = [overwritten, versioned, orders_as_of]
