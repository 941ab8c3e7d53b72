"""Runs files of statements in processes of their own, and names statements that never end or end the process."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
WORKER = FOLDER / "golden_worker.py"
RUNNER = FOLDER / "StatementRunner.java"

STATEMENT_SECONDS = 300
START_SECONDS = 900

Run = tuple[str, str]


@dataclass(frozen=True)
class Side:
    """One Spark, with or without Accelerant, and where it works."""

    python: Path
    folder: Path
    resources: Path
    native: bool
    unset: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What files of this side are called after."""
        return "native" if self.native else "plain"

    @property
    def out(self) -> Path:
        """Where the answers are, a line of JSON each."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def jars(self) -> Path:
        """The jars of this Spark."""
        return next(self.python.parent.parent.glob("lib/python3*/site-packages/pyspark/jars"))

    @property
    def version(self) -> str:
        """The version of this Spark."""
        return next(self.jars.glob("spark-sql_2.13-*.jar")).stem.removeprefix("spark-sql_2.13-")


def compile_runner(side: Side) -> Path:
    """Compiles what runs a statement for a version of Spark; returns the folder of classes."""
    classes = side.folder / "classes"
    classes.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["javac", "--release", "17", "-nowarn", "-cp", f"{side.jars}/*", "-d", str(classes), str(RUNNER)], check=True
    )
    return classes


def digest(side: Side, runs: list[Run]) -> str:
    """Identifies what plain Spark's answers depend on."""
    parts = [path.read_bytes() for path in (RUNNER, WORKER, FOLDER / "golden_session.py", FOLDER / "golden_input.py")]
    known = json.dumps([side.version, runs, side.unset, str(side.resources)]).encode()
    return hashlib.sha256(b"".join([*parts, known])).hexdigest()


def run_all(side: Side, runs: list[Run]) -> None:
    """Runs files, in a new process after one that hung or died. Plain Spark's answers are kept for later runs."""
    stamp = side.folder / f"{side.name}.digest"
    wanted = digest(side, runs)
    if not side.native and stamp.is_file() and stamp.read_text() == wanted:
        return
    stamp.unlink(missing_ok=True)
    side.out.unlink(missing_ok=True)
    classes = compile_runner(side)
    left = runs
    while left:
        left = run_process(side, classes, left)
    stamp.write_text(wanted)


def run_process(side: Side, classes: Path, runs: list[Run]) -> list[Run]:
    """Runs files in one process; returns those that are left when a statement ended it."""
    work = side.folder / f"work-{side.name}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    now = Path(f"{side.out}.now")
    now.unlink(missing_ok=True)
    status = watch(start(side, classes, work, runs), now)
    if status == "":
        return []
    if not now.is_file():
        raise RuntimeError(f"Spark {side.version} did not start: {status}; see {side.folder / side.name}.log")
    head = json.loads(now.read_text())
    with side.out.open("a") as out:
        out.write(json.dumps(head | {"error": status, "message": "the process ended with this statement"}) + "\n")
    return runs[runs.index((head["file"], head["folding"])) + 1 :]


def start(side: Side, classes: Path, work: Path, runs: list[Run]) -> subprocess.Popen:
    """Starts a process, the leader of a group that can be ended as a whole."""
    folders = {"out": side.out, "work": work, "classes": classes, "resources": side.resources}
    content = {name: str(path) for name, path in folders.items()}
    content |= {"native": side.native, "runs": runs, "unset": side.unset}
    task = side.folder / f"{side.name}-task.json"
    task.write_text(json.dumps(content))
    python_path = os.pathsep.join([str(ROOT / "python"), str(FOLDER)])
    # What Spark's own tests set: it switches on types and settings that are not ready for others.
    environment = (
        os.environ
        | {"SPARK_TESTING": "1"}
        | {
            "PYTHONPATH": python_path,
            "TZ": "America/Los_Angeles",
            "PYSPARK_PYTHON": str(side.python),
        }
    )
    with (side.folder / f"{side.name}.log").open("a") as log:
        return subprocess.Popen(
            [str(side.python), str(WORKER), str(task)],
            cwd=work,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def watch(process: subprocess.Popen, now: Path) -> str:
    """Waits for a process; returns what ended it, empty where it finished. `now` is touched by every statement."""
    begun = time.time()
    while process.poll() is None:
        time.sleep(0.5)
        idle = time.time() - (now.stat().st_mtime if now.is_file() else begun)
        if idle > (STATEMENT_SECONDS if now.is_file() else START_SECONDS):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return f"no answer in {idle:.0f} s"
    # The JVM is a child in the same group; it ends with its parent's standard input.
    return "" if process.returncode == 0 else f"the process ended with status {process.returncode}"
