"""Parquet files of bucketed tables: each row in the file of the bucket where Spark's readers look for it."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from oracle import failure, operators, plain, settings
from outcome import raw_values
from parquet_files import is_native
from pyspark.sql import DataFrame, DataFrameWriter, Row, SparkSession

pytestmark = pytest.mark.spark41

KEYS = {
    "byte": "cast(id % 3 - 1 as tinyint)",
    "short": "cast(id % 31 - 9 as smallint)",
    "int": "if(id % 4 = 0, null, cast(id % 70 - 30 as int))",
    "long": "id % 50 * 9000000000",
    "boolean": "if(id % 5 = 0, null, id % 2 = 0)",
    "float": "float(element_at(array('NaN', '-0.0', '0.0', '1.5', '-inf'), cast(id % 5 as int) + 1))",
    "double": "double(element_at(array('NaN', '-0.0', '0.0', '0.1', 'inf'), cast(id % 5 as int) + 1))",
    "decimal": "cast(id % 90 - 45 as decimal(20, 3)) / 7",
    "small decimal": "cast((id % 90 - 40) / 10 as decimal(7, 2))",
    "date": "date_add(date'1999-12-30', cast(id % 50 as int) * 40000)",
    "timestamp": "timestamp_micros(id % 60 * 86400000000 * 37 + id % 2 * 1500)",
    "timestamp_ntz": "timestamp_ntz'2020-02-29 01:02:03.5' + make_dt_interval(id % 40)",
    "string": "if(id % 9 = 0, null, concat(repeat('é', cast(id % 7 as int)), id % 23))",
    "binary": "cast(concat('b', id % 23) as binary)",
    "interval": "make_dt_interval(id % 40)",
}

Save = Callable[[DataFrameWriter], DataFrameWriter]
Tables = tuple[str, str]


@pytest.fixture(scope="module")
def rows(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `rows_to_bucket`: 3,000 rows in three files, which are read natively."""
    folder = str(tmp_path_factory.mktemp("rows") / "table")
    with plain(spark):
        spark.range(0, 3000, 1, 3).selectExpr("id", "concat('s', id % 100) as s", "double(id) / 3 as d").write.parquet(
            folder
        )
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("rows_to_bucket")
    return df


@pytest.fixture
def tables(spark: SparkSession) -> Iterator[Tables]:
    """The names of two tables, dropped afterwards: of files written natively and by plain Spark."""
    names = ("bucketed_natively", "bucketed_plainly")
    yield names
    for name in names:
        spark.sql(f"drop table if exists {name}")


def folder_of(spark: SparkSession, table: str) -> Path:
    described = spark.sql(f"describe formatted {table}").where("col_name = 'Location'").head()[1]
    return Path(described.removeprefix("file:"))


def bucket_of(file: Path) -> int:
    """Returns the bucket that Spark's readers take a file for."""
    found = re.fullmatch(r".*_(\d+)(?:\..*)?", file.name)
    assert found, file.name
    return int(found.group(1))


def files_of(spark: SparkSession, table: str) -> list[Path]:
    return sorted(folder_of(spark, table).rglob("*.parquet"))


def rows_of(file: Path) -> list[str]:
    """Returns a file's rows as text, in which NaN equals itself."""
    table = pq.ParquetFile(file).read()
    return list(map(str, zip(*(raw_values(column) for column in table.columns), strict=True)))


def by_bucket(spark: SparkSession, table: str) -> dict[tuple[str, int], list[str]]:
    """Returns the rows of each folder and bucket as text, in an order of their own."""
    root = folder_of(spark, table)
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for file in files_of(spark, table):
        found[str(file.parent.relative_to(root)), bucket_of(file)] += rows_of(file)
    return {place: sorted(rows) for place, rows in found.items()}


def save_both(spark: SparkSession, tables: Tables, df: DataFrame, shape: Save) -> None:
    """Saves natively and with plain Spark, and fails unless each row has the same folder and bucket."""
    natively, plainly = tables
    shape(df.write).saveAsTable(natively)
    with plain(spark):
        shape(df.write).saveAsTable(plainly)
    assert all(is_native(folder) for folder in {file.parent for file in files_of(spark, natively)})
    assert not any(is_native(folder) for folder in {file.parent for file in files_of(spark, plainly)})
    assert by_bucket(spark, natively) == by_bucket(spark, plainly)
    with plain(spark):
        ours, theirs = (spark.table(table) for table in tables)
        assert ours.schema == theirs.schema
        assert sorted(map(str, ours.collect())) == sorted(map(str, theirs.collect()))


@pytest.mark.parametrize("key", KEYS)
def test_keys(spark: SparkSession, rows: DataFrame, tables: Tables, key: str) -> None:
    df = spark.sql(f"select id, {KEYS[key]} as k, s from rows_to_bucket")
    save_both(spark, tables, df, lambda write: write.bucketBy(5, "k"))


def test_small_batches(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    df = spark.sql(f"select id, {KEYS['string']} as k, s from rows_to_bucket")
    with settings(spark, spark__accelerant__batch__rows="7"):
        save_both(spark, tables, df, lambda write: write.bucketBy(5, "k"))


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_several_keys_in_folders(spark: SparkSession, rows: DataFrame, tables: Tables, adaptive: str) -> None:
    folder = "if(id % 9 = 0, null, concat('x/y=', id % 5))"
    df = spark.sql(
        f"select id, {KEYS['string']} as u, {folder} as p, {KEYS['int']} as k, {KEYS['decimal']} as m "
        "from rows_to_bucket"
    )
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        save_both(spark, tables, df, lambda write: write.partitionBy("p").bucketBy(3, "u", "k").sortBy("m", "id"))


def test_what_is_below(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    groups = spark.sql("select s, id % 3 as k, count(*) as c, max(d) as d from rows_to_bucket group by s, id % 3")
    save_both(spark, tables, groups, lambda write: write.bucketBy(4, "s").mode("overwrite"))
    ranked = spark.sql("select id, s, row_number() over (partition by s order by d, id) as k from rows_to_bucket")
    save_both(spark, tables, ranked, lambda write: write.bucketBy(4, "k").mode("overwrite"))
    empty = spark.sql("select id, s from rows_to_bucket where id < 0")
    empty.write.bucketBy(4, "id").mode("overwrite").saveAsTable(tables[0])
    assert spark.table(tables[0]).count() == 0


def test_order_within_files(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    df = spark.sql("select id, id % 10 as k, if(id % 7 = 0, null, (id * 7919) % 300) as x from rows_to_bucket")
    save_both(spark, tables, df, lambda write: write.bucketBy(4, "k").sortBy("x"))
    for file in files_of(spark, tables[0]):
        values = pq.ParquetFile(file).read(["x"])["x"].to_pylist()
        keys = [(x is not None, x or 0) for x in values]
        assert len(keys) > 100
        assert keys == sorted(keys)


def test_rows_of_a_file(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    df = spark.sql("select id, id % 10 as k from rows_to_bucket")
    save_both(spark, tables, df, lambda write: write.bucketBy(4, "k").option("maxRecordsPerFile", 70))
    sizes = [pq.read_metadata(file).num_rows for file in files_of(spark, tables[0])]
    assert max(sizes) == 70
    assert sum(sizes) == 3000


def joined(spark: SparkSession, left: str, right: str) -> tuple[list[Row], list[str]]:
    """Joins two tables by plain Spark, by their buckets; returns the answer and the operators."""
    with (
        plain(spark),
        settings(
            spark,
            spark__sql__autoBroadcastJoinThreshold="-1",
            spark__sql__sources__bucketing__enabled="true",
            spark__sql__legacy__bucketedTableScan__outputOrdering="true",
        ),
    ):
        df = spark.sql(f"select a.id, b.id as other from {left} a join {right} b on a.k = b.k and a.id > b.id + 2900")
        return sorted(df.collect()), operators(df)


@pytest.mark.parametrize("files", ["one", "several"])
def test_join_by_buckets(spark: SparkSession, rows: DataFrame, tables: Tables, files: str) -> None:
    """Plain Spark joins by buckets without an exchange, and without a sort where each bucket is one sorted file."""
    df = spark.sql("select id, (id * 37) % 101 as k, s from rows_to_bucket")
    if files == "one":
        df = df.coalesce(1)
    save_both(spark, tables, df, lambda write: write.bucketBy(6, "k").sortBy("k"))
    natively, plainly = tables
    expected, names = joined(spark, plainly, plainly)
    assert "Exchange" not in names
    assert len(expected) > 10
    for left, right in ((natively, natively), (natively, plainly)):
        answer, names = joined(spark, left, right)
        assert answer == expected
        assert "Exchange" not in names
        assert ("Sort" in names) == (files == "several"), names


def test_filter_by_bucket(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    """Spark reads only the files of the buckets that a filter leaves."""
    df = spark.sql("select id, (id * 37) % 101 as k, s from rows_to_bucket")
    save_both(spark, tables, df, lambda write: write.bucketBy(50, "k"))
    with plain(spark):
        for key in (0, 3, 50, 99, 100, 101):
            ours, theirs = (sorted(spark.table(table).where(f"k = {key}").collect()) for table in tables)
            assert ours == theirs


def test_insert(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    for table in tables:
        with settings(spark, spark__accelerant__enabled=str(table == tables[0]).lower()):
            spark.sql(
                f"create table {table} (id bigint, s string, p int) using parquet partitioned by (p) "
                "clustered by (s) sorted by (id) into 4 buckets"
            )
            spark.sql(f"insert into {table} select id, s, id % 2 from rows_to_bucket")
            spark.sql(f"insert into {table} partition (p = 7) select id, s from rows_to_bucket where id < 90")
            spark.sql(f"insert overwrite {table} partition (p = 1) select id, s from rows_to_bucket where id < 9")
    assert all(is_native(folder) for folder in {file.parent for file in files_of(spark, tables[0])})
    assert by_bucket(spark, tables[0]) == by_bucket(spark, tables[1])


def test_error_of_a_row(spark: SparkSession, rows: DataFrame, tables: Tables) -> None:
    df = spark.sql("select id, id % 3 as k, 1 / (id - 2900) as x from rows_to_bucket")
    error = failure(lambda: df.write.bucketBy(4, "k").saveAsTable(tables[0]))
    assert error.condition == "DIVIDE_BY_ZERO"
