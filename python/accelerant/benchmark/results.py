"""The figures of a benchmark: one for each query and engine, with answers compared to Spark's."""

import re
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from operator import eq

from accelerant.benchmark.costs import counted, hot, median_wall_s
from accelerant.benchmark.task import Report
from accelerant.explain import REPORT

# Engines give averages and quotients of decimals different scales, or make them floats.
ROUNDING = Decimal("1e-6")

HEADLINE = re.compile(r"^(\d+) of (\d+) operators", re.MULTILINE)

# The engine alone, as it is, as another build has it, and on one thread: what captured queries can be replayed on.
REPLAYS = ("engine", "previous", "one-thread")

Rows = list[list[str | None]]


@dataclass(frozen=True)
class Result:
    """What a query cost on an engine, the least of its hot runs, and whether the answer was Spark's.

    `equal` is None where there is nothing to compare with, `native` where the engine has no plan of ours. `cpu_runs_s`
    has each hot run: of replays that took turns, those of the same place are pairs.
    """

    query: str
    engine: str
    wall_s: float
    cpu_s: float
    peak_rss: int
    rows: int
    equal: bool | None
    native: bool | None
    reason: str
    wall_median_s: float = 0
    cpu_runs_s: list[float] = field(default_factory=list)


def read_results(content: dict) -> list[Result]:
    """Returns the results of a file of figures, as JSON holds them."""
    return [Result(**entry) for entry in content["results"]]


def why_not_native(explanation: str) -> str | None:
    """Returns why a query did not run natively as a whole, by Spark's explanation; None when it did."""
    found = REPORT.search(explanation)
    if not found:
        return "explain() says nothing of Accelerant"
    text = found.group(1).rstrip()
    reasons = [line.removeprefix("! ") for line in text.splitlines() if line.startswith("!")]
    counts = HEADLINE.findall(text)
    if reasons or not counts or any(count != total for count, total in counts):
        return "; ".join(dict.fromkeys(reasons)) or text or "Accelerant is switched off"
    return None


def equal_answers(found: Rows, expected: Rows, exact: bool) -> bool:
    """Compares answers row by row, numbers within ROUNDING unless exactly; rows that tie may come in any order."""
    if exact or found == expected:
        return found == expected or differ_in_ties(found, expected)
    shapes = [len(row) for row in found] == [len(row) for row in expected]
    pairs = (pair for rows in zip(found, expected, strict=False) for pair in zip(*rows, strict=False))
    return shapes and all(equal_values(*pair) for pair in pairs)


def differ_in_ties(found: Rows, expected: Rows) -> bool:
    """Says whether answers have the same rows in another order, but at each place a value of the same key."""
    same_rows = Counter(map(tuple, found)) == Counter(map(tuple, expected))
    pairs = zip(found, expected, strict=False)
    return same_rows and all(any(map(eq, row, other)) for row, other in pairs)


def equal_values(a: str | None, b: str | None) -> bool:
    """Compares two values, numbers within ROUNDING."""
    if a == b or a is None or b is None:
        return a == b
    try:
        difference, size = abs(Decimal(a) - Decimal(b)), abs(Decimal(b))
    except InvalidOperation:
        return False
    return difference <= ROUNDING * max(size, Decimal(1))


def equal_reports(found: Report, expected: Report, exact: bool) -> bool:
    """Compares answers as `equal_answers` does, and exactly also the checksums of rows that were summed up."""
    same_rows = not exact or found.checksum == expected.checksum
    return same_rows and equal_answers(found.answer, expected.answer, exact)


def results_of(engine: str, reports: list[Report], spark: list[Report] | None) -> list[Result]:
    """Makes the results of an engine; `spark` holds the answers that are right, when they are known."""
    expected = {report.query: report for report in spark or []}
    results = []
    for report in reports:
        cost = hot(report.costs)
        reason = why_not_native(report.explanation) if engine == "accelerant" else None
        equal = None
        if engine in REPLAYS:
            equal = True  # The replay compares its answer itself, and fails.
        elif report.query in expected:
            equal = equal_reports(report, expected[report.query], exact=engine == "accelerant")
        native = True if engine in REPLAYS else reason is None if engine == "accelerant" else None
        figures = (cost.wall_s, cost.cpu_s, cost.peak_rss, report.rows or len(report.answer))
        timings = median_wall_s(report.costs), [cost.cpu_s for cost in counted(report.costs)]
        results.append(Result(report.query, engine, *figures, equal, native, reason or "", *timings))
    return results
