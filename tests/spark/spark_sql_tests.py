"""Runs Spark's own SQL tests, the golden files of SQLQueryTestSuite, on plain Spark and with Accelerant.

The files come from the test jar of Spark's SQL module (dependencies/spark-sql-tests.txt) and go no further than
build/spark-tests. Every statement is run with the optimizer's constant folding and without; statements and answers are
left in build/spark-tests/VERSION/statements.json, the report in build/spark-tests/report.txt. Ends with status 1 where
Accelerant answers otherwise than a plain Spark that agrees with the golden file, or, where there is none, than plain
Spark. Plain Spark's answers are kept for the next run.

Left out: files below udf, udaf and udtf, whose functions only Spark's test classes have, and the second way in which
Spark's suite runs cte.sql, through views.
"""

import argparse
import json
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import golden_input
import golden_report
import golden_results
import golden_session
from golden_shards import ROOT, Run, Side, run_all

from accelerant.benchmark.comet import REPOSITORY, download, pinned

PIN = ROOT / "dependencies" / "spark-sql-tests.txt"
OUT = ROOT / "build" / "spark-tests"
RESOURCES = ("sql-tests/inputs/", "sql-tests/results/", "test-data/postgresql/")
JAVA = 17

# The environments, and whether the golden files are of their version.
ENVIRONMENTS = {".venv-spark-tests": True, ".venv": False}


def unpacked() -> Path:
    """Returns the folder of files from the jar, downloaded and unpacked when it is not there."""
    path, digest = pinned(PIN)
    folder = OUT / Path(path).stem
    if not folder.is_dir():
        partial = folder.with_suffix(".partial")
        with zipfile.ZipFile(download(f"{REPOSITORY}/{path}", digest, OUT / Path(path).name)) as jar:
            jar.extractall(partial, [name for name in jar.namelist() if name.startswith(RESOURCES)])
        partial.rename(folder)
    return folder


def sides(environment: str, resources: Path, unset: list[str]) -> tuple[Side, Side]:
    """Returns plain Spark and Accelerant on one version of Spark."""
    python = ROOT / environment / "bin" / "python"
    if not python.exists():
        sys.exit(f"spark_sql_tests.py: {python} is missing: run `make spark-tests`, which installs it")
    version = Side(python, OUT, resources, False).version
    folder = OUT / version
    folder.mkdir(parents=True, exist_ok=True)
    return Side(python, folder, resources, False), Side(python, folder, resources, True, tuple(unset))


def compare(plain: Side, native: Side, has_golden: bool) -> list[golden_results.Statement]:
    """Joins the answers of both sides, and leaves all of them in a file."""
    plain_records, native_records = map(golden_results.read_records, (plain.out, native.out))
    names = {key[0] for key in plain_records} if has_golden else set()
    golden = golden_results.goldens(plain.resources / "sql-tests" / "results", names, JAVA)
    statements = golden_results.together(plain_records, native_records, golden)
    content = json.dumps([statement.as_json() for statement in statements], indent=1)
    (plain.folder / "statements.json").write_text(content + "\n")
    return statements


def is_bad(statement: golden_results.Statement, has_golden: bool) -> bool:
    """Says whether a statement differs that must not."""
    return statement.differs and (statement.plain_passes or not has_golden)


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORDS", help="files whose names contain one of some words")
    parser.add_argument("--environment", choices=ENVIRONMENTS, action="append", help="some versions of Spark only")
    parser.add_argument("--folding", choices=golden_session.FOLDINGS, action="append", help="one way of folding only")
    parser.add_argument(
        "--unset", action="append", default=[], metavar="NAME", help="leave out a setting of the suite for Accelerant"
    )
    parser.add_argument("--jobs", type=int, default=2, help="Spark processes at a time")
    return parser.parse_args()


def main() -> int:
    """Runs the tests and prints the report."""
    options = parse()
    begun = time.monotonic()
    resources = unpacked()
    foldings = options.folding or list(golden_session.FOLDINGS)
    inputs = golden_input.names(resources / "sql-tests" / "inputs")
    names = [name for name in inputs if any(word in name for word in options.only.split(","))]
    if not names:
        sys.exit(f"spark_sql_tests.py: no file's name contains {options.only}")
    # One after the other, as Spark keeps the code that it generated for a while.
    runs: list[Run] = [(name, folding) for name in names for folding in foldings]
    environments = options.environment or list(ENVIRONMENTS)
    pairs = [sides(environment, resources, options.unset) for environment in environments]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda side: run_all(side, runs), [side for pair in pairs for side in pair]))
    lines = []
    bad = 0
    for environment, (plain, native) in zip(environments, pairs, strict=True):
        statements = compare(plain, native, ENVIRONMENTS[environment])
        bad += sum(is_bad(statement, ENVIRONMENTS[environment]) for statement in statements)
        lines += [*golden_report.report(plain.version, statements, foldings), ""]
    lines.append(f"{bad} differ that must not; {(time.monotonic() - begun) / 60:.0f} minutes")
    (OUT / "report.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
