"""A control group with a limit of memory, beyond which the kernel ends a process of it. Linux only, and root's."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
# The file of a limit, by the folder below which groups have one: of the first version of control groups, or the second.
LIMITS = {ROOT / "memory": "memory.limit_in_bytes", ROOT: "memory.max"}


@contextlib.contextmanager
def limited(limit_bytes: int) -> Iterator[list[str] | None]:
    """Makes a group for a while; yields the words that start a command in it, or None where no group can be made.

    No process of it may live on at the end.
    """
    group = made(limit_bytes)
    if group is None:
        yield None
        return
    try:
        # Whatever the command starts stays in its group.
        yield ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(group)]
    finally:
        group.rmdir()


def made(limit_bytes: int) -> Path | None:
    """Makes a group with a limit, for its files' cache as well as for what its processes hold."""
    for root, name in LIMITS.items():
        group = root / f"accelerant-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            # A folder of another file system has no such file.
            with (group / name).open("r+") as limit:
                limit.write(str(limit_bytes))
            return group
        except OSError:
            group.rmdir()
    return None


def is_available() -> bool:
    """Says whether groups can be made."""
    with limited(1 << 30) as start:
        return start is not None
