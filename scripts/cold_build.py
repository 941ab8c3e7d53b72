"""Measures a first build: clones the last commit, then setup, build and tests from nothing, two compilers at a time.

Records minutes in benchmarks/results/cold.json. Downloads come from pip's cache where there is one.
"""

import datetime
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

from accelerant.bench import machine
from evidence import COLD_RECORD

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "cold"
JOBS = "2"


def minutes(clone: Path, *goals: str) -> float:
    """Runs make in the clone and returns how long it took; ends the script when it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ACCELERANT_", "MAKE"))}
    environment |= {"CCACHE_DIR": str(FOLDER / "ccache")}
    start = time.monotonic()
    subprocess.run(["make", *goals, f"JOBS={JOBS}"], cwd=clone, check=True, env=environment)
    return (time.monotonic() - start) / 60


def main() -> None:
    """Measures and records."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    clone = FOLDER / "clone"
    subprocess.run(["git", "clone", "--quiet", "--local", ROOT, clone], check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True, text=True)
    setup, build, test = (minutes(clone, goal) for goal in ("setup", "build", "test"))
    record = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit.stdout.strip(),
        "command": f"make setup; make build; make test, JOBS={JOBS}",
        "machine": machine(),
        "minutes": {"setup": setup, "build": build, "test": setup + build + test},
    }
    COLD_RECORD.parent.mkdir(exist_ok=True)
    COLD_RECORD.write_text(json.dumps(record, indent=2) + "\n")
    print(f"setup {setup:.1f} min, build {build:.1f} min, tests {test:.1f} min")
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
