"""The pure parts of benchmarks/tpcds: what is read out of Spark's test jar, comparisons, figures, workers."""

import argparse
import sys
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from accelerant.benchmark.results import Rows
from accelerant.errors import UserError
from tpcds import figures, measurement, report, schema, sources
from tpcds.answers import Answer, difference, is_about
from tpcds.conversation import Worker
from tpcds.rows import cell

ITEM = "`i_item_sk` INT,\n`i_item_id` CHAR(16),\n`i_current_price` DECIMAL(7,2),\n`i_item_desc` VARCHAR(200)"
INVENTORY = "`inv_date_sk` INT, `inv_quantity_on_hand` INT"

PROGRAM = """
import sys, time
sys.path[:0] = {paths!r}
from tpcds.conversation import serve
def answer(request):
    if request["sql"] == "end":
        sys.exit(3)
    if request["sql"] == "sleep":
        time.sleep(1000)
    return {{"said": request["sql"].upper() + sys.argv[2]}}
serve(sys.argv[1], answer)
"""


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    """A jar with queries, and with files that are none."""
    path = tmp_path / "tests.jar"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("tpcds/q10.sql", "tpcds/q2.sql", "tpcds/q14b.sql", "tpcds/q14a.sql", "tpcds-v2.7.0/q10a.sql"):
            archive.writestr(name, f"select '{name}'\n;\n")
        archive.writestr("tpcds-query-results/v1_4/q2.sql.out", "")
        archive.writestr("tpcds-modifiedQueries/q10.sql", "")
        archive.writestr("tpcds/readme.txt", "")
    return path


def test_queries_come_by_number_out_of_the_jar(jar: Path) -> None:
    found = sources.queries(jar)
    assert list(found) == ["q2", "q10", "q14a", "q14b"]
    assert found["q2"] == "select 'tpcds/q2.sql'\n"
    assert list(sources.queries(jar, with_later=True)) == ["q2", "q10", "q10a-v2.7", "q14a", "q14b"]


def test_some_queries_are_chosen(jar: Path) -> None:
    known = sources.queries(jar)
    assert list(sources.chosen(known, "q14a,q2")) == ["q14a", "q2"]
    assert sources.chosen(known, "") == known
    with pytest.raises(UserError, match="q99: expected some of q2,q10"):
        sources.chosen(known, "q99")


def test_duckdb_quotes_names_otherwise() -> None:
    assert sources.for_duckdb("select 1 as `order count `") == 'select 1 as "order count "'


def test_columns_of_a_table() -> None:
    kinds = {"i_item_sk": "INT", "i_item_id": "CHAR(16)", "i_current_price": "DECIMAL(7,2)"}
    assert schema.columns(ITEM) == kinds | {"i_item_desc": "VARCHAR(200)"}
    assert schema.is_padded(ITEM)
    assert not schema.is_padded(INVENTORY)
    assert schema.create("item", ITEM, Path("/d")) == f"create table item ({ITEM}) using parquet location '/d'"


def test_generated_columns_go_by_their_places() -> None:
    found = schema.select(ITEM, ["i_item_sk", "i_id", "i_current_price", "i_item_desc"], "t")
    assert found == (
        "select cast(`i_item_sk` as INT) as `i_item_sk`, cast(`i_id` as STRING) as `i_item_id`, "
        "cast(`i_current_price` as DECIMAL(7,2)) as `i_current_price`, cast(`i_item_desc` as STRING) as `i_item_desc` "
        "from t"
    )
    with pytest.raises(ValueError, match="3 columns were generated, the schema has 2"):
        schema.select(INVENTORY, ["a", "b", "c"], "t")
    with pytest.raises(ValueError, match="in the place of inv_date_sk"):
        schema.select(INVENTORY, ["inv_quantity_on_hand", "inv_date_sk"], "t")


def test_duckdb_reads_texts_without_blanks() -> None:
    assert schema.duckdb_source("item", ITEM, Path("/d")) == "/d/unpadded/item/*.parquet"
    assert schema.duckdb_source("inventory", INVENTORY, Path("/d")) == "/d/inventory/*.parquet"


def answer(rows: Rows, keys: list[int], limit: int | None = None, by_columns: bool = True) -> Answer:
    return Answer(rows, keys, by_columns, limit)


def test_rows_of_equal_keys_come_in_any_order() -> None:
    expected = answer([["a", 1], ["b", 1], ["c", 2]], [1])
    assert difference(answer([["b", 1], ["a", 1], ["c", 2]], [1]), expected) == ""
    assert "sort keys" in difference(answer([["a", 1], ["c", 2], ["b", 1]], [1]), expected)
    assert "rows 1 to 2: 'b' against 'a'" in difference(answer([["x", 1], ["b", 1], ["c", 2]], [1]), expected)
    assert difference(answer([["a", 1]], [1]), expected) == "1 rows instead of 3"


def test_a_limit_cuts_through_rows_of_equal_keys() -> None:
    rows, others = [["a", 1], ["b", 2], ["c", 2]], [["a", 1], ["x", 2], ["c", 2]]
    assert difference(answer(others, [1]), answer(rows, [1], limit=3)) == ""
    assert difference(answer(others, [1]), answer(rows, [1], limit=4)) != ""
    assert difference(answer(others, [1]), answer(rows, [1])) != ""
    # Rows before those at the limit have to be the same, and so do all where not every key is known.
    assert difference(answer([["x", 1], *rows[1:]], [1]), answer(rows, [1], limit=3)) != ""
    assert difference(answer(others, [1]), answer(rows, [1], limit=3, by_columns=False)) != ""
    assert difference(answer(rows[::-1], []), answer(rows, [], limit=3, by_columns=False)) == ""
    assert difference(answer(others, []), answer(rows, [], limit=3, by_columns=False)) != ""


def test_floats_are_equal_within_a_tolerance_as_keys_too() -> None:
    rows = [["a", 0.1 + 0.2], ["b", 0.3]]
    assert difference(answer([["b", 0.3], ["a", 0.3]], [1]), answer(rows, [1])) == ""
    assert difference(answer([["a", 0.31], ["b", 0.3]], [1]), answer(rows, [1])) != ""
    assert difference(answer([["a", "1.20"]], []), answer([["a", "1.2"]], [])) != ""


def test_an_answer_crosses_as_json() -> None:
    row = (1, 0.5, True, None, "x", Decimal("1.50"), date(2024, 1, 2), [1, Decimal("2.0")])
    assert cell(row) == [1, 0.5, True, None, "x", "1.50", "2024-01-02", [1, "2.0"]]
    reply = {"rows": [[1]], "keys": [0], "is_ordered_by_columns": True, "limit": 100}
    assert Answer.of(reply) == Answer([[1]], [0], True, 100)


def test_another_engine_has_about_the_same_rows() -> None:
    rows = [["a ", "1.20"], ["b", None]]
    assert is_about([["b", None], ["a", 1.2]], rows)
    assert is_about([["a", 1.2000001], ["b", None]], rows)
    assert not is_about([["a", 1.3], ["b", None]], rows)
    assert not is_about([["a", 1.2]], rows)


def entry(query: str, **changes: object) -> dict:
    costs = {"plain": [10.0, 9.0], "accelerated": [2.0, 1.0], "engine": [0.5], "duckdb": [1.0]}
    found = {"query": query, "error": {}, "difference": "", "not_native": "", "others": [], "cpu_s": costs}
    found |= {"spilled": 0, "bridged": {"names": [], "runs": [{"cpu_s": 2.0, "bridged_s": 0.0}]}}
    return found | changes


def test_totals() -> None:
    slow = entry("q2", cpu_s={"plain": [1.0], "accelerated": [3.0, 2.0]}, not_native="Window: no", difference="x")
    bridged = {"names": ["concat"], "runs": [{"cpu_s": 2.0, "bridged_s": 1.0}]}
    failed = entry("q3", error={"accelerated": "no memory"}, cpu_s={}, bridged=bridged)
    found = figures.totals([entry("q1", is_duckdb_equal=True), slow, failed])
    assert (found["queries"], found["native"], found["equal"]) == (3, 1, 1)
    assert found["not_native"] == found["not_equal"] == ["q2", "q3"]
    assert found["of_plain"] == {"queries": 2, "accelerated": 3.0, "plain": 10.0, "ratio": 0.3}
    assert found["of_duckdb"] == {"queries": 1, "engine": 0.5, "duckdb": 1.0, "ratio": 0.5}
    assert found["slower"] == ["q2"]
    assert found["bridged_share"] == pytest.approx(1 / 6)
    assert found["bridged"] == {"concat": 1}
    assert (found["not_alone"], found["not_on_duckdb"], found["other_on_duckdb"]) == ({}, [], [])
    assert figures.totals([])["of_plain"]["ratio"] is None


def test_what_the_engine_alone_is_not_compared_on() -> None:
    entries = [
        entry("q1", not_alone="2 captures"),
        entry("q2", duckdb_error="no `"),
        entry("q3", is_duckdb_equal=False),
    ]
    found = figures.totals(entries)
    assert (found["not_alone"], found["not_on_duckdb"]) == ({"q1": "2 captures"}, ["q2"])
    assert found["other_on_duckdb"] == ["q3"]
    assert "DuckDB does not run: q2\nDuckDB answers otherwise: q3" in report.summary(entries)


def test_what_was_spilled_is_told() -> None:
    entries = [entry("q1", spilled=3 << 20), entry("q2")]
    assert figures.totals(entries)["spilling"] == ["q1"]
    assert report.line(entries[0]).splitlines()[1].strip() == "spilled: 3 MB"
    assert "spilled: q1\n" in report.summary(entries) + "\n"


class Told(Worker):
    """Gives answers without a process, and counts how many."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, request: dict, _limit_s: float) -> dict:
        self.asked += 1
        return {"error": "no"} if request["sql"] == "fails" else {"rows": [[request["sql"]]]}


def test_plain_answers_are_kept_where_answers_alone_are_compared(tmp_path: Path) -> None:
    plain = Told()

    def answers(sql: str, pairs: int = 0, ansi: str = "on") -> dict:
        options = argparse.Namespace(pairs=0, spark="4.3", ansi=ansi, memory=None, threads=2, limit=1)
        found = measurement.Measurement(options, {"plain": plain}, tmp_path, tmp_path)
        found.options.pairs = pairs
        return found.plain_answer("q1", sql)

    assert answers("a") == answers("a") == {"rows": [["a"]]}
    assert plain.asked == 1
    assert answers("a", pairs=1) == answers("a", ansi="off") == {"rows": [["a"]]}
    assert plain.asked == 3
    assert answers("b") == {"rows": [["b"]]}
    assert answers("fails") == answers("fails") == {"error": "no"}
    assert plain.asked == 6


def test_queries_that_fail_alike() -> None:
    plain, mine = "ArithmeticException: [DIVIDE_BY_ZERO] x", "Py4JJavaError: o1\n: y: [DIVIDE_BY_ZERO] x"
    assert measurement.fail_alike({"plain": plain, "accelerated": mine})
    assert not measurement.fail_alike({"plain": plain, "accelerated": "[NO_MEMORY] x"})
    assert not measurement.fail_alike({"accelerated": mine})
    assert not measurement.fail_alike({"plain": "timed out", "accelerated": "timed out"})


def test_obstacles_are_told_by_reason_and_query() -> None:
    others = [["Window", "lacking", "no such frame", 2], ["Sort", "left", "", 1]]
    found = figures.obstacles([entry("q1", others=others), entry("q2", others=others[:1]), entry("q3", not_native="x")])
    assert found == [("Window (lacking): no such frame", ["q1", "q2"]), ("Sort (left)", ["q1"]), ("x", ["q3"])]
    text = report.summary([entry("q1", others=others, not_native="Window: no such frame"), entry("q2")])
    assert "2 equal, 1 native from scan to root of 2" in text
    assert "   1  Window (lacking): no such frame\n        q1" in text


def test_a_line_of_the_table() -> None:
    assert report.line(entry("q1")).split() == ["q1", "9.000", "1.000", "0.500", "1.000", "equal", "native"]
    lines = report.line(entry("q2", cpu_s={}, error={"plain": "out of time"})).splitlines()
    assert [line.split() for line in lines] == [["q2", "NOT", "EQUAL"], ["plain", "failed:", "out", "of", "time"]]


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    program = tmp_path / "program.py"
    benchmarks = Path(measurement.__file__).parents[1]
    program.write_text(PROGRAM.format(paths=[str(benchmarks), str(benchmarks.parent / "python")]))
    return Worker(tmp_path / "worker.log", tmp_path, [sys.executable, program], ["!"], {})


def test_a_worker_is_asked_and_starts_again_when_it_ended(worker: Worker) -> None:
    assert worker.ask({"sql": "a"}, 60) == {"said": "A!"}
    process = worker.process
    assert worker.ask({}, 60) == {"error": "KeyError: 'sql'"}
    assert worker.process is process
    assert worker.ask({"sql": "end"}, 60)["error"].startswith("the worker ended")
    assert worker.ask({"sql": "c"}, 60) == {"said": "C!"}
    worker.end()
    assert worker.process is None


def test_what_takes_too_long_is_ended(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tpcds.conversation.END_S", 0.1)
    assert worker.ask({"sql": "sleep"}, 0.5)["error"].startswith("timed out")
    assert worker.process is None
    assert worker.ask({"sql": "a"}, 60) == {"said": "A!"}
    worker.end()


def test_a_worker_that_does_not_start(tmp_path: Path) -> None:
    worker = Worker(tmp_path / "worker.log", tmp_path, [sys.executable, "-c", "print('no tables')"], [], {})
    assert worker.ask({"sql": "a"}, 60)["error"] == "the worker did not start: no tables\n"
