import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from accelerant import tpch
from accelerant.bench import PEERS
from accelerant.benchmark.costs import Cost, hot, measured, median_wall_s
from accelerant.benchmark.engines import spark_options
from accelerant.benchmark.presentation import COLORS, TITLES, draw, table
from accelerant.benchmark.results import equal_answers, results_of, why_not_native
from accelerant.benchmark.task import Query, Report, Task, read_reports, texts, write_reports
from accelerant.benchmark.workloads import WORKLOADS, names
from accelerant.errors import UserError

EXPLAINED = "== Extended Information (Accelerant) ==\n{}\n"
COSTS = [Cost(9, 9, 9), Cost(2, 3, 100), Cost(1, 4, 200)]


def test_the_first_run_does_not_count() -> None:
    assert hot(COSTS) == Cost(1, 3, 200)
    assert hot(COSTS[:1]) == COSTS[0]
    assert median_wall_s(COSTS) == 1.5


def test_what_work_costs() -> None:
    answer, costs = measured(os.getpid(), 2, lambda: sum(range(300_000)))
    assert answer == 44999850000
    assert len(costs) == 2
    assert all(cost.wall_s > 0 and cost.peak_rss > 1e6 for cost in costs)


def test_answers_are_compared_by_value() -> None:
    spark = texts([(1, None, "1.500000", "x"), (2, 0.1, "2", "y")])
    assert spark[0][1] is None
    assert equal_answers(texts([(1, None, 1.5, "x"), (2, 0.1, 2, "y")]), spark, exact=False)
    assert not equal_answers(texts([(1, None, 1.5, "x"), (2, 0.1, 2, "y")]), spark, exact=True)
    for other in ([(1, None, 1.5, "x")], [(1, 0, 1.5, "x"), (2, 0.1, 2, "y")], [(1, None, 1.6, "x"), (2, 0.1, 2, "y")]):
        assert not equal_answers(texts(other), spark, exact=False)


def test_rows_that_tie_come_in_any_order() -> None:
    spark = texts([(1, "x"), (2, "x"), (3, "y")])
    assert equal_answers(texts([(2, "x"), (1, "x"), (3, "y")]), spark, exact=True)
    for other in ([(3, "y"), (1, "x"), (2, "x")], [(2, "x"), (2, "x"), (3, "y")], [(1, "x"), (2, "x")]):
        assert not equal_answers(texts(other), spark, exact=True)


def test_a_moment_is_told_in_utc() -> None:
    here = datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2)))
    assert texts([(here, datetime(2026, 1, 2))]) == [["2026-01-02 01:00:00", "2026-01-02 00:00:00"]]


def test_why_not_native() -> None:
    assert why_not_native(EXPLAINED.format("2 of 2 operators run natively\n* A\n* B")) is None
    assert why_not_native(EXPLAINED.format("0 of 2 operators run natively\n! A: why\n! A: why")) == "A: why"
    assert why_not_native("== Physical Plan ==") == "explain() says nothing of Accelerant"


def test_results_table_and_chart(tmp_path: Path) -> None:
    native = EXPLAINED.format("1 of 1 operators run natively\n* A")
    write_reports(tmp_path / "reports", [Report("q1", COSTS, [["1"]], native)])
    reports = read_reports(tmp_path / "reports")
    results = [
        result
        for engine in ("spark", "accelerant", "comet", "duckdb", "polars", "engine")
        for result in results_of(engine, reports, reports)
    ]
    assert [result.equal for result in results] == [True] * 6
    assert [result.wall_median_s for result in results] == [1.5] * 6
    assert [result.native for result in results] == [None, True, None, None, None, True]
    lines = table(results, before=results).splitlines()
    assert lines[2].split() == ["q1", "Accelerant", "1.000", "1.500", "3.000", "1.00", "1.00", "0", "yes", "yes"]
    assert sum(line.startswith("total") for line in lines) == sum(line.startswith("geomean") for line in lines) == 6
    assert lines[-1].split() == ["geomean", "engine", "alone", "1.000", "1.500", "3.000", "1.00", "1.00"]
    png, svg = draw(results, tmp_path / "chart.json", "title", "notes")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "title" in svg.read_text()


def test_every_engine_can_be_shown() -> None:
    assert set(TITLES) == set(COLORS) == {"accelerant", *PEERS}
    assert len(set(COLORS.values())) == len(COLORS)
    assert all(set(workload.peers) <= set(PEERS) for workload in WORKLOADS.values())


def test_every_spark_gets_the_same_options() -> None:
    plain = spark_options(2)
    assert plain[:2] == ["--master", "local[2]"]
    assert spark_options(2, {"spark.plugins": "x"}) == [*plain, "--conf", "spark.plugins=x"]
    heap = plain.index("--driver-memory") + 1
    assert spark_options(2, {"spark.driver.memory": "1280m"}) == [*plain[:heap], "1280m", *plain[heap + 1 :]]


def test_a_task_crosses_processes(tmp_path: Path) -> None:
    task = Task({"t": "t.parquet"}, {"q1": Query("select 1", repeats=5)}, threads=2, runs=3, scale=0.1)
    assert Task.read(task.write(tmp_path / "new" / "task")) == task
    assert task.runs_of("q1") == 16


def test_unknown_names_are_refused() -> None:
    assert names("--against", "spark,", ["spark"]) == ["spark"]
    with pytest.raises(UserError, match="--against x: expected some of spark"):
        names("--against", "x", ["spark"])


def test_queries_of_tpch() -> None:
    assert len(tpch.queries()) == 22
    assert "* 0.0001\n" in tpch.query("q11")
    assert "* 0.001\n" in tpch.query("q11", 0.1)
    assert "{" not in "".join(tpch.queries(10).values())
