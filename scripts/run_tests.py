"""Runs every test and ends with a plain line `N passed, N failed`.

Suites: the checks of scripts/lint on what changed, the engine's unit tests, pytest over tests/ and python/tests, one
pytest pass on the lowest tested Spark, and the kernels of all of them compiled for one GPU. Of the cases of a test
pytest runs one in four, and on the lowest Spark every second test marked `spark41` with one case in six, drawn anew
for each commit; --all runs them all. A suite that crashes, finds no test, or leaves a test file out counts as failed.
pytest runs one file of tests more side by side than there are cores, WORKERS at most: each worker has a JVM of its own,
whose start costs what it saves at a few tests.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import compile_kernels

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "test-results"
# A JVM answers faults that a sanitizer would report: the tests that start one are skipped.
SANITIZED = ("asan", "tsan")
KERNELS = ROOT / "build" / "kernels"
JAR = ROOT / "build" / "jvm" / "accelerant-spark.jar"
PYTEST_FOLDERS = ["tests", "python/tests"]
NO_TESTS_COLLECTED = 5
# A worker needs 4 GB.
WORKERS = 4
# After so many seconds a test hangs, and fails, with it perhaps those that come after it in its worker.
HANGS_AFTER = 1200
SAMPLE = {"ACCELERANT_SAMPLED_CASES": "4"}
# The engine is the same under an older Spark, and so is most of what surrounds it.
SAMPLE_OF_OLDER_SPARK = {"ACCELERANT_SAMPLED_CASES": "6", "ACCELERANT_SAMPLED_TESTS": "2"}


@dataclass
class Outcome:
    """What one suite came to."""

    suite: str
    passed: int = 0
    failures: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """The tests that failed, and what is wrong with the suite itself."""
        return len(self.failures) + len(self.problems)


def settle(outcome: Outcome, status: int) -> Outcome:
    """Adds a failure where a suite ended badly without naming a failed test, or ran nothing."""
    if status != 0 and outcome.failed == 0:
        outcome.problems.append(f"ended with status {status}")
    if outcome.passed + outcome.failed == 0:
        outcome.problems.append("ran no test")
    return outcome


def run(command: list[str], environment: dict[str, str]) -> int:
    """Runs a suite's command with its output shown and returns its status."""
    return subprocess.run(command, cwd=ROOT, check=False, env=os.environ | environment).returncode


def jvm_library() -> Path:
    """Returns libjvm.so of the JDK that the engine's headers are of: JAVA_HOME's, else that of javac."""
    javac = shutil.which("javac")
    home = os.environ.get("JAVA_HOME") or (Path(javac).resolve().parent.parent if javac else "/")
    return Path(home) / "lib" / "server" / "libjvm.so"


def engine_suite(preset: str) -> Outcome:
    """Runs the unit tests beside the engine's sources, dealt to a process for each core."""
    outcome = Outcome("engine_tests")
    binary = ROOT / "build" / preset / "engine_tests"
    if not binary.exists():
        outcome.problems.append(f"{binary.relative_to(ROOT)} was not built")
        return settle(outcome, 0)
    nvrtc = sorted((ROOT / ".venv" / "lib").glob("python3*/site-packages/nvidia/*/lib/libnvrtc.so.*"))
    environment = {"ACCELERANT_KERNELS": str(KERNELS)} | ({"ACCELERANT_NVRTC": str(nvrtc[0])} if nvrtc else {})
    if preset not in SANITIZED:
        environment |= {"ACCELERANT_LIBJVM": str(jvm_library()), "ACCELERANT_JAR": str(JAR)}
    num_shards = min(os.cpu_count() or 1, WORKERS)
    with ThreadPoolExecutor(num_shards) as pool:
        shards = pool.map(lambda index: run_shard(binary, environment, index, num_shards), range(num_shards))
        statuses, reports = zip(*shards, strict=True)
    cases = [case for report in reports for case in report]
    for case in cases:
        name = f"{case['classname']}.{case['name']}"
        if case.get("failures"):
            outcome.failures.append(name)
        elif case["result"] == "SKIPPED":
            outcome.skipped.append(name)
        else:
            outcome.passed += 1
    status = next((status for status in statuses if status != 0), 0)
    ran = {(binary.parent / case["file"]).resolve() for case in cases}
    written = [path for path in sorted((ROOT / "engine").rglob("*_test.cpp")) if "\nTEST" in path.read_text()]
    lost = [path for path in written if path.resolve() not in ran]
    if status == 0:
        outcome.problems += [f"{path.relative_to(ROOT)} ran no test" for path in lost]
    return settle(outcome, status)


def run_shard(binary: Path, environment: dict[str, str], index: int, num_shards: int) -> tuple[int, list[dict]]:
    """Runs every num_shards-th unit test, from index on; returns the process's status and the cases it reports."""
    report = RESULTS / f"engine-{index}.json"
    dealt = {"GTEST_TOTAL_SHARDS": str(num_shards), "GTEST_SHARD_INDEX": str(index)}
    status = run([str(binary), "--gtest_brief=1", f"--gtest_output=json:{report}"], environment | dealt)
    return status, engine_cases(report)


def engine_cases(report: Path) -> list[dict]:
    """Reads GoogleTest's report; empty when the tests crashed before they could write it."""
    if not report.exists():
        return []
    suites = json.loads(report.read_text())["testsuites"]
    return [case for suite in suites for case in suite["testsuite"]]


def pytest_suite(name: str, python: str, arguments: list[str], environment: dict[str, str]) -> Outcome:
    """Runs pytest and reads its report."""
    outcome = Outcome(name)
    report = RESULTS / f"{name}.xml"
    interpreter = ROOT / python / "bin" / "python"
    # In the order in which they stand: the longest one is among the first, and has few tests. One worker more than
    # there are cores, as each waits now and then: for its JVM, for a file, for a time that a test is about.
    num_workers = min((os.cpu_count() or 1) + 1, WORKERS)
    workers = ["-n", str(num_workers), "--dist", "loadfile", "--no-loadscope-reorder"]
    hangs = [f"--timeout={HANGS_AFTER}", "--timeout-method=signal"]
    command = [str(interpreter), "-m", "pytest", "-q", *workers, *hangs, f"--junitxml={report}", *arguments]
    status = run(command, environment)
    if report.exists():
        count_cases(outcome, ET.parse(report).getroot())
    if status == NO_TESTS_COLLECTED:
        status = 0
    return settle(outcome, status)


def count_cases(outcome: Outcome, root: ET.Element) -> None:
    """Counts the test cases of a JUnit report."""
    for case in root.iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.failures.append(name)
        elif skipped is not None:
            reason = (skipped.get("message") or "no reason given").splitlines()[0]
            outcome.skipped.append(f"{name}: {reason}")
        else:
            outcome.passed += 1


def lint_suite(preset: str) -> Outcome:
    """Runs the checks of scripts/lint, the slow ones on what changed, as one test."""
    status = run(["scripts/lint", "--changed"], {"ACCELERANT_BUILD": preset})
    return settle(Outcome("lint", passed=int(status == 0)), status)


def kernel_suite(preset: str) -> Outcome:
    """Compiles for one GPU all kernels, those of the pipelines of the tests before included, as one test."""
    outcome = Outcome("kernels for sm_90")
    status = run(["scripts/setup", "gpu"], {})
    if status == 0:
        outcome.problems = compile_kernels.problems(["sm_90"], preset)
        outcome.passed = int(not outcome.problems)
    return settle(outcome, status)


def files_marked(marker: str) -> list[str]:
    """Returns the test files that use a marker: that Spark's environment cannot import what the others need."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in files if f"mark.{marker}" in path.read_text()] or ["tests/oracle"]


def draw() -> dict[str, str]:
    """Returns what the sample of a commit is drawn by; outside git it is always the same."""
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=False, capture_output=True, text=True)
    return {"ACCELERANT_SAMPLE_DRAW": found.stdout.strip()}


def outcomes(preset: str, sampled: bool) -> list[Outcome]:
    """Runs all suites."""
    environment = {"ACCELERANT_BUILD": preset, "ACCELERANT_KERNELS": str(KERNELS)}
    newest, older = (SAMPLE | draw(), SAMPLE_OF_OLDER_SPARK | draw()) if sampled else ({}, {})
    folders = [folder for folder in PYTEST_FOLDERS if (ROOT / folder).is_dir()]
    marked = ["-m", "spark41", *files_marked("spark41")]
    return [
        lint_suite(preset),
        engine_suite(preset),
        pytest_suite("pytest", ".venv", folders, environment | newest),
        pytest_suite("pytest-spark41", ".venv-spark41", marked, environment | older),
        kernel_suite(preset),
    ]


def report(results: list[Outcome]) -> str:
    """Prints each suite's outcome, what failed last, and returns the last line."""
    print()
    for outcome in results:
        print(f"{outcome.suite}: {outcome.passed} passed, {outcome.failed} failed, {len(outcome.skipped)} skipped")
        for line in outcome.skipped:
            print(f"  skipped: {line}")
    for outcome in results:
        for line in outcome.failures + outcome.problems:
            print(f"{outcome.suite}: failed: {line}")
    passed = sum(outcome.passed for outcome in results)
    failed = sum(outcome.failed for outcome in results)
    return f"{passed} passed, {failed} failed"


def main() -> int:
    """Runs everything; returns 1 when a test failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="dev", help="the build whose engine is tested")
    parser.add_argument("--all", action="store_true", help="run every case of every test")
    options = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(KERNELS, ignore_errors=True)
    for old in RESULTS.iterdir():
        old.unlink()
    results = outcomes(options.preset, sampled=not options.all)
    line = report(results)
    (RESULTS / "summary.txt").write_text(line + "\n")
    print(line)
    return 1 if any(outcome.failed for outcome in results) else 0


if __name__ == "__main__":
    sys.exit(main())
