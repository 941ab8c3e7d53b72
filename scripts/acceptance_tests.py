"""A line that must hold, and the runs of tests that show some of them, each kind in a process of its own."""

from collections.abc import Callable
from dataclasses import dataclass

from evidence import ConcurrentRuns, Result, TestRun
from tpch_figures import PRESET

ORACLE = "tests/oracle"
SOAK = "tests/soak"


@dataclass(frozen=True)
class Line:
    """Something that must hold, and how it is found out."""

    text: str
    find_out: Callable[[], Result]
    run: TestRun | None = None
    tests: tuple[str, ...] = ()


# Each kind of tests in a process of its own.
ENVIRONMENT = {
    "ACCELERANT_BUILD": PRESET,
    "ACCELERANT_SOAK": "full",
    "ACCELERANT_CORPUS": "full",
    "ACCELERANT_TPCH_INTERRUPTED": "all",
}
ORACLE_TESTS = TestRun("oracle", ENVIRONMENT)
SOAK_TESTS = TestRun("soak", ENVIRONMENT)
SPARK41_TESTS = TestRun("spark41", ENVIRONMENT, ["-m", "spark41"], python=".venv-spark41")
SCALE_1_TESTS = TestRun(
    "scale-1", ENVIRONMENT | {"ACCELERANT_TPCH_SCALE": "1"}, ["-k", "test_equal and not in_small and not interrupted"]
)


def differential(seed: str) -> TestRun:
    """Returns the run of 20,000 random queries of a seed."""
    queries = {"ACCELERANT_DIFFERENTIAL_QUERIES": "20000", "ACCELERANT_DIFFERENTIAL_SEED": seed}
    return TestRun(f"differential-{seed}", ENVIRONMENT | queries)


# A process each, as a JVM plans on one core.
DIFFERENTIAL_TESTS = ConcurrentRuns([differential("20000"), differential("20001")])
DEVICE_TESTS = TestRun("device-differential", ENVIRONMENT | {"ACCELERANT_DEVICE_QUERIES": "2000"})


def tested(text: str, *tests: str, run: TestRun | None = None) -> Line:
    """Returns a line that holds when tests pass."""
    run = run or (SOAK_TESTS if tests[0].startswith(SOAK) else ORACLE_TESTS)
    return Line(text, lambda: run.result(*tests), run, tests)


def bounded(text: str, name: str, limit: float, *tests: str, run: TestRun | None = None) -> Line:
    """Returns a line that holds when tests pass and a figure of theirs keeps to a limit."""
    run = run or (SOAK_TESTS if tests[0].startswith(SOAK) else ORACLE_TESTS)
    return Line(text, lambda: run.largest(name, limit, *tests), run, tests)
