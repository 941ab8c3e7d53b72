"""What a query comes to, in values that can be compared bit for bit, and how two of them differ."""

import math
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

import pyarrow as pa
from oracle import WRAPPERS, explained, operators
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from accelerant.explain import REPORT

# Sums of floats depend on the order of addition. The engine's do not, and stay this close to plain Spark's.
FLOAT_BOUND = 1e-9

# What an operator's line in the report says of expressions that Spark's code computes.
BRIDGED = re.compile(r"\(bridged: ([^)]*)\)")
BRIDGING = re.compile(r"^\* (\w+)[^\n]*\(bridged: ", re.MULTILINE)
# An operator in a plan's text: what indents it, and its name.
PASSING = ("NativeProject", "NativeFilter")
NODE = re.compile(r"([\s:+\-]*)(?:\*\(\d+\) )?([A-Za-z]+)")

# The reason of a query that fails before anything could run.
PLANNING = "fails while Spark plans it"


@dataclass(frozen=True)
class Outcome:
    """An answer, or the condition under which a query failed; and whether it ran natively, or why not.

    `in_part`: some of it did; `bridged`: it did with Spark's code for some expressions, `bridged_calls` names these;
    `on_device`: some of it is for a device. `message` is what the error says. `islands`: for each island, which native
    operator takes its rows; `bridging`: the operators that call Spark's code.
    """

    schema: str = ""
    rows: tuple[tuple, ...] = ()
    error: str | None = None
    native: bool = False
    reasons: tuple[str, ...] = ()
    in_part: bool = False
    bridged: bool = False
    on_device: bool = False
    message: str = ""
    bridged_calls: tuple[str, ...] = ()
    islands: tuple[str, ...] = ()
    bridging: tuple[str, ...] = ()


def raw_values(column: pa.ChunkedArray | pa.Array) -> list:
    """Returns a column's values without Python's limits: times as integers, text as bytes.

    Arrays are lists, maps lists of pairs, structs dictionaries.
    """
    if isinstance(column, pa.ChunkedArray):
        return [value for chunk in column.chunks for value in raw_values(chunk)]
    kind = column.type
    if pa.types.is_map(kind):
        return in_lists(column, list(zip(raw_values(column.keys), raw_values(column.items), strict=True)))
    if pa.types.is_list(kind):
        return in_lists(column, raw_values(column.values))
    if pa.types.is_struct(kind):
        members = [raw_values(column.field(i)) for i in range(kind.num_fields)]
        rows = zip(*members, strict=True) if members else [()] * len(column)
        names = [field.name for field in kind]
        valid = column.is_valid().to_pylist()
        return [dict(zip(names, row, strict=True)) if there else None for there, row in zip(valid, rows, strict=True)]
    return flat_values(column)


def flat_values(column: pa.Array) -> list:
    """Returns the values of a column that is not nested."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us")).cast(pa.int64())
    elif pa.types.is_date32(kind):
        column = column.cast(pa.int32())
    elif pa.types.is_string(kind):
        column = column.cast(pa.binary())
    return column.to_pylist()


def in_lists(column: pa.ListArray | pa.MapArray, elements: list) -> list:
    """Returns all elements that lists are made of, list by list, null where there is none."""
    ends = column.offsets.to_pylist()
    valid = column.is_valid().to_pylist()
    return [elements[ends[i] : ends[i + 1]] if there else None for i, there in enumerate(valid)]


def condition_of(error: Exception) -> str:
    """Returns what names an error: Spark's condition, else the Java class.

    Of an error that Spark wraps, as it does those of subqueries, it is the condition of the cause. Arrow's has its own
    name: PySpark tells it of members that they are not null, and they are where their structs are.
    """
    if isinstance(error, PySparkException):
        return error.getCondition() or type(error).__name__
    if isinstance(error, ValueError):
        return type(error).__name__
    cause = error.java_exception
    while cause is not None:
        if "getCondition" in dir(cause) and cause.getCondition():
            return cause.getCondition()
        cause = cause.getCause()
    return error.java_exception.getClass().getName()


def takers_of_islands(tree: str) -> Iterator[str]:
    """Yields, for each island of a plan as text, the operator above it that is no projection or filter.

    Of joins the side is told. An island below projections and filters alone has the topmost of these.
    """
    above: list[tuple[int, str, Iterator[str], str]] = []
    for line in tree.splitlines():
        node = NODE.match(line)
        if node is None:
            continue
        depth, name = len(node.group(1)), node.group(2)
        while above and above[-1][0] >= depth:
            above.pop()
        side = next(above[-1][2], "") if above else ""
        if name == "Island" and above:
            sides = [*(below[3] for below in above[1:]), side]
            found = [(one[1], of) for one, of in zip(above, sides, strict=True) if one[1].startswith("Native")]
            taker, of = next((each for each in reversed(found) if each[0] not in PASSING), (*found, ("", ""))[0])
            yield f"{taker.removeprefix('Native')} ({of})" if "Join" in taker else taker.removeprefix("Native")
        above.append((depth, name, iter(("left", "right")), side))


def way_of(df: DataFrame) -> Outcome:
    """Returns how a query runs, or why not natively, as an outcome without an answer."""
    names = operators(df)
    others = [name for name in names if not name.startswith("Native") and name not in WRAPPERS]
    in_part = any(name.startswith("Native") for name in names)
    text = explained(df)
    way = Outcome(
        in_part=in_part,
        islands=tuple(takers_of_islands(df._jdf.queryExecution().executedPlan().treeString())),
        bridging=tuple(BRIDGING.findall(text)) if in_part else (),
    )
    calls = tuple(name for names in BRIDGED.findall(text) for name in names.split(", ")) if in_part else ()
    if in_part and not others:
        on_device = "(on a device:" in text
        return replace(way, native=True, bridged=bool(calls), on_device=on_device, bridged_calls=calls)
    found = REPORT.search(text)
    lines = found.group(1).splitlines() if found else []
    reasons = tuple(line.removeprefix("! ") for line in lines if line.startswith("!"))
    reasons = reasons or (f"planned by Spark as {' over '.join(names)}",)
    return replace(way, reasons=reasons, bridged=bool(calls), bridged_calls=calls)


def run(session: SparkSession, sql: str, only_native: bool = False) -> Outcome:
    """Runs a query, with `only_native` none that would run on Spark alone; AnalysisException is not caught."""
    df = session.sql(sql)
    way = Outcome(reasons=(PLANNING,))
    try:
        way = way_of(df)
        if only_native and not way.in_part:
            return way
        table = df.toArrow()
    except (PySparkException, Py4JJavaError, ValueError) as error:
        return replace(way if way.reasons else way_of(df), error=condition_of(error), message=str(error))
    # Found at run time to be unsupported: the plan changed.
    way = way if way.reasons else way_of(df)
    columns = [raw_values(column) for column in table.columns]
    rows = tuple(zip(*columns, strict=True)) if columns else ((),) * table.num_rows
    return replace(way, schema=df.schema.simpleString(), rows=rows)


def in_order(session: SparkSession, sql: str, failed: Outcome) -> Outcome:
    """Runs a query that failed again, with one reader: where several read parts of an answer, any may fail first."""
    try:
        session.sql(sql)._jdf.collectAsList()
    except (PySparkException, Py4JJavaError) as error:
        return replace(failed, error=condition_of(error), message=str(error))
    return replace(failed, error=None, message="")


def difference(found: Outcome, expected: Outcome, ordered: bool = False, close: Set[int] = frozenset()) -> str | None:
    """Says how an outcome differs from the expected one; None when they are equal.

    Rows are compared as multisets unless they are ordered; columns in `close`, sums of floats, within FLOAT_BOUND.
    """
    if found.error != expected.error:
        return f"{summary(found)} instead of {summary(expected)}"
    if found.schema != expected.schema:
        return f"schema {found.schema} instead of {expected.schema}"
    if len(found.rows) != len(expected.rows):
        return f"{len(found.rows)} rows instead of {len(expected.rows)}"

    def sorting_key(row: tuple) -> str:
        return repr([rounded(value) if i in close else value for i, value in enumerate(row)])

    ours, theirs = list(found.rows), list(expected.rows)
    if not ordered:
        ours.sort(key=sorting_key)
        theirs.sort(key=sorting_key)
    for mine, other in zip(ours, theirs, strict=True):
        if not equal_rows(mine, other, close):
            return f"row {mine} instead of {other}"
    return None


def summary(outcome: Outcome) -> str:
    """Describes an outcome in a few words."""
    return f"error {outcome.error}" if outcome.error else f"{len(outcome.rows)} rows"


def equal_rows(mine: tuple, other: tuple, close: Set[int]) -> bool:
    """Compares two rows; `repr` tells -0.0 from 0.0, 1.0 from 1.00, and finds NaN equal to itself."""
    if repr(mine) == repr(other):
        return True
    pairs = enumerate(zip(mine, other, strict=True))
    return all(repr(a) == repr(b) or (i in close and is_close(a, b)) for i, (a, b) in pairs)


def rounded(value: float | list | None) -> object:
    """Returns a sum of floats, or a list of such, as text that equal ones nearly always share."""
    if isinstance(value, list):
        return [rounded(element) for element in value]
    # The sum makes 0.0 of -0.0.
    return value if value is None else f"{value + 0.0:.5g}"


def is_close(a: float | list | None, b: float | list | None) -> bool:
    """Says whether two sums of floats, or lists of such, are as equal as they must be."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(repr(x) == repr(y) or is_close(x, y) for x, y in zip(a, b, strict=True))
    return a is not None and b is not None and math.isclose(a, b, rel_tol=FLOAT_BOUND, abs_tol=FLOAT_BOUND)
