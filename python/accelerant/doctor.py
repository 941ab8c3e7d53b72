"""`accelerant doctor`: looks at the machine and the installation; each problem is one line that says what to do."""

import argparse
import ctypes
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from accelerant import __version__, artifacts, class_archive, machine, spark_home
from accelerant.errors import UserError

SPARK_VERSIONS = ("4.0", "4.1", "4.2", "4.3")
MINIMUM_JAVA = 17
MINIMUM_MEMORY_BYTES = 2 << 30

# The heap of a driver unless spark.driver.memory says otherwise.
DEFAULT_HEAP_BYTES = 1 << 30


@dataclass(frozen=True)
class Finding:
    """One line of the report; a remedy makes it a problem."""

    topic: str
    text: str
    remedy: str | None = None


def check_processor() -> Finding:
    """Looks at the operating system and the processor."""
    if machine.system() != "Linux x86_64":
        return Finding("machine", f"{machine.system()} is not supported", "use Linux on x86-64")
    info = machine.cpu_info()
    missing = machine.missing_baseline_flags(info)
    name = info.get("model name", "unknown processor")
    if missing:
        return Finding("machine", f"{name} lacks {', '.join(missing)}", "use a processor of x86-64-v2 (2009) or later")
    return Finding("machine", f"{name}, {machine.usable_cores()} usable cores")


def engine_limit() -> str:
    """Asks the engine what it takes at most where no limit is set."""
    try:
        ask = ctypes.CDLL(str(artifacts.find().library())).accelerant_default_limit_bytes
    except (OSError, AttributeError, UserError):  # check_library says why
        return "spark.accelerant.memory.limit says what the engine takes of it"
    ask.restype = ctypes.c_int64
    limit = ask(ctypes.c_int64(DEFAULT_HEAP_BYTES)) / (1 << 30)
    return f"the engine takes at most {limit:.1f} GiB beside a heap of 1 GiB (spark.accelerant.memory.limit)"


def check_memory() -> Finding:
    """Looks at the memory that Spark's heap and the engine share."""
    size = machine.memory_bytes()
    source = "container limit" if machine.cgroup_memory_bytes() else "machine"
    text = f"{size / (1 << 30):.1f} GiB ({source}); {engine_limit()}"
    if size < MINIMUM_MEMORY_BYTES:
        return Finding("memory", text, "give at least 2 GiB: Spark's own heap takes 1 GiB by default")
    return Finding("memory", text)


def check_java() -> Finding:
    """Looks for the Java that Spark would start."""
    command = spark_home.java_command()
    if command is None:
        return Finding("java", "no java on PATH", f"install a JDK {MINIMUM_JAVA} or set JAVA_HOME")
    version = spark_home.java_version(command)
    if version is None:
        return Finding("java", f"{command} does not run", "correct JAVA_HOME or install a JDK again")
    if version < MINIMUM_JAVA:
        return Finding("java", f"{command} is version {version}", f"Spark 4 needs Java {MINIMUM_JAVA} or later")
    return Finding("java", f"version {version}, {command}")


def check_spark() -> Finding:
    """Looks for Spark and its version."""
    home = spark_home.spark_home()
    version = spark_home.spark_version(home)
    if version is None:
        return Finding("spark", f"{home} has no jars/spark-core", "install Spark again or correct SPARK_HOME")
    if not version.startswith(SPARK_VERSIONS):
        return Finding("spark", f"{version} in {home}", f"install one of Spark {', '.join(SPARK_VERSIONS)}")
    return Finding("spark", f"version {version}, {home}")


def check_jar() -> Finding:
    """Looks for the Spark plugin's jar."""
    found = artifacts.find()
    return Finding("jar", f"{found.jar()} ({found.origin})")


def check_library() -> Finding:
    """Looks for the engine's library and loads it, as the JVM will."""
    found = artifacts.find()
    library = found.library()
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return Finding("library", f"{library} cannot be loaded: {error}", found.remedy)
    return Finding("library", f"{library} ({found.origin})")


def check_gpu() -> Finding:
    """Asks the engine for its GPU, or why it uses none, which is no problem."""
    try:
        ask = ctypes.CDLL(str(artifacts.find().library())).accelerant_describe_gpu
    except (OSError, AttributeError, UserError):  # check_library says why
        return Finding("gpu", "the engine's library does not say")
    ask.restype = ctypes.c_char_p
    return Finding("gpu", ask().decode())


def check_replay() -> Finding:
    """Looks for the replay command and starts it."""
    found = artifacts.find()
    command = found.replay()
    try:
        result = subprocess.run([str(command), "--version"], check=False, capture_output=True, text=True)
    except OSError as error:
        return Finding("replay", f"{command} does not start: {error.strerror}", found.remedy)
    if result.returncode != 0:
        return Finding("replay", f"{command} --version ended with status {result.returncode}", found.remedy)
    return Finding("replay", f"{command} ({result.stdout.strip()})")


def check_archive() -> Finding:
    """Looks for the archive of Spark's classes, whose absence is no problem."""
    try:
        path = class_archive.archive()
    except UserError:  # check_java and check_spark say why
        return Finding("archive", "none of Spark's classes")
    if not path.is_file():
        return Finding("archive", "none of Spark's classes; `accelerant archive` makes it, and drivers start sooner")
    return Finding("archive", f"{path}, {path.stat().st_size >> 20} MiB")


CHECKS: dict[str, Callable[[], Finding]] = {
    "machine": check_processor,
    "memory": check_memory,
    "java": check_java,
    "spark": check_spark,
    "jar": check_jar,
    "library": check_library,
    "replay": check_replay,
    "gpu": check_gpu,
    "archive": check_archive,
}


def findings() -> list[Finding]:
    """Runs every check; one that cannot find its object becomes a problem."""
    found = []
    for topic, check in CHECKS.items():
        try:
            found.append(check())
        except UserError as error:
            text, _, remedy = str(error).partition(": ")
            found.append(Finding(topic, text, remedy))
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares no argument: the command has none."""
    del parser


def run(options: argparse.Namespace) -> int:
    """Prints the report; returns 1 when there is a problem."""
    del options
    print(f"accelerant {__version__}, python {sys.version.split()[0]}")
    found = findings()
    for finding in found:
        mark = "!" if finding.remedy else " "
        print(f"{mark} {finding.topic:8} {finding.text}{'  ->  ' + finding.remedy if finding.remedy else ''}")
    problems = sum(1 for finding in found if finding.remedy)
    print("no problems" if problems == 0 else f"{problems} problem{'s' if problems > 1 else ''}")
    return 1 if problems else 0
