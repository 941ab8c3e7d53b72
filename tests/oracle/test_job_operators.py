"""What benchmarks/jobs says of the operators of a session's queries."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lacking import PLACE
from oracle import plain
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jobs.operators import LACKING, LEFT, NATIVE, PASSING, QueryListener


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """A session of its own, as a listener stays for as long as its session."""
    session = spark.newSession()
    session.conf.set("spark.accelerant.strict", "true")
    yield session
    session.catalog.clearCache()


@pytest.fixture
def listener(session: SparkSession) -> QueryListener:
    return QueryListener(session)


@pytest.fixture
def rows(session: SparkSession, numbers: DataFrame) -> DataFrame:
    return session.read.parquet(*numbers.inputFiles())


def found(listener: QueryListener) -> Counter[tuple[str, str]]:
    return Counter((operator.name, operator.state) for query in listener.operators() for operator in query)


def test_a_native_query(listener: QueryListener, rows: DataFrame) -> None:
    rows.filter("n > 1").groupBy("n").count().collect()
    names = {"HashAggregate": 2, "Project": 1, "Filter": 1, "Scan parquet": 1}
    assert found(listener) == {(name, NATIVE): count for name, count in names.items()}
    assert not listener.operators()


def test_seconds_of_bridged_calls(listener: QueryListener, rows: DataFrame) -> None:
    rows.selectExpr("soundex(s) as t").where("t is not null").collect()
    listener.operators()
    assert 0 < listener.bridged_s < 10
    rows.filter("n > 1").collect()
    listener.operators()
    assert listener.bridged_s == 0


def test_plain_spark_leaves_all(session: SparkSession, listener: QueryListener, rows: DataFrame) -> None:
    with plain(session):
        rows.filter("n > 1").groupBy("n").count().collect()
    counts = found(listener)
    assert counts["HashAggregate", LEFT] == 2
    assert {state for _, state in counts} == {LEFT}


def test_a_lacking_operator_and_the_sort_that_it_needs(listener: QueryListener, rows: DataFrame) -> None:
    rows.withColumn("place", F.expr(PLACE)).groupBy("place").agg(F.sum("id")).collect()
    counts = found(listener)
    assert counts["Window", LACKING] == 1
    assert counts["HashAggregate", NATIVE] == 2
    assert not [name for name, _ in counts if name == "Sort"]


def test_rows_that_pass_between_lacking_operators(listener: QueryListener, rows: DataFrame, tmp_path: Path) -> None:
    """They are apart only where nothing native and nothing that is merely left stands beside them."""
    rows.select("id", "n").write.orc(str(tmp_path / "orc"))
    found(listener)
    reader = rows.sparkSession.read.option("orc.tolerate.missing.schema", "true")  # an option that the engine lacks
    numbers = reader.orc(str(tmp_path / "orc")).filter("id > 3").withColumn("place", F.expr(PLACE))
    numbers.filter("place < 9").groupBy("place").agg(F.sum("id")).collect()
    counts = found(listener)
    assert counts["Filter", PASSING] == 1
    assert counts["Filter", NATIVE] == 1
    assert not [name for name, state in counts if state == LEFT]


def test_steps_of_a_lacking_aggregate(listener: QueryListener, rows: DataFrame) -> None:
    """Its summaries differ with the parts that they meet, so that the scan is left to Spark as well."""
    rows.groupBy("n").agg(F.percentile_approx("id", 0.5), F.count_distinct("h")).collect()
    assert found(listener) == {("ObjectHashAggregate", LACKING): 4, ("Scan parquet", LEFT): 1}


def test_a_cache_is_filled_once(listener: QueryListener, rows: DataFrame) -> None:
    cached = rows.filter("n > 1").cache()
    cached.groupBy("n").count().collect()
    cached.groupBy("h").count().collect()
    assert found(listener)["Scan parquet", NATIVE] == 1


def test_a_written_file_and_a_shown_table(listener: QueryListener, rows: DataFrame, tmp_path: Path) -> None:
    rows.filter("n > 1").write.parquet(str(tmp_path / "written"))
    rows.show(3)
    counts = found(listener)
    assert counts["WriteFiles", NATIVE] == 1
    assert {state for _, state in counts} == {NATIVE}


def test_written_rows_of_an_island(listener: QueryListener, rows: DataFrame, tmp_path: Path) -> None:
    rows.select("id", "n").write.csv(str(tmp_path / "csv"))
    found(listener)
    rows.sparkSession.read.csv(str(tmp_path / "csv"), mode="FAILFAST").write.parquet(str(tmp_path / "written"))
    assert found(listener) == {("WriteFiles", NATIVE): 1, ("Scan csv", LACKING): 1}


def test_an_exchange_that_a_program_asks_for(listener: QueryListener, rows: DataFrame) -> None:
    rows.filter("n > 1").repartition(3).collect()
    names = {"Project": 1, "Filter": 1, "Scan parquet": 1}
    asked = {("Exchange (REPARTITION_BY_NUM)", LACKING): 1}
    assert found(listener) == asked | {(name, NATIVE): count for name, count in names.items()}
