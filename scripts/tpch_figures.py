"""Two small queries of TPC-H at scale 1, measured many times, and replays of all of them under sanitizers."""

import json
import shutil
import subprocess
from dataclasses import asdict
from functools import cache
from pathlib import Path

import evidence
from accelerant import tpch
from accelerant.benchmark.engines import ENGINES
from accelerant.benchmark.replays import ask_replays, capture, replay, replayers
from accelerant.benchmark.results import Result as Figure
from accelerant.benchmark.results import results_of
from accelerant.benchmark.task import Report, Task
from accelerant.benchmark.workloads import WORKLOADS, make_task
from evidence import Result

ROOT = Path(__file__).resolve().parent.parent
PRESET = "release"
THREADS = 2
# The JVM compiles what a small question runs for some thirty runs.
SMALL_RUNS = 40
SMALL = ("q1", "q6")


def task(scale: float, names: tuple[str, ...], runs: int) -> Task:
    """Returns the task of asking queries at a scale."""
    return make_task(WORKLOADS["tpch"], THREADS, runs, scale, ",".join(names))


@cache
def reports(engine: str) -> list[Report]:
    """Measures the small queries on an engine at scale 1, once."""
    asked, folder = task(1, SMALL, SMALL_RUNS), evidence.RESULTS / "bench-small"
    if engine in ENGINES:
        return ENGINES[engine](asked, folder)
    return ask_replays(asked, folder, replayers([engine], THREADS))[engine]


@cache
def figures(engine: str) -> dict[str, Figure]:
    """Returns an engine's figures by query."""
    found = results_of(engine, reports(engine), None)
    kept = evidence.RESULTS / f"tpch-{engine}-small.json"
    kept.write_text(json.dumps([asdict(figure) for figure in found], indent=1) + "\n")
    return {figure.query: figure for figure in found}


def against(peer: str, query: str, limit: float) -> Result:
    """Compares processor seconds: through PySpark with Spark's, of the engine alone with DuckDB's."""
    ours = figures("accelerant" if peer == "spark" else "engine")[query].cpu_s
    theirs = figures(peer)[query].cpu_s
    return Result(f"{ours:.3f} s against {theirs:.3f} s: {ours / theirs:.2f}", ours <= theirs * limit)


@cache
def captures(scale: float) -> dict[str, Path]:
    """Captures all queries once at a scale."""
    folder = evidence.RESULTS / f"captures-{scale:g}"
    shutil.rmtree(folder, ignore_errors=True)
    return capture(task(scale, tpch.NAMES, 0), folder)


def sanitized_replay(preset: str) -> Result:
    """Replays captures in a build with sanitizers; any report of theirs ends a replay with an error."""
    for name, path in captures(0.1).items():
        command = ["scripts/sanitize", "replay", preset, str(path)]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            log = evidence.RESULTS / f"replay-{preset}-{name}.log"
            log.write_text(run.stdout + run.stderr)
            return Result(f"{name}: status {run.returncode}, see {log.relative_to(ROOT)}", False)
    return Result(f"{len(captures(0.1))} replays with {THREADS} threads, no report", True)


def longest_stretches(limit_ms: float) -> Result:
    """Replays all queries at scale 1: how long a thread works without a look at whether its query was cancelled."""
    engine = replayers(["engine"], THREADS)["engine"]
    found = []
    for name, path in captures(1).items():
        replay(path, engine)
        nodes = json.loads(path.with_suffix(".json").read_text())["operators"]
        found += [(1e3 * node["longest_step_s"], f"{node['name']} of {name}") for node in nodes]
    found.sort(reverse=True)
    shown = ", ".join(f"{milliseconds:.1f} ms {where}" for milliseconds, where in found[:3])
    return Result(f"{len(found)} operators; the longest: {shown}", found[0][0] <= limit_ms)
