"""String functions over every kind of text, natively and equal to plain Spark, byte for byte."""

from pathlib import Path

import pytest
from oracle import assert_equal_failure, assert_equal_values, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

TEXTS = [
    "",
    "a",
    "abc",
    "  abc  ",
    "Spark SQL",
    "exactly 12 by",
    "a string of more than twelve bytes",
    "special packages and requests",
    "äöü€😀x",
    "ÄÖÜ ß ŉ ǆ ﬁ İI ıi ΑΣ ΣΑΣ. Σ",
    "%_\\%",
    "a,b,,c,",
    "x😀y",
    "\u0000\t\n",
    "ǅungla ʼn éa",
]
INVALID = ["ff", "61c328", "e28241", "f09f9841", "eda080", "c080", "80ab", "f8888080", "78efbfbd79", "61e282ff6263"]
PARTS = ["", "a", "S", "special", "€", "😀", ",", "x", " ", "abc", "requests", "%s_l", "a%", "_", "%\\%"]


@pytest.fixture(scope="module")
def texts(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `texts`: id, a text s, another one p, numbers i and j; every ninth text is null; two are long."""
    folder = str(tmp_path_factory.mktemp("texts") / "table")
    with plain(spark):
        rows = [(n, text, PARTS[n % len(PARTS)], n - 4, n % 5) for n, text in enumerate(TEXTS * len(PARTS))]
        valid = spark.createDataFrame(rows, "id long, s string, p string, i int, j int")
        bad = ", ".join(f"unhex('{digits}')" for digits in INVALID)
        invalid = spark.sql(
            f"select 1000 + pos as id, cast(b as string) s, cast(array({bad})[9 - pos] as string) p,"
            f" pos - 4 as i, pos % 3 as j from (select posexplode(array({bad})) as (pos, b))"
        )
        long = spark.sql(
            "select 2000 + id as id, repeat(concat('long ä', id, ' '), 12000) s, 'ä1 long' p, int(id) i, int(id) j"
            " from range(2)"
        )
        table = valid.unionByName(invalid).unionByName(long)
        table = table.selectExpr("id", "if(id % 9 = 8, null, s) s", "if(id % 11 = 10, null, p) p", "i", "j")
        table.repartitionByRange(2, "id").sortWithinPartitions("id").write.parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("texts")
    assert Path(folder).is_dir()
    return df


SEARCH = [
    "startswith(s, p)",
    "startswith(s, 'a')",
    "endswith(s, p)",
    "endswith(s, 'x')",
    "contains(s, p)",
    "contains(s, 'long')",
    "contains('abcdef', p)",
    "contains(cast(s as binary), cast(p as binary))",
    "startswith(cast(s as binary), cast('a' as binary))",
    "endswith(cast(s as binary), cast(p as binary))",
    "s like 'a%'",
    "s like '%c'",
    "s like '%special%requests%'",
    "s like '%a%b%c%'",
    "s like 'S_ark%'",
    "s like '_'",
    "s like '__'",
    "s like '%€😀x'",
    "s like '_%😀_'",
    "s like '%ä_ü%'",
    "s like '\\\\%\\\\_%'",
    "s like '%#_%' escape '#'",
    "s like '%##%' escape '#' or s like '%#%#_#%' escape '#'",
    "s like 'ab%bc'",
    "s like p",
    "p like s",
    "s not like '%a%'",
    "s = p or s < p or s in ('abc', 'a', 'äöü€😀x')",
]
SUBSTRINGS = [
    "substring(s, 2)",
    "substring(s, -3)",
    "substring(s, 3, 2)",
    "substring(s, 0, 3)",
    "substring(s, i, j)",
    "substring(s, i * 100000, 1000000)",
    "substring(s, 3, 60000)",
    "substring('a constant of many bytes', i, 20)",
    "left(s, 3)",
    "right(s, 3)",
    "substring(cast(s as binary), i, j)",
    "substring(substring(s, 2), 2, 20)",
]
NUMBERS = [
    "length(s)",
    "length(cast(s as binary))",
    "octet_length(s)",
    "bit_length(s)",
    "ascii(s)",
    "instr(s, p)",
    "instr(s, 'c')",
    "locate(p, s, i)",
    "locate('a', s, 3)",
    "find_in_set(p, s)",
    "find_in_set('c', s)",
]
BUILT = [
    "trim(s)",
    "ltrim(s)",
    "rtrim(s)",
    "trim(both p from s)",
    "trim(leading 'Sa xä' from s)",
    "trim(trailing 'cLx,ü' from s)",
    "btrim(s, ' a')",
    "concat(s, p)",
    "concat(p, '-', s, '|', p, s, 'x')",
    "s || null || p",
    "concat(cast(s as binary), cast(p as binary))",
    "concat_ws(',', s, p, s)",
    "concat_ws(p, s, 'x', p, s)",
    "concat_ws('-', s)",
    "concat_ws('-')",
    "repeat(p, i)",
    "repeat(s, j)",
    "space(i)",
    "replace(s, 'a', 'bcd')",
    "replace(s, p, '')",
    "replace(s, p, s)",
    "replace(s, ' ')",
    "lpad(p, i, 'ä-')",
    "rpad(p, i, 'ä-')",
    "lpad('ab', 3 * i, p)",
    "rpad('ab', 3 * i, p)",
    "lpad(s, 4)",
    "reverse(p)",
    "reverse(trim(s))",
    "chr(i * 37)",
    "substring_index(s, ',', i)",
    "substring_index(s, p, i)",
    "substring_index(s, ' ', -2)",
    "case when i > 2 then concat(s, 'x') when i > 0 then substring(s, 2) else p end",
    "coalesce(concat(s, p), trim(s), p)",
]
GROUPS = {"search": SEARCH, "substrings": SUBSTRINGS, "numbers": NUMBERS, "built": BUILT}


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("group", GROUPS)
def test_values(spark: SparkSession, texts: DataFrame, group: str, ansi: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        assert_equal_values(spark, "texts", GROUPS[group])


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_invalid_pattern(spark: SparkSession, texts: DataFrame, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_failure(
            spark, lambda: spark.sql("select s like concat('#', p) escape '#' from texts where id > 0")
        )


def test_invalid_constant_pattern_is_left_to_spark(spark: SparkSession, texts: DataFrame) -> None:
    query = "select s like '%#a' escape '#' from texts"
    with pytest.raises(Exception, match="INVALID_FORMAT"):
        spark.sql(query).collect()
