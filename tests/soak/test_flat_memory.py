"""Many queries in one JVM leave its memory as it was.

After each turn of them the engine holds no byte and no query is open. What the process grows by is measured; it swings
too much over a few queries to be bound here: `make acceptance` asks many, and has the bound.
"""

import json
import statistics
from itertools import combinations
from pathlib import Path

from accelerant import tpch

JOB = Path(__file__).with_name("memory_job.py")
ROOT = Path(__file__).resolve().parents[2]

# The heap is in memory from the start, and the JVM accounts for what it takes itself, as for the code that Spark
# compiles for a query, native or not. What remains is the engine's, Arrow's and the allocator's; one arena keeps that
# small.
JAVA = "-Xms1g -XX:+AlwaysPreTouch -XX:NativeMemoryTracking=summary"
ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072"}


def slope(readings: list[dict], name: str) -> float:
    """Returns the growth per query: the median of the slopes between any two readings, which ignores spikes."""
    pairs = combinations([(reading["queries"], reading[name]) for reading in readings], 2)
    return statistics.median((y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in pairs)


def test_memory_stays_flat(submit, full: bool, monkeypatch, record_property) -> None:
    count = 600 if full else 36
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'python'}:{ROOT / 'tests' / 'oracle'}")
    for name, value in ALLOCATOR.items():
        monkeypatch.setenv(name, value)
    run = submit(
        JOB, tpch.generate(0.1)["lineitem"], count, spark__driver__extraJavaOptions=JAVA, spark__driver__memory="1g"
    )
    assert run.returncode == 0, run.stderr[-3000:]
    readings = json.loads(run.stdout.splitlines()[-1])
    assert all(reading["held"] == reading["open"] == 0 for reading in readings), readings
    assert len(readings) == count // 6
    hot = readings[len(readings) // 3 :]
    outside, whole = slope(hot, "outside"), slope(hot, "rss")
    span = hot[-1]["queries"] - hot[0]["queries"]
    record_property("bytes_per_query", f"{outside:.0f}")
    record_property(
        "figure",
        f"{outside / 1024:+.1f} KiB a query beyond the JVM over {span} queries after {hot[0]['queries']}; engine "
        f"holds 0 bytes; the process {whole / 1024:+.1f} KiB, Spark's classes and code included",
    )
