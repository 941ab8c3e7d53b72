"""What a query's operators did, beside what the planner estimated before it ran: `accelerant explain --run`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject

# What adaptive execution puts around a plan, and how to look through it.
STAGES = ("ResultQueryStage", "ShuffleQueryStage", "BroadcastQueryStage", "TableCacheQueryStage")
WRAPPERS = {"AdaptiveSparkPlan": "executedPlan"} | dict.fromkeys(STAGES, "plan")
HEADINGS = ("rows", "estimated", "factor", "CPU s", "operator")
# An estimate that is further off than this is worth a look: join orders and sides follow from estimates.
FAR_OFF = 8


@dataclass(frozen=True)
class NodeRows:
    """One operator after a run; None where Spark does not count."""

    name: str
    depth: int
    rows: int | None = None
    estimated: int | None = None
    cpu_s: float | None = None
    brought_s: float | None = None  # what it took to bring Spark's rows to the engine
    bridged_rows: int | None = None  # that Spark's code computed within a native operator
    bridged_s: float | None = None  # of CPU that this took
    spilled: int | None = None  # bytes that memory was too short for

    @property
    def factor(self) -> float | None:
        """How many times more rows came than were estimated; below 1: fewer."""
        if self.rows is None or not self.estimated:
            return None
        return max(self.rows, 1) / self.estimated

    def is_far_off(self) -> bool:
        """Tells whether the estimate was of another magnitude."""
        return self.factor is not None and not 1 / FAR_OFF <= self.factor <= FAR_OFF

    def extras(self) -> Iterator[str]:
        """Says what crossings between Spark and the engine took, and what was spilled."""
        if self.rows and self.brought_s is not None:
            source = self.name.removeprefix("Island ")
            yield f"{self.rows:,} rows brought to the engine from {source} in {self.brought_s:.3f} s"
        if self.bridged_rows and self.bridged_s is not None:
            yield f"{self.bridged_rows:,} rows computed by Spark's code in {self.name} in {self.bridged_s:.3f} s"
        if self.spilled:
            yield f"{self.spilled:,} bytes spilled by {self.name}"


def nodes(plan: JavaObject, depth: int = 0) -> Iterator[NodeRows]:
    """Walks through a physical plan that ran, from the top down; subqueries come below their operator."""
    if wrapped := WRAPPERS.get(plan.nodeName()):
        yield from nodes(getattr(plan, wrapped)(), depth)
        return
    metrics = plan.metrics()

    def value(name: str) -> int | None:
        return metrics.apply(name).value() if metrics.contains(name) else None

    def seconds(name: str) -> float | None:
        nanos = value(name)
        return None if nanos is None else nanos * 1e-9

    yield NodeRows(
        plan.nodeName(),
        depth,
        value("numOutputRows"),
        value("estimate"),
        seconds("cpuTime"),
        seconds("crossingTime"),
        value("bridgedRows"),
        seconds("bridgedTime"),
        value("spillSize"),
    )
    for below in (plan.subqueries(), plan.children()):
        for i in range(below.size()):
            yield from nodes(below.apply(i), depth + 1)


def cells(node: NodeRows) -> tuple[str, ...]:
    """Returns a line of the table."""
    factor = "" if node.factor is None else f"{node.factor:.3g}"
    return (
        "" if node.rows is None else f"{node.rows:,}",
        "" if node.estimated is None else f"{node.estimated:,}",
        f"! {factor}" if node.is_far_off() else factor,
        "" if node.cpu_s is None else f"{node.cpu_s:.3f}",
        "  " * node.depth + node.name,
    )


def table(ran: list[NodeRows]) -> str:
    """Returns the operators as text, numbers to the right, names to the left; `!` marks estimates that were far off."""
    lines = [HEADINGS, *(cells(node) for node in ran)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS) - 1)]
    return "\n".join(
        "  ".join([*(cell.rjust(w) for cell, w in zip(line, widths, strict=False)), line[-1]]) for line in lines
    )
