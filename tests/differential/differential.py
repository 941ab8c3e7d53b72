"""Asks random queries natively and of plain Spark, and reports where they differ.

A finding is reduced and left as a file of the corpus in build/differential.
"""

import logging
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import tables
from bridged import FORMS as BRIDGED
from comparison import CONFIGURATIONS, Compared, Comparison, Configuration
from expressions import Form, native_forms
from generator import Generator
from islands import ORC
from minimise import corpus_file, smaller_query, smaller_tables
from outcome import PLANNING
from py4j.protocol import Py4JNetworkError
from pyspark.sql import SparkSession
from queries import Query

from accelerant import functions

FINDINGS = Path(__file__).resolve().parents[2] / "build" / "differential"
MAX_FINDINGS = 20


@dataclass
class Tally:
    """What came of the queries."""

    seed: str
    asked: int = 0
    refused: int = 0
    failed_planning: int = 0
    native: int = 0
    bridged: int = 0
    asked_with_islands: int = 0
    native_around_islands: int = 0
    errors: int = 0
    reasons: Counter = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    @property
    def native_share(self) -> float:
        """Returns the share that ran natively, of the queries without islands that Spark could plan."""
        return self.native / max(self.asked - self.asked_with_islands - self.refused - self.failed_planning, 1)

    def add(self, compared: Compared | None, islands: int) -> None:
        """Counts one query with so many islands."""
        self.asked += 1
        if compared is None:
            self.refused += 1
            return
        way = compared.native
        self.errors += compared.plain is not None and compared.plain.error is not None
        self.bridged += way.bridged
        if way.reasons == (PLANNING,):
            self.failed_planning += 1
        elif islands:
            self.asked_with_islands += 1
            self.native_around_islands += way.in_part
        else:
            self.native += way.native
            self.reasons.update(way.reasons[:1])

    def summary(self) -> str:
        """Describes all of it, the commonest reasons for not running natively included."""
        lines = [
            f"seed {self.seed}: {self.asked} queries, {self.native_share:.1%} ran natively, {self.bridged} with "
            f"bridged calls, {self.native_around_islands} of {self.asked_with_islands} around islands; {self.errors} "
            f"failed as they should; {self.refused} refused by Spark, {self.failed_planning} failed while planned; "
            f"{len(self.findings)} differ"
        ]
        lines += [f"  {count} not native: {reason[:150]}" for reason, count in self.reasons.most_common(12)]
        return "\n".join([*lines, *self.findings])


class Differential:
    """Asks queries of a seed."""

    def __init__(self, spark: SparkSession, seed: str, folder: Path) -> None:
        # Failures are expected, and would be logged twice each.
        logging.getLogger("SQLQueryContextLogger").disabled = True
        spark.sparkContext.setLogLevel("OFF")
        self.tally = Tally(seed)
        self.folder = folder
        self.files = tables.write(folder, seed)
        self.files |= {ORC + name: path for name, path in self.files.items()}
        self.comparison = Comparison(spark, self.files)
        self.comparison.cache(table.name for table in tables.TABLES if table.cached)
        self.forms: list[Form] = [*native_forms(functions.signatures()), *BRIDGED]

    def query(self, number: int) -> tuple[Query, Configuration, int]:
        """Returns the query of a number, what it is asked under, and how many islands it has."""
        configuration = CONFIGURATIONS[number % len(CONFIGURATIONS)]
        generator = Generator(f"{self.tally.seed} {number}", self.forms, configuration.ansi)
        return generator.query(), configuration, generator.islands

    def run(self, count: int) -> Tally:
        """Asks so many queries, fewer when very many differ."""
        for number in range(count):
            query, configuration, islands = self.query(number)
            try:
                compared = self.comparison.compare(query, configuration)
            except (Py4JNetworkError, OSError) as error:
                raise AssertionError(f"the JVM ended in query {number}, {configuration}: {query.sql}") from error
            self.tally.add(compared, islands)
            if compared is not None and compared.difference:
                self.tally.findings.append(self.finding(number, query, configuration, compared.difference))
            if len(self.tally.findings) >= MAX_FINDINGS:
                break
        return self.tally

    def finding(self, number: int, query: Query, configuration: Configuration, difference: str) -> str:
        """Reduces a query that differs, leaves it as a corpus file, and describes it."""

        def fails(candidate: Query) -> bool:
            compared = self.comparison.compare(candidate, configuration)
            return compared is not None and compared.difference is not None

        query = smaller_query(query, fails)
        rows = smaller_tables(query, self.files, self.folder, self.comparison, configuration)
        found = self.comparison.compare(query, configuration)
        difference = found.difference or difference if found else difference
        notes = [f"Found by the differential test, seed {self.tally.seed}, query {number}, {configuration}."]
        FINDINGS.mkdir(parents=True, exist_ok=True)
        path = FINDINGS / f"seed-{self.tally.seed}-query-{number}.sql"
        path.write_text(corpus_file(query, rows, notes))
        return f"{path}: {configuration}\n  {query.sql}\n  {difference[:600]}"
