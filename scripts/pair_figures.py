"""What the engine alone costs beside the build before the stairwell, in pairs that took turns; CPU seconds count.

ACCELERANT_PREVIOUS names a checkout of that commit, BEFORE, with a release build and the jar.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import evidence
from accelerant.bench import commit
from accelerant.benchmark.pairs import MedianRatio, median_ratio, totals
from accelerant.benchmark.presentation import pairs_of
from accelerant.benchmark.results import read_results
from evidence import Result
from tpch_figures import PRESET, ROOT, THREADS

BEFORE = "0dc0c3b"
VARIABLE = "ACCELERANT_PREVIOUS"
MIN_PAIRS = 7
TOTAL_MEDIAN, TOTAL_HIGH = 1.01, 1.03
# Of a query alone, and of the tiny one.
QUERY_LIMIT = 1.05

Pairs = dict[str, tuple[list[float], list[float]]]


@dataclass(frozen=True)
class Measurement:
    """What is asked of both builds, and in how many pairs: the shorter the queries, the more."""

    workload: str
    scale: float
    pairs: int
    queries: str = ""


TPCH = Measurement("tpch", 10, 15)
CLICKS = Measurement("clicks", 1, 15)
TINY = Measurement("transfers", 1, 31, "tiny")


def previous() -> Path:
    """Returns the build folder of the commit before; ends with what to do where there is none."""
    checkout = Path(os.environ.get(VARIABLE, "nowhere"))
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    folder = checkout / "build" / PRESET
    if not shown.stdout.startswith(BEFORE) or not folder.is_dir():
        sys.exit(f"{VARIABLE} names no checkout of {BEFORE} in which `make build PRESET={PRESET}` ran")
    return folder


@cache
def measured(what: Measurement) -> Pairs:
    """Measures both builds, unless this very commit's figures are there."""
    path = evidence.RESULTS / f"pairs-{what.workload}-{what.scale:g}.json"
    known = json.loads(path.read_text()) if path.is_file() else {}
    if known.get("commit") != commit() or commit().endswith("-dirty"):
        command = [sys.executable, "-m", "accelerant", "bench", what.workload, "--scale", f"{what.scale:g}"]
        command += ["--alone", "--against", "engine,previous", "--previous", str(previous())]
        command += ["--runs", str(what.pairs), "--threads", str(THREADS), "--queries", what.queries]
        environment = os.environ | {"ACCELERANT_BUILD": PRESET, "PYTHONPATH": str(ROOT / "python")}
        subprocess.run([*command, "--json", str(path)], cwd=ROOT, check=True, env=environment)
        known = json.loads(path.read_text())
    return pairs_of(read_results(known))


def judged(what: Measurement, judge: Callable[[Pairs], Result]) -> Callable[[], Result]:
    """Returns what judges a measurement; one of too few pairs shows nothing."""

    def result() -> Result:
        pairs = measured(what)
        return judge(pairs) if enough(pairs) else Result(f"fewer than {MIN_PAIRS} pairs were measured", False)

    return result


def enough(pairs: Pairs) -> bool:
    """Says whether something was measured, in as many pairs as it takes."""
    return bool(pairs) and all(len(base) >= MIN_PAIRS for base, _ in pairs.values())


def total(pairs: Pairs) -> Result:
    """All queries together cost what they cost before."""
    found = median_ratio(*(totals(runs) for runs in zip(*pairs.values(), strict=True)))
    figure = f"{found} of before, {len(pairs)} queries"
    return Result(figure, found.median <= TOTAL_MEDIAN and found.high <= TOTAL_HIGH)


def by_query(pairs: Pairs) -> dict[str, MedianRatio]:
    """Returns the ratios of the queries, the highest first."""
    found = {query: median_ratio(*pair) for query, pair in pairs.items()}
    return dict(sorted(found.items(), key=lambda entry: -entry[1].median))


def each(pairs: Pairs) -> Result:
    """No query's interval lies above what noise explains."""
    found = by_query(pairs)
    slower = [query for query, share in found.items() if share.low > QUERY_LIMIT]
    highest = ", ".join(f"{query} {share}" for query, share in list(found.items())[:3])
    return Result(f"slower: {', '.join(slower) or 'none'}; the highest: {highest}", not slower)


def tiny(pairs: Pairs) -> Result:
    """A query that is nearly nothing but planning costs what it cost before."""
    found = median_ratio(*pairs["tiny"])
    return Result(f"{found} of before", found.high <= QUERY_LIMIT)
