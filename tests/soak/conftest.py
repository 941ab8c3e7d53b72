import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accelerant import artifacts, spark_home, spark_settings

# What `make acceptance` asks for; `make test` runs a handful.
FULL = os.environ.get("ACCELERANT_SOAK") == "full"

Submit = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def submit(tmp_path: Path) -> Submit:
    """Returns a function that runs a job through spark-submit with Accelerant, in a folder of its own."""

    def run(job: Path, *arguments: object, **more: str) -> subprocess.CompletedProcess:
        confs = spark_settings.settings(artifacts.find()) | {"spark.ui.enabled": "false", "spark.master": "local[2]"}
        confs |= {name.replace("__", "."): value for name, value in more.items()}
        options = [word for name, value in confs.items() for word in ("--conf", f"{name}={value}")]
        command = [spark_home.spark_home() / "bin" / "spark-submit", *options, job, *arguments]
        return subprocess.run(
            [str(word) for word in command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        )

    return run


@pytest.fixture
def full() -> bool:
    """Says whether to run everything."""
    return FULL
