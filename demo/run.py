"""Runs demo/job.py on plain Spark and with Accelerant, and compares times and answers step by step, with a chart."""

import argparse
import sys
from pathlib import Path

from accelerant import tpch
from accelerant.bench import machine, versions
from accelerant.benchmark.engines import run_program, submit_command
from accelerant.benchmark.presentation import draw, table
from accelerant.benchmark.results import results_of
from accelerant.benchmark.task import Report, read_reports
from accelerant.machine import usable_cores

ROOT = Path(__file__).resolve().parent.parent
JOB = ROOT / "demo" / "job.py"
FOLDER = ROOT / "build" / "demo"


def run_job(engine: str, data: Path, threads: int, runs: int) -> list[Report]:
    """Runs the job on an engine and returns what it reports."""
    print(f"running the job on {engine}, {runs + 1} times each of its steps:", flush=True)
    report = FOLDER / f"{engine}.json"
    job = [JOB, data, FOLDER / f"{engine}-facts", report, runs]
    run_program([*submit_command(engine == "accelerant", threads), *job], FOLDER / f"{engine}.log")
    return read_reports(report)


def main() -> int:
    """Runs the demo; returns 1 when an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor")
    parser.add_argument("--threads", type=int, default=min(usable_cores(), 8), help="Spark's cores, local[N]")
    parser.add_argument("--runs", type=int, default=2, help="runs of each step after one that does not count")
    options = parser.parse_args()
    data = tpch.generate(options.scale)["lineitem"].parent
    reports = {name: run_job(name, data, options.threads, options.runs) for name in ("spark", "accelerant")}
    results = [result for name in reports for result in results_of(name, reports[name], reports["spark"])]
    print(f"\n{table(results)}")
    found = machine()
    print(
        f"\nTPC-H tables at scale {options.scale:g}; Spark {versions()['pyspark']}, local[{options.threads}]; "
        f"{found['processor']}, {found['cores']} cores, {found['memory_gib']} GiB.\n"
        f"The least of {options.runs} hot runs in one process each; CPU is the JVM's with its child processes."
    )
    notes = f"{found['processor']}, {options.threads} threads, TPC-H tables at scale {options.scale:g}"
    charts = draw(results, FOLDER / "demo", "One job, plain and accelerated", notes)
    print("chart:", ", ".join(str(path.relative_to(ROOT)) for path in charts))
    differing = [result.query for result in results if result.equal is False]
    print(f"Answers DIFFER: {', '.join(differing)}." if differing else "All answers are equal.")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
