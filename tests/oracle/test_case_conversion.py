"""Upper and lower case of every character of Unicode, and of words, natively and equal to plain Spark."""

import pytest
from oracle import assert_native, both_answers, explained, plain, settings
from pyspark.sql import DataFrame, SparkSession

WORDS = [
    "Spark SQL",
    "",
    "ΑΣ ΣΑΣ. Σ Α\u0301Σ\u0301 ΑΣ1 ΑΣ\u00adα aΣ\u02b0b Σ\u0345 \u02b0Σ",
    "ŉ ǆ ǅ Ǆ ﬁ ß ẞ İ I ı i ᾳ ᾼ \U00010400 \U00010428 é\u0345",
    "a long word: Straßenbahnhaltestelle, ΟΔΥΣΣΕΥΣ",
]
INVALID = ["ff41", "61c328", "e28241", "f09f9841", "eda08061", "c08062", "80c3a4", "41e282", "c3a4eda0"]


@pytest.fixture(scope="module")
def characters(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Table `characters`: id and a text s."""
    folder = str(tmp_path_factory.mktemp("characters") / "table")
    everything = [n for n in range(1, 0x110000) if not 0xD800 <= n < 0xE000]
    rows = [(n, chr(n)) for n in everything if n < 0x20000 or n % 64 == 0]
    rows += [(0x200000 + n, word) for n, word in enumerate(WORDS)]
    bad = ", ".join(f"unhex('{digits}')" for digits in INVALID)
    with plain(spark):
        spark.createDataFrame(rows, "id long, s string").coalesce(1).write.parquet(folder)
        invalid = f"select 4194304L + pos as id, cast(b as string) s from (select posexplode(array({bad})) as (pos, b))"
        spark.sql(invalid).coalesce(1).write.mode("append").parquet(folder)
    df = spark.read.parquet(folder)
    df.createOrReplaceTempView("characters")
    return df


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_every_character(spark: SparkSession, characters: DataFrame, batch_rows: str) -> None:
    limit = "" if batch_rows == "0" else "where id > 1114112"
    query = f"select id, cast(upper(s) as binary) u, cast(lower(s) as binary) l from characters {limit}"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        native, expected = map(sorted, both_answers(spark, lambda: spark.sql(query)))
    differences = [(mine, theirs) for mine, theirs in zip(native, expected, strict=True) if mine != theirs]
    assert native and not differences


@pytest.mark.parametrize("language", ["el", "tr", "nl", "lt", "de"])
def test_the_jvms_locale(spark: SparkSession, characters: DataFrame, language: str) -> None:
    """Some languages have cases of their own, which ICU takes from the JVM's locale."""
    locales = spark._jvm.java.util.Locale
    before = locales.getDefault()
    locales.setDefault(locales.forLanguageTag(language))
    words = "array('καλημέρα', 'IĞ', 'ısı', 'ijsje é', 'Ì', s)"
    query = f"select id, transform({words}, w -> upper(w)) u, transform({words}, w -> lower(w)) l from characters"
    try:
        native, expected = both_answers(spark, lambda: spark.sql(f"{query} where id > 2097151"))
        assert native == expected
        df = spark.sql("select upper(s) from characters")
        assert_native(df)
        assert ("bridged" in explained(df)) == (language != "de")
    finally:
        locales.setDefault(before)
