"""Joins that run in another order than Spark's, and aggregates that stand twice and run once."""

import pytest
from oracle import assert_equal_rows, plain
from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A star: `facts` of 30,000 rows refers to `middling`, of 3,000, to `few` and to `days`."""
    folder = tmp_path_factory.mktemp("star")
    with plain(spark):
        written = {
            "facts": spark.range(0, 30000, 1, 1).selectExpr(
                "id",
                "if(id % 50 = 0, null, id % 3000) m",
                "cast(id % 20 as int) f",
                "date_add(date'2001-01-01', cast(id % 365 as int)) d",
                "cast(id % 1000 as decimal(12,2)) price",
                "concat('note ', id % 11) note",
            ),
            "middling": spark.range(0, 3000, 1, 1).selectExpr("id m", "id % 20 f", "concat('m', id) name", "id % 7 c"),
            "few": spark.range(0, 20, 1, 1).selectExpr("cast(id as int) f", "if(id = 3, null, id % 4) kind"),
            "days": spark.range(0, 365, 1, 1).selectExpr(
                "date_add(date'2001-01-01', cast(id as int)) d", "cast(id % 7 as int) weekday"
            ),
        }
        for name, df in written.items():
            df.write.parquet(str(folder / name))
            spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)


JOINS = {
    "star": """select facts.id, name, kind, weekday from facts join middling on facts.m = middling.m
        join few on facts.f = few.f join days on facts.d = days.d where kind = 1 and weekday < 2""",
    "cycle": """select count(*), sum(facts.id) from facts join middling on facts.m = middling.m
        join few on few.f = facts.f and few.f = middling.f where kind = 2""",
    "condition of three": """select facts.id from facts join middling on facts.m = middling.m
        join few on facts.f = few.f where facts.id + middling.c > few.kind + 20000 and kind < 2""",
    "computed key": """select facts.id, name from facts join middling on facts.m = middling.m
        join few on facts.f + 1 = few.f where kind = 0""",
    "null-safe key": """select facts.id, name from facts join middling on facts.m <=> middling.m
        join few on facts.f = few.f where kind = 0""",
    "below an aggregate": """select kind, weekday, sum(price * 2), count(distinct name) from facts
        join middling on facts.m = middling.m join few on facts.f = few.f join days on facts.d = days.d
        where weekday = 3 group by kind, weekday""",
    "beside an outer join": """select x.id, x.name, days.weekday from (select facts.id, facts.d, name from facts
        join middling on facts.m = middling.m join few on facts.f = few.f where kind = 1) x
        left join days on x.d = days.d and weekday = 1""",
    "of aggregates": """select a.f, a.total, b.n, kind from (select f, sum(price) total from facts group by f) a
        join (select f, count(*) n from middling group by f) b on a.f = b.f join few on few.f = a.f where kind = 1""",
    "self": """select a.id, b.id from facts a join facts b on a.id = b.m join few on few.f = b.f
        join middling on middling.m = a.m where kind = 0 and c = 1""",
    "no rows": """select facts.id from facts join middling on facts.m = middling.m join few on facts.f = few.f
        where kind = 99""",
}


@pytest.mark.parametrize("name", JOINS)
def test_joins_in_any_order(spark: SparkSession, name: str) -> None:
    """The rows are Spark's."""
    assert_equal_rows(spark, lambda: spark.sql(JOINS[name]))


REPEATED = {
    "joined with itself": """with totals as (select f, sum(price) total, count(*) n from facts group by f)
        select a.f, a.total, b.total, b.n, a.n from totals a join totals b on a.f = b.f where a.total >= b.total""",
    "in two subqueries": """select id from facts
        where f in (select f from facts group by f having sum(price) > 700000)
        and price > (select avg(total) / 1500 from (select f, sum(price) total from facts group by f))""",
    "with other columns": """select a.f, a.total, b.high from (select f, sum(price) total from facts group by f) a
        join (select f, max(price) high from facts group by f) b on a.f = b.f""",
    "in a union": """select f, sum(price) from facts group by f
        union all select f, sum(price) from facts group by f""",
    "filtered by a join in one place": """with totals as (select m, sum(price) total from facts group by m)
        select t.m, t.total from totals t join (select m from middling where c = 3) s on t.m = s.m
        union all select m, total from totals where total > 9000""",
}


@pytest.mark.parametrize("name", REPEATED)
def test_aggregates_that_stand_twice(spark: SparkSession, name: str) -> None:
    """The rows are Spark's."""
    assert_equal_rows(spark, lambda: spark.sql(REPEATED[name]))


def metrics(node: JavaObject) -> list[tuple[str, int, int]]:
    """Returns names, output rows and read bytes of a plan's nodes."""
    found = node.metrics()
    read = found.apply("bytesRead").value() if found.contains("bytesRead") else 0
    rows = found.apply("numOutputRows").value() if found.contains("numOutputRows") else -1
    children = [node.children().apply(i) for i in range(node.children().size())]
    return [(node.nodeName(), rows, read)] + [entry for child in children for entry in metrics(child)]


def ran(df: DataFrame) -> JavaObject:
    """Runs a query and returns its plan without what adaptive execution put around it."""
    df.collect()
    plan = df._jdf.queryExecution().executedPlan()
    while plan.nodeName() in ("AdaptiveSparkPlan", "ResultQueryStage"):
        plan = plan.executedPlan() if plan.nodeName() == "AdaptiveSparkPlan" else plan.plan()
    return plan


def test_a_repeated_aggregate_reads_once(spark: SparkSession) -> None:
    """Both places show the groups; the files are read for one of them."""
    totals = "select f, sum(price) total from facts group by f"
    found = metrics(ran(spark.sql(f"select a.f, a.total, b.total from ({totals}) a join ({totals}) b on a.f = b.f")))
    groups = [rows for name, rows, _ in found if "Aggregate" in name]
    assert groups, found
    assert set(groups) == {20}, found
    assert len([read for name, _, read in found if "Scan" in name and read > 0]) == 1, found
