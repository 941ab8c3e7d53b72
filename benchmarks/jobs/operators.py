"""What became of each operator of a session's queries: native, left to Spark although the engine has it, or lacking.

An operator that only passes rows on between others that the engine lacks is counted apart: to bring its rows to the
engine and back would cost more than it does. All steps of an aggregate that the engine lacks are lacking.

A listener keeps the queries that ended, with their plans as they ran; they are read when the job is over. Queries that
Spark runs for an RDD of rows have no listener.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from py4j.java_gateway import JavaObject
from pyspark.java_gateway import ensure_callback_server_started
from pyspark.sql import SparkSession

NATIVE = "native"
LEFT = "left"
PASSING = "passing"
LACKING = "lacking"

# Spark's operators that have a rule in engine/plan/operator_rules.cpp, by class.
KNOWN = {
    "BroadcastHashJoinExec",
    "BroadcastNestedLoopJoinExec",
    "CartesianProductExec",
    "CollectLimitExec",
    "ExpandExec",
    "FileSourceScanExec",
    "FilterExec",
    "GenerateExec",
    "GlobalLimitExec",
    "HashAggregateExec",
    "InMemoryTableScanExec",
    "LocalLimitExec",
    "LocalTableScanExec",
    "ObjectHashAggregateExec",
    "OneRowRelationExec",
    "ProjectExec",
    "RDDScanExec",
    "RangeExec",
    "ShuffledHashJoinExec",
    "SortAggregateExec",
    "SortExec",
    "SortMergeJoinExec",
    "TakeOrderedAndProjectExec",
    "UnionExec",
    "WindowExec",
    "WindowGroupLimitExec",
    "WriteFilesExec",
}

# What passes rows on.
PASSES = {
    "CollectLimitExec",
    "FilterExec",
    "GlobalLimitExec",
    "LocalLimitExec",
    "ProjectExec",
    "UnionExec",
}
AGGREGATES = {"HashAggregateExec", "ObjectHashAggregateExec", "SortAggregateExec"}

# They only hold other plans, move rows, or tell a command's result; exchanges that a program asked for are operators.
WRAPPERS = {
    "AQEShuffleReadExec",
    "AdaptiveSparkPlanExec",
    "BroadcastExchangeExec",
    "BroadcastQueryStageExec",
    "ColumnarToRowExec",
    "CommandResultExec",
    "DataWritingCommandExec",
    "ExecutedCommandExec",
    "InputAdapter",
    "IslandExec",
    "ReusedExchangeExec",
    "ReusedSubqueryExec",
    "ResultQueryStageExec",
    "RowToColumnarExec",
    "ShuffleExchangeExec",
    "ShuffleQueryStageExec",
    "SubqueryAdaptiveBroadcastExec",
    "SubqueryBroadcastExec",
    "SubqueryExec",
    "TableCacheQueryStageExec",
    "WholeStageCodegenExec",
}
# Spark sorts each partition for these when it plans how they run: such a sort is part of them.
ORDERED = {
    "FlatMapCoGroupsInPandasExec",
    "FlatMapGroupsInPandasExec",
    "SortAggregateExec",
    "SortMergeJoinExec",
    "WindowExec",
    "WindowGroupLimitExec",
}
# What Spark asks of a text file when a CSV's columns are inferred: no query of the job.
INFERENCE = {"CollectLimit", "DeserializeToObject", "Filter", "Scan text"}
REUSED = {"ReusedExchangeExec", "ReusedSubqueryExec"}
# The field that holds what a wrapper wraps, where that is no child.
INNER = {
    "AdaptiveSparkPlanExec": "executedPlan",
    "BroadcastQueryStageExec": "plan",
    "CommandResultExec": "commandPhysicalPlan",
    "ResultQueryStageExec": "plan",
    "ShuffleQueryStageExec": "plan",
    "TableCacheQueryStageExec": "plan",
}
AT_HAND = "Spark has the rows at hand"
REVERTED = re.compile(r"^! reverted to Spark: (.*)$", re.MULTILINE)
OBSTACLE = re.compile(r"^! (.*?)(?: \((?:island|(?:rows )?bridged[^:]*: .*?)\))*: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Operator:
    """An operator of a query that ran, and why it was not native."""

    name: str
    state: str
    reason: str = ""


@dataclass(frozen=True)
class Taker:
    """What takes an operator's rows: its class, and what became of it."""

    kind: str
    state: str


NOBODY = Taker("", "")


class QueryListener:
    """Keeps what Spark says of queries that ended; called by the JVM.

    `bridged_s` is what Spark's code took within the native operators that were returned last.
    """

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self.queries: list[JavaObject] = []
        self.bridged_s = 0.0
        ensure_callback_server_started(spark.sparkContext._gateway)
        spark._jsparkSession.listenerManager().register(self)

    def onSuccess(self, function: str, query: JavaObject, nanoseconds: int) -> None:  # noqa: N802
        """Keeps a query."""
        self.queries.append(query)

    def onFailure(self, function: str, query: JavaObject, error: JavaObject) -> None:  # noqa: N802
        """Keeps a query that failed."""
        self.queries.append(query)

    def operators(self) -> list[list[Operator]]:
        """Returns the operators of each query since the last call."""
        self.spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        queries, self.queries = self.queries, []
        walk = Walk(self.spark)
        found = [list(walk.of_query(query.executedPlan())) for query in queries]
        self.bridged_s = walk.bridged_ns * 1e-9
        return [operators for operators in found if not {operator.name for operator in operators} <= INFERENCE]

    class Java:
        """Tells the JVM what this is."""

        implements = ["org.apache.spark.sql.util.QueryExecutionListener"]


def items(sequence: JavaObject) -> list[JavaObject]:
    """Returns the elements of a Seq."""
    return [sequence.apply(i) for i in range(sequence.size())]


def inner(plan: JavaObject, kind: str) -> list[JavaObject]:
    """Returns what an operator or a wrapper takes rows from."""
    return [getattr(plan, INNER[kind])()] if kind in INNER else items(plan.children())


def metric(plan: JavaObject, name: str) -> int:
    """Returns what a metric of an operator says; 0 where it has none of the name."""
    metrics = plan.metrics()
    return metrics.apply(name).value() if metrics.contains(name) else 0


def obstacles(texts: list[str]) -> dict[str, list[str]]:
    """Returns the reasons that reports name, by operator."""
    found = defaultdict(list)
    for text in texts:
        for name, reason in OBSTACLE.findall(text):
            found[name.strip()].append(reason)
    return found


def fits(reason: str, name: str) -> bool:
    """Says whether a reason may be that of an operator: of scans, which share a name, one that has its format."""
    return not (reason.startswith("file format ") and name.startswith("Scan ")) or name.split()[1] in reason.lower()


def taken(reasons: list[str], name: str) -> str | None:
    """Takes the first reason that may be an operator's from a list; each counts once."""
    number = next((n for n, reason in enumerate(reasons) if fits(reason, name)), None)
    return None if number is None else reasons.pop(number)


def judged(kind: str, name: str, reasons: dict[str, list[str]]) -> Operator:
    """Says what became of one of Spark's operators."""
    for key in (name, kind.removesuffix("Exec")):
        if reason := taken(reasons.get(key, []), name):
            return Operator(name, LACKING, reason)
    if kind not in KNOWN:
        return Operator(name, LACKING, "no such operator")
    others = sorted({f"{other}: {reason}" for other, found in reasons.items() for reason in found})
    return Operator(name, LEFT, "; ".join(others))


class Walk:
    """Reads plans of a session; the plan that fills a cache once."""

    def __init__(self, spark: SparkSession) -> None:
        self.jvm = spark._jvm
        self.caches: set[int] = set()
        self.report = ""
        self.bridged_ns = 0

    def of_query(self, plan: JavaObject) -> Iterator[Operator]:
        """Yields the operators of a plan, with those that filled its caches."""
        self.report = self.jvm.io.accelerant.spark.NativeExplain().generateExtendedInfo(plan)
        yield from self.below(plan, obstacles([self.report]))

    def below(self, plan: JavaObject, reasons: dict[str, list[str]], above: Taker = NOBODY) -> Iterator[Operator]:
        """Yields an operator and all below it; `above` takes its rows."""
        kind = plan.getClass().getSimpleName()
        if kind in REUSED:
            return
        if kind == "SortExec" and above.kind in ORDERED and not getattr(plan, "global")():
            yield from self.below(plan.child(), reasons, above)
            return
        own = self.own(plan, kind, reasons)
        if own and own.state == LEFT:
            own = self.excused(own, plan, reasons, above)
        if own:
            yield own
        yield from self.cached(plan, kind)
        state = NATIVE if kind == "NativeExec" else own.state if own else ""
        taker = above if kind in WRAPPERS and not own else Taker(kind, state)
        for child in [*inner(plan, kind), *items(plan.subqueries())]:
            yield from self.below(child, reasons, taker)

    def excused(self, own: Operator, plan: JavaObject, reasons: dict[str, list[str]], above: Taker) -> Operator:
        """Returns an operator that is left to Spark under another state where that is as it should be."""
        kind = plan.getClass().getSimpleName()
        if kind in AGGREGATES and above.kind in AGGREGATES and above.state == LACKING:
            return replace(own, state=LACKING, reason="a step of an aggregate that the engine lacks")
        if kind in PASSES and above.state in (LACKING, PASSING, "") and self.takes_from_lacking(plan, kind, reasons):
            return replace(own, state=PASSING)
        return own

    def takes_from_lacking(self, plan: JavaObject, kind: str, reasons: dict[str, list[str]]) -> bool:
        """Says whether all rows of an operator come, through others that pass them on, from what the engine lacks."""
        for child in inner(plan, kind):
            name, of_child = child.nodeName().strip(), child.getClass().getSimpleName()
            is_lacking = of_child not in KNOWN | WRAPPERS or any(
                fits(reason, name) for key in (name, of_child.removesuffix("Exec")) for reason in reasons.get(key, [])
            )
            passes = of_child in PASSES | WRAPPERS and self.takes_from_lacking(child, of_child, reasons)
            if of_child == "NativeExec" or not (is_lacking or passes):
                return False
        return True

    def own(self, plan: JavaObject, kind: str, reasons: dict[str, list[str]]) -> Operator | None:
        """Says what became of one operator; None of what is none."""
        if kind == "NativeExec":
            self.bridged_ns += metric(plan, "bridgedTime")
            report = plan.report()
            reverted = REVERTED.search(self.report) if report is not None and report.isReverted() else None
            if plan.original().getClass().getSimpleName() == "IslandExec":  # it only takes the rows of the island below
                return None
            name = plan.original().nodeName().strip()
            return Operator(name, LEFT, f"reverted: {reverted[1]}") if reverted else Operator(name, NATIVE)
        name = plan.nodeName().strip()
        if kind == "NativeWriteExec":
            return Operator("WriteFiles", NATIVE) if name.startswith("Native") else judged(kind, "WriteFiles", reasons)
        if kind == "ShuffleExchangeExec" and plan.shuffleOrigin().toString() != "ENSURE_REQUIREMENTS":
            return Operator(f"Exchange ({plan.shuffleOrigin()})", LACKING, "no such operator")
        if kind in WRAPPERS or AT_HAND in reasons.get("not tried", []):
            return None
        return judged(kind, name, reasons)

    def cached(self, plan: JavaObject, kind: str) -> Iterator[Operator]:
        """Yields what filled the cache that a scan reads, unless another scan's turn was first."""
        scan = plan.original() if kind == "NativeExec" else plan
        if scan.getClass().getSimpleName() != "InMemoryTableScanExec":
            return
        builder = scan.relation().cacheBuilder()
        number = self.jvm.java.lang.System.identityHashCode(builder)
        if number not in self.caches:
            self.caches.add(number)
            yield from self.of_query(builder.cachedPlan())
