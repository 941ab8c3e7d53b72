"""Figures of benchmarks/tpcds against what must hold: measured once for each way of running the queries."""

from collections.abc import Callable, Sequence

import evidence
from evidence import Result

QUERIES = 103
OF_PLAIN = 1 / 5
OF_DUCKDB = 1.0
BRIDGED_SHARE = 0.02
SCALE = "1"

Judge = Callable[[dict], Result]


def measured(name: str, *options: str) -> dict:
    """Runs the queries and returns what was recorded."""
    return evidence.resumed(f"tpcds-{name}", "queries", "tpcds/run.py", "--scale", SCALE, *options)


def in_pairs(judge: Judge) -> Callable[[], Result]:
    """Returns what judges the queries as they are, the least of three runs."""
    return lambda: judge(measured("pairs", "--pairs", "3"))


def compared(judge: Judge, name: str, *options: str) -> Callable[[], Result]:
    """Returns what judges the queries under other circumstances, compared alone."""
    return lambda: judge(measured(name, "--pairs", "0", *options))


def in_little_memory(budgets: Sequence[tuple[str, int]]) -> Result:
    """Every query gave what plain Spark gave, natively, with each budget and number of threads."""
    parts, holds = [], True
    for memory, threads in budgets:
        options = ("--pairs", "0", "--memory", memory, "--threads", str(threads))
        content = measured(f"{memory}-{threads}", *options)
        found = [judge(content) for judge in (equal, native)]
        holds &= all(result.holds for result in found)
        spilling = len(content["totals"]["spilling"])
        parts += [f"{memory}, {threads} threads: {found[0].figure}, {found[1].figure} native, {spilling} spill"]
    return Result("; ".join(parts), holds)


def enough(content: dict) -> bool:
    """Says whether there were as many queries as there must be."""
    return content["totals"]["queries"] == QUERIES


def native(content: dict) -> Result:
    """Every query ran natively from its scans to its root."""
    totals = content["totals"]
    others = totals["not_native"]
    figure = f"{totals['native']} of {totals['queries']}"
    return Result("; ".join([figure, *others]), not others and enough(content))


def bridged(content: dict) -> Result:
    """Little of the CPU was Spark's code within native operators."""
    totals = content["totals"]
    names = ", ".join(f"{name} in {count}" for name, count in totals["bridged"].items())
    figure = f"{totals['bridged_share']:.2%} of the CPU{': ' if names else ''}{names}"
    return Result(figure, totals["bridged_share"] <= BRIDGED_SHARE and enough(content))


def equal(content: dict) -> Result:
    """Every query gave what plain Spark gave."""
    totals = content["totals"]
    others = totals["not_equal"]
    figure = f"{totals['equal']} of {totals['queries']} equal"
    return Result("; ".join([figure, *others]), not others and enough(content))


def cheaper(content: dict) -> Result:
    """All queries together take a share of plain Spark's CPU."""
    return shown(content["totals"]["of_plain"], ("accelerated", "plain"), OF_PLAIN, enough(content))


def none_slower(content: dict) -> Result:
    """No query takes more CPU than on plain Spark."""
    slower = content["totals"]["slower"]
    count = content["totals"]["of_plain"]["queries"]
    return Result(f"slower: {', '.join(slower) or 'none'} of {count}", not slower and count == QUERIES)


def engine_alone(content: dict) -> Result:
    """The engine alone takes what DuckDB takes at most, of the native queries that DuckDB runs: all of them."""
    lacking = content["totals"]["not_alone"]
    found = shown(content["totals"]["of_duckdb"], ("engine", "duckdb"), OF_DUCKDB, not lacking)
    troubles = [f"{query}: {reason}" for query, reason in lacking.items()]
    return Result("; ".join([found.figure, *troubles]), found.holds)


def shown(share: dict, engines: tuple[str, str], limit: float, is_whole: bool) -> Result:
    """Returns a result of what some queries take on two engines."""
    if share["ratio"] is None:
        return Result("nothing was measured", False)
    mine, other = (share[engine] for engine in engines)
    figure = f"{mine:.1f} against {other:.1f} s: {share['ratio']:.3f}, {share['queries']} queries"
    return Result(figure, share["ratio"] <= limit and is_whole)
