"""Unions, in plain Spark's order."""

import pytest
from oracle import assert_equal_rows, assert_native, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

ORDERED = {
    "all": "select id, s from numbers where id < 3000 union all select id + 1, z from (select id, s z from numbers)",
    "limited": "select id from numbers where id > 9 union all select id from numbers where id < 7 limit 5500",
    "three": "select d from numbers union all select w from numbers union all select id from numbers where n = 2",
    "filtered": "select * from (select id, n from numbers union all select n, id from numbers) where id % 7 = 3",
}

OTHERS = {
    "distinct": "select n from numbers union select y from numbers",
    "grouped": "select n, count(*) from (select n from numbers union all select h from numbers) group by n",
    "of aggregates": "select max(id) m from numbers union all select n from numbers group by n",
    "joined": """select a.id, b.id from (select id from numbers union all select id + 2 from numbers) a
        join (select id from numbers union all select id * 2 from numbers) b on a.id = b.id""",
    "of joins": """select a.id from numbers a full join numbers b on a.id = b.id + 5000
        union all select b.id from numbers a right join numbers b on a.id = b.id + 5000""",
    "intersect": "select n, b from numbers intersect select y, b from numbers",
    "except": "select n, b from numbers except select y, b from numbers",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", ORDERED)
def test_order(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(ORDERED[name]), ordered=True)


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", OTHERS)
def test_rows(spark: SparkSession, numbers: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(OTHERS[name]))


@pytest.mark.parametrize("name", ["all", "of aggregates", "of joins"])
def test_partitions(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    df = spark.sql((ORDERED | OTHERS)[name])
    assert_native(df)
    rows = df.rdd.collect()
    assert rows == df.collect() if name in ORDERED else sorted(map(repr, rows)) == sorted(map(repr, df.collect()))
