"""Runs demo/job.py in a process of its own, on plain Spark or with Accelerant, and reads its report."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from accelerant.explain import REPORT
from accelerant.spark_home import spark_home

ROOT = Path(__file__).resolve().parent.parent
JOB = ROOT / "demo" / "job.py"
BIN = Path(sys.executable).parent
LABELS = {False: "plain", True: "accelerated"}

OPERATORS = re.compile(r"(\d+) of (\d+) operators")


def run_job(accelerated: bool, table: Path, threads: int, runs: int) -> dict:
    """Runs the job and returns its report; ends the program when the job fails."""
    label = LABELS[accelerated]
    report = ROOT / "build" / "demo" / f"{label}.json"
    log = report.with_suffix(".log")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    print(f"running the job: {label}", flush=True)
    submit = [BIN / "accelerant", "submit"] if accelerated else [spark_home() / "bin" / "spark-submit"]
    spark = ["--master", f"local[{threads}]", "--conf", "spark.ui.enabled=false", "--driver-memory", "2g"]
    command = [str(word) for word in [*submit, *spark, JOB, table, report, "--runs", runs]]
    with log.open("w") as output:
        environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
        status = subprocess.run(command, check=False, stdout=output, stderr=output, env=environment).returncode
    if status != 0 or not report.is_file():
        tail = "\n".join(log.read_text().splitlines()[-20:])
        sys.exit(f"{tail}\nthe {label} job ended with status {status}; its output is in {log.relative_to(ROOT)}")
    return json.loads(report.read_text())


def native_report(answer: dict) -> tuple[str, list[str]]:
    """Returns in a few words what ran natively, and the lines that say why the rest did not."""
    found = REPORT.search(answer["explain"])
    if not found:
        return "no", ["explain() says nothing of Accelerant"]
    headline, *lines = found.group(1).rstrip().splitlines()
    counts = OPERATORS.match(headline)
    reasons = [line.removeprefix("! ") for line in lines if line.startswith("!")]
    if not counts or counts.group(1) == "0":
        return "no", reasons or [headline]
    words = f"{counts.group(1)} of {counts.group(2)} operators"
    return (words if reasons or counts.group(1) != counts.group(2) else f"all {counts.group(1)} operators"), reasons
