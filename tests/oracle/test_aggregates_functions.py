"""Aggregate functions beyond sums, counts and extremes, natively and equal to plain Spark."""

import math
from pathlib import Path

import pytest
from oracle import (
    Query,
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    assert_spark,
    both_answers,
    explained,
    failure,
    normalised,
    plain,
    plain_failure,
    settings,
)
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

TYPES = ["id", "n", "h", "y", "x", "r", "d", "w", "s", "z", "b", "t", "u"]
GROUPINGS = ["", "n", "s", "b, n"]
INTERVALS = ["interval '1.5' second * n", "interval '3' month * h"]
# Before it groups by keys and keeps strings, Spark sorts by the keys, in any order of equal ones.
FIXED_WIDTH = [c for c in TYPES if c not in ("s", "z")]
# Spark's answers that depend on the order of rows are those of one partition.
ONE_PARTITION = {"spark__sql__files__minPartitionNum": "1", "spark__sql__files__openCostInBytes": "0"}


def shown(call: str) -> str:
    """Returns a call whose result Python can hold."""
    return f"cast({call} as string)" if "' month" in call or "' year" in call else call


def select(calls: str, keys: str, table: str = "numbers") -> str:
    """Returns a query of aggregates by keys."""
    return f"select {keys + ',' if keys else ''} {calls} from {table}" + (f" group by {keys}" if keys else "")


@pytest.fixture(scope="module")
def corners(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `corners`: groups of one row, of nulls, of NaN, infinity, both zeros, of one value, far from zero."""
    folder = str(tmp_path_factory.mktemp("corners") / "table")
    values = """('one', 1.5D, 2), ('nulls', null, 1), ('nulls', null, null), ('nan', 1.0D, 1),
                ('nan', double('nan'), 2), ('inf', 1.0D, 5), ('inf', double('inf'), 7), ('inf', 3.0D, null),
                ('zeros', -0.0D, 1), ('zeros', 0.0D, 1), ('same', 0.1D, 3), ('same', 0.1D, 4), ('same', 0.1D, 5),
                ('far', 1e5D + 1, 1), ('far', 1e5D + 2, 2), ('far', 1e5D + 4, 3), ('large', 1e200D, 1),
                ('large', -1e200D, 2), ('tiny', 1e-200D, 1), ('tiny', 0D, 2)"""
    with plain(spark):
        spark.sql(f"select * from values {values} as t(k, x, i)").coalesce(1).write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("corners")
    return df


def by_exact_values(rows: list[Row]) -> list[Row]:
    """Returns rows in an order that depends on no double."""
    return sorted(rows, key=lambda row: repr([value for value in row if not isinstance(value, float)]))


def is_close(mine: object, theirs: object) -> bool:
    """Returns whether two values are equal, or doubles that differ as summing in another order allows."""
    if not isinstance(mine, float) or not isinstance(theirs, float):
        return mine == theirs
    return (math.isnan(mine) and math.isnan(theirs)) or math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-12)


def assert_close_rows(spark: SparkSession, query: Query) -> None:
    """As assert_equal_rows, but doubles may differ in their last digits."""
    native, expected = both_answers(spark, query)
    assert len(native) == len(expected)
    for mine, theirs in zip(by_exact_values(native), by_exact_values(expected), strict=True):
        assert all(map(is_close, mine, theirs)), (mine, theirs)


@pytest.mark.parametrize("keys", GROUPINGS)
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_first_and_last(spark: SparkSession, numbers: DataFrame, keys: str, batch_rows: str) -> None:
    for name in ["first", "last", "any_value"]:
        calls = ", ".join(f"{name}({c}), {name}({c}, true)" for c in (FIXED_WIDTH if keys else TYPES))
        with settings(spark, spark__accelerant__batch__rows=batch_rows, **ONE_PARTITION):
            assert_equal_rows(spark, lambda calls=calls: spark.sql(select(calls, keys)))


@pytest.mark.parametrize("keys", GROUPINGS)
def test_extremes_by_another_column(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    by = ", ".join(f"max_by(id, {c}), min_by(id, {c})" for c in (FIXED_WIDTH if keys else TYPES))
    of = ", ".join(f"max_by({c}, n), min_by({c}, h)" for c in (FIXED_WIDTH if keys else TYPES))
    unique = "max_by(s, id), min_by(z, id), max_by(id, s), min_by(x, s)"
    with settings(spark, **ONE_PARTITION):
        assert_equal_rows(spark, lambda: spark.sql(select(unique, keys)))
        assert_equal_rows(spark, lambda: spark.sql(select(by, keys)))
        assert_equal_rows(spark, lambda: spark.sql(select(of, keys)))


@pytest.mark.parametrize("keys", GROUPINGS)
def test_bits_and_booleans(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    calls = ", ".join(f"bit_and({c}), bit_or({c}), bit_xor({c})" for c in ["id", "n", "h", "y"])
    calls += ", bool_and(b), bool_or(b), every(n > 1), some(n > 1), count_if(b), regr_count(n, h)"
    assert_equal_rows(spark, lambda: spark.sql(select(calls, keys)))


@pytest.mark.spark41
@pytest.mark.parametrize("keys", GROUPINGS)
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_approximate_counts(spark: SparkSession, numbers: DataFrame, keys: str, batch_rows: str) -> None:
    calls = ", ".join(f"approx_count_distinct({c})" for c in [*TYPES, *INTERVALS, "cast(d as decimal(30, 2))"])
    calls += ", approx_count_distinct(s) filter (where b), count(*), approx_count_distinct(distinct u)"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(select(calls, keys)))


@pytest.mark.spark41
@pytest.mark.parametrize("deviation", ["0.39", "0.27", "0.2", "0.1", "0.05", "0.02", "0.01"])
def test_approximate_counts_of_any_precision(spark: SparkSession, deviation: str) -> None:
    """From few values, whose empty registers are counted, to more than those whose bias was measured."""
    of = ", ".join(f"approx_count_distinct(id * {i} + {i}, {deviation})" for i in range(1, 6))
    counts = "values 10, 300, 2000, 20000, 200000 as counts (n)"
    query = f"select n, {of} from (select n, explode(sequence(1, n)) as id from {counts}) group by n"
    assert len(assert_equal_rows(spark, lambda: spark.sql(query))) == 5


@pytest.mark.spark41
def test_approximate_counts_of_corners(spark: SparkSession, numbers: DataFrame, corners: DataFrame) -> None:
    calls = "approx_count_distinct(x), approx_count_distinct(float(x)), approx_count_distinct(i)"
    assert_equal_rows(spark, lambda: spark.sql(select(calls, "k", "corners")))
    assert_equal_rows(spark, lambda: spark.sql(select(calls, "", "corners where i > 100")))
    framed = "over (partition by n order by id rows between 20 preceding and 5 following)"
    for frame in ["over ()", "over (partition by n)", "over (partition by n order by id)", framed]:
        query = f"select id, approx_count_distinct(h) {frame}, approx_count_distinct(s) {frame} from numbers"
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.spark41
@pytest.mark.parametrize("keys", GROUPINGS)
def test_bitmaps(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    bits = "bitmap_construct_agg(bitmap_bit_position(id * id)), bitmap_count(bitmap_construct_agg(abs(h)))"
    bytes_ = "bitmap_or_agg(z), bitmap_and_agg(z), bitmap_or_agg(cast(s as binary)) filter (where b)"
    assert_equal_rows(spark, lambda: spark.sql(select(f"{bits}, {bytes_}", keys)))
    assert_equal_rows(spark, lambda: spark.sql(select(f"{bits}, {bytes_}", keys, "numbers where id < 0")))
    values = "bitmap_bucket_number(id * 1000 - 90000) as p, bitmap_bit_position(-id) as q"
    assert_equal_rows(spark, lambda: spark.sql(f"select id, {values}, bitmap_count(z) from numbers"))


@pytest.mark.spark41
def test_positions_of_no_bitmap(spark: SparkSession, numbers: DataFrame) -> None:
    for position in ["id * 100000", "-id"]:
        query = select(f"bitmap_construct_agg({position})", "", "numbers where id = 77")
        reason = "a value that only Spark can compute"
        assert_failure_of_spark(spark, lambda query=query: spark.sql(query), reason)


@pytest.mark.parametrize("keys", ["", "n", "b"])
def test_functions_with_a_filter(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    kept = "filter (where b or n = 3)"
    names = ["first(n)", "first(d, true)", "last(d)", "max_by(t, n)", "min_by(n, x)", "bit_or(h)", "count(n, h)"]
    with settings(spark, **ONE_PARTITION):
        assert_equal_rows(spark, lambda: spark.sql(select(", ".join(f"{name} {kept}" for name in names), keys)))


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_sums_and_averages_that_may_fail(spark: SparkSession, numbers: DataFrame, ansi: str) -> None:
    big = "cast(id as decimal(20, 0)) * 1000000000000000"
    calls = f"try_sum(id), try_avg(id), try_sum(d), try_avg(d), try_sum(w), try_sum(cast({big} as bigint))"
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_rows(spark, lambda: spark.sql(select(calls, "")))
        assert_equal_rows(spark, lambda: spark.sql(select(calls, "n")))


@pytest.mark.spark41
@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("keys", ["", "n", "b, n"])
def test_sums_and_averages_of_intervals(spark: SparkSession, numbers: DataFrame, keys: str, ansi: str) -> None:
    values = [*INTERVALS, "-interval '7' month * y", "interval '0.000001' second * (h - 50)"]
    calls = ", ".join(shown(f"{name}({value})") for name in ("sum", "avg", "try_sum", "try_avg") for value in values)
    calls += f", sum({INTERVALS[0]}) filter (where b), avg(distinct {INTERVALS[0]})"
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_rows(spark, lambda: spark.sql(select(calls, keys)))
        assert_equal_rows(spark, lambda: spark.sql(select(calls, keys, "numbers where id < 0")))


@pytest.mark.spark41
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_sums_of_intervals_that_overflow(spark: SparkSession, numbers: DataFrame, ansi: str) -> None:
    """They fail without ANSI as well."""
    months = "interval '100000000' year + interval '1' month * n"
    with settings(spark, spark__sql__ansi__enabled=ansi):
        for name in ["sum", "avg"]:
            query = select(shown(f"{name}({months})"), "n")
            assert_failure_of_spark(spark, lambda query=query: spark.sql(query), "arithmetic overflow")
        assert_equal_rows(spark, lambda: spark.sql(select(shown(f"try_sum({months})"), "n")))


@pytest.mark.parametrize("keys", ["", "n", "h", "b, n"])
def test_moments(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    calls = ", ".join(
        f"{f}({c})"
        for f in ["var_pop", "var_samp", "stddev_pop", "stddev", "skewness", "kurtosis"]
        for c in ["x", "r", "id", "d", "n"]
    )
    calls += ", covar_pop(x, h), covar_samp(h, d), corr(x, y), corr(id, x), corr(n, h)"
    assert_close_rows(spark, lambda: spark.sql(select(calls, keys)))


def test_moments_in_corners(spark: SparkSession, corners: DataFrame) -> None:
    calls = "var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), covar_pop(x, i), covar_samp(x, i), corr(i, x)"
    calls += ", skewness(x), kurtosis(x), skewness(x) filter (where i > 1)"
    assert_close_rows(spark, lambda: spark.sql(select(calls, "k", "corners where k not in ('large', 'inf')")))
    overflowing = select("skewness(x), kurtosis(x)", "k", "corners where k in ('inf', 'large')")
    assert_close_rows(spark, lambda: spark.sql(overflowing))
    # Whether Spark's covariance with infinity is NaN or infinite depends on how it merges partial results.
    for extreme in ["large", "inf"]:
        variances = "var_pop(x), stddev_samp(x), corr(x, i) is null"
        query = select(variances, "k", f"corners where k = '{extreme}'")
        assert_close_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.spark41
@pytest.mark.parametrize("keys", ["", "n", "b, n"])
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_correlations(spark: SparkSession, numbers: DataFrame, ansi: str, keys: str) -> None:
    # Before 4.3 Spark divides what rounding has left of a side that does not vary.
    calls = "corr(x, y), corr(id, x)" + (", corr(n, h)" if not keys or spark.version >= "4.3" else "")
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_close_rows(spark, lambda: spark.sql(select(calls, keys)))


@pytest.mark.spark41
@pytest.mark.parametrize("k", ["one", "nulls", "nan", "zeros", "same", "far", "large", "tiny"])
@pytest.mark.parametrize("sides", ["x, i", "1, x"])
def test_correlations_in_corners(spark: SparkSession, corners: DataFrame, sides: str, k: str) -> None:
    """Before 4.3, Spark divides by zero where a side does not vary: null, or with ANSI an error, which it raises."""

    def query() -> DataFrame:
        return spark.sql(select(f"corr({sides})", "", f"corners where k = '{k}'"))

    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_close_rows(spark, query)
    with plain(spark):
        divides_by_zero = fails(query())
    if divides_by_zero:
        failed = assert_failure_of_spark(spark, query, "division by zero")
        assert failed.condition == "DIVIDE_BY_ZERO"
    else:
        assert_close_rows(spark, query)


def fails(df: DataFrame) -> bool:
    """Says whether a query fails."""
    try:
        df.collect()
    except PySparkException:
        return True
    return False


@pytest.mark.spark41
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_skewness_of_vanishing_variances(spark: SparkSession, numbers: DataFrame, ansi: str) -> None:
    """Their products are 0 though they are not: Spark divides by zero."""
    with settings(spark, spark__sql__ansi__enabled=ansi):
        for call in ["skewness(n * 1e-110D)", "kurtosis(n * 1e-90D)"]:
            query = select(call, "")
            if ansi == "true":
                failed = assert_failure_of_spark(spark, lambda query=query: spark.sql(query), "division by zero")
                assert failed.condition == "DIVIDE_BY_ZERO"
            else:
                rows = assert_equal_rows(spark, lambda query=query: spark.sql(query))
                assert rows[0][0] is None


@pytest.mark.spark41
def test_a_correlation_that_fails_in_a_write(spark: SparkSession, corners: DataFrame, tmp_path: Path) -> None:
    """Spark's exception all the same, though Spark does not run it."""
    query = select("corr(x, i)", "", "corners where k = 'same'")
    if spark.version.startswith("4.1"):
        failed = failure(lambda: spark.sql(query).write.parquet(str(tmp_path / "written")))
        assert failed == plain_failure(spark, lambda: spark.sql(query))
    else:
        spark.sql(query).write.parquet(str(tmp_path / "written"))
        assert spark.read.parquet(str(tmp_path / "written")).collect() == [(None,)]


def test_moments_are_the_same_each_time(spark: SparkSession, numbers: DataFrame) -> None:
    query = select("var_pop(x), stddev(r), corr(x, id), covar_samp(x, d), skewness(x), kurtosis(r)", "n")
    found = []
    for threads, batch_rows in [("1", "0"), ("2", "0"), ("2", "3")]:
        with settings(spark, spark__accelerant__threads=threads, spark__accelerant__batch__rows=batch_rows):
            df = spark.sql(query)
            assert_native(df)
            found.append(normalised(df.collect()))
    assert found[0] == found[1] == found[2]


def test_order_dependent_functions_in_corners(spark: SparkSession, corners: DataFrame) -> None:
    calls = "first(x), last(x), max_by(i, x), min_by(i, x), max_by(x, i), count(distinct x), bit_xor(i)"
    with settings(spark, **ONE_PARTITION):
        assert_close_rows(spark, lambda: spark.sql(select(calls, "k", "corners")))


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    calls = "first(n), last(s), max_by(s, n), bit_and(id), var_samp(x), corr(x, h), bool_or(b), any_value(d)"
    rows = assert_equal_rows(spark, lambda: spark.sql(select(calls, "", "numbers where id < 0")))
    assert set(rows[0]) == {None}
    assert not assert_equal_rows(spark, lambda: spark.sql(f"select n, {calls} from numbers where id < 0 group by n"))


def test_functions_that_only_spark_has(spark: SparkSession, numbers: DataFrame) -> None:
    for name in ["approx_percentile(n, 0.5)", "histogram_numeric(x, 3)"]:
        with settings(spark, spark__accelerant__islands="false"):
            df = spark.sql(f"select {name} from numbers")
            assert_spark(df)
        assert "aggregate " in explained(df)
        df.collect()


@pytest.mark.spark41
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_products(spark: SparkSession, numbers: DataFrame, corners: DataFrame, batch_rows: str) -> None:
    products = [F.product("x"), F.product(1 + F.col("r") / 1e5), F.product(F.when(F.col("b"), F.col("h")))]
    with settings(spark, spark__accelerant__batch__rows=batch_rows, **ONE_PARTITION):
        for df in [numbers.groupBy(), numbers.groupBy("n"), numbers.where("id < 0").groupBy()]:
            assert_equal_rows(spark, lambda df=df: df.agg(*products))
        assert_equal_rows(spark, lambda: corners.groupBy("k").agg(F.product("x"), F.product("i")))


def test_first_of_sorted_rows(spark: SparkSession, numbers: DataFrame) -> None:
    def query() -> DataFrame:
        return numbers.orderBy(F.desc("id")).groupBy("n").agg(F.first("id"), F.last("u"))

    with settings(spark, **ONE_PARTITION):
        assert_equal_rows(spark, query)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("sorted_by", ["v", "k, v", "k"])
def test_rows_sorted_in_each_partition(spark: SparkSession, tmp_path, sorted_by: str, adaptive: str) -> None:
    with plain(spark):
        rows = "values (1, 3), (1, 1), (2, 9), (1, 2), (2, 8) as t(k, v)"
        spark.sql(f"select * from {rows}").coalesce(1).write.parquet(str(tmp_path / "pairs"))
    pairs = spark.read.parquet(str(tmp_path / "pairs"))

    def query(*calls: str) -> DataFrame:
        return pairs.sortWithinPartitions(*sorted_by.split(", ")).groupBy("k").agg(*map(F.expr, calls))

    minding_order = ["first(v)", "last(v)", "collect_list(v)", "max_by(v, k)", "count(*)"]
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        found = sorted(query(*minding_order).collect())
        if sorted_by == "k":
            assert_native(query(*minding_order))
        else:
            assert "over a sort of each partition" in explained(query(*minding_order))
        assert_equal_rows(spark, lambda: query("sum(v)", "max(v)", "count(v)"))
        with plain(spark):
            assert found == sorted(query(*minding_order).collect())


@pytest.mark.parametrize("keys", ["", "n", "b, n"])
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_collected_lists(spark: SparkSession, numbers: DataFrame, keys: str, batch_rows: str) -> None:
    calls = ", ".join(f"collect_list({c})" for c in TYPES) + ", collect_list(s) filter (where b), array_agg(n)"
    query = select(calls, keys, "numbers where id < 400")
    with settings(spark, spark__accelerant__batch__rows=batch_rows, **ONE_PARTITION):
        assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("keys", ["", "n", "s"])
def test_collected_sets(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    query = select("collect_set(h), collect_set(s), collect_set(d), collect_set(t), collect_set(z)", keys)

    def sets(df: DataFrame) -> list[list]:
        rows = ([sorted(v, key=repr) if isinstance(v, list) else v for v in row] for row in df.collect())
        return sorted(rows, key=repr)

    df = spark.sql(query)
    assert_native(df)
    with plain(spark):
        expected = spark.sql(query)
        assert_spark(expected)
        assert sets(df) == sets(expected)
    assert_native(df)


@pytest.mark.parametrize("keys", ["", "n", "b, n"])
def test_listed_strings(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    calls = "listagg(s), listagg(s, ', '), string_agg(z, X'00'), listagg(n, '-') filter (where b)"
    with settings(spark, **ONE_PARTITION):
        for each in (calls, "listagg(distinct b)"):
            assert_equal_rows(spark, lambda each=each: spark.sql(select(each, keys, "numbers where id < 400")))


@pytest.mark.parametrize("keys", ["", "n", "b, n"])
def test_strings_listed_in_their_own_order(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    for order in ["", " desc", " nulls last"]:
        calls = ", ".join(
            f"{call} within group (order by {value}{order})"
            for call, value in [
                ("listagg(s)", "s"),
                ("listagg(z, X'00')", "z"),
                ("listagg(right(s, 4), ', ')", "right(s, 4)"),
            ]
        )
        calls += f", string_agg(s, '-') within group (order by s{order}) filter (where b)"
        distinct = f"listagg(distinct left(s, 6), '-') within group (order by left(s, 6){order})"
        for each in (calls, distinct):
            assert_equal_rows(spark, lambda each=each: spark.sql(select(each, keys, "numbers where id < 400")))


@pytest.mark.parametrize("keys", ["", "n", "b, n"])
@pytest.mark.parametrize("order", ["id", "-id", "x desc, id", "n nulls last, r desc nulls first, id", "upper(s), id"])
def test_strings_listed_in_another_order(spark: SparkSession, numbers: DataFrame, keys: str, order: str) -> None:
    calls = f"listagg(s, ', ') within group (order by {order}), string_agg(z) within group (order by {order})"
    calls += f", listagg(s, '-') within group (order by {order}) filter (where b), listagg(s) within group (order by s)"
    for table in ["numbers where id < 400", "numbers where id < 0"]:
        assert_equal_rows(spark, lambda table=table: spark.sql(select(calls, keys, table)))


@pytest.mark.parametrize("keys", GROUPINGS)
def test_percentiles(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    calls = ", ".join(f"percentile({c}, 0.3), median({c})" for c in ("id", "n", "h", "y", "x", "r"))
    calls += ", percentile(x, double('NaN')), percentile(n, 0), percentile(n, 1.0) filter (where b)"
    calls += ", percentile_cont(0.25) within group (order by x)"
    assert_equal_rows(spark, lambda: spark.sql(select(calls, keys)))


@pytest.mark.spark41
@pytest.mark.parametrize("keys", ["", "n", "b, n"])
def test_percentiles_by_order(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    for order in ["", " desc"]:
        for values in [["id", "n", "x", "r"], ["d", "w", "w * 1000"], INTERVALS]:
            calls = ", ".join(
                shown(f"percentile_{kind}({share}) within group (order by {value}{order})")
                for kind in ("cont", "disc")
                for share in ("0.1", "0.75")
                for value in values
            )
            calls += f", percentile_disc(1) within group (order by {values[0]}{order}) filter (where b)"
            assert_equal_rows(spark, lambda calls=calls: spark.sql(select(calls, keys)))


@pytest.mark.spark41
@pytest.mark.parametrize("keys", ["", "n", "b, n"])
def test_several_percentiles(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    shares = "array(0.75, 0, 0.1, 1.0, 0.75)"
    calls = ", ".join(f"percentile({value}, {shares})" for value in ["id", "n", "x", "r", "d", "w", INTERVALS[0]])
    calls += "".join(
        f", percentile_{kind}({shares}) within group (order by {value} desc)"
        for kind in ("cont", "disc")
        for value in "hd"
    )
    calls += ", percentile(n, array(0.5D)) filter (where b), percentile(n, cast(array() as array<double>))"
    assert_equal_rows(spark, lambda: spark.sql(select(calls, keys)))
    assert_equal_rows(spark, lambda: spark.sql(select(calls, keys, "numbers where id < 0")))


def test_percentiles_in_corners(spark: SparkSession, corners: DataFrame) -> None:
    calls = ", ".join(
        f"percentile_{kind}({share}) within group (order by i)" for kind in ("cont", "disc") for share in (0, 0.5, 1)
    )
    calls += (
        ", median(x), percentile_disc(0.5) within group (order by x desc), percentile_cont(1) within group (order by x)"
    )
    for keys in ["", "k"]:
        assert_equal_rows(spark, lambda keys=keys: spark.sql(select(calls, keys, "corners where k != 'zeros'")))
    assert_equal_rows(spark, lambda: spark.sql(select(calls, "", "corners where k = 'none'")))


@pytest.mark.spark41
@pytest.mark.parametrize("keys", ["", "n", "b, n"])
def test_modes(spark: SparkSession, numbers: DataFrame, keys: str) -> None:
    values = [*(c for c in TYPES if c not in ("x", "r", "z")), *INTERVALS, "h % 3", "s || 'x'", "left(s, 5)"]
    for form in ["mode({}, true)", "mode() within group (order by {})", "mode() within group (order by {} desc)"]:
        calls = (
            ", ".join(shown(form.format(value)) for value in values) + f", {form.format('d')} filter (where b or n = 3)"
        )
        assert_equal_rows(spark, lambda calls=calls: spark.sql(select(calls, keys, "numbers where id < 2000")))
        assert_equal_rows(spark, lambda calls=calls: spark.sql(select(calls, keys, "numbers where id < 0")))


def test_modes_that_only_spark_has(spark: SparkSession, numbers: DataFrame) -> None:
    """Any of equally frequent values, and of floating-point numbers and binary values."""
    with settings(spark, spark__accelerant__islands="false"):
        for call in ["mode(n)", "mode(n, false)", "mode(x, true)", "mode(z, true)"]:
            assert_spark(spark.sql(f"select {call} from numbers"))


def test_percentiles_that_only_spark_has(spark: SparkSession, numbers: DataFrame) -> None:
    legacy = "percentile_disc(0.5) within group (order by n)"
    with settings(spark, spark__accelerant__islands="false", spark__sql__legacy__percentileDiscCalculation="true"):
        for call in [legacy, "percentile(n, 0.5, 2)"]:
            assert_spark(spark.sql(f"select {call} from numbers"))


REGRESSIONS = ["sxy", "sxx", "syy", "slope", "intercept", "r2", "avgx", "avgy", "count"]


@pytest.mark.parametrize("table", ["numbers", "corners"])
def test_regressions(spark: SparkSession, numbers: DataFrame, corners: DataFrame, table: str) -> None:
    pairs = ["x, n", "n, x", "d, h"] if table == "numbers" else ["x, i", "i, x"]
    calls = ", ".join(f"regr_{name}({pair})" for name in REGRESSIONS for pair in pairs)
    calls += f", regr_slope({pairs[0]}) filter (where {pairs[0][-1]} > 1)"
    # With infinity it depends on how Spark merges partial results; what is large overflows on the way.
    rows = "numbers" if table == "numbers" else "corners where k not in ('inf', 'large')"
    for keys in ("", "n" if table == "numbers" else "k"):
        assert_close_rows(spark, lambda keys=keys: spark.sql(select(calls, keys, rows)))


def test_lists_pass_through_operators(spark: SparkSession, numbers: DataFrame) -> None:
    lists = "select n, b, collect_list(id) as ids from numbers where id < 300 group by n, b"
    with settings(spark, **ONE_PARTITION):
        assert_equal_rows(spark, lambda: spark.sql(f"select ids, n + 1 from ({lists}) where b order by n, b"), True)
        ordered = f"select * from ({lists}) order by n, b"
        assert_equal_rows(spark, lambda: spark.sql(f"select b, collect_list(ids) from ({ordered}) group by b"))
        for query in ["group by ids", "order by ids"]:
            assert_equal_rows(spark, lambda query=query: spark.sql(f"select ids from ({lists}) {query}"))
    assert_equal_rows(spark, lambda: spark.sql("select collect_list(n), collect_set(n) from numbers where id < 0"))
