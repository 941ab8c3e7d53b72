"""Pipelines on a device, here an emulated one: equal to plain Spark, and wholly there, which strict mode checks."""

import re
from collections.abc import Iterator
from multiprocessing.pool import ThreadPool
from pathlib import Path

import pytest
from oracle import assert_equal_failure, assert_equal_rows, explained, failure, normalised, plain, scans, settings
from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch

pytestmark = pytest.mark.spark41

SCALE = 0.01
EMULATED = {"spark__accelerant__device": "emu", "spark__accelerant__strict": "true"}

SHAPES = {
    "no keys": "select count(*), count(i), sum(i), min(l), max(l), avg(d) from rows",
    "nothing left": "select count(*), sum(i), min(d) from rows where i > 1000000",
    "no groups left": "select s, sum(i) from rows where i > 1000000 group by s",
    "a string": "select s, count(*), sum(l), avg(i), min(i), max(t) from rows group by s",
    "a boolean and a string": "select b, s, count(i) from rows group by b, s",
    "a number": "select i % 100 as k, sum(l), min(f), max(f) from rows group by i % 100",
    "two numbers": "select i % 7 as k, l % 5 as m, count(*), sum(d) from rows group by i % 7, l % 5",
    "a string and a number": "select s, i % 50 as k, sum(d) from rows group by s, i % 50",
    "wide decimals": "select w, count(*), sum(w) from rows where w is not null group by w",
    "nullable wide decimals": "select w, count(*) from rows group by w",
    "a date": "select t, count(*), sum(d * (1 - d)) from rows group by t",
    "distinct": "select distinct s, b from rows",
    "having": "select i % 10 as k, sum(d) as v from rows group by i % 10 having sum(d) > 10",
    "a filter with everything": "select count(*) from rows where (i between 10 and 2000 or s like 'va%') and "
    "coalesce(b, true) and l in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89) and "
    "case when i > 100 then d > 0 else t is not null end",
    "dates": "select year(t) as y, month(t) as m, count(*) from rows group by year(t), month(t)",
}

# Pipelines that end in rows: those go on on the host.
ROWS = {
    "a filter": "select * from rows where i between 100 and 300",
    "nothing left": "select i, s from rows where i % 2000 = 1999 and l > 98 and b",
    "everything left": "select i, s, w from rows where coalesce(i, 0) >= 0",
    "a projection": "select i + 1 as j, s, d * 2 as e, not b as c, f / 3 as g, year(t) as y from rows",
    "a projection that builds strings": "select concat(s, '!') as u, i from rows where l < 50",
    "wide decimals": "select w, w * 2 as v, d + w as u from rows where w > 0",
    "long strings": "select x, i from rows where i % 3 = 0",
    "a join's side": "select a.i, a.s, b.d from rows a join rows b on a.i = b.l where a.i < 90 and b.d > 1",
    "a left join": "select a.i, b.x from rows a left join rows b on a.l = b.i and b.i < 50 where a.i < 400",
    "sorted": "select i, s from rows where b order by i desc, s limit 20",
    "distinct after a union": "select i from rows where b union select l from rows where not b",
    "a subquery": "select i, d from rows where d > (select avg(d) from rows) and i < 1500",
}


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    for table, path in tpch.generate(SCALE).items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)
    counts = {"rows": 5_000, "many_rows": 15_000}
    for name, count in counts.items():
        path = str(Path(tmp_path_factory.mktemp("device")) / name)
        rows(spark, count).write.parquet(path)
        spark.read.parquet(path).createOrReplaceTempView(name)
    yield
    for name in counts:
        spark.catalog.dropTempView(name)


def device_rows(df: DataFrame) -> int:
    """Returns how many rows a device took in for a query that ran."""
    found = scans(df._jdf.queryExecution().executedPlan())
    return sum(scan.metrics().apply("deviceRows").value() for scan in found)


def rows(spark: SparkSession, count: int) -> DataFrame:
    """Returns so many rows of many types, with nulls, in two files."""
    return spark.range(0, count, numPartitions=2).selectExpr(
        "case when id % 11 = 0 then null else cast(id as int) end as i",
        "case when id % 7 = 0 then null else (id * 2654435761) % 100 end as l",
        "case when id % 13 = 0 then null else concat('value ', id % 9) end as s",
        "case when id % 3 = 0 then null else id % 3 = 1 end as b",
        "case when id % 17 = 0 then null else cast(id % 1000 / 7 as decimal(12,4)) end as d",
        "case when id % 19 = 0 then null else cast(id % 37 as decimal(38,2)) * 1000000000000000000000000 end as w",
        "case when id % 5 = 0 then null when id % 23 = 0 then double('nan') else id / 3 - 500 end as f",
        "case when id % 29 = 0 then null else date_add(date'1995-01-01', cast(id % 900 as int)) end as t",
        "case when id % 31 = 0 then null else concat('one of many texts, number ', id * id) end as x",
    )


@pytest.mark.parametrize("changes", [{}, {"batch__rows": "1000"}, {"threads": "1"}], ids=str)
@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", ["q1", "q6"])
def test_tpch(spark: SparkSession, name: str, ansi: str, changes: dict[str, str]) -> None:
    changed = {f"spark__accelerant__{setting}": value for setting, value in changes.items()}
    with settings(spark, spark__sql__ansi__enabled=ansi, **EMULATED, **changed):
        assert assert_equal_rows(spark, lambda: spark.sql(tpch.query(name, SCALE)), ordered=True)


@pytest.mark.parametrize("name", tpch.NAMES)
def test_tpch_in_parts(spark: SparkSession, name: str) -> None:
    """What a device can't do of a query is the host's."""
    with settings(spark, spark__accelerant__device="emu", spark__accelerant__strict="false"):
        assert_equal_rows(spark, lambda: spark.sql(tpch.query(name, SCALE)), ordered=True)
        df = spark.sql(tpch.query(name, SCALE))
        df.collect()
        assert device_rows(df) > 0


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", SHAPES)
def test_shape(spark: SparkSession, name: str, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, **EMULATED):
        assert_equal_rows(spark, lambda: spark.sql(SHAPES[name]))


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", ROWS)
def test_rows(spark: SparkSession, name: str, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, **EMULATED):
        assert_equal_rows(spark, lambda: spark.sql(ROWS[name]))
        df = spark.sql(ROWS[name])
        df.collect()
        assert device_rows(df) > 0


@pytest.mark.parametrize("changes", [{}, {"threads": "1"}, {"batch__rows": "7"}], ids=str)
def test_rows_keep_their_order(spark: SparkSession, changes: dict[str, str]) -> None:
    changed = {f"spark__accelerant__{setting}": value for setting, value in changes.items()}
    with settings(spark, **EMULATED, **changed):
        assert_equal_rows(spark, lambda: spark.sql("select i, x, d * d from rows where i % 3 = 1"), ordered=True)


def test_every_action(spark: SparkSession, tmp_path: Path) -> None:
    def answers() -> list[object]:
        df = spark.sql("select i, x, i * l as p from rows where i % 3 = 1")
        path = str(tmp_path / spark.conf.get("spark.accelerant.enabled", "true"))
        df.write.parquet(path)
        written = normalised(spark.read.parquet(path).collect())
        first = [row.i for _, row in zip(range(500), df.toLocalIterator(), strict=False)]
        cached = df.cache()
        num_cached = cached.count()
        cached.unpersist(blocking=True)
        return [written, first, num_cached, df.limit(7).collect(), df.rdd.count(), df.tail(3)]

    with plain(spark):
        expected = answers()
    with settings(spark, **EMULATED):
        assert answers() == expected


def test_queries_at_once(spark: SparkSession) -> None:
    queries = [f"select s, sum(l), count(*) from rows where i > {n * 100} group by s" for n in range(6)]
    queries += [f"select i, d * d from rows where l < {n}" for n in range(6)]
    with plain(spark):
        expected = [normalised(spark.sql(sql).collect()) for sql in queries]
    with settings(spark, **EMULATED), ThreadPool(6) as pool:
        assert pool.map(lambda sql: normalised(spark.sql(sql).collect()), queries) == expected


@pytest.mark.parametrize("keys", ["", "b", "s, b", "i % 100"])
def test_floating_sums_are_the_hosts(spark: SparkSession, keys: str) -> None:
    """Exact ones: of fewer rows the host adds in Spark's order."""
    sql = f"select {keys + ', ' if keys else ''}sum(f), avg(f), sum(f * 1e300), avg(cast(f as float)) from many_rows"
    sql += f" where not isnan(f) group by {keys}" if keys else " where not isnan(f)"
    with settings(spark, spark__accelerant__device="cpu"):
        expected = normalised(spark.sql(sql).collect())
    with settings(spark, **EMULATED):
        assert normalised(spark.sql(sql).collect()) == expected


def test_batches_of_three_rows(spark: SparkSession) -> None:
    with settings(spark, spark__accelerant__batch__rows="3", **EMULATED):
        assert_equal_rows(spark, lambda: spark.sql("select s, b, sum(l) from rows where i < 300 group by s, b"))


def test_errors_are_sparks(spark: SparkSession) -> None:
    with settings(spark, spark__sql__ansi__enabled="true", **EMULATED):
        assert_equal_failure(spark, lambda: spark.sql("select sum(10 div (i - 700)) from rows"))


def test_rows_that_are_filtered_do_not_fail(spark: SparkSession) -> None:
    with settings(spark, spark__sql__ansi__enabled="true", **EMULATED):
        assert_equal_rows(spark, lambda: spark.sql("select sum(10 div (i - 700)) from rows where i <> 700"))


def test_strict_mode_names_what_no_device_does(spark: SparkSession) -> None:
    with settings(spark, **EMULATED):
        found = failure(lambda: spark.sql("select s, stddev(f) from rows group by s").collect())
    assert "spark.accelerant.strict: no device runs it: stddev" in found.message


def test_the_host_does_what_no_device_does(spark: SparkSession) -> None:
    with settings(spark, spark__accelerant__device="emu", spark__accelerant__strict="false"):
        assert_equal_rows(spark, lambda: spark.sql("select s, bit_xor(l) from rows group by s"))


def test_a_device_that_is_not_there(spark: SparkSession) -> None:
    sql = "select count(*) from rows"
    with settings(spark, spark__accelerant__device="gpu", spark__accelerant__strict="true"):
        found = failure(lambda: spark.sql(sql).collect())
    assert "no device runs it: no GPU is used: there is no NVIDIA driver" in found.message
    with settings(spark, spark__accelerant__device="gpu", spark__accelerant__strict="false"):
        assert_equal_rows(spark, lambda: spark.sql(sql))


def test_explain_says_where_a_pipeline_runs(spark: SparkSession) -> None:
    with settings(spark, **EMULATED):
        costs = r"\(on a device: emulator, [\d.]+ m?s there, [\d.]+ m?s on the host\)"
        assert re.search(f"HashAggregate {costs}", explained(spark.sql("select s, sum(l) from rows group by s")))
        assert re.search(f"Project {costs}", explained(spark.sql("select i + 1 from rows where b")))
        assert "(on the host: stddev_samp of double)" in explained(
            spark.sql("select s, stddev(f) from rows group by s")
        )
    with settings(spark, spark__accelerant__device="gpu"):
        assert "(on the host: no GPU is used: there is no NVIDIA driver" in explained(spark.sql(SHAPES["a string"]))
    for place in ["auto", "cpu"]:
        with settings(spark, spark__accelerant__device=place):
            assert "(on " not in explained(spark.sql(SHAPES["a string"]))
            assert_equal_rows(spark, lambda: spark.sql(SHAPES["a string"]))
    assert "(on " not in explained(spark.sql(SHAPES["a string"]))


def test_notices_are_warnings_in_sparks_log(spark: SparkSession) -> None:
    """What the engine has to say to people, such as that a device was given up: it prints nothing itself."""
    jvm, logging = spark._jvm, spark._jvm.org.apache.logging.log4j
    said = jvm.java.io.StringWriter()
    layout = logging.core.layout.PatternLayout.newBuilder().withPattern("%p %c{1}: %m%n").build()
    appender = logging.core.appender.WriterAppender.createAppender(layout, None, said, "notices", False, True)
    appender.start()
    name = "io.accelerant.spark.Notices"
    logging.core.config.Configurator.setLevel(name, "WARN")  # Spark's default; tests see errors alone
    logger = logging.LogManager.getLogger(name)
    lines = spark.sparkContext._gateway.new_array(jvm.String, 1)
    lines[0] = "a GPU is not used any more, the host does its work: it fell off the bus"
    logger.addAppender(appender)
    try:
        jvm.io.accelerant.spark.Notices.logAll(lines)
        jvm.io.accelerant.spark.Notices.logTaken()
    finally:
        logger.removeAppender(appender)
        logging.core.config.Configurator.setLevel(name, "ERROR")
    assert said.toString() == f"WARN Notices: Accelerant: {lines[0]}\n"


def test_a_bad_value_is_named(spark: SparkSession) -> None:
    with settings(spark, spark__accelerant__device="tpu"):
        assert "setting spark.accelerant.device can't be 'tpu'" in explained(spark.sql("select count(*) from rows"))
