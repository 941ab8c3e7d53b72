"""Expressions and rows beyond what Spark's generated code takes, and bridged calls with or without such code."""

import pytest
from oracle import assert_equal_rows, explained, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

CASES = " ".join(f"when id % 500 = {i} then concat(s, soundex(s), '{i}')" for i in range(120))
QUERIES = {
    "branches": f"select id, case {CASES} else 'x' end v from numbers",
    "conjuncts": "select count(*) from numbers where "
    + " and ".join(f"levenshtein(s, 'row {i}') <> {i % 9}" for i in range(60)),
    "arguments": "select id, concat("
    + ", ".join(f"soundex(concat(s, '{i}')), format_number(id + {i}, 2)" for i in range(60))
    + ") v from numbers where id < 300",
    "columns": "select " + ", ".join(f"id + {i} c{i}" for i in range(220)) + " from numbers where id < 300",
    "calls": "select " + ", ".join(f"format_number(id + {i}, 2) c{i}" for i in range(120)) + " from numbers limit 200",
    "sums": "select n, " + ", ".join(f"sum(id + {i}) c{i}" for i in range(120)) + " from numbers group by n",
    "fields": "select max(r.c77), count(*) from (select named_struct("
    + ", ".join(f"'c{i}', id + {i}" for i in range(110))
    + ") r from numbers)",
}
CALLS = {
    "projection": "select id, soundex(s), format_number(d, 2) from numbers",
    "lambda": "select id, transform(sequence(1, n), e -> format_number(e + id, 1)) v from numbers where n > 0",
    "join": "select count(*) from numbers a join numbers b on soundex(a.s) = soundex(b.s) and a.id = b.id",
    "keys": "select soundex(s) k, n, max(format_number(id, 2)) from numbers group by soundex(s), n",
}
MODES = {
    "interpreted": {"spark__sql__codegen__wholeStage": "false", "spark__sql__codegen__factoryMode": "NO_CODEGEN"},
    "no stages": {"spark__sql__codegen__wholeStage": "false"},
    "compiled only": {"spark__sql__codegen__factoryMode": "CODEGEN_ONLY"},
    "few fields": {"spark__sql__codegen__maxFields": "2"},
    "no large methods": {"spark__sql__codegen__hugeMethodLimit": "100"},
    "small methods": {"spark__sql__codegen__methodSplitThreshold": "50", "spark__sql__adaptive__enabled": "false"},
    "no common subexpressions": {"spark__sql__subexpressionElimination__enabled": "false"},
}


@pytest.mark.parametrize("mode", ["default", "interpreted"])
@pytest.mark.parametrize("name", QUERIES)
def test_long_expressions(spark: SparkSession, numbers: DataFrame, name: str, mode: str) -> None:
    with settings(spark, **MODES.get(mode, {})):
        assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CALLS)
def test_bridged_calls(spark: SparkSession, numbers: DataFrame, name: str, mode: str) -> None:
    with settings(spark, **MODES[mode]):
        assert "(bridged:" in explained(spark.sql(CALLS[name]))
        assert_equal_rows(spark, lambda: spark.sql(CALLS[name]))
