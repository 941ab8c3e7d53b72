"""accelerant-gpu-check: its whole course in the emulator, and what it says where it cannot run."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / os.environ.get("ACCELERANT_BUILD", "dev") / "accelerant-gpu-check"
FEW_ROWS = "0.0005"


def run(*options: str, **environment: str) -> subprocess.CompletedProcess:
    """Runs the program and returns what it said."""
    command = [str(PROGRAM), *options]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | environment)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What the whole course finds."""
    path = tmp_path_factory.mktemp("gpu_check") / "report.json"
    done = run("--device", "emu", "--scale", FEW_ROWS, "--json", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(path.read_text())


def test_device_equals_host_in_the_emulator(report: dict) -> None:
    """All that is compared is equal, and the file says so too."""
    assert report["device"] == "emulator"
    assert report["engine"]
    assert report["rows"] == 3000
    assert all(check["equal"] for check in report["checks"])
    checked = {check["name"] for check in report["checks"] if check["rows"] > 0}
    assert {"radix_sort", "decode, a row group", "Q1", "Q6", "sum by day"} <= checked
    assert len({name for name in checked if name.startswith(("rows ", "groups "))}) >= 10
    figures = {figure["name"]: figure for figure in report["figures"]}
    assert {
        "copy to device",
        "copy to device, pinned",
        "sort, 64 bits",
        "decode snappy",
        "Q1, read",
        "Q6, kernels made",
    } <= figures.keys()
    assert figures["Q1, of the memory's rate"]["unit"] == "%"


def test_queries_are_those_of_tpch(report: dict) -> None:
    """Captured plans make results of their own: not all rows, nor none."""
    notes = {check["name"]: check["note"] for check in report["checks"] if check["name"] in {"Q1", "Q6", "sum by day"}}
    nothing = run("--device", "emu", "--scale", FEW_ROWS, "--only", "Q6", "--damage", "1").stdout
    assert len(set(notes.values())) == 3
    assert not any(note in nothing for note in notes.values())


def test_every_primitive_is_checked(report: dict) -> None:
    """What headers of primitives declare to take a stream is in the name of a check, over many sizes."""
    sizes: dict[str, set[int]] = {}
    for check in report["checks"]:
        for name in check["name"].split(", "):
            sizes.setdefault(name, set()).add(check["rows"])
    headers = (ROOT / "engine" / "device" / "primitives").glob("*.h")
    declared = {
        name for header in headers for name in re.findall(r"^void (\w+)\(DeviceStream&", header.read_text(), re.M)
    }
    assert len(declared) > 20
    for name in declared - {"clear_groups"}:
        assert sizes.get(name, set()) >= {0, 1, 31, 32, 33, 1000, 2500}, name


def test_every_check_finds_damage(tmp_path: Path) -> None:
    """What comes home from the device with a wrong byte is named, line by line."""
    path = tmp_path / "report.json"
    done = run("--device", "emu", "--scale", FEW_ROWS, "--json", str(path), "--damage", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    checks = json.loads(path.read_text())["checks"]
    assert [check for check in checks if check["rows"] > 0 and check["equal"]] == []
    for name in {check["name"] for check in checks}:
        assert re.search(rf"^{re.escape(name)} +DIFFERENT ", done.stdout, re.M), done.stdout


def test_pipelines_find_damaged_values(tmp_path: Path) -> None:
    """Where only what is longer than a flag or a count is wrong, values are what differs."""
    path = tmp_path / "report.json"
    run("--device", "emu", "--scale", FEW_ROWS, "--json", str(path), "--damage", "64")
    checks = json.loads(path.read_text())["checks"]
    without_values = {"rows that are all dropped", "rows in error"}
    found = [
        check
        for check in checks
        if check["rows"] >= 1000
        and check["name"].startswith(("rows ", "groups ", "Q1", "sum by day"))
        and check["name"] not in without_values
    ]
    assert len(found) > 10
    assert [check["name"] for check in found if check["equal"]] == []
    assert all(check["note"].startswith("column ") for check in found if check["name"].startswith("rows "))


def test_decoding_finds_damaged_values() -> None:
    """Where what pages are found to be is right, values are what differs."""
    done = run("--device", "emu", "--only", "decode, a row group", "--damage", "2000")
    assert done.returncode == 1
    assert re.search(r"^decode, a row group +DIFFERENT  1000, 2500 rows +column 0, row 0$", done.stdout, re.M), (
        done.stdout
    )


def test_one_kind_of_work_can_be_chosen() -> None:
    """Then nothing else is done."""
    lines = run("--device", "emu", "--only", "radix_sort").stdout.splitlines()
    assert not any(line.endswith("GB/s") for line in lines)
    assert [line.split()[0] for line in lines if " equal " in line] == ["radix_sort"]
    assert lines[-1] == "7 checks, 0 different"


def test_checksums_are_the_same_in_every_run(report: dict) -> None:
    """Data and results do not depend on chance."""
    lines = run("--device", "emu", "--scale", FEW_ROWS, "--only", "Q").stdout.splitlines()
    for query in ("Q1", "Q6"):
        (note,) = (check["note"] for check in report["checks"] if check["name"] == query)
        assert [line.split()[-1] for line in lines if line.startswith(f"{query} ")] == [note]


def test_one_line_says_why_it_cannot_run() -> None:
    """Options that are wrong are named, and so is a GPU that is missing."""
    for options, said in (
        (("--device", "tpu"), "--device tpu is neither emu nor gpu"),
        (("--scale", "-1"), "--scale -1 is no number above 0"),
        (("--scale",), "--scale needs a value"),
        (("--fast",), "--fast is no option"),
        (("--damage", "1"), "--damage is of --device emu"),
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
