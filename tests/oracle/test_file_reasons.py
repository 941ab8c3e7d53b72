"""Reasons for leaving files to Spark that the tests of their formats do not meet."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import parquet_footers as footers
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import raw_orc as raw
from oracle import (
    assert_failure_of_spark,
    assert_native,
    assert_spark,
    explained,
    failure,
    last_execution,
    normalised,
    plain,
    plain_failure,
    settings,
)
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


def assert_left(spark: SparkSession, read: DataFrame, reason: str) -> None:
    """Fails unless Spark reads files, for a reason, and a query of them ends as on plain Spark."""
    again = read.select("*")
    with plain(spark):
        try:
            expected = normalised(read.select("*").collect())
        except Exception:
            expected = None
    if expected is None:
        assert failure(again.collect) == plain_failure(spark, lambda: read.select("*"))
    else:
        assert normalised(again.collect()) == expected
    assert_spark(again)
    assert reason in explained(again), explained(again)


def test_the_last_character_in_csv(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('1,"a""b"\n2,"c""\uffffd"\n')
    read = spark.read.schema("n int, s string").csv(str(tmp_path / "t.csv"))
    assert_left(spark, read, "a line of CSV with the character U+FFFF")


def test_compressed_text(spark: SparkSession, tmp_path: Path) -> None:
    with plain(spark):
        spark.range(10).write.csv(str(tmp_path / "t"), compression="bzip2")
    assert_left(spark, spark.read.schema("n int").csv(str(tmp_path / "t")), "compressed text (")


def test_json(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "t.json")
    Path(path).write_text('{"n": 1, "d": "2024-01-02", "z": "YQ=="}\n{"n"\n')
    broken = spark.read.schema("n int, _corrupt_record string").json(path).select("_corrupt_record")
    assert_left(spark, broken, "only the column of lines that can't be read")
    assert_left(spark, spark.read.schema("n int, z binary").json(path), "column z of type binary in JSON")
    with settings(spark, spark__sql__legacy__timeParserPolicy="LEGACY"):
        read = spark.read.schema("n int, d date").json(path)
        assert_left(spark, read, "dates and timestamps of JSON by legacy.timeParserPolicy=LEGACY")


def test_orc(spark: SparkSession, tmp_path: Path) -> None:
    with plain(spark):
        spark.sql("select timestamp_ntz'2024-01-01 00:00:00' t").write.orc(str(tmp_path / "t"))
    read = spark.read.schema("t timestamp").orc(str(tmp_path / "t"))
    assert_left(spark, read, "timestamps with a time zone and without one")


def written(path: Path, column: str = "n", **options: object) -> Path:
    """Writes a Parquet file of one column, a page of it that is neither compressed nor coded."""
    columns = {
        "n": pa.array([1, None, 3], pa.int32()),
        "s": pa.array(["a", None, "c"]),
        "b": pa.array([True, None, False]),
    }
    plain_pages = {"compression": "none", "use_dictionary": False, "data_page_version": "1.0"}
    pq.write_table(pa.table({column: columns[column]}), path, **(plain_pages | options))
    return path


def edit_chunk(field: int, value: tuple) -> Callable[[dict], None]:
    """Returns what changes a field of a file's only column chunk."""

    def edit(footer: dict) -> None:
        footers.row_groups(footer)[0][footers.CHUNKS][1][1][0][field] = value

    return edit


def edit_metadata(field: int, value: tuple) -> Callable[[dict], None]:
    """Returns what changes a field of what a footer says of a file's only column chunk."""

    def edit(footer: dict) -> None:
        footers.chunks(footers.row_groups(footer)[0])[0][field] = value

    return edit


EMPTY_UNION = (footers.STRUCT, {1: (footers.STRUCT, {})})
FOOTERS = {
    "encrypted Parquet": lambda footer: footer.update({8: EMPTY_UNION}),
    "encrypted Parquet columns": edit_chunk(8, EMPTY_UNION),
    "column chunks in another file": edit_chunk(1, (footers.BINARY, b"elsewhere.parquet")),
    "compression codec 7": edit_metadata(4, footers.integer(3, 5)),  # LZO, as Arrow counts
    "Parquet encoding 1": edit_metadata(2, (footers.LIST, (5, [footers.zigzag(1)]))),
}


@pytest.mark.parametrize("reason", FOOTERS)
def test_footers_of_parquet(spark: SparkSession, tmp_path: Path, reason: str) -> None:
    path = written(tmp_path / "t.parquet")
    footers.edit_footer(path, FOOTERS[reason])
    assert_left(spark, spark.read.schema("n int").parquet(str(path)), reason)


def test_encrypted_footers_of_parquet(spark: SparkSession, tmp_path: Path) -> None:
    path = written(tmp_path / "t.parquet")
    path.write_bytes(path.read_bytes()[:-4] + b"PARE")
    assert_left(spark, spark.read.schema("n int").parquet(str(path)), "encrypted Parquet")


# By column: fields of a data page's header, and what they say there.
PAGE_HEADER, VALUES, LEVELS = 5, 2, 3
PAGES = {
    "Parquet encoding 10": ("n", VALUES, 10),
    "a page of numbers in encoding DELTA_BYTE_ARRAY": ("n", VALUES, 7),
    "a page of byte arrays in encoding DELTA_BINARY_PACKED": ("s", VALUES, 5),
    "a page of booleans in encoding DELTA_BINARY_PACKED": ("b", VALUES, 5),
    "bit-packed definition levels": ("n", LEVELS, 4),
}


@pytest.mark.parametrize("reason", PAGES)
def test_pages_of_parquet(spark: SparkSession, tmp_path: Path, reason: str) -> None:
    column, field, encoding = PAGES[reason]
    path = written(tmp_path / "t.parquet", column)
    data = path.read_bytes()
    reader = footers.Reader(data[len(footers.MAGIC) :])
    header = reader.struct()
    header[PAGE_HEADER][1][field] = footers.integer(encoding, 5)
    # Another length would move all that the footer tells the place of.
    changed = compact(header)
    assert len(changed) == reader.position
    path.write_bytes(footers.MAGIC + changed + data[len(footers.MAGIC) + reader.position :])
    schema = {"n": "n int", "s": "s string", "b": "b boolean"}[column]
    assert_left(spark, spark.read.schema(schema).parquet(str(path)), reason)


def compact(fields: dict) -> bytes:
    """Returns a struct with the ids of its fields as steps from one to the next, as writers store it."""
    parts, last = [], 0
    for number, (kind, value) in fields.items():
        parts.append(bytes([(number - last) << 4 | kind]))
        parts.append(compact(value) if kind == footers.STRUCT else footers.serialised(kind, value))
        last = number
    return b"".join(parts) + b"\0"


@dataclass
class OddFile(raw.File):
    """A file with a version of its own, and with fields at the end of its footer that its writer does not know."""

    version: tuple[int, ...] = (0, 12)
    more_footer: bytes = b""

    def post_script(self, footer_bytes: int, statistics_bytes: int) -> bytes:
        parts = raw.number(1, footer_bytes + len(self.more_footer)) + raw.number(2, self.compression)
        parts += b"" if self.block_bytes is None else raw.number(3, self.block_bytes)
        parts += b"".join(raw.number(4, part) for part in self.version) + raw.number(5, statistics_bytes)
        parts += raw.number(6, 9) + raw.text(8000, "ORC")
        return self.more_footer + parts + bytes([len(parts)])


class UnknownType(raw.Type):
    """A type of a later version."""

    def message(self) -> bytes:
        return raw.number(1, 30)


def numbers_with(**more: object) -> OddFile:
    """Returns a file of a column of two numbers."""
    return OddFile(raw.columns({"n": raw.Type("long")}), 2, [(1, "data", raw.integers([1, 2]))], **more)


LZO, UNKNOWN = 3, 9
ORC_FILES = {
    "an ORC file of a version after 0.12": lambda: numbers_with(version=(1, 0)),
    "an ORC file of an unknown compression": lambda: numbers_with(compression=UNKNOWN, block_bytes=1 << 18),
    "ORC files compressed by LZO, or by what the engine does not know": lambda: numbers_with(
        compression=LZO, block_bytes=1 << 18, stored=raw.in_chunks(1000)
    ),
    "an encrypted ORC file": lambda: numbers_with(more_footer=raw.text(10, b"")),
}


@pytest.mark.parametrize("reason", ORC_FILES)
def test_odd_orc(spark: SparkSession, tmp_path: Path, reason: str) -> None:
    (tmp_path / "t.orc").write_bytes(ORC_FILES[reason]().bytes())
    assert_left(spark, spark.read.schema("n long").orc(str(tmp_path / "t.orc")), reason)


def test_unknown_types_of_orc(spark: SparkSession, tmp_path: Path) -> None:
    file = numbers_with()
    file.types = [raw.Type("struct", [1, 2], ["n", "later"]), raw.Type("long"), UnknownType("long")]
    (tmp_path / "t.orc").write_bytes(file.bytes())
    assert_left(spark, spark.read.schema("n long").orc(str(tmp_path / "t.orc")), "an ORC file of an unknown type")


def test_other_filesystems(spark: SparkSession, tmp_path: Path) -> None:
    """One that shows a local folder as its own."""
    hadoop = spark._jsc.hadoopConfiguration()
    link = "fs.viewfs.mounttable.tests.link./data"
    hadoop.set(link, f"file://{tmp_path}")
    try:
        written(tmp_path / "t.parquet")
        file = "viewfs://tests/data/t.parquet"
        assert_left(spark, spark.read.parquet(file), f"filesystem viewfs://… is not read natively yet ({file})")
        df = spark.range(3)
        df.write.parquet("viewfs://tests/data/written")
        ran = last_execution(spark)
        assert "filesystem of viewfs://tests/data/written: files are written natively by file: alone" in ran, ran
        assert normalised(spark.read.parquet(f"{tmp_path}/written").collect()) == [(0,), (1,), (2,)]
    finally:
        hadoop.unset(link)


def cut_gzip(path: Path, line: str) -> str:
    """Writes many equal lines, of which the end is missing, and returns the path."""
    path.write_bytes(gzip.compress((line + "\n").encode() * 200_000)[:-20])
    return str(path)


TEXTS: dict[str, Callable[[SparkSession, Path], DataFrame]] = {
    "csv": lambda spark, folder: spark.read.csv(cut_gzip(folder / "t.csv.gz", "a,b")),
    "csv with a header": lambda spark, folder: spark.read.csv(cut_gzip(folder / "t.csv.gz", "a,b"), header=True),
    "json": lambda spark, folder: spark.read.schema("a int").json(cut_gzip(folder / "t.json.gz", '{"a": 1}')),
    "text": lambda spark, folder: spark.read.text(cut_gzip(folder / "t.txt.gz", "abc")),
}


@pytest.mark.parametrize("name", TEXTS)
def test_compressed_text_that_is_cut_off(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """Spark fails with the whole file, and not with its first rows."""
    table = TEXTS[name](spark, tmp_path)
    assert_native(table)
    error = assert_failure_of_spark(spark, lambda: table.select("*"), "can't decompress file://")
    assert error.message.startswith("[FAILED_READ_FILE.NO_HINT]")
    first = table.limit(3).collect()
    with plain(spark):
        assert first == table.limit(3).collect()


@pytest.mark.parametrize("name", TEXTS)
def test_a_part_of_a_text_that_is_cut_off(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """Spark can't take over from who reads parts: the error has its condition."""
    table = TEXTS[name](spark, tmp_path)
    with pytest.raises(Py4JJavaError) as found:
        table.select("*")._jdf.toJavaRDD().count()
    with plain(spark), pytest.raises(Py4JJavaError) as expected:
        table.select("*")._jdf.toJavaRDD().count()
    mine, theirs = (raised.value.java_exception for raised in (found, expected))
    assert mine.getCondition() == theirs.getCondition() == "FAILED_READ_FILE.NO_HINT"
    assert mine.getMessageParameters() == theirs.getMessageParameters()
    assert "can't decompress" in mine.getMessage()


def test_damaged_parquet_pages(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [f"value {n}" for n in range(1000)]}), path, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    place = data.index(b"value 900") - 4
    data[place : place + 4] = b"\xff\xff\xff\x7f"
    path.write_bytes(data)
    error = assert_failure_of_spark(spark, lambda: spark.read.parquet(str(path)), "can't read column a of file://")
    assert error.message.startswith("[FAILED_READ_FILE.NO_HINT]")
