"""Asks a worker in a process of its own, one request at a time: lines of JSON over a local socket."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

START_S = 180
END_S = 30
LOOK_S = 0.5


def serve(address: str, answer: Callable[[dict], dict]) -> None:
    """Answers requests, from within a worker, until the other side is gone; of one that fails the error."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(address)
        with link.makefile("r") as requests, link.makefile("w") as replies:
            for line in requests:
                replies.write(json.dumps(answered(answer, json.loads(line))) + "\n")
                replies.flush()


def answered(answer: Callable[[dict], dict], request: dict) -> dict:
    """Returns the answer to a request, or how it failed."""
    try:
        return answer(request)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:1000]}


class Worker:
    """A program that serves; started when it is first asked, and again after one that ended or took too long.

    `command` gets the path of the socket, which lies in `folder`, behind it, then `arguments`.
    """

    def __init__(
        self, log: Path, folder: Path, command: Sequence[object], arguments: Sequence[object], variables: Mapping
    ) -> None:
        self.log = log
        self.address = folder / f"{log.stem}.socket"
        self.command = [*map(str, command), str(self.address), *map(str, arguments)]
        self.variables = os.environ | dict(variables)
        self.process: subprocess.Popen | None = None
        self.link: socket.socket | None = None

    def ask(self, request: dict, limit_s: float) -> dict:
        """Returns the answer to a request, with `error` where there is none; a worker that takes too long is ended."""
        try:
            self.start()
            self.link.sendall(json.dumps(request).encode() + b"\n")
            return json.loads(self.line(time.monotonic() + limit_s))
        except (OSError, EOFError) as error:
            self.end()
            return {"error": f"{str(error) or 'the worker ended'}: {self.last_words()}"}

    def start(self) -> None:
        """Starts the program and waits until it asks for requests; raises OSError when it does not."""
        if self.link:
            return
        self.address.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(str(self.address))
            door.listen(1)
            door.settimeout(LOOK_S)
            self.log.parent.mkdir(parents=True, exist_ok=True)
            with self.log.open("a") as log:
                self.process = subprocess.Popen(
                    self.command, stdout=log, stderr=log, env=self.variables, start_new_session=True
                )
            self.link = self.entered(door, time.monotonic() + START_S)

    def entered(self, door: socket.socket, deadline: float) -> socket.socket:
        """Returns the connection that the program opens."""
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(TimeoutError):
                return door.accept()[0]
        raise OSError("the worker did not start")

    def line(self, deadline: float) -> bytes:
        """Returns the next line that the program writes; raises TimeoutError and EOFError."""
        found = b""
        while not found.endswith(b"\n"):
            self.link.settimeout(max(deadline - time.monotonic(), 0.01))
            if not (piece := self.link.recv(1 << 20)):
                raise EOFError
            found += piece
        return found

    def last_words(self) -> str:
        """Returns the end of the program's log."""
        return self.log.read_text(errors="replace")[-300:] if self.log.is_file() else ""

    def end(self) -> None:
        """Ends the program, which does so by itself where it waits for a request, and all that it started."""
        if self.link:
            self.link.close()
        self.link = None
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(END_S)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None
