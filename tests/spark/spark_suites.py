"""Runs suites of Spark's own Scala tests of its SQL module with Accelerant, and says which tests fail only so.

Spark's test jars and what they need come from Maven Central (dependencies/spark-suites.txt) and go no further than
build/spark-suites, where ScalaTest's reports stay. Suites with failures run on plain Spark, too. Tests that ask for
what no accelerator keeps, Spark's own operators in a plan say, are listed in suites_known.txt with what they ask for.
Ends with status 1 where another one fails.
"""

import argparse
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from accelerant import artifacts
from accelerant.benchmark.comet import REPOSITORY, download

ROOT = Path(__file__).resolve().parents[2]
PINS = ROOT / "dependencies" / "spark-suites.txt"
KNOWN = Path(__file__).with_name("suites_known.txt")
OUT = ROOT / "build" / "spark-suites"
ENVIRONMENT = ROOT / ".venv-spark-tests"

PACKAGE = "org.apache.spark.sql"
# By their names below PACKAGE; those of parsers, optimizer rules, streaming, Hive and Connect have nothing of ours.
SUITES = [
    *("CachedTableSuite", "ColumnExpressionSuite", "ComplexTypesSuite", "CTEInlineSuiteAEOn"),
    *("DataFrameAggregateSuite", "DataFrameFunctionsSuite", "DataFrameJoinSuite"),
    *("DataFrameNaFunctionsSuite", "DataFramePivotSuite"),
    *("DataFrameSelfJoinSuite", "DataFrameSetOperationsSuite", "DataFrameStatSuite", "DataFrameSubquerySuite"),
    *("DataFrameSuite", "DataFrameTimeWindowingSuite", "DataFrameWindowFramesSuite", "DataFrameWindowFunctionsSuite"),
    *("DatasetAggregatorSuite", "DatasetCacheSuite", "DatasetSuite", "DateFunctionsSuite"),
    *("DynamicPartitionPruningV1SuiteAEOff", "DynamicPartitionPruningV1SuiteAEOn", "ExplainSuite"),
    *("FileBasedDataSourceSuite", "GeneratorFunctionSuite", "JoinSuite", "JsonFunctionsSuite"),
    *("execution.joins.ExistenceJoinSuite", "execution.joins.InnerJoinSuite", "execution.joins.OuterJoinSuite"),
    *("MathFunctionsSuite", "MiscFunctionsSuite", "SQLQuerySuite", "StringFunctionsSuite", "SubquerySuite", "UDFSuite"),
    *("execution.adaptive.AdaptiveQueryExecSuite", "execution.columnar.InMemoryColumnarQuerySuite"),
    *("execution.datasources.parquet.ParquetIOSuite", "execution.datasources.parquet.ParquetV1FilterSuite"),
    *("execution.datasources.parquet.ParquetV1PartitionDiscoverySuite", "sources.InsertSuite"),
    *("execution.datasources.parquet.ParquetV1QuerySuite", "sources.PartitionedWriteSuite"),
    *("sources.BucketedReadWithoutHiveSupportSuite", "sources.BucketedWriteWithoutHiveSupportSuite"),
    *("DataFrameComplexTypeSuite", "DataFrameSessionWindowingSuite", "FileSourceCharVarcharTestSuite"),
    *("FileSourceSQLInsertTestSuite", "LateralColumnAliasSuite", "NestedDataSourceV1Suite"),
    *("collation.CollationAggregationSuite", "collation.CollationSQLFunctionsSuite"),
    *("execution.datasources.FileMetadataStructSuite", "execution.datasources.json.JsonV1Suite"),
    *("execution.datasources.orc.OrcSourceV1Suite", "execution.datasources.orc.OrcV1FilterSuite"),
    *("execution.datasources.parquet.ParquetColumnIndexSuite", "execution.datasources.parquet.ParquetEncodingSuite"),
    *("execution.datasources.parquet.ParquetFieldIdIOSuite", "execution.datasources.parquet.ParquetFileFormatV1Suite"),
    "execution.datasources.parquet.ParquetFileMetadataStructRowIndexSuite",
    *("execution.datasources.parquet.ParquetInteroperabilitySuite", "execution.datasources.parquet.ParquetSchemaSuite"),
    *("execution.datasources.parquet.ParquetRebaseDatetimeV1Suite", "execution.datasources.text.TextV1Suite"),
    *("execution.datasources.parquet.ParquetTypeWideningSuite", "execution.datasources.parquet.ParquetVectorizedSuite"),
]

OPENED = [
    *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"),
    *("java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.misc", "jdk.internal.ref", "sun.nio.ch"),
    *("sun.nio.cs", "sun.security.action", "sun.util.calendar"),
]
SETTINGS = {
    "spark.testing": "1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "java.awt.headless": "true",
}


# Stands for all tests of a suite that did not run.
WHOLE = "(all)"


@dataclass(frozen=True)
class Test:
    """A test by its suite, without the package, and its name."""

    suite: str
    name: str


def pins(text: str) -> Iterator[tuple[str, str]]:
    """Yields the paths and SHA-256s that a list holds, a line each."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    yield from zip(lines[::2], lines[1::2], strict=True)


@cache
def class_path() -> tuple[Path, ...]:
    """Returns the class path of Spark's tests, downloaded when it is not there; files of tests lie in a folder."""
    jars = [
        download(f"{REPOSITORY}/{path}", digest, OUT / "jars" / Path(path).name)
        for path, digest in pins(PINS.read_text())
    ]
    tests = next(jar for jar in jars if jar.name.startswith("spark-sql_"))
    folder = OUT / tests.stem
    if not folder.is_dir():
        partial = folder.with_suffix(".partial")
        with zipfile.ZipFile(tests) as jar:
            jar.extractall(partial)
        partial.rename(folder)
    spark = next(ENVIRONMENT.glob("lib/python3*/site-packages/pyspark/jars"), None)
    if spark is None:
        sys.exit(f"spark_suites.py: {ENVIRONMENT} is missing: run `make spark-suites`, which installs it")
    return (folder, *(jar for jar in jars if jar != tests), spark / "*")


def run(suite: str, is_accelerated: bool, seconds: int) -> dict[Test, str]:
    """Runs a suite in a process of its own; returns what its failed tests say."""
    home = OUT / ("accelerated" if is_accelerated else "plain") / suite
    home.mkdir(parents=True, exist_ok=True)
    paths, settings = class_path(), SETTINGS | {"spark.test.home": home}
    if is_accelerated:
        found = artifacts.find()
        paths = (found.jar(), *paths)
        settings |= {
            "spark.plugins": "io.accelerant.spark.AccelerantPlugin",
            "spark.accelerant.library": found.library(),
        }
    command = ["java", "-Xmx3g", "-Xss4m", *(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED)]
    command += [f"-D{name}={value}" for name, value in settings.items()]
    command += ["-cp", os.pathsep.join(map(str, paths)), "org.scalatest.tools.Runner", "-R", str(class_path()[0])]
    command += ["-s", f"{PACKAGE}.{suite}", "-oW", "-u", str(home)]
    for old in home.glob("TEST-*.xml"):
        old.unlink()
    with (home / "log.txt").open("w") as log:
        environment = os.environ | {"SPARK_TESTING": "1", "SPARK_HOME": str(home)}
        try:
            subprocess.run(command, cwd=home, stdout=log, stderr=log, env=environment, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return {Test(suite, WHOLE): f"does not end in {seconds} s"}
    reports = [ET.parse(report).getroot() for report in home.glob("TEST-*.xml")]
    if not any(report.find("testcase") is not None for report in reports):
        return {Test(suite, WHOLE): f"ran no test: {home / 'log.txt'}"}
    return dict(failed for report in reports for failed in failures(suite, report))


def failures(suite: str, report: ET.Element) -> Iterator[tuple[Test, str]]:
    """Yields the failed tests of a JUnit report, with the first line of what they say."""
    for case in report.iter("testcase"):
        for failure in (*case.iter("failure"), *case.iter("error")):
            message = failure.get("message") or "fails"
            yield Test(suite, case.get("name", "")), message.strip().splitlines()[0] if message.strip() else "fails"


def known(text: str) -> dict[Test, str]:
    """Returns the tests of a list with what they ask for: lines of a reason with a colon, below each `suite / test`."""
    found, reason = {}, ""
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            reason = line.removesuffix(":")
        elif line.startswith("  "):
            suite, _, name = line.strip().partition(" / ")
            found[Test(suite, name)] = reason
    return found


def chosen(words: str) -> list[str]:
    """Returns the suites whose names contain one of some words with commas between; all without words."""
    return [suite for suite in SUITES if not words or any(word in suite for word in words.split(","))]


def differing(suite: str, seconds: int) -> dict[Test, str]:
    """Returns the tests of a suite that fail with Accelerant alone; a suite that does not run is a fault anywhere."""
    started = time.monotonic()
    mine = run(suite, True, seconds)
    theirs = run(suite, False, seconds) if mine else {}
    print(f"{suite}: {len(mine)} fail, {len(theirs)} on plain Spark; {time.monotonic() - started:.0f} s", flush=True)
    return {test: message for test, message in mine.items() if test not in theirs or test.name == WHOLE}


def report(found: dict[Test, str], listed: dict[Test, str]) -> Iterable[str]:
    """Yields a line for each test that is not listed, and one that counts those that are."""
    expected = [test for test in found if test in listed]
    yield f"{len(expected)} tests ask for what no accelerator keeps; {len(found) - len(expected)} others fail"
    for test in sorted(found.keys() - set(expected), key=lambda test: (test.suite, test.name)):
        yield f"{test.suite} / {test.name}: {found[test][:300]}"


def main() -> int:
    """Runs the suites and reports; returns 1 when a test fails that is not listed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORDS", help="suites whose names contain one of some words")
    parser.add_argument("--at-once", type=int, default=2, help="suites that run at the same time")
    parser.add_argument("--seconds", type=int, default=1800, help="after which a suite is ended")
    options = parser.parse_args()
    class_path()
    with ThreadPoolExecutor(options.at_once) as pool:
        parts = pool.map(lambda suite: differing(suite, options.seconds), chosen(options.only))
        found = {test: message for part in parts for test, message in part.items()}
    listed = known(KNOWN.read_text())
    print("\n".join(report(found, listed)))
    return int(any(test not in listed for test in found))


if __name__ == "__main__":
    sys.exit(main())
