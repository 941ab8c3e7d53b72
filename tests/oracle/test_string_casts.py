"""Casts between strings and other types, in every mode, natively and equal to plain Spark."""

import pytest
from oracle import assert_equal_failure, assert_equal_values, assert_native, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

SPELLINGS = """
|0|1|-1|+7| 12 |\t13\n|007|1.5|-1.9|1.|.5|.|-|+|-.|+.|1 2|1e3|1E+2|2e-3|1e|1e+|e5|--1|+-1|1_0|12a|0x10|1,5
|127|128|-128|-129|32767|32768|-32769|2147483647|2147483648|-2147483648|-2147483649
|9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809|99999999999999999999
|true|FALSE|T|f|yes|No|y|N| true |tru|on|\x001\x00|\x7f5\x7f|\u00a01|\u2003 1|\u0663.\u0665|\uff11|é|1é|😀
|nan|NaN|-NaN|+nan|inf|-Inf|+INFINITY|Infinity|-infinity|infinit|1d|1D|1f|1.5F|1dd|nand|0x1p3|0x1.8p-1f|0x.8P+2|0x1
|1e400|-1e400|1e-400|4.9e-324|2.47e-324|2.4703282292062328e-324|1.7976931348623157e308|1.7976931348623159e308
|2.2250738585072011e-308|1e23|9007199254740993|9007199254740992.99999999999999999999999999|123456789.123456789e-30
|3.4028235677973366e38|3.4028235677973365e38|1.17549435e-38|1.4e-45|7e-46|16777217|16777217.0000000000000000000001
|0.1|0.000001|123456.789|99.995|-99.995|0.005|0.0049999|99999999.5|12345678901234567890.123456789|1e37|1e38|1E-40|0E100
|99999999999999999999999999999999999999|99999999999999999999999999999999999999.4|99999999999999999999999999999999999999.5
|1e99999999999|1e-99999999999|0.00000000000000000000000000000000000000001e45|1e10000000000|1e9999999999
""".replace("\n|", "|").strip("\n|")

TARGETS = ["boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "binary"]
DECIMALS = ["decimal(5,2)", "decimal(18,3)", "decimal(10,0)", "decimal(38,0)", "decimal(38,18)", "decimal(20,20)"]
FROM_NUMBERS = ["b", "y", "h", "n", "l", "d1", "d2", "d3", "d4", "t"]


@pytest.fixture(scope="module")
def spellings(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `spellings`: id and a text s, and numbers of every exact type beside it."""
    folder = str(tmp_path_factory.mktemp("spellings") / "table")
    texts = [text.replace("\\n", "\n") for text in SPELLINGS.split("|")]
    texts += ["1" * 70_000, "0." + "0" * 400 + "1", "1" + "0" * 308, "2" * 800 + "e-790", "1" + " " * 30, "", None]
    with plain(spark):
        rows = [(n, text) for n, text in enumerate(texts)]
        table = spark.createDataFrame(rows, "id long, s string").selectExpr(
            "*",
            "if(id % 7 = 6, null, id % 2 = 0) b",
            "cast(id - 60 as tinyint) y",
            "cast(id * 300 - 20000 as smallint) h",
            "cast(id * 30000000 - 2000000000 as int) n",
            "if(id % 5 = 4, null, id * 7000000000000000 - 4000000000000000000) l",
            "cast((id - 60) / 1000 as decimal(9,5)) d1",
            "cast((id - 60) / 100000000 as decimal(18,10)) d2",
            "cast(cast(id - 60 as decimal(38,0)) * 1000000000000000000000000000 as decimal(38,0)) d3",
            "cast(cast(id - 60 as decimal(38,20)) / 100000000000 as decimal(38,20)) d4",
            "date_add(date'1994-01-01', cast((id - 60) * (id - 60) * (id - 60) * 5 as int)) t",
        )
        table.coalesce(1).write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("spellings")
    return df


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_try_casts_from_strings(spark: SparkSession, spellings: DataFrame, ansi: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        assert_equal_values(spark, "spellings", [f"try_cast(s as {target})" for target in TARGETS + DECIMALS])


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_legacy_casts_from_strings(spark: SparkSession, spellings: DataFrame, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__accelerant__batch__rows=batch_rows):
        assert_equal_values(spark, "spellings", [f"cast(s as {target})" for target in TARGETS + DECIMALS])


@pytest.mark.parametrize("target", TARGETS[:-1] + DECIMALS)
def test_ansi_casts_from_strings(spark: SparkSession, spellings: DataFrame, target: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true", spark__sql__files__minPartitionNum="1"):
        error = assert_equal_failure(spark, lambda: spark.sql(f"select cast(s as {target}) from spellings"))
        assert error.condition in ("CAST_INVALID_INPUT", "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION")
        good = f"(select * from spellings where try_cast(s as {target}) is not null)"
        query = f"select cast(s as {target}) from {good}"
        df = spark.sql(query)
        assert_native(df)
        with plain(spark):
            assert sorted(map(repr, spark.sql(query).collect())) == sorted(map(repr, df.collect()))


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_casts_to_strings(spark: SparkSession, spellings: DataFrame, ansi: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        casts = [f"{cast}({column} as string)" for column in FROM_NUMBERS for cast in ("cast", "try_cast")]
        assert_equal_values(spark, "spellings", [*casts, "concat(n, '-', l)", "cast(cast(l as string) as bigint)"])


CONDITIONAL = [
    "greatest(y, h, n)",
    "least(l, n)",
    "greatest(s, 'm')",
    "least(s, cast(n as string), 'zz')",
    "greatest(d1, d2)",
    "least(try_cast(s as double), 1.5D)",
    "greatest(try_cast(s as float), cast(0 as float))",
    "greatest(t, date'1994-01-01')",
    "nanvl(try_cast(s as double), 1D)",
    "nanvl(1D, 1D / (id - id))",
    "nullif(s, '1')",
    "nvl2(try_cast(s as int), 'some', s)",
    "ifnull(try_cast(s as int), n)",
    "if(try_cast(s as int) > 1, 'more', cast(l as string))",
    "n & h",
    "l | n",
    "y ^ h",
    "shiftleft(n, y)",
    "shiftright(l, y)",
    "shiftrightunsigned(n, 3)",
    "pmod(n, 7)",
    "pmod(l, -7)",
    "pmod(y, cast(3 as tinyint))",
    "pmod(try_cast(s as double), 2.5D)",
    "signum(n)",
    "round(n)",
    "round(l, 2)",
    "round(d1, 2)",
    "round(d1)",
    "round(d2, 20)",
    "round(d3, 1)",
    "round(d4, 11)",
    "signum(try_cast(s as double))",
]


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_conditional_and_bits(spark: SparkSession, spellings: DataFrame, ansi: str, batch_rows: str) -> None:
    usable = [e for e in CONDITIONAL if ansi == "false" or "id - id" not in e]
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        assert_equal_values(spark, "spellings", usable)


def test_dropping_rows_with_few_values(spark: SparkSession, spellings: DataFrame) -> None:
    def query() -> DataFrame:
        df = spark.sql("select id, s, b, l, try_cast(s as double) x from spellings")
        return df.dropna(thresh=4, subset=["s", "b", "l", "x"]).select("id")

    df = query()
    assert_native(df)
    with plain(spark):
        assert sorted(query().collect()) == sorted(df.collect())
