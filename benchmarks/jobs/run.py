"""Runs PySpark jobs as engineers write them, plain and accelerated, each in a process of its own, and compares.

Answers and files must be equal. Costs are the CPU seconds of the whole tree of processes, from spark-submit's start to
the end of the last of them, in interleaved pairs. One more accelerated run tells what became of each operator.
"""

import argparse
import ctypes
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "python")]

from accelerant.bench import commit, machine  # noqa: E402
from accelerant.benchmark.engines import submit_command  # noqa: E402
from accelerant.benchmark.pairs import ratio  # noqa: E402
from jobs import tables  # noqa: E402
from jobs.answers import are_equal, differences, written  # noqa: E402
from jobs.figures import bridged_share, geometric_mean, native_share, reasons, states, together, uses  # noqa: E402
from jobs.operators import LACKING, LEFT, NATIVE, PASSING  # noqa: E402
from records import record, resumed  # noqa: E402

BUILD = ROOT / "build" / "jobs"
PLAIN = "plain"
ACCELERATED = "accelerated"
# prctl(2): processes whose parent ended become this process's children, so that none goes uncounted.
SET_CHILD_SUBREAPER = 36
TIME_LIMIT_S = 900


@dataclass
class Run:
    """One run of a job in a process of its own."""

    engine: str
    cpu_s: float
    wall_s: float
    report: dict | None
    error: str = ""

    @property
    def own_cpu_s(self) -> float:
        """Returns the CPU seconds of the job alone, without the start and end of the session."""
        return self.report["cpu_s"] if self.report else float("nan")


@dataclass
class Outcome:
    """What was found out about a job."""

    job: str
    runs: list[Run]
    differences: list[str] = field(default_factory=list)
    queries: list[list[dict]] = field(default_factory=list)
    look_error: str = ""
    bridged: dict[str, float] = field(default_factory=dict)

    def costs(self, engine: str, own: bool = False) -> list[float]:
        """Returns the CPU seconds of all runs of an engine."""
        return [run.own_cpu_s if own else run.cpu_s for run in self.runs if run.engine == engine]

    def errors(self, engine: str) -> list[str]:
        """Returns how runs of an engine failed."""
        errors = [run.error for run in self.runs if run.engine == engine and run.error]
        return [*errors, self.look_error] if engine == ACCELERATED and self.look_error else errors


def job_names(words: str) -> list[str]:
    """Returns the jobs whose names contain one of some words."""
    names = [
        f"{theme}.{job.__name__}" for theme in tables.THEMES for job in importlib.import_module(f"jobs.{theme}").JOBS
    ]
    return [name for name in names if not words or any(word in name for word in words.split(","))]


def children_seconds() -> float:
    """Returns the CPU seconds of all children that ended, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wait_for_all(process: subprocess.Popen, deadline: float) -> int:
    """Waits for a process and for all that it left behind; ends them when time is up. Returns its status."""
    status = None
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return process.returncode if status is None else status
        if pid == process.pid:
            status = process.returncode = os.waitstatus_to_exitcode(code)
        if pid == 0:
            if time.monotonic() > deadline:
                os.killpg(process.pid, signal.SIGKILL)
                deadline += 10
            time.sleep(0.02)


def run(jobs: list[str], engine: str, data: Path, options: argparse.Namespace, look: bool = False) -> dict[str, Run]:
    """Runs jobs of a theme one after the other in one process; of several the costs are those of all."""
    with tempfile.TemporaryDirectory(prefix="job-", dir=BUILD) as folder:
        home = Path(folder)
        out, report, log = home / "out", home / "report.json", BUILD / "logs" / f"{jobs[0]}-{engine}.log"
        settings = {"spark.sql.warehouse.dir": home / "warehouse", "spark.log.level": "WARN"}
        heap = ["--driver-memory", options.heap] if options.heap else []
        command = [*submit_command(engine == ACCELERATED, options.threads, settings), *heap, HERE / "worker.py"]
        command += [",".join(jobs), data, out, report, *(["--operators"] if look else [])]
        paths = os.pathsep.join([str(HERE.parent), str(ROOT / "python")])
        environment = variables() | {"PYTHONPATH": paths}
        log.parent.mkdir(parents=True, exist_ok=True)
        before, start = children_seconds(), time.monotonic()
        with log.open("w") as output:
            words = list(map(str, command))
            process = subprocess.Popen(
                words, stdout=output, stderr=output, cwd=home, env=environment, start_new_session=True
            )
            status = wait_for_all(process, start + options.limit * len(jobs))
        cpu_s, wall_s = children_seconds() - before, time.monotonic() - start
        if not report.is_file():
            error = f"status {status}: {log.read_text(errors='replace')[-300:]}"
            return {job: Run(engine, cpu_s, wall_s, None, error) for job in jobs}
        found = json.loads(report.read_text())
        return {job: run_of(job, engine, (cpu_s, wall_s), found[job], out) for job in jobs}


def variables() -> dict[str, str]:
    """Returns the environment of all that runs: drivers know of no archive of Spark's classes but this benchmark's."""
    return os.environ | {"PYSPARK_PYTHON": sys.executable, "TZ": "UTC", "XDG_CACHE_HOME": str(BUILD / "cache")}


def make_or_remove_archive(wanted: bool) -> None:
    """Has drivers with Accelerant start with the classes of `accelerant archive`, or without."""
    command = [sys.executable, "-m", "accelerant", "archive", *([] if wanted else ["--remove"])]
    paths = os.pathsep.join(filter(None, [str(ROOT / "python"), os.environ.get("PYTHONPATH")]))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=variables() | {"PYTHONPATH": paths})


def run_of(job: str, engine: str, costs: tuple[float, float], report: dict, out: Path) -> Run:
    """Returns a job's run by its report, with what its files hold."""
    if error := report.get("error"):
        return Run(engine, *costs, None, error)
    return Run(engine, *costs, report | {"files": written(out / job)})


def measured(job: str, options: argparse.Namespace) -> Outcome:
    """Runs a job in pairs, each engine first in every second one, and once more for its operators."""
    data = tables.written(options.data, job.partition(".")[0], options.scale)
    outcome = Outcome(job, [])
    for pair in range(options.pairs):
        for engine in (PLAIN, ACCELERATED) if pair % 2 == 0 else (ACCELERATED, PLAIN):
            outcome.runs.append(run([job], engine, data, options)[job])
    return judged(outcome, run([job], ACCELERATED, data, options, look=True)[job])


def compared(jobs: list[str], options: argparse.Namespace) -> list[Outcome]:
    """Runs jobs of a theme once in one process of each engine, which is quick and says nothing of costs."""
    data = tables.written(options.data, jobs[0].partition(".")[0], options.scale)
    plain = run(jobs, PLAIN, data, options)
    looked = run(jobs, ACCELERATED, data, options, look=True)
    return [judged(Outcome(job, [plain[job]]), looked[job]) for job in jobs]


def judged(outcome: Outcome, looked: Run) -> Outcome:
    """Compares all runs with the first plain one that has an answer, and takes the operators of the one that looked."""
    reports = [run.report for run in outcome.runs if run.engine == PLAIN and run.report]
    for done in [*outcome.runs, looked]:
        if done.report and reports:
            outcome.differences += differences(done.report, reports[0])
    outcome.differences = list(dict.fromkeys(outcome.differences))
    outcome.queries = looked.report["queries"] if looked.report else []
    outcome.look_error = looked.error
    if looked.report:
        outcome.bridged = {name: looked.report[name] for name in ("cpu_s", "bridged_s")}
    return outcome


def outcomes(names: list[str], options: argparse.Namespace) -> Iterator[Outcome]:
    """Yields what is found out of each job."""
    if options.pairs:
        yield from (measured(name, options) for name in names)
        return
    for theme in tables.THEMES:
        if jobs := [name for name in names if name.startswith(f"{theme}.")]:
            yield from compared(jobs, options)


def entry(outcome: Outcome) -> dict:
    """Returns what is recorded of a job."""
    found = {
        "job": outcome.job,
        "commit": commit(),
        "equal": are_equal(outcome.differences),
        "differences": outcome.differences,
        "errors": {engine: outcome.errors(engine) for engine in (PLAIN, ACCELERATED)},
        "uses": uses(outcome.queries),
        "bridged": outcome.bridged,
        "operators": dict(states(outcome.queries)),
        "left": [[*key, count] for key, count in reasons(outcome.queries, LEFT).most_common()],
        "lacking": [[*key, count] for key, count in reasons(outcome.queries, LACKING).most_common()],
    }
    if outcome.costs(ACCELERATED) and not any(found["errors"].values()):
        for name, own in (("", False), ("own_", True)):
            costs = {engine: outcome.costs(engine, own) for engine in (PLAIN, ACCELERATED)}
            found |= {f"{name}cpu_s": costs, f"{name}ratio": asdict(ratio(costs[PLAIN], costs[ACCELERATED]))}
    return found


def line(found: dict) -> str:
    """Returns a job's line of the table."""
    counts = found["operators"]
    words = f"{found['job']:32}"
    if "ratio" in found:
        plain, mine = (min(found["cpu_s"][engine]) for engine in (PLAIN, ACCELERATED))
        whole, own = found["ratio"], found["own_ratio"]
        words += f" {plain:6.1f} {mine:6.1f}  {whole['mean']:.2f} [{whole['low']:.2f}, {min(whole['high'], 99):.2f}]"
        words += f"  own {min(found['own_cpu_s'][PLAIN]):5.1f} {own['mean']:.2f}"
    words += f"  {counts.get(NATIVE, 0)}/{counts.get(LEFT, 0)}/{counts.get(PASSING, 0)}/{counts.get(LACKING, 0)}"
    troubles = [*(f"{engine} failed: {errors[0]}" for engine, errors in found["errors"].items() if errors)]
    return "\n    ".join([words, *troubles, *found["differences"]])


def left_by_name(entries: list[dict]) -> Counter[str]:
    """Counts the operators left to Spark of all jobs."""
    return sum((Counter({name: count}) for found in entries for name, _, count in found["left"]), Counter())


def totals(entries: list[dict]) -> dict:
    """Sums up all jobs."""
    counts = sum((Counter(found["operators"]) for found in entries), Counter())
    measured = [found for found in entries if "ratio" in found]
    return {
        "jobs": len(entries),
        "equal": sum(found["equal"] and not any(found["errors"].values()) for found in entries),
        "failed_where_plain_does_not": [
            found["job"] for found in entries if found["errors"][ACCELERATED] and not found["errors"][PLAIN]
        ],
        "operators": {state: counts[state] for state in (NATIVE, LEFT, PASSING, LACKING)},
        "native_share": native_share(counts),
        "left": dict(left_by_name(entries).most_common()),
        "bridged_share": bridged_share(entries),
        "without_text_and_python": together([found for found in measured if not found["uses"]]),
        "with_text_or_python": together([found for found in measured if found["uses"]]),
        "geometric_mean": geometric_mean([found["ratio"]["mean"] for found in measured]) if measured else None,
        "own_geometric_mean": geometric_mean([found["own_ratio"]["mean"] for found in measured]) if measured else None,
        "slower": [found["job"] for found in measured if found["ratio"]["low"] > 1.03],
        "shorter_than_5_s": [found["job"] for found in measured if min(found["own_cpu_s"][PLAIN]) < 5],
    }


def read_options() -> argparse.Namespace:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--scale", type=float, default=1, help="how much data; at 1 each job takes 5 CPU seconds or more"
    )
    parser.add_argument("--jobs", default="", metavar="WORDS", help="only jobs whose names contain one of some words")
    parser.add_argument("--pairs", type=int, default=5, help="runs on each engine; 0 only compares, a process a theme")
    parser.add_argument("--heap", default="", metavar="SIZE", help="the heap of Spark's JVM, 1g say")
    parser.add_argument(
        "--archive", action="store_true", help="start after `accelerant archive`, whose cost is not counted"
    )
    parser.add_argument("--threads", type=int, default=2, help="cores that Spark may use")
    parser.add_argument("--limit", type=float, default=TIME_LIMIT_S, help="seconds after which a run is ended")
    parser.add_argument("--data", type=Path, default=BUILD / "data", help="where the tables are, or are to be made")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--resume", action="store_true", help="measure only the jobs that the file lacks")
    parser.add_argument("--list", action="store_true", help="print the jobs' names and end")
    return parser.parse_args()


def main() -> int:
    """Runs the jobs, prints a table and records it; returns 1 when one failed or differed."""
    options = read_options()
    if options.resume and not options.json:
        sys.exit("--resume goes on with the file of --json")
    names = job_names(options.jobs)
    if options.list:
        print("\n".join(names))
        return 0
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1)
    BUILD.mkdir(parents=True, exist_ok=True)
    make_or_remove_archive(options.archive)
    print(
        "CPU seconds plain, accelerated, their ratio; of the job alone; operators native/left/passing/lacking",
        flush=True,
    )
    entries = resumed(options.json, circumstances(options), "jobs") if options.resume else []
    done = {found["job"] for found in entries}
    for outcome in outcomes([name for name in names if name not in done], options):
        entries.append(entry(outcome))
        print(line(entries[-1]), flush=True)
        if options.json:
            known = {"machine": machine()} | circumstances(options)
            record(options.json, known | {"totals": totals(entries), "jobs": entries})
    found = totals(entries)
    print(json.dumps(found, indent=2))
    return 0 if found["equal"] == found["jobs"] else 1


def circumstances(options: argparse.Namespace) -> dict[str, object]:
    """Returns what the figures of one file have in common."""
    return {name: getattr(options, name) for name in ("scale", "pairs", "heap", "archive", "threads")}


if __name__ == "__main__":
    sys.exit(main())
