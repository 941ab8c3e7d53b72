"""Counts the Arrow batches in which rows leave the engine."""

from oracle import nodes
from pyspark.sql import DataFrame


def num_batches(df: DataFrame) -> int:
    """Returns how many Arrow batches native queries have emitted since they were planned."""
    metrics = [node.metrics() for node in nodes(df._jdf.queryExecution().executedPlan())]
    return sum(m.apply("numBatchesHandedOut").value() for m in metrics if m.contains("numBatchesHandedOut"))
