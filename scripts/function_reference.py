"""Writes docs/functions.md: every function of Spark's registry, and whether it is native, bridged or an island.

Each function is asked as Spark's own examples of it ask, planned with Accelerant and without folding constants; an
aggregate with constants folded, too, and over columns of each type; what is not native in examples over columns, with
constants for all arguments but the first where Spark wants these. The page has one row for each kind of call, beside
those that the engine lists.
Needs a build.
`--check` writes nothing and ends with status 1 where the page is not what it should be.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from accelerant.explain import REPORT, start_session
from accelerant.functions import (
    BRIDGED,
    ISLAND,
    NATIVE,
    STATES,
    Call,
    ListedFunction,
    aggregate_signatures,
    as_page,
    read_page,
    signatures,
    window_signatures,
)

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import SparkSession

PAGE = Path(__file__).resolve().parent.parent / "docs" / "functions.md"
PACKAGE = "org.apache.spark.sql.catalyst.expressions."

# What would make values of an example before the plan is asked for.
FOLDING = ("ConvertToLocalRelation", "ConstantFolding", "NullPropagation", "EliminateSorts", "LimitPushDown")
SETTINGS = {
    "spark.master": "local[1]",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.optimizer.excludedRules": ",".join(
        f"org.apache.spark.sql.catalyst.optimizer.{rule}" for rule in FOLDING
    ),
}

EXAMPLE = re.compile(r"^\s*>\s*(SELECT.*?);\s*$", re.MULTILINE | re.DOTALL | re.IGNORECASE)
# A table with a column of each type.
TABLE = "columns_of_types"
TYPES = ("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(12,2)", "string", "binary")
TYPES += ("date", "timestamp", "timestamp_ntz", "interval day to second", "interval year to month")
# The row of a query without FROM, which stays Spark's.
ONE_ROW = ("Scan OneRowRelation", "RDDScan", "OneRowRelation")
KINDS = {"agg_funcs": "aggregate", "window_funcs": "window", "generator_funcs": "generator"}
# By what a function's class is, where its group names what it is about.
CLASSES = {
    f"{PACKAGE}aggregate.AggregateFunction": "aggregate",
    f"{PACKAGE}RuntimeReplaceableAggregate": "aggregate",
    f"{PACKAGE}Generator": "generator",
}
# For arguments that have to be constants, by type.
CONSTANTS = {
    "boolean": "true",
    "int": "12",
    "bigint": "12L",
    "float": "float(0.5)",
    "double": "0.5D",
    "string": "'sum'",
}


@dataclass(frozen=True)
class Registered:
    """A function as Spark's registry has it."""

    name: str
    class_name: str
    group: str
    examples: tuple[str, ...]
    kind: str


def elements(sequence: JavaObject) -> Iterator[JavaObject]:
    """Yields the elements of a Scala sequence."""
    for i in range(sequence.size()):
        yield sequence.apply(i)


def kind_of(session: SparkSession, class_name: str, group: str) -> str:
    """Returns what sort of function one of a class and a group is."""
    if group in KINDS:
        return KINDS[group]
    find = session._jvm.java.lang.Class.forName
    own = find(class_name)
    return next((kind for name, kind in CLASSES.items() if find(name).isAssignableFrom(own)), "scalar")


def registry(session: SparkSession) -> list[Registered]:
    """Returns all functions of Spark's own, by name."""
    functions = session._jsparkSession.sessionState().functionRegistry()
    found = []
    for name in elements(functions.listFunction()):
        info = functions.lookupFunction(name).get()
        if info.getSource() != "built-in":
            continue  # of the session's user
        examples = tuple(EXAMPLE.findall(info.getExamples())) or (f"SELECT {name.funcName()}('1')",)
        class_name, group = info.getClassName(), info.getGroup()
        kind = kind_of(session, class_name, group)
        found.append(Registered(name.funcName(), class_name, group, examples, kind))
    return sorted(found, key=lambda function: function.name)


def tree(node: JavaObject) -> Iterator[JavaObject]:
    """Yields an expression and all below it."""
    yield node
    for child in elements(node.children()):
        yield from tree(child)


def plans(plan: JavaObject) -> Iterator[JavaObject]:
    """Yields a plan and all below it, from the top down."""
    yield plan
    for child in elements(plan.children()):
        yield from plans(child)


def call_of(function: Registered, plan: JavaObject) -> JavaObject | None:
    """Returns a function's call in an example, or what its topmost operator that computes something does."""
    for operator in plans(plan):
        found = [node for expression in elements(operator.expressions()) for node in tree(expression)]
        computed = [node for node in found if node.nodeName() not in ("Alias", "AttributeReference")]
        calls = [node for node in computed if node.prettyName().lower() == function.name]
        if computed:
            return (calls or computed)[0]
    return None


def arguments_of(session: SparkSession, call: JavaObject) -> JavaObject:
    """Returns a call's arguments, also where only what Spark puts in its place is below it."""
    replaced = session._jvm.java.lang.Class.forName(f"{PACKAGE}InheritAnalysisRules")
    return call.parameters() if replaced.isInstance(call) else call.children()


def type_of(expression: JavaObject) -> str:
    """Returns a type as Spark spells it, decimals of every precision as one."""
    return re.sub(r"decimal\(\d+,\d+\)", "decimal", expression.dataType().catalogString())


def state_of(explanation: str) -> str:
    """Returns where all of a plan but its one row is computed, or could be."""
    found = REPORT.search(explanation)
    lines = found.group(1).splitlines() if found else ["! no report"]
    if any(line[2:].split(":")[0] not in ONE_ROW for line in lines if line.startswith("! ")):
        return ISLAND
    return BRIDGED if any("(bridged: " in line for line in lines) else NATIVE


def asked(session: SparkSession, function: Registered, sql: str) -> Call | None:
    """Returns what an example calls and what becomes of it; None where this Spark cannot plan it."""
    try:
        execution = session.sql(sql)._jdf.queryExecution()
        call = call_of(function, execution.analyzed())
        explanation = execution.explainString(
            session._jvm.org.apache.spark.sql.execution.ExplainMode.fromString("simple")
        )
    except Exception:  # of any class: Spark's, Py4J's, of a function that needs what is not there
        return None
    if call is None:
        return None
    arguments = tuple(type_of(argument) for argument in elements(arguments_of(session, call)))
    return Call(arguments, type_of(call), state_of(explanation))


def over_columns(function: Registered, calls: Collection[Call]) -> Iterator[str]:
    """Yields calls over columns: of an aggregate each type, of what is not native in examples their types and some."""
    if not function.name.isidentifier() or function.kind not in ("aggregate", "scalar"):
        return
    if function.kind == "scalar" and any(call.state == NATIVE for call in calls):
        return
    # What stands below a call in an example, an aggregate say, is not for the call to answer for.
    for call in list(calls) if function.kind == "scalar" else ():
        columns = [next((kind for kind in TYPES if kind.split("(")[0] == name), "") for name in call.arguments]
        if columns and all(columns):
            yield called(function, [f"`{column}`" for column in columns])
            yield called(function, [column_or_constant(place, column) for place, column in enumerate(columns)])
    for kind in TYPES if function.kind == "aggregate" else ("int", "string"):
        yield called(function, [f"`{kind}`"])
    for kind in ("int", "double") if function.kind == "aggregate" else ("int",):
        yield called(function, [f"`{kind}`"] * 2)


def called(function: Registered, arguments: Iterable[str]) -> str:
    """Returns a query that calls a function over the table's columns."""
    return f"SELECT {function.name}({', '.join(arguments)}) FROM {TABLE}"


def column_or_constant(place: int, kind: str) -> str:
    """Returns an argument of a type: a column in the first place, and where there is no constant."""
    return CONSTANTS[kind] if place > 0 and kind in CONSTANTS else f"`{kind}`"


def calls_of(session: SparkSession, function: Registered) -> tuple[Call, ...]:
    """Returns a function's calls: the best state of each."""
    best: dict[tuple[tuple[str, ...], str], Call] = {}
    ask(session, function, function.examples, best)
    ask(session, function, over_columns(function, best.values()), best)
    if function.kind == "aggregate" and NATIVE not in {call.state for call in best.values()}:
        with folding(session):
            ask(session, function, function.examples, best)
    return tuple(best.values())


@contextmanager
def folding(session: SparkSession) -> Iterator[None]:
    """Plans as Spark does by itself: an aggregate may want a constant that is a literal then."""
    name = "spark.sql.optimizer.excludedRules"
    session.conf.unset(name)
    try:
        yield
    finally:
        session.conf.set(name, SETTINGS[name])


def ask(session: SparkSession, function: Registered, queries: Iterable[str], best: dict) -> None:
    """Adds the calls of queries, the best state of each."""
    for call in (asked(session, function, sql) for sql in queries):
        if call is None:
            continue
        known = best.get((call.arguments, call.result))
        if known is None or STATES.index(call.state) < STATES.index(known.state):
            best[call.arguments, call.result] = call


def listed(session: SparkSession, functions: Iterable[Registered]) -> list[ListedFunction]:
    """Asks for functions. Makes the table that it asks."""
    logging.getLogger("SQLQueryContextLogger").disabled = True  # what a function does not take is no mistake here
    with tempfile.TemporaryDirectory() as folder:
        make_table(session, f"{folder}/table")
        return [*ask_all(session, functions)]


def ask_all(session: SparkSession, functions: Iterable[Registered]) -> Iterator[ListedFunction]:
    """Yields functions with their calls."""
    by_class: dict[str, list[Call]] = {}
    for signature in (*signatures(), *aggregate_signatures(), *window_signatures()):
        calls = by_class.setdefault(signature.spark_class, [])
        calls.append(Call(signature.arguments, signature.result, NATIVE))
    for function in functions:
        calls = calls_of(session, function)
        engine = by_class.get(function.class_name, []) if any(call.state == NATIVE for call in calls) else []
        if function.class_name.endswith(".Cast"):  # one class for the casts to all types
            engine = [call for call in engine if call.result in {call.result for call in calls}]
        unique = dict.fromkeys([*engine, *calls])
        yield ListedFunction(function.name, function.kind, tuple(unique))


def make_table(session: SparkSession, path: str) -> None:
    """Makes TABLE, of no rows."""
    session.createDataFrame([], ", ".join(f"`{kind}` {kind}" for kind in TYPES)).write.parquet(path)
    session.read.parquet(path).createOrReplaceTempView(TABLE)


def page(session: SparkSession) -> str:
    """Returns the page's text."""
    return as_page(listed(session, registry(session)), session.version)


def main() -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only")
    options = parser.parse_args()
    session = start_session(SETTINGS)
    try:
        text = page(session)
    finally:
        session.stop()
    states = Counter(function.state for function in read_page(text))
    print(", ".join(f"{states[state]} {state}" for state in STATES), "of", sum(states.values()))
    if options.check:
        return 0 if PAGE.is_file() and PAGE.read_text() == text else 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
