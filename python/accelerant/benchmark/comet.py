"""Comet, a native engine below Spark, with the Spark that it is published for. Only a checkout can install the two."""

import hashlib
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

from accelerant.errors import UserError
from accelerant.generated_data import CHECKOUT
from accelerant.spark_home import spark_version

REPOSITORY = "https://repo1.maven.org/maven2"
ENVIRONMENT = CHECKOUT / ".venv-comet"
PIN = CHECKOUT / "dependencies" / "comet.txt"
JARS = CHECKOUT / "build" / "comet"
OFF_HEAP = "4g"
OPERATOR = re.compile(r"^[\s:+*|()\d-]*Comet[A-Z]\w+", re.MULTILINE)


def pinned(pin: Path = PIN) -> tuple[str, str]:
    """Returns the jar's path in the repository and its SHA-256; raises UserError where nothing is pinned."""
    if not pin.is_file():
        raise UserError(f"{pin} is missing: Comet is measured from a checkout, not from an installed wheel")
    path, digest = (line for line in pin.read_text().splitlines() if line and not line.startswith("#"))
    return path, digest


def version() -> str:
    """Returns the version of the pinned jar."""
    return Path(pinned()[0]).parent.name


def download(address: str, digest: str, target: Path) -> Path:
    """Downloads a file unless it is there; raises UserError when that fails or its SHA-256 is another."""
    if target.is_file():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    try:
        with urllib.request.urlopen(address) as source, partial.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    except OSError as error:
        raise UserError(f"cannot download {address}: {error}") from None
    found = hashlib.sha256(partial.read_bytes()).hexdigest()
    if found != digest:
        partial.unlink()
        raise UserError(f"{address} has the SHA-256 {found}, expected {digest}: do not use it")
    return partial.replace(target)


def jar() -> Path:
    """Returns Comet's jar, downloaded when it is not there."""
    path, digest = pinned()
    return download(f"{REPOSITORY}/{path}", digest, JARS / Path(path).name)


def spark() -> Path:
    """Returns the home of Comet's Spark, installed when it is not there."""
    pinned()
    setup = CHECKOUT / "scripts" / "setup"
    if subprocess.run([setup, "comet"], check=False).returncode != 0:
        raise UserError(f"{setup} comet failed: see above")
    (home,) = ENVIRONMENT.glob("lib/python3*/site-packages/pyspark")
    return home


def versions() -> dict[str, str]:
    """Returns the versions of Comet and of its Spark."""
    return {"comet": version(), "pyspark of comet": spark_version(spark()) or "unknown"}


def settings(jar_path: Path) -> dict[str, object]:
    """Returns what turns Comet on, with the options of its own published benchmarks."""
    return {
        "spark.jars": jar_path,
        "spark.driver.extraClassPath": jar_path,
        "spark.plugins": "org.apache.spark.CometPlugin",
        "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
        "spark.memory.offHeap.enabled": "true",
        "spark.memory.offHeap.size": OFF_HEAP,
        "spark.comet.exec.replaceSortMergeJoin": "true",
        "spark.comet.expression.Cast.allowIncompatible": "true",
    }


def took_part(explanation: str) -> bool:
    """Says whether a plan, as Spark explains it, has operators of Comet's."""
    return OPERATOR.search(explanation) is not None


def environment(home: Path) -> dict[str, str]:
    """Returns the variables that make spark-submit use that Spark and its Python."""
    return {"SPARK_HOME": str(home), "PYSPARK_PYTHON": str(ENVIRONMENT / "bin" / "python")}
