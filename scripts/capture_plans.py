"""Captures TPC-H's Q1 and Q6 through Spark, and leaves their plan messages as text for accelerant-gpu-check.

To be run again when the plan message changes (docs/design/plan-message.md), which tests/device notices. Of a capture
only the plan is kept, in which tables have their paths relative to the checkout.
"""

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from accelerant.benchmark.replays import capture  # noqa: E402
from accelerant.benchmark.workloads import WORKLOADS, make_task  # noqa: E402

QUERIES = ["q1", "q6"]
CAPTURED = ROOT / "tools" / "gpu_check" / "captured"
SCALE = 0.01
LINE_BYTES = 50


def take_varint(data: bytes, at: int) -> tuple[int, int]:
    """Returns a number and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def plan_of(data: bytes) -> bytes:
    """Returns the plan message of a capture, which is its first section (docs/design/capture.md)."""
    magic = b"ACCC\x01\x04plan"
    if not data.startswith(magic):
        sys.exit("capture_plans.py: another format than docs/design/capture.md has")
    num_bytes, begin = take_varint(data, len(magic))
    return data[begin : begin + num_bytes]


def main() -> None:
    """Writes a file of hexadecimal digits a query."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=CAPTURED, help="the folder that gets the files")
    to = parser.parse_args().to.resolve()
    os.chdir(ROOT)
    task = make_task(WORKLOADS["tpch"], 1, 0, SCALE, ",".join(QUERIES))
    task = replace(task, tables={name: os.path.relpath(path) for name, path in task.tables.items()})
    with tempfile.TemporaryDirectory() as folder:
        for query, path in capture(task, Path(folder) / "captures").items():
            digits = plan_of(path.read_bytes()).hex()
            lines = [digits[i : i + 2 * LINE_BYTES] for i in range(0, len(digits), 2 * LINE_BYTES)]
            (to / f"{query}.hex").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
