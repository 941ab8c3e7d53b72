"""The bars of `make acceptance` judge what `accelerant bench` wrote."""

from dataclasses import asdict

import pytest

import bench_figures
from accelerant.benchmark.results import Result as Figure
from bench_figures import Bench

QUERIES = [f"q{number}" for number in range(1, 23)]


def figures(engine: str, wall_s: float, cpu_s: float, **changes: object) -> list[Figure]:
    figure = Figure("", engine, wall_s, cpu_s, 100, 1, True, True, "", wall_s)
    return [Figure(**asdict(figure) | {"query": query} | changes) for query in QUERIES]


def bench(*results: list[Figure], load: float = 0) -> Bench:
    entries = [asdict(figure) for engine in results for figure in engine]
    return Bench.of({"results": entries, "machine": {"load": load}})


def test_processor_time_decides_on_a_busy_machine() -> None:
    engines = figures("accelerant", 2, 1), figures("spark", 10, 20)
    judge = bench_figures.total_against("spark", 1 / 10, 1 / 16)
    assert not judge(bench(*engines)).holds
    assert judge(bench(*engines, load=3)).holds
    assert "22.000 against 440.000 cpu_s: 0.05 (bar 0.1, goal 0.0625)" in judge(bench(*engines, load=3)).figure


def test_all_queries_must_be_native_and_equal() -> None:
    assert bench_figures.native_and_equal(bench(figures("accelerant", 1, 1))).holds
    assert not bench_figures.native_and_equal(bench(figures("accelerant", 1, 1)[1:])).holds
    reverted = bench_figures.native_and_equal(bench(figures("accelerant", 1, 1, native=False, reason="Window")))
    assert not reverted.holds
    assert "q3: Window" in reverted.figure


def test_the_engine_is_compared_with_duckdb_and_the_best_peer() -> None:
    others = figures("duckdb", 2, 2), figures("polars", 1, 1)
    found = bench_figures.engine_against_duckdb(bench(figures("engine", 1.5, 1.5), *others))
    assert found.holds
    assert "the best peer, polars, takes 22.000" in found.figure
    assert not bench_figures.engine_against_duckdb(bench(figures("engine", 3, 3), *others)).holds
    assert not bench_figures.engine_against_duckdb(bench(figures("engine", 1.5, 1.5)[1:], *others)).holds


def test_a_slower_query_is_named() -> None:
    peers = figures("spark", 3, 3), figures("comet", 2, 2), figures("duckdb", 0.5, 0.5)
    slow = [*figures("accelerant", 1, 1)[1:], Figure("q1", "accelerant", 2.5, 2.5, 1, 1, True, True, "")]
    assert bench_figures.no_query_slower(bench(figures("accelerant", 1, 1), *peers)).holds
    found = bench_figures.no_query_slower(bench(slow, *peers))
    assert not found.holds
    assert "than comet: q1; than duckdb" in found.figure


def test_memory_and_threads() -> None:
    small = figures("duckdb", 1, 1, peak_rss=90)
    assert bench_figures.peak_memory(bench(figures("engine", 1, 1), small)).holds
    assert not bench_figures.peak_memory(bench(figures("engine", 1, 1, peak_rss=200), small)).holds
    assert bench_figures.two_threads(bench(figures("engine", 1, 2), figures("one-thread", 1.9, 1.9), load=9)).holds
    assert not bench_figures.two_threads(bench(figures("engine", 1, 2), figures("one-thread", 1.7, 1.7))).holds


@pytest.mark.parametrize(("wall_s", "equal", "holds"), [(0.9, True, True), (1.1, True, False), (0.9, False, False)])
def test_the_way_out(wall_s: float, equal: bool, holds: bool) -> None:
    found = bench(figures("accelerant", wall_s, 9, query="write", equal=equal), figures("spark", 2, 2, query="write"))
    assert bench_figures.way_out("write")(found).holds == holds


def test_a_tiny_query_is_judged_by_its_median() -> None:
    ours = figures("accelerant", 1, 1, query="tiny", wall_median_s=3)
    assert not bench_figures.tiny_query(bench(ours, figures("spark", 2, 2, query="tiny"))).holds
    assert bench_figures.tiny_query(bench(ours, figures("spark", 4, 4, query="tiny"))).holds


def ten(engine: str, cpu_s: float, **changes: object) -> list[Figure]:
    return figures(engine, 9, cpu_s, **changes)[:10]


def test_ten_queries_alone() -> None:
    others = ten("accelerant", 2, native=True), ten("spark", 9), ten("duckdb", 1)
    found = bench_figures.ten_alone(bench(ten("engine", 1), *others))
    assert found.holds
    assert found.figure == "10.000 against 10.000 CPU s, 10 queries: 1.00 (bar 1, goal 0.75); all equal"
    assert not bench_figures.ten_alone(bench(ten("engine", 1.1), *others)).holds
    bridged = bench_figures.ten_alone(bench(ten("engine", 1)[1:], *others))
    assert not bridged.holds
    assert "q1: calls Spark" in bridged.figure
    unequal = bench_figures.ten_alone(bench(ten("engine", 1), *others[:2], ten("duckdb", 1, equal=False)))
    assert not unequal.holds
    assert "q1: not equal" in unequal.figure
    assert not bench_figures.ten_alone(bench(*others)).holds
