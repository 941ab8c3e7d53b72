"""What can show that something holds: results of named tests, counts that the build and the repository give."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import check_layout

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "acceptance"
COLD_RECORD = ROOT / "benchmarks" / "results" / "cold.json"

FUNCTION_COMMIT = re.compile(r"\b[0-9a-f]{7,40}\b")
COMPILES = re.compile(r"\] Building CXX object (?!.*cmake_pch)")


@dataclass(frozen=True)
class Result:
    """A measured figure, and whether it is what it must be."""

    figure: str
    holds: bool


class TestRun:
    """The outcome of one pytest process."""

    __test__ = False  # not a class of tests

    def __init__(self, name: str, arguments: list[str], environment: dict[str, str]) -> None:
        self.report = RESULTS / f"{name}.xml"
        self.command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={self.report}", *arguments]
        self.environment = environment
        self.cases: list[ET.Element] = []

    def run(self) -> None:
        """Runs the tests, with their output shown."""
        self.report.parent.mkdir(parents=True, exist_ok=True)
        self.report.unlink(missing_ok=True)
        subprocess.run(self.command, cwd=ROOT, check=False, env=os.environ | self.environment)
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


def passed(case: ET.Element) -> bool:
    """Says whether a test ran and passed."""
    return all(case.find(tag) is None for tag in ("failure", "error", "skipped"))


def properties(case: ET.Element, name: str) -> list[str]:
    """Returns what a test recorded under a name."""
    return [item.get("value", "") for item in case.iter("property") if item.get("name") == name]


def jvm_lines() -> Result:
    """Counts the code of the JVM side."""
    lines = check_layout.count_jvm_lines(check_layout.committed_files())
    return Result(f"{lines} lines", lines < check_layout.MAX_JVM_LINES)


def function_commit() -> Result:
    """Looks for the commit that CONTRIBUTING shows, and which files it touched beside documents."""
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## A scalar function")[2].partition("\n## ")[0]
    found = FUNCTION_COMMIT.search(section)
    if not found:
        return Result("CONTRIBUTING.md shows no commit", False)
    shown = subprocess.run(
        ["git", "show", "--format=", "--name-only", found.group(0)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    files = [path for path in shown.stdout.splitlines() if path and not path.endswith((".md", "_test.cpp"))]
    holds = len(files) == 2 and all(path.startswith("engine/functions/") for path in files)
    return Result(f"commit {found.group(0)[:10]}: {', '.join(files) or 'unknown'}", holds)


def rebuilt_files(preset: str) -> Result:
    """Counts what the build would compile after an edit of each function; the worst one counts."""
    headers = sorted(function_headers())
    counts = {path: compiles_after_edit(path, preset) for path in headers}
    worst = max(counts, key=lambda path: counts[path])
    figure = f"at most {counts[worst]} files ({worst.stem}), of {len(headers)} functions"
    return Result(figure, min(counts.values()) > 0 and counts[worst] <= 3)


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


def cold_time(name: str, limit_minutes: float) -> Result:
    """Returns the time that scripts/cold_build.py recorded last."""
    if not COLD_RECORD.is_file():
        return Result("not recorded: run scripts/cold_build.py", False)
    record = json.loads(COLD_RECORD.read_text())
    minutes = record["minutes"][name]
    figure = f"{minutes:.1f} min, {record['date']}, commit {record['commit'][:10]}, {record['machine']['cores']} cores"
    return Result(figure, minutes <= limit_minutes)
