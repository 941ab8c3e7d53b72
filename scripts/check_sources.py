"""Slow checks of the engine's sources: clang-tidy on each source, and each header compiled alone.

A file that passed is not checked again until it, a header it includes, or the rules change. Work stops at a time
budget; files that were not reached fail the check, and the next run goes on with them.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine_files import BUILD, ENGINE, ROOT, digest, folder_flags

PASSED = ROOT / "build" / "lint"
TIDY_RULES = ROOT / ".clang-tidy"


def tidy_command(path: Path) -> list[str]:
    """Returns the clang-tidy call for a source; gcc's warnings are not clang's."""
    readable = [flag for flag in folder_flags(path) if not flag.startswith("-W")]
    return ["clang-tidy", "--quiet", f"--config-file={TIDY_RULES}", str(path), "--", *readable]


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
    stamps = {path: PASSED / name / digest(path, TIDY_RULES) for path in files}
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


def main() -> int:
    """Runs both checks and returns 1 when a file failed or was not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8, help="time budget of each of the two checks")
    options = parser.parse_args()
    if not (BUILD / "generated").is_dir():
        sys.exit("check_sources.py: run `make build` first")
    headers = sorted(ENGINE.rglob("*.h"))
    sources = sorted(ENGINE.rglob("*.cpp"))
    bad_headers = check_all("header", headers, header_command, options.minutes)
    bad_sources = check_all("clang-tidy", sources, tidy_command, options.minutes)
    return 1 if bad_headers + bad_sources else 0


if __name__ == "__main__":
    sys.exit(main())
