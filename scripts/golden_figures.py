"""Figures of Spark's own SQL tests against what must hold: run once for all lines, in an hour or so."""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import cache

from evidence import Result
from tpch_figures import PRESET, ROOT

NATIVE_STATEMENTS = 8_000
COMPUTING_SHARE = 0.9
# Of VALUES and the like, which the engine leaves alone: nothing is read.
AT_HAND = "not tried: Spark has the rows at hand"

Judge = Callable[[dict[str, list[dict]]], Result]


@cache
def measured() -> dict[str, list[dict]]:
    """Runs all golden files; returns the statements by Spark's version."""
    folder = ROOT / "build" / "spark-tests"
    for old in folder.glob("*/statements.json"):
        old.unlink()
    subprocess.run(["make", "spark-tests"], cwd=ROOT, check=False, env=os.environ | {"PRESET": PRESET})
    return {path.parent.name: json.loads(path.read_text()) for path in sorted(folder.glob("*/statements.json"))}


def passing(statements: dict[str, list[dict]]) -> Result:
    """What plain Spark passes passes; where there are no golden files, nothing differs from plain Spark."""
    figures, bad = [], 0
    for version, found in statements.items():
        passed = [s for s in found if s["plain_passes"]]
        wanted = passed or found
        kinds = Counter(s["difference"] for s in wanted)
        bad += kinds["rows"]
        figures.append(
            f"{version}: {kinds['rows']} of {len(wanted):,} differ, {kinds['order']} in the order of rows alone, "
            f"{kinds['digits']} in last digits of floats; plain Spark fails by a fault of its own in {kinds['broken']}"
        )
    return Result("; ".join(figures) or "nothing ran", bool(figures) and bad == 0)


def native(statements: dict[str, list[dict]]) -> Result:
    """Enough of the statements with golden files run natively from scan to root, each counted once, as users run it."""
    best = Result("nothing ran", False)
    for version, everything in statements.items():
        found = [s for s in everything if s["folding"] == "folding" and s["variant"] == 0]
        if not any(s["plain_passes"] for s in found):
            continue
        ran = [s for s in found if s["ran"] == "native"]
        bridged = sum(bool(s["bridged"]) for s in ran)
        figure = f"{version}: {len(ran):,} of {len(found):,}, {bridged:,} of them with bridged calls"
        best = Result(figure, len(ran) >= NATIVE_STATEMENTS)
    return best


def computing(statements: dict[str, list[dict]]) -> Result:
    """Of the statements with golden files that compute rows most are native throughout, by Spark's code in part."""
    best = Result("nothing ran", False)
    for version, everything in statements.items():
        found = [s for s in everything if s["folding"] == "folding" and s["variant"] == 0 and s["ran"] != "nothing"]
        if not any(s["plain_passes"] for s in found):
            continue
        at_hand = [s for s in found if s["ran"] == "spark" and AT_HAND in s["reasons"]]
        ran = [s for s in found if s["ran"] == "native"]
        bridged = sum(bool(s["bridged"]) for s in ran)
        share = len(ran) / max(len(found) - len(at_hand), 1)
        figure = (
            f"{version}: {share:.1%} of {len(found) - len(at_hand):,}: {len(ran) - bridged:,} native, {bridged:,} with "
            f"bridged calls; beside {len(at_hand):,} whose rows are at hand; build/spark-tests/report.txt has reasons"
        )
        best = Result(figure, share >= COMPUTING_SHARE)
    return best


def examples() -> Result:
    """The examples of PySpark's documentation print what they print on plain Spark."""
    command = ["make", "--no-print-directory", "spark-examples"]
    done = subprocess.run(
        command, cwd=ROOT, check=False, env=os.environ | {"PRESET": PRESET}, capture_output=True, text=True
    )
    lines = [line for line in done.stdout.splitlines() if " differ that must not" in line]
    return Result("; ".join(lines) or "nothing ran", bool(lines) and done.returncode == 0)


def golden(judge: Judge) -> Callable[[], Result]:
    """Returns what judges the golden files."""
    return lambda: judge(measured())
