"""What `show` prints, natively and equal to plain Spark, of every type that the engine has."""

import contextlib
import io
from collections.abc import Callable

import pytest
from oracle import assert_equal_rows, assert_equal_values, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

DIFFERENCE = "(u - timestamp'1970-01-03 04:05:06.789')"
INTERVALS = {
    "day": "5",
    "day to hour": "5 06",
    "day to minute": "5 06:07",
    "day to second": "5 06:07:08.09",
    "hour": "7",
    "hour to minute": "7:08",
    "hour to second": "700:08:09",
    "minute": "61",
    "minute to second": "61:02.5",
    "second": "9.000001",
    "year": "3",
    "year to month": "3-11",
    "month": "25",
}


def printed(show: Callable[[], None]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        show()
    return text.getvalue()


def last_report(spark: SparkSession) -> str:
    """Returns what the SQL tab says of the last execution."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    return executions.last().physicalPlanDescription().split("Accelerant")[-1]


def assert_shown(spark: SparkSession, query: Callable[[], DataFrame], *arguments: object, **named: object) -> str:
    """Fails unless `show` prints natively what it prints on plain Spark; returns that."""
    native = printed(lambda: query().show(*arguments, **named))
    report = last_report(spark)
    assert " operators run natively" in report, report
    assert "!" not in report, report
    assert "@" not in report, report
    with plain(spark):
        expected = printed(lambda: query().show(*arguments, **named))
        assert "natively" not in last_report(spark)
    assert native == expected
    return native


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_all_types(spark: SparkSession, numbers: DataFrame, adaptive: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive, spark__accelerant__batch__rows=batch_rows):
        text = assert_shown(spark, lambda: spark.sql("select * from numbers order by id"))
    assert "|NULL|" in text
    assert "[30]" in text  # the binary of "0"
    assert "only showing top 20 rows" in text


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "+05:30"])
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_modes_and_zones(spark: SparkSession, numbers: DataFrame, ansi: str, zone: str) -> None:
    sql = (
        "select id, u, cast(u as timestamp_ntz) v, t, x / 3e10 x, r, cast(id / 1e20 as decimal(38, 30)) d from numbers"
    )
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__sql__session__timeZone=zone):
        assert_shown(spark, lambda: spark.sql(f"{sql} where id between 40 and 60 order by id"), 30)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), {}),
        ((5,), {}),
        ((0,), {}),
        ((7000,), {"truncate": False}),
        ((3, 2), {}),
        ((3, False), {"vertical": True}),
        ((100000,), {"truncate": 10, "vertical": True}),
    ],
)
def test_as_people_ask(spark: SparkSession, numbers: DataFrame, arguments: tuple, named: dict) -> None:
    assert_shown(spark, lambda: numbers.where("n = 3").select("id", "s", "z", "b").orderBy("id"), *arguments, **named)


def test_without_an_order(spark: SparkSession, numbers: DataFrame) -> None:
    assert_shown(spark, lambda: numbers)
    assert_shown(spark, lambda: spark.range(1000).selectExpr("id", "id % 3 = 0 b", "null v", "cast(id as byte) y"))


def test_above_other_operators(spark: SparkSession, numbers: DataFrame) -> None:
    # The last digits of a sum of floats depend on the order of addition.
    groups = "select n, b, count(*) c, sum(w) w, round(avg(x), 3) x, max(z) z from numbers group by n, b"
    assert_shown(spark, lambda: spark.sql(f"{groups} order by n, b"))
    join = "select a.id, b.s, a.t from numbers a join numbers b on a.id = b.id + 1 order by a.id limit 30"
    assert_shown(spark, lambda: spark.sql(join), 50)
    assert_shown(spark, lambda: spark.sql("select id from numbers where id < 0"))


NESTED = "id, tags, numbers, flags, prices, wide, days, times, point, sizes, deep"


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_nested_values(spark: SparkSession, nested: DataFrame, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_shown(spark, lambda: spark.sql(f"select {NESTED} from nested where id < 90"), 90, False)
        assert_shown(spark, lambda: spark.sql(f"select {NESTED} from nested where id > 4900"))
        assert_shown(
            spark,
            lambda: spark.sql(
                "select n, sort_array(collect_list(id)) l from nested where id < 60 group by n order by n"
            ),
        )


def test_values_within_nested_ones(spark: SparkSession, numbers: DataFrame) -> None:
    """A value within a nested one is printed as it is alone."""
    members = "array(z, null), struct(x, y, b, s, t, u, d), map(id, w), array(struct(array(z, null)), null)"
    assert_shown(spark, lambda: spark.sql(f"select id, {members} from numbers order by id"), 99, False)
    others = (
        "array(x, double('nan'), -0.0D), array(cast(x as float)), struct(null), array(), map(id, null), array(array())"
    )
    assert_shown(spark, lambda: spark.sql(f"select id, {others} from numbers order by id"), 99, False)
    intervals = f"array({DIFFERENCE}, null), struct(interval '1-2' year to month * id)"
    assert_shown(spark, lambda: spark.sql(f"select id, {intervals} from numbers order by id"), 99, False)
    with settings(spark, spark__sql__session__timeZone="Asia/Kolkata"):
        assert_shown(spark, lambda: spark.sql("select id, array(t), struct(u, id) from numbers order by id"), 99, False)


def test_intervals(spark: SparkSession, numbers: DataFrame) -> None:
    for column in (DIFFERENCE, f"-{DIFFERENCE}", "interval '1-2' year to month * (id - 3)"):
        query = f"select id, {column} as i from numbers order by id"
        assert_shown(spark, lambda query=query: spark.sql(query), 99, False)


@pytest.mark.parametrize("fields", INTERVALS)
def test_fields_of_intervals(spark: SparkSession, numbers: DataFrame, fields: str) -> None:
    literal = f"interval '{INTERVALS[fields]}' {fields}"
    choice = f"if(id % 3 = 0, null, if(id % 2 = 0, {literal}, -{literal}))"
    assert_shown(spark, lambda: spark.sql(f"select id, {choice} as i from numbers"))
    assert_equal_rows(spark, lambda: spark.sql(f"select id, cast({choice} as string) as i from numbers"))


def test_intervals_as_strings(spark: SparkSession, numbers: DataFrame) -> None:
    difference = "(u - timestamp'1970-01-03 04:05:06.789')"
    assert_equal_values(spark, "numbers", [f"cast({difference} as string)", f"concat('a', {difference})"])


def test_styles_of_binary(spark: SparkSession, numbers: DataFrame) -> None:
    def query() -> DataFrame:
        return spark.sql("select id, z from numbers order by id")

    for style in ("UTF-8", "BASIC", "BASE64", "HEX"):
        with settings(spark, spark__sql__binaryOutputStyle=style):
            printed(query().show)
            assert "(bridged: toprettystring)" in last_report(spark)
            assert_shown(spark, query)
    with settings(spark, spark__sql__binaryOutputStyle="HEX_DISCRETE"):
        printed(query().show)
        assert "bridged" not in last_report(spark)
        assert_shown(spark, query)
