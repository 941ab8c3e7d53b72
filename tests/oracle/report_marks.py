"""What the report on a query says of its operators."""

import re

from oracle import Query, explained, normalised, plain
from pyspark.sql import DataFrame, SparkSession


def native_operators(df: DataFrame) -> set[str]:
    """Returns the operators that run natively."""
    return {line.split(" (")[0] for line in marked(df, "* ")}


def obstacles(df: DataFrame) -> set[str]:
    """Returns the first words of the operators that stay Spark's for a reason of their own."""
    return {re.split(r"[ :]", line)[0] for line in marked(df, "! ")}


def marked(df: DataFrame, mark: str) -> list[str]:
    """Returns the lines of the report that begin with a mark, without it."""
    lines = explained(df).split("Accelerant) ==")[1].splitlines()
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]


def assert_divided(spark: SparkSession, query: Query, native: set[str], others: set[str]) -> DataFrame:
    """Fails unless a query equals plain Spark's, with some operators native and none but these others obstacles."""
    df = query()
    rows = df.collect()
    assert rows
    assert native <= native_operators(df), explained(df)
    assert obstacles(df) <= others, explained(df)
    assert "reverted" not in explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())
    return df
