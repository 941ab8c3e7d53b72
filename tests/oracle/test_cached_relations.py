"""Queries over what df.cache() and CACHE TABLE keep in Spark's memory."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from edge_values import COLUMNS, shown, values_of
from oracle import assert_equal_rows, assert_native, assert_spark, explained, failure, normalised, plain, settings
from py4j.java_gateway import JavaObject
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

QUERIES = (
    "select n, count(*), sum(d), min(s), max(u) from kept group by n",
    "select k.id, n.s from kept k join numbers n on k.id = n.id where k.b",
    "select a.id, b.id from kept a full join kept b on a.id = b.id + 5000",
    "select * from kept order by s, id limit 100",
    "select count(*) from kept",
    "select id, (select max(id) from kept) from numbers where id < 3",
    "select id from kept where id > 10 and n in (1, 2) union all select id from numbers where id < 9",
    "select id from kept where s is null or x > 700",
)

LEVELS = {
    "memory": StorageLevel.MEMORY_ONLY,
    "memory and disk": StorageLevel.MEMORY_AND_DISK,
    "deserialised": StorageLevel.MEMORY_AND_DISK_DESER,
    "disk": StorageLevel.DISK_ONLY,
}


@contextmanager
def kept(df: DataFrame, level: StorageLevel = StorageLevel.MEMORY_AND_DISK_DESER) -> Iterator[DataFrame]:
    """Caches a frame, as the view `kept`, for a while."""
    df.persist(level)
    df.createOrReplaceTempView("kept")
    try:
        yield df
    finally:
        df.unpersist(blocking=True)


def lose_blocks(spark: SparkSession) -> None:
    """Removes the blocks of what is kept, as an executor does that is short of memory."""
    for rdd in spark.sparkContext._jsc.getPersistentRDDs().values():
        level = rdd.getStorageLevel()
        rdd.unpersist(True)
        rdd.persist(level)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_queries(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive), kept(numbers.where("id % 5 > 0")):
        for query in QUERIES:
            assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.parametrize("level", LEVELS)
def test_storage_levels(spark: SparkSession, numbers: DataFrame, level: str) -> None:
    with kept(numbers.where("id > 7"), LEVELS[level]):
        for query in QUERIES[:2]:
            assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_values_arrive_bit_for_bit(spark: SparkSession, numbers: DataFrame, batch_rows: str) -> None:
    rows = spark.sql(f"select * from {values_of(list(COLUMNS))}")
    query = f"select i0, {shown()} from kept join (select id from numbers) on id = i0"
    with settings(spark, spark__accelerant__batch__rows=batch_rows), kept(rows):
        assert len(assert_equal_rows(spark, lambda: spark.sql(query))) == 5


# Spark chooses how to compress a column by its values.
SPREADS = {
    "one value": "1",
    "runs": "id div 700",
    "few values": "pmod(hash(id), 20)",
    "ascending": "id",
    "far apart": "id * 1234567",
    "any": "hash(id)",
}


def cached_columns(spread: str) -> list[str]:
    """One column of each type that Spark caches in its own way, without nulls and with some."""
    columns = {
        "boolean": f"({spread}) % 3 = 0",
        "byte": f"cast(pmod({spread}, 100) as byte)",
        "short": f"cast(pmod({spread}, 30000) as short)",
        "int": f"cast(pmod({spread}, 2000000000) as int)",
        "long": f"cast({spread} as long)",
        "float": f"cast({spread} as float)",
        "double": f"({spread}) / 7",
        "date": f"date_add(date'2000-01-01', cast(pmod({spread}, 90000) as int))",
        "timestamp": f"timestamp_micros({spread})",
        "decimal": f"cast(pmod({spread}, 1000000) as decimal(12, 2))",
        "wide": f"cast({spread} as decimal(38, 5)) * 1000000000",
        "text": f"cast({spread} as string)",
        "sentence": f"concat('a text of some length ', {spread})",
        "binary": f"cast(cast({spread} as string) as binary)",
    }
    nulls = ("id % 5 = 0", "id % 3000 > 900", "true")
    every = [f"{value} as {name}" for name, value in columns.items()]
    return every + [
        f"if({condition}, null, {value}) as {name}_{i}"
        for name, value in columns.items()
        for i, condition in enumerate(nulls)
    ]


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("compressed", ["true", "false"])
def test_compressed_columns(spark: SparkSession, spread: str, compressed: str) -> None:
    with settings(spark, spark__sql__inMemoryColumnarStorage__compressed=compressed):
        rows = spark.range(0, 6001, 1, 2).selectExpr("id", *cached_columns(SPREADS[spread]))
        with kept(rows.where("id <> 4000")):
            assert_equal_rows(
                spark, lambda: spark.sql("select * from kept where id % 3 <> 1 order by id"), ordered=True
            )
            for column in ("text", "text_0", "sentence_1", "boolean_0", "wide_2"):
                query = f"select {column}, count(*), sum(long_0) from kept group by {column}"
                assert_equal_rows(spark, lambda query=query: spark.sql(query))


@pytest.mark.parametrize(("pruning", "least", "most"), [("true", 1000, 3000), ("false", 100_000, 100_000)])
def test_batches_are_pruned_by_their_statistics(spark: SparkSession, pruning: str, least: int, most: int) -> None:
    with (
        settings(
            spark,
            spark__sql__inMemoryColumnarStorage__batchSize="1000",
            spark__sql__inMemoryColumnarStorage__partitionPruning=pruning,
        ),
        kept(spark.range(0, 100_000, 1, 2).selectExpr("id", "concat('t', id) as s")),
    ):
        query = "select count(s), max(s) from kept where id between 70500 and 71500"
        assert assert_equal_rows(spark, lambda: spark.sql(query))
        (df := spark.sql(query)).collect()
        assert least <= rows_of(df._jdf.queryExecution().executedPlan(), "NativeInMemoryTableScan") <= most


def rows_of(node: JavaObject, name: str) -> int:
    """Returns the rows that operators of that name emitted."""
    if node.nodeName() == "AdaptiveSparkPlan":
        return rows_of(node.executedPlan(), name)
    if node.nodeName() == "ResultQueryStage":
        return rows_of(node.plan(), name)
    own = node.metrics().apply("numOutputRows").value() if node.nodeName() == name else 0
    return own + sum(rows_of(node.children().apply(i), name) for i in range(node.children().size()))


def test_spark_fills_the_cache_once(spark: SparkSession) -> None:
    computed = spark.sparkContext.accumulator(0)

    def count(row: tuple[int]) -> tuple[int]:
        computed.add(1)
        return row

    rows = spark.sparkContext.parallelize([(i,) for i in range(1000)], 4).map(count)
    with kept(spark.createDataFrame(rows, "i int")):
        for modulus in (3, 5):
            df = spark.sql(f"select i % {modulus}, count(*) from kept group by 1")
            assert_native(df)
            assert len(df.collect()) == modulus
        assert computed.value == 1000


def test_only_the_wanted_columns_are_read(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers.select("id", "s", "x")):
        df = spark.sql("select max(x) from kept where id > 5")
        assert "NativeInMemoryTableScan [id#" in (text := explained(df))
        assert "s#" not in text.split("NativeInMemoryTableScan [")[1].split("]")[0]


def test_order_and_partitions(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers):
        rows = assert_equal_rows(spark, lambda: spark.sql("select id + 1, s from kept where id % 2 = 0"), ordered=True)
        df = spark.sql("select id + 1, s from kept where id % 2 = 0")
        # Two consumers take both of Spark's slots, and wait for the engine.
        assert df.rdd.getNumPartitions() == 2
        assert df.rdd.collect() == rows


def test_cache_table(spark: SparkSession, numbers: DataFrame) -> None:
    for lazy in ("", "lazy"):
        spark.sql(f"cache {lazy} table quick as select n, id from numbers where id < 1000")
        try:
            assert assert_equal_rows(spark, lambda: spark.sql("select n, sum(id) from quick group by n"))
        finally:
            spark.catalog.dropTempView("quick")


def test_a_cache_of_a_query_over_a_cache(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers.where("id < 2000")), kept(spark.sql("select n, sum(id) as total from kept group by n")):
        assert assert_equal_rows(spark, lambda: spark.sql("select max(total), count(n) from kept"))


def test_rows_alone_stay_with_spark(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers) as df:
        for query in ("select * from kept", "select id, s from kept limit 5"):
            assert_spark(found := spark.sql(query))
            assert "Spark has the rows at hand" in explained(found)
        assert df.count() == 5550


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_switched_off(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    """Spark reads the cache, as an island where more is to be done."""
    reason = "setting spark.accelerant.caches is false"
    with settings(spark, spark__sql__adaptive__enabled=adaptive), kept(numbers.where("id % 5 > 0")):
        for query in QUERIES[:6]:
            with plain(spark):
                expected = spark.sql(query).collect()
            with settings(spark, spark__accelerant__caches="false"):
                df = spark.sql(query)
                assert normalised(df.collect()) == normalised(expected), query
                text = explained(df)
                assert "NativeInMemoryTableScan" not in text
                assert f": {reason}" in text, text
                assert "(island): setting" in text, text
        assert_equal_rows(spark, lambda: spark.sql(QUERIES[0]))


def test_an_empty_cache(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers.where("id < 0")):
        assert assert_equal_rows(spark, lambda: spark.sql("select count(*), sum(id) from kept"))


def test_lost_blocks_leave_the_query_to_spark(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers.repartition(4)):
        query = "select count(*), sum(id) from kept"
        expected = assert_equal_rows(spark, lambda: spark.sql(query))
        lose_blocks(spark)
        df = spark.sql(query)
        assert_native(df)
        assert df.collect() == expected
        assert "Spark keeps 0 of 4 partitions" in explained(df)
        assert assert_equal_rows(spark, lambda: spark.sql(query)) == expected


def test_a_row_that_spark_does_not_come_to(spark: SparkSession, numbers: DataFrame) -> None:
    """With a limit Spark fills only the partitions that it needs, and only a part of them fails."""
    with kept(spark.range(0, 1000, 1, 4).selectExpr("id", "10 / (id - 900) as q")):
        df = spark.sql("select id + 1 as next from kept where q < 100 limit 2")
        assert_native(df)
        assert [row.next for row in df.collect()] == [1, 2]
        assert "is not filled, and a limit may not need all of it" in explained(df)
        df = spark.sql("select sum(q) from kept")
        assert failure(df.collect).condition == "DIVIDE_BY_ZERO"
        assert " can't be filled: " in explained(df)


def test_memory_alone_is_no_base_for_parts(spark: SparkSession, numbers: DataFrame) -> None:
    with kept(numbers.where("id > 7"), StorageLevel.MEMORY_ONLY):
        df = spark.sql("select id + 1 from kept where n > 1")
        assert_native(df)
        assert df.rdd.count() == len(spark.sql("select id + 1 from kept where n > 1").collect())
        assert "Spark may drop parts of the cached relation" in explained(df)


LOSSES: dict[str, Callable[[DataFrame], object]] = {
    "blocks": lambda df: lose_blocks(df.sparkSession),
    "unpersist": lambda df: df.unpersist(blocking=True),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_blocks_lost_behind_an_rdd_are_computed_again(spark: SparkSession, numbers: DataFrame, loss: str) -> None:
    """An RDD keeps what it is made of, whatever becomes of the cache: ML programs unpersist what they go on reading."""
    with kept(numbers.repartition(4)) as df:
        query = spark.sql("select id + 1 as next, s from kept where id > 5")
        assert_native(query)
        rdd = query.rdd
        rows = sorted(rdd.collect(), key=lambda row: row.next)
        assert len(rows) == 5544
        for _ in range(2):
            LOSSES[loss](df)
            assert sorted(rdd.collect(), key=lambda row: row.next) == rows
            assert rdd.sortBy(lambda row: row.next).take(3) == rows[:3]
        assert_native(query)


def test_what_is_lost_and_fails_when_computed_again(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    numbers.where("id < 100").write.parquet(str(tmp_path / "files"))
    with kept(spark.read.parquet(str(tmp_path / "files"))) as df:
        rdd = spark.sql("select id + 1 from kept").rdd
        assert rdd.count() == 100
        df.unpersist(blocking=True)
        shutil.rmtree(tmp_path / "files")
        assert str(tmp_path) in failure(rdd.count).message


def test_the_native_side_holds_little(spark: SparkSession) -> None:
    rows = spark.range(1_000_000).selectExpr("id", "concat('a text of some length ', id) as s")
    with kept(rows):
        spark.sql("select count(*) from kept").collect()
        with settings(spark, spark__accelerant__memory__limit="24m"):
            assert assert_equal_rows(spark, lambda: spark.sql("select count(s), min(s), sum(id) from kept"))
