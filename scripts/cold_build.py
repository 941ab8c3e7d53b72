"""Measures a first build from nothing: clones a commit and runs make there, two compilers at a time.

Without arguments: setup, build and tests of the last commit, whose minutes acceptance looks at. With --demo:
`make demo`, in minutes and in processor seconds of all that it starts; figures of several commits stand side by side.
All of it is recorded in benchmarks/results/cold.json. Downloads come from pip's cache where there is one; nothing from
ccache's.
"""

import argparse
import datetime
import json
import os
import resource
import shutil
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from accelerant.bench import machine
from evidence import COLD_RECORD

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "cold"
JOBS = "2"


@dataclass(frozen=True)
class Cost:
    """What a goal of make took."""

    minutes: float
    cpu_s: float


def cost_of(clone: Path, goal: str) -> Cost:
    """Runs make in the clone and returns what it took; ends the script when it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ACCELERANT_", "MAKE"))}
    environment |= {"CCACHE_DIR": str(FOLDER / "ccache")}
    start, before = time.monotonic(), children_seconds()
    subprocess.run(["make", goal, f"JOBS={JOBS}"], cwd=clone, check=True, env=environment)
    return Cost((time.monotonic() - start) / 60, children_seconds() - before)


def children_seconds() -> float:
    """Returns the processor seconds of all processes that ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cloned(commit: str) -> tuple[Path, str]:
    """Returns a clone of a commit in which nothing was made yet, and the commit's full name."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    clone = FOLDER / "clone"
    subprocess.run(["git", "clone", "--quiet", "--local", ROOT, clone], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", commit], cwd=clone, check=True)
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True, text=True)
    return clone, found.stdout.strip()


def circumstances(commit: str, command: str) -> dict[str, object]:
    """Describes what figures hold for."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"date": today, "commit": commit, "command": f"{command}, JOBS={JOBS}", "machine": machine()}


def measure_tests(clone: Path, commit: str, record: dict) -> dict:
    """Measures setup, build and tests; returns the record with them."""
    setup, build, test = (cost_of(clone, goal).minutes for goal in ("setup", "build", "test"))
    print(f"setup {setup:.1f} min, build {build:.1f} min, tests {test:.1f} min")
    minutes = {"setup": setup, "build": build, "test": setup + build + test}
    new = circumstances(commit, "make setup; make build; make test") | {"minutes": minutes}
    return new | {"demo": record.get("demo", [])}


def measure_demo(clone: Path, commit: str, record: dict) -> dict:
    """Measures the demo; returns the record with it, in the place of what it has of the commit."""
    cost = cost_of(clone, "demo")
    print(f"make demo at {commit[:10]}: {cost.minutes:.1f} min, {cost.cpu_s:.0f} CPU seconds")
    others = [entry for entry in record.get("demo", []) if entry["commit"] != commit]
    return record | {"demo": [*others, circumstances(commit, "make demo") | asdict(cost)]}


def main() -> None:
    """Measures and records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", action="store_true", help="measure `make demo` instead of setup, build and tests")
    parser.add_argument("--commit", default="HEAD", help="what to measure; the last commit by default")
    options = parser.parse_args()
    head = subprocess.run(["git", "rev-parse", options.commit], cwd=ROOT, check=True, capture_output=True, text=True)
    clone, commit = cloned(head.stdout.strip())
    record = json.loads(COLD_RECORD.read_text()) if COLD_RECORD.is_file() else {}
    record = (measure_demo if options.demo else measure_tests)(clone, commit, record)
    COLD_RECORD.parent.mkdir(exist_ok=True)
    COLD_RECORD.write_text(json.dumps(record, indent=2) + "\n")
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
