"""An ordinary PySpark ETL job over the eight tables of TPC-H: SQL and DataFrame steps, a write, a hand-over to pandas.

It knows nothing of Accelerant but the stopwatch and how to tell its steps; demo/run.py runs it with and without.
Arguments: a folder of Parquet files, a folder to write to, where to report, how often to do each step.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from accelerant.benchmark.costs import measured
from accelerant.benchmark.progress import tell
from accelerant.benchmark.spark_worker import explanation, jvm_pid
from accelerant.benchmark.task import Report, write_reports

TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]

PRICING = """
    SELECT l_returnflag, l_linestatus, count(*) AS lines,
           sum(l_quantity) AS quantity,
           sum(l_extendedprice * (1 - l_discount)) AS net,
           sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS gross,
           avg(l_discount) AS discount
    FROM lineitem
    WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY
    GROUP BY l_returnflag, l_linestatus
    ORDER BY l_returnflag, l_linestatus"""

REVENUE_BY_NATION = """
    SELECT r_name, n_name, year(o_orderdate) AS year, sum(l_extendedprice * (1 - l_discount)) AS revenue
    FROM customer JOIN orders ON c_custkey = o_custkey
                  JOIN lineitem ON l_orderkey = o_orderkey
                  JOIN nation ON c_nationkey = n_nationkey
                  JOIN region ON n_regionkey = r_regionkey
    GROUP BY r_name, n_name, year(o_orderdate)
    ORDER BY revenue DESC"""

LATE_SUPPLIERS = """
    SELECT s_name, count(*) AS late
    FROM supplier JOIN lineitem ON s_suppkey = l_suppkey JOIN orders ON o_orderkey = l_orderkey
    WHERE o_orderstatus = 'F' AND l_receiptdate > l_commitdate
      AND s_nationkey IN (SELECT n_nationkey FROM nation JOIN region ON n_regionkey = r_regionkey WHERE r_name = 'ASIA')
    GROUP BY s_name
    ORDER BY late DESC, s_name
    LIMIT 100"""


def pricing(spark: SparkSession) -> DataFrame:
    return spark.sql(PRICING)


def revenue_by_nation(spark: SparkSession) -> DataFrame:
    return spark.sql(REVENUE_BY_NATION)


def late_suppliers(spark: SparkSession) -> DataFrame:
    return spark.sql(LATE_SUPPLIERS)


def cheapest_offers(spark: SparkSession) -> DataFrame:
    offers = spark.table("partsupp").join(spark.table("part"), F.col("ps_partkey") == F.col("p_partkey"))
    return (
        offers.where((F.col("p_size") > 40) & F.col("p_type").startswith("PROMO"))
        .groupBy("p_brand", "p_container")
        .agg(
            F.min("ps_supplycost").alias("least"),
            F.avg("ps_supplycost").alias("mean"),
            F.sum("ps_availqty").alias("available"),
            F.count("*").alias("offers"),
        )
        .orderBy("least", "p_brand", "p_container")
    )


def order_facts(spark: SparkSession) -> DataFrame:
    lines = spark.table("lineitem").where(F.col("l_shipdate") >= F.lit("1997-01-01"))
    net = F.col("l_extendedprice") * (1 - F.col("l_discount"))
    totals = lines.groupBy("l_orderkey").agg(
        F.count("*").alias("lines"), F.sum(net).alias("net"), F.max("l_shipdate").alias("shipped")
    )
    return (
        spark.table("orders")
        .join(totals, F.col("o_orderkey") == F.col("l_orderkey"))
        .select("o_orderkey", "o_custkey", "o_orderdate", "o_orderpriority", "lines", "net", "shipped")
    )


def good_customers(spark: SparkSession) -> DataFrame:
    facts = spark.table("facts").groupBy("o_custkey").agg(F.sum("net").alias("net"), F.sum("lines").alias("lines"))
    return (
        spark.table("customer")
        .join(facts, F.col("c_custkey") == F.col("o_custkey"), "left")
        .where(F.col("c_acctbal") > 0)
        .select("c_custkey", "c_name", "c_mktsegment", F.coalesce("net", F.lit(0)).alias("net"), "lines")
        .orderBy(F.col("net").desc(), "c_custkey")
        .limit(20_000)
    )


def rows(frame: DataFrame) -> list[list[str]]:
    return [[str(row)] for row in frame.collect()]


def written_to(path: str) -> Callable[[DataFrame], list[list[str]]]:
    """Returns a step's end that writes Parquet, and reads it again as the view `facts` of the next step."""

    def write(frame: DataFrame) -> list[list[str]]:
        frame.write.mode("overwrite").parquet(path)
        facts = frame.sparkSession.read.parquet(path)
        facts.createOrReplaceTempView("facts")
        return rows(facts.agg(F.count("*"), F.sum("net"), F.sum("o_orderkey"), F.min("shipped")))

    return write


def pandas_rows(frame: DataFrame) -> list[list[str]]:
    return [[str(value) for value in row] for row in frame.toPandas().itertuples(index=False)]


def taken(frame: DataFrame, take: Callable[[DataFrame], list[list[str]]]) -> tuple[DataFrame, list[list[str]]]:
    """Returns the frame as well: once it has run it explains itself as it ran. A write is a plan of its own over it."""
    return frame, take(frame)


def main() -> None:
    data, output, report, runs = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    # Name, what to ask, what to do with it.
    steps = [
        ("pricing, SQL", pricing, rows),
        ("revenue by nation, SQL", revenue_by_nation, rows),
        ("late suppliers, SQL", late_suppliers, rows),
        ("offers, DataFrame", cheapest_offers, rows),
        ("facts, write", order_facts, written_to(output)),
        ("customers, toPandas", good_customers, pandas_rows),
    ]
    spark = SparkSession.builder.appName("demo").getOrCreate()
    for table in TABLES:
        spark.read.parquet(str(data / f"{table}.parquet")).createOrReplaceTempView(table)
    reports = []
    for name, ask, take in steps:
        tell(name)
        (frame, answer), costs = measured(jvm_pid(spark), runs + 1, lambda ask=ask, take=take: taken(ask(spark), take))
        reports.append(Report(name, costs, answer, explanation(frame)))
    write_reports(report, reports)
    spark.stop()


if __name__ == "__main__":
    main()
