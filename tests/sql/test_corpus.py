"""Every file of the corpus under every configuration: native, equal to plain Spark's answer and to the recorded one.

With ACCELERANT_RECORD=1 (`make record`) the answers of plain Spark are recorded first.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import outcome
import pytest
from corpus import Corpus, Query, parse
from outcome import Outcome
from pyspark.sql import SparkSession
from sessions import PLAIN, new_session

FILES = sorted(Path(__file__).parent.rglob("*.sql"))
RECORD = os.environ.get("ACCELERANT_RECORD") == "1"

# What answers may depend on; each is recorded.
VARIANTS = {
    "default": {"spark.sql.session.timeZone": "UTC"},
    "ansi off": {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "false"},
    "zone": {"spark.sql.session.timeZone": "America/Los_Angeles"},
}
# What they may not depend on: the variant, and more settings.
CONFIGURATIONS = {
    "default": ("default", {}),
    "small batches": ("default", {"spark.accelerant.batch.rows": "3"}),
    "one thread": ("default", {"spark.accelerant.threads": "1"}),
    "ansi off": ("ansi off", {}),
    "zone": ("zone", {}),
}
ON_EVERY_SPARK = [pytest.param("default", marks=pytest.mark.spark41)]


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[str, SparkSession]:
    """Sessions by configuration, and those of plain Spark by `plain` and variant."""
    found = {name: new_session(spark, VARIANTS[of] | more) for name, (of, more) in CONFIGURATIONS.items()}
    return found | {f"plain {name}": new_session(spark, settings | PLAIN) for name, settings in VARIANTS.items()}


@pytest.fixture(scope="module", params=FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def corpus(request: pytest.FixtureRequest, sessions: dict[str, SparkSession]) -> Iterator[Corpus]:
    """A file whose tables are there."""
    found = parse(request.param)
    plain = sessions["plain default"]
    for statement in found.setup:
        plain.sql(statement)
    # Each session remembers what a table of that name was in another file.
    for session in sessions.values():
        for table in found.tables:
            session.catalog.refreshTable(table)
    yield found
    for table in found.tables:
        plain.sql(f"drop table {table}")


@pytest.fixture(scope="module")
def answers(corpus: Corpus, sessions: dict[str, SparkSession]) -> dict[Query, dict[str, Outcome]]:
    """Plain Spark's answers, by query and variant."""
    wanted = [query for query in corpus.queries if query.mode != "ignore"]
    found = {q: {v: outcome.run(sessions[f"plain {v}"], q.sql) for v in VARIANTS} for q in wanted}
    if RECORD:
        corpus.record(minor_version(sessions["default"]), found)
    return found


def minor_version(session: SparkSession) -> str:
    """Returns the Spark version that answers are recorded for, e.g. `4.3`."""
    return ".".join(session.version.split(".")[:2])


@pytest.mark.parametrize("configuration", [*ON_EVERY_SPARK, *list(CONFIGURATIONS)[1:]])
def test_native_and_equal(
    corpus: Corpus, answers: dict[Query, dict[str, Outcome]], sessions: dict[str, SparkSession], configuration: str
) -> None:
    variant = CONFIGURATIONS[configuration][0]
    problems = []
    for query in corpus.queries:
        if query.mode != "ignore":
            found = outcome.run(sessions[configuration], query.sql)
            if problem := query.problem(found, answers[query][variant]):
                problems.append(f"{query.sql}\n  {problem}")
    assert not problems, "\n\n".join(problems)


@pytest.mark.spark41
def test_recorded(corpus: Corpus, answers: dict[Query, dict[str, Outcome]], sessions: dict[str, SparkSession]) -> None:
    recorded = corpus.recorded(minor_version(sessions["default"]))
    if recorded is None:
        pytest.skip("no answers are recorded of this version of Spark")
    assert list(recorded) == [query.sql for query in answers], "the queries changed: run `make record`"
    for query, outcomes in answers.items():
        entry = recorded[query.sql]
        for variant, found in outcomes.items():
            assert query.as_json(found) == entry.get(variant, entry["default"]), f"{variant}: {query.sql}"
