"""The bars of `make acceptance GROUP=tpc-ds` judge what benchmarks/tpcds wrote."""

import pytest

import acceptance
import tpcds_figures
from acceptance_lines import TPCDS


def content(**changes: object) -> dict:
    totals = {
        "queries": 103,
        "native": 103,
        "equal": 103,
        "not_native": [],
        "not_equal": [],
        "of_plain": {"queries": 103, "accelerated": 40.0, "plain": 200.0, "ratio": 0.2},
        "of_duckdb": {"queries": 99, "engine": 30.0, "duckdb": 30.0, "ratio": 1.0},
        "not_alone": {},
        "slower": [],
        "bridged_share": 0.02,
        "bridged": {"concat": 3},
    }
    return {"totals": totals | changes}


def test_all_bars_hold() -> None:
    judges = ("native", "bridged", "equal", "cheaper", "none_slower", "engine_alone")
    assert all(getattr(tpcds_figures, judge)(content()).holds for judge in judges)
    assert not any(getattr(tpcds_figures, judge)(content(queries=102)).holds for judge in judges[:4])
    assert tpcds_figures.cheaper(content()).figure == "40.0 against 200.0 s: 0.200, 103 queries"
    assert tpcds_figures.bridged(content()).figure == "2.00% of the CPU: concat in 3"


def test_each_bar_is_missed() -> None:
    missed = tpcds_figures.native(content(native=102, not_native=["q9"]))
    assert (missed.holds, missed.figure) == (False, "102 of 103; q9")
    assert not tpcds_figures.equal(content(not_equal=["q9"])).holds
    assert not tpcds_figures.bridged(content(bridged_share=0.021)).holds
    assert not tpcds_figures.none_slower(content(slower=["q9"])).holds
    assert not tpcds_figures.engine_alone(content(not_alone={"q9": "2 captures"})).holds
    for judge, name in ((tpcds_figures.cheaper, "of_plain"), (tpcds_figures.engine_alone, "of_duckdb")):
        share = content()["totals"][name]
        assert not judge(content(**{name: share | {"ratio": 1.01}})).holds
        assert not judge(content(**{name: share | {"ratio": None}})).holds


def test_little_memory_needs_all_equal_and_native(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    found = content(spilling=["q4", "q9"])
    monkeypatch.setattr(tpcds_figures, "measured", lambda name, *options: asked.append((name, *options)) or found)
    result = tpcds_figures.in_little_memory([("64m", 2)])
    assert asked == [("64m-2", "--pairs", "0", "--memory", "64m", "--threads", "2")]
    assert (result.holds, result.figure) == (True, "64m, 2 threads: 103 of 103 equal, 103 of 103 native, 2 spill")
    found["totals"]["not_native"] = ["q4"]
    assert not tpcds_figures.in_little_memory([("64m", 2)]).holds


def test_it_runs_only_where_it_is_named() -> None:
    assert acceptance.chosen_lines("tpc-ds") == TPCDS
    assert not set(TPCDS) & set(acceptance.chosen_lines(""))
