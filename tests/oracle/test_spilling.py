"""Sorts, aggregates, joins, windows and limits of more than the engine may hold: on disk, and plain Spark's rows."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_process import collect_garbage, eventually, held_bytes, spill_files
from oracle import assert_native, explained, failure, plain, settings
from parquet_files import is_native
from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch

SORT = "select l_orderkey, l_linenumber, l_comment from lineitem order by l_comment, l_orderkey, l_linenumber"
LIMIT = "16m"

AGGREGATE = (
    "select l_orderkey, l_linenumber, max(l_comment) as a, min(l_shipinstruct) as b, sum(l_quantity) as c, "
    "first(l_comment) as d, count(distinct l_shipdate) as e from lineitem group by l_orderkey, l_linenumber"
)
JOIN = (
    "select a.l_orderkey, a.l_comment as a, a.l_shipinstruct as b, b.l_comment as c, b.l_shipinstruct as d "
    "from lineitem a {kind} join lineitem b on a.l_orderkey = b.l_orderkey and a.l_linenumber = b.l_linenumber - 1"
)
GROUPING_SETS = (
    "select l_orderkey, l_linenumber as a, l_comment as b, count(*) as c, sum(l_quantity) as d from lineitem "
    "group by grouping sets ((l_orderkey, l_linenumber), (l_comment))"
)
SPILLING = {"aggregate": AGGREGATE, "grouping sets": GROUPING_SETS} | {
    kind: JOIN.format(kind=kind) for kind in ("inner", "left", "full")
}

# Many window partitions; three that are larger than memory; all rows.
WINDOWS = {
    "partition by l_orderkey order by l_linenumber": "row_number(), lag(l_comment), sum(l_quantity), ntile(3)",
    "partition by l_returnflag order by l_orderkey, l_linenumber": "row_number(), lag(l_comment, 3), max(l_shipmode)",
    "order by l_shipdate desc": "rank(), dense_rank(), cume_dist(), sum(l_quantity), first_value(l_shipdate)",
    "partition by l_linestatus": "count(l_comment), min(l_extendedprice), max(l_comment), avg(l_quantity)",
    "partition by l_linestatus order by l_orderkey, l_linenumber": "sum(l_quantity / 7D), stddev(l_tax / 7D), "
    "corr(l_quantity / 7D, l_tax / 3D), max(l_comment)",
    "partition by l_returnflag, l_linestatus order by l_orderkey, l_linenumber rows between unbounded preceding "
    "and unbounded following": "avg(l_quantity / 7D), stddev(l_tax / 7D), max(l_comment)",
    "order by l_partkey, l_orderkey, l_linenumber rows between 9 preceding and 4 following": "sum(l_quantity), "
    "last_value(l_comment), max(l_comment)",
    # Those of which a window partition is in memory as a whole, or in memory on disk.
    "partition by l_returnflag order by l_orderkey, l_linenumber rows between unbounded preceding and current row": ""
    "last_value(nullif(l_shipmode, 'AIR')) ignore nulls, nth_value(l_comment, 5)",
    "order by l_orderkey, l_linenumber": "lag(nullif(l_shipmode, 'AIR'), 2) ignore nulls, lead(l_comment, 70000)",
    "order by l_orderkey range between 1000 preceding and 500 following": "sum(l_quantity), max(l_comment)",
}


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(0.1)["lineitem"])).createOrReplaceTempView("lineitem")


@pytest.fixture(autouse=True)
def small_budget(spark: SparkSession) -> Iterator[None]:
    """Has queries spill, and fails unless they leave no file and no memory."""
    collect_garbage(spark)
    assert eventually(lambda: held_bytes(spark) == 0 and spill_files(spark) == 0)
    with settings(spark, spark__accelerant__memory__limit=LIMIT):
        yield
    assert eventually(lambda: held_bytes(spark) == 0), f"{held_bytes(spark)} bytes held"
    assert eventually(lambda: spill_files(spark) == 0), f"{spill_files(spark)} files open"


def spilled_bytes(df: DataFrame) -> int:
    """Returns what the operators of a query that ran have written."""

    def below(plan) -> int:
        if plan.nodeName() == "AdaptiveSparkPlan":
            return below(plan.executedPlan())
        if plan.nodeName() == "ResultQueryStage":
            return below(plan.plan())
        metrics = plan.metrics()
        own = metrics.apply("spillSize").value() if metrics.contains("spillSize") else 0
        return own + sum(below(plan.children().apply(i)) for i in range(plan.children().size()))

    return below(df._jdf.queryExecution().executedPlan())


def assert_spilled(df: DataFrame) -> None:
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000, explained(df)
    assert re.search(r"Sort .*\(\d+ rows, \d+ estimated, \d+ bytes spilled\)", explained(df)), explained(df)


def assert_spills(spark: SparkSession, sql: str) -> None:
    """Fails unless a query goes to disk natively, and gives plain Spark's rows in any order."""
    df = spark.sql(sql)
    rows = df.collect()
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000, explained(df)
    with plain(spark):
        assert sorted(rows) == sorted(spark.sql(sql).collect())


def test_sort(spark: SparkSession, record_property) -> None:
    df = spark.sql(SORT)
    rows = df.collect()
    assert_spilled(df)
    with plain(spark):
        assert rows == spark.sql(SORT).collect()
    record_property("figure", f"{spilled_bytes(df)} bytes spilled")


def test_limit(spark: SparkSession) -> None:
    query = "select l_orderkey, l_linenumber, l_comment, l_shipinstruct from lineitem limit 550000 offset 1000"
    df = spark.sql(query)
    rows = df.collect()
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000, explained(df)
    with plain(spark):
        assert rows == spark.sql(query).collect()


def test_window_with_a_limit(spark: SparkSession) -> None:
    order = "order by l_quantity, l_linenumber"
    query = (
        f"select * from (select l_orderkey, l_comment, rank() over (partition by l_orderkey {order}) as place "
        "from lineitem) where place <= 3"
    )
    df = spark.sql(query)
    rows = df.collect()
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000, explained(df)
    with plain(spark):
        assert sorted(rows) == sorted(spark.sql(query).collect())


def test_rows_of_equal_keys_keep_their_order(spark: SparkSession) -> None:
    sql = "select l_orderkey, l_linenumber, l_comment from lineitem order by l_returnflag"
    df = spark.sql(sql)
    rows = df.collect()
    assert_spilled(df)
    with settings(spark, spark__accelerant__memory__limit="0"):
        in_memory = spark.sql(sql)
        assert rows == in_memory.collect()
        assert spilled_bytes(in_memory) == 0


def test_columns_of_many_types(spark: SparkSession) -> None:
    sql = """select l_shipdate, cast(l_extendedprice as decimal(30, 4)) price, l_shipmode, l_quantity > 25 big,
          array(l_comment, null, l_shipmode) texts, named_struct('a', l_orderkey, 'b', map(l_linenumber, l_tax)) both,
          if(l_partkey % 3 = 0, null, cast(l_comment as binary)) bytes, cast(l_partkey as float) part
        from lineitem where l_orderkey < 200000
        order by if(l_partkey % 5 = 0, null, l_shipdate) desc nulls last, texts, l_orderkey, l_linenumber"""
    # The scan and its nested rows take 16 MiB.
    changes = {"spark__accelerant__memory__limit": "40m", "spark__accelerant__batch__rows": "2000"}
    with settings(spark, spark__accelerant__bridge="false", **changes):
        df = spark.sql(sql)
        rows = df.collect()
        assert_spilled(df)
    with plain(spark):
        assert rows == spark.sql(sql).collect()


def test_parts(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.sql(SORT)
    rows = df.rdd.map(tuple).collect()
    assert_native(df)
    spark.sql(SORT).write.parquet(str(tmp_path / "sorted"))
    assert is_native(tmp_path / "sorted")
    with plain(spark):
        expected = [tuple(row) for row in spark.sql(SORT).collect()]
        assert sorted(expected) == sorted(tuple(row) for row in spark.read.parquet(str(tmp_path / "sorted")).collect())
    assert rows == expected


def test_operators_around_a_sort(spark: SparkSession) -> None:
    sql = f"select l_orderkey + 1 k, length(l_comment) n from ({SORT}) where l_linenumber < 6 limit 100000"
    df = spark.sql(sql)
    rows = df.collect()
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000  # of a sort; the limit keeps its rows in memory
    with plain(spark):
        assert rows == spark.sql(sql).collect()


@pytest.mark.parametrize("query", SPILLING)
def test_aggregates_and_joins(spark: SparkSession, query: str) -> None:
    sql = f"select count(*) as n, sum(cast(hash(l_orderkey, a, b, c, d) as bigint)) as h from ({SPILLING[query]})"
    assert_spills(spark, sql)


def test_few_groups_of_large_states(spark: SparkSession) -> None:
    sql = """select l_shipmode, size(texts) + 1 as n, array_contains(texts, '') as c
             from (select l_shipmode, collect_list(concat(l_comment, l_comment, l_comment)) as texts
                   from lineitem group by l_shipmode)"""
    assert_spills(spark, sql)


def test_one_large_list(spark: SparkSession) -> None:
    """One group's state is larger than memory, and so is its result."""
    sql = """select size(texts) as n, aggregate(texts, 0L, (h, text) -> h + length(text)) as h
             from (select collect_list(concat(l_comment, l_shipmode)) as texts from lineitem)"""
    assert_spills(spark, sql)


@pytest.mark.parametrize("window", WINDOWS)
def test_windows(spark: SparkSession, window: str) -> None:
    """Partitions that are larger than memory are computed piece by piece."""
    calls = ", ".join(f"{call} over w as c{i}" for i, call in enumerate(re.split(r", (?=\w+\()", WINDOWS[window])))
    sql = f"select l_orderkey, l_linenumber, l_shipdate, l_comment, {calls} from lineitem window w as ({window})"
    df = spark.sql(sql)
    rows = df.toArrow()
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000, explained(df)
    keys = [("l_orderkey", "ascending"), ("l_linenumber", "ascending")]
    with plain(spark):
        assert rows.sort_by(keys).equals(spark.sql(sql).toArrow().sort_by(keys))


def test_windows_to_the_end(spark: SparkSession) -> None:
    """As in memory, which equals plain Spark's: that takes hours for so many rows, as it begins anew at each."""
    window = (
        "partition by l_linestatus order by l_orderkey, l_linenumber rows between current row and unbounded following"
    )
    sql = f"""select l_orderkey, l_linenumber, sum(l_quantity) over w as a, min(l_comment) over w as b,
              nth_value(l_comment, 3) over w as c, last_value(l_shipmode) over w as d
              from lineitem window w as ({window})"""
    df = spark.sql(sql)
    rows = df.toArrow()
    assert_native(df)
    assert spilled_bytes(df) > 1_000_000, explained(df)
    with settings(spark, spark__accelerant__memory__limit="0"):
        in_memory = spark.sql(sql)
        assert rows.equals(in_memory.toArrow())
        assert spilled_bytes(in_memory) == 0


def test_abandoned_and_cancelled(spark: SparkSession) -> None:
    iterator = spark.sql(SORT).toLocalIterator()
    assert next(iterator)
    assert spill_files(spark) > 0
    del iterator
    collect_garbage(spark)
    assert eventually(lambda: spill_files(spark) == 0)
    context = spark.sparkContext
    messages: list[str] = []

    def work() -> None:
        context.setJobGroup("cancelled sort", "a sort on disk")
        with settings(spark, spark__accelerant__batch__rows="50"):
            messages.append(failure(spark.sql(SORT).collect).message)

    thread = threading.Thread(target=work)
    thread.start()
    assert eventually(lambda: spill_files(spark) > 0)
    context.cancelJobGroup("cancelled sort")
    thread.join()
    assert "cancel" in messages[0]
