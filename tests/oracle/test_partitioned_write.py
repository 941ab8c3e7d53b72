"""Parquet files in folders by columns' values: as Spark's own, folder by folder."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from oracle import failure, plain, settings
from parquet_files import is_native
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

KEYS = {
    "byte": "cast(id % 3 - 1 as tinyint)",
    "int": "cast(id % 7 - 3 as int)",
    "long": "if(id % 4 = 0, null, id % 5 * 9000000000)",
    "boolean": "if(id % 5 = 0, null, id % 2 = 0)",
    "decimal": "cast(id % 9 as decimal(20, 3)) / 7",
    "small decimal": "cast((id % 9 - 4) / 10 as decimal(7, 2))",
    "date": "date_add(date'1999-12-30', cast(id % 5 as int) * 40000)",
    "timestamp": "timestamp_micros(id % 6 * 86400000000 * 37 + id % 2 * 1500)",
    "timestamp_ntz": "timestamp_ntz'2020-02-29 01:02:03.5' + make_dt_interval(id % 4)",
    "double": "double(id % 4) / 3",
    "string": "element_at(array('a', 'b c', 'x/y=z', '%41', 'é😀', 'e\u0301', '', null, 'a:b\\\\c\"#'), "
    "cast(id % 9 as int) + 1)",
}


@pytest.fixture(scope="module")
def rows(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `rows_to_part`: 3,000 rows in three files, which are read natively."""
    folder = str(tmp_path_factory.mktemp("rows") / "table")
    with plain(spark):
        spark.range(0, 3000, 1, 3).selectExpr("id", "concat('s', id % 100) as s", "double(id) / 3 as d").write.parquet(
            folder
        )
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("rows_to_part")
    return df


def folders(root: Path) -> set[str]:
    """Returns the folders that hold files, from a root on."""
    return {str(path.parent.relative_to(root)) for path in root.rglob("*.parquet")}


def assert_all_native(root: Path, native: bool = True) -> None:
    for folder in folders(root):
        assert is_native(root / folder) == native, folder


def rows_by_folder(spark: SparkSession, root: Path) -> dict[str, list[str]]:
    """Returns the rows as Spark's reader finds them, those of a folder in an order of their own."""
    found: dict[str, list[str]] = {}
    with plain(spark):
        for row in spark.read.parquet(str(root)).withColumn("file", F.input_file_name()).collect():
            folder = row.file.removeprefix(f"file://{root}").rpartition("/")[0]
            found.setdefault(folder, []).append(str(row[:-1]))
    return {folder: sorted(rows) for folder, rows in found.items()}


def schemas(root: Path) -> set[tuple[str, bytes]]:
    """Returns what the files' columns are, and what Spark takes them for."""
    found = (pq.read_schema(path) for path in root.rglob("*.parquet"))
    return {
        (str(schema.remove_metadata()), schema.metadata[b"org.apache.spark.sql.parquet.row.metadata"])
        for schema in found
    }


def assert_equal_trees(spark: SparkSession, ours: Path, theirs: Path) -> None:
    """Fails unless two trees have the same folders with the same rows."""
    assert folders(ours) == folders(theirs)
    assert schemas(ours) == schemas(theirs)
    assert rows_by_folder(spark, ours) == rows_by_folder(spark, theirs)


def write_both(spark: SparkSession, root: Path, write: Callable[[str], None]) -> Path:
    """Writes natively and with plain Spark, and compares; returns the native tree."""
    write(str(root / "native"))
    assert_all_native(root / "native")
    with plain(spark):
        write(str(root / "expected"))
    assert_all_native(root / "expected", native=False)
    assert_equal_trees(spark, root / "native", root / "expected")
    return root / "native"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_keys(spark: SparkSession, rows: DataFrame, tmp_path: Path, key: str, batch_rows: str) -> None:
    df = spark.sql(f"select id, {KEYS[key]} as k, s, d from rows_to_part where id < 300")
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        write_both(spark, tmp_path, df.write.partitionBy("k").parquet)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Kathmandu"])
def test_several_columns(spark: SparkSession, rows: DataFrame, tmp_path: Path, zone: str, adaptive: str) -> None:
    df = spark.sql(
        f"select {KEYS['timestamp']} as t, s, {KEYS['string']} as u, id, {KEYS['boolean']} as b from rows_to_part"
    )
    with settings(spark, spark__sql__session__timeZone=zone, spark__sql__adaptive__enabled=adaptive):
        write_both(spark, tmp_path, df.write.partitionBy("u", "t", "b").parquet)


def test_what_is_below(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    groups = spark.sql("select s, id % 3 as k, count(*) as c, max(d) as d from rows_to_part group by s, id % 3")
    write_both(spark, tmp_path / "groups", groups.write.partitionBy("k").parquet)
    ranked = spark.sql("select id, s, row_number() over (partition by s order by d, id) as k from rows_to_part")
    write_both(spark, tmp_path / "ranked", ranked.where("k < 5").write.partitionBy("k").parquet)
    spark.sql("select id, s from rows_to_part where id < 0").write.partitionBy("s").parquet(str(tmp_path / "empty"))
    assert folders(tmp_path / "empty") == set()


def test_concurrent_writers(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    df = spark.sql("select id, s from rows_to_part")
    with settings(spark, spark__sql__maxConcurrentOutputFileWriters="10"):
        write_both(spark, tmp_path, df.write.partitionBy("s").parquet)


def ids_by_file(spark: SparkSession, root: Path) -> list[list[int]]:
    with plain(spark):
        return [[row.id for row in spark.read.parquet(str(path)).collect()] for path in sorted(root.rglob("*.parquet"))]


def test_rows_of_a_file(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    df = spark.sql("select id, id % 3 as k from rows_to_part")
    native = write_both(spark, tmp_path, df.write.partitionBy("k").option("maxRecordsPerFile", 70).parquet)
    sizes = [len(ids) for ids in ids_by_file(spark, native)]
    assert max(sizes) == 70
    assert sum(sizes) == 3000


def test_order_within_files(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    query = "select id, id % 3 as k, (id * 7919) % 3001 as x from rows_to_part"
    within = spark.sql(query).sortWithinPartitions("k", "x")
    native = write_both(spark, tmp_path / "within", within.write.partitionBy("k").parquet)
    for ids in ids_by_file(spark, native):
        keys = [(i * 7919) % 3001 for i in ids]
        assert keys == sorted(keys)
    # Spark adds no sort by folders then, and keeps the program's.
    with settings(spark, spark__sql__maxConcurrentOutputFileWriters="10"):
        within = spark.sql(query).sortWithinPartitions("x")
        native = write_both(spark, tmp_path / "concurrent", within.write.partitionBy("k").parquet)
    for ids in ids_by_file(spark, native):
        keys = [(i * 7919) % 3001 for i in ids]
        assert keys == sorted(keys)
    plainly = write_both(spark, tmp_path / "plainly", spark.sql(query).write.partitionBy("k").parquet)
    places = {row.id: place for place, row in enumerate(spark.sql(query).collect())}
    assert all(ids == sorted(ids, key=places.get) for ids in ids_by_file(spark, plainly))


def test_save_modes_and_dynamic_overwrite(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    df = spark.sql("select id, id % 3 as k from rows_to_part")

    def write(path: str) -> None:
        df.write.partitionBy("k").parquet(path)
        df.where("id < 100").write.mode("append").partitionBy("k").parquet(path)
        with settings(spark, spark__sql__sources__partitionOverwriteMode="dynamic"):
            df.where("k = 1 and id < 50").write.mode("overwrite").partitionBy("k").parquet(path)

    write_both(spark, tmp_path, write)


def table_folder(spark: SparkSession, table: str) -> Path:
    described = spark.sql(f"describe formatted {table}").where("col_name = 'Location'").head()[1]
    return Path(described.removeprefix("file:"))


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_tables(spark: SparkSession, rows: DataFrame, mode: str) -> None:
    """Static and dynamic partitions of a table, which the catalog learns of."""

    def fill(table: str) -> None:
        spark.sql(f"create table {table} (id bigint, s string, a int, b string) using parquet partitioned by (a, b)")
        spark.sql(f"insert into {table} select id, s, id % 2, concat('b', id % 3) from rows_to_part where id < 60")
        spark.sql(f"insert into {table} partition (a = 7, b) select id, s, s from rows_to_part where id < 5")
        spark.sql(f"insert into {table} partition (a = 8, b = 'x y') select id, s from rows_to_part where id < 5")
        spark.sql(f"insert overwrite {table} partition (a = 1, b) select id, s, 'b1' from rows_to_part where id < 9")
        spark.sql(f"insert overwrite {table} select id, s, 0, 'b2' from rows_to_part where id < 9")

    with settings(spark, spark__sql__sources__partitionOverwriteMode=mode):
        fill("parted_natively")
        with plain(spark):
            fill("parted_plainly")
    try:
        ours, theirs = table_folder(spark, "parted_natively"), table_folder(spark, "parted_plainly")
        assert_all_native(ours)
        assert_equal_trees(spark, ours, theirs)
        shown = [spark.sql(f"show partitions {name}").collect() for name in ("parted_natively", "parted_plainly")]
        assert shown[0] == shown[1]
        assert sorted(spark.table("parted_natively").collect()) == sorted(spark.table("parted_plainly").collect())
    finally:
        spark.sql("drop table parted_natively")
        spark.sql("drop table parted_plainly")


def test_error_of_a_row(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    df = spark.sql("select id, id % 3 as k, 1 / (id - 2900) as x from rows_to_part")
    error = failure(lambda: df.write.partitionBy("k").parquet(str(tmp_path / "t")))
    assert error.condition == "DIVIDE_BY_ZERO"
    assert not list((tmp_path / "t").rglob("*.parquet"))


def test_many_folders_with_little_memory(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.range(0, 200000, 1, 4).selectExpr("id", "concat(id, repeat('x', 50)) as s", "id div 100 as k")
    with settings(spark, spark__accelerant__memory__limit="24m"):
        df.write.partitionBy("k").parquet(str(tmp_path / "t"))
    assert len(folders(tmp_path / "t")) == 2000
    assert is_native(tmp_path / "t" / "k=17")
    with plain(spark):
        written = spark.read.parquet(str(tmp_path / "t"))
        assert written.where("k != id div 100 or s != concat(id, repeat('x', 50))").isEmpty()
        assert (written.count(), written.select("id").distinct().count()) == (200000, 200000)


def test_unplanned_write(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    """Where Spark plans no write, its command sorts and writes native rows."""
    df = spark.sql("select s, id % 3 as k, count(*) as c from rows_to_part group by s, id % 3")
    with settings(spark, spark__sql__optimizer__plannedWrite__enabled="false"):
        df.write.partitionBy("k").parquet(str(tmp_path / "ours"))
        executions = spark._jsparkSession.sharedState().statusStore().executionsList()
        shown = executions.apply(executions.size() - 1).physicalPlanDescription()
        with plain(spark):
            df = spark.sql("select s, id % 3 as k, count(*) as c from rows_to_part group by s, id % 3")
            df.write.partitionBy("k").parquet(str(tmp_path / "theirs"))
    assert "NativeHashAggregate" in shown
    assert_all_native(tmp_path / "ours", native=False)
    assert_equal_trees(spark, tmp_path / "ours", tmp_path / "theirs")


@pytest.mark.parametrize("form", ["orc", "json", "csv"])
def test_other_formats_over_an_exchange(spark: SparkSession, rows: DataFrame, tmp_path: Path, form: str) -> None:
    """Spark's writer sorts for its folders; what is below its exchange is native all the same."""
    query = "select s, id % 3 as k, count(*) as c from rows_to_part group by s, id % 3"
    spark.sql(query).repartition(2, "k").write.partitionBy("k").format(form).save(str(tmp_path / "ours"))
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    assert "NativeHashAggregate" in executions.apply(executions.size() - 1).physicalPlanDescription()
    with plain(spark):
        spark.sql(query).repartition(2, "k").write.partitionBy("k").format(form).save(str(tmp_path / "theirs"))
        ours, theirs = (
            spark.read.format(form).schema("s string, c bigint, k int").load(str(tmp_path / name))
            for name in ("ours", "theirs")
        )
        assert sorted(ours.collect()) == sorted(theirs.collect())
