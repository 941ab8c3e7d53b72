"""Taxi rides: TLC-like Parquet files, a CSV of zones, a JSON of the weather."""

import pandas as pd
from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType


def zones_of(spark: SparkSession, data: str) -> DataFrame:
    """Reads the zones."""
    return spark.read.csv(f"{data}/zones", header=True, inferSchema=True)


def cleaned(spark: SparkSession, data: str) -> DataFrame:
    """Reads the trips that can be true, with what every notebook derives of them."""
    trips = spark.read.parquet(f"{data}/trips")
    seconds = F.unix_timestamp(F.col("tpep_dropoff_datetime").cast("timestamp")) - F.unix_timestamp(
        F.col("tpep_pickup_datetime").cast("timestamp")
    )
    return (
        trips.withColumn("duration_s", seconds)
        .filter("duration_s between 60 and 10800 and trip_distance > 0 and trip_distance < 100 and fare_amount > 0")
        .withColumn("speed_mph", F.col("trip_distance") / (F.col("duration_s") / 3600))
        .withColumn("hour", F.hour("tpep_pickup_datetime"))
        .withColumn("weekday", F.date_format("tpep_pickup_datetime", "E"))
    )


def explore(spark: SparkSession, data: str, out: str) -> list[Row]:
    """First looks: heads, counts, describe, nulls a column, the commonest values."""
    trips = spark.read.parquet(f"{data}/trips")
    trips.show(5)
    print(trips.count())
    trips.select("trip_distance", "fare_amount", "tip_amount", "passenger_count").describe().show()
    trips.select([F.count(F.when(F.col(c).isNull(), c)).alias(c) for c in trips.columns]).show()
    trips.groupBy("payment_type").count().orderBy(F.desc("count")).show()
    trips.groupBy("vendor_id", "ratecode_id").agg(F.avg("fare_amount").alias("fare")).orderBy(
        "vendor_id", "ratecode_id"
    ).show()
    return trips.select("store_and_fwd_flag").distinct().collect()


def busiest_zones(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Joins both ends of a trip with the zones and ranks pairs of boroughs and zones."""
    zones = zones_of(spark, data)
    start = zones.select(F.col("LocationID").alias("pu_location_id"), F.col("Borough").alias("from_borough"), "Zone")
    end = zones.select(F.col("LocationID").alias("do_location_id"), F.col("Borough").alias("to_borough"))
    rides = cleaned(spark, data).join(start, "pu_location_id").join(end, "do_location_id", "left")
    rides.groupBy("from_borough", "to_borough").agg(
        F.count("*").alias("rides"), F.round(F.avg("speed_mph"), 2).alias("mph"), F.sum("tolls_amount").alias("tolls")
    ).orderBy(F.desc("rides"), "from_borough").show(10, truncate=False)
    ranked = (
        rides.groupBy("from_borough", "Zone")
        .agg(F.count("*").alias("rides"), F.max("tip_amount").alias("best_tip"))
        .withColumn("place", F.rank().over(Window.partitionBy("from_borough").orderBy(F.desc("rides"), "Zone")))
    )
    return ranked.filter("place <= 3").orderBy("from_borough", "place").collect()


def tips_by_hour(spark: SparkSession, data: str, out: str) -> list[pd.DataFrame]:
    """A cached clean table that several questions are asked, the answers as pandas for charts."""
    rides = cleaned(spark, data).cache()
    print(rides.count())
    card = rides.filter("payment_type = 1")
    by_hour = card.groupBy("hour").agg(
        F.avg(F.col("tip_amount") / F.col("fare_amount")).alias("tip_rate"), F.count("*").alias("rides")
    )
    by_weekday = rides.groupBy("weekday").pivot("payment_type", [1, 2, 3]).agg(F.sum("fare_amount"))
    buckets = (
        rides.withColumn("miles", F.floor("trip_distance"))
        .groupBy("miles")
        .agg(
            F.expr("percentile_approx(fare_amount, 0.5)").alias("median_fare"), F.stddev("fare_amount").alias("spread")
        )
    )
    rides.filter("speed_mph > 80").orderBy(F.desc("speed_mph"), "trip_id").select("trip_id", "speed_mph").show(5)
    answers = [by_hour.orderBy("hour").toPandas(), by_weekday.orderBy("weekday").toPandas()]
    answers.append(buckets.filter("miles < 20").orderBy("miles").select("miles", "spread").toPandas())
    rides.unpersist()
    return answers


def weather_and_rides(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Hours of rides against hours of weather, and a Python function for words."""
    weather = spark.read.json(f"{data}/weather").withColumn("time", F.to_timestamp("time"))

    @F.udf("string")
    def feels(temperature: float, rain: float) -> str:
        if temperature is None:
            return "unknown"
        wet = rain is not None and rain > 0.5
        return ("cold" if temperature < 5 else "mild" if temperature < 15 else "warm") + (" and wet" if wet else "")

    hourly = (
        cleaned(spark, data)
        .groupBy(F.date_trunc("hour", F.col("tpep_pickup_datetime").cast("timestamp")).alias("time"))
        .agg(F.count("*").alias("rides"), F.avg("trip_distance").alias("miles"))
    )
    joined = hourly.join(weather, "time", "left").withColumn("feels", feels("temperature", "rain_mm"))
    joined.groupBy("feels").agg(F.avg("rides").alias("rides"), F.avg("miles").alias("miles")).orderBy("feels").show()
    print(joined.select(F.corr("rides", "temperature")).first())
    return joined.filter("rain_mm > 4").orderBy("time").select("time", "sky", "rides").collect()


def write_by_day(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Writes the clean trips a folder a day with a pandas function's column, and reads two days of them again."""

    @F.pandas_udf(DoubleType())
    def fare_per_minute(fare: pd.Series, seconds: pd.Series) -> pd.Series:
        return (fare / (seconds / 60)).round(4)

    rides = cleaned(spark, data).withColumn("per_minute", fare_per_minute("fare_amount", "duration_s"))
    daily = rides.withColumn("day", F.to_date("tpep_pickup_datetime")).select(
        "trip_id", "pu_location_id", "fare_amount", "per_minute", "day"
    )
    daily.filter("day < '2024-01-08'").repartition("day").write.mode("overwrite").partitionBy("day").parquet(
        f"{out}/by_day"
    )
    again = spark.read.parquet(f"{out}/by_day")
    again.filter("day = '2024-01-02'").orderBy("trip_id").show(3)
    return (
        again.filter("day in ('2024-01-02', '2024-01-05')")
        .groupBy("day")
        .agg(F.count("*"), F.sum("fare_amount"), F.max("per_minute"))
        .collect()
    )


JOBS = [explore, busiest_zones, tips_by_hour, weather_and_rides, write_by_day]
