"""Joins of every type, over keys of every kind, against plain Spark."""

from pathlib import Path

import pytest
from oracle import (
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    plain,
    settings,
)
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark41

TYPES = ["join", "left join", "right join", "full join", "left semi join", "left anti join"]

# The other side of each join: with nulls, duplicate keys and rows without a match; without rows; small.
OTHERS = ["few", "none", "some"]

CONDITIONS = {
    "one key": "l.a = r.a",
    "condition": "l.a = r.a and l.b + r.c > 3000",
    "string key": "l.a = r.a and l.s = r.s",
    "decimal key": "l.d = cast(r.c as decimal(12,2))",
    "double key": "l.x = r.x",
    "null-safe key": "l.s <=> r.s and l.b < 1000",
    "no key": "l.b < r.c - 300",
}

SUBQUERIES = {
    "not in": "select * from many where a not in (select a from {})",
    "not in, no nulls": "select * from many where b not in (select c from {} where c is not null)",
    "in or": "select * from many where a in (select a from {}) or b > 100",
    "exists or": "select * from many where exists (select 1 from {0} where {0}.a = many.a and c > b) or flag",
    "correlated": "select * from many m where not exists (select 1 from {} r where r.a = m.a and r.c <> m.b)",
}

TREES = {
    "three tables": """select many.s, count(*) n, sum(some.c) c from many join few on many.a = few.a
        join some on few.a = some.a group by many.s order by n desc, 1""",
    "of aggregates": """select * from (select a, sum(b) b from many group by a) x
        full join (select a, sum(c) c from few group by a) y on x.a = y.a""",
    "of outer joins": """select * from many full join few on many.a = few.a full join some on few.c = some.c
        where coalesce(many.b, 1) < 3000""",
    "with itself": "select x.b, y.b from many x join many y on x.a = y.a where x.b < 50",
    "cross": "select count(*), sum(many.b + some.c) from many cross join some",
    "limited": "select m.a, few.c from (select * from many order by b limit 10) m left join few on m.a = few.a",
}

KEYS = {
    "nan and zero": ("cast(case id % 4 when 0 then 'nan' when 1 then '-0.0' else id / 4 end as double)", 30),
    "long string": ("concat(repeat('x', 100), id % 9)", 40),
    "boolean": ("id % 2 = 0", 20),
    "date": ("date_add(date'1582-10-01', cast(id % 20 as int))", 60),
    "wide decimal": ("cast(id % 11 as decimal(38,10)) * 1000000000000", 50),
    "binary": ("encode(concat('k', id % 7), 'UTF-8')", 40),
}


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("joins")
    tables = {
        "many": (
            5000,
            "cast(id % 700 as int) a",
            "id b",
            "if(id % 11 = 0, null, concat('k', id % 37)) s",
            "cast(id / 7 as decimal(12,2)) d",
            "id % 3 = 0 flag",
            "id / 10 x",
        ),
        "few": (
            900,
            "if(id % 13 = 0, null, cast(id % 800 as int)) a",
            "id * 10 c",
            "if(id % 7 = 0, null, concat('k', id % 50)) s",
            "if(id % 5 = 0, double('nan'), id / 10) x",
        ),
        "some": (40, "cast(id as int) a", "id * 10 c", "concat('k', id) s", "id / 10 x"),
        "none": (0, "cast(id as int) a", "id * 10 c", "cast(id as string) s", "id / 10 x"),
    }
    with plain(spark):
        for name, (rows, *columns) in tables.items():
            spark.range(0, rows, 1, 2).selectExpr(*columns).write.parquet(str(folder / name))
            spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("join", TYPES)
def test_types(spark: SparkSession, join: str, condition: str) -> None:
    for other in OTHERS:
        if condition == "no key" and other == "few":
            continue  # millions of pairs
        for left, right in (("many", other), (other, "many")):
            sides = ("l", "r") if left == "many" else ("r", "l")
            sql = f"select * from {left} {sides[0]} {join} {right} {sides[1]} on {CONDITIONS[condition]}"
            for batch_rows in ("0", "3") if other == "some" else ("0",):
                with settings(spark, spark__accelerant__batch__rows=batch_rows):
                    assert_equal_rows(spark, lambda sql=sql: spark.sql(sql))


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", SUBQUERIES)
def test_subqueries(spark: SparkSession, name: str, other: str) -> None:
    for threshold in ("-1", "10m"):  # sort-merge and broadcast joins
        with settings(spark, spark__sql__autoBroadcastJoinThreshold=threshold):
            assert_equal_rows(spark, lambda: spark.sql(SUBQUERIES[name].format(other)))


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", TREES)
def test_trees(spark: SparkSession, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(TREES[name]))


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("hint", ["broadcast(few)", "merge(few)", "shuffle_hash(few)", "shuffle_replicate_nl(few)"])
def test_hints(spark: SparkSession, hint: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        sql = f"select /*+ {hint} */ * from many join few on many.a = few.a"
        assert assert_equal_rows(spark, lambda: spark.sql(sql))


@pytest.mark.parametrize("kind", KEYS)
def test_keys(spark: SparkSession, kind: str, tmp_path: Path) -> None:
    expression, rows = KEYS[kind]
    with plain(spark):
        spark.range(0, rows, 1, 2).selectExpr(f"{expression} k", "id i").write.parquet(str(tmp_path / "keys"))
    keys = spark.read.parquet(str(tmp_path / "keys"))
    for join in ("inner", "full", "leftsemi"):
        assert assert_equal_rows(spark, lambda join=join: keys.alias("a").join(keys.alias("b"), "k", join))


def test_errors(spark: SparkSession) -> None:
    """Whether an error of a row that a join may drop counts is Spark's to say."""
    for on in ("l.a = r.a and 1 / (l.c - 30) > 0", "l.a = r.a and 1 / (l.c + r.c - 60) > 0", "l.a div (l.a - 7) = r.a"):
        query = f"select * from some l join some r on {on}"
        reason = "division by zero in a row below a join"
        assert_failure_of_spark(spark, lambda query=query: spark.sql(query), reason)
    guarded = "select * from some l join some r on l.a = r.a and l.c <> 30 and 1 / (l.c - 30) > -9"
    assert assert_equal_rows(spark, lambda: spark.sql(guarded))


CHOICES = {
    "semi": "select count(*), sum(id) from {left} where k in (select k from {right})",
    "anti": "select count(*), sum(id) from {left} where not exists (select 1 from {right} where k = {left}.k)",
    "condition": "select count(*) from {left} where exists (select 1 from {right} where k = {left}.k and o > id)",
    "without a match": "select count(*) from {left} where exists (select 1 from {right} where k = {left}.k and o < 0)",
    "no key": "select count(*), sum(id) from {left} left semi join {right} on {left}.id >= 0",
}


@pytest.mark.parametrize("larger", ["left", "right"])
@pytest.mark.parametrize("name", CHOICES)
def test_rows_chosen_by_skewed_keys(spark: SparkSession, tmp_path: Path, name: str, larger: str) -> None:
    """Two keys: all pairs of equal keys are a thousand times the rows."""
    sizes = {"left": 2000, "right": 2000} | {larger: 8000}
    with plain(spark):
        spark.range(0, sizes["left"], 1, 2).selectExpr("id", "id % 3 as k").write.parquet(str(tmp_path / "l"))
        spark.range(0, sizes["right"], 1, 2).selectExpr("id as o", "id % 2 as k").write.parquet(str(tmp_path / "r"))
    for view, folder in {"skewed_left": "l", "skewed_right": "r"}.items():
        spark.read.parquet(str(tmp_path / folder)).createOrReplaceTempView(view)
    query = CHOICES[name].format(left="skewed_left", right="skewed_right")
    for batch_rows in ("0", "100"):
        with settings(spark, spark__accelerant__batch__rows=batch_rows):
            assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("join", TYPES)
def test_partitions(spark: SparkSession, join: str) -> None:
    df = spark.sql(f"select * from many {join} few on many.a = few.a")
    assert_native(df)
    assert sorted(map(repr, df.rdd.collect())) == sorted(map(repr, df.collect()))
    assert df.limit(7).count() == 7
