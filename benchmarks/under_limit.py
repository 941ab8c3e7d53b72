"""Runs TPC-H and clicks on Spark with Accelerant in a control group that may hold far less than the machine.

The heap, the engine and all else in Java's process share --limit, and the kernel ends a process that takes more; the
engine chooses what it may hold by the group. Where no group can be made, it is told what it would choose, and the peak
alone is judged. Answers are compared with DuckDB's. Written as JSON where a file is named.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import control_group
from accelerant.bench import machine
from accelerant.benchmark.engines import ENGINES, SPARK_WORKER, ask_worker, submit_command
from accelerant.benchmark.results import equal_reports, why_not_native
from accelerant.benchmark.task import Report, Task
from accelerant.benchmark.workloads import WORKLOADS, make_task
from accelerant.errors import UserError

GIB = 1 << 30
SCALES = {"tpch": 10.0, "clicks": 1.0}
THREADS = 2
# Files in a memory disk would be memory of the group.
DISK = os.environ.get("TMPDIR", "/var/tmp")


def read_options() -> argparse.Namespace:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=4, metavar="GIB", help="what Java's process may hold in all")
    parser.add_argument("--heap", type=float, default=1, metavar="GIB", help="of that, Java's heap")
    parser.add_argument("--workloads", default=",".join(SCALES), help="some of %(default)s")
    parser.add_argument("--queries", default="", metavar="NAMES", help="some queries, where one workload is named")
    parser.add_argument("--scale", type=float, help="another scale than 10 of TPC-H, 1 of clicks")
    parser.add_argument("--json", type=Path, help="file for the figures")
    return parser.parse_args()


def ask(task: Task, folder: Path, options: argparse.Namespace) -> tuple[list[Report], str]:
    """Asks Spark with Accelerant in a group; returns its reports, and why there are fewer than queries, if so."""
    heap = ["--driver-memory", f"{round(options.heap * 1024)}m"]
    with control_group.limited(round(options.limit * GIB)) as start:
        # As the engine chooses: see memory/machine_memory.h.
        chosen = round(min(0.6 * options.limit, 0.9 * options.limit - options.heap) * GIB)
        settings = {"spark.local.dir": folder} | ({} if start else {"spark.accelerant.memory.limit": str(chosen)})
        command = [*(start or []), *submit_command(True, THREADS, settings), *heap, SPARK_WORKER]
        print(f"{'in a control group' if start else 'without a control group'} of {options.limit:g} GiB", flush=True)
        try:
            return ask_worker("accelerant", task, folder, command), ""
        except UserError as error:
            return [], str(error)


def outcomes_of(task: Task, options: argparse.Namespace) -> tuple[dict[str, dict], list[str]]:
    """Returns what became of a workload's queries, and of its process where that did not come to its end."""
    with tempfile.TemporaryDirectory(prefix="under-limit-", dir=DISK) as name:
        folder = Path(name)
        reports, error = ask(task, folder, options)
        if error:
            return {}, [error]
        expected = {report.query: report for report in ENGINES["duckdb"](task, folder)}
    return {report.query: outcome(report, expected[report.query]) for report in reports}, []


def outcome(found: Report, expected: Report) -> dict:
    """Returns what became of a query."""
    return {
        "equal": equal_reports(found, expected, exact=False),
        "not_native": why_not_native(found.explanation) or "",
        "wall_s": min(cost.wall_s for cost in found.costs),
        "peak": max(cost.peak_rss for cost in found.costs),
    }


def line(query: str, found: dict) -> str:
    """Returns what is shown of a query."""
    troubles = ["" if found["equal"] else "  NOT EQUAL", f"  {found['not_native']}" if found["not_native"] else ""]
    return f"{query:12} {found['wall_s']:7.2f} s {found['peak'] / GIB:6.2f} GiB" + "".join(troubles)


def main() -> int:
    """Runs the workloads; returns 1 where a query failed, differs or did not run natively."""
    options = read_options()
    outcomes: dict[str, dict] = {}
    errors: list[str] = []
    asked = 0
    for name in options.workloads.split(","):
        task = make_task(WORKLOADS[name], THREADS, 1, options.scale or SCALES[name], options.queries)
        asked += len(task.queries)
        found, failed = outcomes_of(task, options)
        outcomes |= {f"{name} {query}": result for query, result in found.items()}
        errors += failed
    print("\n".join([*(line(query, found) for query, found in outcomes.items()), *errors]))
    peak = max((found["peak"] for found in outcomes.values()), default=0)
    report = {
        "in_control_group": control_group.is_available(),
        "limit": options.limit * GIB,
        "asked": asked,
        "peak": peak,
        "errors": errors,
        "queries": outcomes,
    }
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"machine": machine()} | report, indent=1) + "\n")
    right = sum(found["equal"] and not found["not_native"] for found in outcomes.values())
    print(f"{right} of {asked} equal and native; at most {peak / GIB:.2f} GiB")
    return 0 if right == asked else 1


if __name__ == "__main__":
    sys.exit(main())
