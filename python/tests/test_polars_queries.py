from pathlib import Path

from accelerant import tpch
from accelerant.benchmark.engines import ENGINES
from accelerant.benchmark.results import results_of
from accelerant.benchmark.workloads import WORKLOADS, make_task
from accelerant.tpch.polars_queries import PROGRAMS

SCALE = 0.1


def test_polars_gives_the_answers_of_the_sql(tmp_path: Path) -> None:
    task = make_task(WORKLOADS["tpch"], threads=2, runs=0, scale=SCALE)
    reports = {engine: ENGINES[engine](task, tmp_path) for engine in ("duckdb", "polars")}
    results = results_of("polars", reports["polars"], reports["duckdb"])
    assert [result.query for result in results] == list(tpch.NAMES) == list(PROGRAMS)
    assert [result.query for result in results if not result.equal] == []
    assert all(result.rows for result in results)
