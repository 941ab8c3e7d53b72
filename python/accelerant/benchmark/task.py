"""What is asked of an engine, and what it reports; both cross between processes as JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from accelerant.benchmark.costs import Cost, as_json


@dataclass(frozen=True)
class Task:
    """Queries over tables. Each is asked `runs` times in one process after a first time that does not count.

    Engines without SQL ask the programs of the queries' names; `scale` is that of the tables, which some depend on.
    With `captures`, each leaves its capture in a folder of its name below that folder.
    """

    tables: dict[str, str]
    queries: dict[str, str]
    threads: int
    runs: int
    scale: float = 1
    captures: str = ""

    def write(self, path: Path) -> Path:
        """Writes the task for a worker and returns its file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self)))
        return path

    @staticmethod
    def read(path: Path) -> "Task":
        """Reads a task."""
        return Task(**json.loads(path.read_text()))


@dataclass(frozen=True)
class Report:
    """What an engine says of one query; `explanation` only where the engine has one."""

    query: str
    costs: list[Cost]
    answer: list[list[str | None]]
    explanation: str = ""


def texts(rows: Iterable[Iterable[object]]) -> list[list[str | None]]:
    """Returns rows as text, the form in which answers of different engines are compared."""
    return [[None if value is None else str(value) for value in row] for row in rows]


def write_reports(path: Path, reports: list[Report]) -> None:
    """Writes what a worker found."""
    path.write_text(json.dumps([vars(report) | {"costs": as_json(report.costs)} for report in reports]))


def read_reports(path: Path) -> list[Report]:
    """Reads what a worker found."""
    entries = json.loads(path.read_text())
    return [Report(**entry | {"costs": [Cost(**cost) for cost in entry["costs"]]}) for entry in entries]
