"""Compiles the kernels of engine/device for each supported GPU, and holds them to a budget of registers and spills.

The compiler comes from NVIDIA's wheels in .venv-cuda (`make gpu` installs them); neither a GPU nor a toolkit is needed.
The machine code is left in build/gpu, one file an architecture.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "engine" / "device" / "cuda" / "kernels.cu"
LIST = ROOT / "engine" / "device" / "kernels" / "list.h"
OUTPUT = ROOT / "build" / "gpu"
ARCHITECTURES = ["sm_75", "sm_80", "sm_90", "sm_100"]

# What engine/device/cuda/block.cuh leaves a thread.
MAX_REGISTERS = 64
MAX_SPILLED_BYTES = 0

LISTED = re.compile(r"^\s*K\((\w+),", re.MULTILINE)
REPORT = re.compile(
    r"Compiling entry function '(?P<name>\w+)'.*?"
    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers(?P<rest>[^\n]*)",
    re.DOTALL,
)
SHARED = re.compile(r"(\d+) bytes smem")


@dataclass
class Usage:
    """What one kernel takes on one architecture."""

    architecture: str
    name: str
    registers: int
    spilled_bytes: int
    shared_bytes: int

    def is_within_budget(self) -> bool:
        """Says whether neither number is above the budget."""
        return self.registers <= MAX_REGISTERS and self.spilled_bytes <= MAX_SPILLED_BYTES


def toolkit() -> Path:
    """Returns the folder of the wheels that has bin, include and nvvm in it."""
    found = sorted((ROOT / ".venv-cuda" / "lib").glob("python3*/site-packages/nvidia/cu13"))
    if not (found and (found[0] / "bin" / "nvcc").exists()):
        sys.exit("compile_kernels.py: .venv-cuda has no nvcc: run `make gpu`, which installs it")
    return found[0]


def compile_for(architecture: str) -> str:
    """Compiles all kernels for an architecture; returns what the assembler says of them."""
    home = toolkit()
    command = [
        str(home / "bin" / "nvcc"),
        "-cubin",
        f"-arch={architecture}",
        "-std=c++20",
        "-Xptxas=-v",
        "-Werror=all-warnings",
    ]
    command += ["--fmad=false", f"-I{ROOT / 'engine'}", f"-I{home / 'include'}", f"-I{home / 'include' / 'cccl'}"]
    command += ["-o", str(OUTPUT / f"kernels.{architecture}.cubin"), str(SOURCE)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | {"CUDA_HOME": str(home)}
    )
    if done.returncode != 0:
        sys.exit(f"{architecture}: nvcc ended with status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def usages(architecture: str, report: str) -> Iterator[Usage]:
    """Reads the assembler's report."""
    for found in REPORT.finditer(report):
        shared = SHARED.search(found["rest"])
        spilled = int(found["stores"]) + int(found["loads"])
        yield Usage(architecture, found["name"], int(found["registers"]), spilled, int(shared[1]) if shared else 0)


def check(architecture: str) -> list[str]:
    """Compiles for one architecture, prints what each kernel takes, and returns the problems."""
    begin = time.monotonic()
    found = list(usages(architecture, compile_for(architecture)))
    size = (OUTPUT / f"kernels.{architecture}.cubin").stat().st_size
    print(f"{architecture}: {len(found)} kernels, {size:,} bytes, {time.monotonic() - begin:.0f} s")
    for usage in sorted(found, key=lambda one: one.name):
        print(
            f"  {usage.name:24} {usage.registers:4} registers {usage.spilled_bytes:5} bytes spilled"
            f" {usage.shared_bytes:6} bytes shared"
        )
    problems = [f"{one.architecture}: {one.name} is over its budget" for one in found if not one.is_within_budget()]
    missing = set(LISTED.findall(LIST.read_text())) - {one.name for one in found}
    return problems + [f"{architecture}: {name} was not compiled" for name in sorted(missing)]


def main() -> int:
    """Compiles for the architectures that are asked for; returns 1 when a kernel is over the budget or missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("architectures", nargs="*", help=f"all by default: {' '.join(ARCHITECTURES)}")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    problems = [problem for name in parser.parse_args().architectures or ARCHITECTURES for problem in check(name)]
    for problem in problems:
        print(problem)
    print(f"budget: {MAX_REGISTERS} registers, {MAX_SPILLED_BYTES} bytes spilled; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
