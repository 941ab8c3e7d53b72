"""`accelerant bench`: measures a workload on Accelerant and on other engines, one at a time, and compares the answers.

Nothing but the operating system's page cache is kept between runs. Beside the JSON file it leaves a chart, as PNG and
SVG.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from accelerant import __version__
from accelerant.benchmark import comet
from accelerant.benchmark.engines import DRIVER_MEMORY, ENGINES, shuffle_folder
from accelerant.benchmark.presentation import beside_previous, draw, table
from accelerant.benchmark.replays import ask_replays, replayers
from accelerant.benchmark.results import REPLAYS, Result, read_results, results_of
from accelerant.benchmark.task import Report, Task
from accelerant.benchmark.workload import Workload
from accelerant.benchmark.workloads import WORKLOADS, make_task, names
from accelerant.errors import UserError
from accelerant.generated_data import CHECKOUT
from accelerant.machine import cpu_info, memory_bytes, usable_cores

PEERS = [*(name for name in ENGINES if name != "accelerant"), *REPLAYS]
VERSIONED = ("pyspark", "duckdb", "polars", "tpchgen-cli")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    units = "; ".join(f"{name}: {workload.scale_unit}" for name, workload in WORKLOADS.items())
    parser.add_argument("benchmark", choices=WORKLOADS)
    parser.add_argument("--scale", type=float, help=f"how much data; {units}")
    parser.add_argument(
        "--against",
        default="spark",
        metavar="ENGINES",
        help=f"also measure some of {','.join(PEERS)}; spark by default",
    )
    parser.add_argument("--alone", action="store_true", help="measure only those engines, not Accelerant through Spark")
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="where to write the figures")
    parser.add_argument("--before", type=Path, metavar="FILE", help="earlier figures to show; what FILE has by default")
    parser.add_argument(
        "--previous", type=Path, metavar="FOLDER", help="another build, or the lib folder of a wheel, for `previous`"
    )
    parser.add_argument("--queries", default="", metavar="NAMES", help="some queries; all by default")
    parser.add_argument(
        "--runs",
        type=int,
        default=3,
        help="hot runs of each query; the least counts, and every one where builds take turns",
    )
    parser.add_argument("--threads", type=int, default=usable_cores(), help="cores that each engine may use")
    parser.add_argument("--memory", metavar="SIZE", help="what each engine may use, but plain Spark: 1g, say")
    parser.add_argument("--data", type=Path, help="where the tables are, or are to be made")


def machine() -> dict[str, object]:
    """Describes the machine."""
    return {
        "processor": cpu_info().get("model name", "unknown"),
        "cores": usable_cores(),
        "memory_gib": round(memory_bytes() / 2**30, 1),
        "load": round(os.getloadavg()[0], 1),
    }


def versions() -> dict[str, str]:
    """Returns the versions of all that is measured."""
    found = {"accelerant": __version__}
    for package in VERSIONED:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "none"
    return found


def measure(task: Task, engines: list[str], folder: Path, previous: Path | None = None) -> list[Result]:
    """Measures the engines one after the other. Spark goes first: its answers are those that others must have.

    Replays of the engine alone take turns.
    """
    reports: dict[str, list[Report]] = {}
    builds = replayers([name for name in engines if name in REPLAYS], task.threads, previous, task.memory)
    for engine in sorted((name for name in engines if name in ENGINES), key=lambda name: name != "spark"):
        print(f"measuring {engine}:", flush=True)
        reports[engine] = ENGINES[engine](task, folder)
    if builds:
        reports |= ask_replays(task, folder, builds)
    for engine, found in reports.items():
        if lacking := set(task.queries) - {report.query for report in found}:
            print(f"{engine} cannot run {', '.join(sorted(lacking))}")
    return [result for engine in engines for result in results_of(engine, reports[engine], reports.get("spark"))]


def earlier_results(options: argparse.Namespace) -> list[Result]:
    """Returns the results of an earlier run; raises UserError when the file that should hold them is missing."""
    path = options.before or options.json
    if not path.is_file():
        if options.before:
            raise UserError(f"--before {path}: there is no such file")
        return []
    return read_results(json.loads(path.read_text()))


def commit() -> str:
    """Returns the commit of the checkout, with `-dirty` behind it where files differ; empty outside of one."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    run_git = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return run_git.stdout.strip()


def circumstances(options: argparse.Namespace, task: Task, engines: list[str]) -> dict[str, object]:
    """Describes what the figures hold for. To be called before the measurement, whose own load does not count."""
    settings = {
        "threads": task.threads,
        "hot_runs": task.runs,
        "memory": task.memory or "by default",
        "driver_memory": DRIVER_MEMORY,
        "shuffle_folder": str(shuffle_folder()),
    }
    with_comet = "comet" in engines
    return {
        "benchmark": options.benchmark,
        "command": shlex.join(["accelerant", *sys.argv[1:]]),
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "scale": task.scale,
        "data": WORKLOADS[options.benchmark].origin(task.scale),
        "settings": settings | task.spark_settings | ({"comet_off_heap_memory": comet.OFF_HEAP} if with_comet else {}),
        "machine": machine(),
        "versions": versions() | (comet.versions() if with_comet else {}),
    }


def task_of(workload: Workload, options: argparse.Namespace) -> Task:
    """Returns the task that the options describe."""
    scale = workload.scale if options.scale is None else options.scale
    memory = workload.memory if options.memory is None else options.memory
    return make_task(workload, options.threads, options.runs, scale, options.queries, options.data, memory)


def run(options: argparse.Namespace) -> int:
    """Measures, writes figures and chart, prints the table; returns 1 when an answer is not equal."""
    workload = WORKLOADS[options.benchmark]
    engines = names("--against", options.against, workload.peers)
    engines = engines if options.alone else ["accelerant", *engines]
    task = task_of(workload, options)
    before = earlier_results(options)
    context = circumstances(options, task, engines)
    with tempfile.TemporaryDirectory(prefix="accelerant-bench-") as folder:
        results = measure(task, engines, Path(folder), options.previous)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    content = context | {"results": [asdict(result) for result in results]}
    options.json.write_text(json.dumps(content, indent=1) + "\n")
    print(table(results, before))
    if pairs := beside_previous(results):
        print(pairs)
    print(lines_of(context))
    charts = draw(results, options.json, *captions(content))
    print(f"figures: {options.json}; chart: {', '.join(map(str, charts))}")
    return 1 if any(result.equal is False for result in results) else 0


def lines_of(context: dict[str, object]) -> str:
    """Returns circumstances for people, a line each."""
    shown = {
        name: ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        for name, value in context.items()
    }
    return "\n".join(f"{name}: {value}" for name, value in shown.items())


def captions(content: dict) -> tuple[str, str]:
    """Returns the title of a chart of figures, and what it says below them."""
    title = f"{WORKLOADS[content['benchmark']].title} at scale {content['scale']:g}"
    return title, f"{content['machine']['processor']}, {content['settings']['threads']} threads; {content['data']}"
