"""Makes the tables of TPC-DS as Parquet files, by the generator in DuckDB's wheel: `dsdgen.py SCALE FOLDER`.

Runs in an environment of its own, whose DuckDB is the last one that has the generator built in.
"""

import sys
from pathlib import Path

import duckdb


def main() -> None:
    """Generates all tables in a database on disk, and writes each as a file."""
    scale, folder = float(sys.argv[1]), Path(sys.argv[2])
    database = folder / "dsdgen.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"call dsdgen(sf = {scale:g})")
        for (table,) in connection.sql("select table_name from duckdb_tables()").fetchall():
            connection.execute(f"copy {table} to '{folder}/{table}.parquet' (format parquet)")
    database.unlink()


if __name__ == "__main__":
    main()
