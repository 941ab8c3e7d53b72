"""Asks the queries of a task on DuckDB over the same Parquet files. Arguments: the task's file and the report's."""

import os
import sys
from pathlib import Path

import duckdb

from accelerant.benchmark.costs import measured
from accelerant.benchmark.task import Report, Task, texts, write_reports


def main() -> None:
    """Asks every query; nothing but the operating system's page cache is kept between runs."""
    task = Task.read(Path(sys.argv[1]))
    connection = duckdb.connect(config={"threads": task.threads})
    for setting in ("enable_object_cache", "parquet_metadata_cache", "enable_external_file_cache"):
        if setting in {name for (name,) in connection.sql("select name from duckdb_settings()").fetchall()}:
            connection.execute(f"set {setting} = false")
    for table, path in task.tables.items():
        connection.execute(f"create view {table} as from read_parquet('{path}')")
    reports = []
    for name, sql in task.queries.items():
        rows, costs = measured(os.getpid(), task.runs + 1, lambda sql=sql: connection.sql(sql).fetchall())
        reports.append(Report(name, costs, texts(rows)))
    write_reports(Path(sys.argv[2]), reports)


if __name__ == "__main__":
    main()
