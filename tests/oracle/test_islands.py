"""Native queries around operators that stay Spark's: answers, errors, limits, consumers, and that they ran so."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from engine_process import eventually, held_bytes
from lacking import PLACE
from oracle import Query, explained, failure, normalised, operators, plain, plain_failure, settings
from parquet_files import is_native
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

pytestmark = pytest.mark.spark41

# Spark has one name for it by the version and the settings, and one more of the scan in a plan of its own.
PYTHON = {"BatchEvalPython", "ArrowEvalPython"}
SCAN = {"Scan", "FileSourceScan"}
WINDOWED = f"select *, {PLACE} as place from numbers"


@F.udf(LongType())
def plus_one(value: int | None) -> int | None:
    return None if value is None else value + 1


@F.udf(LongType())
def fails_late(value: int) -> int:
    return 1 // (value - 5000)


@pytest.fixture(scope="module")
def dimension(spark: SparkSession, numbers: DataFrame, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """A small table of a format that the engine does not read."""
    folder = str(tmp_path_factory.mktemp("dimension") / "csv")
    with plain(spark):
        spark.range(5).selectExpr("id as n", "concat('name ', id) as name").write.csv(folder)
    df = spark.read.schema("n long, name string").csv(folder, mode="FAILFAST")
    df.createOrReplaceTempView("dimension")
    return df


def native_and_others(df: DataFrame) -> tuple[set[str], set[str]]:
    """Returns the operators that the explanation lists as native, and those that it gives a reason for."""
    lines = explained(df).split("Accelerant) ==")[1].splitlines()
    return {line[2:] for line in lines if line.startswith("* ")}, {line[2:] for line in lines if line.startswith("! ")}


def assert_island(spark: SparkSession, query: Query, native: set[str], others: set[str]) -> DataFrame:
    """Fails unless a query equals plain Spark's, with some operators native and none but these others Spark's."""
    df = query()
    rows = df.collect()
    ran, stayed = native_and_others(df)
    assert native <= ran, explained(df)
    assert {re.split(r"[ :]", line)[0] for line in stayed} <= others, explained(df)
    assert "reverted" not in explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())
    return df


def test_file_of_another_format(spark: SparkSession, dimension: DataFrame) -> None:
    query = "select name, sum(d), count(*) from numbers join dimension using (n) group by name"
    assert_island(spark, lambda: spark.sql(query), {"HashAggregate", "FileSourceScan"}, SCAN)


def test_filter_above(spark: SparkSession, dimension: DataFrame) -> None:
    """What is native is not computed in the island as well."""
    df = spark.sql("select * from dimension where length(name) > 3 order by n desc")
    assert len(df.collect()) == 5
    assert operators(df).count("Filter") == 0
    assert operators(df).count("NativeFilter") == 1


@pytest.mark.parametrize(
    "query",
    [
        "select id, rand(7) as r from numbers",
        "select n, monotonically_increasing_id() as m from numbers",
        "select id, spark_partition_id() as p from numbers where id > 100",
        "select * from (select id, n, x from numbers) tablesample (30 percent) repeatable (3)",
        "select percentile_approx(x, array(0.1, 0.5, 0.9), 3) as p, approx_count_distinct(id) as c from numbers",
        "select id, shuffle(array(1, 2, 3)) is null as s, input_file_name() as f from numbers",
    ],
)
def test_what_looks_at_partitions(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    """Spark's partitions are kept where an operator looks at them; what is above is native."""
    total = f"select count(*), count(distinct xxhash64(*)), sum(cast(xxhash64(*) as decimal(38, 0))) from ({query})"
    with plain(spark):
        expected = spark.sql(total).collect()
    assert spark.sql(total).collect() == expected
    with plain(spark):
        rows = normalised(spark.sql(query).collect())
    assert normalised(spark.sql(query).collect()) == rows


def test_native_scan_below(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(f"select id, place from ({WINDOWED}) where id > 70")
    rows = df.collect()
    assert "NativeFileScan" in operators(df)
    with plain(spark):
        assert normalised(rows) == normalised(spark.sql(f"select id, place from ({WINDOWED}) where id > 70").collect())


def test_rows_that_would_only_pass(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    """Where few rows gain by the engine and many would be brought to it for nothing, they stay where they are."""
    with plain(spark):
        spark.range(3).selectExpr("id as few").write.parquet(str(tmp_path / "few"))
    spark.read.parquet(str(tmp_path / "few")).createOrReplaceTempView("few")

    def answer(sql: str) -> str:
        df = spark.sql(sql)
        rows = normalised(df.collect())
        with plain(spark):
            assert normalised(spark.sql(sql).collect()) == rows
        return explained(df)

    text = answer(f"select place, id from ({WINDOWED}) union all select max(few), 1 from few")
    reason = r"! island: about [\d,]+ rows would cost more to bring here than HashAggregate gain"
    assert re.search(reason, text), text
    assert "Island" not in text
    assert "NativeFileScan" in text
    with settings(spark, spark__accelerant__islands__weighed="false"):
        text = answer(f"select place, id from ({WINDOWED}) union all select max(few), 1 from few")
        assert "Island Window" in text
    text = answer(f"select max(place), n from ({WINDOWED}) group by n union all select max(few), 1 from few")
    assert "Island Window" in text
    assert "! island" not in text


def test_a_file_that_is_planned_again(spark: SparkSession, numbers: DataFrame) -> None:
    """A file that only Spark's operators read stays native when adaptive execution plans it again, beside a stage."""
    first = spark.sql(f"select n, id from ({WINDOWED}) where place = 1")

    def query() -> DataFrame:
        return numbers.where("id > 9").select("n", "id").union(first).withColumn("before", F.expr(PLACE))

    df = query()
    rows = df.collect()
    assert operators(df).count("NativeFileScan") == 2, explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


def test_python_function_below(spark: SparkSession, numbers: DataFrame) -> None:
    def query() -> DataFrame:
        return numbers.select("n", plus_one("id").alias("more")).groupBy("n").agg(F.sum("more"), F.max("more"))

    df = assert_island(spark, query, {"HashAggregate"}, PYTHON)
    assert "(island)" in explained(df)


def test_python_function_between(spark: SparkSession, numbers: DataFrame) -> None:
    """What is below is a native query of its own."""

    def query() -> DataFrame:
        sums = numbers.groupBy("n", "h").agg(F.sum("id").alias("total"))
        return sums.select("n", plus_one("total").alias("more")).groupBy("n").agg(F.max("more"))

    df = assert_island(
        spark,
        query,
        {"HashAggregate", "FileSourceScan"},
        PYTHON,
    )
    assert "6 of 7 operators run natively" in explained(df)


def test_python_function_above(spark: SparkSession, numbers: DataFrame) -> None:
    def query() -> DataFrame:
        return numbers.groupBy("n").agg(F.sum("id").alias("total")).select("n", plus_one("total"))

    df = query()
    rows = df.collect()
    assert {"HashAggregate", "FileSourceScan"} <= native_and_others(df)[0], explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize(
    "query",
    [
        f"select place, count(*), sum(id) from ({WINDOWED}) group by place",
        f"select h, max(place) from ({WINDOWED}) where place > 3 group by h order by h",
        "select n, sum(v) from (select n, explode(array(id, h)) as v from numbers) group by n",
        "select n, count(*) from (select * from numbers tablesample (30 percent) repeatable (3)) group by n",
        "select a.n, count(*) from numbers a join (select n, rank() over (order by n) as k from"
        " (select distinct n from numbers)) b on a.n = b.n where k > 1 group by a.n",
        "select place, total from (select n, sum(id) as total from numbers group by n) join"
        f" (select n as m, max(place) as place from ({WINDOWED}) group by n) on n <=> m",
        f"select * from ({WINDOWED}) order by id limit 20",
        f"select s, u, w, d, z, t, b, r, y, place from ({WINDOWED}) order by id",
        f"select id, place from ({WINDOWED}) where id = (select max(id) from numbers) order by id",
        "select count(*) from (select n, lag(n) over (order by id) as l from numbers) where n <=> l",
    ],
)
def test_queries(spark: SparkSession, dimension: DataFrame, query: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = spark.sql(query)
        rows = df.collect()
        assert native_and_others(df)[0], explained(df)
        assert "reverted" not in explained(df)
        with plain(spark):
            assert normalised(rows) == normalised(spark.sql(query).collect())


@pytest.mark.parametrize("partitions", [1, 3, 40])
def test_rows_of_rdds(spark: SparkSession, partitions: int) -> None:
    rows = [(i, None if i % 7 == 0 else f"text of more than twelve bytes {i}", i * 3) for i in range(20000)]

    def query() -> DataFrame:
        made = spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), "a long, b string, c long")
        return made.groupBy(F.substring("b", 1, 33).alias("b")).agg(F.sum("c"), F.count("*"), F.min("a"))

    df = query()
    answer = df.collect()
    assert "HashAggregate" in native_and_others(df)[0], explained(df)
    with plain(spark):
        assert normalised(answer) == normalised(query().collect())


def test_failing_function(spark: SparkSession, numbers: DataFrame) -> None:
    """An error of Spark's operators is Spark's, and nothing is left of the query."""

    def query() -> DataFrame:
        return numbers.groupBy("n").agg(F.sum(fails_late("id")))

    df = query()
    assert "HashAggregate" in native_and_others(df)[0]
    found = failure(df.collect)
    assert "ZeroDivisionError" in found.message
    assert found.condition == plain_failure(spark, query).condition
    assert eventually(lambda: held_bytes(spark) == 0)


@pytest.mark.parametrize(
    "consume",
    [
        lambda df: df.take(3),
        lambda df: df.limit(20).collect(),
        lambda df: df._jdf.showString(20, 20, False),
        lambda df: df.first(),
    ],
    ids=["take", "limit", "show", "first"],
)
def test_limits(spark: SparkSession, numbers: DataFrame, consume: Callable[[DataFrame], object]) -> None:
    """Partitions below a limit are computed one by one, and little of each."""
    seen = spark.sparkContext.accumulator(0)

    @F.udf(LongType())
    def counted(value: int) -> int:
        seen.add(1)
        return value

    def query() -> DataFrame:
        rows = numbers.select("n", counted("id").alias("v")).where("v >= 0")
        return rows.join(F.broadcast(spark.range(5)), F.col("n") == F.col("id"))

    consume(query())
    native = seen.value
    with plain(spark):
        consume(query())
    assert 0 < native <= seen.value - native + 100


def test_error_behind_a_limit(spark: SparkSession) -> None:
    """Rows that Spark does not come to do not fail."""
    rows = spark.sparkContext.parallelize(range(100), 2).map(lambda i: (i, 1 // (i - 40)))
    df = spark.createDataFrame(rows, "a long, b long").join(F.broadcast(spark.range(100)), F.col("a") == F.col("id"))
    with plain(spark):
        expected = df.limit(3).collect()
    assert df.limit(3).collect() == expected


def test_error_that_spark_does_not_come_to(spark: SparkSession, tmp_path: Path) -> None:
    """Adaptive execution joins from the other side, so that the limit has its rows first; Spark runs it once more."""
    with plain(spark):
        spark.range(6000).selectExpr("id as n", "id % 5 as k").write.parquet(str(tmp_path / "rows"))
        spark.range(6000).selectExpr("id % 5 as k", "concat('text ', id) as s").write.parquet(str(tmp_path / "groups"))

    @F.udf(returnType=LongType(), useArrow=False)
    def fails_at_last(value: int) -> int:
        return 1 // (value - 5999)

    def query() -> DataFrame:
        placed = spark.read.parquet(str(tmp_path / "rows")).withColumn(
            "place", F.expr("row_number() over (order by n)")
        )
        groups = spark.read.parquet(str(tmp_path / "groups")).groupBy("k").agg(F.max("s"))
        return placed.withColumn("x", fails_at_last("n")).join(groups, "k").limit(5)

    df = query()
    found = df.collect()
    assert "reverted to Spark: Spark's limit may not come to a row that failed: " in explained(df)
    with plain(spark):
        assert found == query().collect()
    assert eventually(lambda: held_bytes(spark) == 0)


def windowed_sums(spark: SparkSession) -> DataFrame:
    return spark.sql(f"select place % 100 as p, n, sum(id) as total, count(*) as c from ({WINDOWED}) group by 1, 2")


@pytest.mark.parametrize(
    "consume",
    [
        lambda df: df.write.mode("overwrite").parquet,
        lambda df: df.write.mode("overwrite").partitionBy("n").json,
    ],
    ids=["parquet", "partitioned"],
)
def test_writes(spark: SparkSession, numbers: DataFrame, tmp_path: Path, consume: Callable) -> None:
    df = windowed_sums(spark)
    assert native_and_others(df)[0], explained(df)
    consume(df)(str(tmp_path / "native"))
    with plain(spark):
        consume(windowed_sums(spark))(str(tmp_path / "plain"))
        read = spark.read.json if list((tmp_path / "plain").rglob("*.json")) else spark.read.parquet
        native, expected = (normalised(read(str(tmp_path / name)).collect()) for name in ("native", "plain"))
    assert native == expected


def written_in_places(spark: SparkSession) -> DataFrame:
    return spark.sql(WINDOWED).select("id", "place", "d", "s")


def of_python(spark: SparkSession) -> DataFrame:
    return spark.table("numbers").select("id", plus_one("n").alias("m"))


def of_an_rdd(spark: SparkSession) -> DataFrame:
    rows = spark.sparkContext.parallelize(range(1000), 5).map(lambda i: (i, None if i % 7 == 0 else f"row {i}"))
    return spark.createDataFrame(rows, "a long, b string")


FILES_OF = {
    "an aggregate": windowed_sums,
    "an island alone": lambda spark: spark.table("dimension"),
    "a filter": lambda spark: spark.table("dimension").where("n > 1").selectExpr("n + 1 as n", "upper(name) as name"),
    "no row": lambda spark: spark.table("dimension").where("n > 100"),
    "a window": written_in_places,
    "a Python function": of_python,
    "an RDD": of_an_rdd,
}


@pytest.mark.parametrize("name", FILES_OF)
def test_native_files(spark: SparkSession, numbers: DataFrame, dimension: DataFrame, tmp_path: Path, name: str) -> None:
    """The engine writes the files of a query with islands, also where there is nothing else to do."""
    FILES_OF[name](spark).write.parquet(str(tmp_path / "native"))
    assert is_native(tmp_path / "native")
    with plain(spark):
        FILES_OF[name](spark).write.parquet(str(tmp_path / "plain"))
        native, expected = (spark.read.parquet(str(tmp_path / engine)) for engine in ("native", "plain"))
        assert native.schema == expected.schema
        assert normalised(native.collect()) == normalised(expected.collect())


@pytest.mark.parametrize(
    ("arranged", "files"),
    [
        (lambda df: df.repartition(3), 3),
        (lambda df: df.repartition(3, "a"), 3),
        (lambda df: df.coalesce(1), 1),
        (lambda df: df.repartition(1).selectExpr("a + 1 as a", "b").where("a > 5"), 1),
        (lambda df: df.repartitionByRange(2, "a").sortWithinPartitions("b"), 2),
    ],
    ids=["by number", "by column", "coalesced", "below a filter", "sorted"],
)
def test_files_as_asked(spark: SparkSession, tmp_path: Path, arranged: Callable, files: int) -> None:
    """An island that was asked for a number of partitions has one file for each."""
    arranged(of_an_rdd(spark)).write.parquet(str(tmp_path / "files"))
    assert len(list((tmp_path / "files").glob("*.parquet"))) == files


def test_no_file_of_a_failing_island(spark: SparkSession, tmp_path: Path) -> None:
    def write(name: str) -> None:
        rows = spark.sparkContext.parallelize(range(100), 2).map(lambda i: (i, 1 // (i - 40)))
        spark.createDataFrame(rows, "a long, b long").write.parquet(str(tmp_path / name))

    native = failure(lambda: write("native"))
    with plain(spark):
        expected = failure(lambda: write("plain"))
    assert native.condition == expected.condition
    assert not list((tmp_path / "native").rglob("*.parquet"))


def test_a_written_island_is_shown(spark: SparkSession, dimension: DataFrame, tmp_path: Path) -> None:
    spark.sql(f"create table shown (n long, name string) using parquet location '{tmp_path / 'shown'}'")
    plan = spark.sql("explain formatted insert into shown select * from dimension").first()[0]
    spark.sql("drop table shown")
    assert re.search(r"NativeWriteFiles \(\d\)\n *\+- NativeRows \(\d\)\n *\+- Island Scan csv", plan), plan


@pytest.mark.parametrize(
    "consume",
    [
        lambda df: df.rdd.map(tuple).collect(),
        lambda df: df.rdd.zipWithIndex().map(lambda pair: tuple(pair[0])).collect(),
        lambda df: [tuple(row) for row in df.repartition(7, "p").collect()],
        lambda df: [tuple(row) for row in df.sort("p", "n").collect()],
        lambda df: [tuple(row) for row in df.repartitionByRange(3, "total").collect()],
        lambda df: [tuple(row) for row in df.coalesce(1).collect()],
        lambda df: [tuple(row) for row in df.cache().collect()],
        lambda df: [tuple(row) for row in df.toLocalIterator()],
        lambda df: [tuple(row) for row in df.toPandas().itertuples(index=False)],
        lambda df: [tuple(row) for row in df.union(df).distinct().collect()],
    ],
    ids=["rdd", "zip", "hash", "sort", "range", "coalesce", "cache", "iterator", "pandas", "union"],
)
def test_consumers(spark: SparkSession, numbers: DataFrame, consume: Callable[[DataFrame], list[tuple]]) -> None:
    df = windowed_sums(spark)
    assert native_and_others(df)[0], explained(df)
    found = consume(df)
    spark.catalog.clearCache()
    with plain(spark):
        expected = consume(windowed_sums(spark))
        spark.catalog.clearCache()
    assert normalised(found) == normalised(expected)


def test_abandoned_iterator(spark: SparkSession, numbers: DataFrame) -> None:
    rows = windowed_sums(spark).toLocalIterator()
    next(rows)
    del rows
    spark.sparkContext.cancelAllJobs()
    assert eventually(lambda: held_bytes(spark) == 0)


def test_switched_off(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__accelerant__islands="false"):
        assert not native_and_others(windowed_sums(spark))[0]
