"""`accelerant bench tpch`: measures TPC-H on Accelerant and on other engines, one at a time, and compares the answers.

Nothing but the operating system's page cache is kept between runs. Beside the JSON file it leaves a chart, as PNG and
SVG.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import shlex
import tempfile
from dataclasses import asdict
from pathlib import Path

from accelerant import __version__, tpch
from accelerant.benchmark import comet
from accelerant.benchmark.engines import DRIVER_MEMORY, ENGINES, shuffle_folder
from accelerant.benchmark.presentation import draw, table
from accelerant.benchmark.results import Result, results_of
from accelerant.benchmark.task import Report, Task
from accelerant.errors import UserError
from accelerant.machine import cpu_info, memory_bytes, usable_cores

PEERS = [name for name in ENGINES if name != "accelerant"]
VERSIONED = ("pyspark", "duckdb", "polars", "tpchgen-cli")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("benchmark", choices=["tpch"])
    parser.add_argument("--scale", type=float, default=1, help="scale factor of the data; 1 by default")
    parser.add_argument(
        "--against",
        default="spark",
        metavar="ENGINES",
        help=f"also measure some of {','.join(PEERS)}; spark by default",
    )
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="where to write the figures")
    parser.add_argument("--queries", default=",".join(tpch.NAMES), help="some of q1,...,q22; all by default")
    parser.add_argument("--runs", type=int, default=3, help="hot runs of each query; the least counts")
    parser.add_argument("--threads", type=int, default=usable_cores(), help="cores that each engine may use")
    parser.add_argument("--data", type=Path, help="where the tables are, or are to be made")


def names(option: str, text: str, known: list[str]) -> list[str]:
    """Reads a list of names; raises UserError for one that is not known."""
    found = [name for name in text.split(",") if name]
    if unknown := [name for name in found if name not in known]:
        raise UserError(f"{option} {','.join(unknown)}: expected some of {','.join(known)}")
    return found


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


def measure(task: Task, engines: list[str], folder: Path) -> list[Result]:
    """Measures the engines one after the other. Spark goes first: its answers are those that others must have."""
    reports: dict[str, list[Report]] = {}
    for engine in sorted(engines, key=lambda name: name != "spark"):
        print(f"measuring {engine}", flush=True)
        reports[engine] = ENGINES[engine](task, folder)
    return [result for engine in engines for result in results_of(engine, reports[engine], reports.get("spark"))]


def earlier_results(path: Path) -> list[Result]:
    """Returns the results that a file of an earlier run holds."""
    return [Result(**entry) for entry in json.loads(path.read_text())["results"]] if path.is_file() else []


def circumstances(options: argparse.Namespace, engines: list[str]) -> dict[str, object]:
    """Describes what the figures hold for."""
    settings = {
        "threads": options.threads,
        "hot_runs": options.runs,
        "driver_memory": DRIVER_MEMORY,
        "shuffle_folder": str(shuffle_folder()),
    }
    with_comet = "comet" in engines
    return {
        "benchmark": "tpch",
        "scale": options.scale,
        "data": shlex.join(["tpchgen-cli", *tpch.data_command(options.scale)[1:]]),
        "settings": settings | ({"comet_off_heap_memory": comet.OFF_HEAP} if with_comet else {}),
        "machine": machine(),
        "versions": versions() | (comet.versions() if with_comet else {}),
    }


def run(options: argparse.Namespace) -> int:
    """Measures, writes figures and chart, prints the table; returns 1 when an answer is not equal."""
    engines = ["accelerant", *names("--against", options.against, PEERS)]
    chosen = names("--queries", options.queries, list(tpch.NAMES))
    files = {name: str(path) for name, path in tpch.generate(options.scale, options.data).items()}
    queries = {name: tpch.query(name, options.scale) for name in chosen}
    task = Task(files, queries, options.threads, options.runs, options.scale)
    before = earlier_results(options.json)
    with tempfile.TemporaryDirectory(prefix="accelerant-bench-") as folder:
        results = measure(task, engines, Path(folder))
    context = circumstances(options, engines)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    content = context | {"results": [asdict(result) for result in results]}
    options.json.write_text(json.dumps(content, indent=1) + "\n")
    print(table(results, before))
    for name, value in context.items():
        print(f"{name}: {value if not isinstance(value, dict) else ', '.join(f'{k} {v}' for k, v in value.items())}")
    described = f"{context['machine']['processor']}, {options.threads} threads; {context['data']}"
    charts = draw(results, options.json, f"TPC-H at scale {options.scale:g}", described)
    print(f"figures: {options.json}; chart: {', '.join(map(str, charts))}")
    return 1 if any(result.equal is False for result in results) else 0
