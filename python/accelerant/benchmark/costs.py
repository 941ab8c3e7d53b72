"""What work costs: wall time, processor time of a process with all below it, and the most memory it had. Linux only."""

import contextlib
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# clock_getcpuclockid(3): a process's number and this make the clock of its processor time.
CPU_CLOCK = 2
# Writing this to /proc/<pid>/clear_refs sets VmHWM back to what is resident now.
RESET_PEAK = "5"

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Cost:
    """What one run cost."""

    wall_s: float
    cpu_s: float
    peak_rss: int


def processes() -> dict[int, tuple[int, float]]:
    """Returns each process's parent, and the processor seconds of its ended children."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            # The second field, the name in brackets, may hold anything.
            fields = path.read_text().rpartition(") ")[2].split()
            found[int(path.parent.name)] = (int(fields[1]), sum(map(int, fields[13:15])) / TICKS_PER_SECOND)
    return found


def process_seconds(pid: int) -> float:
    """Returns the processor seconds of a process, to the microsecond; 0 when it has ended."""
    try:
        return time.clock_gettime(~pid << 3 | CPU_CLOCK)
    except OSError:
        return 0


def tree_seconds(root: int) -> float:
    """Returns the processor seconds of a process and all below it."""
    known = processes()
    inside = {root}
    while fresh := {pid for pid, (parent, _) in known.items() if parent in inside} - inside:
        inside |= fresh
    return sum(process_seconds(pid) + known[pid][1] for pid in inside if pid in known)


def peak_bytes(pid: int) -> int:
    """Returns the most memory that a process had resident since `measured` reset it."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def measured(pid: int, runs: int, work: Callable[[], Answer]) -> tuple[Answer, list[Cost]]:
    """Does work several times and returns its last answer and what each run cost the process `pid`."""
    costs = []
    for _ in range(runs):
        # Not every kernel or container lets a process reset its peak; then it is the peak since the start.
        with contextlib.suppress(OSError):
            Path(f"/proc/{pid}/clear_refs").write_text(RESET_PEAK)
        cpu, wall = tree_seconds(pid), time.perf_counter()
        answer = work()
        wall_s = time.perf_counter() - wall
        costs.append(Cost(wall_s, tree_seconds(pid) - cpu, peak_bytes(pid)))
    return answer, costs


def as_json(costs: list[Cost]) -> list[dict]:
    """Returns costs as a worker reports them."""
    return [asdict(cost) for cost in costs]


def counted(costs: list[Cost]) -> list[Cost]:
    """Returns the hot runs: all but the first."""
    return costs[1:] or costs


def median_wall_s(costs: list[Cost]) -> float:
    """Returns the median wall time of the hot runs."""
    return statistics.median(cost.wall_s for cost in counted(costs))


def hot(costs: list[Cost]) -> Cost:
    """Returns the least wall and processor time and the highest peak of the hot runs.

    Nothing but disturbance makes a run longer than it needs to be.
    """
    runs = counted(costs)
    return Cost(min(run.wall_s for run in runs), min(run.cpu_s for run in runs), max(run.peak_rss for run in runs))
