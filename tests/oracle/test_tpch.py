"""TPC-H Q1 and Q6, native and equal to plain Spark under every configuration, at scale ACCELERANT_TPCH_SCALE."""

import os

import pytest
from oracle import assert_equal_rows, settings
from pyspark.sql import SparkSession

import tpch

pytestmark = pytest.mark.spark41

SCALE = float(os.environ.get("ACCELERANT_TPCH_SCALE", "0.1"))


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(SCALE))).createOrReplaceTempView("lineitem")


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", tpch.QUERIES)
def test_equal_in_every_configuration(spark: SparkSession, name: str, ansi: str, threads: str, batch_rows: str) -> None:
    changes = {
        "spark__sql__ansi__enabled": ansi,
        "spark__accelerant__threads": threads,
        "spark__accelerant__batch__rows": batch_rows,
    }
    with settings(spark, **changes):
        rows = assert_equal_rows(spark, lambda: spark.sql(tpch.QUERIES[name]), ordered=True)
    assert len(rows) == (4 if name == "q1" else 1)
