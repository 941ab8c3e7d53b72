"""What a worker is at, told to the program that waits for it: a line in the worker's log for each step."""

import subprocess
from pathlib import Path

MARK = "accelerant works on: "
SECONDS_BETWEEN_LOOKS = 0.5


def tell(step: str) -> None:
    """Says, from within a worker, what it does next."""
    print(f"{MARK}{step}", flush=True)


class Follower:
    """Reads a log while it grows and prints its steps, as one line."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.read_bytes = 0
        self.told = 0

    def look(self) -> None:
        """Prints the steps that were told since the last look."""
        with self.log.open("rb") as file:
            file.seek(self.read_bytes)
            complete = file.read().rpartition(b"\n")
        self.read_bytes += len(complete[0]) + len(complete[1])
        for line in complete[0].decode(errors="replace").splitlines():
            if line.startswith(MARK):
                print(f"{', ' if self.told else '  '}{line.removeprefix(MARK)}", end="", flush=True)
                self.told += 1

    def finish(self) -> None:
        """Ends the line."""
        self.look()
        if self.told:
            print(flush=True)


def followed(command: list[str], log: Path, environment: dict[str, str]) -> int:
    """Runs a program with its output in a log, prints the steps that it tells, and returns its status."""
    follower = Follower(log)
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output, env=environment) as process:
        try:
            while process.poll() is None:
                try:
                    process.wait(SECONDS_BETWEEN_LOOKS)
                except subprocess.TimeoutExpired:
                    follower.look()
        except BaseException:
            process.kill()
            raise
        finally:
            follower.finish()
    return process.returncode
