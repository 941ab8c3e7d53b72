"""What can show that something holds: results of named tests, counts that the build and the repository give."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import check_layout
from accelerant import bench
from changed_sources import git

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "acceptance"
COLD_RECORD = ROOT / "benchmarks" / "results" / "cold.json"

# Before `make demo` left out what it does not need.
DEMO_BASELINE = "faf6e8a"

COMMIT = re.compile(r"`git show ([0-9a-f]{7,40})`")
COMPILES = re.compile(r"\] Building CXX object (?!.*cmake_pch)")


@dataclass(frozen=True)
class Result:
    """A measured figure, and whether it is what it must be."""

    figure: str
    holds: bool


class TestRun:
    """The outcome of one pytest process."""

    __test__ = False  # not a class of tests

    def __init__(
        self, name: str, environment: dict[str, str], arguments: Sequence[str] = (), python: str = ".venv"
    ) -> None:
        self.report = RESULTS / f"{name}.xml"
        interpreter = ROOT / python / "bin" / "python"
        self.command = [str(interpreter), "-m", "pytest", "-q", f"--junitxml={self.report}", *arguments]
        self.environment = environment
        self.cases: list[ET.Element] = []

    def run(self, tests: list[str]) -> None:
        """Runs tests, with their output shown."""
        self.report.parent.mkdir(parents=True, exist_ok=True)
        self.report.unlink(missing_ok=True)
        subprocess.run([*self.command, *tests], cwd=ROOT, check=False, env=os.environ | self.environment)
        if self.report.is_file():
            self.cases = list(ET.parse(self.report).getroot().iter("testcase"))

    def selected(self, selector: str) -> list[ET.Element]:
        """Returns the cases of a test file, or with `file::test` of one test with all its parameters."""
        path, _, test = selector.partition("::")
        module = path.removesuffix(".py").replace("/", ".")
        chosen = [case for case in self.cases if case.get("classname") == module]
        return [case for case in chosen if not test or case.get("name", "").partition("[")[0] == test]

    def result(self, *selectors: str) -> Result:
        """Returns what the tests found: they must all have run and passed."""
        cases = [case for selector in selectors for case in self.selected(selector)]
        missing = [selector for selector in selectors if not self.selected(selector)]
        bad = [case.get("name", "") for case in cases if not passed(case)]
        if missing or bad:
            return Result(
                "; ".join([f"{name} did not pass" for name in bad] + [f"{name} did not run" for name in missing]), False
            )
        figures = list(dict.fromkeys(figure for case in cases for figure in properties(case, "figure")))
        words = f"{len(cases)} test{'s' if len(cases) > 1 else ''} passed"
        return Result("; ".join([words, *figures[-2:]]), True)

    def largest(self, name: str, limit: float, *selectors: str) -> Result:
        """Returns the tests' result, which holds only when no figure `name` that they recorded exceeds the limit."""
        found = self.result(*selectors)
        values = [
            float(value)
            for selector in selectors
            for case in self.selected(selector)
            for value in properties(case, name)
        ]
        return Result(found.figure, found.holds and bool(values) and max(values) <= limit)


class ConcurrentRuns(TestRun):
    """The outcome of the same tests in several pytest processes at once, each with an environment of its own."""

    def __init__(self, runs: Sequence[TestRun]) -> None:
        self.runs = runs
        self.cases = []

    def run(self, tests: list[str]) -> None:
        """Runs tests in each process, with their output shown."""
        with ThreadPoolExecutor(len(self.runs)) as pool:
            list(pool.map(lambda run: run.run(tests), self.runs))
        self.cases = [case for run in self.runs for case in run.cases]


def passed(case: ET.Element) -> bool:
    """Says whether a test ran and passed."""
    return all(case.find(tag) is None for tag in ("failure", "error", "skipped"))


def properties(case: ET.Element, name: str) -> list[str]:
    """Returns what a test recorded under a name."""
    return [item.get("value", "") for item in case.iter("property") if item.get("name") == name]


@cache
def measured(program: str) -> dict:
    """Returns the figures of a program of `benchmarks/` with the release build."""
    report = (RESULTS / program).with_suffix(".json")
    command = [ROOT / ".venv" / "bin" / "python", ROOT / "benchmarks" / program, "--json", report]
    subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {"ACCELERANT_BUILD": "release"})
    return json.loads(report.read_text())


@cache
def resumed(name: str, entries: str, program: str, *options: str) -> dict:
    """Runs a program of `benchmarks/` that takes hours with the release build, and returns what it recorded.

    One that was cut off goes on where it stood, if the commit of its `entries` is the same and nothing was changed.
    """
    report = RESULTS / f"{name}.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    now = bench.commit()
    before = {entry["commit"] for entry in json.loads(report.read_text())[entries]} if report.is_file() else set()
    if before != {now} or now.endswith("-dirty"):
        report.unlink(missing_ok=True)
    command = [ROOT / ".venv" / "bin" / "python", ROOT / "benchmarks" / program, "--json", report, "--resume", *options]
    subprocess.run(command, cwd=ROOT, check=False, env=os.environ | {"ACCELERANT_BUILD": "release"})
    return json.loads(report.read_text())


def bridged_calls() -> Result:
    """Says what bridged calls cost beside Spark's own code."""
    limits = {"of two numbers": 60, "of strings": 200, "that gives strings": 200}
    found = {name: cost["difference"] for name, cost in measured("crossing_cost.py")["ns"].items()}
    figure = "; ".join(f"a call {name} {found[name]:+.0f} ns (at most {limit})" for name, limit in limits.items())
    return Result(figure, all(found[name] <= limit for name, limit in limits.items()))


def rows_into_engine() -> Result:
    """Says how many rows flow from Spark's operators into the engine."""
    nanos = measured("crossing_cost.py")["row_in_ns"]
    # It may take less than plain Spark does to drop them.
    words = f"{1e3 / nanos:.1f} M a second and core" if nanos > 0 else f"no CPU beyond plain Spark's ({nanos:.0f} ns)"
    return Result(words, nanos <= 1e3 / 5)


def queries_over_caches() -> Result:
    """Says what queries over a cached relation take beside plain Spark."""
    seconds = {name: cpu for name, cpu in measured("cached_relations.py")["cpu_s"].items() if name != "filling"}
    ratios = {name: cpu["native"] / cpu["plain"] for name, cpu in seconds.items()}
    whole = sum(cpu["native"] for cpu in seconds.values()) / sum(cpu["plain"] for cpu in seconds.values())
    worst = max(ratios, key=lambda name: ratios[name])
    return Result(
        f"{whole:.2f} of plain Spark's CPU, at most {ratios[worst]:.2f} ({worst})", ratios[worst] <= 1 and whole <= 0.5
    )


def filling_a_cache() -> Result:
    """Says what it takes to fill a cache beside plain Spark."""
    cpu = measured("cached_relations.py")["cpu_s"]["filling"]
    ratio = cpu["native"] / cpu["plain"]
    return Result(f"{ratio:.2f} of plain Spark's CPU", ratio <= 1)


def functions_of_python() -> Result:
    """Says what functions of Python over batches take beside plain Spark."""
    cpu = measured("python_and_folders.py")["cpu_s"]
    ratios = {name: cpu[name]["native"] / cpu[name]["plain"] for name in ("mapInArrow", "a scalar pandas UDF")}
    figure = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
    return Result(f"{figure} of plain Spark's CPU", max(ratios.values()) < 1)


def queries_at_once() -> Result:
    """Says what becomes of queries that are asked at once with little memory."""
    report = measured("several_at_once.py")
    found = report["queries"]
    native = sum(outcome["native"] for outcome in found.values())
    equal = sum(outcome["equal"] for outcome in found.values())
    longest = max(outcome["seconds"] for outcome in found.values())
    figure = f"{len(found)} of {report['asked']} end, {equal} equal, {native} native, in {longest:.0f} s"
    return Result(figure, len(found) == equal == native == report["asked"])


def under_limit() -> Result:
    """Says what becomes of workloads whose process may hold little in all."""
    report = RESULTS / "under_limit.json"
    report.unlink(missing_ok=True)
    command = [ROOT / ".venv" / "bin" / "python", ROOT / "benchmarks" / "under_limit.py", "--json", report]
    subprocess.run(command, cwd=ROOT, check=False, env=os.environ | {"ACCELERANT_BUILD": "release"})
    found = json.loads(report.read_text())
    right = sum(outcome["equal"] and not outcome["not_native"] for outcome in found["queries"].values())
    share = found["peak"] / found["limit"]
    figure = f"{right} of {found['asked']} equal and native, the most {share:.2f} of {found['limit'] / 2**30:g} GiB"
    doubts = [] if found["in_control_group"] else ["no control group could be made"]
    return Result("; ".join([figure, *doubts, *found["errors"]]), right == found["asked"] and share <= 1.05)


def faults(kind: str) -> Result:
    """Says what becomes of queries in which something is made to fail."""
    report = RESULTS / f"faults-{kind}.json"
    report.unlink(missing_ok=True)
    command = [ROOT / ".venv" / "bin" / "python", ROOT / "scripts" / "fault_figures.py", "--of", kind, "--json", report]
    subprocess.run(command, cwd=ROOT, check=False, env=os.environ | {"ACCELERANT_BUILD": "release"})
    found = json.loads(report.read_text())[kind]
    return Result(found["figure"], not found["findings"])


def jvm_lines() -> Result:
    """Counts the code of the JVM side."""
    lines = check_layout.count_jvm_lines(check_layout.committed_files())
    return Result(f"{lines} lines", lines < check_layout.MAX_JVM_LINES)


def cheap_lint() -> Result:
    """Runs the checks that take seconds."""
    shown = subprocess.run(["scripts/lint", "--cheap"], cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line for line in (shown.stdout + shown.stderr).splitlines() if line.startswith(("layout:", "lint:"))]
    return Result("; ".join(lines), shown.returncode == 0)


def shown_commits(heading: str) -> dict[str, list[str]]:
    """Returns what commits that a section of CONTRIBUTING shows touched beside documents and tests."""
    section = (ROOT / "CONTRIBUTING.md").read_text().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    commits = {}
    for commit in COMMIT.findall(section):
        command = ["git", "show", "--format=", "--name-only", commit]
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
        files = [path for path in shown if path and not path.startswith("tests/")]
        commits[commit] = [path for path in files if not path.endswith((".md", "_test.cpp"))]
    return commits


def named(commits: dict[str, list[str]]) -> str:
    """Says which files commits touched."""
    shown = [f"commit {commit[:10]}: {', '.join(files)}" for commit, files in commits.items()]
    return "; ".join(shown) or "CONTRIBUTING.md shows none"


def are_two(commits: dict[str, list[str]], count: int) -> bool:
    """Tells whether commits are as many as they should be, and touched two files of functions each."""
    files = list(commits.values())
    return len(files) == count and all(
        len(each) == 2 and all(path.startswith("engine/functions/") for path in each) for each in files
    )


def function_commit() -> Result:
    """Counts the files of the commit that shows how a function is added."""
    commits = shown_commits("A scalar function")
    return Result(named(commits), are_two(commits, 1))


def aggregate_commits() -> Result:
    """Counts the files of the commits that show how an aggregate is added."""
    commits = shown_commits("An aggregate function")
    return Result(named(commits), are_two(commits, 3))


def operator_commit() -> Result:
    """Counts the files of the commit that shows how an operator is added."""
    commits = shown_commits("An operator")
    files = [path for each in commits.values() for path in each]
    holds = len(commits) == 1 and 0 < len(files) <= 6 and all(path.startswith("engine/") for path in files)
    return Result(named(commits), holds)


def rebuilt_files(preset: str) -> Result:
    """Counts what the build would compile after an edit of each function; the worst one counts."""
    headers = sorted(function_headers())
    counts = {path: compiles_after_edit(path, preset) for path in headers}
    worst = max(counts, key=lambda path: counts[path])
    figure = f"at most {counts[worst]} files ({worst.stem}), of {len(headers)} functions"
    return Result(figure, min(counts.values()) > 0 and counts[worst] <= 3)


def kernel_tests(program: str, preset: str) -> Result:
    """Runs the tests of kernels and of pipelines made into kernels in a sanitizer's build."""
    command = ["make", "--no-print-directory", "native", f"PRESET={preset}", f"TARGETS={program}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return engine_tests(program, preset)


def engine_tests(program: str, preset: str, *filters: str) -> Result:
    """Runs tests beside the engine's sources: all of a program, or those that filters name."""
    binary = str(ROOT / "build" / preset / program)
    command = [binary, "--gtest_brief=1", f"--gtest_filter={':'.join(filters) or '*'}"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    told = shown.stdout + shown.stderr
    counted = re.findall(r"\[  PASSED  \] (\d+) tests?", told)
    reports = told.count("Sanitizer: ") + told.count("runtime error:")
    num_passed = int(counted[-1]) if counted else 0
    holds = shown.returncode == 0 and num_passed >= max(len(filters), 1) and not reports
    return Result(f"{num_passed} tests passed, {reports} reports of sanitizers", holds)


def fuzzed(seconds: int, *names: str) -> Result:
    """Runs fuzzers under ASan and UBSan, each for so long."""
    command = ["make", "--no-print-directory", "fuzz", f"SECONDS={seconds}", f"FUZZERS={' '.join(names)}"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    runs = re.findall(r"stat::number_of_executed_units: (\d+)", shown.stdout + shown.stderr)
    figure = f"{sum(map(int, runs)):,} inputs of {len(runs)} fuzzers"
    return Result(figure, shown.returncode == 0 and len(runs) == len(names))


def sanitized(preset: str) -> Result:
    """Runs all tests beside the engine's sources in a sanitizer's build."""
    command = ["make", "--no-print-directory", "native", f"PRESET={preset}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return engine_tests("engine_tests", preset)


def compiled_kernels() -> Result:
    """Compiles every kernel of the device layer for all GPUs."""
    shown = subprocess.run(["make", "gpu"], cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line for line in shown.stdout.splitlines() if line.strip()]
    figures = [line for line in lines if "of pipelines" in line or line.startswith("budget")]
    return Result("; ".join(figures), shown.returncode == 0)


def function_headers() -> list[Path]:
    """Returns the headers that engine/functions/<category>/list.h declare."""
    lists = (ROOT / "engine" / "functions").glob("*/list.h")
    return [path.parent / f"{name}.h" for path in lists for name in re.findall(r"\bF\((\w+),", path.read_text())]


def compiles_after_edit(header: Path, preset: str) -> int:
    """Asks ninja, without building, what it would compile if the header were newer.

    A copy of its file, as ninja would first make the original anew and stop there.
    """
    before = header.stat()
    folder = ROOT / "build" / preset
    shutil.copy(folder / "build.ninja", folder / "question.ninja")
    command = ["flock", f"build/{preset}.lock", "ninja", "-n", "-C", str(folder), "-f", "question.ninja"]
    os.utime(header)
    try:
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    finally:
        os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
    return len(COMPILES.findall(shown))


def slowest_unit(preset: str, limit_seconds: float) -> Result:
    """Compiles a build from nothing, and looks at the slowest file and at the library."""
    folder = ROOT / "build" / "units"
    shutil.rmtree(folder, ignore_errors=True)
    environment = os.environ | {"CCACHE_DISABLE": "1"}
    start = time.monotonic()
    for command in (
        ["cmake", "--preset", preset, "-B", str(folder)],
        ["ninja", "-C", str(folder)],
        ["strip", str(folder / "libaccelerant.so")],
    ):
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=environment)
    minutes = (time.monotonic() - start) / 60
    rows = [line.split("\t") for line in (folder / ".ninja_log").read_text().splitlines()[1:]]
    milliseconds, slowest = max((int(end) - int(begin), Path(output).name) for begin, end, _, output, *_ in rows)
    size = (folder / "libaccelerant.so").stat().st_size
    shutil.rmtree(folder)
    figure = f"{milliseconds / 1000:.0f} s ({slowest}); {minutes:.1f} min in all; library {size / 1e6:.1f} MB, stripped"
    return Result(figure, milliseconds <= 1000 * limit_seconds)


def shown_age(commit: str) -> str:
    """Names a commit for people, and says how many commits came since then."""
    count = git("rev-list", "--count", f"{commit}..HEAD")
    return f"commit {commit[:10]}, " + (f"{count[0]} commits back" if count else "which git does not have")


def cold_time(name: str, limit_minutes: float) -> Result:
    """Returns the time that scripts/cold_build.py recorded last, of whatever commit."""
    if not COLD_RECORD.is_file():
        return Result("not recorded: run scripts/cold_build.py", False)
    record = json.loads(COLD_RECORD.read_text())
    minutes = record["minutes"][name]
    figure = f"{minutes:.1f} min, {record['date']}, {shown_age(record['commit'])}, {record['machine']['cores']} cores"
    return Result(figure, minutes <= limit_minutes)


def every_case(preset: str) -> Result:
    """Returns what all suites of `make test` come to without a sample."""
    command = [sys.executable, "scripts/run_tests.py", "--preset", preset, "--all"]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    summary = ROOT / "build" / "test-results" / "summary.txt"
    return Result(summary.read_text().strip() if summary.is_file() else "no summary", status == 0)


def cold_demo(limit: float) -> Result:
    """Returns what `make demo` takes from nothing, as a share of the CPU seconds that it took at DEMO_BASELINE."""
    record = json.loads(COLD_RECORD.read_text()) if COLD_RECORD.is_file() else {}
    entries = record.get("demo", [])
    before = [entry for entry in entries if entry["commit"].startswith(DEMO_BASELINE)]
    after = [entry for entry in entries if entry not in before]
    if not before or not after:
        commands = f"scripts/cold_build.py --demo --commit {DEMO_BASELINE}, and scripts/cold_build.py --demo"
        return Result(f"not recorded: run {commands}", False)
    share = after[-1]["cpu_s"] / before[-1]["cpu_s"]
    minutes = f"{after[-1]['minutes']:.1f} of {before[-1]['minutes']:.1f} min"
    return Result(f"{share:.0%} of the CPU seconds, {minutes}, {shown_age(after[-1]['commit'])}", share <= limit)
