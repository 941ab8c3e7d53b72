"""Hashes of values of every type, computed natively."""

import pytest
from oracle import assert_equal_rows, assert_equal_values, assert_unbridged, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

COLUMNS = ("id", "n", "h", "y", "x", "r", "b", "s", "t", "u", "d", "w", "z", "null", "-0.0D", "-0.0D + n")


@pytest.mark.parametrize("function", ["hash", "xxhash64"])
def test_hashes(spark: SparkSession, numbers: DataFrame, function: str) -> None:
    calls = [f"{function}({column})" for column in COLUMNS] + [f"{function}({', '.join(COLUMNS)})"]
    assert_unbridged(spark.sql(f"select id, {', '.join(calls)} from numbers"))
    assert_equal_values(spark, "numbers", calls)


NESTED = (
    "tags",
    "n, numbers, point",
    "deep.xs, flags",
    "prices, wide, days, times",
    "struct(tags, null, struct(n)), array()",
    "array(point, null), id",
    "point, array(array(n), null, array(null))",
)


@pytest.mark.parametrize("function", ["hash", "xxhash64"])
@pytest.mark.parametrize("batch_rows", ["0", "7"])
def test_hashes_of_nested_values(spark: SparkSession, nested: DataFrame, function: str, batch_rows: str) -> None:
    calls = ", ".join(f"{function}({arguments})" for arguments in NESTED)
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_unbridged(spark.sql(f"select id, {calls} from nested"))
        assert assert_equal_rows(spark, lambda: spark.sql(f"select id, {calls} from nested"))
