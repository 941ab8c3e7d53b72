"""The arithmetic of the measurement of TPC-DS: what is recorded of each query, summed up."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

PLAIN = "plain"
ACCELERATED = "accelerated"
ENGINE = "engine"
DUCKDB = "duckdb"


def least(entry: dict, engine: str) -> float | None:
    """Returns the least CPU seconds of a query on an engine; None where it was not measured."""
    return min(entry["cpu_s"].get(engine, ()), default=None)


def both(entries: Sequence[dict], mine: str, other: str) -> list[tuple[str, float, float]]:
    """Returns the queries that were measured on two engines, with the least CPU seconds of both."""
    found = ((entry["query"], least(entry, mine), least(entry, other)) for entry in entries)
    return [(query, a, b) for query, a, b in found if a is not None and b is not None]


def ratio(entries: Sequence[dict], mine: str, other: str) -> dict:
    """Returns what all queries together take on two engines, of those that both ran."""
    pairs = both(entries, mine, other)
    sums = [sum(seconds) for seconds in list(zip(*pairs, strict=True))[1:]] or [0.0, 0.0]
    share = sums[0] / sums[1] if sums[1] else None
    return {"queries": len(pairs), mine: sums[0], other: sums[1], "ratio": share}


def bridged_share(entries: Iterable[dict]) -> float:
    """Returns the share that Spark's code within native operators has of the CPU seconds of accelerated runs."""
    runs = [run for entry in entries for run in entry["bridged"]["runs"]]
    whole = sum(run["cpu_s"] for run in runs)
    return sum(run["bridged_s"] for run in runs) / whole if whole else 0.0


def is_right(entry: dict) -> bool:
    """Says whether a query ran, with plain Spark's answer."""
    return not entry["error"] and not entry["difference"]


def is_native(entry: dict) -> bool:
    """Says whether a query ran natively from its scans to its root."""
    return not entry["error"] and not entry["not_native"]


def obstacles(entries: Iterable[dict]) -> list[tuple[str, list[str]]]:
    """Returns what keeps operators from running natively, with the queries that have it: the commonest first."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for entry in entries:
        for name, state, reason, _ in entry["others"]:
            found[f"{name} ({state}){': ' if reason else ''}{reason}"][entry["query"]] = None
        if entry["not_native"] and not entry["others"]:
            found[entry["not_native"]][entry["query"]] = None
    return [(reason, list(queries)) for reason, queries in sorted(found.items(), key=lambda item: -len(item[1]))]


def totals(entries: Sequence[dict]) -> dict:
    """Sums up all queries."""
    pairs = both(entries, ACCELERATED, PLAIN)
    return {
        "queries": len(entries),
        "native": sum(map(is_native, entries)),
        "equal": sum(map(is_right, entries)),
        "not_native": [entry["query"] for entry in entries if not is_native(entry)],
        "not_equal": [entry["query"] for entry in entries if not is_right(entry)],
        "of_plain": ratio(entries, ACCELERATED, PLAIN),
        "of_duckdb": ratio(entries, ENGINE, DUCKDB),
        "not_alone": {entry["query"]: entry["not_alone"] for entry in entries if "not_alone" in entry},
        "not_on_duckdb": [entry["query"] for entry in entries if "duckdb_error" in entry],
        "other_on_duckdb": [entry["query"] for entry in entries if entry.get("is_duckdb_equal") is False],
        "slower": [query for query, mine, plain in pairs if mine > plain],
        "spilling": [entry["query"] for entry in entries if entry["spilled"]],
        "bridged_share": bridged_share(entries),
        "bridged": dict(Counter(name for entry in entries for name in entry["bridged"]["names"]).most_common()),
    }
