"""What was found out about the queries of TPC-DS, as text for people."""

from tpcds.figures import ACCELERATED, DUCKDB, ENGINE, PLAIN, is_native, is_right, least, obstacles, totals


def line(found: dict) -> str:
    """Returns a query's line of the table."""
    costs = [least(found, engine) for engine in (PLAIN, ACCELERATED, ENGINE, DUCKDB)]
    shown = "".join(f"{'' if cost is None else f'{cost:.3f}':>9}" for cost in costs)
    words = f"{found['query']:10}{shown}  {'equal' if is_right(found) else 'NOT EQUAL':9}"
    words += "  native" if is_native(found) else ""
    troubles = [f"{engine} failed: {error}" for engine, error in found["error"].items()]
    troubles += [f"not native: {found['not_native']}"] if found["not_native"] else []
    troubles += [f"differs: {found['difference']}"] if found["difference"] else []
    troubles += [f"bridged: {', '.join(found['bridged']['names'])}"] if found["bridged"]["names"] else []
    troubles += [f"spilled: {found['spilled'] >> 20} MB"] if found["spilled"] else []
    troubles += [f"not alone: {found['not_alone']}"] if "not_alone" in found else []
    troubles += [f"DuckDB does not run it: {found['duckdb_error']}"] if "duckdb_error" in found else []
    return "\n    ".join([words.rstrip(), *troubles])


def summary(entries: list[dict]) -> str:
    """Returns what all queries come to, and what is not native, by reason."""
    found = totals(entries)
    lines = [f"{found['equal']} equal, {found['native']} native from scan to root of {found['queries']}"]
    for name, what in (("of_plain", "accelerated, of plain Spark"), ("of_duckdb", "the engine alone, of DuckDB")):
        share = found[name]
        if share["ratio"] is not None:
            lines.append(f"CPU {what}: {share['ratio']:.3f}, {share['queries']} queries")
    lines += [f"DuckDB does not run: {', '.join(found['not_on_duckdb']) or 'none'}"]
    lines += [f"DuckDB answers otherwise: {', '.join(found['other_on_duckdb']) or 'none'}"]
    lines += [f"slower than on plain Spark: {', '.join(found['slower']) or 'none'}"]
    lines += [f"bridged calls: {found['bridged_share']:.2%} of the CPU; {found['bridged'] or 'none'}"]
    lines += [f"spilled: {', '.join(found['spilling']) or 'none'}"]
    reasons = obstacles(entries)
    lines += ["", "not native, by reason and number of queries:"] if reasons else []
    lines += [f"{len(queries):4}  {reason}\n        {' '.join(queries)}" for reason, queries in reasons]
    return "\n".join(lines)
