"""Runs queries of TPC-DS on DuckDB as they are asked for.

Arguments: the socket to serve, the folder of the tables, the number of threads.
"""

import os
import sys
from pathlib import Path

import duckdb

from accelerant.benchmark.costs import measured
from accelerant.benchmark.duckdb_worker import connected
from tpcds.conversation import serve
from tpcds.rows import cell
from tpcds.tables import for_duckdb

# Where Spark puts nulls.
ORDER = "set default_null_order = 'nulls_first_on_asc_last_on_desc'"


def answer(connection: duckdb.DuckDBPyConnection, request: dict) -> dict:
    """Runs a query; returns its costs and its rows."""
    rows, (cost,) = measured(os.getpid(), 1, lambda: connection.sql(request["sql"]).fetchall())
    return {"cpu_s": cost.cpu_s, "wall_s": cost.wall_s, "rows": [cell(row) for row in rows]}


def main() -> None:
    """Makes the tables known to DuckDB, and answers."""
    address, home, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    connection = connected(threads)
    connection.execute(ORDER)
    for table, files in for_duckdb(home).items():
        connection.execute(f"create view {table} as from read_parquet('{files}')")
    serve(address, lambda request: answer(connection, request))


if __name__ == "__main__":
    main()
