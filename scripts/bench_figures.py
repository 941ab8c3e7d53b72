"""Figures of `accelerant bench` against the bars for one machine: measured once for each workload and scale.

Wall seconds decide, and CPU seconds where the machine was busy with other things when the measurement began.
"""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import evidence
from accelerant.bench import commit
from accelerant.benchmark.results import Result as Figure
from accelerant.benchmark.results import read_results
from accelerant.benchmark.workloads import WORKLOADS
from evidence import Result
from tpch_figures import PRESET, ROOT, THREADS

TPCH_PEERS = "spark,comet,duckdb,polars,engine,one-thread"
TRANSFER_PEERS = "spark"
GROUP_PEERS = "spark,duckdb,engine"
GROUP_QUERIES = 10
BUSY_LOAD = 0.5
QUERIES = 22
# A query is long when one thread takes this share of what all queries take: the rest is start-up and planning.
LONG_SHARE = 1 / QUERIES


@dataclass(frozen=True)
class Bench:
    """The results of one run of the benchmark, by engine and query, and what decides."""

    by_engine: dict[str, dict[str, Figure]]
    unit: str

    @staticmethod
    def of(content: dict) -> "Bench":
        """Reads what the benchmark left."""
        by_engine: dict[str, dict[str, Figure]] = {}
        for figure in read_results(content):
            by_engine.setdefault(figure.engine, {})[figure.query] = figure
        return Bench(by_engine, "cpu_s" if content["machine"]["load"] > BUSY_LOAD else "wall_s")

    def seconds(self, engine: str, unit: str = "") -> dict[str, float]:
        """Returns the seconds of each query."""
        return {query: getattr(figure, unit or self.unit) for query, figure in self.by_engine[engine].items()}

    def total(self, engine: str, unit: str = "") -> float:
        """Returns the seconds of all queries."""
        return sum(self.seconds(engine, unit).values())

    def geometric_mean(self, engine: str) -> float:
        """Returns the geometric mean of the queries' seconds."""
        logarithms = [math.log(seconds) for seconds in self.seconds(engine).values()]
        return math.exp(sum(logarithms) / len(logarithms))


@cache
def measured(workload: str, scale: float, against: str) -> Bench:
    """Measures a workload at a scale, unless this very commit's figures are there."""
    path = evidence.RESULTS / f"bench-{workload}-{scale:g}.json"
    known = json.loads(path.read_text()) if path.is_file() else {}
    if known.get("commit") != commit() or commit().endswith("-dirty"):
        command = [sys.executable, "-m", "accelerant", "bench", workload, "--scale", f"{scale:g}", "--against", against]
        options = ["--threads", str(THREADS), "--json", str(path.relative_to(ROOT))]
        environment = os.environ | {"ACCELERANT_BUILD": PRESET, "PYTHONPATH": str(ROOT / "python")}
        # Status 1 says that an answer differs, which a line of its own judges.
        subprocess.run([*command, *options], cwd=ROOT, check=False, env=environment)
        known = json.loads(path.read_text())
    return Bench.of(known)


def tpch(scale: float, judge: Callable[[Bench], Result]) -> Result:
    """Judges TPC-H at a scale."""
    return judge(measured("tpch", scale, TPCH_PEERS))


def transfers(judge: Callable[[Bench], Result]) -> Result:
    """Judges transfers, over ten million rows."""
    return judge(measured("transfers", 10, TRANSFER_PEERS))


def group(workload: str) -> Result:
    """Judges ten queries that need no code of Spark's, at the workload's own scale."""
    return ten_alone(measured(workload, WORKLOADS[workload].scale, GROUP_PEERS))


def at_most(ours: float, theirs: float, bar: float, goal: float, unit: str) -> Result:
    """Compares two figures: the first may be at most `bar` times the second, and should be at most `goal` times."""
    share = ours / theirs
    return Result(f"{ours:.3f} against {theirs:.3f} {unit}: {share:.2f} (bar {bar:g}, goal {goal:g})", share <= bar)


def both(*results: Result) -> Result:
    """Returns a result that holds when all hold."""
    return Result("; ".join(result.figure for result in results), all(result.holds for result in results))


def native_and_equal(bench: Bench) -> Result:
    """Counts the queries that run natively as a whole and give Spark's answer."""
    found = bench.by_engine["accelerant"].values()
    bad = [
        f"{figure.query}: {figure.reason or 'not equal'}" for figure in found if not (figure.native and figure.equal)
    ]
    return Result("; ".join([f"{len(found) - len(bad)} of {QUERIES}", *bad]), not bad and len(found) == QUERIES)


def engine_against_duckdb(bench: Bench) -> Result:
    """Compares the engine alone with DuckDB; the goal is a share of the best peer's, which is named."""
    best = min(("duckdb", "polars"), key=bench.total)
    shown = Result(f"the best peer, {best}, takes {bench.total(best):.3f}", len(bench.by_engine["engine"]) == QUERIES)
    return both(
        at_most(bench.total("engine"), bench.total("duckdb"), 1, 0.75, f"{bench.unit} in all"),
        at_most(
            bench.geometric_mean("engine"), bench.geometric_mean("duckdb"), 1, 0.75, f"{bench.unit} geometric mean"
        ),
        shown,
    )


def ten_alone(bench: Bench) -> Result:
    """Compares ten queries of the engine alone with DuckDB; replays lack what Spark's code computes."""
    alone = bench.by_engine.get("engine", {})
    if not alone:
        return Result("nothing runs without Spark", False)
    bad = [
        f"{query}: {figure.reason or ('calls Spark' if query not in alone else 'not equal')}"
        for query, figure in bench.by_engine["accelerant"].items()
        if query not in alone or not figure.equal or not bench.by_engine["duckdb"][query].equal
    ]
    theirs = sum(bench.by_engine["duckdb"][query].cpu_s for query in alone)
    found = at_most(bench.total("engine", "cpu_s"), theirs, 1, 0.75, f"CPU s, {len(alone)} queries")
    return both(found, Result("; ".join(bad) or "all equal", not bad and len(alone) == GROUP_QUERIES))


def more_than_memory() -> Result:
    """Judges questions that memory is too short for: each native, at most DuckDB's CPU and wall seconds."""
    bench = measured("large", WORKLOADS["large"].scale, "duckdb")
    found, theirs = bench.by_engine["accelerant"], bench.by_engine["duckdb"]
    shares = {
        query: max(figure.cpu_s / theirs[query].cpu_s, figure.wall_s / theirs[query].wall_s)
        for query, figure in found.items()
        if query in theirs
    }
    bad = [f"{query}: {figure.reason}" for query, figure in found.items() if not figure.native]
    shown = [f"{query} {share:.2f}" for query, share in shares.items()]
    return Result("; ".join([*shown, *bad]), not bad and all(share <= 1 for share in shares.values()))


def total_against(peer: str, bar: float, goal: float) -> Callable[[Bench], Result]:
    """Returns what compares all queries through PySpark with a peer's."""
    return lambda bench: at_most(bench.total("accelerant"), bench.total(peer), bar, goal, bench.unit)


def no_query_slower(bench: Bench) -> Result:
    """Looks for queries that are slower through PySpark than on Spark or on Comet; DuckDB's are a goal."""
    ours = bench.seconds("accelerant")
    slower = {
        peer: [query for query, seconds in bench.seconds(peer).items() if ours[query] > seconds]
        for peer in ("spark", "comet", "duckdb")
    }
    figure = "; ".join(f"than {peer}: {', '.join(queries) or 'none'}" for peer, queries in slower.items())
    return Result(f"slower {figure} (goal)", not slower["spark"] and not slower["comet"])


def peak_memory(bench: Bench) -> Result:
    """Compares the most memory that any query took, of the engine alone and of DuckDB."""
    ours, theirs = (
        max(figure.peak_rss for figure in bench.by_engine[engine].values()) / 1e6 for engine in ("engine", "duckdb")
    )
    return at_most(ours, theirs, 1.5, 1, "MB")


def two_threads(bench: Bench) -> Result:
    """Compares the wall seconds of the long queries on one thread and on two; CPU seconds can tell nothing of it."""
    one, two = bench.seconds("one-thread", "wall_s"), bench.seconds("engine", "wall_s")
    long = [query for query, seconds in one.items() if seconds >= LONG_SHARE * sum(one.values())]
    gain = sum(one[query] for query in long) / sum(two[query] for query in long)
    return Result(f"{gain:.2f} times as fast: {', '.join(long)}", gain >= 1.8)


def tiny_query(bench: Bench) -> Result:
    """Compares a tiny query in a warm session with plain Spark's, by the median of many runs."""
    ours, theirs = (bench.by_engine[engine]["tiny"] for engine in ("accelerant", "spark"))
    unit = "wall_median_s" if bench.unit == "wall_s" else bench.unit
    return at_most(getattr(ours, unit), getattr(theirs, unit), 1, 0.5, unit)


def way_out(query: str) -> Callable[[Bench], Result]:
    """Returns what compares many rows on their way out with plain Spark's; they must be the same rows, native."""

    def judge(bench: Bench) -> Result:
        ours = bench.by_engine["accelerant"][query]
        found = at_most(bench.seconds("accelerant")[query], bench.seconds("spark")[query], 0.5, 0.25, bench.unit)
        return Result(found.figure, found.holds and ours.equal is True and ours.native is True)

    return judge
