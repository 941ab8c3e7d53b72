"""Limits wherever Spark plans them: of all rows, of each partition, with an offset, below other operators.

Which rows come is Spark's choice where there is no order; then the number of rows is compared, and that they exist.
"""

from collections import Counter
from pathlib import Path

import pytest
from lacking import PLACE, REASON
from oracle import (
    assert_equal_rows,
    assert_native,
    explained,
    failure,
    normalised,
    plain,
    plain_failure,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

# Queries that may choose from the rows that they give without the limit.
CHOICES = {
    "outer join": "select a.id, b.id c from numbers a left join numbers b on a.n = b.id limit {}",
    "right outer join": "select a.id, b.id c from numbers a right join numbers b on a.id = b.n limit {}",
    "inner join": "select a.id, b.id c from numbers a join numbers b on a.n = b.id limit {}",
    "cross join": "select a.n, b.h from numbers a cross join (select h from numbers where id < 9) b limit {}",
    "semi join": "select id from numbers where exists (select 1 from numbers where s is not null) limit {}",
    "union": "select id from numbers union all select id + 10000 from numbers limit {}",
    "union of joins": """select a.id from numbers a left join numbers b on a.n = b.id
           union all select a.id from numbers a left join numbers b on a.n = b.n where b.id < 99 limit {}""",
    "distinct": "select distinct n from numbers limit {}",
    "aggregate": "select n, count(*) c from numbers group by n limit {}",
    "aggregate without functions": "select n from numbers group by n limit {}",
    "offset": "select id from numbers limit {} offset 11",
    "below a filter": "select id from (select * from numbers limit {}) where id >= 0",
}


@pytest.mark.parametrize("limit", [1, 7, 40, 1000000])
@pytest.mark.parametrize("name", CHOICES)
def test_choices(spark: SparkSession, numbers: DataFrame, name: str, limit: int) -> None:
    query = CHOICES[name]
    df = spark.sql(query.format(limit))
    assert_native(df)
    rows = df.collect()
    with plain(spark):
        expected = spark.sql(query.format(limit)).collect()
        everything = normalised(spark.sql(query.replace("limit {}", "")).collect())
    assert len(rows) == len(expected)
    remaining = list(everything)
    for row in normalised(rows):
        remaining.remove(row)


# Queries whose answer is the same whichever rows a limit chooses, or whose rows come in Spark's order.
ANSWERS = [
    "select count(*) from (select * from numbers limit 30)",
    "select count(*), count(c) from (select a.id, b.id c from numbers a left join numbers b on a.n = b.id limit 30)",
    "select count(*) from (select * from numbers limit 30) a cross join (select * from numbers limit 3) b",
    "select count(*) from ((select id from numbers limit 3) union all (select id from numbers limit 4))",
    "select count(*) from (select distinct n from numbers limit 3)",
    "select id from numbers where (select count(*) from (select * from numbers limit 5)) = 5 and id < 3",
    "select id from numbers where id in (select id from numbers limit 9000)",
    "select max(id) from numbers where exists (select 1 from numbers where id = 3)",
    "select id from numbers limit 5",
    "select id from numbers limit 5 offset 5548",
    "select id from numbers limit 5 offset 99999",
    "select id from numbers offset 5000",
    "select id from (select id from numbers limit 100) limit 7",
    "select id from (select id from numbers limit 100 offset 20) limit 7 offset 5",
    "select id from (select id from numbers limit 7) limit 100",
    "select * from (select id from numbers limit 3) union all select * from (select id from numbers limit 2)",
]


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("query", ANSWERS)
def test_answers(spark: SparkSession, numbers: DataFrame, query: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)


# Each fails in a row that is among those that the limit takes.
FAILURES = [
    "select n, sum(9223372036854775807 - id % 2) s from numbers group by n limit 5",
    "select n, sum(cast(99999999999999999999999999999999999999 as decimal(38, 0))) s from numbers group by n limit 5",
    "select id, 1 / (id % 3) q from numbers limit 10",
    "select a.id, 1 / (a.id % 3) q from numbers a join numbers b using (id) limit 50",
    "select id, (select b.id from numbers b where b.n = a.n) c from numbers a limit 5000",
]


@pytest.mark.parametrize("query", FAILURES)
def test_failures(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    """Some turn to Spark, which has the last word on decimals and below joins; none gives rows instead."""
    df = spark.sql(query)
    assert_native(df)
    assert failure(df.collect) == plain_failure(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("name", ["outer join", "union", "union of joins", "cross join", "aggregate", "offset"])
def test_other_consumers(spark: SparkSession, numbers: DataFrame, name: str, tmp_path: Path) -> None:
    df = spark.sql(CHOICES[name].format(6))
    assert_native(df)
    counted = df.agg({"*": "count"})
    assert_native(counted)
    assert counted.collect()[0][0] == 6
    df.write.parquet(str(tmp_path / "out"))
    with plain(spark):
        everything = Counter(normalised(spark.sql(CHOICES[name].replace("limit {}", "")).collect()))
        written = spark.read.parquet(str(tmp_path / "out")).collect()
    for rows in (df.rdd.collect(), df.collect(), written):
        assert len(rows) == 6
        assert Counter(normalised(rows)) <= everything


WINDOW = f"(select *, {PLACE} as place from numbers)"
OVER_OTHERS = {
    "left": f"select a.id, a.place, b.s from {WINDOW} a left join numbers b using (id) limit 5",
    "right": f"select a.id, b.place from numbers a right join {WINDOW} b using (id) limit 5",
    "cross": f"select a.id, b.place from {WINDOW} a cross join {WINDOW} b limit 5",
    "one side of a cross": f"select a.id, b.place from numbers a cross join {WINDOW} b limit 5",
    "semi": f"select a.id, place from {WINDOW} a left semi join numbers b limit 5",
    "top k": f"select * from (select * from {WINDOW} limit 9) order by n, id limit 5",
    "projection": f"select id + place, s from (select * from {WINDOW} limit 9) where n >= 0 or n is null",
}


@pytest.mark.parametrize("name", OVER_OTHERS)
def test_above_what_is_not_supported(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    """Spark puts limits of each partition below joins; what cannot run natively below them is what is named."""
    df = spark.sql(OVER_OTHERS[name])
    reasons = [line for line in explained(df).splitlines() if line.startswith("! ")]
    assert reasons
    assert all(REASON in reason for reason in reasons), reasons
    assert len(df.collect()) >= 5
