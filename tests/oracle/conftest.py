from itertools import pairwise

import pytest
from nested_table import nested_rows
from oracle import plain
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


def rows_of(spark: SparkSession, start: int, end: int) -> DataFrame:
    """Returns rows of all types the engine has, numbered from start; every seventh value is null."""
    i = F.col("id")

    def some(column: F.Column, shift: int) -> F.Column:
        return F.when((i + shift) % 7 != 0, column)

    return spark.range(start, end, 1, 1).select(
        i,
        some((i % 5).cast("int"), 1).alias("n"),
        some((i % 100).cast("short"), 2).alias("h"),
        some((i % 100).cast("byte"), 3).alias("y"),
        some((i / 7).cast("double"), 4).alias("x"),
        some((i / 3).cast("float"), 5).alias("r"),
        some((i / 8).cast("decimal(12,3)"), 6).alias("d"),
        some((i * 1000000007).cast("decimal(38,4)"), 0).alias("w"),
        some(F.concat(F.lit("row "), i.cast("string"), F.lit(" é")), 1).alias("s"),
        some(F.encode(i.cast("string"), "UTF-8"), 2).alias("z"),
        some(i % 3 == 0, 3).alias("b"),
        some(F.date_add(F.lit("1500-01-01").cast("date"), i.cast("int")), 4).alias("t"),
        some(F.timestamp_micros(i * 86400000123), 5).alias("u"),
    )


@pytest.fixture(scope="session")
def numbers(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `numbers`: 5,550 rows in five files of unequal size; one has many row groups."""
    folder = tmp_path_factory.mktemp("numbers")
    spark.conf.set("spark.accelerant.enabled", "false")
    bounds = [0, 50, 3050, 3150, 5000, 5550]
    for part, (start, end) in enumerate(pairwise(bounds)):
        writer = rows_of(spark, start, end).write.mode("append")
        if part == 1:
            writer = writer.option("parquet.block.row.count.limit", "150")
        writer.parquet(str(folder / "table"))
    spark.conf.set("spark.accelerant.enabled", "true")
    df = spark.read.parquet(str(folder / "table"))
    df.createOrReplaceTempView("numbers")
    return df


@pytest.fixture(scope="session")
def nested(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `nested`: 5,000 rows in three files; one has many row groups and small pages."""
    folder = str(tmp_path_factory.mktemp("nested") / "table")
    with plain(spark):
        for start, end in ((0, 40), (40, 4000), (4000, 5000)):
            writer = nested_rows(spark, start, end).write.mode("append")
            if start == 40:
                writer = writer.option("parquet.block.row.count.limit", "700").option("parquet.page.size", "512")
            writer.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("nested")
    return df
