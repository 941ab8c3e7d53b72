"""The arithmetic of the jobs' measurement: means of ratios, shares of operators."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence

from jobs.operators import LEFT, NATIVE

TEXT = "text"
PYTHON = "Python"
# Words in the names of operators that read texts, or call functions of Python.
WORDS = {TEXT: ("Scan csv", "Scan json", "Scan text"), PYTHON: ("Python", "Pandas", "InArrow")}


def geometric_mean(values: Sequence[float]) -> float:
    """Returns the geometric mean."""
    return math.exp(statistics.fmean(map(math.log, values)))


def states(queries: Sequence[Sequence[dict]]) -> Counter[str]:
    """Counts operators by what became of them."""
    return Counter(operator["state"] for query in queries for operator in query)


def native_share(counts: Counter[str]) -> float:
    """Returns how many of the operators that the engine has ran natively; 1 where it has none."""
    has = counts[NATIVE] + counts[LEFT]
    return counts[NATIVE] / has if has else 1.0


def reasons(queries: Sequence[Sequence[dict]], state: str) -> Counter[tuple[str, str]]:
    """Counts operators of a state by name and reason."""
    found = (operator for query in queries for operator in query if operator["state"] == state)
    return Counter((operator["name"], operator["reason"]) for operator in found)


def bridged_share(entries: Sequence[dict]) -> float:
    """Returns how much of the CPU of jobs, without their sessions' start, was Spark's code in native operators."""
    runs = [found["bridged"] for found in entries if found["bridged"]]
    whole = sum(run["cpu_s"] for run in runs)
    return sum(run["bridged_s"] for run in runs) / whole if whole else 0.0


def uses(queries: Sequence[Sequence[dict]]) -> list[str]:
    """Says which of TEXT and PYTHON some queries use."""
    names = {operator["name"] for query in queries for operator in query}
    return [use for use, words in WORDS.items() if any(word in name for name in names for word in words)]


def together(entries: Sequence[dict]) -> dict[str, float | int | None]:
    """Returns what jobs took in total of each engine, the least of each job's runs, and the engines' ratio."""
    plain, mine = (sum(min(found["cpu_s"][engine]) for found in entries) for engine in ("plain", "accelerated"))
    return {"jobs": len(entries), "plain": plain, "accelerated": mine, "ratio": mine / plain if plain else None}
