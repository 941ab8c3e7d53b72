"""The engine alone: queries captured through Spark are replayed without a JVM, by one or more builds in turn."""

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from accelerant.artifacts import REPLAY_NAME, find
from accelerant.benchmark.costs import Cost
from accelerant.benchmark.engines import ask_spark, run_program
from accelerant.benchmark.task import Report, Task
from accelerant.errors import UserError


@dataclass(frozen=True)
class Replayer:
    """A build's program, and the threads that it may use."""

    program: Path
    threads: int


def replayers(names: list[str], threads: int, previous: Path | None = None) -> dict[str, Replayer]:
    """Returns what replays queries by the names of REPLAYS; raises UserError for a missing build."""
    found = {}
    for name in names:
        program = find().replay()
        if name == "previous":
            if previous is None or not (previous / REPLAY_NAME).is_file():
                raise UserError(f"--against previous: --previous must name a folder with another build's {REPLAY_NAME}")
            program = previous / REPLAY_NAME
        found[name] = Replayer(program, 1 if name == "one-thread" else threads)
    return found


def captured(task: Task, folder: Path) -> dict[str, Path]:
    """Captures the queries of a task through Spark and returns the files by query, of those that run natively."""
    shutil.rmtree(folder, ignore_errors=True)
    # A capture holds plain Spark's answer, which no other engine's run can stand in for.
    print("capturing what is to be replayed, each query once natively and once on plain Spark:", flush=True)
    ask_spark(replace(task, runs=0, captures=str(folder)), folder, True)
    found = {name: sorted((folder / name).glob("*.accq")) for name in task.queries}
    return {name: files[-1] for name, files in found.items() if files}


def capture(task: Task, folder: Path) -> dict[str, Path]:
    """Captures the queries of a task; raises UserError when one of them does not run natively."""
    found = captured(task, folder)
    if missing := [name for name in task.queries if name not in found]:
        raise UserError(f"no capture of {', '.join(missing)}: they do not run natively")
    return found


def replay(path: Path, replayer: Replayer) -> list[Cost]:
    """Replays a captured query twice and returns the cost of both runs; raises UserError when its answer differs."""
    report = path.with_suffix(".json")
    command = [replayer.program, path, "--threads", replayer.threads, "--repeat", 2, "--json", report]
    run_program(command, path.with_suffix(".log"))
    found = json.loads(report.read_text())
    if not found["equal"]:
        raise UserError(f"the replay of {path} differs: {found['differences']}")
    # Builds before this figure was reported have none.
    peak = found.get("peak_rss_bytes", 0)
    return [Cost(run["wall_s"], run["cpu_s"], peak) for run in found["runs"]]


def in_turn(path: Path, by_name: dict[str, Replayer], runs: int) -> dict[str, list[Cost]]:
    """Replays a captured query on each replayer in turn, so that what disturbs the machine disturbs all of them."""
    costs: dict[str, list[Cost]] = {name: [] for name in by_name}
    for _ in range(runs):
        for name, replayer in by_name.items():
            first, second = replay(path, replayer)
            costs[name] += [second] if costs[name] else [first, second]
    return costs


def ask_replays(task: Task, folder: Path, by_name: dict[str, Replayer]) -> dict[str, list[Report]]:
    """Captures each query that runs natively and measures its replays; the replay itself compares the answer."""
    reports: dict[str, list[Report]] = {name: [] for name in by_name}
    captures = captured(task, folder / "captures")
    print(f"measuring {', '.join(by_name)} by replaying {', '.join(captures)}", flush=True)
    for query, path in captures.items():
        for name, costs in in_turn(path, by_name, task.runs).items():
            reports[name].append(Report(query, costs, []))
    return reports
