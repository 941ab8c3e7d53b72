"""`accelerant explain`: plans SQL without running it, and prints what would run natively and why the rest would not.

Statements that only define something for the session (SET, USE, CREATE TEMPORARY VIEW) take effect; all others, writes
included, are only planned.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from accelerant import artifacts
from accelerant.errors import UserError
from accelerant.spark_settings import settings
from accelerant.sql_text import statements

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark's commands that change nothing but the session.
SESSION_COMMANDS = ("SetCommand", "SetCatalogAndNamespace", "CreateViewCommand", "CreateTempViewUsing", "CreateView")
PLANNING_ERROR = "Error occurred during query planning:"
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
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


def read_text(options: argparse.Namespace) -> str:
    """Returns the SQL that the user gave."""
    if options.execute is not None:
        return options.execute
    if not options.file.is_file():
        raise UserError(f"{options.file} does not exist")
    return options.file.read_text()


def pairs(option: str, values: list[str]) -> dict[str, str]:
    """Reads values of the form NAME=VALUE."""
    found = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not (name and equals):
            raise UserError(f"{option} {value}: expected NAME=VALUE")
        found[name] = text
    return found


def start_session(users: dict[str, str]) -> SparkSession:
    """Starts a quiet local Spark with Accelerant."""
    ours = settings(artifacts.find())
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise UserError("pyspark is not installed in this Python: pip install pyspark") from None
    builder = SparkSession.builder.master("local[*]")
    for name, value in (QUIET | ours | users).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def is_session_command(session: SparkSession, statement: str) -> bool:
    """Tells whether a statement only changes the session; raises UserError when it cannot be parsed."""
    from pyspark.errors import PySparkException

    try:
        plan = session._jsparkSession.sessionState().sqlParser().parsePlan(statement)
    except PySparkException as error:
        raise UserError(f"cannot parse: {error}") from None
    kind = plan.getClass().getSimpleName()
    # A permanent view would be stored in the catalog.
    return kind in SESSION_COMMANDS and not (kind.startswith("CreateView") and " TEMP" not in statement.upper())


def explain_text(session: SparkSession, statement: str) -> str:
    """Returns Spark's explanation of a statement, made without running it."""
    from pyspark.errors import PySparkException

    try:
        rows = session.sql(f"EXPLAIN {statement}").collect()
    except PySparkException as error:
        raise UserError(f"cannot plan: {error}") from None
    if rows[0][0].startswith(PLANNING_ERROR):
        raise UserError(f"cannot plan: {rows[1][0] if len(rows) > 1 else statement}")
    return "\n".join(row[0] for row in rows)


def native_report(explanation: str) -> str:
    """Returns Accelerant's part of Spark's explanation."""
    found = REPORT.search(explanation)
    return found.group(1).rstrip() if found else "nothing to run natively: Spark answers this without a scan of data"


def run(options: argparse.Namespace) -> int:
    """Explains all statements."""
    wanted = statements(read_text(options))
    if not wanted:
        raise UserError("no SQL statement given")
    views = pairs("--view", options.view)
    session = start_session(pairs("--conf", options.conf))
    try:
        for name, path in views.items():
            session.read.parquet(path).createOrReplaceTempView(name)
        for statement in wanted:
            if is_session_command(session, statement):
                session.sql(statement)
                continue
            explanation = explain_text(session, statement)
            print("\n".join(f"-- {line}" for line in statement.splitlines()))
            print(f"{explanation if options.plan else native_report(explanation)}\n")
    finally:
        session.stop()
    return 0
