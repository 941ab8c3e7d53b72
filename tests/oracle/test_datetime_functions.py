"""Functions of dates and timestamps, and casts among them, in many time zones: as plain Spark, bit for bit."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from oracle import assert_equal_failure, assert_equal_rows, assert_native, explained, plain, settings
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark41

REGIONS = [
    "Europe/Berlin",
    "America/Los_Angeles",
    "Asia/Kolkata",
    "Africa/Monrovia",
    "America/St_Johns",
    "Pacific/Apia",
    "America/Toronto",
    "Africa/Casablanca",
]
ZONES = [*REGIONS, "UTC", "+05:45", "GMT+3", "-08:00", "+1:30"]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROS = {"second": 10**6, "day": 86400 * 10**6}

# Dates by hand; timestamps at their midnights too.
DATES = [
    "-200000-03-01", "-0044-03-15", "0000-02-29", "0001-01-01", "0001-12-31", "0999-02-28", "1500-02-28", "1582-10-04",
    "1582-10-05", "1582-10-14", "1582-10-15", "1883-11-18", "1892-07-04", "1900-01-01", "1900-02-28", "1900-03-01",
    "1919-03-30", "1919-03-31", "1969-12-31", "1970-01-01", "1972-02-29", "1999-12-31", "2000-02-29", "2000-12-31",
    "2005-01-01", "2008-12-29", "2011-12-29", "2011-12-30", "2011-12-31", "2024-03-31", "2024-10-27", "2024-11-03",
    "2038-01-19", "2400-02-29", "9999-12-31", "+10000-01-01", "+250000-08-31",
]  # fmt: skip


def offset_seconds(zone: ZoneInfo, second: int) -> float:
    return (EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset().total_seconds()


def transitions(name: str) -> Iterator[int]:
    """Finds the seconds at which a zone's offset changes, from 1850 to 2100."""
    zone = ZoneInfo(name)
    first, last, day = -3786912000, 4102444800, 86400
    for start in range(first, last, day):
        low, high = start, start + day
        if offset_seconds(zone, low) == offset_seconds(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            same = offset_seconds(zone, middle) == offset_seconds(zone, low)
            low, high = (middle, high) if same else (low, middle)
        yield high


def moments() -> list[int]:
    """Returns microseconds around the transitions of all regions, as instants and as local times."""
    found = set()
    for name in REGIONS:
        seconds = list(transitions(name))
        for second in seconds[:6] + seconds[6::11]:
            offsets = [0.0, offset_seconds(ZoneInfo(name), second - 1), offset_seconds(ZoneInfo(name), second)]
            for offset in offsets:
                for shift in (-86400, -3600, -1800, 0, 1800, 3600, 86400):
                    for micro in (-1, 0, 1):
                        found.add((second + int(offset) + shift) * 10**6 + micro)
    return sorted(found)


@pytest.fixture(scope="session")
def times(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables `times`, two dates, timestamps and local timestamps a row, and numbers; and `extremes`, one of each."""
    folder = tmp_path_factory.mktemp("times")
    dates = ", ".join(f"'{date}'" for date in DATES)
    local = "timestampadd(MICROSECOND, {}, timestamp_ntz'1970-01-01')"
    rest = f"""
        date_from_unix_date(cast(d2_days as int)) d2, timestamp_micros(u) t, timestamp_micros(u2) t2,
        {local.format("u")} n, {local.format("u2")} n2,
        make_dt_interval(0, cast(id % 100 - 50 as int), 3, 4.000005) v, make_ym_interval(0, cast(id % 40 - 20 as int)) w
    """
    changes = {"spark__sql__parquet__outputTimestampType": "TIMESTAMP_MICROS", "spark__sql__ansi__enabled": "false"}
    with plain(spark), settings(spark, **changes):
        spark.createDataFrame([(micros,) for micros in moments()], "u long").createOrReplaceTempView("listed")
        spark.sql(f"""
            with days as (select unix_date(cast(text as date)) as d from explode(array({dates})) as listed(text)),
            micros as (select u from listed union all select d * {MICROS["day"]} + m from days
                       lateral view explode(array(0, 43200000001, -1)) as m),
            numbered as (select u, row_number() over (order by u) as id from micros),
            paired as (select id, u, lag(u, 5) over (order by hash(id)) as u2 from numbered)
            select id, if(id % 13 = 0, null, date_from_unix_date(cast(floor(u / {MICROS["day"]}) as int))) d,
                cast(id % 400 - 200 as int) i, cast(id * 7 % 100000 - 50000 as long) l,
                {rest} from (select *, floor(coalesce(u2, 0) / {MICROS["day"]}) + id % 3 as d2_days from paired)
        """).coalesce(1).write.parquet(str(folder / "times"))
        spark.sql(f"""
            select id, date_from_unix_date(cast(x as int)) d, cast(x as int) i, x l,
                timestamp_micros(x) t, {local.format("x")} n
            from (select posexplode(array(-9223372036854775808L, -2147483648L, 0L, 2147483647L, 9223372036854775807L,
                -9223372036854775807L, 9223286400000000000L)) as (id, x))
        """).coalesce(1).write.parquet(str(folder / "extremes"))
    spark.read.parquet(str(folder / "times")).createOrReplaceTempView("times")
    spark.read.parquet(str(folder / "extremes")).createOrReplaceTempView("extremes")


def shown(kind: str, expression: str) -> str:
    """Returns an expression as a number where Python lacks the values: years before 1 and after 9999."""
    if kind == "date":
        return f"unix_date({expression})"
    if kind == "timestamp":
        return f"unix_micros({expression})"
    if kind == "ntz":
        return f"{expression} - timestamp_ntz'1970-01-01'"
    return expression


UNITS = ["microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"]
DATE_PARTS = ["year", "quarter", "month", "day", "dayofyear", "dayofweek", "weekday", "weekofyear"]
DATE_FUNCTIONS = {
    **{part: ("int", f"{part}(d)") for part in DATE_PARTS},
    "yearofweek": ("int", "extract(yearofweek from d)"),
    "last_day": ("date", "last_day(d)"),
    "next_day": ("date", "next_day(d, 'we')"),
    "next_day of a column": ("date", "next_day(d, case id % 3 when 0 then 'Mon' when 1 then 'tuesday' else 'SA' end)"),
    "add_months": ("date", "add_months(d, i)"),
    "date_add": ("date", "date_add(d, i)"),
    "datediff": ("int", "datediff(d, d2)"),
    "trunc week": ("date", "trunc(d, 'week')"),
    "trunc month": ("date", "trunc(d, 'MM')"),
    "trunc quarter": ("date", "trunc(d, 'quarter')"),
    "trunc year": ("date", "trunc(d, 'Yy')"),
    "trunc day": ("date", "trunc(d, 'day')"),
    "trunc by a column": ("date", "trunc(d, case id % 3 when 0 then 'mon' when 1 then 'years' else 'year' end)"),
    "date + months": ("date", "d + interval '3' month"),
    "date - years": ("date", "d - interval '7-1' year to month"),
    "date + days": ("date", "d + interval '3' day"),
    "date - date": ("interval", "extract(day from d - d2)"),
    "text of": ("string", "cast(d as string)"),
    "date from days": ("date", "date_from_unix_date(i)"),
    "make_date": ("date", "make_date(year(d), month(d), 28)"),
}
TIME_FUNCTIONS = {
    **{part: ("int", f"{part}(t)") for part in [*DATE_PARTS, "hour", "minute", "second"]},
    **{f"{part} of ntz": ("int", f"{part}(n)") for part in [*DATE_PARTS, "hour", "minute", "second"]},
    "seconds": ("decimal", "extract(second from t)"),
    "seconds of ntz": ("decimal", "extract(second from n)"),
    **{f"date_trunc {unit}": ("timestamp", f"date_trunc('{unit}', t)") for unit in [*UNITS, "century"]},
    **{f"timestampadd {unit}": ("timestamp", f"timestampadd({unit}, i, t)") for unit in UNITS},
    **{f"timestampdiff {unit}": ("long", f"timestampdiff({unit}, t2, t)") for unit in UNITS},
    "timestampadd ntz": ("ntz", "timestampadd(month, i, n)"),
    "timestampadd day ntz": ("ntz", "timestampadd(day, l, n)"),
    "timestampdiff ntz": ("long", "timestampdiff(quarter, n2, n)"),
    "plus interval": ("timestamp", "t + interval '1 02:03:04.000005' day to second"),
    "plus days": ("timestamp", "t + interval '10' day"),
    "minus interval": ("timestamp", "t - interval '36' hour"),
    "plus months": ("timestamp", "t + interval '5' month"),
    "plus interval ntz": ("ntz", "n + interval '1 02:03:04.000005' day to second"),
    "plus months ntz": ("ntz", "n - interval '1-1' year to month"),
    "months_between": ("double", "months_between(t, t2)"),
    "months_between, exactly": ("double", "months_between(t, t2, false)"),
    "unix_seconds": ("long", "unix_seconds(t)"),
    "unix_millis": ("long", "unix_millis(t)"),
    "unix_timestamp": ("long", "unix_timestamp(t)"),
    "to_unix_timestamp": ("long", "to_unix_timestamp(t)"),
    "unix_timestamp of a date": ("long", "unix_timestamp(d)"),
    "unix_timestamp of ntz": ("long", "unix_timestamp(n)"),
    "timestamp_seconds": ("timestamp", "timestamp_seconds(l)"),
    "timestamp_seconds of a double": ("timestamp", "timestamp_seconds(l / 7)"),
    "timestamp_millis": ("timestamp", "timestamp_millis(l)"),
    "timestamp_micros": ("timestamp", "timestamp_micros(l)"),
    "from_utc": ("timestamp", "from_utc_timestamp(t, 'Asia/Tokyo')"),
    "from_utc, region": ("timestamp", "from_utc_timestamp(t, 'America/St_Johns')"),
    "to_utc": ("timestamp", "to_utc_timestamp(t, 'Europe/Berlin')"),
    "to_utc, offset": ("timestamp", "to_utc_timestamp(t, '-3:30')"),
    "comparison": ("boolean", "t < t2 or n = n2"),
    "date of": ("date", "cast(t as date)"),
    "date of ntz": ("date", "cast(n as date)"),
    "timestamp of a date": ("timestamp", "cast(d as timestamp)"),
    "ntz of a date": ("ntz", "cast(d as timestamp_ntz)"),
    "ntz of": ("ntz", "cast(t as timestamp_ntz)"),
    "timestamp of ntz": ("timestamp", "cast(n as timestamp)"),
    "text of": ("string", "cast(t as string)"),
    "text of ntz": ("string", "cast(n as string)"),
    "long of": ("long", "cast(t as long)"),
    "double of": ("double", "cast(t as double)"),
    "float of": ("float", "cast(t as float)"),
}


def query(functions: dict[str, tuple[str, str]], table: str = "times") -> str:
    columns = [f"{shown(kind, text)} as `{name}`" for name, (kind, text) in functions.items()]
    return f"select id, {', '.join(columns)} from {table}"


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_dates(spark: SparkSession, times: None, ansi: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(query(DATE_FUNCTIONS)))


@pytest.mark.parametrize("zone", ZONES)
def test_timestamps(spark: SparkSession, times: None, zone: str) -> None:
    ansi = "true" if ZONES.index(zone) % 2 else "false"
    with settings(spark, spark__sql__session__timeZone=zone, spark__sql__ansi__enabled=ansi):
        assert_equal_rows(spark, lambda: spark.sql(query(TIME_FUNCTIONS)))


def test_timestamps_in_small_batches(spark: SparkSession, times: None) -> None:
    with settings(spark, spark__sql__session__timeZone="Europe/Berlin", spark__accelerant__batch__rows="3"):
        assert_equal_rows(spark, lambda: spark.sql(query(TIME_FUNCTIONS)))


INTERVALS = {
    "sum": ("interval", "v + v"),
    "difference": ("interval", "v - interval '1 02:03:04' day to second"),
    "negative": ("interval", "-v"),
    "absolute": ("interval", "abs(v)"),
    "multiple": ("interval", "v * i"),
    "of timestamps": ("interval", "v + (timestamp'2024-10-27 12:00:00' - timestamp'2024-10-26 12:00:00')"),
    "days": ("int", "extract(day from v)"),
    "hours": ("int", "extract(hour from v)"),
    "minutes": ("int", "extract(minute from v)"),
    "seconds": ("decimal", "extract(second from v)"),
    "years": ("int", "extract(year from w + w)"),
    "months": ("int", "extract(month from w * 3 - interval '5' month)"),
    "months, absolute": ("int", "extract(month from abs(-w))"),
    "comparison": ("boolean", "v < interval '1' day and w >= interval '2' month"),
    "membership": ("boolean", "w in (interval '2' month, interval '3' month)"),
    "date plus": ("date", "d + w"),
    "timestamp plus": ("timestamp", "t + v"),
    "timestamp minus": ("timestamp", "t - w"),
    "ntz plus": ("ntz", "n + v"),
    "ntz minus": ("ntz", "n - w"),
}


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_intervals(spark: SparkSession, times: None, zone: str) -> None:
    with settings(spark, spark__sql__session__timeZone=zone):
        assert_equal_rows(spark, lambda: spark.sql(query(INTERVALS)))
        assert_equal_rows(spark, lambda: spark.sql("select v, count(*), max(v) from times group by w, v"))


LEGACY = {
    "make_date": ("date", "make_date(year(d), i, i + 20)"),
    "next_day": ("date", "next_day(d, case id % 2 when 0 then 'none' else 'mo' end)"),
    "int of": ("int", "cast(t as int)"),
    "short of": ("int", "cast(t as short)"),
    "byte of": ("int", "cast(t as byte)"),
    "boolean of": ("boolean", "cast(t as boolean)"),
    "try int of": ("int", "try_cast(t as int)"),
    "try timestamp of a double": ("timestamp", "try_cast(double(l) * 1e12 as timestamp)"),
    "try date of": ("date", "try_cast(t as date)"),
    "timestamp of a long": ("timestamp", "cast(l * 100000000000 as timestamp)"),
    "timestamp of an int": ("timestamp", "cast(i as timestamp)"),
    "timestamp of a boolean": ("timestamp", "cast(l > 0 as timestamp)"),
    "timestamp of a double": ("timestamp", "cast(l / 7 as timestamp)"),
    "timestamp of a large double": ("timestamp", "cast(double(l) * 1e12 as timestamp)"),
    "timestamp of a float": ("timestamp", "cast(float(i) / float(3) as timestamp)"),
    "timestamp of no number": ("timestamp", "cast(double(i) / if(id % 2 = 0, 0.0D, 1.0D) as timestamp)"),
    "timestamp of a decimal": ("timestamp", "cast(cast(l as decimal(20, 8)) / 3 as timestamp)"),
}


TEXTS = [
    "2024-02-29", " 2024-2-9 ", "2024", "2024-05", "2024-05-06T", "2024-05-06 and more", "-0044-03-15", "+10000-01-01",
    "24-05-06", "2023-02-29", "2024-05-06x", "2024-", "2024-005-01", "9999999-01-01", "", " ", "null", "2024-13-01",
    "2024-07-01 12:30:00", "2024-07-01T1:2:3.4567891", "2024-07-01 12", "2024-07-01 12:", "2024-07-01 12:30",
    "2024-07-01 12:30:00Z", "2024-07-01 12:30:00.Z", "2024-07-01 12:30:00.5 +5:30", "2024-07-01 12:30:00.5+05:3",
    "2024-07-01 12:30:00UTC-01:02:03", "2024-07-01 12:30:00 GMT", "2024-07-01 12:30:00 UT+1", "2024-07-01 12:30:00+5:",
    "2024-07-01 12:30:00+530", "2024-07-01 12:30:00-0530", "2024-07-01 12:30:00-053015", "2024-07-01 12:30:00+18:00",
    "2024-07-01 12:30:00+18:01", "2024-07-01 12:30:00 ??", "2024-07-01 24:00:00", "2024-07-01 12:60:00",
    "2024-07-01  12:30:00", "2024-03-31 02:30:00", "2024-10-27 02:30:00", "1800-01-01 00:00:00",
    "294247-01-10 04:00:54", "294247-01-10 04:00:55",
    "-290308-12-21 19:59:06", "-290308-12-21 19:59:05", "999999-01-01", "1234567-01-01",
    "\t2024-07-01\n", "T25:00:00", "x12:30:00", "2024-07-01 12:30:00.1234567890123", "2024-07-01 12:30:00+", "+2024",
    "5881580-07-11", "5881580-07-12", "-5877641-06-23", "-5877641-06-22", "2024-07-01 1:2:3", "2024-07-01 1:2:3:4",
]  # fmt: skip


@pytest.fixture(scope="session")
def texts(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Table `texts`: dates and timestamps as people write them, rightly and wrongly."""
    folder = str(tmp_path_factory.mktemp("texts") / "table")
    with plain(spark):
        spark.createDataFrame(list(enumerate(TEXTS)), "id long, s string").coalesce(1).write.parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("texts")


PARSED = {
    "date": ("date", "cast(s as date)"),
    "timestamp": ("timestamp", "cast(s as timestamp)"),
    "ntz": ("ntz", "cast(s as timestamp_ntz)"),
    "try date": ("date", "try_cast(s as date)"),
    "try timestamp": ("timestamp", "try_cast(s as timestamp)"),
    "try ntz": ("ntz", "try_cast(s as timestamp_ntz)"),
}


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_texts(spark: SparkSession, texts: None, zone: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__sql__session__timeZone=zone):
        assert_equal_rows(spark, lambda: spark.sql(query(PARSED, "texts")))


@pytest.mark.parametrize("kind", ["date", "timestamp", "timestamp_ntz"])
def test_texts_that_are_no_times(spark: SparkSession, texts: None, kind: str) -> None:
    error = assert_equal_failure(spark, lambda: spark.sql(f"select cast(s as {kind}) from texts where s > 'x'"))
    assert error.condition == "CAST_INVALID_INPUT"


@pytest.mark.parametrize("text", ["2024-07-01 12:30:00 Asia/Tokyo", "12:30:00"])
def test_texts_that_only_spark_reads(spark: SparkSession, tmp_path: Path, text: str) -> None:
    with plain(spark):
        spark.createDataFrame([(text,)], "s string").write.parquet(str(tmp_path / "table"))
        expected = spark.read.parquet(str(tmp_path / "table")).selectExpr("cast(s as timestamp)").collect()
    with settings(spark, spark__accelerant__bridge="false"):
        df = spark.read.parquet(str(tmp_path / "table")).selectExpr("cast(s as timestamp)")
        assert_native(df)
        assert df.collect() == expected
        assert "a value that only Spark can compute" in explained(df)


def test_legacy(spark: SparkSession, times: None) -> None:
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql(query(LEGACY)))


FAILING = {
    "add_months": ("date", "add_months(d, 2147483647)"),
    "make_date": ("date", "make_date(i % 1000 + 100000000, 1, 1)"),
    "make_date, invalid": ("date", "make_date(2024, 2, cast(30 + id as int))"),
    "trunc": ("date", "trunc(d, 'quarter')"),
    "next_day": ("date", "next_day(d, case when id >= 0 then 'someday' end)"),
    "date - date": ("interval", "extract(day from d - date'0001-01-01')"),
    "date_trunc": ("timestamp", "date_trunc('day', t)"),
    "date_trunc year": ("timestamp", "date_trunc('year', t)"),
    "timestampadd": ("timestamp", "timestampadd(year, i, t)"),
    "timestampadd week": ("timestamp", "timestampadd(week, l, t)"),
    "timestampdiff": ("long", "timestampdiff(microsecond, t, timestamp'1970-01-02')"),
    "plus interval": ("timestamp", "t + interval '1' second"),
    "plus months": ("ntz", "n - interval '1' month"),
    "t - t": ("interval", "extract(day from t - timestamp'1970-01-02 00:00:01')"),
    "months_between": ("double", "months_between(t, timestamp'1970-01-15 00:00:00')"),
    "timestamp_seconds": ("timestamp", "timestamp_seconds(l)"),
    "timestamp_millis": ("timestamp", "timestamp_millis(l)"),
    "from_utc": ("timestamp", "from_utc_timestamp(t, 'Asia/Tokyo')"),
    "to_utc": ("timestamp", "to_utc_timestamp(t, 'Asia/Tokyo')"),
    "timestamp of a date": ("timestamp", "cast(d as timestamp)"),
    "ntz of a date": ("ntz", "cast(d as timestamp_ntz)"),
    "ntz of": ("ntz", "cast(t as timestamp_ntz)"),
    "timestamp of ntz": ("timestamp", "cast(n as timestamp)"),
    "unix_timestamp": ("long", "unix_timestamp(d)"),
    "int of": ("int", "cast(t as int)"),
}
ONLY_ANSI = {"make_date, invalid", "next_day", "int of"}


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", FAILING)
def test_failures(spark: SparkSession, times: None, name: str, ansi: str) -> None:
    if ansi == "false" and name in ONLY_ANSI:
        pytest.skip("does not fail in legacy mode")
    sql = f"select {shown(*FAILING[name])} as x from extremes"
    changes = {"spark__sql__ansi__enabled": ansi, "spark__sql__session__timeZone": "Asia/Kolkata"}
    with settings(spark, **changes):
        assert_equal_failure(spark, lambda: spark.sql(sql))


def test_groups_and_order(spark: SparkSession, times: None) -> None:
    sql = """
        select date_trunc('hour', t) as hour, count(*), unix_micros(max(t)) from times
        where year(t) between 1900 and 2100 group by 1 order by 1
    """
    with settings(spark, spark__sql__session__timeZone="America/St_Johns"):
        assert_equal_rows(spark, lambda: spark.sql(sql), ordered=True)
