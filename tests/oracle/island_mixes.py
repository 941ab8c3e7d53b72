"""Runs random mixes of native pieces and operators that stay Spark's, and prints as JSON what became of them.

The arguments are a seed, the number of mixes, and the folder for what they write. Each mix takes a source, has some
operators do their work on it, and hands the rows to a consumer; plain Spark does the same in the same session.
"""

import json
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from engine_process import collect_garbage, eventually, held_bytes
from oracle import comparable, explained, plain
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

ROWS = 4000
# Only a mix that hangs takes so long.
SECONDS = 180

Change = Callable[[DataFrame], DataFrame]
Rows = list[tuple]


@F.udf(LongType())
def doubled(value: int | None) -> int | None:
    return None if value is None else 2 * value


@F.udf(LongType())
def fails_sometimes(value: int | None) -> int | None:
    return None if value is None else value // (value - 3999)


def in_pandas(batches):
    """Passes batches of pandas on."""
    yield from batches


def sources(spark: SparkSession, folder: Path) -> dict[str, DataFrame]:
    """Makes the tables of columns a (unique), b, c (text, with nulls), and returns them by name."""
    rows = spark.range(ROWS).selectExpr(
        "id as a", "id % 17 as b", "if(id % 5 = 0, null, concat('text ', id % 300)) as c"
    )
    schema = "a long, b long, c string"
    if not (folder / "csv").exists():
        with plain(spark):
            rows.repartition(5).write.parquet(str(folder / "parquet"))
            rows.repartition(3).write.csv(str(folder / "csv"))
            rows.repartition(2).write.orc(str(folder / "orc"))
    few = [(i, i % 3, str(i)) for i in range(50)]
    many = [(i, i % 17, None if i % 9 == 0 else f"row {i}") for i in range(ROWS)]
    return {
        "parquet": spark.read.parquet(str(folder / "parquet")),
        "csv": spark.read.schema(schema).csv(str(folder / "csv"), mode="FAILFAST"),
        # An option that the engine does not know leaves the scan to Spark.
        "orc": spark.read.option("orc.tolerate.missing.schema", "true").orc(str(folder / "orc")),
        "list": spark.createDataFrame(few, schema),
        "rdd": spark.createDataFrame(spark.sparkContext.parallelize(many, 4), schema),
        "range": rows,
    }


def changes(choose: random.Random, tables: dict[str, DataFrame]) -> dict[str, Change]:
    """Returns what may be done to rows, native and not; all keep the columns a, b, c."""
    other = tables[choose.choice(list(tables))]
    number = choose.randrange(1, 9)
    by_b = Window.partitionBy("b").orderBy("a")
    return {
        "filter": lambda df: df.where(f"a % {number} <> 1"),
        "aggregate": lambda df: df.groupBy("b").agg(F.sum("a").alias("a"), F.max("c").alias("c")).select("a", "b", "c"),
        "sort": lambda df: df.sort("b", "a", "c"),
        "top": lambda df: df.orderBy("a", "b", "c").limit(100 * number),
        "join": lambda df: df.join(
            other.select(F.col("a").alias("x"), "b").distinct().groupBy("b").agg(F.max("x").alias("x")), "b"
        ).select((F.col("a") + F.col("x")).alias("a"), "b", "c"),
        "outer": lambda df: df.join(
            F.broadcast(other.select(F.col("a").alias("b"), F.col("c").alias("d"))), "b", "left"
        ).select("a", "b", F.coalesce("d", "c").alias("c")),
        "union": lambda df: df.union(other),
        "python": lambda df: df.select(doubled("a").alias("a"), "b", "c"),
        "failing": lambda df: df.select(fails_sometimes("a").alias("a"), "b", "c"),
        "pandas": lambda df: df.mapInPandas(in_pandas, "a long, b long, c string"),
        "window": lambda df: df.select("a", (F.row_number().over(by_b) % number).cast("long").alias("b"), "c"),
        "explode": lambda df: df.select("a", F.explode(F.array("b", F.lit(number).cast("long"))).alias("b"), "c"),
        "repartition": lambda df: df.repartition(number, "b"),
        "distinct": lambda df: df.distinct(),
        "subquery": lambda df: df.where(F.col("b") < number),
    }


def abandoned(df: DataFrame) -> Rows:
    rows = df.toLocalIterator()
    next(rows, None)
    return []


def written(folder: Path, spark: SparkSession, form: str) -> Callable[[DataFrame], Rows]:
    """Returns a consumer that writes files; its rows are what plain Spark reads of them."""

    def consume(df: DataFrame) -> Rows:
        writer = df.write.mode("overwrite")
        (writer.partitionBy("b") if form == "json" else writer).format(form).save(str(folder / "written"))
        with plain(spark):
            return as_rows(spark.read.format(form).load(str(folder / "written")).select("a", "b", "c").collect())

    return consume


def cached(df: DataFrame) -> Rows:
    df.cache()
    try:
        df.count()
        return as_rows(df.where("a > 10").collect())
    finally:
        df.unpersist(blocking=True)


def consumers(spark: SparkSession, folder: Path) -> dict[str, Callable[[DataFrame], Rows]]:
    """Returns what takes the rows of a mix, by name."""
    return {
        "collect": lambda df: as_rows(df.collect()),
        "count": lambda df: [(df.count(),)],
        "take": lambda df: [(len(df.take(7)),)],
        "show": lambda df: [(len(df._jdf.showString(20, 20, False)) > 0,)],
        "rdd": lambda df: [tuple(row) for row in df.rdd.map(tuple).collect()],
        "zip": lambda df: [tuple(row) for row, _ in df.rdd.zipWithIndex().collect()],
        "range sort": lambda df: as_rows(df.sort("c", "a", "b").repartitionByRange(3, "a").collect()),
        "iterator": lambda df: as_rows(list(df.toLocalIterator())),
        "abandoned": abandoned,
        "parquet": written(folder, spark, "parquet"),
        "json": written(folder, spark, "json"),
        "cache": cached,
        "pandas": lambda df: [(len(df.toPandas()),)],
    }


def as_rows(rows: list) -> Rows:
    return [tuple(row) for row in rows]


def outcome(consume: Callable[[], Rows]) -> str:
    """Returns the rows in an order of their own as text, or what sort of error there was."""
    try:
        return repr(sorted((tuple(map(comparable, row)) for row in consume()), key=repr))
    except (PySparkException, Py4JJavaError) as error:
        return "error " + ("ZeroDivisionError" if "ZeroDivisionError" in str(error) else str(error)[:500])


def in_time(consume: Callable[[], str]) -> str:
    """Returns an outcome, or that it took too long."""
    found: list[str] = []
    worker = threading.Thread(target=lambda: found.append(consume()), daemon=True)
    worker.start()
    worker.join(SECONDS)
    return found[0] if found else "hangs"


def run(spark: SparkSession, seed: int, count: int, folder: Path) -> dict[str, object]:
    """Runs mixes; returns how many were native in part, and a line for each that differs or hangs."""
    choose = random.Random(seed)
    tables = sources(spark, folder)
    takers = consumers(spark, folder)
    part_native, wrong = 0, []
    for number in range(count):
        source = choose.choice(list(tables))
        known = changes(choose, tables)
        steps = choose.sample(list(known), choose.randrange(1, 5))
        taker = choose.choice(list(takers))

        def made(source: str = source, steps: list[str] = steps, known: dict[str, Change] = known) -> DataFrame:
            df = tables[source]
            for step in steps:
                df = known[step](df)
            return df

        name = f"{number}: {source} {' '.join(steps)} -> {taker}"
        print(name, file=sys.stderr)
        part_native += "Native" in explained(made())
        found = in_time(lambda taker=taker, made=made: outcome(lambda: takers[taker](made())))
        with plain(spark):
            expected = in_time(lambda taker=taker, made=made: outcome(lambda: takers[taker](made())))
        if found != expected:
            wrong.append(f"{name}: {found[:300]} instead of {expected[:300]}")
        if found == "hangs":
            break
    tables.clear()
    collect_garbage(spark)
    left = 0 if eventually(lambda: held_bytes(spark) == 0) else held_bytes(spark)
    return {"mixes": count, "native": part_native, "wrong": wrong, "held": left}


if __name__ == "__main__":
    session = SparkSession.builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    print("outcome " + json.dumps(run(session, int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))))
