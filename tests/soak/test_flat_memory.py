"""Many queries in one JVM leave its memory as it was."""

import json
from pathlib import Path

import tpch

JOB = Path(__file__).with_name("memory_job.py")
ROOT = Path(__file__).resolve().parents[2]

# The heap is touched whole at the start, so that all growth is outside it; loaded classes and compiled code still grow
# a little, on plain Spark as well.
JAVA = "-Xms1g -XX:+AlwaysPreTouch -XX:ReservedCodeCacheSize=128m"


def slope(readings: list[dict]) -> float:
    """Returns the growth of memory per query, by least squares."""
    xs = [reading["queries"] for reading in readings]
    ys = [reading["rss"] for reading in readings]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    products = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return products / sum((x - x_mean) ** 2 for x in xs)


def test_memory_stays_flat(submit, full: bool, monkeypatch, record_property) -> None:
    count = 402 if full else 36
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'scripts'}:{ROOT / 'tests' / 'oracle'}")
    run = submit(JOB, tpch.generate(0.1), count, spark__driver__extraJavaOptions=JAVA, spark__driver__memory="1g")
    assert run.returncode == 0, run.stderr[-3000:]
    readings = json.loads(run.stdout.splitlines()[-1])
    assert all(reading["held"] == 0 for reading in readings), readings
    assert len(readings) == count // 6
    # The last 200 queries count, or the second half of a short run.
    hot = readings[-min(34, len(readings) // 2) :]
    per_query = slope(hot)
    span = hot[-1]["queries"] - hot[0]["queries"]
    record_property("bytes_per_query", f"{per_query:.0f}")
    record_property("figure", f"{per_query / 1024:+.1f} KiB a query over {span} queries, engine holds 0 bytes")
