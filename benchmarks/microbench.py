"""Measures the engine's hot operators and functions, each alone on one thread, and prints rows and bytes a second.

The last column is what memory moves in the same process (STREAM's triad): how far an operator could still go.
"""

import argparse
import json
import subprocess
from pathlib import Path

import encoded_files

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "engine_bench"
FOLDER = ROOT / "build" / "bench"
ROW = "{:<40}{:>10}{:>12}{:>8}{:>11}{:>10}"


def measure(words: str, repetitions: int) -> dict:
    """Runs the benchmarks whose names match a regular expression and returns Google Benchmark's report."""
    report = FOLDER / "micro.json"
    options = [f"--benchmark_filter={words}", f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.1"]
    outputs = [f"--benchmark_out={report}", "--benchmark_out_format=json"]
    command = [PROGRAM, FOLDER / "encoded", *options, *outputs]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())


def fastest(report: dict) -> dict[str, dict]:
    """Returns the run of each benchmark that took least processor time: nothing but disturbance makes one longer."""
    found: dict[str, dict] = {}
    for run in report["benchmarks"]:
        if (
            run["run_type"] == "iteration"
            and run["cpu_time"] < found.get(run["name"], run | {"cpu_time": 1e30})["cpu_time"]
        ):
            found[run["name"]] = run
    return found


def table(report: dict) -> str:
    """Returns a line for each benchmark."""
    memory = float(report["context"]["memory_bytes_per_second"])
    lines = [ROW.format("benchmark", "CPU ms", "M rows/s", "GB/s", "of memory", "ns a row")]
    for name, run in fastest(report).items():
        rows, moved = run["items_per_second"], run["bytes_per_second"]
        figures = (f"{run['cpu_time'] / 1e6:.3f}", f"{rows / 1e6:.1f}", f"{moved / 1e9:.2f}", f"{moved / memory:.1%}")
        lines.append(ROW.format(name, *figures, f"{1e9 / rows:.2f}"))
    return "\n".join([*lines, f"memory: {memory / 1e9:.1f} GB/s"])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="?", default=".", help="a regular expression; all benchmarks by default")
    parser.add_argument("--repetitions", type=int, default=3, help="the least counts")
    options = parser.parse_args()
    encoded_files.make_all(FOLDER / "encoded")
    print(table(measure(options.names, options.repetitions)))


if __name__ == "__main__":
    main()
