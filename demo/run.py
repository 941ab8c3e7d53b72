"""Runs demo/job.py on plain Spark and with Accelerant, and compares times and answers."""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from accelerant.explain import REPORT
from accelerant.machine import cpu_info, memory_bytes, usable_cores
from accelerant.spark_home import spark_home

ROOT = Path(__file__).resolve().parent.parent
JOB = ROOT / "demo" / "job.py"
BIN = Path(sys.executable).parent

COLUMNS = "{:<18}{:>8}{:>8}{:>12}{:>8}{:>9}{:>8}{:>8}  {}"
OPERATORS = re.compile(r"(\d+) of (\d+) operators")


def make_data(scale: str) -> Path:
    """Generates lineitem once and returns its file."""
    folder = ROOT / "build" / "data" / f"sf{scale}"
    table = folder / "lineitem.parquet"
    if not table.is_file():
        print(f"generating TPC-H lineitem at scale {scale} into {table.relative_to(ROOT)}", flush=True)
        partial = folder / "partial"
        command = [BIN / "tpchgen-cli", "parquet", "-s", scale, "--tables", "lineitem", "--output-dir", partial]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        (partial / "lineitem.parquet").rename(table)
        partial.rmdir()
    return table


def run_job(label: str, submit: list[str], table: Path, options: argparse.Namespace) -> dict:
    """Runs the job in a process of its own and returns its report; ends the demo when the job fails."""
    report = ROOT / "build" / "demo" / f"{label}.json"
    log = report.with_suffix(".log")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    print(f"running the job: {label}", flush=True)
    spark = ["--master", f"local[{options.threads}]", "--conf", "spark.ui.enabled=false", "--driver-memory", "2g"]
    command = [*submit, *spark, str(JOB), str(table), str(report), "--runs", str(options.runs)]
    with log.open("w") as output:
        environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
        status = subprocess.run(command, check=False, stdout=output, stderr=output, env=environment).returncode
    if status != 0 or not report.is_file():
        tail = "\n".join(log.read_text().splitlines()[-20:])
        sys.exit(f"{tail}\nthe {label} job ended with status {status}; its output is in {log.relative_to(ROOT)}")
    return json.loads(report.read_text())


def hot(answer: dict, kind: str) -> float:
    """Returns the median over all runs but the first."""
    times = [run[kind] for run in answer["times"]]
    return statistics.median(times[1:] or times)


def native_report(answer: dict) -> tuple[str, list[str]]:
    """Returns in a few words what ran natively, and the lines that say why the rest did not."""
    found = REPORT.search(answer["explain"])
    if not found:
        return "no", ["explain() says nothing of Accelerant"]
    headline, *lines = found.group(1).rstrip().splitlines()
    counts = OPERATORS.match(headline)
    reasons = [line.removeprefix("! ") for line in lines if line.startswith("!")]
    if not counts or counts.group(1) == "0":
        return "no", reasons or [headline]
    words = f"{counts.group(1)} of {counts.group(2)} operators"
    return (words if reasons or counts.group(1) != counts.group(2) else f"all {counts.group(1)} operators"), reasons


def table_line(before: dict, after: dict, native: str) -> str:
    """Formats the comparison of one question; speed-ups only where something ran natively."""
    figures = [hot(before, "wall"), hot(before, "cpu"), hot(after, "wall"), hot(after, "cpu")]
    factors = ["-", "-"]
    if native != "no":
        factors = [f"{old / max(new, 0.01):.1f}x" for old, new in zip(figures[:2], figures[2:], strict=True)]
    equal = "yes" if before["digest"] == after["digest"] else "NO"
    return COLUMNS.format(before["name"], *(f"{figure:.2f}" for figure in figures), *factors, equal, native)


def print_comparison(plain: dict, accelerated: dict) -> bool:
    """Prints one line a question and why what was not native; returns whether all answers are equal."""
    print()
    print(COLUMNS.format("hot runs,", "Spark", "", "Accelerant", "", "less", "", "", ""))
    print(COLUMNS.format("seconds", "wall", "CPU", "wall", "CPU", "wall", "CPU", "equal", "native"))
    why: dict[str, list[str]] = {}
    for before, after in zip(plain["answers"], accelerated["answers"], strict=True):
        native, reasons = native_report(after)
        print(table_line(before, after, native))
        for reason in reasons:
            why.setdefault(reason, []).append(before["name"])
    for reason, questions in why.items():
        print(f"\nnot native: {reason}\n  in {'; '.join(questions)}")
    pairs = zip(plain["answers"], accelerated["answers"], strict=True)
    return all(before["digest"] == after["digest"] for before, after in pairs)


def main() -> int:
    """Runs the demo; returns 1 when an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", default="1", help="TPC-H scale factor")
    parser.add_argument("--threads", type=int, default=min(usable_cores(), 8), help="Spark's cores, local[N]")
    parser.add_argument("--runs", type=int, default=5, help="runs of each question; the first does not count")
    options = parser.parse_args()
    table = make_data(options.scale)
    plain = run_job("plain", [str(spark_home() / "bin" / "spark-submit")], table, options)
    accelerated = run_job("accelerated", [str(BIN / "accelerant"), "submit"], table, options)
    all_equal = print_comparison(plain, accelerated)
    processor = cpu_info().get("model name", "unknown processor")
    print(
        f"\nlineitem at scale {options.scale}, {table.stat().st_size / 1e6:.0f} MB; "
        f"Spark {plain['spark']}, local[{options.threads}]; {processor}, {usable_cores()} cores, "
        f"{memory_bytes() / 2**30:.0f} GiB.\n"
        f"Median of {max(options.runs - 1, 1)} hot runs in one process each; CPU is the JVM's with its child processes."
    )
    print("All answers are equal." if all_equal else "Some answers DIFFER.")
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main())
