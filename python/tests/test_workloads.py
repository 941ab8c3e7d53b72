"""Every workload gives the same answers on the engines that need no JVM; what it writes is compared too."""

from pathlib import Path

import duckdb
import pytest

from accelerant import clicks, etl
from accelerant.benchmark.engines import ENGINES
from accelerant.benchmark.results import results_of
from accelerant.benchmark.workloads import WORKLOADS, make_task


def test_polars_gives_the_answers_of_clicks(tmp_path: Path) -> None:
    task = make_task(WORKLOADS["clicks"], threads=2, runs=0, scale=0.02, data=tmp_path)
    reports = {engine: ENGINES[engine](task, tmp_path) for engine in ("duckdb", "polars")}
    results = results_of("polars", reports["polars"], reports["duckdb"])
    assert [report.query for report in reports["duckdb"]] == list(clicks.queries())
    assert [result.query for result in results if not result.equal] == []
    # Polars' SQL has no regexp_extract.
    assert set(clicks.queries()) - {result.query for result in results} == {"c17"}


def test_hits_are_the_same_every_time(tmp_path: Path) -> None:
    first, second = (str(clicks.generate(0.002, tmp_path / name)["hits"]) for name in ("first", "second"))
    assert duckdb.sql(f"select count(*) from '{first}'").fetchall() == [(2000,)]
    assert duckdb.sql(f"from '{first}' except all from '{second}'").fetchall() == []
    assert len(duckdb.sql(f"from '{first}'").columns) > 60


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "clicks0.002" / "hits.parquet"
    path.parent.mkdir()
    path.touch()
    assert clicks.generate(0.002, tmp_path) == {"hits": path}
    assert path.stat().st_size == 0
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(("name", "count"), [("windows", 10), ("nested", 10), ("dates", 10), ("large", 5)])
def test_duckdb_answers_each_group(tmp_path: Path, name: str, count: int) -> None:
    task = make_task(WORKLOADS[name], threads=2, runs=0, scale=0.002, data=tmp_path, memory="256m")
    reports = ENGINES["duckdb"](task, tmp_path)
    assert [report.query for report in reports] == list(task.queries)
    assert len(reports) == count
    assert all(report.answer for report in reports)


def test_the_job_runs_step_by_step(tmp_path: Path) -> None:
    task = make_task(WORKLOADS["etl"], threads=2, runs=0, scale=0.005, data=tmp_path)
    reports = {report.query: report for report in ENGINES["duckdb"](task, tmp_path)}
    assert list(reports) == list(etl.STEPS)
    assert reports["s1_acquisitions"].rows == 500
    assert reports["s2_performance"].rows > 5000
    assert 400 < reports["s5_features"].rows <= 500
    assert ["label", str(reports["s5_features"].rows), "0", "1"] in reports["s5_features"].answer
    assert all(report.checksum for report in reports.values())


def test_rows_for_pandas_and_files_are_summed_up(tmp_path: Path) -> None:
    task = make_task(WORKLOADS["transfers"], threads=2, runs=1, scale=0.001, data=tmp_path)
    tiny, frame, files = ENGINES["duckdb"](task, tmp_path)
    assert (len(tiny.answer), len(tiny.costs), len(frame.costs)) == (3, 31, 2)
    assert frame.rows == files.rows == 1000
    assert frame.answer[0] == files.answer[0] == ["id", "1000", "0", "2997"]
    assert frame.checksum != files.checksum != ""


def test_what_leaves_accelerant_is_what_leaves_spark(tmp_path: Path) -> None:
    task = make_task(WORKLOADS["transfers"], threads=2, runs=0, scale=0.001, data=tmp_path)
    reports = {engine: ENGINES[engine](task, tmp_path) for engine in ("spark", "accelerant")}
    results = results_of("accelerant", reports["accelerant"], reports["spark"])
    assert [(result.query, result.rows) for result in results] == [("tiny", 3), ("to_pandas", 1000), ("write", 1000)]
    assert [result.query for result in results if not (result.native and result.equal)] == []
    assert all(report.checksum for report in reports["spark"][1:])
