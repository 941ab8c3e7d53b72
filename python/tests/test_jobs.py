"""The arithmetic and the comparisons of benchmarks/jobs."""

import ast
import math
import os
import subprocess
import sys
import time
from datetime import date
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accelerant.benchmark.pairs import ratio
from jobs import answers, figures, operators, run, tables

JOBS = Path(run.__file__).parent


def report(text: str = "", answer: object = None, files: object = None) -> dict:
    return {"text": text, "answer": answer, "files": files or []}


def test_thirty_jobs_of_eight_themes_that_know_nothing_of_accelerant() -> None:
    names = run.job_names("")
    assert len(names) >= 30
    assert len({name.partition(".")[0] for name in names}) == 8
    for theme in tables.THEMES:
        tree = ast.parse((JOBS / f"{theme}.py").read_text())
        froms = {node.module.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imports = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        assert froms | imports <= {"pyspark", "pandas", "numpy", "collections", "decimal"}
        assert "accelerant" not in (JOBS / f"{theme}.py").read_text().lower()


def test_jobs_are_chosen_by_words() -> None:
    assert run.job_names("taxi.explore,slow_spans") == ["taxi.explore", "logs.slow_spans"]


def test_a_geometric_mean() -> None:
    assert figures.geometric_mean([0.25, 1, 4]) == pytest.approx(1)


def test_operators_that_the_engine_lacks_do_not_count() -> None:
    states = ["native", "native", "native", "left", "lacking", "lacking"]
    queries = [[{"name": "Filter", "state": state, "reason": "x"} for state in states], []]
    counts = figures.states(queries)
    assert (counts["native"], counts["left"], counts["lacking"]) == (3, 1, 2)
    assert figures.native_share(counts) == 0.75
    assert figures.native_share(figures.states([])) == 1
    assert figures.reasons(queries, "lacking") == {("Filter", "x"): 2}


def test_what_jobs_use_by_the_names_of_their_operators() -> None:
    def named(*names: str) -> list[list[dict]]:
        return [[{"name": name, "state": "native", "reason": ""}] for name in names]

    assert figures.uses(named("Scan parquet", "Scan orc", "Filter")) == []
    assert figures.uses(named("Scan json", "Filter")) == ["text"]
    assert figures.uses(named("MapInPandas", "Scan csv")) == ["text", "Python"]
    assert figures.uses(named("ArrowEvalPython")) == figures.uses(named("MapInArrow")) == ["Python"]


def test_totals_of_several_jobs() -> None:
    entries = [
        {"cpu_s": {"plain": [9.0, 8.0], "accelerated": [4.0, 5.0]}, "bridged": {"cpu_s": 3.0, "bridged_s": 0.5}},
        {"cpu_s": {"plain": [2.0, 2.0], "accelerated": [1.0, 3.0]}, "bridged": {"cpu_s": 2.0, "bridged_s": 0.0}},
    ]
    assert figures.together(entries) == {"jobs": 2, "plain": 10.0, "accelerated": 5.0, "ratio": 0.5}
    assert figures.together([])["ratio"] is None
    assert figures.bridged_share([*entries, {"bridged": {}}]) == pytest.approx(0.1)
    assert figures.bridged_share([]) == 0


def test_a_reason_counts_once_and_what_has_none_was_left() -> None:
    found = operators.obstacles(["1 of 3 operators run natively\n! Sample (island): no sample\n* Sort\n@ Filter"])
    assert operators.judged("SampleExec", "Sample", found).reason == "no sample"
    assert operators.judged("SampleExec", "Sample", found).reason == "no such operator"
    assert operators.judged("FilterExec", "Filter", found).state == "left"
    found = operators.obstacles(
        ["! FileSourceScan (bridged: cast, date_format) (island): file format JsonFileFormat: x"]
    )
    assert found == {"FileSourceScan": ["file format JsonFileFormat: x"]}


def test_a_scan_takes_no_reason_of_another_format() -> None:
    found = operators.obstacles(["! FileSourceScan: file format OrcFileFormat"])
    assert operators.judged("FileSourceScanExec", "Scan parquet", found).state == "left"
    assert operators.judged("FileSourceScanExec", "Scan orc", found).state == "lacking"


def test_answers_as_json() -> None:
    frame = pd.DataFrame({"n": [1, 2], "x": [0.5, None]})
    assert answers.as_json(frame)[:2] == [["n: int64", "x: float64"], [1, 0.5]]
    assert answers.as_json([(Decimal("1.50"), date(2024, 1, 2), {"b": 1})]) == [["1.50", "2024-01-02", [["b", 1]]]]


def test_floats_are_equal_within_the_tolerance_and_nothing_else_is() -> None:
    assert answers.equal([1.0, math.nan, None], [1.0 + 1e-12, math.nan, None])
    assert not answers.equal([1.0], [1.0 + 1e-6])
    assert not answers.equal([1], [1.0])
    assert not answers.equal(["1.50"], ["1.5"])
    assert not answers.equal([None], [0])


def test_rows_in_another_order_are_told_and_are_equal() -> None:
    rows = [["b", 0.1 + 0.2], ["a", 2.0]]
    found = answers.differences(report(answer=rows), report(answer=[["a", 2.0], ["b", 0.3]]))
    assert found == ["returned in another order"]
    assert answers.are_equal(found)
    other = answers.differences(report(answer=rows), report(answer=[["a", 2.0], ["b", 0.4]]))
    assert "returned differs" in other[0]
    assert not answers.are_equal(other)


def test_printed_tables_may_differ_in_the_last_digits_of_floats() -> None:
    table = "+---+-----+\n|a  |sum  |\n+---+-----+\n|x  |{}|\n+---+-----+\n"
    wide = table.replace("-----", "------------------").format("0.30000000000000004")
    assert not answers.differences(report(text=table.format("0.3  ")), report(text=wide))
    assert answers.differences(report(text=table.format("0.3  ")), report(text=table.format("0.31 ")))
    rows = "Row(corr(a, b)=0.0013246746112646525)", "Row(corr(a, b)=0.0013246746112645228)"
    assert not answers.differences(report(text=rows[0]), report(text=rows[1]))
    cut = "|0.00201637412117{}...|"
    assert not answers.differences(report(text=cut.format("4")), report(text=cut.format("0")))
    assert answers.differences(report(text="|a long text...|"), report(text="|a long word...|"))


def test_written_files_are_summed_up_by_folder(tmp_path: Path) -> None:
    def write(name: str, rows: list[tuple[int, float]], files: int) -> Path:
        folder = tmp_path / name / "table" / "day=1"
        folder.mkdir(parents=True)
        for n in range(files):
            part = rows[n::files]
            table = pa.table({"k": [k for k, _ in part], "x": [x for _, x in part]})
            pq.write_table(table, folder / f"part-{n}.parquet")
        return tmp_path / name

    rows = [(n, n / 3) for n in range(10)]
    first = answers.written(write("a", rows, 1))
    assert first[0][0] == "table/day=1"
    assert not answers.differences(report(files=answers.written(write("b", rows[::-1], 3))), report(files=first))
    others = answers.written(write("c", [*rows[:-1], (9, 3.1)], 1))
    assert answers.differences(report(files=others), report(files=first))


def test_text_files_lose_their_repeated_headers(tmp_path: Path) -> None:
    for name, files in (("a", ["k,x\n1,0.5\n2,1.5\n"]), ("b", ["k,x\n2,1.5\n", "k,x\n1,0.5\n"])):
        (tmp_path / name).mkdir()
        for n, text in enumerate(files):
            (tmp_path / name / f"part-{n}.csv").write_text(text)
    one, two = (sorted(answers.text_lines(sorted((tmp_path / name).iterdir())), key=answers.rank) for name in "ab")
    assert one == two


def test_all_that_a_process_starts_is_counted(tmp_path: Path) -> None:
    """Processes whose parent ends first are too."""
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {burn!r}])"
    script = f"""
import ctypes, subprocess, sys, time
sys.path[:0] = {[str(JOBS.parent), str(JOBS.parents[1] / "python")]!r}
from jobs import run
ctypes.CDLL(None).prctl(run.SET_CHILD_SUBREAPER, 1)
before = run.children_seconds()
child = subprocess.Popen([sys.executable, "-c", {orphan!r}], start_new_session=True)
assert run.wait_for_all(child, time.monotonic() + 60) == 0
print(run.children_seconds() - before)
"""
    shown = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert float(shown.stdout) > 0.3


def test_what_takes_too_long_is_ended() -> None:
    script = f"""
import subprocess, sys, time
sys.path[:0] = {[str(JOBS.parent), str(JOBS.parents[1] / "python")]!r}
from jobs import run
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
print(run.wait_for_all(child, time.monotonic() + 0.2))
"""
    start = time.monotonic()
    shown = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, env=os.environ)
    assert shown.stdout.strip() == "-9"
    assert time.monotonic() - start < 60


def measured(job: str, plain: list[float], mine: list[float], **changes: object) -> dict:
    whole = vars(ratio(plain, mine))
    costs = {"plain": plain, "accelerated": mine}
    counts = {"native": 97, "left": 3, "passing": 2, "lacking": 9}
    found = {"job": job, "equal": True, "differences": [], "errors": {"plain": [], "accelerated": []}}
    found |= {"left": [["Project", "x", 2], ["Sort", "x", 1]], "bridged": {"cpu_s": 4.0, "bridged_s": 1.0}, "uses": []}
    return (
        found | {"operators": counts, "cpu_s": costs, "own_cpu_s": costs, "ratio": whole, "own_ratio": whole} | changes
    )


def test_totals() -> None:
    slow = measured("b", [10, 10, 10], [11, 11.01, 11])
    failed = {"errors": {"plain": [], "accelerated": ["no memory"]}}
    found = run.totals([measured("a", [8, 8, 8], [4, 4, 4]), slow, measured("c", [4, 4], [4, 4], **failed)])
    assert found["jobs"] == 3
    assert found["equal"] == 2
    assert found["native_share"] == 0.97
    assert found["left"] == {"Project": 6, "Sort": 3}
    assert found["bridged_share"] == 0.25
    assert found["without_text_and_python"] == {"jobs": 3, "plain": 22, "accelerated": 19, "ratio": 19 / 22}
    assert found["with_text_or_python"]["jobs"] == 0
    assert found["slower"] == ["b"]
    assert found["shorter_than_5_s"] == ["c"]
    assert found["failed_where_plain_does_not"] == ["c"]
    assert found["geometric_mean"] == pytest.approx((0.5 * 1.1 * 1) ** (1 / 3), rel=1e-3)


def test_a_line_of_the_table() -> None:
    words = run.line(measured("taxi.explore", [8, 8, 8], [4, 4, 4]))
    assert words.split() == ["taxi.explore", "8.0", "4.0", "0.50", "[0.50,", "0.50]", "own", "8.0", "0.50", "97/3/2/9"]


def test_tables_are_made_again_only_where_their_text_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"numbers": tables.Table("csv", 100, "row, even(row, 1, 7) as digit", files=3)}
    monkeypatch.setitem(tables.THEMES, "small", small)
    home = tables.written(tmp_path, "small", 0.3)
    files = sorted((home / "numbers").iterdir())
    lines = [line for path in files for line in path.read_text().splitlines() if line != "row,digit"]
    assert len(files) == 3
    assert [int(line.split(",")[0]) for line in lines] == list(range(30))
    before = files[0].stat().st_mtime_ns
    tables.written(tmp_path, "small", 0.3)
    assert files[0].stat().st_mtime_ns == before
    small["numbers"] = tables.Table("csv", 100, "row", files=3)
    tables.written(tmp_path, "small", 0.3)
    assert (home / "numbers" / "part-0.csv").read_text().splitlines()[0] == "row"
