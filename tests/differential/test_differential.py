"""Random queries of a seed, natively and on plain Spark, in one application; `make differential` asks any number."""

import os

from differential import Differential
from expressions import registered_forms
from pyspark.sql import SparkSession

from accelerant import functions

SEED = os.environ.get("ACCELERANT_DIFFERENTIAL_SEED", "2026")
QUERIES = int(os.environ.get("ACCELERANT_DIFFERENTIAL_QUERIES", "2000"))


def test_every_function_is_asked() -> None:
    _, unknown = registered_forms(functions.signatures())
    assert [sql for sql in unknown if not sql.startswith("(")] == [], "spelled in a way that makes no call"


def test_no_query_differs(spark: SparkSession, tmp_path, record_property) -> None:
    try:
        tally = Differential(spark, SEED, tmp_path).run(QUERIES)
    finally:
        # What is cached keeps the query that filled it, and its memory.
        spark.catalog.clearCache()
    print(tally.summary())
    record_property("figure", tally.summary().splitlines()[0])
    record_property("not_native_share", f"{1 - tally.native_share:.4f}")
    assert not tally.findings, tally.summary()
    assert tally.native
