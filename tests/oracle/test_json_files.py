"""Lines of JSON: rows, their order, lines that can't be read, options and splits, as plain Spark has them."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from json_texts import Texts, ddl
from oracle import assert_spark, explained, plain, settings
from outcome import Outcome, difference, run
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

Load = Callable[[], DataFrame]


def both(spark: SparkSession, load: Load, query: str) -> tuple[Outcome, Outcome]:
    """Runs a query of view `lines` natively and on plain Spark."""
    load().createOrReplaceTempView("lines")
    native = run(spark, query)
    with plain(spark):
        load().createOrReplaceTempView("lines")
        return native, run(spark, query)


def check(spark: SparkSession, load: Load, query: str = "select * from lines") -> Outcome:
    """Fails unless a query ran natively and gave what plain Spark gives, in its order; returns it."""
    native, expected = both(spark, load, query)
    assert native.native, native.reasons
    assert difference(native, expected, ordered=True) is None, difference(native, expected, ordered=True)
    return expected


def reader(spark: SparkSession, path: Path | str, schema: str | None = None, **options: object) -> Load:
    def load() -> DataFrame:
        read = spark.read.options(**options)
        return (read.schema(schema) if schema else read).json(str(path))

    return load


def write(path: Path, *lines: str | bytes, end: bytes = b"\n") -> Path:
    path.write_bytes(end.join(line if isinstance(line, bytes) else line.encode() for line in lines) + end)
    return path


LINES = [
    '{"a":1,"s":"x","n":{"m":[1,2],"k":{"p":1.5}},"t":"2024-07-01 12:30:00","d":1.25}',
    '{"a":-7,"s":"a longer text \\u00e9 \\ud83d\\ude00 with escapes \\n","z":[{"q":null}]}',
    "",
    "   ",
    '{"d":2,"a":null}',
    '{"a":"1","s":1.50,"d":3}',
    '{"a":2,"s":{ "x" : [1, 2.0] },"n":{"m":["x",3],"k":{}}}',
    '{"a":3,"s":true,"n":[],"d":4}',
    '{"a":4,"a":5,"s":"dup"}',
    '{"a":6,"n":{"k":{"p":1,"p":2}}}',
    '{"a":7,"s":"lone \\ud83d half"}',
    '{"a":8',
    '{"a":9} trailing',
    '[{"a":10,"s":"in a list"},{"a":11}]',
    "[]",
    "null",
    '"text"',
    '{"a":1.0}',
    '{"a":99999999999999999999}',
    "{'a':12,'s':'single'}",
    '{"a":13,"t":"nothing"}',
    b'{"a":14,"s":"\xff\xfe"}',
    b'{"a":15,"z":"\xed\xa0\x80"}',
    b'{"a":16,"s":"nul\x00"}',
    '{"a":17,"s":""}',
    '{"a":"","d":""}',
    '{"A":18,"S":"case"}',
    '{"a":19,"t":"2024-07-01T12:30:00.123+02:00"}',
]
SCHEMA = "a bigint, s string, n struct<m: array<int>, k: map<string, double>>, t timestamp, d decimal(10,2)"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    return write(tmp_path / "lines.json", *LINES)


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("extra", ["", ", _corrupt_record string"])
def test_lines_of_all_kinds(spark: SparkSession, lines: Path, ansi: str, extra: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi):
        load = reader(spark, lines, SCHEMA + extra)
        assert len(check(spark, load).rows) == len(LINES) - 2
        check(spark, load, "select s, d from lines where a > 3")
        check(spark, load, "select count(*) from lines")
        check(spark, load, "select n.m[0], n.k['p'], t from lines")
        check(spark, load, "select a from lines where s is null")
        check(spark, load, "select sum(d), count(distinct s), max(t) from lines")


OPTIONS = [
    {"allowComments": True, "allowUnquotedFieldNames": True},
    {"allowSingleQuotes": False},
    {"allowNumericLeadingZeros": True, "allowBackslashEscapingAnyCharacter": True},
    {"allowNonNumericNumbers": False},
    {"allowUnquotedControlChars": True},
    {"primitivesAsString": True, "dropFieldIfAllNull": True, "prefersDecimal": True},
    {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "s"},
    {"mode": "DROPMALFORMED"},
    {"encoding": "UTF-8"},
    {"charset": "utf-8", "lineSep": "\n"},
    {"timeZone": "America/St_Johns"},
    {"locale": "de-DE", "multiLine": "false"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(spark: SparkSession, lines: Path, options: dict[str, object]) -> None:
    check(spark, reader(spark, lines, SCHEMA, **options))
    check(spark, reader(spark, write(lines.with_name("few.json"), *LINES[:8]), **options))
    check(spark, reader(spark, lines, SCHEMA, **options), "select count(*), count(a) from lines where d is null")


REFUSED = {
    "mode": "FAILFAST",
    "multiLine": "true",
    "encoding": "UTF-16LE",
    "timestampFormat": "yyyy-MM-dd HH:mm",
    "maxNestingDepth": "10",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_options_are_named(spark: SparkSession, lines: Path, name: str) -> None:
    df = reader(spark, lines, SCHEMA, **{name: REFUSED[name], "lineSep": "\n"})()
    assert_spark(df)
    assert f"read option {name.lower()}={REFUSED[name]}" in explained(df)


SETTINGS = [
    {"spark__sql__json__enablePartialResults": "false"},
    {"spark__sql__json__filterPushdown__enabled": "false"},
    {"spark__sql__json__enableExactStringParsing": "false"},
    {"spark__sql__legacy__json__allowEmptyString__enabled": "true"},
    {"spark__sql__columnNameOfCorruptRecord": "s"},
    {"spark__sql__caseSensitive": "true"},
    {"spark__sql__session__timeZone": "Europe/Berlin"},
    {"spark__sql__legacy__timeParserPolicy": "EXCEPTION"},
]


@pytest.mark.parametrize("changes", SETTINGS, ids=str)
def test_settings(spark: SparkSession, lines: Path, changes: dict[str, str]) -> None:
    with settings(spark, **changes):
        for schema in (SCHEMA, SCHEMA + ", _corrupt_record string"):
            check(spark, reader(spark, lines, schema))
            check(spark, reader(spark, lines, schema), "select a, t from lines where s is null or a > 5")


def test_filters_hide_what_is_behind_them(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's parser stops in a line that a filter drops, and takes no notice of what is wrong with its rest."""
    path = write(tmp_path / "x.json", '{"a":1,"b":}', '{"a":null,"b":}', '{"b":2}', '{"b":3,"a":4} x', '{"a":1,"b":[2}')
    load = reader(spark, path, "a int, b int, _corrupt_record string")
    for condition in ("a is null", "a is not null", "a = 1", "a <=> null", "b = 2 or a is null"):
        check(spark, load, f"select * from lines where {condition}")


@pytest.mark.parametrize("condition", ["a <=> ({})", "not (a <=> ({}))", "a is null or a > ({})"])
def test_filters_by_subqueries(spark: SparkSession, tmp_path: Path, condition: str) -> None:
    """Spark's parser gets their values too: where such a filter may keep a line that can't be read, it reads all."""
    path = write(tmp_path / "x.json", '{"a":1,"b":}', '{"a":null,"b":}', '{"b":2}', '{"b":3,"a":4} x', '{"a":1,"b":[2}')
    load = reader(spark, path, "a int, b int, _corrupt_record string")
    for most in (0, 1, 2):
        value = f"select cast(max(id) as int) from range(2) where id < {most}"
        query = f"select * from lines where {condition.format(value)}"
        native, expected = both(spark, load, query)
        assert difference(native, expected, ordered=True) is None, (query, difference(native, expected, ordered=True))
        assert any("JSON that Spark's own code may not parse" in reason for reason in native.reasons), native.reasons
        check(spark, load, f"select * from lines where a = ({value})")


def test_names_that_look_like_secrets(spark: SparkSession, lines: Path) -> None:
    df = reader(spark, lines, "a int, bad_token string", columnNameOfCorruptRecord="bad_token")()
    assert_spark(df)
    assert "read option columnnameofcorruptrecord=*********(redacted)" in explained(df)
    with settings(spark, spark__sql__columnNameOfCorruptRecord="bad_token"):
        df = reader(spark, write(lines, '{"a":1,"bad_token":"x"}', "{"), "a int, bad_token string")()
        assert [tuple(row) for row in df.collect()] == [(1, None), (None, "{")]
        assert_spark(df)


def test_types_in_texts(spark: SparkSession, tmp_path: Path) -> None:
    values = ["1", "-0", "1.0", "1e2", '"1"', '"NaN"', "NaN", '"Infinity"', "200",
    "-129", "70000", "3000000000", "true", "null", '""', '"2024-01-02"', '"2024-1-2 3"', '"12"', "12",
    "1.23456789012345678901", "16777217", "1e400", '"dGV4dA=="', "[1]", "{}", "0.1", "123456789012345678",
    "1234567890123456789", "-1e-400", "[]",
]  # fmt: skip
    kinds = [
        "boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(5,1)", "decimal(38,18)",
        "string", "date", "timestamp", "timestamp_ntz", "array<int>", "map<string,int>", "struct<>",
        "struct<a: int>",
    ]  # fmt: skip
    for value in values:
        path = write(
            tmp_path / "x.json", *(f'{{"c{i}":{value}}}' for i in range(len(kinds))), f'{{"c0":{value},"c9":"y"}}'
        )
        check(spark, reader(spark, path, ", ".join(f"c{i} {kind}" for i, kind in enumerate(kinds))))


def test_types_that_the_engine_does_not_read(spark: SparkSession, tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", '{"b":"dGV4dA=="}')
    for kind in ("binary", "interval day to second", "array<binary>"):
        df = reader(spark, path, f"b {kind}")()
        assert_spark(df)
        assert "column b of type" in explained(df)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=repr)
@pytest.mark.parametrize("size", [50, 333, 5000])
def test_splits(spark: SparkSession, tmp_path: Path, size: int, end: bytes) -> None:
    folder = tmp_path / "table"
    folder.mkdir()
    for part in range(3):
        rows = (
            f'{{"id":{i},"s":"{"x" * (i * 7 % 90)}"}}' if i % 17 else "[]" for i in range(part * 60, part * 60 + 60)
        )
        write(folder / f"part-{part}.json", *rows, end=end)
    sizes = {"spark__sql__files__maxPartitionBytes": str(size), "spark__sql__files__openCostInBytes": "0"}
    with settings(spark, **sizes):
        assert len(check(spark, reader(spark, folder, "id int, s string")).rows) == 3 * 60 - 11
        check(spark, reader(spark, folder), "select first(id), last(s), count(*) from lines")


def test_partitions_and_metadata(spark: SparkSession, tmp_path: Path) -> None:
    for day in ("2024-01-01", "2024-01-02"):
        folder = tmp_path / "table" / f"day={day}"
        folder.mkdir(parents=True)
        write(folder / "x.json", f'{{"v":"{day}"}}', "[]", '[{"v":1},{"v":2}]', '{"v"')
    load = reader(spark, tmp_path / "table", "v string")
    check(spark, load)
    check(spark, load, "select day, count(v) from lines where day > '2024-01-01' group by day")
    check(spark, lambda: load().select("v", "_metadata.file_name", "day"))


def test_gzip(spark: SparkSession, lines: Path) -> None:
    packed = lines.with_name("packed.json.gz")
    packed.write_bytes(gzip.compress(lines.read_bytes()))
    check(spark, reader(spark, packed, SCHEMA + ", _corrupt_record string"))


def test_tables(spark: SparkSession, lines: Path) -> None:
    spark.sql(f"create table json_lines ({SCHEMA}) using json location '{lines}'")
    try:
        check(spark, lambda: spark.table("json_lines"))
        check(spark, lambda: spark.table("json_lines"), "select s, sum(a) from lines group by s order by s")
    finally:
        spark.sql("drop table json_lines")


def test_long_lines_and_deep_values(spark: SparkSession, tmp_path: Path) -> None:
    deep = ['{"z":' + "[" * n + "]" * n + ',"a":1}' for n in (50, 190, 250, 999, 1001)]
    long = [f'{{"a":2,"s":"{"é" * n}"}}' for n in (10, 70_000, 1_000_000)]
    names = [f'{{"{"n" * n}":1,"a":3}}' for n in (9_000, 60_000)]
    numbers = [f'{{"a":4,"z":{"1" * n},"d":{"0" if n < 20 else "2" * n}}}' for n in (10, 500, 1_100)]
    path = write(tmp_path / "x.json", *deep, *long, *names, *numbers)
    check(spark, reader(spark, path, "a int, s string, d double, _corrupt_record string"))


def test_a_byte_order_mark(spark: SparkSession, tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", b'\xef\xbb\xbf{"a":1}', '{"a":2}', b'\xef\xbb\xbf{"a":3}')
    check(spark, reader(spark, path, "a int"))
    path = write(tmp_path / "y.json", '{"a":1}'.encode("utf-16-le"), '{"a":2}')
    check(spark, reader(spark, path, "a int, _corrupt_record string"), "select a from lines")


@pytest.mark.parametrize("seed", range(12))
def test_random_lines(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    random_file(spark, tmp_path, seed)


def random_file(spark: SparkSession, folder: Path, seed: int) -> None:
    """Checks a file of random lines of a random schema under random settings."""
    texts = Texts(seed, wrong=(0.0, 0.01, 0.05)[seed % 3])
    schema = texts.schema()
    path = write(folder / f"{seed}.json", *(texts.line(schema) for _ in range(texts.random.randint(1, 60))))
    options = texts.random.choice([{}, {}, {}, *OPTIONS])
    kept = texts.random.sample(schema, texts.random.randint(0, len(schema))) if seed % 4 == 0 else schema
    corrupt = texts.random.random() < 0.5
    columns = ddl(kept) + (", _corrupt_record string" if corrupt and kept else "")
    size = texts.random.choice(["100", "1000", "1000000"])
    changes = {
        "spark__sql__ansi__enabled": texts.random.choice(["true", "false"]),
        "spark__sql__files__maxPartitionBytes": size,
        "spark__sql__files__openCostInBytes": "0",
        **texts.random.choice([{}, {}, *SETTINGS]),
    }
    with settings(spark, **changes):
        # An empty schema would be inferred.
        check(spark, reader(spark, path, columns or "nothing int", **options))
        check(spark, reader(spark, path, columns or "nothing int", **options), "select count(*) from lines")
