"""Asks the queries of a task on Polars over the same Parquet files. Arguments: the task's file and the report's.

POLARS_MAX_THREADS says how many threads it may use; Polars reads it when it is imported.
"""

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
from polars.exceptions import SQLInterfaceError, SQLSyntaxError

from accelerant.benchmark.costs import measured
from accelerant.benchmark.progress import tell
from accelerant.benchmark.task import Report, Task, texts, write_reports

Ask = Callable[[str], pl.LazyFrame]


def asker(task: Task) -> Ask:
    """Returns what makes a query of its name, beginning with the names of its files."""
    if task.polars_programs:
        module = importlib.import_module(task.polars_programs)
        return lambda name: module.PROGRAMS[name](module.database(task.tables, task.scale))

    def ask(name: str) -> pl.LazyFrame:
        tables = {table: pl.scan_parquet(path) for table, path in task.tables.items()}
        return pl.SQLContext(tables).execute(task.queries[name].sql)

    return ask


def main() -> None:
    """Asks every query that Polars knows how to; nothing but the operating system's page cache is kept between runs."""
    task = Task.read(Path(sys.argv[1]))
    ask = asker(task)
    reports = []
    for name in task.queries:
        tell(name)
        runs = task.runs_of(name)
        try:
            rows, costs = measured(os.getpid(), runs, lambda name=name: ask(name).collect(engine="streaming").rows())
        except (SQLInterfaceError, SQLSyntaxError) as error:
            print(f"{name}: {error}")
            continue
        reports.append(Report(name, costs, texts(rows)))
    write_reports(Path(sys.argv[2]), reports)


if __name__ == "__main__":
    main()
