"""Figures as a table, and as a chart in two formats."""

from collections.abc import Sequence
from pathlib import Path

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
ROW = "{:<{}}{:<14}{:>9}{:>9}{:>10}{:>10}{:>9}{:>8}  {}"


def table(results: Sequence[Result], before: Sequence[Result] = ()) -> str:
    """Returns a line for each query and engine, CPU also as a share of Spark's and of an earlier run's."""
    width = max(7, *(len(result.query) + 2 for result in results))
    lines = [
        ROW.format("query", width, "engine", "wall s", "CPU s", "of Spark", "of before", "peak MB", "equal", "native")
    ]
    spark = {result.query: result for result in results if result.engine == "spark"}
    earlier = {(result.query, result.engine): result for result in before}
    for query in dict.fromkeys(result.query for result in results):
        for result in (result for result in results if result.query == query):
            base, old = spark.get(query), earlier.get((query, result.engine))
            figures = (f"{result.wall_s:.3f}", f"{result.cpu_s:.3f}", share(result, base), share(result, old))
            native = "" if result.native is None else "yes" if result.native else f"no: {result.reason}"
            equal = {None: "", True: "yes", False: "NO"}[result.equal]
            peak = f"{result.peak_rss / 1e6:.0f}" if result.peak_rss else ""
            lines.append(ROW.format(query, width, TITLES[result.engine], *figures, peak, equal, native).rstrip())
    return "\n".join([*lines, *totals(results, width)])


def share(result: Result, base: Result | None) -> str:
    """Returns a result's processor time as a share of another's."""
    return f"{result.cpu_s / base.cpu_s:.2f}" if base and base.cpu_s else ""


def totals(results: Sequence[Result], width: int) -> list[str]:
    """Returns a line for each engine with its sums over all queries."""
    lines = []
    for engine in dict.fromkeys(result.engine for result in results):
        own = [result for result in results if result.engine == engine]
        wall, cpu = sum(result.wall_s for result in own), sum(result.cpu_s for result in own)
        lines.append(ROW.format("total", width, TITLES[engine], f"{wall:.3f}", f"{cpu:.3f}", *[""] * 5).rstrip())
    return lines


def draw(results: Sequence[Result], path: Path, title: str, notes: str) -> list[Path]:
    """Draws wall seconds by query and engine as `path` with .png and .svg; raises UserError without matplotlib."""
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
    paths = [path.with_suffix(suffix) for suffix in (".png", ".svg")]
    for target in paths:
        figure.savefig(target, dpi=150, metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(figure)
    return paths
