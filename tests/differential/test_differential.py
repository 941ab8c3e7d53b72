"""Random queries of a seed, natively and on plain Spark, in one application; `make differential` asks any number."""

import os

import tables
from bridged import FORMS
from differential import Differential
from forms import Expression
from native_forms import registered_forms
from oracle import assert_native, explained
from pyspark.sql import SparkSession
from tables import COLUMNS

from accelerant import functions

SEED = os.environ.get("ACCELERANT_DIFFERENTIAL_SEED", "2026")
QUERIES = int(os.environ.get("ACCELERANT_DIFFERENTIAL_QUERIES", "200"))
FIRST = int(os.environ.get("ACCELERANT_DIFFERENTIAL_FIRST", "0"))
# Fewer may well have none of some sort.
ENOUGH = 200


def test_every_function_is_asked() -> None:
    _, unknown = registered_forms(functions.signatures())
    assert [sql for sql in unknown if not sql.startswith("(")] == [], "spelled in a way that makes no call"


def test_every_bridged_form_is_bridged(spark: SparkSession, tmp_path) -> None:
    spark.read.parquet(str(tables.write(tmp_path, 1)["usual"])).createOrReplaceTempView("typed")
    columns = {column.kind: column.name for column in COLUMNS}
    others = []
    for form in FORMS:
        children = tuple(Expression(kind, columns[kind]) for kind in form.arguments)
        df = spark.sql(f"select {Expression(form.kind, form.template, children).sql} from typed")
        assert_native(df)
        if "(bridged:" not in explained(df) or df.schema[0].dataType.simpleString().partition("(")[0] != form.kind:
            others.append(explained(df))
    assert not others


def test_no_query_differs(spark: SparkSession, tmp_path, record_property) -> None:
    try:
        tally = Differential(spark, SEED, tmp_path).run(QUERIES, FIRST)
    finally:
        # What is cached keeps the query that filled it, and its memory.
        spark.catalog.clearCache()
    print(tally.summary())
    record_property("figure", tally.figure())
    record_property("without_bridged_or_island_share", f"{1 - tally.share_with_either:.4f}")
    record_property("not_native_share", f"{1 - tally.within.unbridged_share:.4f}")
    record_property("not_native_or_bridged_share", f"{1 - tally.within.native_share:.4f}")
    assert not tally.findings, tally.summary()
    assert QUERIES < ENOUGH or (tally.within.native and tally.with_bridged and tally.with_islands and tally.with_python)
    assert QUERIES < ENOUGH or tally.share_with_either >= 0.5, tally.figure()
    assert tally.asked == QUERIES
