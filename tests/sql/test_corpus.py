"""Every file of the corpus under every configuration: native, equal to plain Spark's answer and to the recorded one.

With ACCELERANT_RECORD=1 (`make record`) the answers of plain Spark are recorded first. The emulator, which is slow,
gets a few queries of each file, and all of them with ACCELERANT_CORPUS=full.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import outcome
import pytest
from corpus import Corpus, Query, meets, parse
from outcome import Outcome
from pyspark.sql import SparkSession
from sessions import PLAIN, new_session

FILES = sorted(Path(__file__).parent.rglob("*.sql"))
RECORD = os.environ.get("ACCELERANT_RECORD") == "1"
EMULATED_QUERIES = None if os.environ.get("ACCELERANT_CORPUS") == "full" else 4

# What answers may depend on; each is recorded.
VARIANTS = {
    "default": {"spark.sql.session.timeZone": "UTC"},
    "ansi off": {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "false"},
    "zone": {"spark.sql.session.timeZone": "America/Los_Angeles"},
}


@dataclass(frozen=True)
class Configuration:
    """What answers may not depend on: a variant, and more settings.

    With a `limit`, queries may turn to Spark, or fail, for a reason that contains this. Of each file the first
    `queries` are asked; without a number, all.
    """

    variant: str = "default"
    settings: Mapping[str, str] = field(default_factory=dict)
    limit: str = ""
    queries: int | None = None


CONFIGURATIONS = {
    "default": Configuration(),
    # Every step of every operator waits, at first and at each reservation of memory, and begins again.
    "interrupted on four threads": Configuration(
        settings={"spark.accelerant.interruptions": "7", "spark.accelerant.threads": "4"}
    ),
    "ansi off, interrupted on one thread": Configuration(
        "ansi off", {"spark.accelerant.interruptions": "11", "spark.accelerant.threads": "1"}
    ),
    "zone, small batches": Configuration("zone", {"spark.accelerant.batch.rows": "3"}),
    # What a device can't do is the host's, where it is not strict.
    "emulator": Configuration(
        settings={"spark.accelerant.device": "emu", "spark.accelerant.strict": "false"}, queries=EMULATED_QUERIES
    ),
    "tiny budget": Configuration(settings={"spark.accelerant.memory.limit": "16k"}, limit="out of memory"),
}
ON_EVERY_SPARK = [pytest.param("default", marks=pytest.mark.spark41)]


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[str, SparkSession]:
    """Sessions by configuration, and those of plain Spark by `plain` and variant."""
    found = {name: new_session(spark, VARIANTS[c.variant] | c.settings) for name, c in CONFIGURATIONS.items()}
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


@pytest.fixture(scope="module")
def met() -> dict[str, Counter]:
    """By configuration, how many queries were asked, met its limit, and had a part for a device."""
    return {name: Counter() for name in CONFIGURATIONS}


@pytest.mark.parametrize("configuration", [*ON_EVERY_SPARK, *list(CONFIGURATIONS)[1:]])
def test_native_and_equal(
    corpus: Corpus,
    answers: dict[Query, dict[str, Outcome]],
    sessions: dict[str, SparkSession],
    met: dict[str, Counter],
    configuration: str,
) -> None:
    chosen = CONFIGURATIONS[configuration]
    problems = []
    for query in list(answers)[: chosen.queries]:
        found = outcome.run(sessions[configuration], query.sql)
        met[configuration] += Counter(asked=1, limit=meets(found, chosen.limit), device=found.on_device)
        if problem := query.problem(found, answers[query][chosen.variant], chosen.limit):
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


# The last ones, as they look at what those before met.
@pytest.mark.parametrize(
    ("configuration", "what", "share"), [("tiny budget", "limit", 1 / 3), ("emulator", "device", 1 / 3)]
)
def test_configurations_are_met(
    met: dict[str, Counter], record_property, configuration: str, what: str, share: float
) -> None:
    found = met[configuration]
    if not found["asked"]:
        pytest.skip("no query was asked under this configuration")
    record_property("figure", f"{found[what]} of {found['asked']} queries met {configuration}")
    # Of few queries, as where CI draws cases, the share differs by chance: files are drawn whole.
    deviation = (share * (1 - share) * found["asked"]) ** 0.5
    assert found[what] >= share * found["asked"] - 2 * deviation, dict(found)
