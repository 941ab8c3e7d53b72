"""The engine alone in little memory: captured queries replayed with budgets, and with shares of their peaks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import tpch_figures
from accelerant.benchmark.engines import run_program
from accelerant.benchmark.replays import replayers
from accelerant.errors import UserError
from evidence import Result

# What a query is to take at least for its times in less to count.
LEAST_PEAK = 256 << 20
# By the share of its peak that a query gets, how many times as long as with all of it the median query may take.
SHARES = {4: 1.6, 16: 3.0}
# The least of so many runs counts.
RUNS = 3


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


def slower_in_less(scale: float) -> Result:
    """Says how much longer queries of TPC-H take in shares of the memory that they take without a limit."""
    threads, ratios = tpch_figures.THREADS, {share: [] for share in SHARES}
    for path in tpch_figures.captures(scale).values():
        whole = replayed(path, threads, runs=RUNS)
        if whole.peak < LEAST_PEAK:
            continue
        for share, found in ratios.items():
            found.append(replayed(path, threads, str(whole.peak // share), RUNS).wall_s / whole.wall_s)
    if not all(ratios.values()):
        return Result(f"no query takes {LEAST_PEAK >> 20} MB", False)
    figure = "; ".join(
        f"in 1/{share} of their peaks {median(found):.2f} times as long, at most {max(found):.2f}, {len(found)} queries"
        for share, found in ratios.items()
    )
    return Result(figure, all(median(ratios[share]) <= limit for share, limit in SHARES.items()))
