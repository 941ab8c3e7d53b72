"""What the corpus takes for right, without running anything."""

from dataclasses import replace

from corpus import Query, meets
from outcome import Outcome

ANSWER = Outcome("struct<a:int>", ((1,),))
NATIVE = replace(ANSWER, native=True)
REVERTED = replace(ANSWER, reasons=("reverted to Spark: out of memory: sort needs 64 KiB more",))
FAILED = Outcome(error="org.apache.spark.SparkException", message="out of memory: sort needs 64 KiB more", native=True)
LIMIT = "out of memory"


def test_a_query_must_be_native_and_equal() -> None:
    query = Query("select 1")
    assert query.problem(NATIVE, ANSWER) is None
    assert query.problem(REVERTED, ANSWER).startswith("not native: reverted")
    assert query.problem(FAILED, ANSWER) == "error org.apache.spark.SparkException instead of 1 rows"
    assert query.problem(replace(NATIVE, rows=((2,),)), ANSWER) == "row (2,) instead of (1,)"


def test_under_a_limit_it_may_turn_to_spark_or_fail_for_it() -> None:
    query = Query("select 1")
    for found, met in ((NATIVE, False), (REVERTED, True), (FAILED, True)):
        assert query.problem(found, ANSWER, LIMIT) is None
        assert meets(found, LIMIT) is met
    assert query.problem(replace(REVERTED, rows=((2,),)), ANSWER, LIMIT) == "row (2,) instead of (1,)"
    assert query.problem(replace(ANSWER, reasons=("operator Window",)), ANSWER, LIMIT) == "not native: operator Window"
    other = replace(FAILED, message="division by zero")
    assert query.problem(other, ANSWER, LIMIT) == "error org.apache.spark.SparkException instead of 1 rows"


def test_without_a_limit_nothing_meets_it() -> None:
    assert not meets(REVERTED, "")
