"""Compiles kernels for each supported GPU, and holds them to a budget of registers and spills.

Those of engine/device, by the compiler of NVIDIA's wheels in .venv-cuda (`make gpu` installs them); their machine code
is left in build/gpu, one file an architecture. Then those that were made of the tests' pipelines, whose texts the tests
left in build/kernels, by NVRTC of the same wheels and as the engine does. Neither a GPU nor a toolkit is needed.
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
GENERATED = ROOT / "build" / "kernels"
ARCHITECTURES = ["sm_75", "sm_80", "sm_90", "sm_100"]

# What engine/device/cuda/block.cuh, and codegen/cuda_text.cpp, leave a thread.
MAX_REGISTERS = 64
MAX_SPILLED_BYTES = 0
# Of kernels of pipelines: some registers, which stay in the first cache. A kernel of more calls than these may spill as
# it needs: tests put the calls of many functions into one, to compile fewer.
MAX_SPILLED_BYTES_OF_PIPELINES = 128
MAX_CALLS = 12

LISTED = re.compile(r"^\s*K\((\w+),", re.MULTILINE)
REPORT = re.compile(
    r"Compiling entry function '(?P<name>\w+)'.*?"
    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers(?P<rest>[^\n]*)",
    re.DOTALL,
)
COMPILED = re.compile(r"^kernel \w+ sm_\d+ (?P<milliseconds>\d+) ms", re.MULTILINE)
SHARED = re.compile(r"(\d+) bytes smem")


@dataclass
class Usage:
    """What one kernel takes on one architecture."""

    architecture: str
    name: str
    registers: int
    spilled_bytes: int
    shared_bytes: int

    def is_within_budget(self, max_spilled_bytes: int = MAX_SPILLED_BYTES) -> bool:
        """Says whether neither number is above the budget."""
        return self.registers <= MAX_REGISTERS and self.spilled_bytes <= max_spilled_bytes


def toolkit() -> Path:
    """Returns the folder of the wheels that has bin, include and nvvm in it."""
    found = sorted((ROOT / ".venv-cuda" / "lib").glob("python3*/site-packages/nvidia/cu13"))
    if not (found and (found[0] / "bin" / "nvcc").exists()):
        raise RuntimeError(".venv-cuda has no nvcc: run `make gpu`, which installs it")
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
        raise RuntimeError(f"{architecture}: nvcc ended with status {done.returncode}\n{done.stdout}{done.stderr}")
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


def num_calls(text: str) -> int:
    """Returns how many functions a kernel calls; comparisons for equality, which choose branches, are no calls."""
    return text.count("Call<") - text.count("Call<functions::EqualTo")


def check_generated(architecture: str, preset: str) -> list[str]:
    """Does likewise with the kernels of the tests' pipelines."""
    program = ROOT / "build" / preset / "accelerant-kernel-check"
    calls = {path.stem: num_calls(path.read_text()) for path in GENERATED.glob("*.h")}
    if not calls:
        return [f"{GENERATED.relative_to(ROOT)} has no kernels of pipelines: the tests leave them there"]
    nvrtc = next((toolkit() / "lib").glob("libnvrtc.so.*"))
    done = subprocess.run(
        [str(program), str(nvrtc), str(GENERATED), "", architecture.removeprefix("sm_")],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return [f"{architecture}: a kernel of a pipeline does not compile: {done.stderr}"]
    found = list(usages(architecture, done.stdout))
    limited = [one for one in found if calls[one.name] <= MAX_CALLS]
    times = sorted(int(found["milliseconds"]) for found in COMPILED.finditer(done.stdout))
    registers = max(one.registers for one in found)
    spilled = max(one.spilled_bytes for one in limited)
    of_many_calls = max((one.spilled_bytes for one in found if calls[one.name] > MAX_CALLS), default=0)
    print(
        f"{architecture}: {len(found)} kernels of pipelines, at most {registers} registers, {spilled} bytes spilled, "
        f"{of_many_calls} by the {len(found) - len(limited)} of more than {MAX_CALLS} calls; CPU time of a "
        f"compilation: median {times[len(times) // 2]} ms, 95 % {times[len(times) * 95 // 100]} ms, "
        f"largest {times[-1]} ms"
    )
    over = [one for one in limited if not one.is_within_budget(MAX_SPILLED_BYTES_OF_PIPELINES)]
    over += [one for one in found if one.registers > MAX_REGISTERS and one not in limited]
    problems = [f"{architecture}: {one.name} is over its budget: {one}" for one in over]
    if len(found) != len(calls):
        problems.append(f"{architecture}: {len(calls)} kernels of pipelines, {len(found)} were compiled")
    return problems


def problems(architectures: list[str], preset: str | None) -> list[str]:
    """Compiles for some architectures; returns what is over a budget or missing.

    :param preset: the build that kernels of pipelines are compiled with; None for the engine's own kernels alone
    """
    OUTPUT.mkdir(parents=True, exist_ok=True)
    try:
        found = [problem for name in architectures for problem in check(name)]
        if preset:
            found += [problem for name in architectures for problem in check_generated(name, preset)]
    except RuntimeError as error:
        return [str(error)]
    return found


def main() -> int:
    """Compiles for the architectures that are asked for; returns 1 when a kernel is over the budget or missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="dev", help="the build that kernels of pipelines are compiled with")
    parser.add_argument("--own", action="store_true", help="only the engine's own kernels")
    parser.add_argument("architectures", nargs="*", help=f"all by default: {' '.join(ARCHITECTURES)}")
    arguments = parser.parse_args()
    found = problems(arguments.architectures or ARCHITECTURES, None if arguments.own else arguments.preset)
    for problem in found:
        print(problem)
    print(
        f"budget: {MAX_REGISTERS} registers, {MAX_SPILLED_BYTES} bytes spilled, of pipelines "
        f"{MAX_SPILLED_BYTES_OF_PIPELINES}; {len(found)} problems"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
