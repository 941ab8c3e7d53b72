"""Runs queries of TPC-DS on Spark as they are asked for; to be run by spark-submit, with Accelerant or without.

Arguments: the socket to serve, the folder of the tables.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JError
from pyspark.sql import DataFrame, Row, SparkSession

from accelerant.benchmark.costs import measured
from accelerant.benchmark.results import why_not_native
from accelerant.benchmark.spark_worker import explanation, jvm_pid
from accelerant.explain_rows import nodes
from jobs.operators import NATIVE, Walk, items
from tpcds.conversation import serve
from tpcds.rows import cell
from tpcds.schema import create
from tpcds.tables import columns

CAPTURES = "spark.accelerant.capture.dir"
BRIDGED = re.compile(r"^\* .*? \(bridged: (.*)\)$", re.MULTILINE)


def ask(spark: SparkSession, sql: str) -> tuple[DataFrame, list[Row]]:
    """Plans and runs a query; returns its frame, which explains itself as it ran, and its rows."""
    frame = spark.sql(sql)
    return frame, frame.collect()


def order_of(frame: DataFrame) -> dict:
    """Says how a query orders its rows: which columns are sort keys, whether all keys are columns, and its limit."""
    plan = frame._jdf.queryExecution().analyzed()
    places = {attribute.exprId().id(): i for i, attribute in reversed(list(enumerate(items(plan.output()))))}
    limit = None
    while (kind := plan.getClass().getSimpleName()) != "Sort":
        if kind in ("GlobalLimit", "LocalLimit"):
            limit = int(plan.limitExpr().toString())
        elif kind not in ("Project", "WithCTE"):
            return {"keys": [], "is_ordered_by_columns": False, "limit": limit}
        plan = plan.plan() if kind == "WithCTE" else plan.child()
    found = [place_of(order.child(), plan.child(), places) for order in items(plan.order())]
    known = found.index(None) if None in found else len(found)
    return {"keys": found[:known], "is_ordered_by_columns": known == len(found), "limit": limit}


def place_of(key: JavaObject, below: JavaObject, places: dict[int, int]) -> int | None:
    """Returns the column that a sort key is, or that the plan below the sort computes alike; None where it is none."""
    if key.getClass().getSimpleName() == "AttributeReference":
        return places.get(key.exprId().id())
    named = items(below.projectList()) if below.getClass().getSimpleName() == "Project" else []
    aliases = (column for column in named if column.getClass().getSimpleName() == "Alias")
    alike = (places.get(alias.exprId().id()) for alias in aliases if alias.child().semanticEquals(key))
    return next(alike, None)


def looked(spark: SparkSession, frame: DataFrame) -> dict:
    """Says what became of a query's operators: why not all were native, which calls were bridged, what was spilled."""
    text = explanation(frame)
    plan = frame._jdf.queryExecution().executedPlan()
    operators = list(Walk(spark).of_query(plan))
    others = Counter((found.name, found.state, found.reason) for found in operators if found.state != NATIVE)
    return {
        "not_native": why_not_native(text) or "",
        "others": [[*key, count] for key, count in others.most_common()],
        "bridged": sorted({name for names in BRIDGED.findall(text) for name in names.split(", ")}),
        "spilled": sum(node.spilled or 0 for node in nodes(plan)),
    }


def bridged_seconds(frame: DataFrame) -> float:
    """Returns the seconds that Spark's code took within native operators."""
    plan = frame._jdf.queryExecution().executedPlan()
    return sum(node.bridged_s or 0 for node in nodes(plan))


def lives(spark: SparkSession) -> bool:
    """Says whether the JVM answers."""
    try:
        return spark._jvm.java.lang.System.currentTimeMillis() > 0
    except (Py4JError, ConnectionError):
        return False


class Session:
    """Answers requests: `sql` to run, `rows` for the answer, `look` at the plan, `captures`, a folder to capture in."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self.is_native = spark.sparkContext.getConf().get("spark.plugins", "") != ""

    def answer(self, request: dict) -> dict:
        """Answers a request; ends the program with the JVM, so that another one is started."""
        try:
            return self.costs_and_more(request)
        except Exception:
            if not lives(self.spark):
                sys.exit("the JVM ended")
            raise

    def costs_and_more(self, request: dict) -> dict:
        """Runs a query; returns its costs and what else was asked for."""
        if request.get("captures"):
            self.spark.conf.set(CAPTURES, request["captures"])
        try:
            (frame, rows), (cost,) = measured(jvm_pid(self.spark), 1, lambda: ask(self.spark, request["sql"]))
        finally:
            if request.get("captures"):
                self.spark.conf.unset(CAPTURES)
        found = {"cpu_s": cost.cpu_s, "wall_s": cost.wall_s}
        if self.is_native:
            found["bridged_s"] = bridged_seconds(frame)
        if request.get("rows"):
            found |= {"rows": [cell(list(row)) for row in rows]} | order_of(frame)
        if request.get("look"):
            found |= looked(self.spark, frame)
        return found


def main() -> None:
    """Makes the tables known to the session, and answers."""
    address, home = sys.argv[1], Path(sys.argv[2])
    spark = SparkSession.builder.appName("TPC-DS").getOrCreate()
    for table, ddl in columns(home).items():
        spark.sql(create(table, ddl, home / table))
    serve(address, Session(spark).answer)
    spark.stop()


if __name__ == "__main__":
    main()
