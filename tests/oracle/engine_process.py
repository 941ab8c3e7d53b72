"""Looks into the process that the engine runs in: what its threads do, and what it holds."""

import contextlib
import gc
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from py4j.java_gateway import JavaObject
from pyspark.sql import SparkSession


def jvm_pid(spark: SparkSession) -> int:
    """Returns the process that Spark and the engine run in."""
    return spark._jvm.java.lang.ProcessHandle.current().pid()


def worker_seconds(spark: SparkSession) -> dict[str, float]:
    """Returns the processor time that each of the engine's worker threads has used so far."""
    found = {}
    for task in Path(f"/proc/{jvm_pid(spark)}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            name = (task / "comm").read_text().strip()
            if name.startswith("accelerant-") and name[11:].isdigit():
                found[name] = int((task / "schedstat").read_text().split()[0]) * 1e-9
    return found


def shares(before: dict[str, float], after: dict[str, float]) -> list[float]:
    """Returns each worker's share of the processor time used between two readings, largest first."""
    used = [seconds - before.get(name, 0) for name, seconds in after.items()]
    return sorted((seconds / max(sum(used), 1e-9) for seconds in used), reverse=True)


def resident_bytes(pid: int) -> int:
    """Returns the memory of a process that is its own and in use."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


def spill_files(spark: SparkSession) -> int:
    """Returns how many files without a name the engine's process has open, or has as memory."""
    process = Path(f"/proc/{jvm_pid(spark)}")
    count = len(re.findall(r"/(#\d+|accelerant-spill-\w+) \(deleted\)$", (process / "maps").read_text(), re.MULTILINE))
    for descriptor in (process / "fd").iterdir():
        with contextlib.suppress(OSError):
            target = str(descriptor.readlink())
            # pytest lets what is printed go to such files, too.
            is_output = int(descriptor.name) <= 2
            count += not is_output and bool(re.search(r"/(#\d+|accelerant-spill-\w+) \(deleted\)$", target))
    return count


def _member(spark: SparkSession, class_name: str, name: str) -> JavaObject:
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
    found = spark._jvm.java.lang.Class.forName(class_name, True, loader)
    members = [*found.getDeclaredFields(), *found.getDeclaredMethods()]
    member = next(member for member in members if member.getName() == name)
    member.setAccessible(True)
    return member


def _ask(spark: SparkSession, name: str) -> Any:
    no_arguments = spark.sparkContext._gateway.new_array(spark._jvm.java.lang.Object, 0)
    return _member(spark, "io.accelerant.spark.Native", name).invoke(None, no_arguments)


class Preparations(NamedTuple):
    """What the engine's process did to prepare queries so far."""

    bound: int  # plan messages
    opened: int  # plans whose files were opened and for which it was decided how they run
    nanos: int  # that both took
    held_bytes: int  # for further runs of DataFrames that are still there

    @property
    def work(self) -> tuple[int, int, int]:
        """What was done, without what is held: the garbage collector frees that of other DataFrames at any time."""
        return self.bound, self.opened, self.nanos


def preparations(spark: SparkSession) -> Preparations:
    """Returns what has been prepared so far."""
    return Preparations(*_ask(spark, "preparations"))


def held_bytes(spark: SparkSession) -> int:
    """Returns the bytes reserved from the engine's process budget, beside those for further runs."""
    return _ask(spark, "usedBytes") - preparations(spark).held_bytes


def open_queries(spark: SparkSession) -> set[int]:
    """Returns the numbers of the native queries that have not been freed."""
    companion = "io.accelerant.spark.NativeQuery$"
    module = _member(spark, companion, "MODULE$").get(None)
    # A Scala object's private member that its class uses has its owner's name in front.
    return set(_member(spark, companion, "io$accelerant$spark$NativeQuery$$open").get(module).keySet())


def collect_garbage(spark: SparkSession) -> None:
    """Lets Python and the JVM find out what nobody refers to any more."""
    gc.collect()
    spark._jvm.java.lang.System.gc()


def eventually(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Waits for a condition that others bring about; returns whether it came true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
