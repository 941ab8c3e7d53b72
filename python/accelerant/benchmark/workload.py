"""What can be measured: tables that are generated at a scale, and what is asked of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from accelerant.benchmark.task import Query


@dataclass(frozen=True)
class Workload:
    """Data, queries, and what the engines need for them; every engine that can be measured is asked through it.

    `generate` makes the tables at a scale, in a folder or where data is kept by default; `origin` says how, for people.
    `peers` can be asked beside Accelerant. What other fields mean says `Task`.
    """

    title: str
    scale_unit: str
    peers: tuple[str, ...]
    generate: Callable[[float, Path | None], Mapping[str, Path]]
    queries: Callable[[float], dict[str, Query]]
    origin: Callable[[float], str]
    scale: float = 1
    polars_programs: str = ""
    duckdb_setup: str = ""
    memory: str = ""
    spark_settings: dict[str, str] = field(default_factory=dict)
