"""The engine alone in little memory: captured queries replayed with budgets, and with shares of their peaks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from statistics import median

import tpch_figures
from accelerant.benchmark.engines import ask_spark, run_program
from accelerant.benchmark.replays import replayers
from accelerant.errors import UserError
from evidence import RESULTS, Result

# What a query is to take at least for its times in less to count.
LEAST_PEAK = 256 << 20
NONE_COUNTS = f"no query takes {LEAST_PEAK >> 20} MB"
# By the share of its peak that a query gets, how many times as long as with all of it the median query may take.
SHARES = {4: 1.6, 16: 3.0}
# The least of so many runs counts.
RUNS = 3
# Of Java's heap beside the engine's memory, what is the least.
HEAP_BYTES = 1 << 30


@dataclass(frozen=True)
class Replayed:
    """What came of a replay: the least wall time, the most bytes that a run had reserved, and those that it spilled."""

    wall_s: float
    peak: int
    spilled: int


def replayed(path: Path, threads: int, memory: str = "", runs: int = 1) -> Replayed:
    """Replays a query; raises UserError where it fails, or has another answer than Spark's."""
    replayer = replayers(["engine"], threads, memory=memory)["engine"]
    report = path.with_suffix(f".{threads}-threads-{memory or 'all'}.json")
    run_program([*replayer.command(path, runs), "--json", report], report.with_suffix(".log"))
    found = json.loads(report.read_text())
    if not found["equal"]:
        raise UserError(f"the replay of {path} differs: {found['differences']}")
    spilled = sum(node["spilled_bytes"] for node in found["operators"])
    return Replayed(min(run["wall_s"] for run in found["runs"]), found["peak_bytes"], spilled)


def equal_in(scale: float, budgets: Sequence[tuple[str, int]]) -> Result:
    """Replays all of TPC-H with each budget and number of threads: Spark's answers, whatever goes to disk."""
    parts, failures = [], []
    for memory, threads in budgets:
        spilling = 0
        for name, path in tpch_figures.captures(scale).items():
            try:
                spilling += replayed(path, threads, memory).spilled > 0
            except UserError as error:
                failures.append(f"{name} in {memory} on {threads} threads: {error}")
        parts.append(f"{memory}, {threads} threads: {spilling} spill")
    return Result("; ".join(parts + failures), not failures)


@cache
def in_shares(scale: float) -> dict[str, dict[int, Replayed]]:
    """Replays the queries of TPC-H that count without a limit, share 1, and in each share of their peaks."""
    threads, found = tpch_figures.THREADS, {}
    for name, path in tpch_figures.captures(scale).items():
        whole = replayed(path, threads, runs=RUNS)
        if whole.peak >= LEAST_PEAK:
            less = {share: replayed(path, threads, str(whole.peak // share), RUNS) for share in SHARES}
            found[name] = {1: whole, **less}
    return found


def slower_in_less(scale: float) -> Result:
    """Says how much longer queries of TPC-H take in shares of the memory that they take without a limit."""
    found = in_shares(scale)
    if not found:
        return Result(NONE_COUNTS, False)
    ratios = {share: [times[share].wall_s / times[1].wall_s for times in found.values()] for share in SHARES}
    figure = "; ".join(
        f"in 1/{share} of their peaks {median(of_share):.2f} times as long, at most {max(of_share):.2f}, "
        f"{len(found)} queries"
        for share, of_share in ratios.items()
    )
    return Result(figure, all(median(ratios[share]) <= limit for share, limit in SHARES.items()))


def plain_wall_s(scale: float, name: str, heap_bytes: int) -> float:
    """Asks plain Spark a query of TPC-H twice in a heap of so many bytes; returns the shorter time, inf if it fails."""
    heap = {"spark.driver.memory": f"{heap_bytes >> 20}m"}
    asked = tpch_figures.task(scale, (name,), 1)
    folder = RESULTS / f"plain-{scale:g}"
    try:
        (report,) = ask_spark(replace(asked, spark_settings=asked.spark_settings | heap), folder, False)
    except UserError:
        return inf
    return min(cost.wall_s for cost in report.costs)


def against_spark(scale: float) -> Result:
    """Compares queries in shares of their peaks with plain Spark, whose heap is ours and what the engine gets."""
    ratios = {}
    for name, times in in_shares(scale).items():
        for share in SHARES:
            plain = plain_wall_s(scale, name, HEAP_BYTES + times[1].peak // share)
            ratios[f"{name} in 1/{share}"] = times[share].wall_s / plain
    if not ratios:
        return Result(NONE_COUNTS, False)
    worst = max(ratios, key=ratios.__getitem__)
    failures = sum(ratio == 0 for ratio in ratios.values())
    figure = (
        f"median {median(ratios.values()):.2f} of plain Spark's time, the most {ratios[worst]:.2f}, {worst}; "
        f"{failures} of {len(ratios)} that plain Spark fails"
    )
    return Result(figure, ratios[worst] <= 1)
