"""The engines that can be measured, each run in a process of its own."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from accelerant import spark_settings
from accelerant.artifacts import Artifacts
from accelerant.benchmark import comet
from accelerant.benchmark.progress import followed
from accelerant.benchmark.summary import of_files
from accelerant.benchmark.task import WRITE, Report, Task, read_reports
from accelerant.errors import UserError
from accelerant.machine import memory_bytes
from accelerant.spark_home import spark_home

HERE = Path(__file__).resolve().parent
SPARK_WORKER = HERE / "spark_worker.py"
PACKAGE_ROOT = HERE.parents[1]
# Plain Spark's joins need more than 4 GiB at scale 10.
DRIVER_MEMORY = f"{min(8, max(4, memory_bytes() // 2**31))}g"
MEMORY_DISK = Path("/dev/shm")
MEMORY_DISK_BYTES = 4 << 30


def shuffle_folder() -> Path:
    """Returns where Spark, with Accelerant or without, puts its shuffle files: in memory, where there is room for them.

    Some file systems take longer to make and delete thousands of files than Spark for the query.
    """
    has_room = MEMORY_DISK.is_dir() and shutil.disk_usage(MEMORY_DISK).free >= MEMORY_DISK_BYTES
    return MEMORY_DISK if has_room else Path(tempfile.gettempdir())


def run_program(command: list[object], log: Path, environment: dict[str, str] | None = None) -> None:
    """Runs a program with its output in a log, and prints the steps that it tells.

    Raises UserError with the end of the log when it fails.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    paths = os.pathsep.join(filter(None, [str(PACKAGE_ROOT), os.environ.get("PYTHONPATH")]))
    more = {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": paths} | (environment or {})
    words = [str(word) for word in command]
    status = followed(words, log, os.environ | more)
    if status != 0:
        tail = "\n".join(log.read_text().splitlines()[-15:])
        raise UserError(f"{tail}\n{words[0]} ended with status {status}; its output is in {log}")


def submit_command(accelerated: bool, threads: int, more: Mapping[str, object] | None = None) -> list[object]:
    """Returns the call of spark-submit up to the job, with Accelerant or without."""
    program = [sys.executable, "-m", "accelerant", "submit"] if accelerated else [spark_home() / "bin" / "spark-submit"]
    return [*program, *spark_options(threads, more)]


def spark_options(threads: int, more: Mapping[str, object] | None = None) -> list[object]:
    """Returns the options of spark-submit that every Spark gets, and more settings."""
    settings = {"spark.ui.enabled": "false", "spark.local.dir": shuffle_folder()} | dict(more or {})
    heap = settings.pop("spark.driver.memory", DRIVER_MEMORY)
    confs = (word for pair in settings.items() for word in ("--conf", "{}={}".format(*pair)))
    return ["--master", f"local[{threads}]", "--driver-memory", heap, *confs]


def ask_worker(
    name: str, task: Task, folder: Path, program: list[object], environment: dict[str, str] | None = None
) -> list[Report]:
    """Runs a program with the job and the files of an engine, and returns what it reports."""
    report, outputs = folder / f"{name}.json", folder / f"{name}-written"
    own = replace(task, outputs=str(outputs))
    # Spark hands moments to Python in the zone of the process.
    variables = {"TZ": "UTC"} | (environment or {})
    run_program([*program, own.write(folder / "task.json"), report], folder / f"{name}.log", variables)
    written = {name for name, query in task.queries.items() if query.action == WRITE}
    reports = [
        of_files(found, outputs / found.query) if found.query in written else found for found in read_reports(report)
    ]
    shutil.rmtree(outputs, ignore_errors=True)
    return reports


def ask_spark(task: Task, folder: Path, accelerated: bool) -> list[Report]:
    """Asks Spark, with Accelerant or without."""
    limits = {"spark.accelerant.memory.limit": task.memory} if accelerated and task.memory else {}
    command = [*submit_command(accelerated, task.threads, task.spark_settings | limits), SPARK_WORKER]
    return ask_worker("accelerant" if accelerated else "spark", task, folder, command)


def ask_build(task: Task, folder: Path, build: Artifacts) -> list[Report]:
    """Asks Spark with another build of Accelerant."""
    command = submit_command(False, task.threads, spark_settings.settings(build) | task.spark_settings)
    return ask_worker("build", task, folder, [*command, SPARK_WORKER])


def ask_comet(task: Task, folder: Path) -> list[Report]:
    """Asks Comet on its own Spark; raises UserError when a plan has no operator of Comet's."""
    home = comet.spark()
    options = spark_options(task.threads, comet.settings(comet.jar()) | task.spark_settings)
    command = [home / "bin" / "spark-submit", *options, SPARK_WORKER]
    reports = ask_worker("comet", task, folder, command, comet.environment(home))
    if plain := [report.query for report in reports if not comet.took_part(report.explanation)]:
        raise UserError(f"Comet ran nothing of {', '.join(plain)}: these figures would be Spark's")
    return reports


def ask_duckdb(task: Task, folder: Path) -> list[Report]:
    """Asks DuckDB."""
    return ask_worker("duckdb", task, folder, [sys.executable, HERE / "duckdb_worker.py"])


def ask_polars(task: Task, folder: Path) -> list[Report]:
    """Asks Polars."""
    threads = {"POLARS_MAX_THREADS": str(task.threads)}
    return ask_worker("polars", task, folder, [sys.executable, HERE / "polars_worker.py"], threads)


# Each with what asks it. The engine alone is asked otherwise: see replays.py.
ENGINES: dict[str, Callable[[Task, Path], list[Report]]] = {
    "accelerant": lambda task, folder: ask_spark(task, folder, True),
    "spark": lambda task, folder: ask_spark(task, folder, False),
    "comet": ask_comet,
    "duckdb": ask_duckdb,
    "polars": ask_polars,
}
