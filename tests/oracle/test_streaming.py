"""Streaming queries: what each micro-batch computes runs natively beside state, watermarks and sources of Spark's."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from oracle import normalised, plain, settings
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StreamingQuery

pytestmark = pytest.mark.spark41

SCHEMA = "id long, k int, s string, ts timestamp"
ROWS_PER_BATCH = 5000


@pytest.fixture(scope="module")
def folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files `in`, of which a stream reads two a batch, and views `dim` and `big`, which do not change."""
    root = tmp_path_factory.mktemp("streams")
    rows = spark.range(12_000).selectExpr(
        "id",
        "cast(if(id % 11 = 0, null, id % 7) as int) as k",
        "concat('row ', id % 100) as s",
        "timestamp_seconds(1700000000 + id * 10) as ts",
    )
    with plain(spark):
        rows.repartitionByRange(6, "id").sortWithinPartitions("id").write.parquet(str(root / "in"))
        spark.range(6).selectExpr("cast(id as int) as k", "concat('name ', id) as name").write.parquet(
            str(root / "dim")
        )
    spark.read.parquet(str(root / "dim")).createOrReplaceTempView("dim")
    return root


def files(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", "2").parquet(str(folder / "in"))


def rates(spark: SparkSession, folder: Path) -> DataFrame:
    """Returns a stream of a source that Spark alone can read."""
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", ROWS_PER_BATCH)
    stream = source.option("startTimestamp", 1_700_000_000_000).option("advanceMillisPerBatch", 3_600_000).load()
    return stream.selectExpr(
        "value as id", "cast(value % 7 as int) as k", "concat('row ', value % 100) as s", "timestamp as ts"
    )


@dataclass
class Outcome:
    """What a streaming query gave: its rows, what it says of its progress, and the plans of its batches."""

    rows: list[tuple]
    progress: list[dict] = field(default_factory=list)
    plans: str = ""


def progress_of(query: StreamingQuery) -> list[dict]:
    """Returns what users see of each batch, but for times and places."""
    found = []
    for entry in query.recentProgress:
        batch = json.loads(entry.json) if hasattr(entry, "json") else dict(entry)
        states = [
            {name: s[name] for name in ("operatorName", "numRowsTotal", "numRowsUpdated", "numRowsRemoved")}
            for s in batch["stateOperators"]
        ]
        found.append(
            {
                "rows": batch["numInputRows"],
                "sources": [source["numInputRows"] for source in batch["sources"]],
                "states": states,
                "watermark": batch.get("eventTime", {}),
                "observed": str(batch.get("observedMetrics", {})),
            }
        )
    return found


def last_query(spark: SparkSession) -> int:
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    return executions.last().executionId() if executions.size() else -1


def plans(spark: SparkSession, since: int) -> str:
    """Returns the plans of the queries after one, as the SQL tab shows them."""
    last = last_query(spark)
    store = spark._jsparkSession.sharedState().statusStore()
    found = (store.execution(number) for number in range(since + 1, last + 1))
    return "".join(each.get().physicalPlanDescription() for each in found if each.isDefined())


def run(stream: DataFrame, folder: Path, mode: str, runs: int) -> Outcome:
    """Runs a query until its source has no more; a further run goes on from its checkpoint."""
    spark = stream.sparkSession
    writer = stream.writeStream.outputMode(mode).option("checkpointLocation", str(folder / "checkpoint"))
    if mode == "append":
        writer = writer.format("parquet").option("path", str(folder / "out"))
    else:
        writer = writer.format("memory").queryName("streamed")
    outcome = Outcome([])
    before = last_query(spark)
    for _ in range(runs if mode == "append" else 1):
        query = writer.trigger(availableNow=True).start()
        query.awaitTermination()
        outcome.progress += progress_of(query)
    outcome.plans = plans(spark, before)
    with plain(spark):
        rows = spark.read.parquet(str(folder / "out")) if mode == "append" else spark.table("streamed")
        outcome.rows = normalised(rows.collect())
    return outcome


def joined(stream: DataFrame) -> DataFrame:
    return stream.join(stream.sparkSession.table("dim"), "k").where("id % 3 = 0").select("id", "s", "name")


# Name, query, output mode, what runs natively of a batch of files, and of one of Spark's own rows.
QUERIES: list[tuple[str, Callable[[DataFrame], DataFrame], str, str, str]] = [
    ("filter", lambda s: s.where("id % 3 = 0 and k > 1").select("id", F.upper("s").alias("u")), "append", "Filter", ""),
    ("join", joined, "append", "BroadcastHashJoin", "BroadcastHashJoin"),
    (
        "udf",
        lambda s: joined(s).withColumn("t", F.udf(lambda n: n * 3, "long")("id")),
        "append",
        "BroadcastHashJoin",
        "BroadcastHashJoin",
    ),
    ("bridged", lambda s: joined(s).withColumn("t", F.soundex("name")), "append", "Project", "BroadcastHashJoin"),
    ("counts", lambda s: joined(s).groupBy("name").count(), "complete", "BroadcastHashJoin", "BroadcastHashJoin"),
    ("updates", lambda s: s.groupBy("k").agg(F.sum("id"), F.max("s")), "update", "Scan parquet", ""),
    (
        "windows",
        lambda s: s.withWatermark("ts", "1 minute").groupBy(F.window("ts", "10 minutes"), "k").count(),
        "append",
        "Scan parquet",
        "",
    ),
    ("distinct", lambda s: joined(s.withWatermark("ts", "1 hour")).dropDuplicates(["name"]), "append", "", ""),
    (
        "two streams",
        lambda s: (
            s.withWatermark("ts", "1 hour")
            .select("id", "ts")
            .join(
                s.withWatermark("ts", "1 hour").selectExpr("id as other", "ts as at"), F.expr("id = other and ts = at")
            )
        ),
        "append",
        "Scan parquet",
        "",
    ),
    ("union", lambda s: s.select("id").union(s.selectExpr("id + 1")).where("id % 2 = 0"), "append", "Union", ""),
    ("observed", lambda s: joined(s.observe("seen", F.count("*"), F.sum("id"))), "append", "", ""),
    ("sorted", lambda s: s.groupBy("s").count().orderBy("s"), "complete", "Scan parquet", ""),
]


@pytest.mark.parametrize("source", [files, rates])
@pytest.mark.parametrize(
    ("query", "mode", "of_files", "of_rates"), [q[1:] for q in QUERIES], ids=[q[0] for q in QUERIES]
)
def test_a_stream_says_and_gives_what_sparks_does(
    spark: SparkSession, folder: Path, tmp_path: Path, source, query, mode: str, of_files: str, of_rates: str
) -> None:
    runs = 1 if source is files else 2
    with settings(spark, spark__sql__shuffle__partitions="3"):
        found = run(query(source(spark, folder)), tmp_path / "native", mode, runs)
        with plain(spark):
            expected = run(query(source(spark, folder)), tmp_path / "plain", mode, runs)
    assert found.rows == expected.rows
    assert len(expected.rows) > 1
    assert found.progress == expected.progress
    native = of_files if source is files else of_rates
    assert not native or f"Native{native}" in found.plans
    assert "Native" not in expected.plans


def test_what_foreach_batch_makes_of_native_rows_is_sparks(spark: SparkSession, folder: Path) -> None:
    """A function has several actions of one batch, cached and not."""

    def answers(seen: list[list]) -> None:
        def note(batch: DataFrame, number: int) -> None:
            batch.persist()
            top = [tuple(row) for row in batch.groupBy("name").count().orderBy("name").collect()]
            batch.unpersist()
            seen.append([number, batch.count(), top, batch.agg(F.sum("id")).first()[0]])

        query = joined(files(spark, folder)).writeStream.foreachBatch(note).trigger(availableNow=True).start()
        query.awaitTermination()

    found: list[list] = []
    before = last_query(spark)
    answers(found)
    assert "NativeBroadcastHashJoin" in plans(spark, before)
    expected: list[list] = []
    with plain(spark):
        answers(expected)
    assert found == expected
    assert len(expected) == 3


def test_an_error_of_a_batch_ends_its_query_as_on_spark(spark: SparkSession, folder: Path) -> None:
    def error() -> str:
        stream = joined(files(spark, folder)).selectExpr("id / (id - 4002) as x")
        query = stream.writeStream.format("noop").trigger(availableNow=True).start()
        with pytest.raises(StreamingQueryException) as raised:
            query.awaitTermination()
        assert not query.isActive
        return (
            str(raised.value)
            .split("=== Streaming Query ===")[0]
            .replace(str(query.id), "")
            .replace(str(query.runId), "")
        )

    with settings(spark, spark__sql__ansi__enabled="true"):
        found = error()
        assert "DIVIDE_BY_ZERO" in found
        with plain(spark):
            assert found == error()


def test_a_query_stops_in_the_midst_of_a_batch(spark: SparkSession, folder: Path) -> None:
    slow = F.udf(lambda n: time.sleep(0.01) or n, "long")
    stream = joined(rates(spark, folder)).withColumn("t", slow("id"))
    query = stream.writeStream.format("noop").start()
    while not query.status["isTriggerActive"]:
        time.sleep(0.05)
    time.sleep(1)
    query.stop()
    assert not query.isActive
    assert query.exception() is None
    assert spark.range(10).groupBy().sum().first()[0] == 45


@pytest.mark.parametrize("kind", ["csv", "json", "orc"])
def test_files_of_other_formats_are_read_natively(spark: SparkSession, folder: Path, tmp_path: Path, kind: str) -> None:
    with plain(spark):
        spark.read.parquet(str(folder / "in")).write.format(kind).save(str(tmp_path / "in"))

    def stream() -> DataFrame:
        source = spark.readStream.schema(SCHEMA).format(kind).option("latestFirst", "true").load(str(tmp_path / "in"))
        return joined(source)

    found = run(stream(), tmp_path / "native", "append", 1)
    with plain(spark):
        expected = run(stream(), tmp_path / "plain", "append", 1)
    assert found.rows == expected.rows
    assert len(expected.rows) > 1000
    if kind == "csv":  # Spark's parser leaves out what its pushed filters drop
        assert [batch["rows"] for batch in found.progress] == [12_000]
    else:
        assert found.progress == expected.progress
    assert f"NativeScan {kind}" in found.plans
