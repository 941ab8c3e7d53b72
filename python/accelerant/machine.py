"""What the machine has: processor, memory and their limits. Linux only."""

import os
import platform
from pathlib import Path

# What -march=x86-64-v2 means, by the names in /proc/cpuinfo.
BASELINE_FLAGS = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")

CGROUP_MEMORY_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def system() -> str:
    """Returns the operating system and processor type, e.g. `Linux x86_64`."""
    return f"{platform.system()} {platform.machine()}"


def cpu_info(text: str | None = None) -> dict[str, str]:
    """Returns what /proc/cpuinfo says of the first processor."""
    lines = (text if text is not None else Path("/proc/cpuinfo").read_text()).split("\n\n")[0].splitlines()
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): value.strip() for name, _, value in pairs}


def missing_baseline_flags(info: dict[str, str]) -> list[str]:
    """Returns the processor features that the engine needs and the processor lacks."""
    present = set(info.get("flags", "").split())
    return [flag for flag in BASELINE_FLAGS if flag not in present]


def usable_cores() -> int:
    """Returns how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def physical_memory_bytes() -> int:
    """Returns the machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def cgroup_memory_bytes(files: tuple[str, ...] = CGROUP_MEMORY_FILES) -> int | None:
    """Returns the memory limit of this process's container; None when there is none."""
    for path in map(Path, files):
        if path.is_file():
            text = path.read_text().strip()
            limit = int(text) if text.isdigit() else None
            return limit if limit is not None and limit < physical_memory_bytes() else None
    return None


def memory_bytes() -> int:
    """Returns the memory that this process can have: the smaller of the machine's and the container's."""
    return cgroup_memory_bytes() or physical_memory_bytes()
