"""Dynamic pruning, subqueries and repeated tables beside islands and around them, however Spark plans them."""

import pytest
from oracle import normalised, plain, settings
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from report_marks import native_operators

pytestmark = pytest.mark.spark41

RANKED = "(select p, name, row_number() over (partition by name order by p) place from held)"
QUERIES = {
    "files": "select name, count(*), sum(id) from parted join names using (p) where name = 'd1' group by name",
    "an island prunes": "select name, count(*), max(id) from parted join held using (p) where name = 'd1' group by 1",
    "above an island": f"select name, count(*) from parted join {RANKED} using (p) where place < 3 group by name",
    "an island is pruned": "select name, count(*), sum(y) from (select p, plus_one(p) y from parted)"
    " join names using (p) where name = 'd2' group by name",
    "both": "select name, count(*), sum(y) from (select p, plus_one(p) y from parted)"
    " join held using (p) where name = 'd2' group by name",
    "twice": "select a.name, count(*) from parted join names a on parted.p = a.p join names b on parted.r = b.p"
    " where a.name = 'd3' and b.p < 2 group by a.name",
    "in": "select count(*), max(id) from parted where p in (select p from held where name = 'd2')",
    "not in": "select count(*), max(id) from parted where p not in (select p from held where name = 'd2')",
    "exists": "select count(*) from parted where exists (select 1 from held where held.p = parted.p and name = 'd1')",
    "a value": "select count(*), max(id) from parted where p = (select max(p) - 21 from held where name = 'd2')",
    "having": "select p, count(*) c from parted group by p having count(*) > (select min(p) from held)",
    "named twice": "with c as (select plus_one(p) p, count(*) n from parted group by 1)"
    " select a.p, b.n from c a join c b on a.p = b.p + 1 where a.n >= (select avg(n) from c)",
    "named four times": "with c as (select r, max(name) m from parted join names using (p) group by r),"
    " d as (select * from c union all select * from c) select m, count(*) from d join c using (m) group by m",
    "numbers of chance": "with c as (select id, rand(3) v from parted) select count(*) from c a join c b"
    " on a.id = b.id and a.v = b.v",
    "a view with itself": "select count(*) from parted a join parted b on a.id = b.id join parted c on c.id = b.id + 1",
    "limit": "select count(*) from parted join (select p from held order by p limit 3) using (p)",
    "full": "select count(*), sum(id), count(name) from parted full outer join held using (p)",
}
MODES = {
    "default": {},
    "no adaptive execution, no broadcast": {
        "spark__sql__adaptive__enabled": "false",
        "spark__sql__autoBroadcastJoinThreshold": "-1",
        "spark__sql__optimizer__dynamicPartitionPruning__reuseBroadcastOnly": "false",
    },
}


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Table `parted` in folders by p and r, `names` of its p, and `held`, the same as rows of an RDD."""
    folder = str(tmp_path_factory.mktemp("pruned"))
    with plain(spark):
        rows = spark.range(6000).selectExpr("id", "id / 4.0D x", "cast(id % 20 as int) p", "cast(id % 2 as int) r")
        rows.repartition(1).write.partitionBy("p", "r").parquet(folder + "/parted")
        spark.range(40).selectExpr("cast(id as int) p", "concat('d', id % 4) name").write.parquet(folder + "/names")
    spark.read.parquet(folder + "/parted").createOrReplaceTempView("parted")
    spark.read.parquet(folder + "/names").createOrReplaceTempView("names")
    held = spark.sparkContext.parallelize([(i, f"d{i % 4}") for i in range(40)], 2)
    spark.createDataFrame(held, "p int, name string").createOrReplaceTempView("held")
    spark.udf.register("plus_one", lambda value: value + 1, "int")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", QUERIES)
def test_queries(spark: SparkSession, name: str, mode: str) -> None:
    with settings(spark, **MODES[mode]):
        df = spark.sql(QUERIES[name])
        rows = df.collect()
        # What differs each time and is read twice stays Spark's, with all above it.
        assert name == "numbers of chance" or native_operators(df) & {
            "HashAggregate",
            "BroadcastHashJoin",
            "SortMergeJoin",
        }
        with plain(spark):
            expected = normalised(spark.sql(QUERIES[name]).collect())
    assert normalised(rows) == expected


def test_a_value_that_is_planned_anew(spark: SparkSession) -> None:
    """Adaptive execution plans subqueries after the engine has seen the rest."""
    query = """select 0L c, p from held_again union all select id, null from parted
               where id > (select size(max_by(array(name, name), p)) from held_again) and plus_one(p) > 19"""
    spark.sql("cache table held_again as select * from held")
    try:
        df = spark.sql(query)
        rows = df.collect()
        assert native_operators(df) & {"Filter"}
        with plain(spark):
            assert normalised(rows) == normalised(spark.sql(query).collect())
    finally:
        spark.sql("drop view held_again")


@pytest.mark.parametrize("level", ["MEMORY_ONLY", "DISK_ONLY", "MEMORY_AND_DISK_DESER"])
def test_a_cache_over_a_cache(spark: SparkSession, level: str) -> None:
    """What reads a cache sees the same rows when the one below, or both, are let go."""

    def answers() -> list[list[tuple]]:
        first = spark.sql("select p, r, sum(id) v from parted group by p, r").persist(getattr(StorageLevel, level))
        found = [
            normalised(first.groupBy("r").agg(F.sum("v")).collect()),
            normalised(first.take(0)),
            [(first.count(),)],
        ]
        second = first.where("p > 3").persist(getattr(StorageLevel, level))
        ask = lambda: found.append(normalised(second.groupBy("r").agg(F.max("v")).collect()))  # noqa: E731
        ask()
        first.unpersist(True)
        ask()
        second.unpersist(True)
        ask()
        assert len({repr(each) for each in found[3:]}) == 1
        return found

    native = answers()
    with plain(spark):
        assert native == answers()


def test_checkpoints(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Native rows go into checkpoints of either sort, and come back as islands."""
    spark.sparkContext.setCheckpointDir(str(tmp_path_factory.mktemp("checkpoints")))

    def joined() -> DataFrame:
        groups = spark.sql("select p, sum(id) v from parted group by p")
        kept = groups.checkpoint().join(groups.localCheckpoint().withColumnRenamed("v", "w"), "p")
        return kept.groupBy("v").agg(F.max("w"), F.count("*"))

    df = joined()
    rows = df.collect()
    assert len(rows) == 20
    assert "HashAggregate" in native_operators(df)
    with plain(spark):
        assert normalised(rows) == normalised(joined().collect())
