"""Ratios of costs measured in pairs."""

import math
import random

import pytest

from accelerant.benchmark import pairs


def test_a_ratio_is_the_geometric_mean_of_pairs_with_students_interval() -> None:
    found = pairs.ratio([10, 10, 10, 10], [5, 5, 20, 20])
    assert found.mean == pytest.approx(1)
    half = 3.182 * math.log(2) * math.sqrt(4 / 3) / 2
    assert math.log(found.high) == pytest.approx(half)
    assert math.log(found.low) == pytest.approx(-half)


def test_equal_pairs_have_an_interval_of_nothing_and_one_pair_has_none() -> None:
    same = pairs.ratio([4, 8], [2, 4])
    assert (same.low, same.mean, same.high) == pytest.approx((0.5, 0.5, 0.5))
    assert pairs.ratio([4], [2]) == pairs.Ratio(pytest.approx(0.5), 0, math.inf)


def test_a_median_lies_between_the_least_and_the_highest_of_seven() -> None:
    found = pairs.median_ratio([1] * 7, [7, 1, 6, 2, 5, 3, 4])
    assert found == pairs.MedianRatio(4, 1, 7)
    assert str(found) == "4.000 (1.000 to 7.000)"


def test_of_nine_one_at_each_end_does_not_count() -> None:
    assert pairs.median_ratio([2] * 9, [2, 2, 2, 2, 2, 2, 2, 2, 90]) == pairs.MedianRatio(1, 1, 1)


def test_fewer_than_six_pairs_have_no_interval() -> None:
    assert pairs.median_ratio([1] * 5, [1] * 5) == pairs.MedianRatio(1, 0, math.inf)
    assert pairs.median_ratio([1] * 6, [1] * 6) == pairs.MedianRatio(1, 1, 1)
    assert [pairs.num_outside(count) for count in (5, 6, 8, 9, 12, 30)] == [0, 1, 1, 2, 3, 10]


def test_the_interval_holds_the_median_19_times_of_20() -> None:
    chance = random.Random(7)
    held = 0
    for _ in range(2_000):
        found = pairs.median_ratio([1] * 9, [chance.lognormvariate(0, 0.1) for _ in range(9)])
        held += found.low <= 1 <= found.high
    assert held >= 0.95 * 2_000


def test_pairs_must_be_pairs() -> None:
    with pytest.raises(ValueError, match="longer"):
        pairs.median_ratio([1, 2], [1])


def test_totals_are_those_of_each_run() -> None:
    assert pairs.totals([[1, 2], [10, 20], [100, 200]]) == [111, 222]
