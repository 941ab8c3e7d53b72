"""Functions over windows: they equal plain Spark's, and run natively."""

from pathlib import Path

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_native,
    both_answers,
    explained,
    normalised,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

RANKS = [
    "row_number() over (partition by n order by id)",
    "rank() over (partition by n order by h)",
    "dense_rank() over (partition by n order by h desc)",
    "percent_rank() over (partition by b order by y nulls last)",
    "cume_dist() over (partition by b order by y desc nulls first)",
    "ntile(7) over (partition by n order by id)",
    "ntile(4000) over (partition by n order by id)",
    "row_number() over (order by s desc, id)",
    "rank() over (order by d)",
    "dense_rank() over (partition by x, r order by id)",
]
VALUES = [
    "lag(s) over (partition by n order by id)",
    "lag(s, 3, 'none') over (partition by n order by id)",
    "lag(d, -2) over (partition by n order by id)",
    "lag(h, 2) ignore nulls over (partition by n order by id)",
    "lead(u, 5) over (partition by b order by id desc)",
    "lead(y, 1, y) over (partition by n order by id)",
    "lead(h) ignore nulls over (partition by n order by id)",
    "lead(w, 0) over (partition by n order by id)",
    "nth_value(s, 3) over (partition by n order by id)",
    "nth_value(h, 2) ignore nulls over (partition by n order by id rows between 2 preceding and 3 following)",
    "first(h) over (partition by n order by id rows between 3 following and 9 following)",
    "first(h, true) over (partition by n order by id rows between unbounded preceding and 1 preceding)",
    "last(z) over (partition by n order by h, id)",
    "last(x, true) over (partition by b order by id rows between 40 preceding and 3 preceding)",
    "any_value(t) over (partition by n order by id)",
]
FRAMES = [
    "partition by n",
    "",
    "partition by n order by h",
    "partition by n order by h desc nulls last, y",
    "order by h",
    "partition by n order by id rows between unbounded preceding and current row",
    "partition by n order by id rows between unbounded preceding and 4 preceding",
    "partition by n order by id rows between current row and unbounded following",
    "partition by n order by id rows between 2 following and unbounded following",
    "partition by n order by id rows between 1 preceding and 1 following",
    "partition by n order by id rows between 100 preceding and 50 following",
    "partition by n order by id rows between 9 preceding and 3 preceding",
    "partition by n order by id rows between 30 following and 90 following",
    "partition by n order by h range between current row and unbounded following",
    "partition by b order by h range between 3 preceding and 5 following",
    "partition by b order by h desc range between 3 preceding and 5 following",
    "partition by b order by h desc nulls first range between 5 following and 20 following",
    "partition by b order by h nulls last range between unbounded preceding and 2 preceding",
    "partition by n order by x range between 2.5D preceding and current row",
    "partition by n order by d range between 100 preceding and 100 following",
    "partition by b order by t range between 20 preceding and 20 following",
    "partition by b order by t desc range between interval '20' day preceding and current row",
    "partition by b order by t range between interval '1' month preceding and interval '2' month following",
    "partition by b order by u range between interval '3' day preceding and interval '1' day following",
    "partition by b order by u desc range between interval '1' year preceding and current row",
]
AGGREGATES = [
    "sum(id)", "sum(d)", "count(*)", "count(s)", "min(s)", "max(w)", "avg(h)", "max_by(s, h)", "bit_xor(id)",
    "max(b)", "min(t)", "sum(w)",
]  # fmt: skip


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("call", [*RANKS, *VALUES])
def test_functions_of_windows(spark: SparkSession, numbers: DataFrame, call: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(f"select id, {call} as w from numbers"))


@pytest.mark.parametrize("frame", FRAMES)
def test_aggregates(spark: SparkSession, numbers: DataFrame, frame: str) -> None:
    calls = ", ".join(f"{call} over ({frame}) as c{i}" for i, call in enumerate(AGGREGATES) if "max_by" not in call)
    assert_equal_rows(spark, lambda: spark.sql(f"select id, {calls} from numbers"))


@pytest.mark.parametrize("frame", FRAMES)
def test_filters(spark: SparkSession, numbers: DataFrame, frame: str) -> None:
    if spark.version.startswith("4.1"):
        pytest.skip("Spark 4.1 has no filters in windows")
    filtered = [call for call in AGGREGATES if "max_by" not in call]
    calls = ", ".join(f"{call} filter (where y % 3 > 0) over ({frame}) as c{i}" for i, call in enumerate(filtered))
    others = ["max(array(h, id)) filter (where b)", "count(n, s) filter (where d > 9)"]
    of_others = ", ".join(f"{call} over ({frame})" for call in others)
    assert_equal_rows(spark, lambda: spark.sql(f"select id, {calls}, {of_others} from numbers"))


def test_functions_that_go_by_the_order(spark: SparkSession, numbers: DataFrame) -> None:
    for frame in FRAMES:
        if "order by id" not in frame:
            continue
        query = f"select id, max_by(s, h) over ({frame}) m, min_by(d, y) over ({frame}) l from numbers"
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_lists(spark: SparkSession, numbers: DataFrame) -> None:
    by_id = "partition by n, h order by id rows between"
    for call in [
        "array_sort(collect_set(y) over (partition by n, h))",
        f"collect_list(s) over ({by_id} unbounded preceding and unbounded following)",
        f"collect_list(s) over ({by_id} 2 preceding and 2 following)",
        f"array_sort(collect_set(s) over ({by_id} 2 preceding and 2 following))",
        "collect_list(id) over (partition by n, h order by id)",
        "percentile(id, 0.25) over (partition by n, h)",
        "percentile(y, 0.4) over (partition by n order by id rows between 100 preceding and 50 following)",
        "percentile(y, array(0.1, 0.9)) over (partition by b order by h range between 3 preceding and 5 following)",
        "array_sort(collect_set(y) over (partition by n order by id rows between 90 preceding and 40 following))",
        "size(collect_list(id) over (partition by b order by id rows between 400 preceding and 300 following))",
        "size(collect_set(y) over (partition by n order by id rows between current row and unbounded following))",
    ]:
        assert_equal_rows(spark, lambda call=call: spark.sql(f"select id, {call} as c from numbers where id < 2000"))


FLOATING = [
    "sum(x)", "avg(x)", "avg(y / 7D)", "sum(cast(x as float))", "stddev(x)", "var_pop(x)", "stddev_pop(x)",
    "var_samp(y / 7D)", "skewness(x)", "kurtosis(x)", "covar_pop(x, y / 7D)", "covar_samp(x, h / 7D)",
    "corr(x, y / 7D)", "regr_slope(x, y / 7D)", "regr_intercept(x, y / 7D)", "regr_r2(x, h / 7D)",
    "regr_sxy(x, y / 7D)", "regr_sxx(x, y / 7D)", "regr_avgx(x, y / 7D)",
]  # fmt: skip
# A sort by one number puts rows of equal keys in no order that Spark states, and sums go by it.
UNORDERED = ["partition by n", "order by h"]


@pytest.mark.parametrize("frame", FRAMES)
def test_floating_points(spark: SparkSession, numbers: DataFrame, frame: str) -> None:
    """Sums are added up in the order of rows: to the last digit they are Spark's."""
    calls = ", ".join(f"{call} over ({frame}) as c{i}" for i, call in enumerate(FLOATING))
    query = f"select id, {calls} from numbers"
    # Spark 4.1 divides by zero where a side of a correlation does not vary.
    with settings(spark, spark__sql__ansi__enabled=str(not spark.version.startswith("4.1"))):
        native, expected = both_answers(spark, lambda: spark.sql(query))
    if frame not in UNORDERED:
        assert normalised(native) == normalised(expected)
        return
    theirs = {row.id: row for row in expected}
    assert {row.id for row in native} == set(theirs)
    for row in native:
        for ours, other in zip(row, theirs[row.id], strict=True):
            assert (ours is None) == (other is None)
            assert ours is None or ours == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True)


def test_several_windows(spark: SparkSession, numbers: DataFrame) -> None:
    for query in [
        "select id, sum(h) over (partition by n) a, rank() over (partition by b order by h) c, count(*) over () d"
        " from numbers",
        "select id, row_number() over (partition by n order by h, id) a, sum(h) over (partition by n) b,"
        " rank() over (partition by n order by h) c, count(*) over (partition by n order by h, id, s) d from numbers",
        "select n, max(place) from (select n, row_number() over (partition by n order by id) place from numbers)"
        " group by n",
        "select id, sum(r) over (order by id rows 3 preceding) from"
        " (select id, rank() over (partition by n order by h) r from numbers)",
        "select n, sum(id) s, sum(sum(id)) over (order by n) t from numbers group by n",
        "select a.id, a.p, b.s from (select id, row_number() over (order by id desc) p from numbers) a"
        " join numbers b on a.p = b.id",
        "select id, h - avg(h) over (partition by n, b) from numbers where id % 3 = 0 order by id limit 50",
        "select id + 1 k, sum(h + y) over (partition by id % 7 order by id * 2) from numbers",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.parametrize("limit", ["= 1", "<= 3", "< 2"])
@pytest.mark.parametrize("name", ["row_number", "rank", "dense_rank"])
def test_first_rows_of_groups(spark: SparkSession, numbers: DataFrame, name: str, limit: str) -> None:
    """Spark puts a WindowGroupLimit below."""
    order = "h, id" if name == "row_number" else "h"
    ranked = f"select id, n, h, {name}() over (partition by n order by {order}) r from numbers"
    query = f"select * from ({ranked}) where r {limit}"
    assert_equal_rows(spark, lambda: spark.sql(query))


def test_order(spark: SparkSession, numbers: DataFrame) -> None:
    """Rows come by partition keys and order keys, as Spark shows a little table."""
    for query in [
        "select id, n, row_number() over (partition by n order by id desc) r from numbers where id < 90",
        "select id, sum(h) over (order by id) s from numbers",
        "select id, count(*) over () c from numbers where id < 40",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query), ordered=True)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_below_adaptive_execution(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        query = "select id, rank() over (partition by n, h order by id) r from numbers where id > 7"
        assert_equal_rows(spark, lambda: spark.sql(query))


def test_special_floats(spark: SparkSession, tmp_path: Path) -> None:
    """NaN is one value and the greatest; zeros of both signs are one."""
    with plain(spark):
        values = "double('nan'), double('-inf'), -0.0D, 0.0D, double('inf'), null, 1.5D"
        spark.sql(f"select *, id % 3 as k from (select explode(array({values})) v) join range(9)").write.parquet(
            str(tmp_path / "t")
        )
    spark.read.parquet(str(tmp_path / "t")).createOrReplaceTempView("special")
    for call in [
        "count(*) over (partition by v)",
        "rank() over (partition by k order by v)",
        "rank() over (partition by k order by v desc nulls first)",
        "count(*) over (partition by k order by v range between 1 preceding and 2 following)",
        "max(v) over (partition by k order by id, v rows between 3 preceding and 1 preceding)",
    ]:
        assert_equal_rows(spark, lambda call=call: spark.sql(f"select id, k, {call} c from special"))


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    query = (
        "select id, sum(id) over (partition by n order by id) s, rank() over (order by id) r from numbers where id < 0"
    )
    assert not assert_equal_rows(spark, lambda: spark.sql(query))


NESTED_KEYS = [
    "row_number() over (partition by tags order by id)",
    "count(*) over (partition by n, point)",
    "rank() over (partition by n order by tags desc, struct(id % 3))",
    "sum(id) over (order by point.label, array(n))",
    "lag(id) over (partition by array(n % 2, null), deep[0].xs order by struct(n, id) desc)",
    "max(id) over (partition by array(point.x, -0.0D) order by id rows between 3 preceding and current row)",
]


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("call", NESTED_KEYS)
def test_keys_of_nested_values(spark: SparkSession, nested: DataFrame, call: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows, spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql(f"select id, {call} c from nested"))


def test_limits_of_groups_of_nested_values(spark: SparkSession, nested: DataFrame) -> None:
    query = """select id from (select id, rank() over (partition by array(n) order by struct(id % 100)) r from nested)
               where r <= 3"""
    assert_equal_rows(spark, lambda: spark.sql(query))


def test_frames_of_timestamps_go_by_local_time(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__sql__session__timeZone="America/New_York"):
        frame = "partition by b order by u range between interval '1' day preceding and current row"
        assert_equal_rows(spark, lambda: spark.sql(f"select id, count(*) over ({frame}) c from numbers"))


def test_overflow(spark: SparkSession, numbers: DataFrame) -> None:
    query = "select id, sum(9223372036854775000 + id) over (partition by n order by id) s from numbers where id < 600"
    assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == "ARITHMETIC_OVERFLOW"
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql(query))


SLIDING = "order by id rows between 1 preceding and current row"


@pytest.mark.parametrize("large", ["9223372036854775807", "60000000000000000000000000000000000000BD"])
def test_overflow_of_frames_that_slide(spark: SparkSession, numbers: DataFrame, large: str) -> None:
    """Frames before and behind the one that overflows, or wraps around, have their own sums."""
    values = f"select id, if(id in (7, 8, 20), {large}, -id) v from numbers where id < 40"
    query = f"select id, sum(v) over ({SLIDING}) s, count(v) over ({SLIDING}) c from ({values})"
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert assert_equal_rows(spark, lambda: spark.sql(query))
    if not large.endswith("BD"):
        with settings(spark, spark__sql__ansi__enabled="true"):
            assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == "ARITHMETIC_OVERFLOW"


def test_bounds_beyond_their_type(spark: SparkSession, numbers: DataFrame) -> None:
    """Where a frame's bound leaves its type Spark fails, or wraps around: it computes such a query."""
    frame = "order by y range between 100 preceding and 100 following"
    query = f"select id, count(*) over ({frame}) c from numbers"
    with settings(spark, spark__sql__ansi__enabled="false"):
        df = spark.sql(query)
        rows = df.collect()
        assert "reverted to Spark: a frame whose bound leaves the type of its key" in explained(df)
        with plain(spark):
            assert normalised(rows) == normalised(spark.sql(query).collect())


def test_an_error_in_a_row(spark: SparkSession, numbers: DataFrame) -> None:
    query = "select id, sum(1 / (id - 500)) over (partition by n order by id) s from numbers"
    assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == "DIVIDE_BY_ZERO"


def test_parts(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    """Consumers of parts get whole window partitions."""
    df = spark.sql("select id, n, row_number() over (partition by n order by id) r from numbers")
    rows = normalised(df.collect())
    assert normalised(df.rdd.map(lambda row: row).collect()) == rows
    df.write.parquet(str(tmp_path / "t"))
    with plain(spark):
        assert normalised(spark.read.parquet(str(tmp_path / "t")).collect()) == rows
    assert df.count() == len(rows)


def test_the_api(spark: SparkSession, numbers: DataFrame) -> None:
    by_id = Window.partitionBy("n").orderBy("id")

    def query() -> DataFrame:
        return numbers.select(
            "id",
            F.sum("h").over(by_id.rowsBetween(-3, 3)).alias("near"),
            F.count("s").over(by_id.rangeBetween(-20, Window.currentRow)).alias("before"),
            F.last("y", ignorenulls=True).over(by_id.rowsBetween(Window.unboundedPreceding, 0)).alias("filled"),
            F.lag("d", 2, 0).over(by_id).alias("lagged"),
        )

    assert_native(query())
    assert_equal_rows(spark, query)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("percentile_approx(id, 0.5) over (partition by n)", "aggregate ApproximatePercentile"),
        ("percentile(id, 0.5) over (partition by n order by id)", "percentile over a growing frame of a window"),
        (
            "listagg(s) within group (order by id) over (partition by n)",
            "aggregate listagg of a window in the order of another value",
        ),
        ("lead(h, 3) ignore nulls over (order by id)", "lead over several rows that ignores nulls"),
    ],
)
def test_what_is_lacking_is_an_island(spark: SparkSession, numbers: DataFrame, call: str, reason: str) -> None:
    query = f"select count(*), max(c) from (select {call} c from numbers)"
    df = spark.sql(query)
    rows = df.collect()
    assert reason in explained(df), explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(spark.sql(query).collect())
