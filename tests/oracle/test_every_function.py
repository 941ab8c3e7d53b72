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
from spelled_calls import NOT_CALLED

import function_reference
from accelerant.functions import ISLAND, read_page

# What gives other values at each call, or depends on Spark's partitions, is Spark's own operator's.
NOT_DETERMINISTIC = {
    *("aes_encrypt", "java_method", "reflect", "try_reflect", "rand", "randn", "random", "randstr", "uniform"),
    *("shuffle", "uuid", "monotonically_increasing_id", "spark_partition_id"),
    *("input_file_name", "input_file_block_start", "input_file_block_length"),
}

# Only some of the functions, unless all are asked for.
STEP = 1 if os.environ.get("ACCELERANT_EVERY_FUNCTION") else 4


@pytest.fixture(scope="module")
def names(spark: SparkSession) -> list[str]:
    """The deterministic scalar functions of Spark's registry."""
    scalar = [function.name for function in function_reference.registry(spark) if function.kind == "scalar"]
    assert not NOT_DETERMINISTIC - {*scalar} and not NOT_CALLED.keys() - {*scalar}
    return [name for name in scalar if name not in NOT_DETERMINISTIC]


@pytest.fixture(scope="module")
def calls(spark: SparkSession, names: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """Calls, and the table `examples` of all their columns: rows for each example, one of nulls, and number -1 of odd
    values.
    """
    folder = str(tmp_path_factory.mktemp("examples") / "table")
    with plain(spark):
        wanted = {*[name for name in names if name not in NOT_CALLED][::STEP]}
        found = [call for function in functions(spark) if function.name in wanted for call in calls_of(spark, function)]
        count = max(len(call.rows) for call in found) + 1
        selects = []
        for n in range(-1, count):
            cells = [f"{cells_of(call, n)[i]} {column}" for call in found for i, column in enumerate(call.columns)]
            selects.append(f"select {n} as example, {', '.join(cells)}")
        spark.sql(" union all ".join(selects)).coalesce(1).write.parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("examples")
    assert Path(folder).is_dir()
    assert wanted == {call.function for call in found}, "no call is known: name it in SPELLED or NOT_CALLED"
    return found


def cells_of(call: Call, n: int) -> tuple[str, ...]:
    """Returns what a call's columns hold in a row."""
    rows = {-1: call.odd} | dict(enumerate(call.rows))
    return rows.get(n, ("null",) * len(call.columns))


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_every_function(
    spark: SparkSession, names: list[str], calls: list[Call], ansi: str, record_property: Callable[[str, object], None]
) -> None:
    """The same rows or the same error; all with a result that the engine carries run in a native query."""
    differing, spark_only, failures = [], {}, 0
    ways: dict[str, set[str]] = {"native": set(), "bridged": set(), "Spark": set(), "other types": set()}
    with settings(spark, spark__sql__ansi__enabled=ansi):
        for call in calls:
            kind = spark.sql(f"select {call.sql} as result from examples").schema[0].dataType
            if not is_carried(kind) and not isinstance(kind, NullType):
                ways["other types"].add(call.function)
                continue
            # Where odd values fail, they would be all that a query tells.
            for rows in ("example >= 0", "example < 0") if ansi == "true" else ("true",):
                sql = f"select example, {call.sql} as result from examples where {rows}"
                found = run(spark, sql)
                with plain(spark):
                    expected = run(spark, sql)
                failures += expected.error is not None
                if problem := difference(found, expected):
                    differing.append(f"{call.sql} where {rows}: {problem}")
            way = "Spark" if not found.native else "bridged" if "(bridged:" in explained(spark.sql(sql)) else "native"
            ways[way].add(call.function)
            if way == "Spark":
                spark_only[call.function] = found.reasons
    for way, called in ways.items():
        record_property(f"functions.{way}.{ansi}", len(called))
    record_property(f"functions.failures.{ansi}", failures)
    assert not differing, "\n".join(differing)
    assert not spark_only, spark_only
    assert ways["bridged"] and ways["native"] and failures
    page = {function.name: function.state for function in read_page(function_reference.PAGE.read_text())}
    assert {name for name in ways["other types"] if page[name] != ISLAND} == set()
    if STEP == 1:
        assert len(set.union(*ways.values())) == len(names) - len(NOT_CALLED)
