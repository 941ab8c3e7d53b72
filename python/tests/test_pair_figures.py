"""The bars of `make acceptance GROUP="Against the build before"` judge pairs of runs."""

import pytest

import acceptance
import pair_figures
from accelerant.benchmark.presentation import beside_previous, pairs_of
from accelerant.benchmark.results import Result
from acceptance_lines import AGAINST_BEFORE
from pair_figures import Pairs


def pairs(*shares: float, count: int = 9) -> Pairs:
    """Queries that cost these shares of what they cost before, with a disturbed run each."""
    return {
        f"q{place}": ([1.0] * count, [share] * (count - 1) + [share * 2]) for place, share in enumerate(shares, start=1)
    }


def test_the_total() -> None:
    assert pair_figures.total(pairs(1.0, 1.02)).holds
    assert pair_figures.total(pairs(1.0, 1.02)).figure == "1.010 (1.010 to 1.010) of before, 2 queries"
    assert not pair_figures.total(pairs(1.0, 1.03)).holds
    disturbed = pairs(1.0)
    disturbed["q1"][1][:2] = [1.04, 1.04]
    assert not pair_figures.total(disturbed).holds


def test_too_few_pairs_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = pair_figures.judged(pair_figures.TPCH, pair_figures.total)
    for found, holds in (({}, False), (pairs(0.9, count=6), False), (pairs(0.4, count=7), True)):
        monkeypatch.setattr(pair_figures, "measured", lambda what, found=found: found)
        assert judge().holds is holds


def test_each_query() -> None:
    assert pair_figures.each(pairs(1.05, 0.5)).holds
    found = pair_figures.each(pairs(1.0, 1.06))
    assert not found.holds
    assert found.figure.startswith("slower: q2; the highest: q2 1.060")


def test_the_tiny_query() -> None:
    for share, holds in ((1.05, True), (1.06, False)):
        assert pair_figures.tiny({"tiny": pairs(share)["q1"]}).holds is holds


def test_no_checkout_of_the_commit_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("/nowhere", str(pair_figures.ROOT)):
        monkeypatch.setenv(pair_figures.VARIABLE, path)
        with pytest.raises(SystemExit, match="names no checkout of 0dc0c3b"):
            pair_figures.previous()


def test_the_group_is_long() -> None:
    assert acceptance.chosen_lines("against the build before") == AGAINST_BEFORE
    assert not set(AGAINST_BEFORE) & set(acceptance.chosen_lines(""))


def test_results_as_pairs() -> None:
    results = [
        Result(query, engine, 1, 1, 1, 1, True, True, "", 1, runs)
        for engine, query, runs in (
            ("engine", "q1", [2.0] * 6),
            ("engine", "q2", [1.0] * 6),
            ("previous", "q1", [1.0] * 6),
            ("previous", "q2", [1.0] * 6),
        )
    ]
    assert pairs_of(results) == {"q1": ([1.0] * 6, [2.0] * 6), "q2": ([1.0] * 6, [1.0] * 6)}
    shown = beside_previous(results)
    assert shown == ("of the build before, by pairs: 1.500 (1.500 to 1.500); apart from 1: q1 2.000 (2.000 to 2.000)")
    assert beside_previous(results[:2]) == ""
