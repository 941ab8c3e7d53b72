"""Compares vanilla Spark, Accelerant, the engine alone and DuckDB on the same file with the same threads, in one go.

--record keeps the figures with commit, machine and versions under benchmarks/results; later runs are
shown against them.
"""

import argparse
import datetime
import importlib.metadata
import json
import subprocess
from pathlib import Path

import measurements
from accelerant import tpch

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
CAPTURES = ROOT / "build" / "bench" / "captures"
VERSIONED = ("duckdb", "pyarrow", "pyspark")

ROW = "{:<16}{:<14}{:>9}{:>9}{:>12}{:>12}{:>12}"


def measure(scale: float, threads: int, runs: int) -> dict[str, measurements.Times]:
    """Measures every engine; the answers are checked on the way."""
    table = tpch.generate(scale)["lineitem"]
    spark, accelerant = measurements.spark_times(table, threads, runs)
    captures = measurements.capture(table, CAPTURES, threads)
    return {
        "Spark": spark,
        "Accelerant": accelerant,
        "engine alone": measurements.engine_times(captures, threads, runs),
        "DuckDB": measurements.duckdb_times(table, threads, runs),
    }


def newest_record(name: str) -> dict | None:
    """Returns the last figures kept under a name."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.is_file() else None


def print_table(measured: dict[str, measurements.Times], before: dict | None) -> None:
    """Prints a line for each question and engine; CPU also as a share of Spark's, of DuckDB's and of the record's."""
    print()
    print(ROW.format("seconds, least", "", "wall", "CPU", "of Spark", "of DuckDB", "of record"))
    for question in measurements.QUESTIONS:
        for engine, times in measured.items():
            cpu = times[question]["cpu"]
            peers = [cpu / measured[peer][question]["cpu"] for peer in ("Spark", "DuckDB")]
            recorded = before["times"].get(engine, {}).get(question) if before else None
            shares = [*(f"{share:.2f}" for share in peers), f"{cpu / recorded['cpu']:.2f}" if recorded else "-"]
            print(ROW.format(question, engine, f"{times[question]['wall']:.3f}", f"{cpu:.3f}", *shares))


def record(name: str, measured: dict[str, measurements.Times], options: argparse.Namespace) -> None:
    """Keeps the figures with what they were measured on."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    content = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit.stdout.strip(),
        "scale": options.scale,
        "threads": options.threads,
        "runs": options.runs,
        "machine": measurements.machine(),
        "versions": {package: importlib.metadata.version(package) for package in VERSIONED},
        "times": measured,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n")


def main() -> None:
    """Measures, prints and, when asked to, records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=12, help="runs of each question; the least time counts")
    parser.add_argument("--record", action="store_true", help="keep the figures under benchmarks/results")
    options = parser.parse_args()
    name = f"tpch-sf{options.scale:g}-{options.threads}-threads"
    measured = measure(options.scale, options.threads, options.runs)
    before = newest_record(name)
    print_table(measured, before)
    machine = measurements.machine()
    print(f"\nlineitem at scale {options.scale:g}, {options.threads} threads")
    print(f"machine: {machine['processor']}, {machine['cores']} cores, load {machine['load']}")
    if before:
        print(f"record: {before['date']}, commit {before['commit'][:10]}, {before['machine']['processor']}")
    if options.record:
        record(name, measured, options)


if __name__ == "__main__":
    main()
