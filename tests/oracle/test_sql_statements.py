"""Statements around native queries: scripts, variables, functions and pipes in SQL, tables that cannot be changed."""

import re
from pathlib import Path

import pytest
from oracle import assert_equal_rows, explained, failure, normalised, operators, plain, settings
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

PROGRAMS = {
    "script": [
        "begin declare k int = 3; declare total bigint; set total = (select sum(id) from numbers where n = k);"
        " if total > 100 then select total, count(*) from numbers where n = k; else select 'few'; end if; end",
        "begin declare i int = 0; declare found bigint = 0; while i < 2 do"
        " set found = found + (select count(*) from numbers where n = i); set i = i + 1; end while; select found; end",
        "begin for here as (select n, count(*) c from numbers where n > 2 group by n order by n) do"
        " if here.n = 3 then select here.c, max(id) from numbers where n = here.n; end if; end for; end",
    ],
    "handled failure": [
        "begin declare exit handler for divide_by_zero begin select 'zero'; end;"
        " select sum(1 / (id - 4000)) from numbers; end",
        "begin select sum(1 / (id - 4000)) from numbers; end",
    ],
    "variables": [
        "declare or replace variable k int default 3",
        "set var k = (select max(n) - 2 from numbers)",
        "select count(*), k from numbers where n = k group by k",
        "execute immediate 'select n, count(*) from numbers where n > ? group by n' using k",
        "execute immediate 'select cast(max(n) as int) from numbers' into k",
        "select id + k from numbers where id < 5",
        "drop temporary variable k",
        "select count(*) from numbers where n = session.k",
    ],
    "functions": [
        "create or replace temporary function doubled(v bigint) returns bigint return v * 2",
        "select max(doubled(id)) from numbers where doubled(id) > 7",
        "create or replace temporary function those(k int) returns table(id bigint, s string)"
        " return select id, s from numbers where n = k",
        "select count(*), max(s) from those(3)",
        "create or replace temporary function parts(v int) returns double return 1 / v",
        "select sum(parts(n)) from numbers",
    ],
    "unchangeable": [
        "create table {table} using parquet as select id, n from numbers where id < 100",
        "update {table} set n = 1 where id = 3",
        "delete from {table} where id = 3",
        "merge into {table} t using numbers s on t.id = s.id when matched then update set n = s.n",
        "insert into {table} select 'x', 1",
        "insert into {table} select id from numbers",
        "insert into {table} (n) select n from numbers where id > 5540",
        "insert into {table} select id, cast(1 / (id - 4000) as int) from numbers",
        "select count(*), count(id), sum(n) from {table}",
    ],
    "partitions": [
        "create table {table} (id long, n int, m int) using parquet partitioned by (n, m)",
        "insert into {table} select id, n, id % 2 from numbers where id < 2000",
        "insert overwrite {table} partition (n = 3, m) select id, 7 from numbers where id between 10 and 20",
        "insert overwrite {table} partition (n = 4, m = 1) select id from numbers where id < 3",
        "select n, m, count(*), sum(id) from {table} group by all",
        "alter table {table} drop partition (n = 2, m = 0)",
        "select n, count(*) from {table} group by n",
        "insert overwrite {table} select id, n, 1 from numbers where 1 / (id - 4000) > 0",
        "select count(*), max(n) from {table}",
    ],
    "padded": [
        "create table {table} (a char(5), b varchar(3)) using parquet",
        "insert into {table} select concat('x', n), cast(n as string) from numbers",
        "select a, length(a), count(*) from {table} group by a",
        "select count(*) from {table} x join (select distinct b from {table}) y on x.a = 'x' || y.b",
        "insert into {table} select 'too long', '1' from numbers",
        "select count(*) from {table} where a in ('x1', 'x2   ')",
    ],
    "views": [
        "create table {table} using parquet as select id, n from numbers",
        "create or replace temporary view of_table as select * from {table} where n > 2",
        "drop table {table}",
        "create table {table} using parquet as select n, id, s from numbers where id > 50",
        "select count(*), max(id) from of_table",
        "drop table {table}",
        "select count(*) from of_table",
    ],
    "pipes": [
        "from numbers |> where id > 100 |> extend id * 2 as more |> aggregate sum(more) t, count(*) c group by n"
        " |> where c > 5 |> order by t desc |> limit 3",
        "table numbers |> select n, id |> pivot (sum(id) for n in (1, 2, 3))",
        "from numbers |> select id, n |> extend sum(id) over (partition by n order by id) r |> where r < 1000",
    ],
}
# How many statements of a program fail, on plain Spark too.
FAILING = {
    "handled failure": 1,
    "variables": 1,
    "functions": 1,
    "unchangeable": 6,
    "partitions": 1,
    "padded": 1,
    "views": 1,
}


def outcome(spark: SparkSession, statement: str) -> object:
    """Returns the rows of a statement, or how it fails."""
    try:
        return normalised(spark.sql(statement).collect())
    except (PySparkException, Py4JJavaError) as error:
        found = error

    def again() -> None:
        raise found

    return failure(again)


def outcomes(spark: SparkSession, program: list[str], table: str) -> list[str]:
    """Returns what a program's statements come to, without the name of its table."""
    spark.sql(f"drop table if exists {table}")
    found = [repr(outcome(spark, statement.replace("{table}", table))) for statement in program]
    spark.sql(f"drop table if exists {table}")
    return [re.sub(table, "a table", each) for each in found]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(spark: SparkSession, numbers: object, name: str) -> None:
    more = {"spark__sql__scripting__enabled": "true", "spark__sql__sources__partitionOverwriteMode": "dynamic"}
    with settings(spark, **more):
        native = outcomes(spark, PROGRAMS[name], "of_program_1")
        with plain(spark):
            expected = outcomes(spark, PROGRAMS[name], "of_program_2")
    assert native == expected
    assert sum(each.startswith("Failure(") for each in native) == FAILING.get(name, 0)


@pytest.mark.parametrize("name", ["pipes", "functions"])
def test_queries_are_native(spark: SparkSession, numbers: object, name: str) -> None:
    for statement in PROGRAMS[name]:
        df = spark.sql(statement)
        if not statement.startswith("create"):
            assert any(each.startswith("NativeFileScan") for each in operators(df)), statement


def test_a_function_of_sql_is_native(spark: SparkSession, numbers: DataFrame) -> None:
    spark.sql("create or replace temporary function twice(v bigint) returns bigint return v * 2")
    assert_equal_rows(spark, lambda: spark.sql("select twice(n), sum(twice(id)) from numbers group by twice(n)"))


def test_members_of_a_variant_cost_a_query_its_scan(spark: SparkSession, tmp_path: Path) -> None:
    """Spark asks the reader for members of a variant as for those of a struct, which the files have not."""
    with plain(spark):
        rows = spark.range(5000).selectExpr("id", "parse_json('{\"a\": ' || id || '}') as v")
        rows.write.parquet(str(tmp_path / "t"))
    df = spark.read.parquet(str(tmp_path / "t")).where("variant_get(v, '$.a', 'int') > 100").groupBy().sum("id")
    assert df.first()[0] == sum(range(101, 5000))
    assert "* HashAggregate" in explained(df)
    assert "reverted" not in explained(df)


def test_options_of_writers_are_nothing_to_a_scan(spark: SparkSession, tmp_path: Path) -> None:
    """A relation that Hive's tables became for a write keeps its options."""
    with plain(spark):
        spark.range(100).write.parquet(str(tmp_path / "t"))
    reader = spark.read.option("partitionOverwriteMode", "dynamic").option("compression", "zstd")
    assert_equal_rows(spark, lambda: reader.parquet(str(tmp_path / "t")))
