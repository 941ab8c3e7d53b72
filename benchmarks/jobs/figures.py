"""The arithmetic of the jobs' measurement: ratios of pairs with their intervals, shares of operators."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.operators import LEFT, NATIVE

# Student's t at 97.5 %, by degrees of freedom from 1.
T_VALUES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]
T_VALUES += [2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
T_BEYOND = 1.96


@dataclass(frozen=True)
class Ratio:
    """What a job costs accelerated, as a share of what it costs plain: the geometric mean of pairs, a 95 % interval."""

    mean: float
    low: float
    high: float


def ratio(plain: Sequence[float], accelerated: Sequence[float]) -> Ratio:
    """Returns the ratio of costs that were measured in pairs; one pair alone has no interval."""
    logarithms = [math.log(mine / other) for mine, other in zip(accelerated, plain, strict=True)]
    mean = statistics.fmean(logarithms)
    if len(logarithms) < 2:
        return Ratio(math.exp(mean), 0.0, math.inf)
    freedom = len(logarithms) - 1
    t = T_VALUES[freedom - 1] if freedom <= len(T_VALUES) else T_BEYOND
    half = t * statistics.stdev(logarithms) / math.sqrt(len(logarithms))
    return Ratio(math.exp(mean), math.exp(mean - half), math.exp(mean + half))


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
