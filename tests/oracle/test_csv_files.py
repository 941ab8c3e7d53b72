"""Files of CSV: every value as plain Spark reads it, whatever the text, the options and the splits."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import random_csv
from oracle import assert_spark, both_answers, comparable, explained, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

SCHEMA = "s string, i int, l long, d double, n decimal(10,2), b boolean, t date, u timestamp"
TYPES = "s string, y byte, h short, r float, w decimal(30,4), z binary, v timestamp_ntz, t date, s2 string"
OPTIONS: list[dict[str, str]] = [
    {},
    {"header": "true"},
    {"sep": ";"},
    {"sep": "\\t"},
    {"sep": "|", "quote": "'"},
    {"escape": '"'},
    {"quote": ""},
    {"nullValue": "NA"},
    {"nullValue": "NA", "emptyValue": "none"},
    {"emptyValue": "a value of more than twelve bytes"},
    {"ignoreLeadingWhiteSpace": "true"},
    {"ignoreLeadingWhiteSpace": "true", "ignoreTrailingWhiteSpace": "true", "sep": "\\t"},
    {
        "mode": "permissive",
        "enforceSchema": "true",
        "header": "true",
        "unescapedQuoteHandling": "STOP_AT_CLOSING_QUOTE",
    },
    {"dateFormat": "yyyy-MM-dd", "preferDate": "false"},
    {"dateFormat": "dd.MM.yyyy"},
    {"dateFormat": "dd.MM.yyyy", "header": "true"},
    {"timestampFormat": "yyyy-MM-dd'T'HH:mm:ss"},
    {"timestampNTZFormat": "yyyy-MM-dd HH:mm"},
    {"lineSep": ";"},
    {"lineSep": "\n"},
    {"charToEscapeQuoteEscaping": "'"},
    {"encoding": "UTF-8", "multiLine": "false", "samplingRatio": "0.5", "comment": ""},
]


def shown(df: DataFrame) -> DataFrame:
    """Returns rows with dates and times as texts: Python's have fewer years."""
    times = {name for name, kind in df.dtypes if kind.startswith(("date", "timestamp"))}
    return df.select(*(F.col(name).cast("string") if name in times else F.col(name) for name in df.columns))


def assert_same(spark: SparkSession, read: Callable[[], DataFrame]) -> list[tuple]:
    """Fails unless a native query gives the rows that plain Spark does, in its order."""
    answers = both_answers(spark, lambda: shown(read()))
    native, expected = ([tuple(map(comparable, row)) for row in rows] for rows in answers)
    for number, (mine, theirs) in enumerate(zip(native, expected, strict=True)):
        assert mine == theirs, f"row {number}"
    return native


def write(path: Path, options: dict[str, str], random: Random, num_lines: int) -> None:
    separator = options.get("sep", ",").replace("\\t", "\t")
    end = options["lineSep"].encode() if "lineSep" in options else None
    path.write_bytes(random_csv.text(random, num_lines, 8, separator, end))


def test_what_a_line_leaves_open(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's parser takes escapes and quotes of a line by those of lines before it, up to where a split begins."""
    lines = [
        '0,1,2,",,9,3',
        "1,2",
        "x,y,z",
        '"a\\\\",5,\t1b.b",,null,6,1.,7',
        '"a",1,2,3,4',
        '"b""c",2,3,4,"5"',
        "1,2,3,4,5",
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines * 5))
    schema = "s string, i int, l long, d double, n decimal(10,2)"
    for size in ("10", "50", "1m"):
        with settings(spark, spark__sql__files__maxPartitionBytes=size, spark__sql__files__openCostInBytes="4m"):
            assert_same(spark, lambda: spark.read.schema(schema).csv(str(tmp_path)).select("i", "n"))


@pytest.mark.parametrize("options", [{}, {"dateFormat": "dd.MM.yyyy"}, {"header": "true", "dateFormat": "dd.MM.yyyy"}])
def test_files_without_rows(spark: SparkSession, tmp_path: Path, options: dict[str, str]) -> None:
    for number, text in enumerate(["", "\n \n\n", "i,t\n", "\n\n1,05.06.2024\n", "\r\n"]):
        (tmp_path / f"{number}.csv").write_text(text)
    assert_same(spark, lambda: spark.read.schema("i int, t date").csv(str(tmp_path), **options))


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("schema", [SCHEMA, TYPES])
@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: " ".join(f"{k}={v}" for k, v in options.items()) or "none"
)
def test_random_lines(spark: SparkSession, tmp_path: Path, options: dict[str, str], schema: str, ansi: str) -> None:
    random = Random(f"{options} {schema}")
    write(tmp_path / "a.csv", options, random, 400)
    write(tmp_path / "b.csv", options, random, 3)

    def read() -> DataFrame:
        return spark.read.options(**options).schema(schema).csv(str(tmp_path))

    with settings(spark, spark__sql__ansi__enabled=ansi, spark__sql__session__timeZone="Europe/Berlin"):
        rows = assert_same(spark, read)
        assert len(rows) > 300
        assert_same(spark, lambda: read().select("t", "s"))
        assert_same(spark, lambda: read().groupBy().count())


@pytest.mark.parametrize("split_bytes", [7, 100, 5000])
@pytest.mark.parametrize("options", [{}, {"header": "true"}, {"lineSep": "\n"}])
def test_splits(spark: SparkSession, tmp_path: Path, options: dict[str, str], split_bytes: int) -> None:
    random = Random(split_bytes)
    for name in ("a", "b"):
        write(tmp_path / f"{name}.csv", options, random, split_bytes // 7 + 20)
    sizes = {"spark__sql__files__maxPartitionBytes": str(split_bytes), "spark__sql__files__openCostInBytes": "0"}
    with settings(spark, **sizes):
        assert_same(spark, lambda: spark.read.options(**options).schema(SCHEMA).csv(str(tmp_path)))


def test_tables_of_plain_values(spark: SparkSession, tmp_path: Path) -> None:
    """What Spark writes comes back, and none of it needs Spark's parser."""
    table = spark.range(20_000).selectExpr(
        "id",
        "cast(id as string) s",
        "id / 7 x",
        "cast(id / 8 as decimal(12,3)) d",
        "id % 3 = 0 b",
        "date_add(date'1600-01-01', cast(id as int)) t",
        "timestamp_micros(id * 86400000123) u",
        "if(id % 5 = 0, null, 'x, y') q",
    )
    with plain(spark):
        table.write.csv(str(tmp_path / "t"), header=True)

    def read() -> DataFrame:
        return spark.read.schema(table.schema).csv(str(tmp_path / "t"), header=True)

    assert_same(spark, read)
    assert_same(spark, lambda: read().groupBy("b", "q").agg(F.sum("d"), F.max("u"), F.min("t")).sort("b", "q"))
    assert_same(spark, lambda: read().filter("id between 100 and 200 and b").select("s", "x"))
    read().createOrReplaceTempView("csv_of_spark")
    assert_same(
        spark,
        lambda: spark.sql("select a.id, b.s from csv_of_spark a join csv_of_spark b on a.id = b.id + 1 order by a.id"),
    )


def test_inferred_schemas_folders_and_metadata(spark: SparkSession, tmp_path: Path) -> None:
    for key in ("x", "y"):
        (tmp_path / f"k={key}").mkdir()
        text = "name,n,when\n" + "".join(f"{key}{i},{i},2024-01-{i % 28 + 1:02}\n" for i in range(100))
        (tmp_path / f"k={key}" / "part.csv").write_text(text)
    options = {"header": True, "inferSchema": True}
    assert_same(spark, lambda: spark.read.options(**options).csv(str(tmp_path)))
    assert_same(spark, lambda: spark.read.options(**options).csv(str(tmp_path)).select("k", "_metadata.file_name", "n"))
    assert_same(spark, lambda: spark.read.options(**options).csv(str(tmp_path)).filter("k = 'y'").groupBy("k").count())
    spark.sql(f"create or replace temporary view csv_files using csv options (path '{tmp_path}', header true)")
    assert_same(spark, lambda: spark.sql("select k, count(*), max(name) from csv_files group by k order by k"))


def test_other_encodings_of_bytes(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(
        b"\xef\xbb\xbfa,b\n\xff\xfe,1\nx\xed\xa0\x80,2\n\xf0\x9f\x98\x80,3\n\xef\xbf\xbd,4"
    )
    for header in (True, False):
        assert_same(spark, lambda header=header: spark.read.csv(str(tmp_path), header=header))


@pytest.mark.parametrize(
    "text", [b"", b"\n \n\t\n", b"a,b", b"\n\n  \na,b\n1,2", b"a,b\n", b"\x00,1\n\x001,2\n1\x00,3"]
)
@pytest.mark.parametrize("header", ["true", "false"])
def test_small_files(spark: SparkSession, tmp_path: Path, text: bytes, header: str) -> None:
    (tmp_path / "a.csv").write_bytes(text)
    (tmp_path / "b.csv").write_bytes(b"h,i\n7,8\n")

    def read() -> DataFrame:
        return spark.read.schema("a string, b int").csv(str(tmp_path), header=header)

    assert_same(spark, read)
    assert_same(spark, lambda: read().groupBy().count())


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"mode": "FAILFAST"}, "read option mode=FAILFAST"),
        ({"mode": "DROPMALFORMED"}, "read option mode=DROPMALFORMED"),
        ({"multiLine": "true"}, "read option multiline=true"),
        ({"sep": "||"}, "read option sep=||"),
        ({"comment": "#"}, "read option comment=#"),
        ({"escape": ""}, "read option escape="),
        ({"unescapedQuoteHandling": "BACK_TO_DELIMITER"}, "read option unescapedquotehandling=BACK_TO_DELIMITER"),
        ({"unescapedQuoteHandling": "RAISE_ERROR"}, "read option unescapedquotehandling=RAISE_ERROR"),
        ({"unescapedQuoteHandling": "SKIP_VALUE"}, "read option unescapedquotehandling=SKIP_VALUE"),
        ({"nullValue": "no token"}, "read option nullvalue=*********(redacted)"),
        ({"emptyValue": "URL"}, "read option emptyvalue=*********(redacted)"),
        ({"ignoreLeadingWhiteSpace": "true", "nullValue": "NA"}, "read option ignoreleadingwhitespace=true"),
        ({"encoding": "ISO-8859-1"}, "read option encoding=ISO-8859-1"),
        ({"header": "true", "enforceSchema": "false"}, "read option enforceschema=false"),
        ({"columnNameOfCorruptRecord": "s"}, "column s of malformed records"),
        ({"positiveInf": "7"}, "read option positiveinf=7"),
        ({"ignoreTrailingWhiteSpace": "true"}, "read option ignoretrailingwhitespace=true"),
        ({"timeZone": "UTC"}, "read option timezone=UTC"),
    ],
)
def test_options_left_to_spark(spark: SparkSession, tmp_path: Path, options: dict[str, str], reason: str) -> None:
    (tmp_path / "a.csv").write_bytes(b"s,1\n")
    df = spark.read.options(**options).schema("s string, i int").csv(str(tmp_path))
    assert_spark(df)
    assert reason in explained(df), explained(df)


def test_what_univocity_keeps_of_lines(spark: SparkSession, tmp_path: Path) -> None:
    """A blank end of a line is null, or an empty value behind a line that ends in quotes."""
    (tmp_path / "a.csv").write_text('1,"x"\n, \n2,y\n, \n')
    options = {"ignoreLeadingWhiteSpace": "true", "emptyValue": "e"}
    with plain(spark):
        rows = spark.read.options(**options).schema("i int, s string").csv(str(tmp_path)).collect()
        assert [row.s for row in rows] == ["x", "e", "y", None]
    assert_same(spark, lambda: spark.read.schema("i int, s string").csv(str(tmp_path), ignoreLeadingWhiteSpace=True))


def test_empty_values_that_are_passed_over(spark: SparkSession, tmp_path: Path) -> None:
    """Univocity's parser runs on behind "" of a column that is not selected, if quotes are their own escapes."""
    lines = ["a,b,c", '"",15",c', '"",b,c"', '"","b","c"', '"",1" x,c",d', '"a",15",c', "a,b,c"]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.csv").write_text(f"x,y,z\n{line}\n")
    for columns in (["b"], ["c"], ["a", "c"], ["a", "b", "c"]):
        assert_same(
            spark,
            lambda c=columns: (
                spark.read.schema("a string, b string, c string").csv(str(tmp_path), escape='"').select(c)
            ),
        )


@pytest.mark.parametrize("header", ["true", "false"])
def test_marks_at_the_first_line_of_a_split(spark: SparkSession, tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text("\ufeff\ufeffa,1\nb,2\n\ufeffc,3\n")
    (tmp_path / "b.csv").write_text("\ufeffa,1\n" * 8)
    for size in ("7", "20", "1m"):
        with settings(spark, spark__sql__files__maxPartitionBytes=size, spark__sql__files__openCostInBytes="0"):
            assert_same(spark, lambda: spark.read.schema("s string, i int").csv(str(tmp_path), header=header))


def test_header_behind_many_blank_lines(spark: SparkSession, tmp_path: Path) -> None:
    """It is in a later part of the split than the first line."""
    (tmp_path / "a.csv").write_text("\n" * (4 * 1024 * 1024 + 10) + "a,b\n1,2\n")
    with settings(spark, spark__sql__files__openCostInBytes="128m"):
        df = spark.read.schema("s string, i int").csv(str(tmp_path), header=True)
        assert [tuple(row) for row in df.collect()] == [("1", 2)]
    assert "reverted to Spark: a CSV file whose first 4 MiB are blank lines" in explained(df)


@pytest.mark.parametrize("options", [{}, {"escape": '"'}])
@pytest.mark.parametrize("escape", ["'", "x", "\\", ""])
def test_what_escapes_are_escaped_by(spark: SparkSession, tmp_path: Path, escape: str, options: dict[str, str]) -> None:
    lines = ['1,"it\'s"', '"it\'s",2', '3,"axb"', '"axb",4', '5,"x"', "6,x", '7,"y"', '"x","x"']
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.csv").write_text(line)
    options = {**options, "charToEscapeQuoteEscaping": escape}
    assert_same(spark, lambda: spark.read.schema("a string, b string").csv(str(tmp_path), **options))
    assert_same(spark, lambda: spark.read.schema("a string, b string").csv(str(tmp_path), **options).select("b"))


@pytest.mark.parametrize("text", ["," * 20_480 + "\n1,2\n", "1,2\n" + "," * 20_480 + "\n"], ids=["header", "line"])
def test_more_columns_than_univocity_takes(spark: SparkSession, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text("," * 20_479 + "\n1,2\n")

    def read() -> DataFrame:
        return spark.read.schema("i int, j int").csv(str(tmp_path / "a.csv"), header=text.startswith(","))

    df = read()
    with pytest.raises(Exception, match=r"MALFORMED_CSV_RECORD|FAILED_READ_FILE"):
        df.collect()
    is_left = "a header of CSV of more than 20480 columns" in explained(df)
    assert is_left == text.startswith(",")
    with plain(spark), pytest.raises(Exception, match="FAILED_READ_FILE"):
        read().collect()
    assert_same(spark, lambda: spark.read.schema("i int, j int").csv(str(tmp_path / "b.csv"), header=True))


def test_noncharacters(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('x\uffff,1\n"\uffff,\ufffe",2\n\uffff,3\n')
    assert len(assert_same(spark, lambda: spark.read.schema("s string, i int").csv(str(tmp_path)))) == 3


def test_columns_with_defaults(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's parser of lines can't be asked there: nothing is left to it line by line."""
    (tmp_path / "a.csv").write_text('1,2\n"a"b,3\n4\n')
    spark.sql(f"create table csv_defaults (a string, b int) using csv location '{tmp_path}'")
    try:
        spark.sql("alter table csv_defaults add column c int default 42")
        df = spark.table("csv_defaults").select("a")
        assert [row.a for row in df.collect()] == ["1", '"a"b', "4"]
        assert "reverted to Spark: CSV that Spark's own code may not parse" in explained(df)
        assert_same(spark, lambda: spark.sql("select count(*) from csv_defaults"))
        df = spark.table("csv_defaults")
        assert_spark(df)
        assert [row.c for row in df.collect()] == [42, 42, 42]
    finally:
        spark.sql("drop table csv_defaults")


def test_settings_left_to_spark(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"s,1\n")
    for name, value in [
        ("spark.sql.csv.parser.columnPruning.enabled", "false"),
        ("spark.sql.legacy.timeParserPolicy", "LEGACY"),
        ("mapreduce.input.linerecordreader.line.maxlength", "2"),
    ]:
        with settings(spark, **{name: value}):
            df = spark.read.schema("s string, i int").csv(str(tmp_path))
            assert_spark(df)
            assert name in explained(df), explained(df)


def test_pushed_filters(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "a.csv", {}, Random(1), 500)
    for pushed in ("true", "false"):
        with settings(spark, spark__sql__csv__filterPushdown__enabled=pushed):
            for condition in ("i = 17", "s is null", "d > 1", "b", "t < '2024-01-01'", "l is not null and s <> 'a'"):
                assert_same(spark, lambda c=condition: spark.read.schema(SCHEMA).csv(str(tmp_path)).filter(c))
