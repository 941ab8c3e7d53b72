"""Runs the queries of TPC-DS plain and accelerated, in turns, and compares answers and CPU seconds.

The query files and the schema, with CHAR and VARCHAR, are those of Spark's own SQL tests; the data is made by DuckDB's
generator and written by Spark. Each engine is one tree of processes that all queries run in: plain Spark, Spark with
Accelerant, DuckDB. Queries that are native as a whole are captured and replayed by the engine alone, in turn with
DuckDB. Of each query the least of some hot runs counts. What is not native is told by reason.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "python")]

from accelerant.bench import machine, versions  # noqa: E402
from accelerant.benchmark.engines import shuffle_folder  # noqa: E402
from accelerant.errors import UserError  # noqa: E402
from accelerant.spark_home import spark_home, spark_version  # noqa: E402
from records import record, resumed  # noqa: E402
from tpcds import sources, tables  # noqa: E402
from tpcds.figures import is_right, totals  # noqa: E402
from tpcds.measurement import Measurement, workers  # noqa: E402
from tpcds.report import line, summary  # noqa: E402

SPARKS = {"4.3": ".venv", "4.1": ".venv-spark41"}
CIRCUMSTANCES = ("scale", "ansi", "spark", "pairs", "threads", "heap", "memory")
LIMIT_S = 900


def read_options() -> argparse.Namespace:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1, help="TPC-DS's scale factor")
    parser.add_argument("--queries", default="", metavar="NAMES", help="some queries, as q14a,q72; all by default")
    parser.add_argument("--later", action="store_true", help="also those of version 2.7, as q5a-v2.7")
    parser.add_argument("--ansi", choices=("on", "off"), default="on", help="Spark's ANSI mode")
    parser.add_argument("--spark", choices=SPARKS, default="4.3", help="the version of Spark")
    parser.add_argument("--pairs", type=int, default=3, help="hot runs on each engine; 0 only compares answers")
    parser.add_argument("--heap", default="6g", metavar="SIZE", help="the heap of each of the two JVMs")
    parser.add_argument("--memory", metavar="SIZE", help="what the engine may hold; its own choice by default")
    parser.add_argument("--threads", type=int, default=2, help="cores that each engine may use")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds after which a run is ended")
    parser.add_argument("--data", type=Path, help="where the tables are, or are to be made")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--resume", action="store_true", help="measure only the queries that the file lacks")
    parser.add_argument("--list", action="store_true", help="print the queries' names and end")
    options = parser.parse_args()
    if options.resume and not options.json:
        parser.error("--resume goes on with the file of --json")
    return options


def use_spark(version: str) -> None:
    """Has this process, and all that it starts, use the Spark of an environment."""
    environment = ROOT / SPARKS[version]
    home = next(environment.glob("lib/python3*/site-packages/pyspark"), None)
    if home is None:
        sys.exit(f"run.py: {environment} has no pyspark: run `make setup`")
    os.environ |= {"SPARK_HOME": str(home), "PYSPARK_PYTHON": str(environment / "bin" / "python")}


def circumstances(options: argparse.Namespace) -> dict[str, object]:
    """Returns what the figures of one file have in common."""
    return {name: getattr(options, name) for name in CIRCUMSTANCES}


def run(options: argparse.Namespace, queries: dict[str, str]) -> int:
    """Measures queries, prints a table and records it; returns 1 when one failed or differed."""
    use_spark(options.spark)
    home = tables.written(options.scale, options.data)
    entries = resumed(options.json, circumstances(options), "queries") if options.resume else []
    done = {entry["query"] for entry in entries}
    known = {"machine": machine(), "versions": versions() | {"spark": spark_version(spark_home())}}
    known |= circumstances(options)
    print("CPU seconds: plain, accelerated, the engine alone, DuckDB", flush=True)
    with tempfile.TemporaryDirectory(prefix="tpcds-", dir=shuffle_folder(), ignore_cleanup_errors=True) as folder:
        engines = workers(options, home, Path(folder))
        measurement = Measurement(options, engines, Path(folder), home)
        try:
            for query in [name for name in queries if name not in done]:
                entries.append(measurement.entry(query, queries[query]))
                print(line(entries[-1]), flush=True)
                if options.json:
                    record(options.json, known | {"totals": totals(entries), "queries": entries})
        finally:
            for engine in engines.values():
                engine.end()
    print(f"\n{summary(entries)}")
    return 0 if all(map(is_right, entries)) else 1


def main() -> int:
    """Runs what the options say."""
    options = read_options()
    try:
        queries = sources.chosen(sources.queries(sources.jar(), options.later), options.queries)
        if options.list:
            print("\n".join(queries))
            return 0
        return run(options, queries)
    except UserError as error:
        sys.exit(f"run.py: {error}")


if __name__ == "__main__":
    sys.exit(main())
