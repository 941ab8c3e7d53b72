"""Shows what must hold: one line each, with its figure and PASS or FAIL.

Ends with status 1 when a line fails. The table is also written to build/acceptance.json.
`make acceptance` runs all but the long groups; --only WORD, or `make acceptance GROUP=WORD`, the lines that contain a
word, or whose group does.
"""

import argparse
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import evidence
from accelerant.bench import machine
from acceptance_lines import GROUPS, LONG_GROUPS
from acceptance_tests import Line
from evidence import Result

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "build" / "acceptance.json"


def chosen_lines(word: str) -> list[Line]:
    """Returns the lines that contain a word, or whose group does; of long groups only those that are named."""
    named = {group for group in GROUPS if word and word.lower() in group.lower()}
    return [
        line
        for group, lines in GROUPS.items()
        for line in lines
        if group in named or (group not in LONG_GROUPS and word.lower() in line.text.lower())
    ]


def run_tests(lines: list[Line]) -> None:
    """Runs the tests that the lines name, in one process a kind."""
    wanted: dict[int, list[Line]] = {}
    for line in lines:
        if line.run:
            wanted.setdefault(id(line.run), []).append(line)
    for members in wanted.values():
        members[0].run.run(sorted({test for line in members for test in line.tests}))


def found_out(line: Line) -> Result:
    """Finds out whether a line holds; a measurement that fails is a line that does not hold."""
    print(f"… {line.text}", flush=True)
    try:
        return line.find_out()
    except (Exception, SystemExit) as error:
        return Result(f"{type(error).__name__}: {error}", False)


def show(line: Line, result: Result) -> None:
    """Prints a line with its figure."""
    print(("PASS  " if result.holds else "FAIL  ") + textwrap.fill(line.text, 114, subsequent_indent=" " * 6))
    print(textwrap.fill(result.figure, 120, initial_indent=" " * 8, subsequent_indent=" " * 8, max_lines=4))


def write_table(lines: list[Line], results: list[Result]) -> None:
    """Keeps the table, with the machine and the commit it is of."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    rows = [
        {"line": line.text, "figure": result.figure, "holds": result.holds}
        for line, result in zip(lines, results, strict=True)
    ]
    table = {"commit": commit.stdout.strip(), "machine": machine(), "lines": rows}
    TABLE.write_text(json.dumps(table, indent=2) + "\n")


def main() -> int:
    """Runs everything; returns 1 when a line does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="only lines that contain a word")
    lines = chosen_lines(parser.parse_args().only)
    evidence.RESULTS.mkdir(parents=True, exist_ok=True)
    run_tests(lines)
    results = [found_out(line) for line in lines]
    for group, members in GROUPS.items():
        shown = [(line, result) for line, result in zip(lines, results, strict=True) if line in members]
        if shown:
            print(f"\n{group}")
        for line, result in shown:
            show(line, result)
    write_table(lines, results)
    failed = sum(not result.holds for result in results)
    print(f"\n{len(results) - failed} of {len(results)} lines hold")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
