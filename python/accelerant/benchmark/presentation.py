"""Figures as a table, and as a chart in two formats."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from accelerant.benchmark.pairs import median_ratio, totals
from accelerant.benchmark.results import Result
from accelerant.errors import UserError

TITLES = {
    "accelerant": "Accelerant",
    "spark": "Spark",
    "comet": "Comet",
    "duckdb": "DuckDB",
    "polars": "Polars",
    "engine": "engine alone",
    "previous": "before",
    "one-thread": "one thread",
}
COLORS = {
    "accelerant": "#1b7f5c",
    "spark": "#e07b39",
    "comet": "#b5527a",
    "duckdb": "#8a8f98",
    "polars": "#4a78b8",
    "engine": "#7fc8ac",
    "previous": "#c9b458",
    "one-thread": "#9a7fc8",
}
ROW = "{:<{}}{:<14}{:>9}{:>9}{:>9}{:>10}{:>10}{:>9}{:>8}  {}"


def table(results: Sequence[Result], before: Sequence[Result] = ()) -> str:
    """Returns a line for each query and engine, CPU also as a share of Spark's and of an earlier run's or build's.

    All figures but the median are the least of the hot runs.
    """
    width = max(9, *(len(result.query) + 2 for result in results))
    lines = [
        ROW.format(
            "query", width, "engine", "wall s", "median", "CPU s", "of Spark", "of before", "peak MB", "equal", "native"
        )
    ]
    spark = {result.query: result for result in results if result.engine == "spark"}
    # What another build took in turn with this one says more than what a file says of an earlier day.
    earlier = {key(result): result for result in before}
    earlier |= {(result.query, "engine"): result for result in results if result.engine == "previous"}
    for query in dict.fromkeys(result.query for result in results):
        for result in (result for result in results if result.query == query):
            base, old = spark.get(query), earlier.get(key(result))
            seconds = (f"{part:.3f}" for part in (result.wall_s, result.wall_median_s, result.cpu_s))
            figures = (*seconds, share(result, base), share(result, old))
            native = "" if result.native is None else "yes" if result.native else f"no: {result.reason}"
            equal = {None: "", True: "yes", False: "NO"}[result.equal]
            peak = f"{result.peak_rss / 1e6:.0f}" if result.peak_rss else ""
            lines.append(ROW.format(query, width, TITLES[result.engine], *figures, peak, equal, native).rstrip())
    return "\n".join([*lines, *summary(results, earlier, width)])


def share(result: Result, base: Result | None) -> str:
    """Returns a result's processor time as a share of another's."""
    return f"{result.cpu_s / base.cpu_s:.2f}" if base and base.cpu_s else ""


def summary(results: Sequence[Result], earlier: Mapping[tuple[str, str], Result], width: int) -> list[str]:
    """Returns two lines for each engine, of all queries that it ran: sums, and geometric means.

    Shares are of the same queries on Spark, and before.
    """
    of_spark = {result.query: result for result in results if result.engine == "spark"}
    lines = []
    for name, combine in (("total", sum), ("geomean", statistics.geometric_mean)):
        for engine in dict.fromkeys(result.engine for result in results):
            own = [result for result in results if result.engine == engine]
            bases = ([of_spark.get(result.query) for result in own], [earlier.get(key(result)) for result in own])
            parts = zip(*((result.wall_s, result.wall_median_s, result.cpu_s) for result in own), strict=True)
            figures = [combine(seconds) for seconds in parts]
            shares = [combined_share(own, base, combine) for base in bases]
            shown = [*(f"{figure:.3f}" for figure in figures), *shares, "", "", ""]
            lines.append(ROW.format(name, width, TITLES[engine], *shown).rstrip())
    return lines


def beside_previous(results: Sequence[Result]) -> str:
    """Returns what the engine alone takes of another build's processor time, pair by pair; empty without one.

    Queries are named whose interval lies apart from 1.
    """
    pairs = pairs_of(results)
    if not pairs:
        return ""
    whole = median_ratio(*(totals(runs) for runs in zip(*pairs.values(), strict=True)))
    apart = {query: found for query, pair in pairs.items() if not (found := median_ratio(*pair)).low <= 1 <= found.high}
    named = "; ".join(f"{query} {found}" for query, found in apart.items())
    return f"of the build before, by pairs: {whole}" + (f"; apart from 1: {named}" if named else "")


def pairs_of(results: Sequence[Result]) -> dict[str, tuple[list[float], list[float]]]:
    """Returns the processor seconds of each query's runs on the build before and on this one."""
    runs = {engine: {r.query: r.cpu_runs_s for r in results if r.engine == engine} for engine in ("previous", "engine")}
    return {query: (base, runs["engine"][query]) for query, base in runs["previous"].items() if query in runs["engine"]}


def key(result: Result) -> tuple[str, str]:
    """Returns what two measurements of the same thing have in common."""
    return result.query, result.engine


def combined_share(own: Sequence[Result], base: Sequence[Result | None], combine: Callable) -> str:
    """Returns the processor time of several queries as a share of others'; empty unless all of those are known."""
    known = [result for result in base if result]
    if len(known) < len(own):
        return ""
    return f"{combine([result.cpu_s for result in own]) / combine([result.cpu_s for result in known]):.2f}"


def draw(
    results: Sequence[Result], path: Path, title: str, notes: str, suffixes: Sequence[str] = (".png", ".svg")
) -> list[Path]:
    """Draws wall seconds by query and engine as `path` with each suffix; raises UserError without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise UserError("the chart needs matplotlib: pip install accelerant[bench]") from None
    matplotlib.use("Agg")
    # Text as text, and the same bytes for the same figures.
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "accelerant"}
    from matplotlib import pyplot

    queries = list(dict.fromkeys(result.query for result in results))
    engines = list(dict.fromkeys(result.engine for result in results))
    figure, axes = pyplot.subplots(figsize=(max(6.0, 0.55 * len(queries) + 2), 4.5), layout="constrained")
    width = 0.8 / len(engines)
    for i, engine in enumerate(engines):
        walls = {result.query: result.wall_s for result in results if result.engine == engine}
        places = [j + (i - (len(engines) - 1) / 2) * width for j in range(len(queries))]
        heights = [walls.get(query, 0) for query in queries]
        axes.bar(places, heights, width, label=TITLES[engine], color=COLORS[engine])
    axes.set_xticks(range(len(queries)), queries, rotation=0 if max(map(len, queries)) < 5 else 30)
    axes.set_ylabel("seconds, least hot run")
    axes.set_title(title)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.supxlabel(notes, fontsize=7, color="#555555")
    paths = [path.with_suffix(suffix) for suffix in suffixes]
    for target in paths:
        figure.savefig(target, dpi=150, metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(figure)
    return paths
