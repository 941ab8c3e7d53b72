"""Every deterministic scalar function of Spark, called with columns and nulls: native or bridged, equal to Spark."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from function_calls import Call, calls_of, functions, is_carried
from oracle import explained, plain, settings
from outcome import difference, run
from pyspark.sql import SparkSession
from pyspark.sql.types import NullType

NOT_SCALAR = {"agg_funcs", "window_funcs", "generator_funcs", "table_funcs"}

# What gives other values at each call, or depends on Spark's partitions, is Spark's own operator's.
NOT_DETERMINISTIC = {
    *("aes_encrypt", "java_method", "reflect", "try_reflect", "rand", "randn", "random", "randstr", "uniform"),
    *("shuffle", "uuid"),
}

# Only some of the functions, unless all are asked for.
STEP = 1 if os.environ.get("ACCELERANT_EVERY_FUNCTION") else 4


@pytest.fixture(scope="module")
def calls(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """Calls, and the table `examples` of all their columns: a row for each example, and one of nulls."""
    folder = str(tmp_path_factory.mktemp("examples") / "table")
    with plain(spark):
        wanted = [f for f in functions(spark) if f.group not in NOT_SCALAR and f.name not in NOT_DETERMINISTIC]
        found = [call for function in wanted[::STEP] for call in calls_of(spark, function)]
        count = max(len(call.rows) for call in found) + 1
        selects = []
        for n in range(count):
            cells = [
                f"{call.rows[n][i]} {column}" if n < len(call.rows) else f"null {column}"
                for call in found
                for i, column in enumerate(call.columns)
            ]
            selects.append(f"select {n} as example, {', '.join(cells)}")
        spark.sql(" union all ".join(selects)).coalesce(1).write.parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("examples")
    assert Path(folder).is_dir()
    return found


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_every_function(
    spark: SparkSession, calls: list[Call], ansi: str, record_property: Callable[[str, object], None]
) -> None:
    """The same rows or the same error; all with a result that the engine carries run in a native query."""
    differing, spark_only, ways = [], {}, {"native": 0, "bridged": 0, "Spark": 0, "other types": 0}
    with settings(spark, spark__sql__ansi__enabled=ansi):
        for call in calls:
            sql = f"select example, {call.sql} as result from examples"
            kind = spark.sql(sql).schema[1].dataType
            if not is_carried(kind) and not isinstance(kind, NullType):
                ways["other types"] += 1
                continue
            found = run(spark, sql)
            with plain(spark):
                expected = run(spark, sql)
            if problem := difference(found, expected):
                differing.append(f"{call.sql}: {problem}")
            way = "Spark" if not found.native else "bridged" if "(bridged:" in explained(spark.sql(sql)) else "native"
            ways[way] += 1
            if way == "Spark":
                spark_only[call.function] = found.reasons
    for way, count in ways.items():
        record_property(f"functions.{way}.{ansi}", count)
    assert not differing, "\n".join(differing)
    assert not spark_only, spark_only
    assert ways["bridged"] > 0 and ways["native"] > 0
