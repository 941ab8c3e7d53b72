"""Finds the user's Spark and Java."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from accelerant.errors import UserError


def spark_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Returns Spark's folder: SPARK_HOME, else the pyspark package; raises UserError when there is none."""
    named = environment.get("SPARK_HOME")
    if named:
        if not (Path(named) / "bin" / "spark-submit").is_file():
            raise UserError(f"SPARK_HOME is {named}, which has no bin/spark-submit: correct or unset it")
        return Path(named)
    spec = importlib.util.find_spec("pyspark")
    if spec is None or not spec.submodule_search_locations:
        raise UserError("no Spark found: install it (pip install pyspark) or set SPARK_HOME")
    return Path(spec.submodule_search_locations[0])


def spark_version(home: Path) -> str | None:
    """Returns the version of the Spark in a folder, read from its jars; None when they are not there."""
    for jar in home.glob("jars/spark-core_*.jar"):
        return jar.stem.rpartition("-")[2]
    return None


def java_command(environment: Mapping[str, str] = os.environ) -> str | None:
    """Returns the java that Spark would start: JAVA_HOME's, else the one on PATH."""
    home = environment.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else shutil.which("java")


def java_version(command: str) -> int | None:
    """Returns the major version of a java command; None when it does not run."""
    try:
        output = subprocess.run([command, "-version"], check=True, capture_output=True, text=True).stderr
    except (OSError, subprocess.CalledProcessError):
        return None
    match = re.search(r'version "(\d+)', output)
    return int(match.group(1)) if match else None
