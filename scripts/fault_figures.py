"""Makes reservations of memory fail, place by place, in TPC-H and in the SQL corpus, and disks in what spills of TPC-H.

A query is captured once through Spark and then replayed again and again, each time with one failure or two (see
`accelerant-replay --help`): it must have Spark's answer, or fail with an error that names what failed, and give all
memory back. Ends with status 1 where one does not.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "python"), str(ROOT / "tests" / "sql"), str(ROOT / "tests" / "oracle")]

import corpus  # noqa: E402
from py4j.protocol import Py4JJavaError  # noqa: E402
from pyspark.errors import PySparkException  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from accelerant import artifacts, spark_settings, tpch  # noqa: E402
from accelerant.benchmark.replays import capture  # noqa: E402
from accelerant.benchmark.workloads import WORKLOADS, make_task  # noqa: E402

FOLDER = ROOT / "build" / "acceptance" / "faults"
CORPUS = sorted((ROOT / "tests" / "sql").rglob("*.sql"))
SCALE = 0.01
THREADS = 2
# TPC-H at scale 1 in so little memory, where these go to disk.
SPILLING, SPILLING_MEMORY = ("q7", "q9", "q10", "q13", "q16", "q18"), "16m"
# Of the corpus, whose queries may need Spark's code.
MOST_LEFT_OUT = 0.05
# What the replay ends with where the query can't be run.
CANT_RUN = 2
# A query that has not ended then hangs, whichever of its runs it is.
HANGS_AFTER_S = 1200
COUNTS = re.compile(r"(\d+) places .*, (\d+) runs: (\d+) equal .*, (\d+) failed .*, (\d+) met")
# Reservations in TPC-H and in the corpus; the disk of what spills.
KINDS = ("tpch", "corpus", "disk")
NAMES = ("places", "runs", "equal", "failed", "missed")


@dataclass
class Tally:
    """What came of all queries."""

    counts: Counter = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def figure(self) -> str:
        """Returns the tally in one line."""
        return ", ".join(f"{self.counts[name]:,} {name}" for name in ("queries", "left out", *NAMES)) + (
            f"; {len(self.findings)} findings" if self.findings else ""
        )


def captured_corpus(folder: Path) -> dict[str, Path]:
    """Captures the queries of the corpus that run natively, in a session of this build."""
    shutil.rmtree(folder, ignore_errors=True)
    builder = SparkSession.builder.master(f"local[{THREADS}]").config("spark.sql.warehouse.dir", str(folder / "tables"))
    for name, value in spark_settings.settings(artifacts.find()).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    found = {}
    for path in CORPUS:
        parsed = corpus.parse(path)
        # Files have tables of the same names, which stay for the replays.
        database = f"{path.parent.name}_{path.stem}"
        for statement in (f"create database {database}", f"use {database}", *parsed.setup):
            spark.sql(statement)
        for index, query in enumerate(parsed.queries):
            name = f"{path.parent.name}-{path.stem}-{index}"
            found[name] = captured(spark, query, folder / name)
    spark.stop()
    return {name: file for name, file in found.items() if file}


def captured(spark: SparkSession, query: corpus.Query, folder: Path) -> Path | None:
    """Runs a query; returns the file that it leaves, if it runs natively."""
    spark.conf.set("spark.accelerant.capture.dir", str(folder))
    try:
        # Rows that Python has no value for are fine.
        spark.sql(query.sql)._jdf.collectAsList()
    except (PySparkException, Py4JJavaError):
        pass  # a query that fails is captured as well
    finally:
        spark.conf.unset("spark.accelerant.capture.dir")
    return next(folder.glob("*.accq"), None)


def replayed(path: Path, options: list[str], tally: Tally) -> None:
    """Replays a query with failures; adds what came of it."""
    log = path.with_suffix(".faults")
    command = [artifacts.find().replay(), path, "--threads", str(THREADS), *options]
    with log.open("w") as stderr:
        try:
            run = subprocess.run(
                command, check=False, stdout=subprocess.PIPE, stderr=stderr, text=True, timeout=HANGS_AFTER_S
            )
        except subprocess.TimeoutExpired:
            tally.findings.append(f"hangs: {last_line(log)}")
            return
    if run.returncode == CANT_RUN and log.read_text().startswith("accelerant-replay:"):
        # It needs Spark's code, or fails with an error that only Spark can name.
        tally.counts["left out"] += 1
    elif found := COUNTS.search(run.stdout):
        counts = dict(zip(NAMES, map(int, found.groups()), strict=True))
        tally.counts.update(counts)
        if counts["runs"] == 0:
            tally.findings.append("nothing in it can be made to fail")
        tally.findings += [line.strip() for line in run.stdout.splitlines() if line.startswith("  found")]
    else:
        tally.findings.append(f"status {run.returncode}: {last_line(log)}")


def last_line(log: Path) -> str:
    """Returns the last line of a file."""
    return ([""] + log.read_text().splitlines())[-1]


def tally_of(kind: str, seed: int) -> Tally:
    """Replays what a kind of failure is tried on, and shows how it goes."""
    options = ["--fail-reservations", str(seed)]
    if kind == "disk":
        paths, options = of_tpch(1, SPILLING), ["--fail-disk", "--memory-limit", SPILLING_MEMORY]
    else:
        paths = of_tpch(SCALE, tpch.NAMES) if kind == "tpch" else captured_corpus(FOLDER / "corpus")
    tally, start = Tally(), time.monotonic()
    for name, path in paths.items():
        before, began = len(tally.findings), time.monotonic()
        replayed(path, options, tally)
        tally.counts["queries"] += 1
        print(f"{name}: {time.monotonic() - began:.0f} s", *tally.findings[before:], sep="\n  ", flush=True)
    if tally.counts["left out"] > (MOST_LEFT_OUT * len(paths) if kind == "corpus" else 0):
        tally.findings.append("too many are left out")
    print(f"{kind}: {tally.figure()}; {(time.monotonic() - start) / 60:.0f} minutes", flush=True)
    return tally


def of_tpch(scale: float, names: tuple[str, ...]) -> dict[str, Path]:
    """Captures queries of TPC-H; returns the files by names."""
    return capture(make_task(WORKLOADS["tpch"], THREADS, 0, scale, ",".join(names)), FOLDER / f"tpch-{scale:g}")


def main() -> int:
    """Replays all queries; returns 1 where one of them is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the reservations that are chosen by chance")
    parser.add_argument("--of", choices=["all", *KINDS], default="all", help="what fails, and where")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    tallies = {kind: tally_of(kind, options.seed) for kind in KINDS if options.of in ("all", kind)}
    if options.json:
        figures = {kind: {"figure": tally.figure(), "findings": tally.findings} for kind, tally in tallies.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 1 if any(tally.findings for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
