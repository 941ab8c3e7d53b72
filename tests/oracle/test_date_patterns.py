"""Dates and times by patterns: printed and parsed natively as Spark does it, by every letter the engine takes."""

from collections.abc import Callable, Iterator

import pytest
from oracle import assert_equal_failure, assert_equal_rows, assert_native, assert_spark, explained, plain, settings
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark41

ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "+05:45"]
POLICY = "spark__sql__legacy__timeParserPolicy"

# In microseconds: before 1582, before year 1, far ahead, ends of the type, gaps and overlaps of Berlin's time.
MOMENTS = [
    0, -1, 1, 999_999, -62_135_596_800_000_000, -62_135_596_800_000_001, -62_198_755_200_000_000,
    -12_219_292_800_000_001, -12_219_292_800_000_000, -210_866_803_200_000_000, -2_208_988_800_000_000,
    253_402_300_799_999_999, 253_402_300_800_000_000, 9_223_372_036_854_775_807, -9_223_372_036_854_775_808,
    1_711_846_799_999_999, 1_711_846_800_000_000, 1_729_990_799_000_000, 1_729_990_800_000_000,
    1_709_164_800_000_000, 1_709_208_000_000_000, 1_709_251_199_123_456, 1_735_603_200_000_000, 1_325_239_200_000_000,
]  # fmt: skip

PRINTED = [
    "yyyy-MM", "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "dd/MM/yy", "d MMM y", "d MMMM yyyy", "EEE, d LLL yyy", "EEEE", "E EE", "h:mm a", "hh K KK k kk H", "Q QQ QQQ QQQQ",
    "q qq qqq qqqq", "D DD DDD", "yyyyy yyyyyy", "y yyy G GGGG", "yy G", "m mm s ss", "S SS SSSS SSSSS SSSSSSSSS",
    "X XX XXX", "XXXX XXXXX", "x xx xxx", "xxxx xxxxx", "Z ZZ ZZZ ZZZZZ", "yyyy[-MM[-dd]]", "yyyy年M月d日",
    "'quoted yMd'", "yyyyMMddHHmmssSSS", "LLLL L LL", "",
]  # fmt: skip

LEFT_TO_SPARK = ["VV", "z", "zzzz", "O", "OOOO", "ZZZZ", "F", "yyyy-MM-dd HH:mm:ss VV"]

# Patterns, and texts that fit them or nearly do.
PARSED = {
    "yyyy-MM-dd HH:mm:ss": [
        "2024-02-29 23:59:59", "2023-02-29 00:00:00", "2024-02-29 24:00:00", "2024-02-29 23:59:60", "2024-2-29 1:2:3",
        "2024-03-31 02:30:00", "2024-10-27 02:30:00", "2011-12-30 12:00:00", "1582-10-10 00:00:00",
        "0000-01-01 00:00:00",
        "-0044-03-15 12:00:00", "-0000-03-15 12:00:00", "+2024-02-29 00:00:00", "+12024-02-29 00:00:00",
        "12024-02-29 00:00:00", "9999-12-31 23:59:59", "2024-02-29T00:00:00", "2024-02-29 00:00:00 ",
        " 2024-02-29 00:00:00",
        "2024-02-29 00:00", "", "garbage", "1850-01-01 00:00:00",
    ],
    "yyyy-MM-dd": ["2024-02-29", "2024-02-30", "2024-13-01", "2024-00-01", "24-01-01", "2024-01-01x", "20240101"],
    "yyyyMMdd": ["20240229", "2024022", "202402290", "120240229", "2024-02-29", "-00440229"],
    "yyyyMMddHHmmss": ["20240229235958", "2024022923595", "20240229235960"],
    "yyyyMMddHHmmssSSS": ["20240229235958123"],
    "yyyyMMd": ["2024029", "20240229"],
    "yyMMdd": ["240229", "990228", "000101"],
    "M/d/yy": ["2/29/24", "02/29/24", "-2/29/24", "2/29/2024"],
    "y-M-d H:m:s": ["2024-2-9 1:2:3", "2024-02-09 01:02:03", "+2024-2-9 1:2:3", "-5-1-1 0:0:0", "123456-1-1 0:0:0"],
    "yyyyDDD": ["2024366", "2023366", "2023365", "2023000"],
    "yyyy-MM-dd D": ["2024-02-29 60", "2024-02-29 61"],
    "D": ["366", "365", "-1"],
    "dd MMM yyyy": ["29 Feb 2024", "29 feb 2024", "29 FEB 2024", "29 Sept 2024", "29 February 2024"],
    "d MMMM yyyy": ["1 May 2024", "1 mAy 2024", "31 September 2024", "1 Sep 2024"],
    "LLLL d": ["March 4", "Mar 4"],
    "h:mm a": ["12:30 am", "12:30 PM", "13:30 PM", "0:30 AM", "1:30 XM"],
    "K:mm a": ["11:30 PM", "12:30 AM", "0:00 pm"],
    "kk:mm": ["24:30", "00:30", "01:30"],
    "a": ["AM", "pm", "noon"],
    "HH a": ["13 PM", "11 PM"],
    "HH a ss": ["11 PM 30"],
    "HH K": ["13 1", "13 2"],
    "K H ss": ["99 1 2", "1 1 2"],
    "mm:ss": ["59:58", "60:00"],
    "HH:mm:ss.SSS": ["01:02:03.1", "01:02:03.123", "01:02:03.1234", "01:02:03.", "01:02:03"],
    "HH:mm:ss.SSSSSSSSS": ["01:02:03.123456789", "01:02:03.000001"],
    "ssS": ["031", "03"],
    "yyyy-MM-dd'T'HH:mm:ssXXX": [
        "2024-02-29T01:02:03Z", "2024-02-29t01:02:03z", "2024-02-29T01:02:03+05:30", "2024-02-29T01:02:03+0530",
        "2024-02-29T01:02:03+18:00", "2024-02-29T01:02:03+18:01", "2024-02-29T01:02:03-24:00", "2024-02-29T01:02:03",
    ],
    "HH X": ["01 +05", "01 -0530", "01 Z", "01 +5"],
    "HH XX": ["01 +05", "01 +0530"],
    "HH XXXX": ["01 +053015", "01 +0530"],
    "HH XXXXX": ["01 +05:30:15", "01 +05:30"],
    "HH x": ["01 +0030", "01 +00", "01 +01"],
    "HH xxx": ["01 +00:00", "01 -01:00"],
    "HH Z": ["01 +0100", "01 Z"],
    "HH ZZZZZ": ["01 Z", "01 +01:00"],
    "[XX]HHmmss": ["+2400102", "010203", "+0100010203"],
    "yyyy-MM-dd[ HH:mm[:ss]]": [
        "2024-02-29", "2024-02-29 01:02", "2024-02-29 01:02:03", "2024-02-29 01:02:", "2024-02-29 01",
    ],
    "[yyyy-MM-dd][dd.MM.yyyy]": ["2024-02-29", "29.02.2024", "2024-02-2929.02.2024", "2024-02-2929.02.2025", ""],
    "yyyy G": ["0044 BC", "2024 ad", "0000 AD", "2024 CE"],
    "yyyy GGGG": ["0001 before christ", "0001 Anno Domini"],
    "yyyy[ G]": ["2024", "2024 BC"],
    "yyyy yyyy": ["2024 2024", "2024 2025"],
    "yyyy年MM月dd日": ["2024年02月29日", "2024年02月30日", "2024-02-29"],
    "'at' HH": ["at 10", "AT 10", "ta 10"],
}  # fmt: skip

# Texts that the engine leaves to Spark for some pattern, and others.
ODD = [
    "2024-01-01", "0000000000000000001-1-1", "1-1-0000000000000000001", "1-1-00000000000000000001", "Sep", "\u017fep",
    "1 +18:00", "1 +18:01", "1 -23:59", "garbage", None,
]  # fmt: skip


@pytest.fixture(autouse=True)
def natively(spark: SparkSession) -> Iterator[None]:
    """What the engine lacks makes a query Spark's, so that a native query shows that calls are."""
    with settings(
        spark, spark__accelerant__bridge="false", spark__accelerant__islands="false", **{POLICY: "CORRECTED"}
    ):
        yield


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables `moments`, of times; `written_times`, texts with the numbers of their patterns; and `odd_times`."""
    folder = tmp_path_factory.mktemp("patterns")
    texts = [(n, text) for n, listed in enumerate(PARSED.values()) for text in [*listed, None]]
    rows = [(k, n, text) for k, (n, text) in enumerate(texts)]
    with plain(spark), settings(spark, spark__sql__parquet__outputTimestampType="TIMESTAMP_MICROS"):
        moments = spark.createDataFrame([(k, u) for k, u in enumerate([*MOMENTS, None])], "id int, u long")
        moments = moments.selectExpr(
            "id", "timestamp_micros(u) t", "date_from_unix_date(cast(u div 86400000000 as int)) d", "u"
        )
        moments.coalesce(1).write.parquet(str(folder / "moments"))
        spark.createDataFrame(rows, "id int, n int, s string").coalesce(1).write.parquet(str(folder / "written_times"))
        odd = spark.createDataFrame(list(enumerate(ODD)), "id int, s string")
        odd.coalesce(1).write.parquet(str(folder / "odd_times"))
    for name in ("moments", "written_times", "odd_times"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)


def quoted(pattern: str) -> str:
    """Returns a pattern as SQL spells it."""
    return "'" + pattern.replace("'", "\\'") + "'"


def printing(call: str) -> str:
    calls = ", ".join(f"{call.format(quoted(pattern))} p{n}" for n, pattern in enumerate(PRINTED))
    return f"select id, {calls} from moments"


@pytest.mark.parametrize("zone", ZONES)
def test_printed(spark: SparkSession, zone: str) -> None:
    with settings(spark, spark__sql__session__timeZone=zone):
        assert_equal_rows(spark, lambda: spark.sql(printing("date_format(t, {})")))


def test_printed_seconds(spark: SparkSession) -> None:
    with settings(spark, spark__sql__session__timeZone="Europe/Berlin"):
        assert_equal_rows(spark, lambda: spark.sql(printing("from_unixtime(u, {})")))
        assert_equal_rows(spark, lambda: spark.sql("select id, from_unixtime(u) from moments"))


def test_printed_dates(spark: SparkSession) -> None:
    with settings(spark, spark__sql__session__timeZone="America/St_Johns"):
        sql = "select id, date_format(d, 'EEE d MMM yyyy G HH:mm XXX'), to_char(t, 'yyyy.DDD') from moments"
        assert_equal_rows(spark, lambda: spark.sql(sql))
        assert_equal_rows(spark, lambda: spark.sql("select id, dayname(d), monthname(d) from moments"))


CALLS: dict[str, Callable[[str], str]] = {
    "to_timestamp": lambda pattern: f"unix_micros(try_to_timestamp(s, {quoted(pattern)}))",
    "to_timestamp_ntz": lambda pattern: f"cast(to_timestamp_ntz(s, {quoted(pattern)}) as string)",
    "to_date": lambda pattern: f"unix_date(to_date(s, {quoted(pattern)}))",
    "unix_timestamp": lambda pattern: f"unix_timestamp(s, {quoted(pattern)})",
    "to_unix_timestamp": lambda pattern: f"to_unix_timestamp(s, {quoted(pattern)})",
}


def parsing(call: Callable[[str], str]) -> str:
    """Returns a query in which each text is read by its pattern."""
    branches = " ".join(f"when {n} then {call(pattern)}" for n, pattern in enumerate(PARSED))
    return f"select id, case n {branches} end from written_times where s is null or s not like '%18:01'"


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("name", CALLS)
def test_parsed(spark: SparkSession, name: str, zone: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__sql__session__timeZone=zone):
        assert_equal_rows(spark, lambda: spark.sql(parsing(CALLS[name])))


def test_parsed_by_every_pattern(spark: SparkSession) -> None:
    """Texts of all patterns by each."""
    with settings(spark, spark__sql__ansi__enabled="false", spark__sql__session__timeZone="Europe/Berlin"):
        for pattern in PARSED:
            sql = f"select id, unix_micros(to_timestamp(s, {quoted(pattern)})) from written_times"
            assert_equal_rows(spark, lambda text=sql: spark.sql(text))


def test_tried(spark: SparkSession) -> None:
    """The forms that give null in ANSI mode, too."""
    with settings(spark, spark__sql__ansi__enabled="true"):
        calls = "unix_micros(try_to_timestamp(s, 'yyyy-MM-dd')), unix_date(try_to_date(s, 'yyyyMMdd'))"
        assert_equal_rows(spark, lambda: spark.sql(f"select id, {calls} from written_times"))


FAILING = {
    "to_timestamp": "to_timestamp(s, 'yyyy-MM-dd')",
    "to_date": "to_date(s, 'yyyy-MM-dd')",
    "to_timestamp_ntz": "to_timestamp_ntz(s, 'yyyy-MM-dd')",
    "unix_timestamp": "unix_timestamp(s, 'yyyy-MM-dd')",
    "to_unix_timestamp": "to_unix_timestamp(s)",
}


@pytest.mark.parametrize("name", FAILING)
def test_failures(spark: SparkSession, name: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        for text in ["2024-02-30", "garbage", "2024-01-01x", ""]:
            sql = f"select {FAILING[name]} from written_times where s = '{text}'"
            error = assert_equal_failure(spark, lambda query=sql: spark.sql(query))
            assert error.condition == "CANNOT_PARSE_TIMESTAMP"


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", FAILING)
def test_years_beyond_timestamps(spark: SparkSession, name: str, ansi: str) -> None:
    """Neither mode has room for them."""
    call = FAILING[name].replace("(s)", "(s, 'yyyy-MM-dd')").replace("(s,", "(concat('+', 400000 + id, '-01-01'),")
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_failure(spark, lambda: spark.sql(f"select {call} from written_times"))


@pytest.mark.parametrize("pattern", LEFT_TO_SPARK)
def test_patterns_of_sparks(spark: SparkSession, pattern: str) -> None:
    """Spark's code prints them."""
    sql = f"select id, date_format(t, '{pattern}') from moments where id < 20"
    assert_spark(spark.sql(sql))
    with settings(spark, spark__accelerant__bridge="true"):
        assert_equal_rows(spark, lambda: spark.sql(sql))
        assert "(bridged: date_format)" in explained(spark.sql(sql))


def test_what_leaves_rows_to_spark_is_native(spark: SparkSession) -> None:
    with settings(spark, spark__accelerant__bridge="true", spark__sql__ansi__enabled="false"):
        df = spark.sql("select to_timestamp(s, 'yyyy-MM-dd'), soundex(s) from written_times")
        assert_native(df)
        assert "(rows bridged if need be: gettimestamp) (bridged: soundex)" in explained(df)


def test_patterns_of_columns(spark: SparkSession) -> None:
    sql = "select id, date_format(t, if(id % 2 = 0, 'yyyy', 'MM')) from moments where id < 20"
    assert_spark(spark.sql(sql))
    assert "with a pattern that is no constant" in explained(spark.sql(sql))
    with settings(spark, spark__accelerant__bridge="true"):
        assert_equal_rows(spark, lambda: spark.sql(sql))


@pytest.mark.parametrize("policy", ["EXCEPTION", "LEGACY"])
def test_other_policies(spark: SparkSession, policy: str) -> None:
    """Sessions that ask the older parser are Spark's; dates and timestamps need no parser."""
    with settings(spark, spark__sql__ansi__enabled="false", **{POLICY: policy}):
        for call in ["date_format(t, 'yyyy')", "from_unixtime(u, 'yyyy')"]:
            assert_spark(spark.sql(f"select id, {call} from moments"))
        for call in ["to_timestamp(s, 'yyyy')", "unix_timestamp(s, 'yyyy')", "to_timestamp_ntz(s, 'yyyy')"]:
            assert_spark(spark.sql(f"select id, {call} from written_times"))
        assert_native(spark.sql("select id, unix_timestamp(t) from moments"))
        with settings(spark, spark__accelerant__bridge="true"):
            assert_equal_rows(
                spark, lambda: spark.sql("select id, date_format(t, 'yyyy-MM') from moments where id > 14")
            )


def test_rows_left_to_spark(spark: SparkSession) -> None:
    """Numbers of many digits, letters that are ASCII in Java's eyes, offsets too large for Java: row by row."""
    calls = "unix_timestamp(s, 'y-M-d'), to_timestamp(s, 'MMM'), cast(to_timestamp_ntz(s, 'H XXX') as string)"
    with settings(spark, spark__accelerant__bridge="true", spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql(f"select id, {calls} from odd_times"))


def test_conditions_and_keys(spark: SparkSession) -> None:
    sql = """
        select date_format(t, 'yyyy-MM') as month, count(*), max(date_format(t, 'EEEE')) from moments
        where date_format(t, 'yyyy') between '1500' and '3000' group by 1 order by 1
    """
    assert_equal_rows(spark, lambda: spark.sql(sql), ordered=True)
