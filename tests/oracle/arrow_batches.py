"""Counts the Arrow batches in which rows leave the engine."""

from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame


def nodes(plan: JavaObject) -> list[JavaObject]:
    """Returns the operators that ran, through what adaptive execution put around them."""
    if plan.nodeName() == "AdaptiveSparkPlan":
        return nodes(plan.executedPlan())
    if plan.nodeName() == "ResultQueryStage":
        return nodes(plan.plan())
    children = [plan.children().apply(i) for i in range(plan.children().size())]
    return [plan, *(node for child in children for node in nodes(child))]


def num_batches(df: DataFrame) -> int:
    """Returns how many Arrow batches native queries have emitted since they were planned."""
    metrics = [node.metrics() for node in nodes(df._jdf.queryExecution().executedPlan())]
    return sum(m.apply("numArrowBatches").value() for m in metrics if m.contains("numArrowBatches"))
