"""Features of transactions: recency and frequency, windows, encodings, Python and pandas functions."""

import numpy as np
import pandas as pd
from pyspark.sql import Row, SparkSession, Window
from pyspark.sql import functions as F


def recency_frequency(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Recency, frequency and value of accounts, cut into quarters."""
    spent = spark.read.parquet(f"{data}/transactions").filter("amount > 0")
    last = spent.agg(F.max("at")).first()[0]
    accounts = spent.groupBy("account_id").agg(
        F.datediff(F.lit(last), F.max("at")).alias("recency"),
        F.count("*").alias("frequency"),
        F.round(F.sum("amount"), 2).alias("value"),
        F.avg(F.log1p("amount")).alias("log_amount"),
    )
    cuts = accounts.approxQuantile(["frequency", "value"], [0.25, 0.5, 0.75], 0)
    print([[round(cut, 2) for cut in cut_of] for cut_of in cuts])

    def quarter(name: str, bounds: list[float]) -> F.Column:
        return sum((F.col(name) > bound).cast("int") for bound in bounds).alias(f"{name}_quarter")

    scored = accounts.select("*", quarter("frequency", cuts[0]), quarter("value", cuts[1]))
    scored.crosstab("frequency_quarter", "value_quarter").orderBy("frequency_quarter_value_quarter").show()
    return scored.orderBy(F.desc("value"), "account_id").limit(20).collect()


def rolling(spark: SparkSession, data: str, out: str) -> list[Row]:
    """What came before each transaction: means of the last ten, days since, shares of kinds; written as ORC."""
    transactions = spark.read.parquet(f"{data}/transactions")
    before = Window.partitionBy("account_id").orderBy("at", "tx_id")
    recent = before.rowsBetween(-10, -1)
    features = transactions.select(
        "tx_id",
        "account_id",
        "amount",
        F.avg("amount").over(recent).alias("mean_before"),
        F.max("amount").over(recent).alias("max_before"),
        F.datediff("at", F.lag("at").over(before)).alias("days_since"),
        F.row_number().over(before).alias("n"),
        (F.col("kind") == "online").cast("int").alias("is_online"),
        "fraud",
    )
    suspicious = features.filter("n > 10 and amount > 4 * mean_before and amount > max_before")
    suspicious.write.mode("overwrite").orc(f"{out}/suspicious")
    spark.read.orc(f"{out}/suspicious").groupBy("is_online", "fraud").count().orderBy("is_online", "fraud").show()
    return suspicious.orderBy(F.desc("amount"), "tx_id").select("tx_id", "n", "days_since").limit(10).collect()


def encoded(spark: SparkSession, data: str, out: str) -> list[object]:
    """Joins with a CSV and a JSON, target means, one-hot columns and standardised numbers; a matrix in pandas."""
    transactions = spark.read.parquet(f"{data}/transactions")
    accounts = spark.read.csv(f"{data}/accounts", header=True, inferSchema=True).withColumn(
        "opened", F.to_date("opened", "dd.MM.yyyy")
    )
    accounts = accounts.withColumn("country", F.upper(F.coalesce("country", F.lit("??"))))
    merchants = spark.read.json(f"{data}/merchants")
    joined = transactions.join(accounts, "account_id", "left").join(merchants, "merchant", "left").cache()
    means = joined.groupBy("kind").agg(F.avg(F.col("fraud").cast("double")).alias("kind_mean"))
    numbers = joined.select(F.mean("amount"), F.stddev("amount")).first()
    table = (
        joined.join(F.broadcast(means), "kind")
        .withColumn("amount_std", (F.col("amount") - numbers[0]) / numbers[1])
        .withColumn("years", F.floor(F.months_between("at", "opened") / 12))
        .fillna({"risk": "none", "score": -1.0, "credit_limit": 0.0})
    )
    for channel in ("web", "branch", "app"):
        table = table.withColumn(f"is_{channel}", F.when(F.col("channel") == channel, 1).otherwise(0))
    table.groupBy("risk").agg(
        F.count("*").alias("n"),
        F.avg("amount_std").alias("std"),
        F.sum("is_web").alias("web"),
        F.avg("years").alias("years"),
    ).orderBy("risk").show()
    sample = table.filter("tx_id % 997 = 0").select("tx_id", "amount_std", "kind_mean", "score", "country", "years")
    pandas = sample.orderBy("tx_id").toPandas()
    joined.unpersist()
    return [pandas]


def distances(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Great-circle distances between neighbours in time by pandas, nan and all, in buckets by Python."""

    @F.pandas_udf("double")
    def haversine(lat1: pd.Series, lon1: pd.Series, lat2: pd.Series, lon2: pd.Series) -> pd.Series:
        a, b, c, d = (np.radians(series) for series in (lat1, lon1, lat2, lon2))
        h = np.sin((c - a) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((d - b) / 2) ** 2
        return pd.Series(12742 * np.arcsin(np.sqrt(h)))

    @F.udf("string")
    def bucket(km: float) -> str:
        return "unknown" if km is None or km != km else f"{int(km // 2500) * 2500:>5}+"

    before = Window.partitionBy("account_id").orderBy("at", "tx_id")
    moves = (
        spark.read.parquet(f"{data}/transactions")
        .filter("account_id % 4 = 0")
        .select(
            "account_id", "lat", "lon", F.lag("lat").over(before).alias("lat0"), F.lag("lon").over(before).alias("lon0")
        )
    )
    far = moves.filter("lat0 is not null").withColumn("km", haversine("lat0", "lon0", "lat", "lon"))
    table = (
        far.withColumn("bucket", bucket("km")).groupBy("bucket").agg(F.count("*").alias("n"), F.avg("km").alias("km"))
    )
    table.orderBy("bucket").show()
    return far.filter("not isnan(km)").groupBy((F.col("account_id") % 16).alias("g")).agg(F.max("km")).collect()


JOBS = [recency_frequency, rolling, encoded, distances]
