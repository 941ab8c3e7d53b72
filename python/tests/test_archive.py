"""The archive of Spark's classes: where it lies, who is told of it, and a real one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from accelerant import artifacts, class_archive, doctor, driver_java
from accelerant.command import main
from accelerant.errors import UserError
from accelerant.spark_home import java_command

JOB = "from pyspark.sql import SparkSession\nSparkSession.builder.getOrCreate().range(3).count()\n"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A Spark of one jar, a Java, and a cache folder with a space in its name."""
    for name in ("spark/bin/spark-submit", "spark/jars/spark-core_2.13-4.3.0.jar", "java/bin/java", "java/release"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    folders = {"SPARK_HOME": "spark", "JAVA_HOME": "java", "XDG_CACHE_HOME": "a cache"}
    return {name: str(tmp_path / folder) for name, folder in folders.items()}


def made(environment: dict[str, str]) -> Path:
    path = class_archive.archive(environment)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_drivers_are_told_of_an_archive_that_is_there(environment: dict[str, str]) -> None:
    before = driver_java.settings(environment)[driver_java.JAVA_OPTIONS]
    path = made(environment)
    after = driver_java.settings(environment)[driver_java.JAVA_OPTIONS]
    assert after.startswith(f'{before} -XX:SharedArchiveFile="{path}" ')


def test_java_takes_the_options_of_drivers(environment: dict[str, str]) -> None:
    java = java_command(os.environ)
    options = driver_java.settings(environment)[driver_java.JAVA_OPTIONS].split()
    shown = subprocess.run(
        [java, *options, "-XX:+PrintFlagsFinal", "-version"], capture_output=True, text=True, check=True
    )
    for name, value in driver_java.LATE_COMPILER.items():
        assert re.search(rf"{name} += {value} ", shown.stdout)


@pytest.mark.parametrize("changed", ["spark/jars/spark-core_2.13-4.3.0.jar", "java/release"])
def test_an_archive_of_another_state_is_outdated(environment: dict[str, str], tmp_path: Path, changed: str) -> None:
    before = made(environment)
    (tmp_path / changed).write_text("new")
    assert class_archive.options(environment) == []
    assert class_archive.outdated(class_archive.archive(environment)) == [before]


def test_an_archive_of_another_spark_stays(environment: dict[str, str], tmp_path: Path) -> None:
    made(environment)
    other = tmp_path / "other"
    (tmp_path / "spark").rename(other)
    assert class_archive.outdated(class_archive.archive(environment | {"SPARK_HOME": str(other)})) == []


def test_without_java_there_is_none(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "java" / "bin" / "java").unlink()
    assert class_archive.options(environment) == []
    with pytest.raises(UserError, match="install a JDK"):
        class_archive.archive(environment)


def test_a_cache_folder_that_can_not_be_written_is_named(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "environ", os.environ | environment | {"XDG_CACHE_HOME": "/proc/none"})
    monkeypatch.setattr(class_archive.archive, "__defaults__", (os.environ,))
    assert main(["archive"]) == 1
    assert "accelerant: /proc/none: No such file or directory" in capsys.readouterr().err


def test_doctor_takes_none_for_no_problem(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_archive.archive, "__defaults__", (environment,))
    assert "`accelerant archive` makes it" in doctor.check_archive().text
    monkeypatch.setattr(class_archive.archive, "__defaults__", (environment | {"JAVA_HOME": "/nowhere"},))
    assert doctor.check_archive() == doctor.Finding("archive", "none of Spark's classes")


def accelerant(*words: str, cache: Path) -> str:
    """Runs the command with a cache folder of its own, and returns what it printed."""
    command = [sys.executable, "-m", "accelerant", *words]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "SPARK_LOCAL_IP": "127.0.0.1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def shared_classes(*options: str, cache: Path, folder: Path) -> int:
    """Runs a job and returns how many classes its driver had from an archive other than Java's own."""
    job, log = folder / "job.py", folder / "classes.log"
    job.write_text(JOB)
    java = f"-Xlog:class+load:file={log}"
    said = accelerant("submit", "--master", "local[1]", "--driver-java-options", java, *options, str(job), cache=cache)
    assert "[cds" not in said
    return sum(line.endswith("shared objects file (top)") for line in log.read_text().splitlines())


def test_drivers_start_with_the_classes_of_a_real_archive(tmp_path: Path) -> None:
    assert "drivers that accelerant starts use it" in accelerant("archive", cache=tmp_path)
    assert shared_classes(cache=tmp_path, folder=tmp_path) > 8000
    # Another class path: Java starts without it, and says nothing.
    assert shared_classes("--driver-class-path", str(artifacts.find().jar()), cache=tmp_path, folder=tmp_path) == 0
    assert "removed /" in accelerant("archive", "--remove", cache=tmp_path)
    assert not list(tmp_path.glob("accelerant/*"))
