"""Columns of arrays, maps and structs, which operators hand on, and functions or Spark's own code compute with."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from lacking import PLACE
from nested_table import COLUMNS
from oracle import assert_equal_rows, assert_native, explained, normalised, operators, plain, settings
from pyspark.sql import DataFrame, Row, SparkSession

pytestmark = pytest.mark.spark41


def plain_rows(spark: SparkSession, query: Callable[[], DataFrame]) -> list[Row]:
    """Returns the rows of a query on plain Spark."""
    with plain(spark):
        return query().collect()


def schemas(folder: Path) -> set[str]:
    """Returns the Parquet schemas of a folder's files, as texts."""
    return {str(pq.ParquetFile(path).schema).split("\n", 1)[1] for path in folder.rglob("*.parquet")}


CARRIED = (
    "select * from nested",
    "select id, tags, point from nested where n = 2",
    "select a.id, a.tags, b.deep from nested a join nested b on a.id = b.id + 7 where b.n > 1",
    "select a.id, b.sizes from nested a left join nested b on a.id = b.id + 4000",
    "select a.n, b.id, b.point from (select distinct n from nested) a full join nested b on a.n = b.id",
    "select id, tags from nested where id in (select id + 1 from nested where n = 3)",
    "select * from nested order by n desc, id",
    "select id, deep, wide from nested order by n, id desc limit 17",
    "select tags, point from nested union all select tags, point from nested where id < 9",
    "select id, prices, flags from nested where tags is not null and sizes is null",
    "select count(tags), count(distinct n), count(*) from nested",
    "select tags, array(n) from nested where id < 50 union all select numbers, null from (select array('x') numbers)",
    "select id, a.tags from nested a where exists (select 1 from nested b where b.id = a.n and b.tags is not null)",
)


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("query", CARRIED)
def test_operators_hand_them_on(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


def test_limit_without_order(spark: SparkSession, nested: DataFrame) -> None:
    assert (
        len(assert_equal_rows(spark, lambda: spark.sql("select tags, sizes from nested limit 50"), ordered=True)) == 50
    )


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_chosen_values(spark: SparkSession, nested: DataFrame, batch_rows: str) -> None:
    calls = ", ".join(f"max_by({c}, id), min_by({c}, id), max_by({c}, tags[0])" for c in COLUMNS)
    ends = ", ".join(f"first({c}), last({c}, true), any_value({c}, true)" for c in COLUMNS)
    one_partition = {"spark__sql__files__minPartitionNum": "1", "spark__sql__files__openCostInBytes": "0"}
    with settings(spark, spark__accelerant__batch__rows=batch_rows, **one_partition):
        for keys in ["", "n", "id"]:
            by_key = f"select {calls} from nested where id % 3 > 0" + (f" group by {keys}" if keys else "")
            assert_equal_rows(spark, lambda by_key=by_key: spark.sql(by_key))
        assert_equal_rows(spark, lambda: spark.sql(f"select {ends} from nested"))
        assert_equal_rows(spark, lambda: spark.sql(f"select {ends}, max_by(deep, id) from nested where id < 0"))
        assert_equal_rows(spark, lambda: nested.dropDuplicates(["id"]))
        kept = "filter (where n > 1)"
        filtered = [
            f"first(deep) {kept}",
            f"last(tags, true) {kept}",
            f"max_by(sizes, id) {kept}",
            f"count(point) {kept}",
        ]
        filtered += [f"collect_list(point) {kept}", f"count(tags, n) {kept}"]
        assert_equal_rows(spark, lambda: spark.sql(f"select {', '.join(filtered)} from nested"))


def test_lists_of_them(spark: SparkSession, nested: DataFrame) -> None:
    query = "select n, collect_list(point), collect_list(tags), collect_list(sizes) from {} group by n order by n"
    source = "(select * from nested where id < 40)"
    assert assert_equal_rows(spark, lambda: spark.sql(query.format(source)), ordered=True)


# The operator that has no keys of these types.
KEYS = {
    "select n, mode(point, true), max(tags) from nested where id < 5 group by n": "aggregate mode of struct<",
}


@pytest.mark.parametrize("query", KEYS)
def test_they_are_no_keys(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled="false"):
        df = spark.sql(query)
        rows = df.collect()
    assert KEYS[query] in explained(df), explained(df)
    assert normalised(rows) == normalised(plain_rows(spark, lambda: spark.sql(query)))


@pytest.mark.parametrize(
    "query", (CARRIED[1], "select n, count(*), sum(id) from nested where tags is not null group by n")
)
def test_on_a_device(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__accelerant__device="emu", spark__accelerant__strict="false"):
        assert assert_equal_rows(spark, lambda: spark.sql(query))


COMPUTED = (
    "select id, size(tags), tags[0], element_at(sizes, 'k1'), point.label, point.n + 1 from nested",
    "select id from nested where array_contains(tags, 'tag 8 of 3') or point.x > 600",
    "select transform(numbers, x -> x + id), filter(tags, t -> t like '%1'), exists(numbers, x -> x > n) from nested",
    "select id, aggregate(numbers, 0L, (a, x) -> a + coalesce(x, 0)), array_sort(tags) from nested",
    "select id, map_keys(sizes), map_values(sizes), map_from_entries(map_entries(sizes)) from nested",
    "select id, deep[0].xs[0], deep[0].m, named_struct('a', n, 'b', tags) from nested",
    "select n, count(*), sum(size(tags)), max(point.label) from nested group by n",
    "select size(tags) s, count(*) from nested group by 1 order by 1",
    "select a.id from nested a join nested b on a.tags[1] = b.tags[0] or a.id = b.point.n where a.id < 40 and b.id < 9",
    "select id, split(cast(id as string), '1'), array(id, n), array(), map() from nested",
    "select id, to_json(point), to_json(sizes) from nested",
    "select id, from_json(concat('{\"a\": [', id, ']}'), 'a array<int>').a[0] from nested",
    "select id, tags = array('x'), point = named_struct('x', 0D, 'label', 'b', 'n', 1S) from nested",
)


def may_fail(query: str) -> bool:
    """Says whether an index lies outside of an array, which is an error in ANSI mode."""
    return "[" in query and "element_at" not in query


@pytest.mark.parametrize(
    ("query", "ansi"), [(q, ansi) for q in COMPUTED for ansi in ("true", "false") if ansi == "false" or not may_fail(q)]
)
def test_they_are_computed_with(spark: SparkSession, nested: DataFrame, query: str, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


@pytest.mark.parametrize("query", CARRIED[1:3] + CARRIED[5:8] + COMPUTED[:1])
def test_cached(spark: SparkSession, nested: DataFrame, query: str) -> None:
    df = spark.table("nested").cache()
    try:
        with settings(spark, spark__sql__ansi__enabled="false"):
            assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)
    finally:
        df.unpersist(blocking=True)


ISLANDS = (
    f"select id, tags, point from (select *, {PLACE} as place from nested) where place > 2 order by id",
    f"select n, count(*), max(m.label) from (select n, point m, {PLACE} as p from nested) where p > 2 group by n",
    "select a.id, a.tags, w.deep from nested w join "
    "(select id, tags, row_number() over (partition by n order by id) r from nested) a on a.r = w.id where a.id < 2000",
)


@pytest.mark.parametrize("query", ISLANDS)
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_rows_of_islands(spark: SparkSession, nested: DataFrame, query: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = spark.sql(query)
        rows = df.collect()
        assert any(name.startswith("Native") for name in operators(df)), explained(df)
        with plain(spark):
            assert normalised(rows) == normalised(spark.sql(query).collect())


def test_rows_that_come_with_the_query(spark: SparkSession, nested: DataFrame) -> None:
    values = (
        "(1, array('a', null), map('k', 1.5D), named_struct('xs', array(3, null), 't', 'x')), (2, null, null, null), "
        "(3, array(), map(), named_struct('xs', null, 't', null))"
    )
    spark.sql(f"create or replace temporary view few as select * from values {values} as t(id, tags, m, s)")
    query = "select nested.id, few.* from nested join few on nested.n = few.id order by nested.id, few.id"
    assert assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)


def test_to_pandas_and_parts(spark: SparkSession, nested: DataFrame) -> None:
    df = spark.sql("select id, tags, sizes, point, deep from nested where id < 700")
    assert_native(df)
    native, parts = df.toArrow().to_pylist(), df.rdd.collect()
    with plain(spark):
        expected = spark.sql("select id, tags, sizes, point, deep from nested where id < 700")
        assert native == expected.toArrow().to_pylist()
        assert normalised(parts) == normalised(expected.collect())


@pytest.mark.parametrize("folders", ["", "n"])
def test_written_files(spark: SparkSession, nested: DataFrame, tmp_path: Path, folders: str) -> None:
    def write(path: Path) -> None:
        writer = spark.sql("select * from nested").write
        (writer.partitionBy(folders) if folders else writer).parquet(str(path))

    write(tmp_path / "native")
    with plain(spark):
        write(tmp_path / "plain")
        native, expected = (spark.read.parquet(str(tmp_path / name)) for name in ("native", "plain"))
        assert native.schema == expected.schema
        assert normalised(native.collect()) == normalised(expected.collect())
    created_by = [pq.ParquetFile(path).metadata.created_by for path in (tmp_path / "native").rglob("*.parquet")]
    assert created_by and all(name.startswith("accelerant") for name in created_by)
    assert schemas(tmp_path / "native") == schemas(tmp_path / "plain")


def test_lists_as_older_versions_wrote_them(spark: SparkSession, nested: DataFrame, tmp_path: Path) -> None:
    path = str(tmp_path / "legacy")
    with plain(spark), settings(spark, spark__sql__parquet__writeLegacyFormat="true"):
        spark.table("nested").write.parquet(path)
    assert assert_equal_rows(spark, lambda: spark.read.parquet(path))
    with settings(spark, spark__sql__parquet__writeLegacyFormat="true"):
        df = spark.table("nested")
        df.write.parquet(str(tmp_path / "written"))
    assert schemas(tmp_path / "written") == schemas(tmp_path / "legacy")


def test_members_that_files_lack(spark: SparkSession, nested: DataFrame, tmp_path: Path) -> None:
    path = str(tmp_path / "members")
    with plain(spark):
        spark.sql("select id, named_struct('B', n, 'a', tags) s from nested where id < 90").write.parquet(path)
        spark.sql("select id, named_struct('a', tags, 'c', id) s from nested where id < 9").write.mode(
            "append"
        ).parquet(path)
    schema = "id long, s struct<a: array<string>, b: int, c: long>"
    query = "select * from members"
    spark.read.schema(schema).parquet(path).createOrReplaceTempView("members")
    assert assert_equal_rows(spark, lambda: spark.sql(query))
    assert assert_equal_rows(spark, lambda: spark.sql("select s.b, s.a from members"))
    assert assert_equal_rows(spark, lambda: spark.read.schema("id long, s struct<z: int>").parquet(path))
