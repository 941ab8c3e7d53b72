"""An ordinary PySpark job: TPC-H questions 1 and 6 as SQL and as DataFrame code, and a filter handed to pandas.

It knows nothing of Accelerant; demo/run.py runs it with and without.
"""

import argparse
import json
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from measure import measured

Q1 = """
    SELECT l_returnflag, l_linestatus,
           sum(l_quantity) AS sum_qty,
           sum(l_extendedprice) AS sum_base_price,
           sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
           sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
           avg(l_quantity) AS avg_qty,
           avg(l_extendedprice) AS avg_price,
           avg(l_discount) AS avg_disc,
           count(*) AS count_order
    FROM lineitem
    WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY
    GROUP BY l_returnflag, l_linestatus
    ORDER BY l_returnflag, l_linestatus"""

Q6 = """
    SELECT sum(l_extendedprice * l_discount) AS revenue
    FROM lineitem
    WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1994-01-01' + INTERVAL '1' YEAR
      AND l_discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND l_quantity < 24"""


def q1_sql(spark: SparkSession) -> DataFrame:
    return spark.sql(Q1)


def q6_sql(spark: SparkSession) -> DataFrame:
    return spark.sql(Q6)


def q1_dataframe(spark: SparkSession) -> DataFrame:
    discounted = F.col("l_extendedprice") * (1 - F.col("l_discount"))
    return (
        spark.table("lineitem")
        .where(F.col("l_shipdate") <= F.date_sub(F.lit("1998-12-01").cast("date"), 90))
        .groupBy("l_returnflag", "l_linestatus")
        .agg(
            F.sum("l_quantity").alias("sum_qty"),
            F.sum("l_extendedprice").alias("sum_base_price"),
            F.sum(discounted).alias("sum_disc_price"),
            F.sum(discounted * (1 + F.col("l_tax"))).alias("sum_charge"),
            F.avg("l_quantity").alias("avg_qty"),
            F.avg("l_extendedprice").alias("avg_price"),
            F.avg("l_discount").alias("avg_disc"),
            F.count("*").alias("count_order"),
        )
        .orderBy("l_returnflag", "l_linestatus")
    )


def q6_dataframe(spark: SparkSession) -> DataFrame:
    return (
        spark.table("lineitem")
        .where((F.col("l_shipdate") >= F.lit("1994-01-01")) & (F.col("l_shipdate") < F.lit("1995-01-01")))
        .where(F.col("l_discount").between(F.lit("0.05").cast("decimal(15,2)"), F.lit("0.07").cast("decimal(15,2)")))
        .where(F.col("l_quantity") < 24)
        .agg(F.sum(F.col("l_extendedprice") * F.col("l_discount")).alias("revenue"))
    )


def late_and_large(spark: SparkSession) -> DataFrame:
    return (
        spark.table("lineitem")
        .where((F.col("l_shipdate") >= F.lit("1998-09-01")) & (F.col("l_quantity") >= 45))
        .select(
            "l_orderkey",
            "l_shipdate",
            "l_shipmode",
            (F.col("l_extendedprice") * (1 - F.col("l_discount"))).alias("price"),
        )
    )


def rows(frame: DataFrame) -> str:
    return "\n".join(str(row) for row in frame.collect())


def pandas_csv(frame: DataFrame) -> str:
    return frame.toPandas().to_csv(index=False)


# Name, how to ask, how to take the answer.
QUESTIONS = [
    ("Q1, SQL", q1_sql, rows),
    ("Q1, DataFrame", q1_dataframe, rows),
    ("Q6, SQL", q6_sql, rows),
    ("Q6, DataFrame", q6_dataframe, rows),
    ("filter, toPandas", late_and_large, pandas_csv),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lineitem", help="Parquet file or folder of the table lineitem")
    parser.add_argument("report", type=Path, help="where to write times and answers, as JSON")
    parser.add_argument("--runs", type=int, default=5, help="how often to ask each question")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("demo").getOrCreate()
    spark.read.parquet(options.lineitem).createOrReplaceTempView("lineitem")
    answers = [measured(spark, name, ask, take, options.runs) for name, ask, take in QUESTIONS]
    options.report.write_text(json.dumps({"spark": spark.version, "answers": answers}))
    spark.stop()


if __name__ == "__main__":
    main()
