"""Parquet files that the engine writes: as Spark writes them, through Spark's commit protocol."""

import re
import threading
import time
from pathlib import Path

import pytest
from engine_process import collect_garbage, eventually, held_bytes
from oracle import Failure, failure, last_execution, plain, settings
from parquet_files import assert_equal_files, footers, is_native, parts, schema_of, table_of, write_both
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

CODECS = {
    "snappy": (".snappy.parquet", "SNAPPY"),
    "zstd": (".zstd.parquet", "ZSTD"),
    "gzip": (".gz.parquet", "GZIP"),
    "lz4_raw": (".lz4raw.parquet", "LZ4"),
    "none": (".parquet", "UNCOMPRESSED"),
}


# Arrow's know nothing of NaN, and it keeps none of INT96.
WITHOUT_STATISTICS = {"FLOAT", "DOUBLE", "INT96"}


@pytest.fixture(scope="module")
def rows(spark: SparkSession, numbers: DataFrame, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `rows`: those of `numbers`, with columns of the types it lacks."""
    folder = str(tmp_path_factory.mktemp("rows") / "table")
    with plain(spark):
        numbers.selectExpr(
            "*",
            "cast(u as timestamp_ntz) as v",
            "make_dt_interval(id, 1, 2, 3) as e",
            "make_ym_interval(id, 1) as f",
            "cast(x as decimal(7, 2)) as g",
            "timestamp_micros(-id * 9000000000001) as o",
            "if(id % 2 = 0, double('NaN'), -0.0) as p",
            "cast(null as int) as q",
            "repeat('x', cast(id % 3 as int) * 1000) as l",
        ).write.parquet(folder)
    df = spark.read.parquet(folder).where("id >= 0")
    df.createOrReplaceTempView("rows")
    return df


@pytest.mark.parametrize("timestamps", ["INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"])
@pytest.mark.parametrize("legacy", ["false", "true"])
def test_types(spark: SparkSession, rows: DataFrame, tmp_path: Path, timestamps: str, legacy: str) -> None:
    chosen = {"outputTimestampType": timestamps, "writeLegacyFormat": legacy}
    with settings(spark, **{f"spark.sql.parquet.{name}".replace(".", "__"): value for name, value in chosen.items()}):
        assert_equal_files(spark, tmp_path, rows.write.parquet)


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_computed_columns_and_encodings(spark: SparkSession, rows: DataFrame, tmp_path: Path, batch_rows: str) -> None:
    query = "select id, s, n + 1 as m, 'same' as c, cast(null as string) as z, d * 2 as d, id > 7 as b from rows"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_files(spark, tmp_path, lambda path: spark.sql(query).write.parquet(path))


@pytest.mark.parametrize("codec", CODECS)
def test_codecs(spark: SparkSession, rows: DataFrame, tmp_path: Path, codec: str) -> None:
    folder = assert_equal_files(spark, tmp_path, rows.write.option("compression", codec).parquet)
    ending, name = CODECS[codec]
    assert all(path.name.endswith("-c000" + ending) for path in parts(folder))
    assert {footer.row_group(0).column(0).compression for footer in footers(folder)} == {name}


def test_statistics_and_page_indexes(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    native, expected = write_both(spark, tmp_path, rows.write.parquet)
    ours, theirs = (chunks_by_name(folder) for folder in (native, expected))
    for name, found in ours.items():
        assert all(chunk.has_offset_index for chunk in found), name
        if found[0].physical_type not in WITHOUT_STATISTICS:
            assert {chunk.has_column_index for chunk in found} == {chunk.has_column_index for chunk in theirs[name]}, (
                name
            )
            assert extremes(found) == extremes(theirs[name]), name


def test_no_row_is_lost_to_statistics(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    rows.write.parquet(str(tmp_path / "t"))
    assert is_native(tmp_path / "t")
    with plain(spark):
        written = spark.read.parquet(str(tmp_path / "t"))
        for condition in ["p > 5", "p = double('NaN')", "p = 0", "o < '1900-01-01'", "t < '1600-01-01'", "q is null"]:
            assert written.where(condition).count() == rows.where(condition).count() > 0, condition


def chunks_by_name(folder: Path) -> dict[str, list]:
    groups = [footer.row_group(i) for footer in footers(folder) for i in range(footer.num_row_groups)]
    columns = [group.column(i) for group in groups for i in range(group.num_columns)]
    return {name: [c for c in columns if c.path_in_schema == name] for name in {c.path_in_schema for c in columns}}


def extremes(chunks: list) -> tuple:
    known = [chunk.statistics for chunk in chunks if chunk.statistics is not None]
    bounded = [statistics for statistics in known if statistics.has_min_max]
    least = min((statistics.min for statistics in bounded), default=None)
    return least, max((statistics.max for statistics in bounded), default=None), sum(s.null_count for s in known)


def test_empty_result(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    native = assert_equal_files(spark, tmp_path, rows.where("n > 1000").write.parquet)
    assert [footer.num_rows for footer in footers(native)] == [0]


def test_groups_and_sorted_rows(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    groups = spark.sql("select s, count(*) as c, max(d) as d from rows group by s")
    assert_equal_files(spark, tmp_path / "groups", groups.write.parquet)
    ordered = spark.sql("select id, s from rows order by id desc")
    native, _ = write_both(spark, tmp_path / "sorted", ordered.write.parquet)
    ids = [row.id for path in parts(native) for row in spark.read.parquet(str(path)).collect()]
    assert ids == sorted(ids, reverse=True)
    assert len(ids) == 5550


def test_rows_of_a_file(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    native = assert_equal_files(spark, tmp_path, rows.write.option("maxRecordsPerFile", 700).parquet)
    counts = [footer.num_rows for footer in footers(native)]
    assert max(counts) == 700
    assert sum(counts) == 5550
    assert [path.name.rsplit("-c", 1)[1] for path in parts(native)][:2] == ["000.snappy.parquet", "001.snappy.parquet"]


def test_row_groups_by_bytes_and_rows(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    by_bytes = assert_equal_files(spark, tmp_path / "bytes", rows.write.option("parquet.block.size", 9000).parquet)
    by_rows = assert_equal_files(
        spark, tmp_path / "rows", rows.write.option("parquet.block.row.count.limit", 150).parquet
    )
    assert max(footer.num_row_groups for footer in footers(by_bytes)) > 1
    sizes = [footer.row_group(i).num_rows for footer in footers(by_rows) for i in range(footer.num_row_groups)]
    assert max(sizes) == 150


def test_without_dictionaries(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    native = assert_equal_files(spark, tmp_path, rows.write.option("parquet.enable.dictionary", "false").parquet)
    assert not any(chunk.has_dictionary_page for chunks in chunks_by_name(native).values() for chunk in chunks)


def test_save_modes(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    # The last accent is a character of its own, which must not become one with the letter.
    folder = tmp_path / "with space %41 é 😀 e\u0301"
    for mode, total in [("error", 5550), ("append", 11100), ("ignore", 11100), ("overwrite", 5550)]:
        rows.write.mode(mode).parquet(str(folder))
        assert is_native(folder)
        assert spark.read.parquet(str(folder)).count() == total
        assert {path.name for path in folder.iterdir() if path.suffix != ".parquet"} - {"._SUCCESS.crc"} == {"_SUCCESS"}
    assert failure(lambda: rows.write.parquet(str(folder))).condition == "PATH_ALREADY_EXISTS"


def test_tables(spark: SparkSession, rows: DataFrame) -> None:
    spark.sql("create table written using parquet as select id as ID, s from rows where id < 10")
    spark.sql("insert into written select id, s from rows where id >= 5540")
    folder = Path(
        spark.sql("describe formatted written").where("col_name = 'Location'").head()[1].removeprefix("file:")
    )
    assert is_native(folder)
    assert {schema_of(footer)[0][0] for footer in footers(folder)} == {"ID"}
    assert spark.table("written").count() == 20
    spark.sql("drop table written")


def numbers_shown(spark: SparkSession, name: str, since: int) -> set[str]:
    """Returns what the SQL tab shows under a metric's name for executions from one on."""
    store = spark._jsparkSession.sharedState().statusStore()
    executions = store.executionsList()
    found = set()
    for i in range(executions.size()):
        execution = executions.apply(i)
        values = store.executionMetrics(execution.executionId()) if execution.executionId() >= since else None
        metrics = execution.metrics()
        for k in range(metrics.size() if values and values.nonEmpty() else 0):
            value = values.get(metrics.apply(k).accumulatorId())
            if metrics.apply(k).name() == name and value.isDefined():
                found.add(value.get())
    return found


def test_numbers_of_the_command(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    since = 1 + max(executions.apply(i).executionId() for i in range(executions.size()))
    rows.write.parquet(str(tmp_path / "t"))
    files = {str(len(parts(tmp_path / "t")))}
    assert eventually(lambda: numbers_shown(spark, "number of written files", since) == files)
    assert "5,550" in numbers_shown(spark, "number of output rows", since)


def explained_insert(spark: SparkSession, table: str, query: str) -> str:
    return spark.sql(f"explain insert into {table} {query}").head()[0]


FALLBACKS = {
    "file format OrcFileFormat": ("orc", "select id, n from rows"),
    "write setting parquet.bloom.filter.enabled=true": (
        "options ('parquet.bloom.filter.enabled' = 'true')",
        "select id, n from rows",
    ),
    "write setting parquet.encryption.footer.key=k": (
        "options ('parquet.encryption.footer.key' = 'k')",
        "select id, n from rows",
    ),
    "write setting parquet.enable.dictionary#id=false": (
        "options ('parquet.enable.dictionary#id' = 'false')",
        "select id, n from rows",
    ),
}


@pytest.mark.parametrize("reason", FALLBACKS)
def test_what_stays_with_sparks_writer(spark: SparkSession, rows: DataFrame, reason: str) -> None:
    clause, query = FALLBACKS[reason]
    using = "using orc" if clause == "orc" else f"using parquet {clause}"
    spark.sql(f"create table left_to_spark (id bigint, n int) {using}")
    try:
        plan = explained_insert(spark, "left_to_spark", query)
        assert f"! WriteFiles: {reason}" in plan
        assert "NativeWriteFiles" not in plan
        assert "NativeFilter" in plan
    finally:
        spark.sql("drop table left_to_spark")


def assert_equal_failure(spark: SparkSession, df: DataFrame, folder: Path) -> Failure:
    """Fails unless a write fails as it does with plain Spark, and leaves no file; returns how."""
    native = failure(lambda: df.write.parquet(str(folder)))
    assert not list(folder.rglob("*.parquet"))
    # Another folder: a task that is being killed may make the first one anew.
    other = folder.with_name(f"{folder.name}-plain")
    with plain(spark):
        expected = failure(lambda: df.write.parquet(str(other)))
    messages = [re.sub(f"{folder}(-plain)?|attempt_.*parquet", "", one.message) for one in (native, expected)]
    assert messages[0] == messages[1]
    assert native.condition == expected.condition
    return native


def test_switched_off(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    groups = "select s, count(*) as c from rows group by s"
    with settings(spark, spark__accelerant__writes="false"):
        spark.sql(groups).write.parquet(str(tmp_path / "off"))
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    description = executions.last().physicalPlanDescription()
    assert not is_native(tmp_path / "off")
    assert "! WriteFiles: setting spark.accelerant.writes is false" in description
    assert "NativeHashAggregate" in description
    spark.sql(groups).write.parquet(str(tmp_path / "on"))
    assert is_native(tmp_path / "on")
    assert table_of(tmp_path / "on").equals(table_of(tmp_path / "off"))


def test_hadoops_lz4(spark: SparkSession, tmp_path: Path) -> None:
    """Its readers refuse large pages but of their own writer."""
    path = str(tmp_path / "t")
    df = spark.range(100000).selectExpr("id", "cast(id as decimal(38, 0)) * 1000003 as d")
    df.write.option("compression", "lz4").parquet(path)
    assert not is_native(tmp_path / "t")
    with plain(spark):
        assert spark.read.parquet(path).agg({"d": "sum"}).head() == df.agg({"d": "sum"}).head()


def test_settings_of_old_calendars(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    for name in ("datetimeRebaseModeInWrite", "int96RebaseModeInWrite"):
        with settings(spark, **{f"spark__sql__parquet__{name}": "LEGACY"}):
            rows.write.parquet(str(tmp_path / name))
            assert not is_native(tmp_path / name)
    with settings(spark, spark__sql__parquet__datetimeRebaseModeInWrite="EXCEPTION"):
        assert_equal_failure(spark, rows, tmp_path / "exception")


def test_lists(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    lists = spark.sql("select n, sort_array(collect_list(id)) as ids from rows group by n")
    lists.write.parquet(str(tmp_path / "t"))
    assert is_native(tmp_path / "t")
    with plain(spark):
        assert sorted(spark.read.parquet(str(tmp_path / "t")).collect(), key=repr) == sorted(lists.collect(), key=repr)


def test_a_setting_of_hadoop_found_when_the_job_starts(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    hadoop.set("parquet.bloom.filter.enabled#id", "true")
    try:
        rows.write.parquet(str(tmp_path / "t"))
    finally:
        hadoop.unset("parquet.bloom.filter.enabled#id")
    assert not is_native(tmp_path / "t")
    assert table_of(tmp_path / "t").num_rows == 5550
    description = last_execution(spark)
    assert "! WriteFiles: write setting parquet.bloom.filter.enabled#id=true" in description
    assert "NativeFilter" in description


def test_field_ids(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    named = rows.select("id").withMetadata("id", {"parquet.field.id": 7})
    named.write.parquet(str(tmp_path / "t"))
    assert not is_native(tmp_path / "t")


def test_error_of_a_row(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    df = spark.sql("select id, 1 / (id - 5000) as x from rows")
    assert assert_equal_failure(spark, df, tmp_path / "t").condition == "DIVIDE_BY_ZERO"


def test_less_memory_than_an_encoder_holds(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    with settings(spark, spark__accelerant__memory__limit="200k"):
        assert_equal_files(spark, tmp_path, rows.write.parquet)


@pytest.mark.parametrize("of", ["a join", "an island", "a join, in folders"])
def test_cancelled_write(spark: SparkSession, rows: DataFrame, tmp_path: Path, of: str) -> None:
    folder = tmp_path / "t"
    df = spark.sql("select a.id, a.s, b.l from rows a join rows b on a.id % 2 = b.id % 2")
    if of == "an island":
        df = spark.createDataFrame(
            spark.sparkContext.range(15_000_000, numSlices=2).map(lambda i: (i, str(i))), "a long, b string"
        )
    write = df.write.partitionBy("s") if of == "a join, in folders" else df.write
    context = spark.sparkContext

    def work() -> None:
        context.setJobGroup("cancelled write", "fifteen million rows")
        changes = {"spark__accelerant__batch__rows": "100", "spark__accelerant__memory__limit": "256m"}
        with settings(spark, **changes), pytest.raises(Exception, match="cancel"):
            write.parquet(str(folder))

    thread = threading.Thread(target=work)
    thread.start()
    assert eventually(lambda: bool(list(folder.rglob("*.parquet"))))
    time.sleep(0.2)
    context.cancelJobGroup("cancelled write")
    thread.join()
    assert eventually(lambda: not list(folder.rglob("*.parquet")))
    collect_garbage(spark)
    assert eventually(lambda: held_bytes(spark) == 0), f"{held_bytes(spark)} bytes held"
