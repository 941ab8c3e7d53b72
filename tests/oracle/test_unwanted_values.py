"""Values that nobody wants, in rows that are dropped and branches not taken: they take no time, and no memory."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.fixture(scope="module")
def lengths(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `lengths`: in every tenth of 5,000 rows a length n that no memory has room for, and an overflow v."""
    folder = str(tmp_path_factory.mktemp("lengths") / "table")
    with plain(spark):
        spark.range(0, 5000, 1, 1).selectExpr(
            "id",
            "if(id % 10 = 3, 2000000000, id % 7)::int n",
            "if(id % 10 = 3, 'much', null) s",
            "if(id % 10 = 3, '2000000000 EUR', string(id % 7)) t",
            "if(id % 10 = 3, 12000000000, id % 7) v",
        ).write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("lengths")
    return df


UNWANTED = {
    "branch": "select id, case when n < 100 then repeat('x', n) else 'big' end from lengths",
    "otherwise": "select id, if(n >= 100, 'big', rpad('x', n, '-')) from lengths",
    "below a branch": "select id, case when n < 100 then trim(concat('<', repeat('x', n), '>')) end from lengths",
    "later condition": "select id, case when n > 99 then 0 when length(space(n)) > 2 then 1 end from lengths",
    "branch in a branch": "select id, if(n < 100, if(id % 2 = 0, repeat('x', n), lpad('y', n, 'z')), s) from lengths",
    "filter": "select id, repeat('x', n) from lengths where n < 100",
    "filter and branch": "select id, if(id % 2 = 0, repeat(t, n), t) from lengths where n < 100 or id % 2 = 1",
    "and": "select id from lengths where n < 100 and length(space(n)) > 2",
    "or": "select id from lengths where n > 99 or length(space(n)) > 2",
    "coalesce": "select id, coalesce(s, lpad('x', n, '-')) from lengths",
    "null": "select id, space(try_cast(t as int)) from lengths",
    "overflow": "select id, case when v < 100 then repeat('x', cast(v as int)) else '' end from lengths",
    "constant division": "select id, if(id < 0, -(1 div 0), 1) from lengths",
    "sum with a constant division": "select id, if(id < 0, 1 + 10 div 0, 1) from lengths",
    "constant string": "select id, if(id < 0, length(repeat('ab', 2000000000)), 0) from lengths",
    "text like a constant": "select id, if(id < 0, repeat('ab', 2000000000) like 'a%', true) from lengths",
}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("name", UNWANTED)
def test_unwanted(spark: SparkSession, lengths: DataFrame, name: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__memory__limit="512m", spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(UNWANTED[name]))


def test_wanted_after_all(spark: SparkSession, lengths: DataFrame) -> None:
    """What two expressions share is computed for both."""
    sql = "select id, if(n < 3, repeat('x', n), '') a, repeat('x', n) b from lengths where id % 10 <> 3"
    assert assert_equal_rows(spark, lambda: spark.sql(sql))


def test_overflow_that_is_wanted(spark: SparkSession, lengths: DataFrame) -> None:
    error = assert_equal_failure(spark, lambda: spark.sql("select repeat('x', cast(v as int)) from lengths"))
    assert error.condition == "CAST_OVERFLOW"
