"""What Spark's caches are filled with by the engine: to the byte what Spark's own builders make."""

from pathlib import Path

import pytest
from oracle import assert_native, failure, plain, settings
from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame, SparkSession
from test_cached_relations import SPREADS, cached_columns, kept

pytestmark = pytest.mark.spark41

BY_THE_ENGINE = "UnsafeRow"
BY_SPARK = "GenericInternalRow"


def batches(df: DataFrame) -> tuple[set[str], list]:
    """Caches a frame; returns what its statistics are made of, and of each batch rows, columns and statistics."""
    types = df.sparkSession._jvm.org.apache.spark.sql.types.DataTypes
    with kept(df):
        relation = df._jdf.queryExecution().withCachedData()
        output = relation.output()
        own = [output.apply(i).dataType() for i in range(output.size())]
        fields = [field for of in own for field in (of, of, types.IntegerType, types.IntegerType, types.LongType)]
        found = list(relation.cacheBuilder().cachedColumnBuffers().collect())
        makers = {batch.stats().getClass().getSimpleName() for batch in found}
        return makers, [
            (batch.numRows(), [bytes(column) for column in batch.buffers()], statistics(batch.stats(), fields))
            for batch in found
        ]


def statistics(row: JavaObject, fields: list[JavaObject]) -> list[str]:
    return [str(row.get(i, field)) for i, field in enumerate(fields)]


def assert_filled_alike(spark: SparkSession, sql: str) -> list:
    """Compares what a query's rows are cached as by Spark and by the engine; returns the batches."""
    with plain(spark):
        makers, expected = batches(spark.sql(sql))
    assert makers == {BY_SPARK}
    makers, found = batches(spark.sql(sql))
    assert makers == {BY_THE_ENGINE}
    assert [batch[0] for batch in found] == [batch[0] for batch in expected]
    for (_, mine, my_statistics), (_, theirs, their_statistics) in zip(found, expected, strict=True):
        for i, (column, other) in enumerate(zip(mine, theirs, strict=True)):
            assert column == other, f"column {i}"
        assert my_statistics == their_statistics
    return found


@pytest.fixture(scope="module")
def ids(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 40,000 numbers."""
    path = tmp_path_factory.mktemp("ids") / "table"
    with plain(spark):
        spark.range(0, 40_000, 1, 1).write.parquet(str(path))
    return path


@pytest.mark.parametrize(("spread", "compressed"), [*((spread, "true") for spread in SPREADS), ("few values", "false")])
def test_every_type_and_compression(spark: SparkSession, ids: Path, spread: str, compressed: str) -> None:
    columns = f"select {', '.join(cached_columns(SPREADS[spread]))} from parquet.`{ids}` where id < 6000"
    of_the_cache = {"compressed": compressed, "batchSize": "2500"}
    names = {f"spark__sql__inMemoryColumnarStorage__{name}": value for name, value in of_the_cache.items()}
    with settings(spark, **names):
        assert len(assert_filled_alike(spark, columns)) == 3


@pytest.mark.parametrize("batch_rows", ["0", "7"])
def test_batches_end_where_sparks_do(spark: SparkSession, ids: Path, batch_rows: str) -> None:
    """By rows, and by bytes: texts of several kilobytes, of which some rows have none."""
    texts = f"select if(id % 7 = 0, null, repeat('x', cast(pmod(hash(id), 5000) as int))) t, id from parquet.`{ids}`"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert len(assert_filled_alike(spark, f"{texts} where id < 6000")) > 3
        with settings(spark, spark__sql__inMemoryColumnarStorage__batchSize="2000"):
            assert len(assert_filled_alike(spark, f"select id, id is null as b from parquet.`{ids}`")) == 20


def test_types_alike_and_no_columns(spark: SparkSession, ids: Path) -> None:
    moments = "timestamp_micros(id * 86399000001)"
    intervals = "make_dt_interval(id, 1) as e, make_ym_interval(0, cast(id as int)) as f"
    sql = f"select cast({moments} as timestamp_ntz) as n, {intervals} from parquet.`{ids}` where id < 2000"
    assert_filled_alike(spark, sql)
    makers, found = batches(spark.read.parquet(str(ids)).where("id >= 0").select())
    assert makers == {BY_THE_ENGINE}
    assert [batch[:2] for batch in found] == [(10_000, [])] * 4


def test_wide_rows(spark: SparkSession, ids: Path) -> None:
    """Rows of a megabyte and a half, a few of which are a batch."""
    texts = "select id, repeat(cast(id as string), 400000 - cast(id % 7 * 50000 as int)) as t"
    assert len(assert_filled_alike(spark, f"{texts} from parquet.`{ids}` where id between 1000 and 1040")) > 5


@pytest.mark.parametrize("condition", ["true", "id % 6 = 0", "id % 6 < 3", "id % 6 = 4"])
def test_floats(spark: SparkSession, ids: Path, condition: str) -> None:
    values = "array(double('NaN'), -0.0D, 0.0D, double('inf'), double('-inf'), 1.5D)"
    rows = f"select element_at({values}, cast(id % 6 as int) + 1) as x, id from parquet.`{ids}`"
    sql = f"select x, cast(x as float) y, if(id < 0, x, null) z from ({rows} where id < 500 and {condition})"
    assert_filled_alike(spark, sql)


def test_dictionaries_that_are_full(spark: SparkSession, ids: Path) -> None:
    """More different values in a batch than a dictionary takes, though most come often, and just as many."""
    with settings(spark, spark__sql__inMemoryColumnarStorage__batchSize="200000"):
        repeated = f"(select explode(sequence(1, 5)) as n, id from parquet.`{ids}`)"
        values = "select {0} * 1000 as k, cast({0} as string) s from " + repeated
        assert_filled_alike(spark, values.format("id"))
        assert_filled_alike(spark, values.format("(id % 32767)"))


def test_nested_values_are_sparks(spark: SparkSession, ids: Path) -> None:
    makers, _ = batches(spark.sql(f"select id, array(id) as a from parquet.`{ids}`"))
    assert makers == {BY_SPARK}


def test_no_rows(spark: SparkSession, ids: Path) -> None:
    sql = f"select id, cast(id as string) s from parquet.`{ids}` where id < 0"
    assert_native(spark.sql(sql))
    assert batches(spark.sql(sql))[1] == []


def test_little_memory(spark: SparkSession, ids: Path) -> None:
    with settings(spark, spark__accelerant__memory__limit="200k"):
        assert len(assert_filled_alike(spark, f"select id, repeat('y', 20) || id as s from parquet.`{ids}`")) == 4


def test_a_row_that_fails(spark: SparkSession, ids: Path) -> None:
    def condition() -> str:
        df = spark.sql(f"select id, 1 / (id - 30000) as x from parquet.`{ids}`")
        with kept(df):
            return failure(df.count).condition

    found = condition()
    with plain(spark):
        assert condition() == found == "DIVIDE_BY_ZERO"
