"""Asks random queries natively and of plain Spark, and reports where they differ.

A finding is reduced and left as a file of the corpus in build/differential.
"""

import logging
import random
from dataclasses import dataclass, replace
from pathlib import Path

import tables
import user_functions
from comparison import CONFIGURATIONS, Comparison, Configuration
from forms import Form
from generator import Generator
from islands import Beyond
from minimise import corpus_file, smaller_query, smaller_tables
from native_forms import native_forms
from py4j.protocol import Py4JNetworkError
from pyspark.sql import SparkSession
from queries import Query
from sources import WITHIN
from stored import STORED
from tally import Tally

from accelerant import functions

FINDINGS = Path(__file__).resolve().parents[2] / "build" / "differential"
MAX_FINDINGS = 20
PROGRESS = 1000  # asked between two lines that say how many
# How many queries ask for what the engine lacks as well, and how much of it.
SHARE_BEYOND = 0.8
BEYOND = Beyond(calls=0.5, islands=0.45, keys=0.4)
# How many of these ask for functions of Python: workers take longer than all else.
SHARE_OF_PYTHON = 0.2


@dataclass(frozen=True)
class Asked:
    """A query, what it is asked under, and whether it asks for functions and operators that the engine lacks."""

    query: Query
    configuration: Configuration
    beyond: bool


class Questions:
    """The queries of a seed, by number."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.forms: list[Form] = native_forms(functions.signatures())

    def __getitem__(self, number: int) -> Asked:
        """Returns the query of a number."""
        configuration = CONFIGURATIONS[number % len(CONFIGURATIONS)]
        name = f"{self.seed} {number}"
        chance = random.Random(f"{name} beyond")
        beyond = chance.random() < SHARE_BEYOND
        shares = replace(BEYOND, python=chance.random() < SHARE_OF_PYTHON) if beyond else WITHIN
        return Asked(Generator(name, self.forms, configuration.ansi, shares).query(), configuration, beyond)


class Differential:
    """Asks queries of a seed."""

    def __init__(self, spark: SparkSession, seed: str, folder: Path) -> None:
        # Failures are expected, and would be logged twice each.
        logging.getLogger("SQLQueryContextLogger").disabled = True
        spark.sparkContext.setLogLevel("OFF")
        self.tally = Tally(seed)
        self.folder = folder
        written = tables.write(folder, seed)
        self.files = {prefix + name: path for prefix in STORED for name, path in written.items()}
        user_functions.load_classes(spark, folder)
        self.comparison = Comparison(spark, self.files)
        self.comparison.cache(table.name for table in tables.TABLES if table.cached)
        self.questions = Questions(seed)

    def run(self, count: int, first: int = 0) -> Tally:
        """Asks so many queries from a number on, fewer when very many differ."""
        for number in range(first, first + count):
            asked = self.questions[number]
            try:
                compared = self.comparison.compare(asked.query, asked.configuration)
            except (Py4JNetworkError, OSError) as error:
                where = f"query {number} of seed {self.tally.seed}, {asked.configuration}"
                raise AssertionError(f"the JVM ended in {where}: {asked.query.sql}") from error
            self.tally.add(compared, asked.beyond)
            if compared.difference:
                print(f"seed {self.tally.seed}: query {number} differs: {compared.difference[:600]}", flush=True)
                self.tally.findings.append(self.finding(number, asked, compared.difference))
            if (number + 1) % PROGRESS == 0:
                print(f"seed {self.tally.seed}: {number + 1 - first} of {count} asked", flush=True)
            if len(self.tally.findings) >= MAX_FINDINGS:
                break
        return self.tally

    def finding(self, number: int, asked: Asked, difference: str) -> str:
        """Reduces a query that differs, leaves it as a corpus file, and describes it."""
        configuration = asked.configuration

        def fails(candidate: Query) -> bool:
            return self.comparison.compare(candidate, configuration).difference is not None

        query = smaller_query(asked.query, fails)
        rows = smaller_tables(query, self.files, self.folder, self.comparison, configuration)
        difference = self.comparison.compare(query, configuration).difference or difference
        notes = [f"Found by the differential test, seed {self.tally.seed}, query {number}, {configuration}."]
        if called := [name for name in user_functions.NAMES if f"{name}(" in query.sql]:
            notes.append(f"No file of the corpus can call {', '.join(called)} of user_functions.py.")
        FINDINGS.mkdir(parents=True, exist_ok=True)
        path = FINDINGS / f"seed-{self.tally.seed}-query-{number}.sql"
        path.write_text(corpus_file(query, rows, notes))
        return f"{path}: seed {self.tally.seed}, query {number}, {configuration}\n  {query.sql}\n  {difference[:600]}"
