"""The course of a GPU: a piece that hangs or dies costs itself, and nothing of an earlier one stands for it."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

import gpu_course
from gpu_course import METRICS, Piece

REPORT = {"device": "d", "rows": 6, "checks": [{"name": "a", "equal": True}, {"name": "b", "equal": False}]}


def program(folder: Path, text: str) -> Path:
    """Returns a program that the shell runs, called as accelerant-gpu-check is: the report's file comes last."""
    path = folder / "program"
    path.write_text(f"#!/bin/bash\nfor last; do :; done\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_piece_that_finds_a_difference(tmp_path: Path) -> None:
    made = program(tmp_path, f"echo found; echo '{json.dumps(REPORT)}' > \"$last\"; exit 1")
    found = gpu_course.run(Piece("a piece", ["--only", "Q1"], 20, []), made, tmp_path)
    assert (found["ended"], found["command"]) == ("different", "program --only Q1")
    assert (found["num_checks"], [one["name"] for one in found["different"]]) == (2, ["b"])
    assert (tmp_path / "a-piece.log").read_text() == "found\n"


@pytest.mark.parametrize("text", ["exit 134", 'echo "{" > "$last"; exit 134'])
def test_a_piece_that_dies(tmp_path: Path, text: str) -> None:
    (tmp_path / "a-piece.json").write_text(json.dumps(REPORT))
    found = gpu_course.run(Piece("a piece", [], 20, []), program(tmp_path, text), tmp_path)
    assert found["ended"] == "status 134"
    assert "num_checks" not in found


def test_a_piece_that_hangs(tmp_path: Path) -> None:
    """What a tool has started ends with it."""
    made = program(tmp_path, f"sleep 600 & echo $! > {tmp_path}/pid; wait")
    found = gpu_course.run(Piece("a piece", [], 1, []), made, tmp_path)
    assert found["ended"] == "stopped after 1 s"
    child = Path("/proc") / (tmp_path / "pid").read_text().strip() / "stat"
    while child.exists() and child.read_text().split()[2] != "Z":
        time.sleep(0.01)


def test_what_a_profiler_prints() -> None:
    names = ["ID", "Kernel Name", *METRICS.values()]
    rows = [names, ["", "", *("unit" for _ in METRICS)]]
    rows += [[str(i), "sort", us, *("1,000" for _ in range(len(METRICS) - 1))] for i, us in enumerate(("10", "2,000"))]
    rows += [["2", "fill", "n/a", *("1" for _ in range(len(METRICS) - 1))]]
    lines = [",".join(f'"{cell}"' for cell in row) for row in rows]
    log = os.linesep.join(["==PROF== connected", *lines, "234 checks, 0 different"])
    (sort,) = gpu_course.kernels_of(log)
    assert (sort["kernel"], sort["launches"], sort["us"], sort["bytes"]) == ("sort", 2, 2.0, 1000.0)
    assert gpu_course.kernels_of("no kernel was profiled") == []
