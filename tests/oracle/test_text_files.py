"""Files of text and what of them Spark's splits hold: every line once, in Spark's order."""

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from oracle import assert_equal_rows, assert_native, assert_spark, explained, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

TEXTS = {
    "empty": b"",
    "one": b"one",
    "ends": b"a\nb\n",
    "open": b"a\nb",
    "blank": b"\n\n\n",
    "windows": b"a\r\nbb\r\n\r\nccc\r\n",
    "returns": b"a\rbb\r\rccc\r",
    "mixed": b"a\n\r\nb\r\r\nc\n\n\rd\r",
    "mark": b"\xef\xbb\xbfa\nb\n\xef\xbb\xbfc\n",
    "only_mark": b"\xef\xbb\xbf",
    "mark_and_end": b"\xef\xbb\xbf\n",
    "bytes": b"\x00a\xff\xfe\nb\x00\n\xed\xa0\x80\n \t\n",
    "unicode": "grün\n\u2028\x85x\ny\n".encode(),
    "long": b"x" * 3000 + b"\n" + b"y" * 5000 + b"\nz\n",
    "semicolons": b"a;b\nc;;d\r;",
}


@pytest.fixture(scope="module", params=[1, 3, 1 << 20])
def split_bytes(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[int]:
    """Bytes of a split."""
    with settings(
        spark, spark__sql__files__maxPartitionBytes=str(request.param), spark__sql__files__openCostInBytes="0"
    ):
        yield request.param


def write(folder: Path, texts: dict[str, bytes]) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_bytes(text)
    return folder


def lines(df: DataFrame) -> DataFrame:
    """Returns lines as bytes, which Python's strings are not."""
    return df.select(F.col("value").cast("binary"), F.length("value"))


@pytest.mark.parametrize("name", TEXTS)
def test_lines_of_a_file(spark: SparkSession, tmp_path: Path, split_bytes: int, name: str) -> None:
    if split_bytes < len(TEXTS[name]) / 100:
        pytest.skip("thousands of splits of one file say no more than those of the others")
    write(tmp_path, {name: TEXTS[name]})
    assert_equal_rows(spark, lambda: lines(spark.read.text(str(tmp_path))), ordered=True)


@pytest.mark.parametrize("separator", [";", "\n", "\r", "a"])
def test_separators(spark: SparkSession, tmp_path: Path, split_bytes: int, separator: str) -> None:
    write(tmp_path, {name: text for name, text in TEXTS.items() if len(text) < 100})
    assert_equal_rows(spark, lambda: lines(spark.read.text(str(tmp_path), lineSep=separator)), ordered=True)


def test_counts_filters_and_columns_of_folders(spark: SparkSession, tmp_path: Path) -> None:
    for key in ("1", "2", "__HIVE_DEFAULT_PARTITION__"):
        (tmp_path / f"k={key}").mkdir()
        write(tmp_path / f"k={key}", TEXTS)

    def read() -> DataFrame:
        return spark.read.text(str(tmp_path))

    assert_equal_rows(spark, lambda: read().groupBy().count())
    assert_equal_rows(spark, lambda: read().groupBy("k").agg(F.count("value"), F.max(F.length("value"))))
    assert_equal_rows(spark, lambda: read().filter("value like 'a%' and k = 2"))
    assert_equal_rows(spark, lambda: read().select("_metadata.file_name", "_metadata.file_size", "k").distinct())
    assert_equal_rows(spark, lambda: read().select("value", "k").sort("value", "k").limit(20), ordered=True)


def test_many_morsels(spark: SparkSession, tmp_path: Path) -> None:
    """A file of some MB is read in pieces, by several workers; the order of its lines is the file's."""
    text = b"".join(b"%d %s\n" % (i, b"x" * (i % 50)) for i in range(400_000))
    (tmp_path / "lines.txt").write_bytes(text)
    rows = assert_equal_rows(spark, lambda: spark.read.text(str(tmp_path)), ordered=True)
    assert len(rows) == 400_000


def test_one_long_line(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_bytes(b"a\n" + b"x" * 9_000_000 + b"\nb")
    query = "length(value) n", "md5(value) h"
    assert_equal_rows(spark, lambda: spark.read.text(str(tmp_path)).selectExpr(*query), ordered=True)


@pytest.mark.parametrize("options", [{"wholetext": True}, {"lineSep": "ab"}, {"lineSep": "ü"}])
def test_what_is_left_to_spark(spark: SparkSession, tmp_path: Path, options: dict) -> None:
    write(tmp_path, TEXTS)
    df = spark.read.text(str(tmp_path), **options)
    assert_spark(df)
    assert f"read option {next(iter(options)).lower()}=" in explained(df)


@pytest.mark.parametrize("name", TEXTS)
def test_gzip(spark: SparkSession, tmp_path: Path, name: str) -> None:
    (tmp_path / "lines.txt.gz").write_bytes(gzip.compress(TEXTS[name]))
    assert_equal_rows(spark, lambda: lines(spark.read.text(str(tmp_path))), ordered=True)


def test_large_gzip_of_several_members(spark: SparkSession, tmp_path: Path) -> None:
    texts = [b"".join(b"%d %d\n" % (i, i * i) for i in range(part, part + 100_000)) for part in (0, 7, 9)]
    (tmp_path / "lines.gz").write_bytes(b"".join(map(gzip.compress, texts)))
    rows = assert_equal_rows(spark, lambda: spark.read.text(str(tmp_path)), ordered=True)
    assert len(rows) == 300_000


@pytest.mark.parametrize(
    ("ending", "compress"),
    [("bz2", bz2.compress), ("gzip", gzip.compress), ("GZ", gzip.compress), ("deflate", zlib.compress), ("xz", bytes)],
)
def test_other_compressed_files_are_left_to_spark(
    spark: SparkSession, tmp_path: Path, ending: str, compress: Callable[[bytes], bytes]
) -> None:
    (tmp_path / f"lines.{ending}").write_bytes(compress(b"a\nb\n"))
    # Spark 4.1 fails of pieces of *.gzip, which it takes for a file that may be split.
    with settings(spark, spark__sql__files__openCostInBytes="4m"):
        df = spark.read.text(str(tmp_path))
        assert_native(df)
        assert {row.value for row in df.collect()} == {"a", "b"}
    assert_spark(df)
    assert "reverted to Spark: compressed text" in explained(df)


def test_a_damaged_gzip_file_is_named(spark: SparkSession, tmp_path: Path) -> None:
    whole = gzip.compress(b"a line\n" * 100_000)
    for damaged in (whole[:-100], whole[:50] + b"\xff" * 20 + whole[70:], b"no gzip at all"):
        (tmp_path / "lines.gz").write_bytes(damaged)
        with pytest.raises(Exception, match=r"lines\.gz"):
            spark.read.text(str(tmp_path)).count()
