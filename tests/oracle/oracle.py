"""Compares native runs with plain Spark in one session."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession

ENABLED = "spark.accelerant.enabled"
WRAPPERS = {"AdaptiveSparkPlan", "ResultQueryStage"}
CACHED = {"InMemoryTableScan", "Scan"}  # "Scan In-memory table" of a name

Query = Callable[[], DataFrame]


@contextmanager
def settings(spark: SparkSession, **changes: str) -> Iterator[None]:
    """Changes settings for a while; a double underscore stands for a dot."""
    names = {name.replace("__", "."): value for name, value in changes.items()}
    before = {name: spark.conf.get(name, None) for name in names}
    for name, value in names.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, value)


@contextmanager
def plain(spark: SparkSession) -> Iterator[None]:
    """Runs queries planned inside on plain Spark."""
    with settings(spark, **{ENABLED.replace(".", "__"): "false"}):
        yield


def operators(df: DataFrame) -> list[str]:
    """Returns the names of the operators that ran or will run, top first; without those that once filled a cache."""
    text = df._jdf.queryExecution().executedPlan().treeString()
    if "== Final Plan ==" in text:
        text = text.split("== Final Plan ==")[0] + text.split("== Final Plan ==")[1].split("== Initial Plan ==")[0]
    found = (re.match(r"[\s:+\-*()\d]*([A-Za-z]+)", line) for line in text.splitlines())
    names = []
    cached = None  # how far a cached plan is indented at least
    for match in filter(None, found):
        if cached is None or match.start(1) < cached:
            names.append(match.group(1))
            cached = match.start(1) + 1 if match.group(1) in CACHED else None
    return names


def assert_native(df: DataFrame) -> None:
    """Fails unless nothing but native operators and result wrappers is in the plan."""
    names = operators(df)
    others = [name for name in names if not name.startswith("Native") and name not in WRAPPERS]
    assert not others, f"{others} not native:\n{explained(df)}"
    assert any(name.startswith("Native") for name in names), names


def assert_spark(df: DataFrame) -> None:
    """Fails if a native operator is in the plan."""
    assert not [name for name in operators(df) if name.startswith("Native")]


def assert_unbridged(df: DataFrame) -> None:
    """Fails if Spark's own code computes something of a native query."""
    assert_native(df)
    assert not re.findall(r"\(bridged: [^)]*\)", explained(df)), explained(df)


def nodes(plan: JavaObject) -> list[JavaObject]:
    """Returns the operators of a plan that ran, through what adaptive execution put around them."""
    if plan.nodeName() == "AdaptiveSparkPlan":
        return nodes(plan.executedPlan())
    if plan.nodeName() == "ResultQueryStage":
        return nodes(plan.plan())
    children = [plan.children().apply(i) for i in range(plan.children().size())]
    return [plan, *(node for child in children for node in nodes(child))]


def scans(plan: JavaObject) -> list[JavaObject]:
    """Returns the leaves of these."""
    return [node for node in nodes(plan) if node.children().isEmpty()]


def explained(df: DataFrame) -> str:
    """Returns what `explain` prints."""
    qe = df._jdf.queryExecution()
    mode = df.sparkSession._jvm.org.apache.spark.sql.execution.ExplainMode.fromString("simple")
    return qe.explainString(mode)


def last_execution(spark: SparkSession) -> str:
    """Returns the plan of the last query, as the SQL tab shows it."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    return spark._jsparkSession.sharedState().statusStore().executionsList().last().physicalPlanDescription()


def comparable(value: object) -> object:
    """Returns floats as text, at any depth: NaN equals itself, 0.0 is not -0.0. Entries of maps have no order."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return {"map": sorted(((comparable(key), comparable(item)) for key, item in value.items()), key=repr)}
    if isinstance(value, Row):
        return [(name, comparable(item)) for name, item in zip(value.__fields__, value, strict=True)]
    if isinstance(value, list):
        return [comparable(item) for item in value]
    return value


def normalised(rows: list[Row]) -> list[tuple]:
    """Returns rows in an order that depends on nothing but their values."""
    return sorted((tuple(map(comparable, row)) for row in rows), key=repr)


def both_answers(spark: SparkSession, query: Query) -> tuple[list[Row], list[Row]]:
    """Runs a query natively and on plain Spark, fails unless it ran so, and returns both answers."""
    df = query()
    assert_native(df)
    native = df.collect()
    assert_native(df)
    with plain(spark):
        expected_df = query()
        assert_spark(expected_df)
        expected = expected_df.collect()
    return native, expected


def assert_equal_rows(spark: SparkSession, query: Query, ordered: bool = False) -> list[Row]:
    """Runs a query natively and on plain Spark and fails unless both give the same rows; returns them."""
    native, expected = both_answers(spark, query)
    if ordered:
        assert native == expected
    else:
        assert normalised(native) == normalised(expected)
    return native


def assert_equal_values(spark: SparkSession, table: str, expressions: list[str]) -> None:
    """Fails unless expressions have the same values, strings as bytes, in every row of a table with a unique `id`."""

    def query() -> DataFrame:
        calls = ", ".join(f"{expression} as c{n}" for n, expression in enumerate(expressions))
        df = spark.sql(f"select id, {calls} from {table}")
        types = dict(df.dtypes)
        return df.selectExpr(*(f"cast({c} as binary) {c}" if types[c] == "string" else c for c in df.columns))

    native, expected = map(sorted, both_answers(spark, query))
    assert len(native) == len(expected) > 0
    for mine, theirs in zip(native, expected, strict=True):
        for n, expression in enumerate(expressions):
            assert repr(mine[n + 1]) == repr(theirs[n + 1]), (expression, mine.id)


@dataclass(frozen=True)
class Failure:
    """What a user sees of an error."""

    python_class: str
    condition: str | None
    message: str


def failure(run: Callable[[], object]) -> Failure:
    """Runs something that must fail and describes the error; ids and places that change from run to run are cut out."""
    try:
        run()
    except PySparkException as error:
        return Failure(type(error).__name__, error.getCondition(), essence(str(error)))
    except Py4JJavaError as error:
        return Failure(error.java_exception.getClass().getName(), None, essence(error.java_exception.getMessage()))
    raise AssertionError("no error")


def essence(message: str) -> str:
    """Returns a message without stack traces, numbers of attributes, tasks and stages."""
    message = message.split("\n\tat ")[0].split("JVM stacktrace")[0]
    return re.sub(r"#\d+L?|TID \d+|stage \d+\.\d+|task \d+\.\d+", "", message)


def assert_equal_failure(spark: SparkSession, query: Query) -> Failure:
    """Fails unless a query fails natively as it does on plain Spark; returns how."""
    df = query()
    assert_native(df)
    native = failure(df.collect)
    assert_native(df)
    expected = plain_failure(spark, query)
    assert native == expected, f"{native}, but of Spark {expected}"
    return native


def assert_failure_of_spark(spark: SparkSession, query: Query, reason: str) -> Failure:
    """Fails unless a query starts natively, turns to Spark for a reason, and fails there; returns how."""
    df = query()
    assert_native(df)
    found = failure(df.collect)
    assert_spark(df)
    assert f"reverted to Spark: {reason}" in explained(df), explained(df)
    assert found == plain_failure(spark, query)
    return found


def plain_failure(spark: SparkSession, query: Query) -> Failure:
    """Returns how a query fails on plain Spark."""
    with plain(spark):
        return failure(query().collect)
