"""Expressions that the engine lacks, computed by Spark's own code inside native queries, equal to plain Spark."""

import re
from pathlib import Path

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_equal_values,
    assert_failure_of_spark,
    assert_native,
    assert_spark,
    explained,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

ROWS = 5000


@pytest.fixture(scope="module")
def things(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `things` in two files: id and columns of every flat type; each but id is null in some rows."""
    folder = str(tmp_path_factory.mktemp("things") / "table")
    with plain(spark):
        columns = {
            "i": "int(id % 1000 - 500)",
            "l": "id * 1000003",
            "x": "id / 7.0D",
            "f": "float(id) / 3",
            "b": "id % 3 = 0",
            "s": "concat('text ', id, ' of {\"a\":', id, '}')",
            "t": "substr('abcdefghijklmnop', int(id % 16) + 1, 3)",
            "bin": "cast(concat('x', id) as binary)",
            "d": "date_add(date'2020-01-01', int(id))",
            "ts": "timestamp'2020-01-01 00:00:00' + make_dt_interval(int(id % 700), 0, int(id % 60), 1.5)",
            "n": "cast(id as decimal(10,2)) / 8",
            "w": "cast(id as decimal(38,10)) * 12345678901.25",
        }
        nulled = [f"if((id + {len(name)}) % 11 = 0, null, {text}) {name}" for name, text in columns.items()]
        table = spark.range(ROWS).selectExpr("id", *nulled)
        table.repartitionByRange(2, "id").sortWithinPartitions("id").write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("things")
    assert Path(folder).is_dir()
    return df


def bridged(df: DataFrame) -> list[str]:
    """Returns the names of the functions that a query's report calls bridged."""
    found = re.findall(r"\(bridged: ([^)]*)\)", explained(df))
    return sorted({name for names in found for name in names.split(", ")})


FIXED_WIDTH = [
    "log1p(x)",
    "hypot(x, i)",
    "cbrt(x)",
    "factorial(abs(i) % 25)",
    "levenshtein(t, 'bcd')",
    "crc32(bin)",
    "unix_timestamp(s, if(i > 3, 'yyyy', 'y'))",
    "isnotnull(xpath_boolean(concat('<a>', i, '</a>'), 'a/b'))",
    "xpath_boolean(concat('<a>', i, '</a>'), 'a = 3')",
    "exists(array(i, 3, null), v -> log1p(v) > 2)",
    "to_date(cast(d as string), if(i > 3, 'yyyy-MM-dd', 'y-MM-dd'))",
    "to_timestamp(date_format(ts, 'yyyy/MM/dd HH:mm'), if(i > 3, 'yyyy/MM/dd HH:mm', 'y/MM/dd HH:mm'))",
    "make_timestamp(2000 + i % 50, 1 + abs(i) % 12, 3, 4, 5, 6.5)",
    "make_dt_interval(i, 0, 0, 1.5)",
    "extract(month from make_ym_interval(i, 3))",
    "to_number(cast(abs(i) as string), '999')",
    "width_bucket(x, 0D, 100D, 7)",
    "size(split(s, '[ ]'))",
    "array_contains(array(log1p(i), 3D), 3D)",
    "aggregate(sequence(1, abs(i) % 5 + 1), 0L, (a, v) -> a + factorial(v) % 100)",
]

VARIABLE_WIDTH = [
    "soundex(s)",
    "format_number(x, 3)",
    "date_format(ts, 'EEEE dd MMM yyyy VV')",
    "from_unixtime(l, 'yyyy VV')",
    "regexp_replace(s, '[aeiou]+', '<$0>')",
    "get_json_object(substr(s, instr(s, '{')), '$.a')",
    "split(s, '[ ]')[1]",
    "element_at(split(s, '[ ]'), -1)",
    "format_string('%d and %s', i, t)",
    "base64(bin)",
    "unbase64(base64(bin))",
    "encode(s, 'UTF-16')",
    "sha2(s, 256)",
    "bin(l)",
    "conv(t, 16, 10)",
    "mask(s)",
    "aes_encrypt(bin, 'abcdefghijklmnop', 'ECB')",
    "transform(array(t, s), v -> soundex(v))[0]",
]


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_values(spark: SparkSession, things: DataFrame, ansi: str) -> None:
    """Results of every width, of arguments of every type, with nulls."""
    with settings(spark, spark__sql__ansi__enabled=ansi):
        calls = [call for call in FIXED_WIDTH + VARIABLE_WIDTH if not (ansi == "true" and "unix_timestamp" in call)]
        for first in range(0, len(calls), 6):
            assert_equal_values(spark, "things", calls[first : first + 6])


def test_nothing_of_these_is_native(spark: SparkSession, things: DataFrame) -> None:
    """The functions above are the engine's own when this fails: then others should stand there."""
    for call in FIXED_WIDTH + VARIABLE_WIDTH:
        df = spark.sql(f"select id, {call} from things")
        assert bridged(df), call


def test_only_missing_expressions_cross(spark: SparkSession, things: DataFrame) -> None:
    """What is around a bridged call, and what is below it, stays native; neighbours that are missing are one call."""
    df = spark.sql("select id + 1, soundex(concat(s, 'x')), soundex(format_number(x, 1)) from things where i > 3")
    assert_native(df)
    assert bridged(df) == ["soundex"]


@pytest.mark.parametrize(
    "query",
    [
        "select id from things where soundex(t) = 'B230'",
        "select id from things where i > 3 and levenshtein(t, 'abc') < 2 and x > 10",
        "select soundex(t) k, count(*), sum(l), max(format_number(x, 2)) from things group by 1",
        "select count(distinct soundex(t)) from things",
        "select a.id, b.id from things a join things b on soundex(a.t) = soundex(b.t) and a.id % 50 = b.id % 50",
        "select a.id, b.id from things a join things b on a.id = b.id and levenshtein(a.t, b.s) > 5",
        "select a.id, b.id from things a left join things b on a.id = b.id + 1 and soundex(a.t) < soundex(b.t)",
        "select id from things where id in (select l from things where soundex(t) > 'B') or soundex(t) = 'C300'",
        "select id, (select max(soundex(t)) from things) from things where id < 100",
        "select id, t from things where t is not null order by soundex(t), id limit 40",
        "select grouping_id(), soundex(t), b, count(*) from things group by cube(soundex(t), b)",
        "select sum(levenshtein(t, 'abc')) filter (where soundex(t) = 'B230') from things",
    ],
)
def test_everywhere(spark: SparkSession, things: DataFrame, query: str) -> None:
    """Filters, keys, conditions, arguments of aggregates, subqueries."""
    assert bridged(spark.sql(query))
    assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


def test_key_of_a_built_side_below_consumers(spark: SparkSession, things: DataFrame, tmp_path: Path) -> None:
    """Sets of keys are made where the last stage starts: on a task's thread, whose task must stay the same."""
    few = "(select s as t from things where id < 300)"
    sql = f"select /*+ broadcast(b) */ a.id, b.t from things a join {few} b on a.id = length(log1p(length(b.t)))"

    def written(folder: Path) -> list:
        spark.sql(sql).write.parquet(str(folder))
        return sorted(spark.read.parquet(str(folder)).collect())

    assert "LOG1P" in bridged(spark.sql(sql))
    assert_native(spark.sql(sql))
    passed_on = spark.sql(sql).mapInPandas(lambda frames: frames, "id bigint, t string")
    with plain(spark):
        expected = written(tmp_path / "expected")
    assert expected
    assert written(tmp_path / "native") == expected
    assert sorted(passed_on.collect()) == expected


@pytest.mark.parametrize("factory", ["NO_CODEGEN", "CODEGEN_ONLY", "FALLBACK"])
def test_interpreted_and_compiled(spark: SparkSession, things: DataFrame, factory: str) -> None:
    """Both ways in which Spark computes an expression."""
    with settings(spark, spark__sql__codegen__factoryMode=factory):
        assert_equal_values(spark, "things", [*FIXED_WIDTH[:6], *VARIABLE_WIDTH[:7], "to_number('1234.5', '9999.9')"])
        # Compiled, the order of entries takes null for 0.
        groups = "select map('a', if(i % 3 = 0, null, i % 2)) m, count(*) n from things group by 1"
        assert_equal_rows(spark, lambda: spark.sql(groups))
        assert bridged(spark.sql(groups))


def test_errors(spark: SparkSession, things: DataFrame) -> None:
    """Spark's own exceptions, with their query context, those of the first row that fails."""
    for call in [
        "raise_error(concat('row ', id))",
        "to_number(s, '999')",
        "element_at(array(1, 2), i)",
        "to_timestamp(s, 'yyyy-MM-dd')",
        "make_timestamp(2000, i, 1, 1, 1, 1)",
        "url_decode(concat('%', s))",
    ]:
        # Of the second file another task of plain Spark's may fail first.
        assert_equal_failure(spark, lambda text=call: spark.sql(f"select id, {text} from things where id < 1000"))


@pytest.mark.parametrize(
    "query",
    [
        "select from_unixtime(l, 'aa') from things",
        "select from_unixtime(cast(t as bigint), 'aa') from things",
        "select case when i > 10000 then from_unixtime(l, 'aa') end from things",
        "select from_unixtime(l, 'aa') from things where id < 0",
    ],
)
def test_a_pattern_that_no_formatter_takes(spark: SparkSession, things: DataFrame, query: str) -> None:
    """A stage of Spark's fails as its code is made: before an argument does, and where no row gets there."""
    assert_failure_of_spark(spark, lambda: spark.sql(query), "an expression that Spark has no code for: ")


def test_values_of_no_type(spark: SparkSession, things: DataFrame) -> None:
    """Nulls of no type, chosen among by conditions, with the errors of those that a row takes."""
    checks = "assert_true(id >= 0), coalesce(assert_true(id < 9999), assert_true(i < 9999, s))"
    assert_equal_rows(spark, lambda: spark.sql(f"select id, {checks} from things where i < 9999"))
    assert_equal_rows(spark, lambda: spark.sql("select case when b then assert_true(id >= 0) end from things"))
    df = spark.sql("select assert_true(id >= 0) from things")
    assert_native(df)
    assert df.rdd.count() == ROWS
    assert_equal_failure(spark, lambda: spark.sql("select assert_true(id <> 4321, concat('id ', id)) from things"))


def test_errors_that_do_not_count(spark: SparkSession, things: DataFrame) -> None:
    """Branches not taken, rows filtered before, and what stands behind a limit, fail nobody."""
    for query in [
        "select id, case when i > 10000 then raise_error('never') else soundex(t) end from things",
        "select id, if(i between 1 and 2, element_at(array(1, 2), i), -1) from things where i is not null",
        "select id from things where i in (1, 2) and element_at(array(1, 2), i) = 1",
        "select id, coalesce(t, raise_error('never')) from things where t is not null",
        "select id, try_element_at(array(1, 2), 1 + abs(i)), try_to_number(s, '999') from things",
    ]:
        assert_equal_rows(spark, lambda text=query: spark.sql(text))


def test_arguments_that_may_fail(spark: SparkSession, things: DataFrame) -> None:
    """An argument that fails natively is Spark's to compute where Spark might not come to it."""
    for query in [
        "select id, concat_ws(',', t, format_number(if(i = 0, 1, 1 / i), 2)) from things where i <> 0",
        "select id, levenshtein(null, cast(1 / i as string)) from things",
        "select id, try_add(1, 2), try_divide(1, i), try_to_timestamp(cast(1 div nullif(i, 0) as string)) from things",
    ]:
        assert_equal_rows(spark, lambda text=query: spark.sql(text))
    assert_equal_failure(spark, lambda: spark.sql("select id, format_number(1 / i, 2) from things"))


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles"])
def test_rows_that_a_native_cast_leaves(spark: SparkSession, zone: str, tmp_path: Path) -> None:
    """Texts with a region, or a time without a date, are cast by Spark, row by row; parts of the result, too."""
    texts = ["2020-01-01 12:00:00", "2020-01-01 12:00:00 Europe/Berlin", "12:34:56", "T1:2:3 Asia/Tokyo", "no", None]
    folder = str(tmp_path / "texts")
    with plain(spark):
        spark.createDataFrame([(i, t) for i, t in enumerate(texts * 50)], "id int, s string").write.parquet(folder)
    with settings(spark, spark__sql__ansi__enabled="false", spark__sql__session__timeZone=zone):
        spark.read.parquet(folder).createOrReplaceTempView("dates")
        # A time without a date is of today.
        query = "select id, cast(s as timestamp) - current_date() from dates where s not like '%:56'"
        assert_equal_rows(spark, lambda: spark.sql(query.replace(" - current_date()", "")))
        native = spark.sql("select id, cast(s as timestamp) t from dates where s like '2020%'")
        native.write.parquet(str(tmp_path / "out"))
        assert_native(native)
        with plain(spark):
            assert spark.read.parquet(str(tmp_path / "out")).where("t is null").count() == 0


def test_what_is_not_deterministic_is_sparks(spark: SparkSession, things: DataFrame) -> None:
    """The values of rand depend on Spark's partitions."""
    for call in ["rand(3)", "uuid()", "monotonically_increasing_id()", "spark_partition_id()", "input_file_name()"]:
        df = spark.sql(f"select id, {call} from things")
        assert not bridged(df)


def test_switch(spark: SparkSession, things: DataFrame) -> None:
    """The setting turns bridged calls off."""
    with settings(spark, spark__accelerant__bridge="false", spark__accelerant__islands="false"):
        df = spark.sql("select soundex(t) from things")
        assert_spark(df)
        assert "expression SoundEx" in explained(df)


def test_metrics(spark: SparkSession, things: DataFrame) -> None:
    """The SQL tab says how many rows Spark's code computed, and how long that took: only those that counted."""
    df = spark.sql("select levenshtein(s, 'text') from things where id between 1000 and 1099 and s is not null")
    assert df.count() == 90
    df.collect()
    assert_native(df)
    plan = df._jdf.queryExecution().executedPlan()
    while plan.nodeName() in ("AdaptiveSparkPlan", "ResultQueryStage"):
        plan = plan.executedPlan() if plan.nodeName() == "AdaptiveSparkPlan" else plan.plan()
    assert plan.metrics().apply("bridgedRows").value() == 90
    assert plan.metrics().apply("bridgedTime").value() > 0
