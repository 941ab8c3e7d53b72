"""Floating-point sums of few rows: they equal plain Spark's to the last digit."""

import random
from collections.abc import Callable, Iterator

import pytest
from oracle import assert_equal_rows, assert_native, both_answers, normalised, operators, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

SUMS = (
    "sum(x), avg(x), avg(cast(x as float)), avg(cast(y * 1e17 as bigint)), sum(x) filter (where k > 1), stddev(x), "
    "stddev_pop(x), var_pop(x), variance(x), skewness(x), kurtosis(x), corr(x, y), covar_pop(x, y), "
    "covar_samp(x, y), regr_slope(x, y), regr_intercept(x, y), regr_r2(x, y), regr_sxy(x, y), regr_sxx(x, y), "
    "regr_avgy(x, y)"
)
MANY = 20_000


def draw(num_rows: int) -> list[tuple]:
    r = random.Random(num_rows)
    return [
        (i, None if r.random() < 0.1 else r.random() * 10 ** r.randint(0, 9), r.gauss(3, 2), r.randint(0, 4))
        for i in range(num_rows)
    ]


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Views of the same kind of rows: files of several formats, a local table, an RDD's rows, a cache."""
    folder = tmp_path_factory.mktemp("digits")
    with plain(spark):
        rows = spark.createDataFrame(draw(900), "id int, x double, y double, k int")
        for name in ("parquet", "orc", "json", "csv"):
            rows.repartition(3).write.format(name).option("header", "true").save(str(folder / name))
        many = spark.range(MANY).selectExpr("id", "pow(id % 97, 4) / 7 as x", "id % 13 / 3D as y", "int(id % 5) as k")
        many.write.parquet(str(folder / "many"))
    for name in ("parquet", "orc", "json", "csv"):
        reader = spark.read.schema(rows.schema).options(**{"header": "true"} if name == "csv" else {})
        reader.format(name).load(str(folder / name)).createOrReplaceTempView(f"of_{name}")
    spark.read.parquet(str(folder / "many")).createOrReplaceTempView("of_many")
    rows.createOrReplaceTempView("of_rdd")
    values = ", ".join(f"({i}, {'null' if x is None else f'{x!r}D'}, {y!r}D, {k})" for i, x, y, k in draw(700))
    spark.sql(f"create or replace temp view of_values as select * from values {values} as t(id, x, y, k)")
    spark.sql("create or replace temp view b as select * from values (0), (1), (4) as t(l)")
    spark.read.parquet(str(folder / "parquet")).where("id % 7 > 0").cache().createOrReplaceTempView("of_cache")
    yield
    spark.catalog.clearCache()


QUERIES = {
    f"{table} {name}": query.format(sums=SUMS, table=f"of_{table}")
    for table in ("parquet", "orc", "json", "csv", "values", "cache")
    for name, query in {
        "whole": "select {sums} from {table}",
        "grouped": "select k, {sums} from {table} group by k",
        "filtered": "select id % 50, {sums} from {table} where y > 1 group by 1",
    }.items()
}
QUERIES |= {
    "range": "select id % 3, sum(id / 7D), avg(id * 0.1D), stddev(id) from range(0, 1000, 1, 7) group by 1",
    "range of many slices": "select sum(id / 7D), kurtosis(id) from range(0, 40, 1, 64)",
    "texts": f"select string(y) like '%9%', {SUMS} from of_parquet group by 1",
    "union": f"select {SUMS} from (select * from of_parquet union all select * from of_values where k < 4)",
    "rollup": f"select id % 7, k, {SUMS} from of_values group by rollup(id % 7, k)",
    "pivot": "select * from (select k, id % 3 m, x from of_values) pivot (avg(x), stddev(x) for m in (0, 1, 2))",
    "broadcast": f"select /*+ broadcast(b) */ k, {SUMS} from of_parquet join b on k = l group by k",
    "of averages": "select avg(m), stddev(m) from (select id % 90, avg(x) as m from of_values group by 1)",
    "sorted": f"select {SUMS} from (select * from of_values order by y, id)",
    "limited": f"select {SUMS} from (select * from of_parquet limit 333)",
    "of a window": "select sum(s), avg(s) from (select sum(x) over (partition by k order by id) s from of_values)",
    "unpivot": "select sum(v), avg(v), stddev(v) from of_values unpivot (v for c in (x, y))",
    "beside a set": "select k, sort_array(collect_set(id)), avg(x), regr_intercept(x, y) from of_values group by k",
    "compared": "select k from of_values group by k having avg(x) > sum(x) / count(x) - 1 and stddev(x) <> 0",
}


@pytest.mark.parametrize("name", QUERIES)
def test_few_rows(spark: SparkSession, name: str) -> None:
    assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]))


@pytest.mark.parametrize(("threads", "batch_rows"), [("1", "1"), ("2", "7"), ("1", "0")])
@pytest.mark.parametrize("name", ["parquet grouped", "values whole", "rollup"])
def test_threads_and_batches(spark: SparkSession, name: str, threads: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__threads=threads, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(QUERIES[name]))


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_without_adaptive_execution(spark: SparkSession, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert_equal_rows(spark, lambda: spark.sql(QUERIES["parquet grouped"]))


def test_rows_of_an_island(spark: SparkSession) -> None:
    df = spark.sql(f"select k, {SUMS} from of_rdd group by k")
    native = df.collect()
    assert {"NativeHashAggregate", "Island"} <= set(operators(df))
    with plain(spark):
        assert normalised(native) == normalised(spark.sql(f"select k, {SUMS} from of_rdd group by k").collect())


@pytest.mark.parametrize("show", ["describe", "summary"])
def test_what_people_look_at(spark: SparkSession, show: str) -> None:
    def shown() -> list:
        described: Callable[[], DataFrame] = getattr(spark.table("of_parquet").select("x", "y"), show)
        return described().collect()

    rows = shown()
    with plain(spark):
        assert rows == shown()


@pytest.mark.parametrize(
    "query",
    [
        "select id, sum(s) over (partition by m) from (select id, id % 5 m, sum(x) s from of_many group by id)",
        "select id % 7, sum(s), stddev(s) from (select id, sum(x) s from of_many group by id) group by 1",
    ],
)
def test_what_comes_in_no_order_is_added_exactly(spark: SparkSession, query: str) -> None:
    """Many groups come as workers have found them, which must not show."""
    answers = []
    for threads in ("1", "2", "2"):
        with settings(spark, spark__accelerant__threads=threads, spark__accelerant__batch__rows="100"):
            df = spark.sql(query)
            answers.append(normalised(df.collect()))
            assert_native(df)
    assert answers[0] == answers[1] == answers[2]


def test_many_rows_are_added_exactly(spark: SparkSession) -> None:
    """Whatever the order and the number of workers: not in Spark's order, but to the last digits."""
    sums = "sum(x), avg(x), stddev(x), covar_pop(x, y)"
    native, expected = both_answers(spark, lambda: spark.sql(f"select k, {sums} from of_many group by k order by k"))
    for row, other in zip(native, expected, strict=True):
        assert tuple(row) == pytest.approx(tuple(other), rel=1e-12)
    reversed_rows = spark.table("of_many").orderBy(F.desc("id")).groupBy("k").agg(F.expr("sum(x)")).orderBy("k")
    assert [row[1] for row in reversed_rows.collect()] == [row[1] for row in native]
