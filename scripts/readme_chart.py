"""Draws the README's chart of a committed file of figures, and writes below it which command made them.

.venv/bin/python scripts/readme_chart.py benchmarks/results/tpch-sf10.json
"""

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path

from accelerant.bench import captions
from accelerant.benchmark.presentation import draw
from accelerant.benchmark.results import read_results

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
README_COLUMNS = 140
CHART = Path("docs") / "chart"
PLACE = re.compile(r"(<!-- chart -->\n).*?(<!-- end of chart -->)", re.DOTALL)


def section(content: dict, figures: Path, chart: Path) -> str:
    """Returns what the README says."""
    title, notes = captions(content)
    versions = ", ".join(f"{name} {version}" for name, version in content["versions"].items() if version != "none")
    said = (
        f"{notes}; {versions}. The least of {content['settings']['hot_runs']} hot runs, planning included; measured on "
        f"{content['date']} with `{content['command']}`; [all figures]({figures})."
    )
    lines = textwrap.fill(said, README_COLUMNS, break_long_words=False, break_on_hyphens=False)
    return f"![{title}: seconds by query and engine]({chart})\n\n{lines}\n"


def main() -> int:
    """Draws the chart and writes the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, help="a file that `accelerant bench` wrote, below the repository")
    figures = parser.parse_args().figures.resolve().relative_to(ROOT)
    content = json.loads((ROOT / figures).read_text())
    # On one thread the engine is no peer of the others.
    results = [result for result in read_results(content) if result.engine != "one-thread"]
    (chart,) = draw(results, ROOT / CHART, *captions(content), suffixes=[".svg"])
    text = section(content, figures, chart.relative_to(ROOT))
    readme, places = PLACE.subn(lambda found: found.group(1) + text + found.group(2), README.read_text())
    if places != 1:
        print(f"{README.name} has no place for the chart: two comments, <!-- chart --> and <!-- end of chart -->")
        return 1
    README.write_text(readme)
    return 0


if __name__ == "__main__":
    sys.exit(main())
