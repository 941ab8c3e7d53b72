"""Mortgages: acquisitions as CSV, monthly performance as text with bars between and no header, rates as JSON."""

import pandas as pd
from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

PERFORMANCE = (
    "loan_id string, period string, servicer string, balance double, age int, delinquency string, modified string, "
    "zero_code string"
)


def performance_of(spark: SparkSession, data: str) -> DataFrame:
    """Reads the months, with dates and numbers made of the text."""
    raw = spark.read.csv(f"{data}/performance", sep="|", schema=PERFORMANCE)
    status = F.when(F.col("delinquency").isin("X", ""), None).otherwise(F.col("delinquency").cast("int"))
    return raw.withColumn("period", F.to_date("period", "MM/dd/yyyy")).withColumn("months_late", status)


def acquisitions_of(spark: SparkSession, data: str) -> DataFrame:
    """Reads the loans; what is no number is null."""
    raw = spark.read.csv(f"{data}/acquisitions", header=True)
    seller = F.upper(F.trim(F.regexp_replace("seller", "[.,]", "")))
    return raw.select(
        "loan_id",
        F.when(seller.startswith("WELLS BANK"), "WELLS BANK").otherwise(seller).alias("seller"),
        F.to_date("orig_date", "MM/yyyy").alias("orig_date"),
        F.col("orig_rate").cast("double"),
        F.col("orig_upb").cast("long"),
        F.expr("try_cast(credit_score as int)").alias("credit_score"),
        F.expr("try_cast(ltv as int)").alias("ltv"),
        F.when(F.length("state") == 2, F.col("state")).alias("state"),
        "property_type",
        "purpose",
    )


def to_parquet(spark: SparkSession, data: str, out: str) -> list[Row]:
    """The first step of all such notebooks: text to Parquet, and a look at what came out."""
    loans, months = acquisitions_of(spark, data), performance_of(spark, data)
    loans.write.mode("overwrite").parquet(f"{out}/loans")
    months.write.mode("overwrite").parquet(f"{out}/months")
    loans = spark.read.parquet(f"{out}/loans")
    loans.printSchema()
    loans.orderBy("loan_id").show(3)
    return spark.read.parquet(f"{out}/months").groupBy("months_late").count().orderBy("months_late").collect()


def ever_delinquent(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Who was ever late, and when first, by the state and the seller."""
    late = (
        performance_of(spark, data)
        .groupBy("loan_id")
        .agg(
            F.max("months_late").alias("worst"),
            F.min(F.when(F.col("months_late") >= 1, F.col("period"))).alias("first_30"),
            F.min(F.when(F.col("months_late") >= 3, F.col("period"))).alias("first_90"),
            F.max("zero_code").alias("zero_code"),
        )
    )
    loans = acquisitions_of(spark, data).join(late, "loan_id", "left").cache()
    loans.groupBy("state").agg(
        F.count("*").alias("loans"),
        F.sum((F.col("worst") >= 3).cast("int")).alias("seriously_late"),
        F.avg("credit_score").alias("score"),
        F.avg(F.months_between("first_90", "orig_date")).alias("months_to_90"),
    ).orderBy("state").show()
    loans.filter("first_30 is not null").select("loan_id", "first_30", "worst").orderBy("first_30", "loan_id").show(5)
    return loans.groupBy("seller").agg(F.avg("orig_rate"), F.countDistinct("state")).collect()


def twelve_months(spark: SparkSession, data: str, out: str) -> list[Row]:
    """For each loan and month the worst of the next twelve: a window over ordered months."""
    ahead = Window.partitionBy("loan_id").orderBy("period").rowsBetween(1, 12)
    before = Window.partitionBy("loan_id").orderBy("period")
    months = (
        performance_of(spark, data)
        .withColumn("worst_ahead", F.max("months_late").over(ahead))
        .withColumn("paid", F.lag("balance").over(before) - F.col("balance"))
        .withColumn("target", (F.coalesce("worst_ahead", F.lit(0)) >= 3).cast("int"))
    )
    by_age = months.groupBy("age").agg(
        F.sum("target").alias("bad"), F.count("*").alias("months"), F.avg("paid").alias("paid")
    )
    by_age.orderBy("age").show(24)
    return by_age.filter("bad > 0").collect()


def features_for_training(spark: SparkSession, data: str, out: str) -> list[object]:
    """A wide table of features of loans and their first year, written for training, with a sample in pandas."""
    rates = spark.read.json(f"{data}/rates").select(F.to_date("month", "yyyy-MM").alias("orig_date"), "rate")
    first_year = (
        performance_of(spark, data)
        .filter("age < 12")
        .groupBy("loan_id")
        .agg(
            F.avg("balance").alias("balance"),
            F.stddev("balance").alias("balance_spread"),
            F.sum((F.col("months_late") > 0).cast("int")).alias("late_months"),
            F.first("servicer", ignorenulls=True).alias("servicer"),
        )
    )
    loans = acquisitions_of(spark, data).join(F.broadcast(rates), "orig_date", "left").join(first_year, "loan_id")
    features = loans.withColumn("spread", F.round(F.col("orig_rate") - F.col("rate"), 3))
    for name in ("property_type", "purpose"):
        for value in ("SF", "PU", "CO") if name == "property_type" else ("P", "R", "C"):
            features = features.withColumn(f"{name}_{value}", (F.col(name) == value).cast("int"))
    features = features.fillna({"credit_score": 650, "ltv": 80}).drop("property_type", "purpose", "seller")
    features.write.mode("overwrite").parquet(f"{out}/features")
    sample: pd.DataFrame = features.filter("loan_id like '%77'").orderBy("loan_id").toPandas()
    return [sample, features.select(F.corr("ltv", "orig_rate"), F.avg("spread")).collect()]


JOBS = [to_parquet, ever_delinquent, twelve_months, features_for_training]
