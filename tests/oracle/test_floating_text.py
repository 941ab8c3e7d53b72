"""Floating-point numbers as texts and decimals, and rounded: by the digits that the JVM's Java writes them with."""

import random
import struct

import pytest
from oracle import assert_equal_failure, assert_equal_values, plain, settings
from pyspark.sql import DataFrame, SparkSession

EXPRESSIONS = [
    "cast(x as string)",
    "cast(r as string)",
    "concat(x, '/', r)",
    "try_cast(x as decimal(10,2))",
    "try_cast(r as decimal(20,8))",
    "try_cast(x as decimal(38,18))",
    "try_cast(x as decimal(38,0))",
    "try_cast(x as decimal(9,9))",
    "round(x)",
    "round(x, 2)",
    "round(r, 2)",
    "round(x, -3)",
    "round(x, 15)",
    "round(r, -1)",
    "round(x, 400)",
    "bround(x, 2)",
    "bround(r)",
    "bround(x, -2)",
]


def numbers() -> list[float]:
    """Returns numbers of every size, and halves."""
    r = random.Random(7)
    found = [0.0, -0.0, float("nan"), float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308, 2e23, 1e7, 1e-3]
    found += [struct.unpack("d", r.getrandbits(64).to_bytes(8, "little"))[0] for _ in range(3000)]
    found += [sign * n / 8 for n in range(400) for sign in (1, -1)]
    found += [r.randint(-(10**9), 10**9) / 10 ** r.randint(0, 9) for _ in range(3000)]
    found += [float(r.getrandbits(63)) for _ in range(300)] + [10.0**n for n in range(-30, 30)]
    return found


@pytest.fixture(scope="module")
def floats(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `floats`: id, a double x and a float r."""
    folder = str(tmp_path_factory.mktemp("floats") / "table")
    with plain(spark):
        rows = [(n, x) for n, x in enumerate([*numbers(), None])]
        table = spark.createDataFrame(rows, "id long, x double").selectExpr("*", "cast(x as float) r")
        table.coalesce(1).write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("floats")
    return df


@pytest.mark.spark41
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_values(spark: SparkSession, floats: DataFrame, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_values(spark, "floats", EXPRESSIONS)


@pytest.mark.parametrize("condition", ["x > 1e30", "x between 99999 and 100000000"])
def test_overflow(spark: SparkSession, floats: DataFrame, condition: str) -> None:
    query = f"select cast(x as decimal(5,2)) from floats where {condition}"
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert assert_equal_failure(spark, lambda: spark.sql(query)).condition.startswith("NUMERIC_VALUE_OUT_OF_RANGE")
