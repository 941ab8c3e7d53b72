"""What is asked of an engine, and what it reports; both cross between processes as JSON."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from accelerant.benchmark.costs import Cost, as_json

COLLECT = "collect"
PANDAS = "pandas"
WRITE = "write"


@dataclass(frozen=True)
class Query:
    """What is asked, and what becomes of the answer: rows of the program, a pandas.DataFrame, or Parquet files.

    Written files are a table of the query's name for the queries that follow. A short query is run `repeats` times as
    often as others. `duckdb` is its text for DuckDB, where that reads it otherwise.
    """

    sql: str
    action: str = COLLECT
    repeats: int = 1
    duckdb: str = ""

    @property
    def sql_of_duckdb(self) -> str:
        """Returns its text for DuckDB."""
        return self.duckdb or self.sql


@dataclass(frozen=True)
class Task:
    """Queries over tables, files of Parquet or CSV. Each is asked `runs` times in one process after a first time that
    does not count.

    Polars asks the programs of the queries' names that the module `polars_programs` has, if one is named, else SQL;
    `scale` is that of the tables, which some depend on. DuckDB runs `duckdb_setup` first, for functions that it lacks.
    `memory` is what an engine may use, `1g` say; empty: what it takes by default. Plain Spark's is its heap.
    With `captures`, each query leaves its capture in a folder of its name below that folder. Answers are written below
    `outputs`.
    """

    tables: dict[str, str]
    queries: dict[str, Query]
    threads: int
    runs: int
    scale: float = 1
    polars_programs: str = ""
    duckdb_setup: str = ""
    memory: str = ""
    spark_settings: dict[str, str] = field(default_factory=dict)
    captures: str = ""
    outputs: str = ""

    def write(self, path: Path) -> Path:
        """Writes the task for a worker and returns its file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self)))
        return path

    @staticmethod
    def read(path: Path) -> "Task":
        """Reads a task."""
        entries = json.loads(path.read_text())
        queries = {name: Query(**query) for name, query in entries["queries"].items()}
        return Task(**entries | {"queries": queries})

    def runs_of(self, name: str) -> int:
        """Returns how often a query runs, the first time that does not count included."""
        return self.runs * self.queries[name].repeats + 1

    def output(self, name: str) -> str:
        """Returns the folder into which a query's answer is written."""
        return f"{self.outputs}/{name}"


def as_queries(texts_by_name: Mapping[str, str]) -> dict[str, Query]:
    """Returns queries whose rows the program takes, by name."""
    return {name: Query(sql) for name, sql in texts_by_name.items()}


@dataclass(frozen=True)
class Report:
    """What an engine says of one query; `explanation` only where the engine has one.

    Where many rows were asked for, `answer` sums them up by column, and `checksum` is that of all of them, equal only
    where every value is exactly the same; `rows` is how many there were.
    """

    query: str
    costs: list[Cost]
    answer: list[list[str | None]]
    explanation: str = ""
    rows: int = 0
    checksum: str = ""


def texts(rows: Iterable[Iterable[object]]) -> list[list[str | None]]:
    """Returns rows as text, the form in which answers of different engines are compared."""
    return [[text(value) for value in row] for row in rows]


def text(value: object) -> str | None:
    """Returns a value as text; a moment is told in UTC, whether it says so or not."""
    if isinstance(value, datetime) and (offset := value.utcoffset()) is not None:
        value = value.replace(tzinfo=None) - offset
    return None if value is None else str(value)


def write_reports(path: Path, reports: list[Report]) -> None:
    """Writes what a worker found."""
    path.write_text(json.dumps([vars(report) | {"costs": as_json(report.costs)} for report in reports]))


def read_reports(path: Path) -> list[Report]:
    """Reads what a worker found."""
    entries = json.loads(path.read_text())
    return [Report(**entry | {"costs": [Cost(**cost) for cost in entry["costs"]]}) for entry in entries]
