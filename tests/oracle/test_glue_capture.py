"""Captured queries hold what docs/design/capture.md says, and nothing else."""

import stat
from pathlib import Path

import pytest
from oracle import assert_native, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

SECTIONS = ["plan", "splits", "options", "settings", "files", "answer", "end"]


class Reader:
    """Reads a capture's container."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        part = self.data[self.at : self.at + count]
        assert len(part) == count
        self.at += count
        return part

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def blob(self) -> bytes:
        return self.take(self.varint())


def sections(path: Path) -> dict[str, bytes]:
    reader = Reader(path.read_bytes())
    assert reader.take(4) == b"ACCC"
    assert reader.varint() == 1
    found = {}
    while reader.at < len(reader.data):
        name = reader.blob().decode()
        found[name] = reader.blob()
    assert list(found) == SECTIONS
    return found


def pairs(section: bytes) -> dict[str, str]:
    return dict(line.split("=", 1) for line in section.decode().splitlines())


def capture(spark: SparkSession, folder: Path, sql: str) -> dict[str, bytes]:
    with settings(spark, spark__accelerant__capture__dir=str(folder)):
        try:
            spark.sql(sql).collect()
        except Exception as error:
            print(error)
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return sections(path)


def test_answer_is_sparks(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    found = capture(spark, tmp_path / "new" / "folder", "select id, s, d, w, x, t, u, b from numbers where id < 900")
    assert found["plan"].startswith(b"ACCP")
    assert found["splits"].startswith(b"ACCS")
    answer = pairs(found["answer"])
    with plain(spark):
        expected = spark.sql(
            "select count(*) n, sum(cast(xxhash64(id, s, d, w, t, u, b) as decimal(38,0))) h,"
            " count(x) c, sum(x) total from numbers where id < 900"
        ).collect()[0]
    assert int(answer["rows"]) == expected.n
    assert int(answer["hash"], 16) == int(expected.h) % 2**64
    assert int(answer["float.4.count"]) == expected.c
    assert float(answer["float.4.sum"]) == pytest.approx(expected.total)


def test_files_and_settings(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    found = capture(spark, tmp_path, "select id from numbers where id < 10")
    lines = [line.split("\t") for line in found["files"].decode().splitlines()]
    assert len(lines) == 5
    for uri, size, _, tail in lines:
        path = Path(uri.removeprefix("file://"))
        assert path.stat().st_size == int(size)
        assert len(tail) == 16
    assert pairs(found["settings"])["spark.version"] == spark.version


def test_secrets_are_not_written(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with settings(spark, spark__sql__catalog__x__password="hunter2"):
        found = capture(spark, tmp_path, "select id from numbers where id < 10")
    assert b"hunter2" not in b"".join(found.values())


def test_rows_of_sparks_own_are_not_written(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with settings(spark, spark__accelerant__capture__dir=str(tmp_path)):
        df = spark.sql("select n.id from numbers n join (values (1, 'hunter2')) as v(k, t) on n.id = v.k")
        assert_native(df)
        assert len(df.collect()) == 1
    assert list(tmp_path.iterdir()) == []


def test_sparks_answer_is_of_spark_alone(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    """Adaptive execution plans the stages of a subquery in other threads: none of them is native, or captured."""
    found = capture(
        spark,
        tmp_path,
        "select count(*) from numbers where id % 100 < (select count(distinct a.id % 7) from numbers a join numbers b"
        " on a.id = b.id where a.id % 3 = 1)",
    )
    assert pairs(found["answer"])["rows"] == "1"


def test_an_error_is_an_answer(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    found = capture(spark, tmp_path, "select id + 9223372036854775807 from numbers")
    assert pairs(found["answer"])["error.condition"].startswith("ARITHMETIC_OVERFLOW")
