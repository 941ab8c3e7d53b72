"""Runs demo/job.py on plain Spark and with Accelerant, and compares times and answers."""

import argparse
import statistics
import sys

from accelerant import tpch
from accelerant.machine import cpu_info, memory_bytes, usable_cores
from job_run import native_report, run_job

COLUMNS = "{:<18}{:>8}{:>8}{:>12}{:>8}{:>9}{:>8}{:>8}  {}"


def hot(answer: dict, kind: str) -> float:
    """Returns the median over all runs but the first."""
    times = [run[kind] for run in answer["times"]]
    return statistics.median(times[1:] or times)


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
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor")
    parser.add_argument("--threads", type=int, default=min(usable_cores(), 8), help="Spark's cores, local[N]")
    parser.add_argument("--runs", type=int, default=5, help="runs of each question; the first does not count")
    options = parser.parse_args()
    table = tpch.generate(options.scale)["lineitem"]
    plain, accelerated = (run_job(native, table, options.threads, options.runs) for native in (False, True))
    all_equal = print_comparison(plain, accelerated)
    processor = cpu_info().get("model name", "unknown processor")
    print(
        f"\nlineitem at scale {options.scale:g}, {table.stat().st_size / 1e6:.0f} MB; "
        f"Spark {plain['spark']}, local[{options.threads}]; {processor}, {usable_cores()} cores, "
        f"{memory_bytes() / 2**30:.0f} GiB.\n"
        f"Median of {max(options.runs - 1, 1)} hot runs in one process each; CPU is the JVM's with its child processes."
    )
    print("All answers are equal." if all_equal else "Some answers DIFFER.")
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main())
