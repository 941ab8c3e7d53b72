"""Runs queries natively and on plain Spark, in sessions of one application that differ in their settings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import outcome
import user_functions
from oracle import settings
from outcome import Outcome, difference
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from queries import Query, close_columns, is_ordered
from sessions import PLAIN, new_session
from stored import form_of

ZONES = ("America/Los_Angeles", "Asia/Kolkata")

EVERY = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.crossJoin.enabled": "true",
    # Small tables gain nothing by the engine.
    "spark.accelerant.islands.weighed": "false",
}


# Ways that give plain Spark other answers, each as good as the first. Interpreted, it evaluates `null and <error>`,
# which the code that it makes leaves out. It computes what two parts of a condition have in common before it knows that
# neither needs it. It leaves out a side of a join where it knows early that the other one is empty, with errors in it.
# A filter that its readers get to see leaves out rows of NaN, where a file's statistics do, and ORC's fails of nulls.
# Beside aggregates with objects for states it goes on by sorting where groups are many, and adds floats up in parts.
# Sorting by one number it puts the first row behind the others for each null, and adds floats up in that order.
COMPILED = {"spark__sql__codegen__factoryMode": "FALLBACK"}
OTHER_WAYS = [
    COMPILED,
    COMPILED | {"spark__sql__codegen__wholeStage": "true"},
    COMPILED | {"spark__sql__subexpressionElimination__enabled": "false"},
    COMPILED | {"spark__sql__adaptive__enabled": "true"},
    COMPILED | {"spark__sql__parquet__filterPushdown": "false", "spark__sql__orc__filterPushdown": "false"},
    COMPILED | {"spark__sql__objectHashAggregate__sortBased__fallbackThreshold": str(2**20)},
    COMPILED | {"spark__sql__sort__enableRadixSort": "false"},
]

# For what one call may fail, as its arguments are.
OF_ONE_CALL = [{"INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "INVALID_INDEX_OF_ZERO"}]

# Which of both zeros is the extreme of a group depends on the order in which parts of it are merged.
EXTREME = re.compile(r"\b(min|max)\(")


@dataclass(frozen=True)
class Configuration:
    """What a query runs under."""

    ansi: bool
    zone: str
    batch_rows: int

    @property
    def settings(self) -> dict[str, str]:
        """Returns the settings of a session."""
        return EVERY | {
            "spark.sql.ansi.enabled": str(self.ansi).lower(),
            "spark.sql.session.timeZone": self.zone,
            "spark.accelerant.batch.rows": str(self.batch_rows),
        }


CONFIGURATIONS = [Configuration(*choice) for choice in product((True, False), ZONES, (3, 0))]


@dataclass(frozen=True)
class Compared:
    """What running natively came to, plain Spark's outcome where there was something to compare, and the difference.

    `refused`: why Spark takes it for no valid query.
    """

    native: Outcome
    plain: Outcome | None = None
    difference: str | None = None
    refused: str | None = None


class Comparison:
    """The sessions, each with the functions of users and the tables that its queries have named."""

    def __init__(self, spark: SparkSession, tables: dict[str, Path]) -> None:
        self.sessions = {
            configuration: (
                new_session(spark, configuration.settings),
                new_session(spark, configuration.settings | PLAIN),
            )
            for configuration in CONFIGURATIONS
        }
        self.missing: dict[Configuration, dict[str, Path]] = {configuration: {} for configuration in CONFIGURATIONS}
        self.unregistered = {configuration: set(user_functions.NAMES) for configuration in CONFIGURATIONS}
        self.written: dict[tuple[str, Path], Path] = {}
        self.use(tables)

    def use(self, tables: dict[str, Path], configurations: Iterable[Configuration] = CONFIGURATIONS) -> None:
        """Gives the tables of these Parquet files to the sessions of configurations, in the form that a name says."""
        for configuration in configurations:
            self.missing[configuration].update(tables)

    def prepare(self, sql: str, configuration: Configuration) -> None:
        """Makes those tables and functions that a query names."""
        missing, unregistered = self.missing[configuration], self.unregistered[configuration]
        words = set(re.findall(r"\w+", sql))
        for name in words & unregistered:
            unregistered.remove(name)
            for session in self.sessions[configuration]:
                user_functions.register(session, name)
        for name in words & missing.keys():
            path, form = missing.pop(name), form_of(name)
            if (form.prefix, path) not in self.written:
                self.written[form.prefix, path] = form.write(self.sessions[CONFIGURATIONS[0]][1], path)
            for session in self.sessions[configuration]:
                form.read(session, self.written[form.prefix, path]).createOrReplaceTempView(name)

    def cache(self, names: Iterable[str]) -> None:
        """Has Spark cache tables, for all sessions."""
        _, session = self.sessions[CONFIGURATIONS[0]]
        for name in names:
            self.prepare(name, CONFIGURATIONS[0])
            session.catalog.cacheTable(name)

    def compare(self, query: Query, configuration: Configuration) -> Compared:
        """Runs a query on both, unless no part of it is native, or Spark refuses it as no valid query."""
        native_session, plain_session = self.sessions[configuration]
        self.prepare(query.sql, configuration)
        try:
            native = outcome.run(native_session, query.sql, only_native=True)
            if not native.in_part:
                return Compared(native)
            plain = outcome.run(plain_session, query.sql)
            if native.error and plain.error and native.error != plain.error:
                native = outcome.in_order(native_session, query.sql, native)
            for other in OTHER_WAYS:
                if difference_of(native, plain, query):
                    with settings(plain_session, **other):
                        plain = outcome.run(plain_session, query.sql)
        # Some faults of Spark's analysis are no AnalysisException.
        except PySparkException as error:
            if not refuses(plain_session, query.sql):
                raise
            return Compared(Outcome(), refused=outcome.condition_of(error))
        # A fault of plain Spark's own says nothing of an answer.
        if plain.error == "INTERNAL_ERROR" and native.error is None:
            return Compared(native)
        return Compared(native, plain, difference_of(native, plain, query))


def refuses(session: SparkSession, sql: str) -> bool:
    """Says whether Spark refuses a query before it runs."""
    try:
        session.sql(sql)
    except PySparkException:
        return True
    return False


def difference_of(native: Outcome, plain: Outcome, query: Query) -> str | None:
    """Says how a query's native outcome differs from plain Spark's; None where they are equal."""
    found = difference(native, plain, is_ordered(query), close_columns(query))
    # Rows of a join have no order, so that another one may fail first, and for another reason.
    if found and " join " in query.sql and {native.error, plain.error} in OF_ONE_CALL and place_of(native):
        return None if place_of(native) == place_of(plain) else found
    if found and EXTREME.search(query.sql):
        alike = [replace(outcome, rows=with_one_zero(outcome.rows)) for outcome in (native, plain)]
        return difference(*alike, is_ordered(query), close_columns(query)) and found
    return found


def place_of(outcome: Outcome) -> str | None:
    """Returns where in the query an error says that it was met."""
    place = re.search(r"== SQL [^=]*==", outcome.message or "") if outcome.error else None
    return place and place.group()


def with_one_zero(value: object) -> object:
    """Returns a value, or what is made of tuples, lists and dictionaries, with 0.0 in the place of -0.0."""
    if isinstance(value, dict):
        return {name: with_one_zero(member) for name, member in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(with_one_zero(member) for member in value)
    return 0.0 if isinstance(value, float) and value == 0 else value
