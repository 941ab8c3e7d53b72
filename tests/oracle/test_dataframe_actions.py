"""What programs do with native rows outside SQL: RDDs, iterators, samples, statistics, pandas on Spark."""

from collections.abc import Callable

import pytest
from oracle import normalised, operators, plain
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

Answer = Callable[[DataFrame], object]


def added(df: DataFrame) -> list[int]:
    """Returns what functions of a program added to an accumulator, row by row and part by part."""
    rows, parts = (df.sparkSession.sparkContext.accumulator(0) for _ in range(2))
    groups = df.groupBy("n").agg(F.sum("id").alias("v"))
    groups.foreach(lambda row: rows.add(row.v))
    groups.rdd.foreach(lambda row: rows.add(row.v))
    df.where("n < 4").foreachPartition(lambda part: parts.add(sum(row.id for row in part)))
    return [rows.value, parts.value]


def in_pandas(df: DataFrame) -> list[object]:
    """Returns answers of pandas on Spark."""
    frame = df.select("id", "n", "s", "h").orderBy("id").pandas_api()
    return [
        frame.groupby("n").id.sum().sort_index().to_pandas().to_dict(),
        frame[frame.id > 5540].s.to_pandas().to_dict(),
        frame.h.isnull().sum(),
        frame.id.cumsum().max(),
        frame.sort_values("id", ascending=False).head(4).to_pandas().to_csv(),
        frame.drop_duplicates("n").n.count(),
    ]


ANSWERS: dict[str, Answer] = {
    "partitions": lambda df: [len(part) for part in df.rdd.glom().collect()],
    "numbers of partitions": lambda df: [
        each.rdd.getNumPartitions() for each in (df, df.coalesce(1), df.repartition(7))
    ],
    "sums of partitions": lambda df: df.rdd.mapPartitions(lambda part: [sum(row.id for row in part)]).collect(),
    "indexes": lambda df: (
        df.orderBy("id").rdd.zipWithIndex().map(lambda pair: pair[0].id - pair[1]).distinct().collect()
    ),
    "unique numbers": lambda df: df.rdd.zipWithUniqueId().map(lambda pair: pair[1]).sum(),
    "sorted by a function": lambda df: df.select("id").rdd.sortBy(lambda row: -row.id).take(3),
    "pairs": lambda df: sorted(
        df.where("n > 0").rdd.map(lambda r: (r.n, r.id)).reduceByKey(lambda a, b: a + b).collect()
    ),
    "iterator": lambda df: [row.id for row in df.where("n = 3").orderBy("id").toLocalIterator()],
    "iterator that looks ahead": lambda df: sum(row.id for row in df.toLocalIterator(prefetchPartitions=True)),
    "accumulators": added,
    "random split": lambda df: [normalised(part.select("id").collect()) for part in df.randomSplit([0.2, 0.8], 5)],
    "sample of groups": lambda df: normalised(df.sampleBy("n", {1: 0.1, 2: 0.2}, 3).select("id").collect()),
    "sample above a sort": lambda df: df.orderBy("s", "id").sample(0.05, 3).select("id").collect(),
    "quantiles": lambda df: df.approxQuantile(["id", "x"], [0.1, 0.5, 0.9], 0.01),
    "summary": lambda df: normalised(df.select("id", "s", "h").summary("count", "min", "25%", "max").collect()),
    "cross table": lambda df: normalised(df.crosstab("n", "b").collect()),
    "frequent": lambda df: sorted(map(repr, df.freqItems(["n"], 0.1).first())),
    "replaced": lambda df: normalised(
        df.select("id", "n", "s").fillna({"s": "none"}).replace({3: 33}, None, ["n"]).collect()
    ),
    "dropped": lambda df: normalised(df.na.drop(thresh=11).select("id").collect()),
    "unpivoted": lambda df: normalised(df.unpivot("id", ["n", "h"], "k", "v").groupBy("k").agg(F.sum("v")).collect()),
    "ends": lambda df: [df.orderBy("id").tail(3), df.orderBy("id").offset(5540).count(), df.where("false").isEmpty()],
    "pandas on Spark": in_pandas,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    df = spark.table("numbers")
    assert operators(df)[-1] == "NativeFileScan"
    native = ANSWERS[name](df)
    with plain(spark):
        expected = ANSWERS[name](spark.table("numbers"))
    assert repr(native) == repr(expected)
