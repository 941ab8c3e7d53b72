"""Clicks of a site: JSON lines with nested fields, users as Parquet, pages as CSV."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

SCHEMA = (
    "event_id string, user_id string, ts string, event string, url string, geo struct<country: string, city: string>, "
    "agent string, value double"
)


def events_of(spark: SparkSession, data: str) -> DataFrame:
    """Reads the events, flat."""
    raw = spark.read.json(f"{data}/events", schema=SCHEMA)
    return raw.select(
        "event_id",
        "user_id",
        F.to_timestamp("ts").alias("at"),
        "event",
        "url",
        F.col("geo.country").alias("country"),
        F.col("geo.city").alias("city"),
        "agent",
        "value",
    )


def funnel(spark: SparkSession, data: str, out: str) -> list[Row]:
    """How many users come how far, by the country and the plan."""
    users = spark.read.parquet(f"{data}/users")
    events = events_of(spark, data).filter("user_id is not null and agent not like '%bot%'")
    steps = events.groupBy("user_id").agg(
        F.min(F.when(F.col("event") == "page_view", F.col("at"))).alias("viewed"),
        F.min(F.when(F.col("event") == "add_to_cart", F.col("at"))).alias("added"),
        F.min(F.when(F.col("event") == "purchase", F.col("at"))).alias("bought"),
        F.max("country").alias("country"),
    )
    reached = steps.join(users, "user_id").select(
        "country",
        "plan",
        F.col("viewed").isNotNull().cast("int").alias("viewed"),
        (F.col("added") > F.col("viewed")).cast("int").alias("added"),
        (F.col("bought") > F.col("added")).cast("int").alias("bought"),
    )
    table = reached.groupBy("country", "plan").agg(F.sum("viewed"), F.sum("added"), F.sum("bought"))
    table.orderBy("country", "plan").show(50)
    return reached.groupBy("country").agg(F.avg("bought").alias("rate")).orderBy("country").collect()


def sessions(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Sessions by half an hour of silence, written by day as JSON."""
    by_user = Window.partitionBy("user_id").orderBy("at", "event_id")
    events = events_of(spark, data).filter("user_id is not null")
    gap = F.unix_timestamp("at") - F.unix_timestamp(F.lag("at").over(by_user))
    marked = events.withColumn("is_new", (gap.isNull() | (gap > 1800)).cast("int"))
    numbered = marked.withColumn("session", F.sum("is_new").over(by_user))
    found = numbered.groupBy("user_id", "session").agg(
        F.min("at").alias("start"),
        (F.unix_timestamp(F.max("at")) - F.unix_timestamp(F.min("at"))).alias("seconds"),
        F.count("*").alias("events"),
        F.sum("value").alias("value"),
    )
    days = found.groupBy(F.to_date("start").alias("day")).agg(
        F.count("*").alias("sessions"), F.avg("seconds").alias("seconds"), F.avg("events").alias("events")
    )
    days.orderBy("day").coalesce(1).write.mode("overwrite").json(f"{out}/days")
    days.orderBy("day").show()
    return found.orderBy(F.desc("events"), "user_id", "session").limit(10).collect()


def pages_and_sources(spark: SparkSession, data: str, out: str) -> list[Row]:
    """What addresses say: paths, page numbers and campaigns, joined with titles; text functions of all kinds."""
    pages = spark.read.option("header", True).csv(f"{data}/pages").withColumn("page_id", F.col("page_id").cast("int"))
    parsed = events_of(spark, data).select(
        F.lower(F.split("url", "/")[1]).alias("section_in_url"),
        F.regexp_extract("url", r"/(\d+)(\?|$)", 1).cast("int").alias("page_id"),
        F.coalesce(F.regexp_extract("url", r"utm_source=(\w+)", 1), F.lit("")).alias("source"),
        F.when(F.col("agent").contains("iPhone"), "mobile")
        .when(F.col("agent").like("%Windows%"), "desktop")
        .otherwise("other")
        .alias("device"),
        "value",
    )
    joined = parsed.join(pages, "page_id", "left")
    joined.groupBy("section", "device").agg(F.count("*").alias("hits"), F.sum("value").alias("value")).orderBy(
        "section", "device"
    ).show()
    joined.groupBy("source").pivot("section_in_url").count().orderBy("source").show()
    top = joined.groupBy("page_id", "title").count().orderBy(F.desc("count"), "page_id")
    return top.limit(15).collect()


def daily_actives(spark: SparkSession, data: str, out: str) -> list[object]:
    """Who comes back: active users, a cached table, retention by weeks since the first visit."""
    events = events_of(spark, data).select("user_id", F.to_date("at").alias("day"), "event").dropna().cache()
    daily = events.groupBy("day").agg(
        F.countDistinct("user_id").alias("users"), F.approx_count_distinct("event").alias("kinds")
    )
    daily.orderBy("day").show(14)
    first = events.groupBy("user_id").agg(F.min("day").alias("first_day"))
    kept = (
        events.join(first, "user_id")
        .withColumn("later", F.datediff("day", "first_day"))
        .groupBy("first_day", "later")
        .agg(F.countDistinct("user_id").alias("users"))
    )
    pandas = kept.orderBy("first_day", "later").toPandas()
    events.unpersist()
    return [pandas]


def repaired_values(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Values that are missing get the median of their city, by pandas a group; mapInPandas labels them."""
    events = events_of(spark, data).select("event_id", "city", "value")

    def repair(group: pd.DataFrame) -> pd.DataFrame:
        median = group["value"].median()
        return group.assign(value=group["value"].fillna(0.0 if pd.isna(median) else median).round(4))

    def label(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            yield frame.assign(size=pd.cut(frame["value"], [-1, 50, 150, 1000], labels=["s", "m", "l"]).astype(str))

    repaired = events.groupBy("city").applyInPandas(repair, "event_id string, city string, value double")
    labelled = repaired.mapInPandas(label, "event_id string, city string, value double, size string")
    sizes = labelled.groupBy("city", "size").agg(F.count("*").alias("n"), F.sum("value").alias("value"))
    sizes.orderBy(F.desc("n"), "city").show(8)
    return sizes.groupBy("size").agg(F.sum("n"), F.round(F.sum("value"), 2)).collect()


JOBS = [funnel, sessions, pages_and_sources, daily_actives, repaired_values]
