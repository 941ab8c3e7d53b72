"""Runs the examples of PySpark's own documentation, plain and with Accelerant, and says which fail only so.

The examples are those of the docstrings of the PySpark that an environment has: small programs that print
what they compute, row by row. Some depend on the machine and fail on plain Spark, too. Examples that show what no
accelerator keeps are listed in examples_known.txt with what they show. Ends with status 1 where another one fails, and
where no query had a native operator.
"""

import argparse
import doctest
import importlib
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from short_queries import JAVA_OPTIONS

ROOT = Path(__file__).resolve().parents[2]
KNOWN = Path(__file__).with_name("examples_known.txt")
OUT = ROOT / "build" / "spark-examples"
ENVIRONMENTS = [".venv", ".venv-spark41"]
PLAIN, ACCELERATED = "plain", "accelerated"

# Below pyspark; those of streaming and of data sources in Python have nothing of ours.
SQL_MODULES = [
    *("functions.builtin", "functions.partitioning", "dataframe", "classic.dataframe", "column", "window", "group"),
    *("readwriter", "catalog", "udf", "types", "tvf", "observation", "conf", "udtf", "session"),
    *("pandas.functions", "pandas.group_ops", "pandas.map_ops", "pandas.conversion"),
]
PANDAS_MODULES = [
    *("frame", "series", "generic", "groupby", "indexes.base", "indexes.multi", "indexes.datetimes", "namespace"),
    *("indexes.category", "strings", "datetimes", "window", "indexing", "base", "categorical", "spark.accessors"),
    *("numpy_compat", "accessors", "resample", "correlation"),
]
MODULES = [*(f"sql.{name}" for name in SQL_MODULES), *(f"pandas.{name}" for name in PANDAS_MODULES)]
# They stop the session, wait for streams, or draw.
LEFT_OUT = (".stop", ".writeStream", ".readStream", ".writeTo", ".plot")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
# In a plan's text, which may name Java's NativeMethodAccessorImpl as well.
NATIVE_OPERATOR = re.compile(r"^\(\d+\) Native", re.MULTILINE)


def examples(module: str) -> Iterator[doctest.DocTest]:
    """Yields what a module's docstrings show, by name, with the names that PySpark gives its examples."""
    from pyspark.sql import SparkSession, functions

    found = importlib.import_module(f"pyspark.{module}")
    spark = SparkSession.active()
    names = found.__dict__ | {"spark": spark, "sc": spark.sparkContext, "sf": functions, "F": functions}
    if module.startswith("pandas"):
        names["ps"] = importlib.import_module("pyspark.pandas")
    if module.endswith("dataframe"):
        names["df"] = spark.createDataFrame([(2, "Alice"), (5, "Bob")], ["age", "name"])
    for example in doctest.DocTestFinder().find(found, f"pyspark.{module}", globs=names):
        if example.examples and not example.name.endswith(LEFT_OUT):
            yield example


def plans_of_queries() -> list[str]:
    """Returns the text of the plan of each query that this process ran."""
    from pyspark.sql import SparkSession

    executions = SparkSession.active()._jsparkSession.sharedState().statusStore().executionsList().iterator()
    plans = []
    while executions.hasNext():
        plans.append(executions.next().physicalPlanDescription())
    return plans


def work(engine: str, report: Path) -> None:
    """Runs all examples in this process; writes how many there are, how those that fail do, and what ran natively."""
    from pyspark.sql import SparkSession

    from accelerant import artifacts, spark_settings

    settings = {
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.driver.memory": "2g",
        "spark.sql.ui.retainedExecutions": "1000000",
        "spark.sql.warehouse.dir": str(Path.cwd() / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    settings |= spark_settings.settings(artifacts.find()) if engine == ACCELERATED else {}
    # The examples' own number of cores.
    builder = SparkSession.builder.master("local[4]").appName("examples")
    for name, value in settings.items():
        builder = builder.config(name, value)
    logging.getLogger("SQLQueryContextLogger").disabled = True
    warnings.simplefilter("ignore")
    failures, count = {}, 0
    for module in MODULES:
        builder.getOrCreate().sparkContext.setLogLevel("OFF")
        for example in examples(module):
            output: list[str] = []
            failed = doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(example, out=output.append).failed
            count += 1
            if failed:
                failures[example.name] = "".join(output)
    plans = plans_of_queries()
    found = {"queries": len(plans), "native": sum(bool(NATIVE_OPERATOR.search(plan)) for plan in plans)}
    report.write_text(json.dumps({"count": count, "failures": failures} | found))


def failures_of(engine: str, environment: str) -> dict:
    """Runs all examples in a process of their own and returns its report."""
    report = OUT / f"{environment}-{engine}.json"
    report.unlink(missing_ok=True)
    log = report.with_suffix(".log")
    python = ROOT / environment / "bin" / "python"
    with tempfile.TemporaryDirectory(prefix="examples-", dir=OUT) as folder, log.open("w") as output:
        command = [python, __file__, "--worker", engine, "--report", report]
        variables = os.environ | {"PYTHONPATH": str(ROOT / "python"), "PYSPARK_PYTHON": str(python)}
        subprocess.run(list(map(str, command)), cwd=folder, env=variables, stdout=output, stderr=output, check=False)
    if not report.is_file():
        sys.exit(f"the examples on {engine} Spark did not come to an end: see {log.relative_to(ROOT)}")
    return json.loads(report.read_text())


def known() -> set[str]:
    """Returns the names of the examples that show what no accelerator keeps."""
    lines = KNOWN.read_text().splitlines()
    return {line.strip() for line in lines if line.startswith("  ")}


def compare(environment: str) -> int:
    """Runs an environment's examples both ways, prints what fails only accelerated, and returns how much is wrong."""
    start = time.monotonic()
    plain = failures_of(PLAIN, environment)
    accelerated = failures_of(ACCELERATED, environment)
    only = sorted(set(accelerated["failures"]) - set(plain["failures"]))
    faults = [name for name in only if name not in known()]
    for name in faults:
        print(f"{name}\n{accelerated['failures'][name]}")
    print(
        f"{environment}: {accelerated['count']} examples, {len(plain['failures'])} fail on plain Spark, "
        f"{len(only) - len(faults)} show what is not kept; {len(faults)} differ that must not; "
        f"{accelerated['native']} of {accelerated['queries']} queries natively, in part at least; "
        f"{(time.monotonic() - start) / 60:.0f} minutes",
        flush=True,
    )
    is_native = accelerated["native"] > 0 and plain["native"] == 0
    return len(faults) + (accelerated["count"] != plain["count"]) + (not is_native)


def main() -> int:
    """Runs all environments; returns 1 where an example fails that must not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environment", choices=ENVIRONMENTS, action="append", help="one version of Spark only")
    parser.add_argument("--worker", choices=[PLAIN, ACCELERATED], help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker, options.report)
        return 0
    OUT.mkdir(parents=True, exist_ok=True)
    return 1 if sum(compare(environment) for environment in options.environment or ENVIRONMENTS) else 0


if __name__ == "__main__":
    sys.exit(main())
