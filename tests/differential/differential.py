"""Asks random queries natively and of plain Spark, and reports where they differ.

A finding is reduced and left as a file of the corpus in build/differential.
"""

import logging
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import tables
from comparison import CONFIGURATIONS, Compared, Comparison, Configuration
from expressions import Form, all_forms
from generator import Generator
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
    errors: int = 0
    reasons: Counter = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    @property
    def native_share(self) -> float:
        """Returns the share that ran natively, of the queries that Spark could plan."""
        return self.native / max(self.asked - self.refused - self.failed_planning, 1)

    def add(self, compared: Compared | None) -> None:
        """Counts one query."""
        self.asked += 1
        if compared is None:
            self.refused += 1
        elif compared.native.reasons == (PLANNING,):
            self.failed_planning += 1
        else:
            self.native += compared.native.native
            self.errors += compared.plain is not None and compared.plain.error is not None
            self.reasons.update(compared.native.reasons[:1])

    def summary(self) -> str:
        """Describes all of it, the commonest reasons for not running natively included."""
        lines = [
            f"seed {self.seed}: {self.asked} queries, {self.native_share:.1%} ran natively, {self.errors} of those "
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
        self.comparison = Comparison(spark, self.files)
        self.comparison.cache(table.name for table in tables.TABLES if table.cached)
        self.forms: list[Form] = all_forms(functions.signatures())

    def query(self, number: int) -> tuple[Query, Configuration]:
        """Returns the query of a number, and what it is asked under."""
        configuration = CONFIGURATIONS[number % len(CONFIGURATIONS)]
        return Generator(f"{self.tally.seed} {number}", self.forms, configuration.ansi).query(), configuration

    def run(self, count: int) -> Tally:
        """Asks so many queries, fewer when very many differ."""
        for number in range(count):
            query, configuration = self.query(number)
            try:
                compared = self.comparison.compare(query, configuration)
            except (Py4JNetworkError, OSError) as error:
                raise AssertionError(f"the JVM ended in query {number}, {configuration}: {query.sql}") from error
            self.tally.add(compared)
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
