"""Logs: lines of web servers as text, spans of traces as ORC, objectives as CSV."""

from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

LINE = r'^(\S+) - (\S+) \[([^\]]+)\] "(\S+) (\S+) \S+" (\d{3}) (\S+) (\S+)$'


def requests_of(spark: SparkSession, data: str) -> DataFrame:
    """Parses the lines."""
    lines = spark.read.text(f"{data}/access")
    names = ["host", "user", "at", "method", "path", "status", "bytes", "seconds"]
    parts = lines.select(*(F.regexp_extract("value", LINE, n + 1).alias(name) for n, name in enumerate(names)))
    return parts.filter("status != ''").select(
        "host",
        F.when(F.col("user") != "-", F.col("user")).alias("user"),
        F.to_timestamp("at", "dd/MMM/yyyy:HH:mm:ss Z").alias("at"),
        "method",
        F.split("path", r"\?")[0].alias("path"),
        F.col("status").cast("int"),
        F.expr("try_cast(bytes as bigint)").alias("bytes"),
        F.col("seconds").cast("double"),
    )


def web_server(spark: SparkSession, data: str, out: str) -> list[Row]:
    """The classic: statuses, traffic by the hour, the worst hosts."""
    requests = requests_of(spark, data).cache()
    print(requests.count(), requests.filter("bytes is null").count())
    requests.groupBy("status").count().orderBy("status").show()
    requests.groupBy("path").agg(F.sum("bytes").alias("bytes"), F.max("seconds").alias("slowest")).orderBy(
        F.desc("bytes"), "path"
    ).show(truncate=False)
    requests.filter("status = 404").groupBy("host").count().orderBy(F.desc("count"), "host").show(5)
    requests.describe("bytes", "seconds").show()
    return (
        requests.groupBy(F.window("at", "1 day").alias("day"))
        .agg(F.countDistinct("host").alias("hosts"), F.sum("bytes").alias("bytes"))
        .select("day.start", "hosts", "bytes")
        .orderBy("start")
        .collect()
    )


def errors_by_minute(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Shares of errors a minute with a moving mean, and the minutes that stand out, written as CSV."""
    requests = requests_of(spark, data)
    minutes = requests.groupBy(F.date_trunc("minute", "at").alias("minute")).agg(
        F.count("*").alias("requests"), F.sum((F.col("status") >= 500).cast("int")).alias("errors")
    )
    moving = Window.orderBy("minute").rowsBetween(-30, 0)
    watched = minutes.withColumn("share", F.col("errors") / F.col("requests")).withColumn(
        "mean", F.avg("share").over(moving)
    )
    alarms = watched.filter("share > 3 * mean and errors > 2").orderBy(F.desc("share"), "minute")
    alarms.write.mode("overwrite").option("header", True).csv(f"{out}/alarms")
    alarms.show(5)
    return watched.agg(F.count("*"), F.max("requests"), F.avg("share")).collect()


def slow_spans(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Percentiles of services against their objectives, and the slowest operation of each."""
    spans = spark.read.orc(f"{data}/spans")
    services = spark.read.csv(f"{data}/services", header=True, inferSchema=True)
    spans.groupBy("service", "status").count().orderBy("service", "status").show()
    summary = spans.groupBy("service").agg(
        F.expr("percentile(micros, 0.5)").alias("p50"),
        F.expr("percentile(micros, 0.99)").alias("p99"),
        F.avg("micros").alias("mean"),
        F.count_if(F.col("status") != "OK").alias("failed"),
    )
    summary.join(services, "service").withColumn("is_met", F.col("p99") / 1000 < F.col("objective_ms")).orderBy(
        "service"
    ).show()
    by_operation = spans.groupBy("service", "operation").agg(F.avg("micros").alias("mean"), F.count("*").alias("n"))
    place = F.row_number().over(Window.partitionBy("service").orderBy(F.desc("mean"), "operation"))
    return by_operation.filter("n > 10").withColumn("place", place).filter("place = 1").orderBy("service").collect()


def traces(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Spans joined with the spans that called them: who waits for whom, and traces with failures."""
    spans = spark.read.orc(f"{data}/spans")
    callers = spans.select(F.col("span_id").alias("parent_id"), F.col("service").alias("caller"), "status")
    edges = spans.drop("status").join(callers, "parent_id")
    edges.groupBy("caller", "service").agg(
        F.count("*").alias("calls"), F.avg("micros").alias("micros"), F.count("status").alias("known")
    ).orderBy("caller", "service").show(25)
    failed = spans.filter("status = 'ERROR'").select("trace_id").distinct()
    print(spans.join(failed, "trace_id", "left_semi").count(), spans.join(failed, "trace_id", "left_anti").count())
    lengths = spans.groupBy("trace_id").agg(
        F.sum("micros").alias("micros"), F.collect_set("service").alias("services"), F.min("started").alias("started")
    )
    longest = lengths.orderBy(F.desc("micros"), "trace_id").limit(10)
    return longest.select("trace_id", "micros", F.array_sort("services").alias("services"), "started").collect()


JOBS = [web_server, errors_by_minute, slow_spans, traces]
