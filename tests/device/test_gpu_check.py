"""accelerant-gpu-check: its whole course in the emulator, and what it says where it cannot run."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / os.environ.get("ACCELERANT_BUILD", "dev") / "accelerant-gpu-check"
FEW_ROWS = "0.0005"


def run(*options: str, **environment: str) -> subprocess.CompletedProcess:
    """Runs the program and returns what it said."""
    command = [str(PROGRAM), *options]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | environment)


def test_device_equals_host_in_the_emulator(tmp_path: Path) -> None:
    """All that is compared is equal, and the file says so too."""
    path = tmp_path / "figures.json"
    done = run("--device", "emu", "--scale", FEW_ROWS, "--json", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(path.read_text())
    assert report["device"] == "emulator"
    assert all(check["equal"] for check in report["checks"])
    checked = {check["name"] for check in report["checks"] if check["rows"] > 0}
    assert {"radix_sort", "group_rows, update_groups", "Q1", "Q6", "sum by day"} <= checked
    assert {"copy to device", "sort, 64 bits", "Q1, read"} <= {figure["name"] for figure in report["figures"]}


def test_checksums_are_the_same_in_every_run() -> None:
    """Data and results do not depend on chance."""
    runs = [run("--device", "emu", "--scale", FEW_ROWS).stdout.splitlines() for _ in range(2)]
    first, second = ([line for line in lines if line.startswith(("Q1 ", "Q6 ", "sum by day "))] for lines in runs)
    assert len(first) == 3
    assert first == second


def test_one_line_says_why_it_cannot_run() -> None:
    """Options that are wrong are named, and so is a GPU that is missing."""
    for options, said in (
        (("--device", "tpu"), "--device tpu is neither emu nor gpu"),
        (("--scale", "-1"), "--scale -1 is no number above 0"),
        (("--scale",), "--scale needs a value"),
        (("--fast",), "--fast is no option"),
    ):
        done = run(*options)
        assert done.returncode == 2
        assert done.stderr.startswith(f"accelerant-gpu-check: {said}")
        assert done.stderr.count("\n") == 1
    without_compiler = run(ACCELERANT_NVRTC="libno_such_compiler.so")
    assert without_compiler.returncode == 2
    assert without_compiler.stderr.count("\n") == 1


def test_it_needs_nothing_but_glibc() -> None:
    """It runs on machines that have nothing else of ours."""
    listed = subprocess.run(["ldd", str(PROGRAM)], check=True, capture_output=True, text=True).stdout
    names = {line.split()[0] for line in listed.splitlines()}
    assert {name for name in names if name.startswith("lib")} <= {"libm.so.6", "libc.so.6"}
    assert PROGRAM.stat().st_size < 60_000_000
