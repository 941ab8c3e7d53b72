"""Ratios of costs that were measured in pairs, run by run in turns, with 95 % intervals."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

# Student's t at 97.5 %, by degrees of freedom from 1.
T_VALUES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]
T_VALUES += [2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
T_BEYOND = 1.96
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Ratio:
    """The geometric mean of the ratios of pairs, and its interval by Student's t."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class MedianRatio:
    """The median of the ratios of pairs, and its interval by order statistics, which assumes nothing of how they lie.

    A run that something disturbed moves neither end of it, where pairs are nine or more.
    """

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.3f} ({self.low:.3f} to {self.high:.3f})"


def ratio(base: Sequence[float], own: Sequence[float]) -> Ratio:
    """Returns what `own` costs as a share of `base`, both measured in pairs; one pair alone has no interval."""
    logarithms = [math.log(share) for share in shares(base, own)]
    mean = statistics.fmean(logarithms)
    if len(logarithms) < 2:
        return Ratio(math.exp(mean), 0.0, math.inf)
    freedom = len(logarithms) - 1
    t = T_VALUES[freedom - 1] if freedom <= len(T_VALUES) else T_BEYOND
    half = t * statistics.stdev(logarithms) / math.sqrt(len(logarithms))
    return Ratio(math.exp(mean), math.exp(mean - half), math.exp(mean + half))


def median_ratio(base: Sequence[float], own: Sequence[float]) -> MedianRatio:
    """Returns what `own` costs as a share of `base`, both measured in pairs; fewer than six have no interval."""
    found = sorted(shares(base, own))
    outside = num_outside(len(found))
    low, high = (found[outside - 1], found[-outside]) if outside else (0.0, math.inf)
    return MedianRatio(statistics.median(found), low, high)


def shares(base: Sequence[float], own: Sequence[float]) -> list[float]:
    """Returns the ratio of each pair."""
    return [mine / other for mine, other in zip(own, base, strict=True)]


def num_outside(pairs: int) -> int:
    """Returns the place, from either end of the sorted ratios, where the interval of their median ends; 0 for none.

    Of n ratios, as many lie below the true median as heads fall in n throws of a coin.
    """
    missed, place = 0.0, 0
    while (missed := missed + 2 * math.comb(pairs, place) / 2**pairs) <= 1 - CONFIDENCE:
        place += 1
    return place


def totals(runs: Sequence[Sequence[float]]) -> list[float]:
    """Returns the costs of all queries together, run by run, from those of each query."""
    return [sum(run) for run in zip(*runs, strict=True)]
