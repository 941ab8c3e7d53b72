import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accelerant import __version__, artifacts, conf, doctor, functions, machine
from accelerant.command import main


@pytest.fixture
def in_checkout(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("accelerant.artifacts.find.__defaults__", ({}, checkout / "python" / "accelerant"))
    return checkout


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"accelerant {__version__}\n"


def test_conf_formats(in_checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conf", "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["spark.plugins"] == "io.accelerant.spark.AccelerantPlugin"
    assert main(["conf"]) == 0
    assert capsys.readouterr().out.startswith("--conf spark.plugins=io.accelerant.spark.AccelerantPlugin\n")
    assert conf.as_properties({"a": "b c"}) == "a b c\n"
    assert conf.as_options({"a": "b c"}) == "--conf 'a=b c'\n"


def test_user_errors_are_one_line(in_checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_checkout / "build/dev/accelerant-replay").unlink()
    assert main(["replay", "x"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("accelerant: ")
    assert captured.err.count("\n") == 1


def test_submit_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", "--help"]) == 0
    assert "accelerant submit [spark-submit options] JOB" in capsys.readouterr().out


def test_doctor_names_each_problem(in_checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_checkout / "build/jvm/accelerant-spark.jar").unlink()
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    problems = [line for line in lines if line.startswith("!")]
    assert any("accelerant-spark.jar is missing  ->  run `make build" in line for line in problems)
    assert any("libaccelerant.so cannot be loaded" in line for line in problems)
    assert any("spark.accelerant.memory.limit says what the engine takes of it" in line for line in lines)
    assert "  gpu      the engine's library does not say" in lines
    assert lines[-1] == f"{len(problems)} problems"


def test_doctor_says_why_no_gpu_is_used() -> None:
    finding = doctor.check_gpu()
    assert "GPU" in finding.text
    assert finding.remedy is None


def test_doctor_refuses_an_old_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "cpu_info", lambda: {"model name": "Old", "flags": "sse sse2"})
    monkeypatch.setattr(machine, "system", lambda: "Linux x86_64")
    finding = doctor.check_processor()
    assert finding.text.startswith("Old lacks cx16, ")
    assert finding.remedy


def test_container_limit(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text("1048576\n")
    assert machine.cgroup_memory_bytes((str(tmp_path / "none"), str(limit))) == 1048576
    limit.write_text("max\n")
    assert machine.cgroup_memory_bytes((str(limit),)) is None


def test_artifacts_of_this_checkout() -> None:
    assert artifacts.find().jar_path.name == "accelerant-spark.jar"


def test_functions_of_the_engine() -> None:
    found = {(item.sql, item.arguments, item.result) for item in functions.signatures()}
    assert ("expr IS NULL", ("any",), "boolean") in found
    assert any(arguments == ("date", "int") and result == "date" for _, arguments, result in found)
    aggregates = {(item.sql, item.arguments, item.result, item.words) for item in functions.aggregate_signatures()}
    assert ("sum(expr)", ("int",), "bigint", ("can-fail", "computed")) in aggregates
    assert ("max(expr)", ("date",), "date", ()) in aggregates


@pytest.mark.parametrize("words", [["--help"], ["functions"], ["doctor"]])
def test_output_that_nobody_reads_ends_without_a_trace(words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "accelerant", *words]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")
