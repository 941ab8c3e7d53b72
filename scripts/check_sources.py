"""Slow checks of the engine's sources: clang-tidy on each source, and each header compiled alone.

A file that passed is not checked again until it, a header it includes, or the rules change. Work stops at a time
budget; files that were not reached fail the check, and the next run goes on with them. --changed takes the files whose
text is not as in the commit of scripts/checked_commit.txt, of which all files passed; --record also takes those that
include one, and moves that commit on.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import changed_sources
from changed_sources import RULES
from engine_files import BUILD, ENGINE, ROOT, digest, folder_flags

PASSED = ROOT / "build" / "lint"


def tidy_command(path: Path) -> list[str]:
    """Returns the clang-tidy call for a source; gcc's warnings are not clang's."""
    readable = [flag for flag in folder_flags(path) if not flag.startswith("-W")]
    return ["clang-tidy", "--quiet", f"--config-file={RULES}", str(path), "--", *readable]


def header_command(path: Path) -> list[str]:
    """Returns the compiler call that shows whether a header includes all it needs."""
    return ["g++", "-fsyntax-only", *folder_flags(path), "-include", str(path), "-x", "c++", "/dev/null"]


def check_one(command: list[str], stamp: Path, deadline: float) -> str | None:
    """Runs one check; returns its output when it failed, None when it passed, '' when time was up."""
    if time.monotonic() > deadline:
        return ""
    result = subprocess.run(["nice", *command], cwd=ROOT, check=False, capture_output=True, text=True)
    if result.returncode == 0:
        stamp.touch()
        return None
    return (result.stdout + result.stderr).strip() or f"{command[0]} ended with status {result.returncode}"


def check_all(name: str, files: list[Path], command: Callable[[Path], list[str]], minutes: float) -> int:
    """Runs one kind of check on all files; returns how many failed or were not reached."""
    stamps = {path: PASSED / name / digest(path, RULES) for path in files}
    (PASSED / name).mkdir(parents=True, exist_ok=True)
    due = [path for path in files if not stamps[path].exists()]
    deadline = time.monotonic() + minutes * 60
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: check_one(command(path), stamps[path], deadline), due))
    failures = [output for output in results if output]
    unreached = results.count("")
    for output in failures:
        print(output)
    print(f"{name}: {len(files)} files, {len(due)} due, {len(failures)} failed, {unreached} not reached")
    if unreached:
        print(f"{name}: time was up after {minutes:g} minutes: run it again, it goes on with what was not reached")
    return len(failures) + unreached


def check(chosen: Callable[[Iterable[Path]], list[Path]], minutes: float) -> int:
    """Checks the headers and sources that are chosen of all; returns how many failed or were not reached."""
    bad_headers = check_all("header", chosen(sorted(ENGINE.rglob("*.h"))), header_command, minutes)
    bad_sources = check_all("clang-tidy", chosen(sorted(ENGINE.rglob("*.cpp"))), tidy_command, minutes)
    return bad_headers + bad_sources


def main() -> int:
    """Runs both checks and returns 1 when a file failed or was not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8, help="time budget of each of the two checks")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--changed", action="store_true", help="only what changed since the recorded commit")
    which.add_argument(
        "--record", action="store_true", help="what may differ since then, and record the commit if all passed"
    )
    options = parser.parse_args()
    if not (BUILD / "generated").is_dir():
        sys.exit("check_sources.py: run `make build` first")
    if options.record and (files := changed_sources.uncommitted()):
        sys.exit("check_sources.py: --record takes what is committed; these files differ:\n" + "\n".join(files))
    chosen = changed_sources.touched if options.changed else changed_sources.due if options.record else list
    if check(chosen, options.minutes):
        return 1
    if options.record:
        print(f"recorded {changed_sources.record()}: commit scripts/checked_commit.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
