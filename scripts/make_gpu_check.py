"""Makes dist/accelerant-gpu-check: the program with the machine code of all kernels that it runs attached.

Of all supported GPUs, or of those that are named: `make gpu-check ARCHITECTURES=sm_90`.

It needs nothing but glibc and a driver where it runs. `make gpu-check` has compiled the engine's own kernels before;
those of pipelines are the ones that the program makes in the emulator.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import compile_kernels

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build" / "release"
TEXTS = ROOT / "build" / "gpu-check" / "texts"
CODE = ROOT / "build" / "gpu-check" / "code"
RESULT = ROOT / "dist" / "accelerant-gpu-check"

# See engine/device/cuda/kernel_library.cpp.
MARK = b"ACCKERN1"
MAX_BYTES = 60_000_000


def run(command: list[str | Path], environment: dict[str, str]) -> None:
    """Runs a program; ends where it fails."""
    done = subprocess.run(
        [str(word) for word in command], check=False, capture_output=True, text=True, env=os.environ | environment
    )
    if done.returncode != 0:
        sys.exit(f"make_gpu_check.py: {command[0]} ended with status {done.returncode}\n{done.stdout}{done.stderr}")


def attached(program: bytes, files: list[Path]) -> bytes:
    """Returns a program with files at its end, an index of theirs, and where that begins."""
    index = ""
    for file in files:
        content = file.read_bytes()
        index += f"{file.name} {len(program)} {len(content)}\n"
        program += content
    return program + index.encode() + len(program).to_bytes(8, "little") + MARK


def main() -> None:
    """Makes the program and prints its size."""
    chosen = sys.argv[1:] or compile_kernels.ARCHITECTURES
    for folder in (TEXTS, CODE):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    RESULT.parent.mkdir(exist_ok=True)
    program = PROGRAMS / "accelerant-gpu-check"
    run([program, "--device", "emu", "--scale", "0.0001"], {"ACCELERANT_KERNELS": str(TEXTS)})
    nvrtc = next((compile_kernels.toolkit() / "lib").glob("libnvrtc.so.*"))
    architectures = [name.removeprefix("sm_") for name in chosen]
    run([PROGRAMS / "accelerant-kernel-check", nvrtc, TEXTS, CODE, *architectures], {})
    own = [compile_kernels.OUTPUT / f"kernels.{name}.cubin" for name in chosen]
    made = sorted(CODE.glob("*.cubin"))
    stripped = CODE / "program"
    run(["strip", "-o", stripped, program], {})
    RESULT.write_bytes(attached(stripped.read_bytes(), own + made))
    RESULT.chmod(0o755)
    size = RESULT.stat().st_size
    print(f"{RESULT.relative_to(ROOT)}: {size:,} bytes, {len(own) + len(made)} files of machine code")
    if size > MAX_BYTES:
        sys.exit(f"make_gpu_check.py: it may have {MAX_BYTES:,} bytes")


if __name__ == "__main__":
    main()
