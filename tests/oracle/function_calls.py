"""Calls of Spark's functions with arguments from columns, made of the examples in Spark's own documentation of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, DataType, MapType, NullType, StructType, VariantType
from spelled_calls import SPELLED

EXAMPLE = re.compile(r"^\s*>\s*SELECT\s+(.*?);\s*$", re.MULTILINE | re.IGNORECASE)
CALL = re.compile(r"^([a-z_0-9]+)\s*\((.*)\)$", re.DOTALL | re.IGNORECASE)
# One that computes with what an aggregate makes of rows.
CALL_OF_ROWS = re.compile(r"^([a-z_0-9]+)\s*\((.*)\)\s+FROM\s+(VALUES\s.*)$", re.DOTALL | re.IGNORECASE)
MOST_EXAMPLES = 6
ODD = {
    "string": "'?'",
    "int": "-1",
    "bigint": "-1L",
    "smallint": "-1S",
    "tinyint": "-1Y",
    "double": "double('NaN')",
    "float": "float('Infinity')",
    "binary": "X'FF00'",
    "date": "date'9999-12-31'",
    "timestamp_ntz": "timestamp_ntz'9999-12-31 23:59:59'",
    "timestamp": "timestamp'9999-12-31 23:59:59'",
}


@dataclass(frozen=True)
class Function:
    """A function of Spark's registry."""

    name: str
    group: str
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Call:
    """A call whose arguments are columns `{name}_{n}` of a table, or stay as the example has them."""

    function: str
    sql: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # what the columns hold, as SQL
    odd: tuple[str, ...] = ()  # what most functions of such columns take for none of their values, as SQL


def functions(spark: SparkSession) -> list[Function]:
    """Returns what SHOW FUNCTIONS lists, with their documentation's examples."""
    catalog = spark._jsparkSession.sessionState().catalog()
    identifier = spark._jvm.org.apache.spark.sql.catalyst.FunctionIdentifier
    found = []
    for (name,) in spark.sql("show functions").collect():
        try:
            info = catalog.lookupFunctionInfo(identifier(name))
        except Exception:  # an operator that the grammar alone knows
            continue
        found.append(Function(name, info.getGroup(), tuple(EXAMPLE.findall(info.getExamples() or ""))))
    return found


def split_call(example: str) -> tuple[str, list[str]] | None:
    """Returns the function and the arguments of a call; what rows below it give as subqueries. None for no call."""
    call = CALL.match(example)
    if call and (arguments := split_arguments(call.group(2))) is not None:
        return call.group(1), arguments
    called = CALL_OF_ROWS.match(example)
    if called is None or (arguments := split_arguments(called.group(2))) is None:
        return None
    return called.group(1), [
        f"(SELECT {argument} FROM {called.group(3)})" if "(" in argument else argument for argument in arguments
    ]


def split_arguments(text: str) -> list[str] | None:
    """Splits what stands between a call's parentheses at its commas; None where parentheses or quotes do not match."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            if c == quote and text[i - 1] != "\\":
                quote = ""
        elif c in "'\"":
            quote = c
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
            if depth < 0:
                return None
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return None if quote or depth else [*parts, text[start:].strip()]


def is_carried(kind: DataType) -> bool:
    """Says whether a column of a type may be in a Parquet file, with all parts that it has."""
    if isinstance(kind, ArrayType):
        return is_carried(kind.elementType)
    if isinstance(kind, MapType):
        return is_carried(kind.keyType) and is_carried(kind.valueType)
    if isinstance(kind, StructType):
        return bool(kind.fields) and all(is_carried(field.dataType) for field in kind.fields)
    is_other = isinstance(kind, (NullType, VariantType)) or kind.simpleString().startswith("geo")
    return not is_other and kind.typeName() != "interval"


def argument_type(spark: SparkSession, argument: str) -> DataType | None:
    """Returns the type of an argument that can stand alone."""
    try:
        return spark.sql(f"select {argument}").schema[0].dataType
    except (PySparkException, Py4JJavaError):
        return None


def column_name(function: str, n: int) -> str:
    """Names the column of a function's argument."""
    plain = re.sub("[^a-z0-9]", lambda found: f"x{ord(found.group())}", function.lower())
    return f"{plain}_{n}"


def with_columns(function: str, arguments: list[str], places: tuple[int, ...]) -> str:
    """Returns a call with columns at some places."""
    shown = [column_name(function, n) if n in places else argument for n, argument in enumerate(arguments)]
    return f"{function}({', '.join(shown)})"


def can_be_columns(
    spark: SparkSession, function: str, arguments: list[str], kinds: list[DataType | None]
) -> tuple[int, ...] | None:
    """Returns the most places at which Spark takes columns; None where it takes none."""
    carried = [n for n, kind in enumerate(kinds) if kind is not None and is_carried(kind)]
    for size in range(len(carried), 0, -1):
        for places in combinations(carried, size):
            columns = ", ".join(
                f"cast(null as {kinds[n].simpleString()}) {column_name(function, n)}"  # type: ignore[union-attr]
                for n in places
            )
            call = with_columns(function, arguments, places)
            if is_sql(spark, f"select {call} as result from (select {columns})"):
                return places
    return None


def are_values(spark: SparkSession, arguments: list[str]) -> bool:
    """Says whether those that are subqueries give one row."""
    try:
        return all(spark.sql(f"select {each}").collect() for each in arguments if each.startswith("(SELECT "))
    except (PySparkException, Py4JJavaError):
        return False


def is_sql(spark: SparkSession, text: str) -> bool:
    """Says whether Spark takes a query."""
    try:
        return bool(spark.sql(text).columns)
    except (PySparkException, Py4JJavaError):
        return False


def odd_value(kind: DataType) -> str:
    """Returns a value of a type that functions may fail of."""
    name = kind.simpleString()
    return f"try_cast(-98.7 as {name})" if name.startswith("decimal") else ODD.get(name, f"cast(null as {name})")


def calls_by_hand(spark: SparkSession, function: Function) -> Iterator[Call]:
    """Returns a function's call as it is spelled here, with a row for each line of arguments."""
    for template, *lines in filter(None, [SPELLED.get(function.name)]):
        rows = tuple(lines)
        columns = tuple(column_name(function.name, n) for n in range(template.count("{}")))
        kinds = [spark.sql(f"select {argument}").schema[0].dataType for argument in (rows[0] if rows else ())]
        yield Call(
            function.name,
            template.format(*columns) if columns else template,
            columns,
            rows,
            tuple(map(odd_value, kinds)),
        )


def calls_of(spark: SparkSession, function: Function) -> Iterator[Call]:
    """Returns a call as it is spelled by hand, or for the first shape of Spark's examples that takes columns, with all
    examples of that shape as rows.
    """
    if function.name in SPELLED:
        yield from calls_by_hand(spark, function)
        return
    shapes: dict[tuple, list[list[str]]] = {}
    for example in function.examples:
        called, arguments = split_call(example) or ("", [])
        if called.lower() == function.name and arguments and arguments != [""] and are_values(spark, arguments):
            kinds = [argument_type(spark, argument) for argument in arguments]
            if any(kind is not None and is_carried(kind) for kind in kinds):
                shapes.setdefault(tuple(map(str, kinds)), []).append(arguments)
    for n, examples in enumerate(sorted(shapes.values(), key=len, reverse=True)):
        kinds = [argument_type(spark, argument) for argument in examples[0]]
        name = function.name if n == 0 else f"{function.name}"
        places = can_be_columns(spark, name, examples[0], kinds)
        if places is None:
            continue
        same = [e for e in examples if all(e[i] == examples[0][i] for i in range(len(e)) if i not in places)]
        rows = tuple(tuple(example[i] for i in places) for example in same[:MOST_EXAMPLES])
        columns = tuple(column_name(name, i) for i in places)
        odd = tuple(odd_value(kinds[i]) for i in places)  # type: ignore[arg-type]
        yield Call(function.name, with_columns(name, examples[0], places), columns, rows, odd)
        return
