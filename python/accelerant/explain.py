"""`accelerant explain`: plans SQL without running it, and prints what would run natively and why the rest would not.
With `--run` it runs queries too, and prints how many rows each operator emitted, beside the planner's estimates.

Statements that only define something for the session (SET, USE, CREATE TEMPORARY VIEW) take effect; all others, writes
included, are only planned.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from accelerant import artifacts, driver_java, spark_home
from accelerant.errors import UserError
from accelerant.explain_rows import nodes, table
from accelerant.spark_settings import merged, settings, spark_defaults
from accelerant.sql_text import statements

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark's commands that change nothing but the session.
SESSION_COMMANDS = ("SetCommand", "SetCatalogAndNamespace", "CreateViewCommand", "CreateTempViewUsing", "CreateView")
ENABLED = "spark.accelerant.enabled"
PLANNING_ERROR = "Error occurred during query planning:"
# Errors are told in one line, without Spark's own lines about them.
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
REPORT = re.compile(r"== Extended Information \(Accelerant\) ==\n(.*?)(?=\n== |\Z)", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("file", nargs="?", type=Path, help="a file of SQL statements")
    source.add_argument("-e", "--execute", metavar="SQL", help="the statements themselves")
    parser.add_argument(
        "--view", action="append", default=[], metavar="NAME=PATH", help="make a Parquet file or folder a view first"
    )
    parser.add_argument(
        "--conf", action="append", default=[], metavar="NAME=VALUE", help="a Spark setting; may be given again"
    )
    parser.add_argument("--plan", action="store_true", help="print Spark's physical plan as well")
    parser.add_argument(
        "--run",
        dest="runs",
        action="store_true",
        help="run queries too, and print their operators' rows beside the estimates",
    )


def read_text(options: argparse.Namespace) -> str:
    """Returns the SQL that the user gave."""
    if options.execute is not None:
        return options.execute
    if not options.file.is_file():
        raise UserError(f"{options.file} does not exist")
    try:
        return options.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {options.file}: {error}") from None


def pairs(option: str, values: list[str]) -> dict[str, str]:
    """Reads values of the form NAME=VALUE."""
    found = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not (name and equals):
            raise UserError(f"{option} {value}: expected NAME=VALUE")
        found[name] = text
    return found


def session_settings(users: dict[str, str], environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns all settings of the session: the user's from spark-defaults.conf and the command line, and ours."""
    defaults = spark_defaults(spark_home.spark_home(environment), environment)
    ours = merged(settings(artifacts.find(environment)) | driver_java.settings(environment), defaults | users)
    return {"spark.master": "local[*]"} | QUIET | users | ours


@contextmanager
def told(what: str) -> Iterator[None]:
    """Turns Spark's errors into one line that says what could not be done; the trace of a JVM helps nobody here."""
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except Py4JJavaError as error:
        raise UserError(f"{what}: {first_line(error.java_exception.toString())}") from None
    except (PySparkException, Py4JError) as error:
        raise UserError(f"{what}: {first_line(str(error))}") from None


def first_line(text: str) -> str:
    """Returns the first line of an error that says something."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")


def start_session(users: dict[str, str]) -> SparkSession:
    """Starts a quiet local Spark with Accelerant."""
    wanted = session_settings(users)
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise UserError("pyspark is not installed in this Python: pip install pyspark") from None
    builder = SparkSession.builder
    for name, value in wanted.items():
        builder = builder.config(name, value)
    with told("cannot start Spark"):
        return builder.getOrCreate()


def make_view(session: SparkSession, name: str, path: str) -> None:
    """Makes a Parquet file or folder a view."""
    with told(f"--view {name}={path}"):
        session.read.parquet(path).createOrReplaceTempView(name)


def shortened(statement: str) -> str:
    """Returns a statement as one line of at most 60 characters, for messages."""
    words = " ".join(statement.split())
    return words if len(words) <= 60 else f"{words[:57]}..."


def is_session_command(session: SparkSession, statement: str) -> bool:
    """Tells whether a statement only changes the session; raises UserError when it cannot be parsed."""
    with told(f"cannot parse `{shortened(statement)}`"):
        plan = session._jsparkSession.sessionState().sqlParser().parsePlan(statement)
    kind = plan.getClass().getSimpleName()
    # A permanent view would be stored in the catalog.
    return kind in SESSION_COMMANDS and not (kind.startswith("CreateView") and " TEMP" not in statement.upper())


def explain_text(session: SparkSession, statement: str) -> str:
    """Returns Spark's explanation of a statement, made without running it."""
    with told(f"cannot plan `{shortened(statement)}`"):
        rows = session.sql(f"EXPLAIN {statement}").collect()
    text = "\n".join(row[0] for row in rows)
    if text.startswith(PLANNING_ERROR):
        reason = first_line(text.removeprefix(PLANNING_ERROR))
        raise UserError(f"cannot plan `{shortened(statement)}`: {reason}")
    return text


def native_report(explanation: str, switched_on: str) -> str:
    """Returns Accelerant's part of Spark's explanation, or says why there is none; `switched_on` is ENABLED's value."""
    found = REPORT.search(explanation)
    if found is None:
        return "no report: Accelerant's plugin is not in this session"
    if report := found.group(1).strip():
        return report
    if switched_on.lower() != "true":
        return f"no report: {ENABLED} is {switched_on}"
    return "nothing to run natively: Spark does this itself, as a command or without reading anything"


def print_explanation(session: SparkSession, statement: str, with_plan: bool) -> None:
    """Prints a statement and what would become of it, with Spark's plan if wanted."""
    explanation = explain_text(session, statement)
    report = native_report(explanation, session.conf.get(ENABLED, "true"))
    print("\n".join(f"-- {line}" for line in statement.splitlines()))
    if with_plan:
        print(f"{REPORT.sub('', explanation).rstrip()}\n\n== Accelerant ==")
    print(f"{report}\n")


def print_run(session: SparkSession, statement: str) -> None:
    """Runs a query, without bringing its rows to Python, and prints what its operators did."""
    with told(f"cannot run `{shortened(statement)}`"):
        query = session.sql(statement)._jdf
        start = time.perf_counter()
        num_rows = query.collectAsList().size()
        wall_s = time.perf_counter() - start
        ran = list(nodes(query.queryExecution().executedPlan()))
    lines = [table(ran), *(line for node in ran for line in node.extras()), f"{num_rows:,} rows in {wall_s:.3f} s"]
    print("\n".join(lines) + "\n")


def is_query(session: SparkSession, statement: str) -> bool:
    """Tells whether a statement that can be planned only reads, so that it may be run."""
    state = session._jsparkSession.sessionState()
    skip_commands = session._jvm.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()
    analyzed = state.executePlan(state.sqlParser().parsePlan(statement), skip_commands).analyzed()
    command = session._jvm.java.lang.Class.forName("org.apache.spark.sql.catalyst.plans.logical.Command")
    return not command.isInstance(analyzed)


def run(options: argparse.Namespace) -> int:
    """Explains all statements."""
    wanted = statements(read_text(options))
    if not wanted:
        raise UserError("no SQL statement given")
    views = pairs("--view", options.view)
    session = start_session(pairs("--conf", options.conf))
    try:
        for name, path in views.items():
            make_view(session, name, path)
        for statement in wanted:
            if is_session_command(session, statement):
                with told(f"cannot run `{shortened(statement)}`"):
                    session.sql(statement)
            else:
                print_explanation(session, statement, options.plan)
                if options.runs and is_query(session, statement):
                    print_run(session, statement)
    finally:
        session.stop()
    return 0
