"""Measures a question on vanilla Spark, on Accelerant, on the engine alone and on DuckDB, each in a process of its own.

Every program asks each question several times in one process: the first runs warm it up, and the least time of all runs
is what counts, as nothing but disturbance makes a run longer than it needs to be.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "demo"))

import job_run
from accelerant import artifacts, tpch
from accelerant.machine import cpu_info, memory_bytes, usable_cores

ROOT = Path(__file__).resolve().parent.parent

# Not of TPC-H: a filter and a projection whose rows all leave the engine.
FILTER_PROJECT = """
    select l_orderkey, l_shipdate, l_shipmode, l_extendedprice * (1 - l_discount) as price
    from lineitem
    where l_shipdate >= date '1998-09-01' and l_quantity >= 45"""

# Question: its name in demo/job.py, and its SQL.
QUESTIONS = {
    "Q1": ("Q1, SQL", tpch.query("q1")),
    "Q6": ("Q6, SQL", tpch.query("q6")),
    "filter-project": ("filter, toPandas", FILTER_PROJECT),
}

CAPTURE_JOB = ROOT / "benchmarks" / "capture_job.py"
DUCKDB_PEER = ROOT / "benchmarks" / "duckdb_peer.py"

Times = dict[str, dict[str, float]]


class MeasurementError(RuntimeError):
    """A program that was to be measured failed, gave a wrong answer or did not run natively."""


def program_output(command: list[object], environment: dict[str, str] | None = None) -> str:
    """Runs a program and returns what it prints; raises MeasurementError with the end of its output when it fails."""
    words = [str(word) for word in command]
    run = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | (environment or {}))
    if run.returncode != 0:
        tail = "\n".join((run.stdout + run.stderr).splitlines()[-15:])
        raise MeasurementError(f"{Path(words[0]).name} ended with status {run.returncode}:\n{tail}")
    return run.stdout


def least(runs: list[dict[str, float]]) -> dict[str, float]:
    """Returns the least wall and processor time of several runs."""
    return {kind: min(run[kind] for run in runs) for kind in ("wall", "cpu")}


def spark_times(table: Path, threads: int, runs: int) -> tuple[Times, Times]:
    """Returns the times of vanilla Spark and of Accelerant; the answers must be equal and wholly native."""
    plain, accelerated = (job_run.run_job(native, table, threads, runs)["answers"] for native in (False, True))
    names = {job_name: question for question, (job_name, _) in QUESTIONS.items()}
    found: tuple[Times, Times] = ({}, {})
    for before, after in zip(plain, accelerated, strict=True):
        native, reasons = job_run.native_report(after)
        if not native.startswith("all "):
            raise MeasurementError(f"{after['name']}: native: {native}; {'; '.join(reasons)}")
        if before["digest"] != after["digest"]:
            raise MeasurementError(f"{after['name']}: the answers differ")
        if before["name"] in names:
            for times, answer in zip(found, (before, after), strict=True):
                times[names[before["name"]]] = least(answer["times"])
    return found


def capture(table: Path, folder: Path, threads: int) -> dict[str, Path]:
    """Captures each question through PySpark and returns its file."""
    questions = json.dumps({name: sql for name, (_, sql) in QUESTIONS.items()})
    command = [job_run.BIN / "accelerant", "submit", "--master", f"local[{threads}]"]
    job = [CAPTURE_JOB, table, folder, questions]
    program_output([*command, "--conf", "spark.ui.enabled=false", *job], {"PYSPARK_PYTHON": sys.executable})
    return {name: next((folder / name).glob("*.accq")) for name in QUESTIONS}


def replay(captured: Path, threads: int, runs: int, preset: str | None = None) -> dict:
    """Replays a captured query on the engine alone and returns its report."""
    environment = {artifacts.BUILD_VARIABLE: preset} if preset else {}
    program = artifacts.find(os.environ | environment).replay()
    report = captured.with_suffix(".json")
    program_output([program, captured, "--threads", threads, "--repeat", runs, "--json", report])
    found = json.loads(report.read_text())
    if not found["equal"]:
        raise MeasurementError(f"the replay of {captured.parent.name} differs: {found['differences']}")
    return found


def engine_times(captures: dict[str, Path], threads: int, runs: int) -> Times:
    """Returns the times of the engine alone."""
    found = {}
    for name, path in captures.items():
        report = replay(path, threads, runs)
        found[name] = least([{"wall": run["wall_s"], "cpu": run["cpu_s"]} for run in report["runs"]])
    return found


def duckdb_times(table: Path, threads: int, runs: int) -> Times:
    """Returns the times of DuckDB over the same file."""
    questions = json.dumps({name: sql for name, (_, sql) in QUESTIONS.items()})
    options = ["--threads", threads, "--runs", runs]
    found = json.loads(program_output([sys.executable, DUCKDB_PEER, table, questions, *options]))
    return {name: least(times) for name, times in found.items()}


def machine() -> dict[str, object]:
    """Describes the machine, for the record that goes with figures."""
    return {
        "processor": cpu_info().get("model name", "unknown"),
        "cores": usable_cores(),
        "memory_gib": round(memory_bytes() / 2**30, 1),
        "load": round(os.getloadavg()[0], 1),
    }
