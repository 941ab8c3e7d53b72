"""Asks the queries of a task on DuckDB over the same Parquet files. Arguments: the task's file and the report's."""

import os
import sys
import tempfile
from pathlib import Path

import duckdb

from accelerant.benchmark.costs import measured
from accelerant.benchmark.engines import shuffle_folder
from accelerant.benchmark.progress import tell
from accelerant.benchmark.summary import of_frame, of_rows
from accelerant.benchmark.task import PANDAS, WRITE, Report, Task, write_reports


def source(path: str) -> str:
    """Returns what reads a table's file, or the files of a folder; CSV as text, as Spark does."""
    if path.endswith(".csv"):
        return f"read_csv('{path}', header = true, all_varchar = true)"
    return f"read_parquet('{path}')"


def ask(connection: duckdb.DuckDBPyConnection, task: Task, name: str) -> object:
    """Runs a query and returns its answer: rows, a pandas.DataFrame, or None when it is written."""
    query = task.queries[name]
    if query.action == PANDAS:
        return connection.sql(query.sql_of_duckdb).df()
    if query.action == WRITE:
        connection.execute(f"copy ({query.sql_of_duckdb}) to '{task.output(name)}/part.parquet' (format parquet)")
        return None
    return connection.sql(query.sql_of_duckdb).fetchall()


def report(connection: duckdb.DuckDBPyConnection, task: Task, name: str) -> Report:
    """Measures a query; what it has written is a table from then on."""
    tell(name)
    action = task.queries[name].action
    if action == WRITE:
        Path(task.output(name)).mkdir(parents=True, exist_ok=True)
    answer, costs = measured(os.getpid(), task.runs_of(name), lambda: ask(connection, task, name))
    if action == WRITE:
        connection.execute(f"create view {name} as from {source(task.output(name) + '/*.parquet')}")
        return Report(name, costs, [])
    return of_frame(Report(name, costs, []), answer) if action == PANDAS else of_rows(Report(name, costs, []), answer)


def connected(threads: int, memory: str = "", folder: Path | None = None) -> duckdb.DuckDBPyConnection:
    """Returns a connection that keeps nothing between runs but what is in the operating system's page cache.

    Rows for which `memory` is too short go to `folder`.
    """
    connection = duckdb.connect(config={"threads": threads})
    if folder:
        connection.execute(f"set temp_directory = '{folder}'")
    if memory:
        connection.execute(f"set memory_limit = '{of_binary_units(memory)}'")
    connection.execute("set timezone = 'UTC'")
    for setting in ("enable_object_cache", "parquet_metadata_cache", "enable_external_file_cache"):
        if setting in {name for (name,) in connection.sql("select name from duckdb_settings()").fetchall()}:
            connection.execute(f"set {setting} = false")
    return connection


def of_binary_units(memory: str) -> str:
    """Returns an amount of memory as DuckDB reads it: its own `g` is a thousand million bytes."""
    return f"{memory[:-1]}{memory[-1].upper()}iB" if memory[-1] in "kmgt" else f"{memory}B"


def main() -> None:
    """Does what the task says."""
    task = Task.read(Path(sys.argv[1]))
    # Where Spark's and Accelerant's rows go that memory is too short for.
    with tempfile.TemporaryDirectory(prefix="duckdb-", dir=shuffle_folder()) as folder:
        write_reports(Path(sys.argv[2]), answers(connected(task.threads, task.memory, Path(folder)), task))


def answers(connection: duckdb.DuckDBPyConnection, task: Task) -> list[Report]:
    """Asks every query."""
    for table, path in task.tables.items():
        connection.execute(f"create view {table} as from {source(path)}")
    connection.execute(task.duckdb_setup)
    return [report(connection, task, name) for name in task.queries]


if __name__ == "__main__":
    main()
