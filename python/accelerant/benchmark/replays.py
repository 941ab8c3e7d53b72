"""The engine alone: queries captured through Spark are replayed without a JVM, by one or more builds in turn."""

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from accelerant.artifacts import REPLAY_NAME, Artifacts, find, of_build
from accelerant.benchmark.costs import Cost, hot
from accelerant.benchmark.engines import ask_build, ask_spark, run_program
from accelerant.benchmark.task import Query, Report, Task
from accelerant.errors import UserError

# What a replay says of a query in which Spark's code computes something.
NEEDS_SPARK = "Spark's own code computes"

# Where builds are compared, a turn lasts about so long: of a short query the least of many repeats counts.
TURN_S = 0.4
MAX_REPEATS = 1000

Captures = dict[str, Path]


@dataclass(frozen=True)
class Replayer:
    """A build with its program, and the threads and the memory that it may use."""

    build: Artifacts
    program: Path
    threads: int
    memory: str = ""

    def command(self, path: Path, repeat: int) -> list[object]:
        """Returns the call that replays a capture some times."""
        limit = ["--memory-limit", self.memory] if self.memory else []
        return [self.program, path, "--threads", self.threads, "--repeat", repeat, *limit]


def replayers(names: list[str], threads: int, previous: Path | None = None, memory: str = "") -> dict[str, Replayer]:
    """Returns what replays queries by the names of REPLAYS; raises UserError for a missing build."""
    found = {}
    for name in names:
        build = find()
        if name == "previous":
            if previous is None or not (previous / REPLAY_NAME).is_file():
                raise UserError(f"--against previous: --previous must name a folder with another build's {REPLAY_NAME}")
            build = of_build(previous)
        found[name] = Replayer(build, build.replay(), 1 if name == "one-thread" else threads, memory)
    return found


def captured(task: Task, folder: Path, build: Artifacts | None = None) -> Captures:
    """Captures the queries of a task through Spark, with a build or this one, and returns the files by query.

    Only queries that run natively leave one.
    """
    shutil.rmtree(folder, ignore_errors=True)
    # A capture holds plain Spark's answer, which no other engine's run can stand in for.
    print("capturing what is to be replayed, each query once natively and once on plain Spark:", flush=True)
    asked = replace(task, runs=0, captures=str(folder))
    if build:
        ask_build(asked, folder, build)
    else:
        ask_spark(asked, folder, True)
    found = {name: sorted((folder / name).glob("*.accq")) for name in task.queries}
    return {name: files[-1] for name, files in found.items() if files}


def capture(task: Task, folder: Path) -> Captures:
    """Captures the queries of a task; raises UserError when one of them does not run natively."""
    found = captured(task, folder)
    if missing := [name for name in task.queries if name not in found]:
        raise UserError(f"no capture of {', '.join(missing)}: they do not run natively")
    return found


def captures_for(task: Task, folder: Path, by_name: dict[str, Replayer]) -> dict[str, Captures]:
    """Captures the queries for each replayer: with this build, and for one that can't read those, with its own."""
    ours = captured(task, folder / "captures")
    found = {}
    for name, replayer in by_name.items():
        own = name == "previous" and not all(can_read(path, replayer) for path in ours.values())
        found[name] = captured(task, folder / f"captures-{name}", replayer.build) if own else ours
    return found


def can_read(path: Path, replayer: Replayer) -> bool:
    """Says whether a build can read what another captured: plan messages differ between versions."""
    try:
        run_program(replayer.command(path, 1), path.with_suffix(".log"))
    except UserError as error:
        return NEEDS_SPARK in str(error)
    return True


def replay(path: Path, replayer: Replayer, repeats: int = 1) -> list[Cost]:
    """Replays a captured query once and `repeats` times more; raises UserError when its answer differs.

    Returns the cost of the first run and the least of the others.
    """
    report = path.with_suffix(".json")
    run_program([*replayer.command(path, 1 + repeats), "--json", report], path.with_suffix(".log"))
    found = json.loads(report.read_text())
    if not found["equal"]:
        raise UserError(f"the replay of {path} differs: {found['differences']}")
    return costs_of(found)


def costs_of(found: dict) -> list[Cost]:
    """Returns the cost of the first run and the least of the others, as a replay has reported them."""
    # Builds before this figure was reported have none.
    peak = found.get("peak_rss_bytes", 0)
    costs = [Cost(run["wall_s"], run["cpu_s"], peak) for run in found["runs"]]
    return [costs[0], hot(costs)]


def in_turn(paths: Captures, by_name: dict[str, Replayer], runs: int, repeats: int = 1) -> dict[str, list[Cost]]:
    """Replays a query, captured for each replayer, on each in turn: what disturbs the machine disturbs all of them.

    Every other time the last one goes first, so that none has the better place.
    """
    costs: dict[str, list[Cost]] = {name: [] for name in by_name}
    for turn in range(runs):
        for name in sorted(by_name, key=list(by_name).index, reverse=turn % 2 == 1):
            first, others = replay(paths[name], by_name[name], repeats)
            costs[name] += [others] if costs[name] else [first, others]
    return costs


def repeats_for(query: Query, path: Path, replayer: Replayer) -> int:
    """Returns how often a turn repeats a query for the comparison of builds: at least as often as it says."""
    _, hot_run = replay(path, replayer, query.repeats)
    return max(query.repeats, min(MAX_REPEATS, round(TURN_S / max(hot_run.wall_s, TURN_S / MAX_REPEATS))))


def measured_in_turn(query: Query, paths: Captures, by_name: dict[str, Replayer], runs: int) -> dict[str, list[Cost]]:
    """Replays a query in turns, long ones where builds are compared."""
    builds = {replayer.program for replayer in by_name.values()}
    name, replayer = next(iter(by_name.items()))
    repeats = repeats_for(query, paths[name], replayer) if len(builds) > 1 else query.repeats
    return in_turn(paths, by_name, runs, repeats)


def ask_replays(task: Task, folder: Path, by_name: dict[str, Replayer]) -> dict[str, list[Report]]:
    """Captures each query that runs natively and measures its replays; the replay itself compares the answer.

    Queries for which a replay lacks Spark's code are left out.
    """
    reports: dict[str, list[Report]] = {name: [] for name in by_name}
    captures = captures_for(task, folder, by_name)
    queries = [query for query in task.queries if all(query in found for found in captures.values())]
    print(f"measuring {', '.join(by_name)} by replaying {', '.join(queries)}", flush=True)
    for query in queries:
        paths = {name: found[query] for name, found in captures.items()}
        try:
            costs = measured_in_turn(task.queries[query], paths, by_name, task.runs)
        except UserError as error:
            if NEEDS_SPARK not in str(error):
                raise
            continue
        for name in by_name:
            reports[name].append(Report(query, costs[name], []))
    return reports
