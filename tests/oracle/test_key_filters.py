"""Rows that a scan leaves out because a join further up finds no partner for their key."""

import pytest
from oracle import assert_equal_rows, assert_failure_of_spark, plain, scans, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.fixture(scope="module")
def items(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `items`, 20,000 rows with keys of several types; `chosen`, every hundredth of 1,000 keys; `empty`."""
    folder = tmp_path_factory.mktemp("items")
    keys = [
        "if(id % 1000 = 7, null, id % 1000) k",
        "cast(id % 1000 as int) i",
        "cast(id % 100 as tinyint) b",
        "date_add(date'1999-12-31', cast(id % 1000 as int)) d",
        "timestamp_micros((id % 1000) * 1000000007) t",
        "(id % 1000) * 3000000000000 far",
        "concat('k', id % 1000) s",
    ]
    with plain(spark):
        spark.range(0, 20000, 1, 1).selectExpr("id", "id % 13 - 6 v", *keys).write.parquet(str(folder / "items"))
        some = spark.range(0, 1000, 1, 1).selectExpr("id + 100000 id", "id % 7 c", *keys)
        some.where("k % 100 = 3 or k is null").write.parquet(str(folder / "chosen"))
        some.where("k < 0").write.parquet(str(folder / "empty"))
    for name in ("items", "chosen", "empty"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    return spark.table("items")


def rows_of_items(df: DataFrame) -> int:
    """Returns how many rows the scans of `items` in a query have emitted, each at the most."""
    df.collect()
    plan = df._jdf.queryExecution().executedPlan()
    found = [scan.metrics().apply("numOutputRows").value() for scan in scans(plan) if "/items]" in scan.treeString()]
    assert found, plan.treeString()
    return max(found)


# What the scan of `items` emits at the most.
FILTERED = {
    "select items.id, c from items join chosen using (k)": 200,
    "select items.id, c from items join chosen on items.i = chosen.i": 220,
    "select items.id, c from items join chosen on items.b = chosen.b": 440,
    "select items.id, c from items join chosen on items.d = chosen.d": 220,
    "select items.id, c from items join chosen on items.t = chosen.t": 500,
    "select items.id, c from items join chosen on items.far = chosen.far": 1000,
    "select items.id, c from items join chosen on items.s = chosen.s and items.k = chosen.k": 200,
    "select items.id, c from items join chosen on items.k = chosen.k + 1": 200,
    "select items.id, c from items right join chosen using (k)": 200,
    "select id from items where k in (select k from chosen)": 200,
    "select g.id, c from (select k, max(id) id from items group by k) g join chosen using (k)": 200,
    """select g.id, c from (select k, count(*) n, min(id) id from items where v > 0 group by k having n > 1) g
       join chosen using (k)""": 200,
    """select a.id, b.id from items a join (select k, id from items where v = 1) b on a.k = b.k
       join chosen on b.k = chosen.k""": 200,
    "select u.id, c from (select k, id from items union all select k, id from chosen) u join chosen using (k)": 200,
    "select items.id from items join empty using (k)": 0,
    "select items.id, e.id from chosen left join items using (k) left join empty e using (k)": 200,
}


@pytest.mark.parametrize("batch_rows", ["0", "100"])
@pytest.mark.parametrize("query", FILTERED)
def test_filtered(spark: SparkSession, items: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(query))
        assert rows_of_items(spark.sql(query)) <= FILTERED[query]


# Rows without a partner make a difference.
WHOLE = [
    "select items.id, c from items left join chosen using (k)",
    "select items.id, c from items full join chosen using (k)",
    "select id from items where k not in (select k from chosen where k is not null)",
    "select id, exists (select 1 from chosen where chosen.k = items.k) from items",
    "select x.id, c from (select * from items order by v, id limit 30) x join chosen using (k)",
    "select x.id, c from (select max(k) k, max(id) id from items group by k % 10) x join chosen using (k)",
    "select x.id, c from (select chosen.k, items.id from chosen full join items using (k)) x join chosen using (k)",
]


@pytest.mark.parametrize("query", WHOLE)
def test_whole(spark: SparkSession, items: DataFrame, query: str) -> None:
    assert_equal_rows(spark, lambda: spark.sql(query))


FAILING = {
    "projection": "select w, c from (select k, 1 / v w from items) x join chosen using (k)",
    "condition": "select x.id, c from (select k, id from items where 1 / v > 0) x join chosen using (k)",
    "key": "select items.id, c from items join chosen on items.k = chosen.k and 1 / items.v = chosen.c",
}


@pytest.mark.parametrize("name", FAILING)
def test_failures_of_rows_without_a_partner(spark: SparkSession, items: DataFrame, name: str) -> None:
    """What fails in rows that the join would drop fails as on plain Spark."""
    error = assert_failure_of_spark(spark, lambda: spark.sql(FAILING[name]), "division by zero in a row below a join")
    assert error.condition == "DIVIDE_BY_ZERO"
