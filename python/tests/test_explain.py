import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from accelerant import explain
from accelerant.command import main
from accelerant.explain_rows import NodeRows, table
from accelerant.spark_settings import PLUGIN

TITLE = "== Extended Information (Accelerant) ==\n"


@pytest.fixture
def environment(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A Spark with settings of its user."""
    home = tmp_path / "spark"
    for name in ("bin/spark-submit", "conf/spark-defaults.conf"):
        path = home / name
        path.parent.mkdir(parents=True)
        path.touch()
    (home / "conf" / "spark-defaults.conf").write_text("spark.plugins Mine\nspark.jars mine.jar\nspark.master yarn\n")
    monkeypatch.setattr("accelerant.artifacts.find.__defaults__", ({}, checkout / "python" / "accelerant"))
    return {"SPARK_HOME": str(home)}


def explained(*arguments: str) -> subprocess.CompletedProcess:
    """Runs the command in a process of its own, as it stops its Spark."""
    command = [sys.executable, "-m", "accelerant", "explain", *arguments]
    package = str(Path(explain.__file__).parents[1])
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": package}
    )


def error_of(run: subprocess.CompletedProcess) -> str:
    """Returns the line that a failed command told its user."""
    assert run.returncode == 1, run.stdout
    assert "Traceback" not in run.stderr
    assert "\tat " not in run.stderr
    told = [line for line in run.stderr.splitlines() if line.startswith("accelerant: ")]
    assert run.stderr.splitlines()[-1:] == told
    return told[0]


def test_users_settings_are_kept(environment: dict[str, str], checkout: Path) -> None:
    users = {"spark.driver.extraClassPath": "/mine", "spark.jars": "a.jar, b.jar", "spark.ui.enabled": "true"}
    found = explain.session_settings(users, environment)
    assert found["spark.plugins"] == f"Mine,{PLUGIN}"
    assert found["spark.jars"] == f"a.jar,b.jar,{checkout / 'build/jvm/accelerant-spark.jar'}"
    assert found["spark.driver.extraClassPath"] == "/mine"
    assert found["spark.ui.enabled"] == "true"
    # Spark's defaults may name a cluster: nothing is run, so none is asked.
    assert found["spark.master"] == "local[*]"
    assert explain.session_settings({"spark.master": "local[3]"}, environment)["spark.master"] == "local[3]"


def test_lists_of_spark_defaults_are_kept(environment: dict[str, str]) -> None:
    assert explain.session_settings({}, environment)["spark.jars"].startswith("mine.jar,/")


def test_the_report_is_found() -> None:
    explanation = f"== Physical Plan ==\nX\n\n{TITLE}2 of 2 operators run natively\n* A\n* B\n\n"
    assert explain.native_report(explanation, "true") == "2 of 2 operators run natively\n* A\n* B"


@pytest.mark.parametrize(
    ("explanation", "switched_on", "message"),
    [
        ("", "true", "no report: Accelerant's plugin is not in this session"),
        (TITLE, "false", "no report: spark.accelerant.enabled is false"),
        (TITLE, "true", "nothing to run natively: "),
    ],
)
def test_a_missing_report_has_a_reason(explanation: str, switched_on: str, message: str) -> None:
    assert explain.native_report(f"== Physical Plan ==\nX\n\n{explanation}", switched_on).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-e", " ; "], "no SQL statement given"),
        (["/none.sql"], "/none.sql does not exist"),
        (["-e", "select 1", "--view", "x"], "--view x: expected NAME=VALUE"),
        (["-e", "select 1", "--conf", "=x"], "--conf =x: expected NAME=VALUE"),
    ],
)
def test_mistakes_are_named(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["explain", *arguments]) == 1
    assert capsys.readouterr().err == f"accelerant: {message}\n"


def test_a_file_that_is_no_text_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "data.sql"
    path.write_bytes(b"\xff\xfe")
    assert main(["explain", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"accelerant: cannot read {path}: ")


def test_pairs() -> None:
    assert explain.pairs("--view", ["a=b=c"]) == {"a": "b=c"}


def test_messages_are_one_line() -> None:
    assert explain.first_line("\n  [CODE] what\n\n== SQL ==\nselect\n") == "[CODE] what"
    assert explain.shortened("select\n  1") == "select 1"
    assert len(explain.shortened("select " + "x, " * 100)) == 60


def test_statements_are_explained_until_one_is_wrong() -> None:
    sql = """create temporary view v as select * from range(9);
        select sum(id) from v;
        create table q (i int);
        set spark.accelerant.enabled=false;
        select max(id) from v;
        select x from nowhere"""
    run = explained("-e", sql)
    native, command, plain = (part.partition("\n")[2] for part in run.stdout.strip().split("\n\n"))
    assert native.startswith("3 of 3 operators run natively\n")
    assert command.startswith("nothing to run natively: ")
    assert plain == "no report: spark.accelerant.enabled is false"
    assert error_of(run).startswith("accelerant: cannot plan `select x from nowhere`: [TABLE_OR_VIEW_NOT_FOUND]")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--view", "t=/none", "-e", "select 1"], "--view t=/none: [PATH_NOT_FOUND] "),
        (["-e", "selec 1"], "cannot parse `selec 1`: [PARSE_SYNTAX_ERROR] "),
        (["--conf", "spark.accelerant.none=1", "-e", "select 1"], "cannot start Spark: "),
    ],
)
def test_errors_of_spark_are_one_line(arguments: list[str], message: str) -> None:
    assert error_of(explained(*arguments)).startswith(f"accelerant: {message}")


def test_queries_are_run_and_commands_are_not(tmp_path: Path) -> None:
    target = tmp_path / "written"
    sql = f"""create temporary view v as select id, id % 4 as n from range(1000);
        select n, count(*) from v where id < 500 group by n;
        insert overwrite directory '{target}' using parquet select * from v"""
    run = explained("--run", "-e", sql)
    assert run.returncode == 0, run.stderr
    assert "4 rows in " in run.stdout
    assert run.stdout.count(" rows in ") == 1
    assert not target.exists()
    headings, *lines = run.stdout.partition("estimated")[2].partition("\n4 rows")[0].splitlines()
    assert headings.split() == ["factor", "CPU", "s", "operator"]
    rows = {line.split()[-1]: line.split()[0] for line in lines}
    assert rows["NativeRange"] == "1,000"
    assert rows["NativeHashAggregate"] in ("4", "500")


def test_crossings_are_told(tmp_path: Path) -> None:
    sql = """create temporary view v as select id, id % 4 as n from range(1000);
        select sum(r), max(soundex(string(id))) from (select *, count(*) over
        (order by id rows between 2000000000 preceding and current row) as r from v)"""
    run = explained("--run", "-e", sql)
    assert run.returncode == 0, run.stderr
    brought = r"^1,000 rows brought to the engine from Window in \d+\.\d{3} s$"
    assert re.search(brought, run.stdout, re.MULTILINE), run.stdout
    told = r"^1,000 rows computed by Spark's code in Native\w+ in \d+\.\d{3} s$"
    assert re.search(told, run.stdout, re.MULTILINE), run.stdout


@pytest.mark.parametrize("encrypted", ["false", "true"])
def test_spilled_bytes_are_told(encrypted: str) -> None:
    sql = """select max(r), max(a) from (select *, row_number() over (order by a) as r from
        (select id % 10007 * 7919 % 1000003 as a from range(2000000)))"""
    settings = [f"spark.io.encryption.enabled={encrypted}", "spark.accelerant.memory.limit=16m"]
    run = explained("--run", *(word for setting in settings for word in ("--conf", setting)), "-e", sql)
    assert run.returncode == 0, run.stderr
    assert re.search(r"^[1-9][\d,]+ bytes spilled by Native\w+$", run.stdout, re.MULTILINE), run.stdout


def test_estimates_far_off_are_marked() -> None:
    ran = [NodeRows("NativeSort", 0, 4000, 40, 0.25), NodeRows("NativeRange", 1, 1000, 1100, 0.5), NodeRows("X", 2)]
    assert table(ran).splitlines() == [
        " rows  estimated  factor  CPU s  operator",
        "4,000         40   ! 100  0.250  NativeSort",
        "1,000      1,100   0.909  0.500    NativeRange",
        "                                     X",
    ]
