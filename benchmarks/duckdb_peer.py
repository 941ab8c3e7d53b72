"""Runs TPC-H questions on DuckDB over the same Parquet file, in a process of its own; prints times as JSON."""

import argparse
import json
import resource
import time

import duckdb


def cpu_seconds() -> float:
    """Returns the processor seconds this process has used."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Asks each question given as name and SQL."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lineitem")
    parser.add_argument("questions", help="JSON object: name to SQL")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--runs", type=int, required=True)
    options = parser.parse_args()
    connection = duckdb.connect(config={"threads": options.threads})
    connection.execute(f"CREATE VIEW lineitem AS SELECT * FROM read_parquet('{options.lineitem}')")
    report = {}
    for name, sql in json.loads(options.questions).items():
        times = []
        for _ in range(options.runs):
            cpu, wall = cpu_seconds(), time.perf_counter()
            connection.sql(sql).to_arrow_table()
            times.append({"wall": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu})
        report[name] = times
    print(json.dumps(report))


if __name__ == "__main__":
    main()
