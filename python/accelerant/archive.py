"""`accelerant archive`: keeps the classes of a Spark session as Java has loaded them, so that drivers start sooner.

`accelerant submit`, `conf` and `explain` then name the archive to the drivers that they start. It takes some 190 MiB in
the user's cache folder, for one Java and one Spark; after an upgrade of either it is to be made again.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from accelerant import class_archive, driver_java, submit
from accelerant.errors import UserError

# What Spark logs of its ordinary doings.
LOGGED = re.compile(r" (INFO|WARN) ")

JOB = Path(__file__).resolve().parent / "archive_job.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("--remove", action="store_true", help="remove the archive")


def run(options: argparse.Namespace) -> int:
    """Makes the archive, or removes it."""
    path = class_archive.archive()
    try:
        (remove if options.remove else make)(path)
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from error
    return 0


def remove(path: Path) -> None:
    """Removes an archive and what was made for earlier states of the same Spark and Java."""
    found = [file for file in (path, *class_archive.outdated(path)) if file.is_file()]
    for file in found:
        file.unlink()
    print(f"removed {', '.join(map(str, found)) or 'nothing'}")


def make(path: Path) -> None:
    """Runs a session that uses much of Spark, and has Java keep its classes when it ends.

    Raises UserError with what Java or Spark said where no archive came of it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    options = {
        driver_java.JAVA_OPTIONS: f'-XX:ArchiveClassesAtExit="{partial}" -Xlog:cds=error -Xlog:cds+dynamic=error',
        "spark.ui.showConsoleProgress": "false",
    }
    confs = [word for setting in options.items() for word in ("--conf", "{}={}".format(*setting))]
    print("running a session, whose classes Java keeps; this takes most of a minute", flush=True)
    try:
        said = subprocess.run(
            submit.command_line([*confs, "--master", "local[2]", str(JOB)]),
            env={"PYSPARK_PYTHON": sys.executable} | os.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if said.returncode != 0 or not partial.is_file():
            lines = [line for line in said.stdout.splitlines() if not LOGGED.search(line)]
            raise UserError("\n".join([*lines[-15:], f"Java made no archive (status {said.returncode})"]))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    for file in class_archive.outdated(path):
        file.unlink()
    print(f"{path}, {path.stat().st_size >> 20} MiB: drivers that accelerant starts use it from now on")
