"""Measures what a question costs: wall time, and processor time of Spark's JVM with all its child processes. Linux."""

import contextlib
import hashlib
import io
import os
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def process_times() -> dict[int, tuple[int, int]]:
    """Returns each process's parent and ticks used, those of its ended children included."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            # The second field, the name in brackets, may hold anything.
            fields = path.read_text().rpartition(") ")[2].split()
            found[int(path.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    return found


def tree_seconds(root: int) -> float:
    """Returns the processor seconds of a process and all below it."""
    processes = process_times()
    inside = {root}
    while fresh := {pid for pid, (parent, _) in processes.items() if parent in inside} - inside:
        inside |= fresh
    return sum(processes[pid][1] for pid in inside if pid in processes) / TICKS_PER_SECOND


def explanation(frame: DataFrame) -> str:
    """Returns what `explain()` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        frame.explain()
    return printed.getvalue()


def measured(
    spark: SparkSession,
    name: str,
    ask: Callable[[SparkSession], DataFrame],
    take: Callable[[DataFrame], str],
    runs: int,
) -> dict:
    """Asks a question several times, each time planned anew, and returns times, answer and explanation."""
    jvm = spark._jvm.java.lang.ProcessHandle.current().pid()
    times = []
    for _ in range(runs):
        cpu, wall = tree_seconds(jvm), time.perf_counter()
        frame = ask(spark)
        answer = take(frame)
        times.append({"wall": time.perf_counter() - wall, "cpu": tree_seconds(jvm) - cpu})
    return {
        "name": name,
        "times": times,
        "rows": answer.count("\n") + 1,
        "digest": hashlib.sha256(answer.encode()).hexdigest(),
        "explain": explanation(frame),
    }
