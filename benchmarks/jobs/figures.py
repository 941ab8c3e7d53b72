"""The arithmetic of the jobs' measurement: means of ratios, shares of operators."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence

from jobs.operators import LEFT, NATIVE


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
