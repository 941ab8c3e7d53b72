"""Four queries at once in a process with little memory: each finishes natively, with the right answer.

Each case has a JVM of its own, as the limit of a process is read when the engine starts.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from four_queries_job import QUERIES, SCALE
from oracle import plain
from pyspark.sql import SparkSession

from accelerant import tpch

JOB = Path(__file__).with_name("four_queries_job.py")
ROOT = Path(__file__).resolve().parents[2]

FITTING = ["q1", "q3", "q9", "q18"]
WITH_OVERSIZED = ["q1", "q3", "q9", "oversized"]
# Alone each of the fitting queries has enough, with a third to spare; the oversized one takes more than twice as much.
SCARCE = "32m"
ENOUGH = "1g"

Outcomes = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def answers(spark: SparkSession) -> dict[str, str]:
    """Plain Spark's answers, as text."""
    for table, path in tpch.generate(SCALE).items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)
    with plain(spark):
        return {name: repr(spark.sql(QUERIES[name]).collect()) for name in FITTING}


@pytest.fixture
def ask(submit: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[str]], tuple[Outcomes, Outcomes]]:
    """Returns a function that asks queries in a process with a limit; returns their outcomes, together and alone."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'python'}:{ROOT / 'tests' / 'oracle'}")

    def run(limit: str, names: list[str]) -> tuple[Outcomes, Outcomes]:
        done = submit(JOB, *names, spark__accelerant__memory__limit=limit)
        assert done.returncode == 0, done.stderr[-3000:]
        found = json.loads(done.stdout.splitlines()[-1])
        assert sorted(found["together"]) == sorted(names), f"a query hangs or is not native: {done.stderr[-3000:]}"
        assert found["held"] == 0
        return found["together"], found["alone"]

    return run


def check(outcomes: Outcomes, answers: dict[str, str]) -> None:
    """Fails unless all are right, and none has turned to Spark."""
    for name, outcome in outcomes.items():
        assert "answer" in outcome, f"{name}: {outcome}"
        assert "reverted" not in outcome, f"{name}: {outcome['reverted']}"
        assert outcome["answer"] == answers.get(name, outcome["answer"]), name


@pytest.mark.parametrize(("limit", "names"), [(ENOUGH, FITTING), (SCARCE, FITTING), (SCARCE, WITH_OVERSIZED)])
def test_all_finish(ask: Callable, answers: dict[str, str], limit: str, names: list[str]) -> None:
    together, alone = ask(limit, names)
    check(together, answers)
    check(alone, answers)
