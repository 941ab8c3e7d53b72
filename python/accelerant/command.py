"""The console command `accelerant`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from accelerant import __version__, archive, bench, conf, doctor, explain, functions, replay, submit
from accelerant.errors import UserError

# Commands whose arguments belong to another program.
PASSED_THROUGH = {"submit": submit.command_line, "replay": replay.command_line}


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of all commands."""
    parser = argparse.ArgumentParser(prog="accelerant", description="Runs unchanged Apache Spark jobs natively.")
    parser.add_argument("--version", action="version", version=f"accelerant {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("submit", help="run an unchanged job; options are spark-submit's")
    commands.add_parser("replay", help="run a captured query without a JVM")
    for module, name, text in (
        (conf, "conf", "print the Spark settings that switch Accelerant on"),
        (explain, "explain", "plan SQL and print what would run natively, and why the rest would not"),
        (bench, "bench", "measure a workload, TPC-H among others, against other engines"),
        (functions, "functions", "print all functions of Spark: which run natively, through the bridge, on Spark"),
        (archive, "archive", "have drivers start sooner: keep the classes of Spark as Java has loaded them"),
        (doctor, "doctor", "look at the machine and the installation"),
    ):
        child = commands.add_parser(name, help=text, description=module.__doc__)
        module.add_arguments(child)
        child.set_defaults(run=module.run)
    return parser


def become(line: list[str]) -> NoReturn:
    """Replaces this process by another program; PySpark's workers get this Python unless the user chose one."""
    os.execve(line[0], line, {"PYSPARK_PYTHON": sys.executable} | os.environ)


def run(words: Sequence[str]) -> int:
    """Runs a command and returns its exit status; prints a UserError as one line."""
    try:
        if words[:1] == ["submit"] and words[1:2] in ([], ["--help"], ["-h"]):
            print(submit.HELP, end="")
            return 0
        if words and words[0] in PASSED_THROUGH:
            become(PASSED_THROUGH[words[0]](words[1:]))
        options = make_parser().parse_args(words)
        return options.run(options)
    except UserError as error:
        print(f"accelerant: {error}", file=sys.stderr)
        return 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status, also where nobody reads its output to the end, as `| head`."""
    try:
        try:
            return run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # What is left in the buffer is flushed when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
