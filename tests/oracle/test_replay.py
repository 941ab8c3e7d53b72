"""A captured query runs again without a JVM, and its answer is judged against the one that plain Spark gave."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from oracle import plain, settings
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from accelerant import artifacts  # noqa: E402

pytestmark = pytest.mark.spark41

QUERIES = {
    "filter and project": "select id, h + y hy, s, z from numbers where n < 3 and b",
    "every type": "select * from numbers",
    "groups": "select n, sum(d), avg(d), sum(x), avg(h), min(s), max(t), count(*), count(s) from numbers group by n",
    "wide decimals": "select sum(w), max(w), min(d) from numbers",
    "order": "select id, x, t from numbers where id % 3 = 1 order by x desc, id limit 20",
    "limit and offset": "select s from numbers limit 7 offset 2995",
    "no rows": "select id, s from numbers where id < 0",
    "case": "select sum(case when h > 50 then id else -id end), count(coalesce(s, 'x')) from numbers",
    "range": "select id % 5 k, count(*), sum(id) from range(-30000, 90, 7) group by 1",
    "an error": "select id / (id - 17) from numbers",
    "an error that Spark names": "select timestamp_millis(9223372036854775807 - id) from numbers",
}


def capture(spark: SparkSession, folder: Path, sql: str) -> Path:
    """Runs a query and returns the file that it leaves."""
    with settings(spark, spark__accelerant__capture__dir=str(folder)):
        try:
            spark.sql(sql).collect()
        except PySparkException as error:
            print(error)
    (path,) = folder.glob("*.accq")
    return path


def replay(*arguments: str | Path) -> subprocess.CompletedProcess:
    command = [str(artifacts.find().replay()), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("name", QUERIES)
def test_answer_is_sparks(spark: SparkSession, numbers: DataFrame, tmp_path: Path, name: str) -> None:
    path = capture(spark, tmp_path, QUERIES[name])
    for options in ([], ["--threads", "1", "--batch-rows", "3"], ["--repeat", "3", "--threads", "2"]):
        report = tmp_path / "report.json"
        result = replay(path, "--json", report, *options)
        assert result.returncode == 0, result.stdout + result.stderr
        found = json.loads(report.read_text())
        assert found["equal"]
        assert found["differences"] == []
        assert found["answer"]["hash"] == found["expected"]["hash"]
        assert found["peak_rss_bytes"] > 1e6
        assert len(found["runs"]) == (3 if "--repeat" in options else 1)


def test_orc_files(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    with plain(spark):
        numbers.write.orc(str(tmp_path / "table"))
    path = capture(spark, tmp_path, f"select * from orc.`{tmp_path}/table` where id % 3 = 0")
    result = replay(path)
    assert result.returncode == 0, result.stdout + result.stderr


def test_report_names_operators(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    path = capture(spark, tmp_path, "select n, count(*) from numbers group by n")
    report = tmp_path / "report.json"
    assert replay(path, "--json", report).returncode == 0
    operators = {node["name"]: node for node in json.loads(report.read_text())["operators"]}
    assert operators["FileSourceScan"]["output_rows"] == 5550
    assert operators["FileSourceScan"]["input_files"] == 5
    assert operators["FileSourceScan"]["estimated_rows"] == 5550
    assert operators["HashAggregate"]["output_rows"] == 6
    for node in operators.values():
        assert 0 < node["longest_step_s"] <= node["cpu_s"], node
    assert "longest ms" in replay(path).stdout


def test_bridged_calls_are_named(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    """What only Spark's own code computes runs only within Spark."""
    found = replay(capture(spark, tmp_path, "select soundex(s) from numbers"))
    assert found.returncode != 0
    assert "Spark's own code computes soundex in this query" in found.stdout + found.stderr


def test_files_may_lie_elsewhere(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    path = capture(spark, tmp_path / "captures", "select sum(id), count(s) from numbers")
    source = Path(numbers.inputFiles()[0].removeprefix("file://")).parent
    shutil.copytree(source, tmp_path / "a copy")
    result = replay(path, "--map", f"{source}={tmp_path / 'a copy'}")
    assert result.returncode == 0, result.stdout + result.stderr


def test_changed_files_are_refused(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    path = capture(spark, tmp_path / "captures", "select sum(id), count(s) from numbers")
    source = Path(numbers.inputFiles()[0].removeprefix("file://")).parent
    copy = tmp_path / "copy"
    shutil.copytree(source, copy)
    changed = next(copy.glob("*.parquet"))
    content = bytearray(changed.read_bytes())
    content[-20] ^= 1
    changed.write_bytes(content)
    result = replay(path, "--map", f"{source}={copy}")
    assert result.returncode == 2
    assert f"{changed} has changed since the capture" in result.stderr
    changed.unlink()
    result = replay(path, "--map", f"{source}={copy}")
    assert result.returncode == 2
    assert "can't be read" in result.stderr
    assert "--map OLD=NEW" in result.stderr


def test_another_answer_is_seen(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    path = capture(spark, tmp_path, "select id from numbers where id < 10")
    content = path.read_bytes()
    assert b"rows=10\n" in content
    path.write_bytes(content.replace(b"rows=10\n", b"rows=11\n"))
    result = replay(path)
    assert result.returncode == 1
    assert "rows: Spark 11, here 10" in result.stdout


def test_damaged_captures_are_refused(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    path = capture(spark, tmp_path, "select id from numbers where id < 10")
    content = path.read_bytes()
    for size in range(0, len(content), 97):
        path.write_bytes(content[:size])
        result = replay(path)
        assert result.returncode == 2
        assert "malformed captured query" in result.stderr


def test_a_small_budget_fails_with_its_name(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    path = capture(spark, tmp_path, "select s, count(*) from numbers group by s")
    result = replay(path, "--memory-limit", "10k")
    assert result.returncode == 2
    assert "budget" in result.stderr


@pytest.mark.parametrize("failure", [("--fail-reservations", "3"), ("--fail-disk", "--memory-limit", "1m")])
def test_what_is_made_to_fail_is_named(spark: SparkSession, tmp_path: Path, failure: tuple[str, ...]) -> None:
    groups = "select id % 30007 k, count(*), max(id) from range(60000) group by 1 order by k limit 1000"
    result = replay(capture(spark, tmp_path, groups), "--threads", "2", *failure)
    assert result.returncode == 0, result.stdout
    assert int(re.search(r"(\d+) failed by name", result.stdout).group(1)) > 0
