"""Asks the queries of a task on Polars over the same Parquet files. Arguments: the task's file and the report's.

POLARS_MAX_THREADS says how many threads it may use; Polars reads it when it is imported.
"""

import os
import sys
from pathlib import Path

from accelerant.benchmark.costs import measured
from accelerant.benchmark.task import Report, Task, texts, write_reports
from accelerant.tpch.polars_queries import PROGRAMS, database


def ask(task: Task, name: str) -> list[tuple]:
    """Asks a query, beginning with the names of its files."""
    return PROGRAMS[name](database(task.tables, task.scale)).collect(engine="streaming").rows()


def main() -> None:
    """Asks every query; nothing but the operating system's page cache is kept between runs."""
    task = Task.read(Path(sys.argv[1]))
    reports = []
    for name in task.queries:
        rows, costs = measured(os.getpid(), task.runs + 1, lambda name=name: ask(task, name))
        reports.append(Report(name, costs, texts(rows)))
    write_reports(Path(sys.argv[2]), reports)


if __name__ == "__main__":
    main()
