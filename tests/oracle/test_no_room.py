"""Queries over their budget where no spill file may be written: Spark runs them before a row has left, or they fail by
name where Spark can't.

They have a JVM of their own, as the limit of spill files is read when the engine starts.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

JOB = Path(__file__).with_name("no_room_job.py")
ROOT = Path(__file__).resolve().parents[2]


def test_spark_takes_over_where_it_can(submit: Callable, monkeypatch: pytest.MonkeyPatch, record_property) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'python'}:{ROOT / 'tests' / 'oracle'}")
    done = submit(JOB, spark__accelerant__memory__limit="14m", spark__accelerant__spill__limit="1b")
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    error = found.pop("python")["error"]
    copied = found.pop("copied")
    assert len(found) == 4
    for name, outcome in found.items():
        assert outcome["equal"], name
        assert outcome["reasons"], name
        for reason in outcome["reasons"]:
            assert "out of memory" in reason, f"{name}: {reason}"
            assert "spark.accelerant.spill.limit" in reason, f"{name}: {reason}"
    assert "has to spill and can't" in copied["error"]
    assert "spark.accelerant.spill.limit" in copied["error"]
    assert copied["is_given_back"] and not copied["files"]
    assert "out of memory" in error
    assert "Spark can't take over, as it would run MapInPandas once more" in error
    record_property("figure", found["groups, written"]["reasons"][0][-200:])
