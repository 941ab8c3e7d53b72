"""Runs jobs one after the other; to be run by spark-submit, with Accelerant or without.

Arguments: the jobs with commas between, their tables' folder, a folder to write to, the report's file; `--operators` to
look at the plans.
"""

import contextlib
import importlib
import io
import json
import sys
import traceback
from dataclasses import asdict
from pathlib import Path

from pyspark.sql import SparkSession

from accelerant.benchmark.costs import tree_seconds
from accelerant.benchmark.spark_worker import jvm_pid
from jobs.answers import as_json
from jobs.operators import QueryListener


def report(spark: SparkSession, name: str, data: str, out: str) -> dict:
    """Runs a job; returns what it cost, printed and answered, or how it failed."""
    theme, _, function = name.partition(".")
    job = getattr(importlib.import_module(f"jobs.{theme}"), function)
    started = tree_seconds(jvm_pid(spark))
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            answer = as_json(job(spark, data, f"{out}/{name}"))
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}"[:1000]}
    return {"cpu_s": tree_seconds(jvm_pid(spark)) - started, "text": printed.getvalue(), "answer": answer}


def main() -> None:
    """Runs the jobs and reports."""
    names, data, out, path, *options = sys.argv[1:]
    spark = SparkSession.builder.appName(names).getOrCreate()
    listener = QueryListener(spark) if "--operators" in options else None
    reports = {}
    for name in names.split(","):
        reports[name] = report(spark, name, data, out)
        if listener:
            reports[name]["queries"] = [[asdict(operator) for operator in query] for query in listener.operators()]
            reports[name]["bridged_s"] = listener.bridged_s
    Path(path).write_text(json.dumps(reports))
    spark.stop()


if __name__ == "__main__":
    main()
