"""Shows what must hold of the first native query: one line each, with its figure and PASS or FAIL.

Ends with status 1 when a line fails. The table is also written to build/acceptance.json.
`make acceptance` runs all of it; --only WORD runs the lines that contain a word.
"""

import argparse
import json
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import evidence
from accelerant import tpch
from evidence import Result, TestRun

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

import measurements

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "build" / "acceptance.json"
PRESET = "release"
THREADS = 2
# The JVM compiles what a small question runs for some thirty runs.
SPARK_RUNS = 40
ENGINE_RUNS = 15

# Readings swing by some MiB over hundreds of queries; one leaked batch a query would be many times this.
MAX_BYTES_PER_QUERY = 50_000


@dataclass(frozen=True)
class Line:
    """Something that must hold, and how it is found out."""

    text: str
    find_out: Callable[[], Result]
    tests: tuple[str, ...] = ()


@cache
def spark_times() -> tuple[measurements.Times, measurements.Times]:
    """Measures vanilla Spark and Accelerant once."""
    return measurements.spark_times(tpch.generate(1)["lineitem"], THREADS, SPARK_RUNS)


@cache
def captures(scale: float) -> dict[str, Path]:
    """Captures the questions once at a scale."""
    folder = evidence.RESULTS / f"captures-{scale:g}"
    shutil.rmtree(folder, ignore_errors=True)
    return measurements.capture(tpch.generate(scale)["lineitem"], folder, THREADS)


@cache
def engine_and_duckdb() -> tuple[measurements.Times, measurements.Times]:
    """Measures the engine alone and DuckDB once, one after the other."""
    engine = measurements.engine_times(captures(1), THREADS, ENGINE_RUNS)
    return engine, measurements.duckdb_times(tpch.generate(1)["lineitem"], THREADS, ENGINE_RUNS)


def against_spark(question: str, limit: float) -> Result:
    """Compares the processor time of Spark's processes."""
    plain, accelerated = (times[question]["cpu"] for times in spark_times())
    figure = f"{accelerated:.2f} s against {plain:.2f} s: {accelerated / plain:.2f}, 1/{plain / accelerated:.1f}"
    return Result(figure, accelerated <= plain * limit)


def against_duckdb(question: str, limit: float) -> Result:
    """Compares the processor time of the engine with DuckDB's."""
    engine, duckdb = (times[question]["cpu"] for times in engine_and_duckdb())
    return Result(f"{engine:.3f} s against {duckdb:.3f} s: {engine / duckdb:.2f} times", engine <= duckdb * limit)


def sanitized_replay(preset: str) -> Result:
    """Replays captures of both questions in a build with sanitizers; any report of theirs ends it with an error."""
    paths = [captures(0.1)[question] for question in ("Q1", "Q6")]
    for path in paths:
        run = subprocess.run(
            ["scripts/sanitize", "replay", preset, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if run.returncode != 0:
            log = evidence.RESULTS / f"replay-{preset}-{path.parent.name}.log"
            log.write_text(run.stdout + run.stderr)
            return Result(f"{path.parent.name}: status {run.returncode}, see {log.relative_to(ROOT)}", False)
    return Result(f"{len(paths)} replays with {THREADS} threads, no report", True)


TESTS = TestRun("tests", [], {"ACCELERANT_BUILD": PRESET, "ACCELERANT_SOAK": "full"})
SCALE_1 = TestRun(
    "scale-1",
    ["tests/oracle/test_tpch.py", "-k", "q1-0 or q6-0"],
    {"ACCELERANT_BUILD": PRESET, "ACCELERANT_TPCH_SCALE": "1"},
)


def tested(text: str, *tests: str) -> Line:
    """Returns a line that holds when tests pass."""
    return Line(text, lambda: TESTS.result(*tests), tests)


def bounded(text: str, name: str, limit: float, *tests: str) -> Line:
    """Returns a line that holds when tests pass and a figure of theirs keeps to a limit."""
    return Line(text, lambda: TESTS.largest(name, limit, *tests), tests)


ORACLE = "tests/oracle"
LINES = [
    tested(
        "Q1 and Q6 through PySpark: nothing but our nodes in the plan; equal to vanilla Spark at scale 0.1, ANSI on "
        "and off, 1 and 2 threads, batches of 3 rows",
        f"{ORACLE}/test_tpch.py",
    ),
    Line("the same at scale 1", lambda: SCALE_1.result(f"{ORACLE}/test_tpch.py")),
    Line("replay of Q1 and Q6 under ASan and UBSan is clean", lambda: sanitized_replay("asan")),
    Line("replay of Q1 and Q6 under TSan is clean", lambda: sanitized_replay("tsan")),
    Line("Q1, scale 1, 2 threads: at most 1/5 of vanilla Spark's CPU seconds", lambda: against_spark("Q1", 1 / 5)),
    Line("Q6, scale 1, 2 threads: at most 1/2 of vanilla Spark's CPU seconds", lambda: against_spark("Q6", 1 / 2)),
    Line("Q1, the engine alone: at most 1.5 times DuckDB's CPU seconds", lambda: against_duckdb("Q1", 1.5)),
    Line("Q6, the engine alone: at most 1.5 times DuckDB's CPU seconds", lambda: against_duckdb("Q6", 1.5)),
    tested(
        "Order and splits: filter and projection over five files of unequal size, one with 20 row groups, and limit, "
        "in vanilla Spark's order",
        f"{ORACLE}/test_order.py",
    ),
    tested("Write: both cores, as many files as cores", f"{ORACLE}/test_partitions.py::test_write"),
    tested("mapInPandas: both cores, as many partitions", f"{ORACLE}/test_partitions.py::test_map_in_pandas"),
    tested("rdd: both cores, as many partitions", f"{ORACLE}/test_partitions.py::test_rdd"),
    tested("Cache: both cores, as many partitions", f"{ORACLE}/test_partitions.py::test_cache"),
    tested(
        "toLocalIterator abandoned half-way frees everything",
        f"{ORACLE}/test_engine_memory.py::test_abandoned_local_iterator",
        f"{ORACLE}/test_engine_memory.py::test_slow_local_iterator_goes_on",
    ),
    tested("A second action runs again", f"{ORACLE}/test_partitions.py::test_second_action_runs_again"),
    tested(
        "Two queries at once on 2 threads, one with a stopped consumer: the other finishes",
        f"{ORACLE}/test_two_queries.py::test_a_stopped_consumer",
    ),
    bounded(
        "A cancelled query returns within a second", "seconds", 1.0, f"{ORACLE}/test_two_queries.py::test_cancelling"
    ),
    bounded(
        "200 queries leave memory flat (at most 50 KB a query outside the JVM)",
        "bytes_per_query",
        MAX_BYTES_PER_QUERY,
        "tests/soak/test_flat_memory.py",
    ),
    tested("50 JVM exits in mid-query end with code 0", "tests/soak/test_exits.py"),
    tested(
        "SELECT 1/0 over a table, decimal overflow, guarded division, LIMIT before a bad row: as vanilla Spark, class "
        "and message",
        f"{ORACLE}/test_guarded_errors.py",
        f"{ORACLE}/test_glue_errors.py::test_same_error",
        f"{ORACLE}/test_glue_errors.py::test_constant_error",
        f"{ORACLE}/test_glue_errors.py::test_limit_before_a_bad_row",
    ),
    tested(
        "Truncated file, flipped bytes, a file of another schema: an error naming the file, or Spark's own run with "
        "the reason",
        f"{ORACLE}/test_damaged_files.py",
    ),
    tested(
        "A 5,000-term predicate, a 10,000-element IN and 2,000 columns run or revert",
        f"{ORACLE}/test_glue_explain.py::test_wide_deep_and_long_expressions_run_or_revert",
    ),
    tested(
        "A query over its budget fails naming operator and budget; the session lives on",
        f"{ORACLE}/test_engine_memory.py::test_over_budget",
    ),
    Line("JVM code under 2,500 lines", evidence.jvm_lines),
    Line("A scalar function added in two files, shown in CONTRIBUTING on a real commit", evidence.function_commit),
    Line("After editing one function the rebuild compiles at most 3 files", lambda: evidence.rebuilt_files(PRESET)),
    Line("First build on two cores: at most 15 minutes", lambda: evidence.cold_time("build", 15)),
    Line("make test cold: at most 45 minutes", lambda: evidence.cold_time("test", 45)),
]


def chosen_lines(word: str) -> list[Line]:
    """Returns the lines that contain a word."""
    return [line for line in LINES if word.lower() in line.text.lower()]


def run_tests(lines: list[Line]) -> None:
    """Runs the tests that the lines name, in one process a kind."""
    for folder in (ORACLE, "tests/soak"):
        names = sorted({test for line in lines for test in line.tests if test.startswith(folder)})
        if names:
            run = TestRun(Path(folder).name, names, TESTS.environment)
            run.run()
            TESTS.cases += run.cases
    if any(line.text == "the same at scale 1" for line in lines):
        SCALE_1.run()


def found_out(line: Line) -> Result:
    """Finds out whether a line holds; a measurement that fails is a line that does not hold."""
    print(f"… {line.text}", flush=True)
    try:
        return line.find_out()
    except (Exception, SystemExit) as error:
        return Result(f"{type(error).__name__}: {error}", False)


def show(line: Line, result: Result) -> None:
    """Prints a line with its figure."""
    print(("PASS  " if result.holds else "FAIL  ") + textwrap.fill(line.text, 114, subsequent_indent=" " * 6))
    print(textwrap.fill(result.figure, 120, initial_indent=" " * 8, subsequent_indent=" " * 8, max_lines=4))


def write_table(lines: list[Line], results: list[Result]) -> None:
    """Keeps the table, with the machine and the commit it is of."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    rows = [
        {"line": line.text, "figure": result.figure, "holds": result.holds}
        for line, result in zip(lines, results, strict=True)
    ]
    table = {"commit": commit.stdout.strip(), "machine": measurements.machine(), "lines": rows}
    TABLE.write_text(json.dumps(table, indent=2) + "\n")


def main() -> int:
    """Runs everything; returns 1 when a line does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="only lines that contain a word")
    lines = chosen_lines(parser.parse_args().only)
    evidence.RESULTS.mkdir(parents=True, exist_ok=True)
    run_tests(lines)
    results = [found_out(line) for line in lines]
    print()
    for line, result in zip(lines, results, strict=True):
        show(line, result)
    write_table(lines, results)
    failed = sum(not result.holds for result in results)
    print(f"\n{len(results) - failed} of {len(results)} lines hold")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
